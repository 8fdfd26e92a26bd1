//! What the window plays with: a world under way, its clock, and how it is looked at. Knows neither window nor panel.

use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ballpit::render::View;
use ballpit::{Clock, Command, Edit, Engine, Mode, Readout, Result, Scene, SlowMotion, Tuning, World};
use glam::Vec2;
use wgpu::CommandEncoder;

use super::engine::{AnyEngine, Maker};
use super::eye::Eye;
use super::keys::Action;
use super::tally::Tally;
use super::tools::Tools;
use crate::colours::{ColourMode, Ramps};
use crate::launch::{Launch, SOFTWARE_BALLS};

mod hands;

/// A change that the panel asks for and no key does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// Another scene, by name or file.
    Scene(PathBuf),
    Balls(usize),
    Seed(u64),
    Tuning(Box<Tuning>),
    SlowMotion(SlowMotion),
    Colour(ColourMode),
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
/// What a press of Up or Down changes the restitution by.
const BOUNCE: f32 = 0.05;
/// What a press of + zooms by.
const ZOOM: f32 = 1.25;

/// A world under way.
pub(crate) struct Run {
    pub(crate) scene: Scene,
    pub(crate) seed: u64,
    /// Movable balls that there have been.
    pub(crate) balls: usize,
    /// Ids given to balls and pegs.
    pub(crate) ids: u32,
    /// The world without its balls, which the engine has.
    pub(crate) room: World,
    pub(crate) tuning: Tuning,
    pub(crate) engine: AnyEngine,
    /// Whether nothing of it has been drawn yet.
    pub(crate) is_new: bool,
    ramps: Ramps,
}

impl Run {
    fn new(launch: &Launch, maker: &Maker, fewer: Option<usize>) -> Result<Self> {
        let scene = launch.scene()?;
        let settings = launch.settings(&scene)?;
        let world = launch.world(&scene, fewer)?;
        Ok(Self {
            seed: launch.seed.unwrap_or(scene.seed),
            balls: world.bodies.iter().filter(|body| body.is_movable()).count(),
            ids: world.bodies.len() as u32,
            room: World { bodies: Vec::new(), ..world.clone() },
            tuning: Tuning::of(&world, &settings),
            ramps: Ramps::of(&world),
            engine: maker.make(world, settings)?,
            is_new: true,
            scene,
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
    /// Why the last change was refused; the world goes on as it was.
    pub(crate) trouble: Option<String>,
    pub(crate) tools: Tools,
    launch: Launch,
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
        Ok(Self {
            clock: Clock::new(run.tuning.settings.rate_hz),
            eye: Eye::new((run.room.min, run.room.max), Vec2::ONE),
            tally: Tally::default(),
            gauges: Readout::default(),
            trouble: None,
            tools: Tools::new((run.room.max - run.room.min).min_element(), run.seed),
            run,
            launch,
            maker,
            fewer,
            grip: None,
        })
    }

    /// The scene's name or file.
    pub(crate) fn scene_name(&self) -> &Path {
        self.launch.scene.as_deref().unwrap_or(Path::new(Scene::DEFAULT))
    }

    /// Share of the way from their last place to the current one at which balls are drawn.
    pub(crate) fn alpha(&self) -> f32 {
        if self.eye.interpolate { self.clock.alpha() } else { 1.0 }
    }

    /// What to draw now.
    pub(crate) fn view(&self) -> View<'_> {
        View {
            camera: self.eye.camera,
            alpha: self.alpha(),
            colour: self.run.ramps.colour(self.eye.colour),
            shade: 1.0,
            outline: Some((self.run.room.min, self.run.room.max)),
            surfaces: self.run.engine.get().surfaces(),
            pointer: self.grip.map(|pixel| self.eye.camera.world_from_pixel(pixel)),
        }
    }

    /// Makes the steps of a frame that came `since` after the one before.
    pub(crate) fn frame(&mut self, since: Duration, encoder: Option<&mut CommandEncoder>) -> Result<()> {
        // Before the steps: they wait in the encoder, and the gauges' own submission would overtake them.
        if self.tally.gauges_due() {
            self.gauges = self.run.engine.get_mut().readout();
        }
        let tick = self.clock.frame(since);
        self.hold(tick.steps as f32 * tick.step_s);
        self.tally.frame(since, tick.steps);
        self.run.engine.advance(&tick, encoder)
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
            Action::ToggleInterpolation => self.eye.interpolate = !self.eye.interpolate,
            Action::NewPile => self.change(Change::Seed(any_seed())),
            Action::Restart => self.restart(self.launch.clone()),
            Action::PreviousScene => self.turn_scenes(-1),
            Action::NextScene => self.turn_scenes(1),
            Action::Bouncier => self.retune(|tuning| bounce(tuning, BOUNCE)),
            Action::Duller => self.retune(|tuning| bounce(tuning, -BOUNCE)),
            Action::ToggleAir => self.retune(|tuning| {
                let thin = tuning.drag_per_s < AIR_PER_S[1];
                tuning.drag_per_s = AIR_PER_S[usize::from(thin)];
            }),
            Action::Take(tool) => self.take(tool),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::NextColour => self.eye.colour = self.eye.colour.next(),
            Action::ZoomIn => self.eye.zoom(ZOOM),
            Action::ZoomOut => self.eye.zoom(1.0 / ZOOM),
            Action::Fit => self.eye.fit(),
            Action::Panel | Action::Help | Action::Fullscreen | Action::Screenshot | Action::Quit => {}
        }
    }

