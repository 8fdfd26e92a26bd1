//! What the window plays with: a world under way, its clock, and how it is looked at. Knows neither window nor panel.

use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use ballpit::render::{ColourMap, View};
use ballpit::{
    Clock, Command, Edit, Engine, Mode, Player, Readout, Recording, Result, Scene, Settings, SlowMotion, Tick, Tuning,
    World,
};
use glam::Vec2;
use wgpu::CommandEncoder;

use files::Watched;
use kept::Kept;

use super::eye::Eye;
use super::film::Pace;
use super::helm::Steered;
use super::keys::{Action, key_of};
use super::tally::Tally;
use super::tape::Tape;
use super::times::Times;
use super::tools::Tools;
use crate::colours::{Legend, Ramps};
use crate::engines::{AnyEngine, Maker};
use crate::launch::{Launch, SOFTWARE_BALLS};

mod hands;
pub(crate) mod kept;
mod looks;
mod scenes;

/// A change that the panel asks for and no key does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// Another scene, by name or file.
    Scene(PathBuf),
    Balls(usize),
    Seed(u64),
    Tuning(Box<Tuning>),
    SlowMotion(SlowMotion),
    Map(ColourMap),
    /// Another radius of the brush, px.
    Brush(f32),
}

impl Change {
    /// Whether it builds a world, which may take a while.
    pub(crate) fn builds(&self) -> bool {
        matches!(self, Self::Scene(_) | Self::Balls(_) | Self::Seed(_))
    }
}

/// Steps a second between which R switches.
const RATES_HZ: [u32; 2] = [120, 30];
/// Drag between which D switches, 1/s: thin air and thick.
const AIR_PER_S: [f32; 2] = [0.15, 3.0];
/// Coefficients through which F goes, of all materials.
const FRICTIONS: [f32; 3] = [0.0, 0.3, 0.6];
/// What a press of Up or Down changes the restitution by.
const BOUNCE: f32 = 0.05;

/// A world under way.
pub(crate) struct Run {
    pub(crate) scene: Rc<Scene>,
    pub(crate) seed: u64,
    /// Movable balls that there have been.
    pub(crate) balls: usize,
    /// Ids given to balls and pegs.
    pub(crate) ids: u32,
    /// The world without its balls, which the engine has.
    pub(crate) room: World,
    pub(crate) tuning: Tuning,
    /// What the scene itself says.
    pub(crate) as_built: Tuning,
    pub(crate) engine: AnyEngine,
    /// Whether nothing of it has been drawn yet.
    pub(crate) is_new: bool,
    /// Balls that go where they are sent.
    pub(crate) actors: usize,
    /// Where that is.
    pub(crate) direction: Vec2,
    ramps: Ramps,
}

impl Run {
    fn new(launch: &Launch, maker: &Maker, fewer: Option<usize>) -> Result<Self> {
        Self::of_scene(launch.scene()?, launch, maker, fewer)
    }

    /// A run of a scene that has been read, as it is asked for.
    fn of_scene(mut scene: Scene, launch: &Launch, maker: &Maker, fewer: Option<usize>) -> Result<Self> {
        let settings = launch.settings(&scene)?;
        let world = launch.world(&scene, fewer)?;
        scene.seed = launch.seed.unwrap_or(scene.seed);
        Self::of(scene, world, settings, maker)
    }

    /// A run that begins with a world.
    fn of(scene: Scene, world: World, settings: Settings, maker: &Maker) -> Result<Self> {
        Ok(Self {
            seed: scene.seed,
            // Those that are erased, too: they may come back.
            balls: world.bodies.iter().filter(|body| body.inverse_mass > 0.0).count(),
            ids: world.bodies.len() as u32,
            room: world.room(),
            tuning: Tuning::of(&world, &settings),
            as_built: Tuning::of(&world, &settings),
            ramps: Ramps::of(&world).with_shots(scene.cannon()),
            actors: world.driven(),
            engine: maker.make(world, settings)?,
            is_new: true,
            direction: Vec2::ZERO,
            scene: scene.into(),
        })
    }
}

