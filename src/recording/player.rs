//! Does what a recording says.

use super::{Entry, Event, Recording, Take, place};
use crate::{Command, Engine, Error, Result, Scene, Settings, World, state_hash};

/// How a replay ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// In the state that was recorded.
    Same {
        /// Its hash.
        hash: u64,
    },
    /// In another state: seen first after so many steps of the run.
    Other {
        /// Steps.
        step: u64,
        /// The hash recorded.
        recorded: u64,
        /// The hash found.
        found: u64,
    },
    /// The recording breaks off, so that there is nothing to compare with.
    Unknown,
}

/// A recording on its way: one run after the other.
///
/// ```
/// use ballpit::{Command, CpuEngine, Engine, Outcome, Overrides, Player, Recorder, Recording, Scene, Start, state_hash};
/// use glam::Vec2;
///
/// let scene = Scene::named("impulse")?;
/// let (world, settings) = (scene.build(&Overrides::default())?, scene.settings());
/// let file = tempfile::NamedTempFile::new().unwrap();
/// let start = Start::of_scene(&scene, &Overrides::default(), &settings)?;
/// let mut recorder = Recorder::begin(file.reopen().unwrap(), start).unwrap();
/// let mut engine = CpuEngine::new(world, settings.clone())?;
/// let press = Command::Press { place: Vec2::new(500.0, 300.0), alpha: 1.0 };
/// recorder.length(0, settings.step_s()).unwrap();
/// engine.step(30, settings.step_s())?;
/// press.apply(&mut engine)?;
/// recorder.command(30, press).unwrap();
/// engine.step(30, settings.step_s())?;
/// recorder.end(60, state_hash(&engine.world()?)).unwrap();
///
/// let mut player = Player::new(Recording::read(file.path())?);
/// let (_, world, settings) = player.begin()?.expect("a recording has a run");
/// let mut engine = CpuEngine::new(world, settings)?;
/// player.step(&mut engine, u32::MAX)?;
/// assert!(matches!(player.outcome(), Some(Outcome::Same { .. })));
/// # Ok::<(), ballpit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Player {
    takes: std::vec::IntoIter<Take>,
    /// The file's name, and the line on which the present run starts.
    name: String,
    line: u64,
    events: std::iter::Peekable<std::vec::IntoIter<Entry>>,
    /// Steps that the present run has.
    total: u64,
    /// Length of the coming steps, s; 0 before it is known.
    length_s: f32,
    /// Time of the steps made, s.
    time_s: f64,
    settings: Settings,
    outcome: Option<Outcome>,
}

impl Player {
    /// A player at a recording's beginning.
    pub fn new(recording: Recording) -> Self {
        Self {
            takes: recording.takes.into_iter(),
            name: String::new(),
            line: 0,
            events: Vec::new().into_iter().peekable(),
            total: 0,
            length_s: 0.0,
            time_s: 0.0,
            settings: Settings::default(),
            outcome: None,
        }
    }

    /// Turns to the next run: the scene, the world and the settings that it begins with. The caller makes an engine of
    /// them. `None` after the last run.
    ///
    /// # Errors
    /// [`Error::Scene`] or [`Error::Value`] for a start that can't be built.
    pub fn begin(&mut self) -> Result<Option<(Scene, World, Settings)>> {
        let Some(take) = self.takes.next() else { return Ok(None) };
        let begun = take.begin()?;
        self.total = take.events.last().map_or(0, |last| last.step);
        (self.name, self.line, self.events) = (take.name, take.line, take.events.into_iter().peekable());
        (self.length_s, self.time_s, self.outcome) = (0.0, 0.0, None);
        self.settings = begun.2.clone();
        Ok(Some(begun))
    }

    /// How the present run's next step is made: what was done may have changed the settings that it began with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether no run follows the present one.
    pub fn is_last(&self) -> bool {
        self.takes.as_slice().is_empty()
    }

    /// Time of the present run's steps so far, s.
    pub fn time_s(&self) -> f64 {
        self.time_s
    }

    /// Steps that the present run has.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Length of the next step, s; 0 until [`Player::step`] has been called.
    pub fn length_s(&self) -> f32 {
        self.length_s
    }

    /// How the present run ended, once all its steps are made.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Makes up to `count` steps of the present run, and does between them what was done. Answers with the steps made:
    /// fewer where the run ends, or where hashes show that it has become another one. What was done after the last of
    /// them is then done, too.
    ///
    /// # Errors
    /// Those of the engine; [`Error::Scene`] for a command that it refuses.
    pub fn step(&mut self, engine: &mut dyn Engine, count: u32) -> Result<u32> {
        self.step_seen(engine, count, &mut |_| ())
    }

    /// As [`Player::step`], and tells of every command that has been done.
    ///
    /// # Errors
    /// As [`Player::step`].
    pub fn step_seen(&mut self, engine: &mut dyn Engine, count: u32, seen: &mut dyn FnMut(&Command)) -> Result<u32> {
        let mut made = 0;
        loop {
            self.catch_up(engine, seen)?;
            let now = engine.steps();
            let next = self.events.peek().map_or(now, |entry| entry.step);
            let steps = (next - now).min(u64::from(count - made)) as u32;
            if steps == 0 || self.outcome.is_some() {
                return Ok(made);
            }
            if self.length_s <= 0.0 {
                let message = "steps are made before it is said how long they are; take another copy".into();
                return Err(Error::Scene { place: place(&self.name, self.line), message });
            }
            engine.step(steps, self.length_s)?;
            self.time_s += f64::from(steps) * f64::from(self.length_s);
            made += steps;
        }
    }

    /// Does what was done before the next step.
    fn catch_up(&mut self, engine: &mut dyn Engine, seen: &mut dyn FnMut(&Command)) -> Result<()> {
        let now = engine.steps();
        while let Some(entry) = self.events.next_if(|entry| entry.step <= now && self.outcome.is_none()) {
            match entry.event {
                Event::Length(length_s) => self.length_s = length_s,
                Event::Do(command) => {
                    command.apply(engine).map_err(|error| {
                        let message = format!("what was done after step {} is refused: {error}", entry.step);
                        Error::Scene { place: place(&self.name, entry.line), message }
                    })?;
                    if let Command::Retune(tuning) = &command {
                        self.settings = tuning.settings.clone();
                    }
                    seen(&command);
                }
                Event::Hash(recorded) => self.compare(engine, recorded, false)?,
                Event::End(recorded) => self.compare(engine, recorded, true)?,
            }
        }
        if self.events.peek().is_none() && self.outcome.is_none() {
            self.outcome = Some(Outcome::Unknown);
        }
        Ok(())
    }

    fn compare(&mut self, engine: &mut dyn Engine, recorded: u64, is_end: bool) -> Result<()> {
        let found = state_hash(&engine.world()?);
        if found != recorded {
            self.outcome = Some(Outcome::Other { step: engine.steps(), recorded, found });
        } else if is_end {
            self.outcome = Some(Outcome::Same { hash: found });
        }
        Ok(())
    }
}