    /// Makes a change; one that can't be made leaves the world as it is, and says why.
    pub(crate) fn change(&mut self, change: Change) {
        match change {
            Change::Scene(name) => self.open(name),
            Change::Balls(balls) => self.restart(Launch { balls: Some(balls), ..self.launch.clone() }),
            Change::Seed(seed) => self.restart(Launch { seed: Some(seed), ..self.launch.clone() }),
            Change::Tuning(tuning) => self.retune(|now| *now = *tuning),
            Change::SlowMotion(slow_motion) => self.clock.set_slow_motion(slow_motion),
            Change::Colour(colour) => self.eye.colour = colour,
            Change::Brush(radius_px) => self.tools.set_radius(radius_px),
        }
    }

    /// Does something to the running world: the one way to it. What is refused says why, and changes nothing.
    pub(crate) fn command(&mut self, command: Command) -> bool {
        if let Err(error) = command.apply(self.engine()) {
            self.trouble = Some(error.to_string());
            return false;
        }
        self.take_note(&command);
        true
    }

    /// Keeps in mind what a command has changed of the world's balls and walls.
    fn take_note(&mut self, command: &Command) {
        match command {
            Command::Edit(Edit::Add(bodies)) => {
                self.run.ids += bodies.len() as u32;
                self.run.balls += bodies.iter().filter(|body| body.is_movable()).count();
                // The engine may have taken larger buffers.
                self.run.is_new = true;
            }
            Command::Edit(Edit::Segments(segments)) => {
                self.run.room.segments.clone_from(segments);
                self.run.is_new = true;
            }
            _ => {}
        }
    }

    /// Movable balls that there are now, as far as the gauges know.
    pub(crate) fn balls(&self) -> usize {
        self.run.balls.saturating_sub(self.gauges.erased as usize)
    }

    fn engine(&mut self) -> &mut dyn Engine {
        self.run.engine.get_mut()
    }

    fn retune(&mut self, edit: impl FnOnce(&mut Tuning)) {
        let mut tuning = self.run.tuning.clone();
        edit(&mut tuning);
        if tuning == self.run.tuning {
            return;
        }
        self.trouble = None;
        if self.command(Command::Retune(Box::new(tuning.clone()))) {
            if tuning.settings.rate_hz != self.run.tuning.settings.rate_hz {
                self.clock.set_rate_hz(tuning.settings.rate_hz);
            }
            self.run.tuning = tuning;
        }
    }

    /// Opens another scene as its file has it.
    fn open(&mut self, name: PathBuf) {
        // The default scene by its absence, so that a software adapter gets fewer balls again.
        let scene = (name != Path::new(Scene::DEFAULT)).then_some(name);
        let launch = Launch { scene, balls: None, seed: None, rate_hz: None, passes: None, ..self.launch.clone() };
        if let Some(run) = self.built(&launch) {
            self.start(launch, run);
            self.eye.fit();
        }
    }

    /// Builds the same scene anew; what was tuned stays tuned.
    fn restart(&mut self, launch: Launch) {
        if let Some(mut run) = self.built(&launch) {
            let tuning = self.run.tuning.clone();
            if run.engine.get_mut().retune(&tuning).is_ok() {
                run.tuning = tuning;
            }
            self.start(launch, run);
        }
    }

    fn built(&mut self, launch: &Launch) -> Option<Run> {
        let built = Run::new(launch, &self.maker, self.fewer);
        built.map_err(|error| self.trouble = Some(error.to_string())).ok()
    }

    fn start(&mut self, launch: Launch, run: Run) {
        let mut clock = Clock::new(run.tuning.settings.rate_hz);
        clock.set_mode(self.clock.mode());
        clock.set_slow_motion(self.clock.slow_motion());
        clock.pause(self.clock.is_paused());
        self.eye.look_at((run.room.min, run.room.max));
        (self.launch, self.run, self.clock) = (launch, run, clock);
        (self.grip, self.trouble) = (None, None);
        self.tools = self.new_tools();
    }

    fn turn_scenes(&mut self, by: isize) {
        let names: Vec<&str> = Scene::names().map(|(name, _)| name).collect();
        let here = names.iter().position(|name| Path::new(name) == self.scene_name());
        // A file stands before the first of the named scenes.
        let next = here.map_or(if by > 0 { 0 } else { -1 }, |here| here as isize + by);
        self.open(names[next.rem_euclid(names.len() as isize) as usize].into());
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

#[cfg(test)]
mod tests;