/// The sandbox.
pub(crate) struct Sandbox {
    pub(crate) run: Run,
    pub(crate) clock: Clock,
    pub(crate) eye: Eye,
    pub(crate) tally: Tally,
    pub(crate) gauges: Readout,
    /// The times of the last seconds, while somebody looks at them.
    pub(crate) times: Option<Times>,
    /// Why the last change was refused; the world goes on as it was.
    pub(crate) trouble: Option<String>,
    /// What has been done, to be said once.
    pub(crate) news: Option<String>,
    pub(crate) tape: Tape,
    /// How time is handed out while a film is made.
    pub(crate) pace: Option<Pace>,
    watched: Watched,
    kept: Kept,
    /// Whether the scene's file has been missing.
    was_gone: bool,
    pub(crate) tools: Tools,
    launch: Launch,
    /// The scene that it asks for, as it was last read.
    origin: Rc<Scene>,
    maker: Maker,
    fewer: Option<usize>,
    /// Where the pressed pointer is, physical pixels.
    grip: Option<Vec2>,
}

impl Sandbox {
    /// Builds the world that was asked for; on a software adapter the default pile has fewer balls.
    pub(crate) fn new(launch: Launch, maker: Maker, software: bool) -> Result<Self> {
        let fewer = software.then_some(SOFTWARE_BALLS);
        let run = Run::new(&launch, &maker, fewer)?;
        let (record, replay) = (launch.record.clone(), launch.replay.clone());
        let mut sandbox = Self {
            clock: Clock::new(run.tuning.settings.rate_hz),
            eye: Eye::new((run.room.min, run.room.max), Vec2::ONE),
            tally: Tally::default(),
            gauges: Readout::default(),
            times: None,
            trouble: None,
            news: None,
            tape: Tape::Idle,
            pace: None,
            watched: Watched::look(launch.scene.as_deref().unwrap_or(Path::new(""))),
            kept: Kept::default(),
            was_gone: false,
            tools: Tools::new((run.room.max - run.room.min).min_element(), run.scene.usual_ball().0[1], run.seed),
            origin: run.scene.clone(),
            run,
            launch,
            maker,
            fewer,
            grip: None,
        };
        sandbox.arm(true);
        if let Some(path) = record {
            sandbox.record_from_start(&path)?;
        }
        if let Some(path) = replay {
            let player = Player::new(sandbox.launch.recording(&path)?);
            sandbox.begin(player)?;
        }
        Ok(sandbox)
    }

    /// The scene's name or file.
    pub(crate) fn scene_name(&self) -> &Path {
        self.launch.scene.as_deref().unwrap_or(Path::new(Scene::DEFAULT))
    }

    /// What the scene is called: its name or file, or the title of one that a recording brought.
    pub(crate) fn shown_name(&self) -> &Path {
        let is_brought = self.run.scene.title != self.origin.title;
        if is_brought { Path::new(&self.run.scene.title) } else { self.scene_name() }
    }

    /// Share of the way from their last place to the current one at which balls are drawn.
    pub(crate) fn alpha(&self) -> f32 {
        match &self.tape {
            _ if !self.eye.interpolate => 1.0,
            Tape::Playing(playing) => playing.alpha(),
            _ => self.clock.alpha(),
        }
    }

