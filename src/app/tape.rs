//! What is recorded of the sandbox, or played to it.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::engines::AnyEngine;
use ballpit::{Clock, Command, Engine, Outcome, Player, Recorder, Result, Start, state_hash};

/// Steps that a frame plays at most: a file may have steps of next to no time. The rest of the frame's time is dropped.
const MOST_STEPS: u32 = 1_000;

/// A recording under way, or one that is played.
#[derive(Default)]
pub(crate) enum Tape {
    /// Neither.
    #[default]
    Idle,
    /// What happens is written down.
    Recording { recorder: Recorder, path: PathBuf },
    /// What happened is done again.
    Playing(Box<Playing>),
}

/// A recording on its way.
pub(crate) struct Playing {
    pub(crate) player: Player,
    /// Time not yet stepped, s.
    saved_s: f64,
}

/// What has been played in a frame.
pub(crate) struct Played {
    pub(crate) steps: u32,
    /// Commands between the steps.
    pub(crate) done: Vec<Command>,
    /// How the run ended, if it did.
    pub(crate) outcome: Option<Outcome>,
}

impl Playing {
    pub(crate) fn new(player: Player) -> Self {
        Self { player, saved_s: 0.0 }
    }

    /// Share of the next step that the time saved up makes.
    pub(crate) fn alpha(&self) -> f32 {
        let length_s = f64::from(self.player.length_s());
        if length_s > 0.0 { (self.saved_s / length_s).clamp(0.0, 1.0) as f32 } else { 1.0 }
    }

    /// Makes the steps of a frame, as long as they were when they were recorded.
    pub(crate) fn frame(&mut self, engine: &mut dyn Engine, clock: &mut Clock, since: Duration) -> Result<Played> {
        let single = clock.is_paused().then(|| clock.frame(since).steps);
        if single.is_none() {
            self.saved_s += since.min(Clock::CLAMP).as_secs_f64() / f64::from(clock.slow_motion().divisor());
        }
        let (mut made, mut done) = (0, Vec::new());
        let mut seen = |command: &Command| done.push(command.clone());
        // What comes before the first step is done in any case.
        self.player.step_seen(engine, 0, &mut seen)?;
        while self.player.outcome().is_none() {
            let length_s = f64::from(self.player.length_s());
            let goes_on = single.map_or(self.saved_s >= length_s, |single| made < single);
            if !goes_on {
                break;
            }
            if made == MOST_STEPS {
                self.saved_s = 0.0;
                break;
            }
            made += self.player.step_seen(engine, 1, &mut seen)?;
            if single.is_none() {
                self.saved_s -= length_s;
            }
        }
        Ok(Played { steps: made, done, outcome: self.player.outcome() })
    }
}

impl Tape {
    /// A recording into a new file.
    ///
    /// # Errors
    /// What the system says of the file: it may be there already.
    pub(crate) fn record(path: PathBuf, start: Start) -> io::Result<Self> {
        // Line by line: whatever ends the program, what was done until then is in the file.
        let file = io::LineWriter::new(File::create_new(&path)?);
        Ok(Self::Recording { recorder: Recorder::begin(file, start)?, path })
    }

    pub(crate) fn is_recording(&self) -> bool {
        matches!(self, Self::Recording { .. })
    }

    pub(crate) fn is_playing(&self) -> bool {
        matches!(self, Self::Playing(_))
    }

    /// Writes something down; a file that takes no more ends the recording, and is answered with.
    pub(crate) fn note(&mut self, write: impl FnOnce(&mut Recorder) -> io::Result<()>) -> Option<String> {
        let Self::Recording { recorder, path } = self else { return None };
        let error = write(recorder).err()?;
        let said = format!("{}: {error}; the recording has ended", path.display());
        *self = Self::Idle;
        Some(said)
    }

    /// Writes down what was done after so many steps.
    pub(crate) fn command(&mut self, step: u64, command: Command) -> Option<String> {
        self.note(|recorder| recorder.command(step, command))
    }

    /// Writes down the state's hash once a second. Nobody waits for a GPU.
    pub(crate) fn hash(&mut self, engine: &mut AnyEngine, rate_hz: u32) -> Option<String> {
        let (AnyEngine::Cpu(_) | AnyEngine::Sequential(_)) = engine else { return None };
        self.note(|recorder| {
            let step = engine.get().steps();
            if !recorder.is_hash_due(step, rate_hz.into()) {
                return Ok(());
            }
            recorder.hash(step, state_hash(&engine.get_mut().world().map_err(io::Error::other)?))
        })
    }

    /// Writes down how the run ends and another one begins, if it records; a recording that was played is left.
    pub(crate) fn turn_to(&mut self, engine: &mut dyn Engine, start: Option<Result<Start>>) -> Option<String> {
        if self.is_playing() {
            *self = Self::Idle;
        }
        let full = self.end(engine);
        full.or_else(|| start.and_then(|start| self.note(|recorder| recorder.start(start.map_err(io::Error::other)?))))
    }

    /// Writes down how the run ends.
    pub(crate) fn end(&mut self, engine: &mut dyn Engine) -> Option<String> {
        self.note(|recorder| {
            let hash = state_hash(&engine.world().map_err(io::Error::other)?);
            recorder.end(engine.steps(), hash)
        })
    }
}