    /// What to draw now.
    pub(crate) fn view(&self) -> View<'_> {
        View {
            camera: self.eye.camera,
            alpha: self.alpha(),
            colour: self.run.ramps.colour(self.eye.look.colour),
            map: self.eye.look.map,
            show: self.eye.look.show,
            lattice: self.run.engine.lattice(),
            shade: 1.0,
            outline: Some((self.run.room.min, self.run.room.max)),
            materials: &self.run.room.materials,
            surfaces: self.run.engine.get().surfaces(),
            counters: &self.run.room.counters,
            counts: &self.gauges.counts,
            pointer: self.grip.map(|pixel| self.eye.camera.world_from_pixel(pixel)),
        }
    }

    /// What the colours mean now.
    pub(crate) fn legend(&self) -> Legend {
        Legend::of(self.eye.look.colour, &self.run.ramps, &self.run.room)
    }

    /// Makes the steps of a frame that came `since` after the one before.
    pub(crate) fn frame(&mut self, since: Duration, encoder: Option<&mut CommandEncoder>) -> Result<()> {
        // Before the steps: they wait in the encoder, and the gauges' own submission would overtake them.
        if self.tally.gauges_due() {
            self.gauges = self.run.engine.get_mut().readout();
        }
        self.keep_good(since)?;
        let time = self.pace.as_mut().map_or(since, |pace| pace.frame(since));
        if self.tape.is_playing() {
            let steps = self.play_frame(time)?;
            self.tally.frame(since, steps);
            return Ok(());
        }
        let tick = self.clock.frame(time);
        self.hold(tick.steps as f32 * tick.step_s);
        self.tally.frame(since, tick.steps);
        let before = self.run.engine.get().steps();
        self.advance(&tick, since, encoder)?;
        self.note_steps(before, tick.step_s);
        Ok(())
    }

    /// Makes a tick's steps, and takes their times while somebody looks at them.
    fn advance(&mut self, tick: &Tick, since: Duration, encoder: Option<&mut CommandEncoder>) -> Result<()> {
        let Some(times) = &mut self.times else { return self.run.engine.advance(tick, encoder) };
        if !self.clock.is_paused() {
            times.frame(since);
        }
        if let Some(stages) = self.run.engine.advance_timed(tick, encoder)? {
            times.step(&stages);
        }
        Ok(())
    }

    /// Writes down how long a frame's steps were, and now and then what they came to.
    fn note_steps(&mut self, before: u64, step_s: f32) {
        if self.run.engine.get().steps() > before {
            let full = self.tape.note(|recorder| recorder.length(before, step_s));
            let full = full.or(self.tape.hash(&mut self.run.engine, self.run.tuning.settings.rate_hz));
            self.trouble = full.or(self.trouble.take());
        }
    }

    /// What there is to be steered.
    pub(crate) fn steered(&self) -> Steered {
        match self.run.actors {
            0 if self.run.room.tilts() => Steered::Slopes,
            0 => Steered::Nothing,
            _ => Steered::Actors,
        }
    }

    /// Sends the actors in a direction, or tilts the ground; each part is −1, 0 or 1.
    pub(crate) fn steer(&mut self, direction: Vec2) {
        self.command(Command::Steer(direction));
    }

    /// Lets go of the ball that is held and of who is steered: nobody's keys and buttons reach the window any more.
    pub(crate) fn let_go(&mut self) {
        self.release();
        // A recording steers by its own keys.
        if !self.tape.is_playing() && self.run.direction != Vec2::ZERO {
            self.steer(Vec2::ZERO);
        }
    }

    /// Does what a key asks of the world; the window's own actions are nothing to it.
    pub(crate) fn act(&mut self, action: Action) {
        match action {
            Action::Pause => self.clock.pause(!self.clock.is_paused()),
            Action::StepOnce => self.clock.step_once(),
            Action::SlowMotion => self.clock.set_slow_motion(self.clock.slow_motion().next()),
            Action::ToggleMode => self.clock.set_mode(match self.clock.mode() {
                Mode::Fixed => Mode::Variable,
                Mode::Variable => Mode::Fixed,
            }),
            Action::ToggleRate => {
                let fine = self.run.tuning.settings.rate_hz > RATES_HZ[1];
                self.retune(|tuning| tuning.settings.rate_hz = RATES_HZ[usize::from(fine)]);
            }
            Action::LagSpike => self.clock.lag_spike(),
            Action::NewSeed => self.change(Change::Seed(any_seed())),
            Action::Restart => self.restart(self.launch.clone()),
            Action::PreviousScene => self.turn_scenes(-1),
            Action::NextScene => self.turn_scenes(1),
            Action::Bouncier => self.retune(|tuning| bounce(tuning, BOUNCE)),
            Action::Duller => self.retune(|tuning| bounce(tuning, -BOUNCE)),
            Action::ToggleAir => self.retune(|tuning| {
                let thin = tuning.drag_per_s < AIR_PER_S[1];
                tuning.drag_per_s = AIR_PER_S[usize::from(thin)];
            }),
            Action::NextFriction => self.retune(|tuning| {
                let now = tuning.friction.iter().copied().fold(0.0, f32::max);
                let next = FRICTIONS.into_iter().find(|&friction| friction > now).unwrap_or(FRICTIONS[0]);
                tuning.friction.fill(next);
            }),
            Action::Take(tool) => self.take(tool),
            Action::Load(shot) => self.load(shot),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Plots => self.times = if self.times.is_some() { None } else { Some(Times::default()) },
            Action::Save => self.save(Path::new(".")),
            Action::SaveCsv => self.save_csv(Path::new(".")),
            Action::Record => self.toggle_recording(Path::new(".")),
            Action::NextColour => self.next_colour(),
            Action::Colour(colour) => self.colour_by(colour),
            Action::Show(mark) => self.toggle(mark),
            action => self.eye.act(action),
        }
    }

    /// Makes a change; one that can't be made leaves the world as it is, and says why.
    pub(crate) fn change(&mut self, change: Change) {
        match change {
            Change::Scene(name) if name.extension().is_some_and(|end| end == Recording::EXTENSION) => self.play(&name),
            Change::Scene(name) => self.open(name),
            Change::Balls(balls) => self.restart(Launch { balls: Some(balls), ..self.launch.clone() }),
            Change::Seed(seed) => self.restart(Launch { seed: Some(seed), ..self.launch.clone() }),
            Change::Tuning(tuning) => self.retune(|now| *now = *tuning),
            Change::SlowMotion(slow_motion) => self.clock.set_slow_motion(slow_motion),
            Change::Map(map) => self.eye.look.map = map,
            Change::Brush(radius_px) => self.tools.set_radius(radius_px),
        }
    }

    /// Does something to the running world: the one way to it. What is refused says why, and changes nothing.
    pub(crate) fn command(&mut self, command: Command) -> bool {
        if self.tape.is_playing() {
            let key = key_of(Action::Restart);
            self.trouble = Some(format!("a recording is played: [{key}] leaves it, and what it does can't be helped"));
            return false;
        }
        if let Err(error) = command.apply(self.engine()) {
            self.trouble = Some(error.to_string());
            return false;
        }
        self.take_note(&command);
        let step = self.run.engine.get().steps();
        self.trouble = self.tape.command(step, command).or(self.trouble.take());
        true
    }

    /// Keeps in mind what a command has changed, whoever has given it: the user or a recording.
    pub(super) fn take_note(&mut self, command: &Command) {
        match command {
            Command::Edit(Edit::Add(bodies)) => {
                self.run.ids += bodies.len() as u32;
                self.run.balls += bodies.iter().filter(|body| body.is_movable()).count();
                // The engine may have taken larger buffers.
                self.run.is_new = true;
            }
            Command::Retune(tuning) => {
                self.run.tuning = (**tuning).clone();
                // Friction, turning and sleep have buffers of their own.
                self.run.is_new = true;
            }
            Command::Edit(Edit::Segments(segments)) => {
                self.run.room.segments.clone_from(segments);
                self.run.is_new = true;
            }
            Command::Edit(Edit::Erase { stamp, .. }) => self.tools.know_stamp(*stamp),
            Command::Steer(direction) => self.run.direction = *direction,
            _ => {}
        }
    }

    /// Movable balls that there are now, as far as the gauges know.
    pub(crate) fn balls(&self) -> usize {
        self.run.balls.saturating_sub(self.gauges.erased as usize)
    }

    fn engine(&mut self) -> &mut (dyn Engine + 'static) {
        self.run.engine.get_mut()
    }

    fn retune(&mut self, edit: impl FnOnce(&mut Tuning)) {
        let mut tuning = self.run.tuning.clone();
        edit(&mut tuning);
        if tuning == self.run.tuning {
            return;
        }
        self.trouble = None;
        let before = self.run.tuning.settings.rate_hz;
        if self.command(Command::Retune(Box::new(tuning))) && self.run.tuning.settings.rate_hz != before {
            self.clock.set_rate_hz(self.run.tuning.settings.rate_hz);
        }
    }
}

fn bounce(tuning: &mut Tuning, by: f32) {
    for restitution in &mut tuning.restitution {
        // A bumper that kicks (above 1) is made duller by Down, and left alone by Up.
        *restitution = (*restitution + by).clamp(0.0, restitution.max(1.0));
    }
}

/// A seed that nobody chose, short enough to be typed again.
fn any_seed() -> u64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish() % 1_000_000
}

mod files;
#[cfg(test)]
mod tests;
