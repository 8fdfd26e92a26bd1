//! `ballpit simulate`: a run without a window, measured.

mod frames;
mod legend;
mod run;
mod step_times;
mod summary;
mod watch;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use ballpit::render::{ColourMap, View, picture};
use ballpit::{Command, Error, Gpu, Outcome, Player, Recorder, Scene, Settings, Snapshot, Start, World};
use clap::ArgGroup;
use glam::Vec2;

use super::machine::{Machine, device};
use super::trace::Trace;
use super::{Stop, interrupt, output, print, print_json, unheard};
use crate::cli;
use crate::colours::{ColourMode, Legend, Ramps};
use crate::console::note;
use crate::csv::csv;
use crate::launch::{Launch, SOFTWARE_BALLS};
use crate::look::{Look, Mark};
use crate::numbers::counted;
use frames::{Film, Frames};
use run::{Run, steps_in};
use summary::{COLUMNS, Summary, line};
use watch::Watch;

/// Simulated time of a run that nobody gave a length, s.
pub(crate) const DEFAULT_SECONDS: f64 = 10.0;

/// What `simulate` does beyond stepping a scene.
#[derive(clap::Args, Clone, Debug)]
#[command(group(ArgGroup::new("pictures").args(["png", "frames"]).multiple(true)))]
pub(crate) struct SimulateOptions {
    /// Simulated time, s
    #[arg(short = 't', long, value_name = "T", allow_negative_numbers = true, default_value_t = DEFAULT_SECONDS, value_parser = cli::seconds, conflicts_with = "replay")]
    seconds: f64,
    /// Simulated time from a line to the next, s
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value_t = 1.0, value_parser = cli::seconds)]
    every: f64,
    /// Print one JSON object instead of lines
    #[arg(long)]
    json: bool,
    /// Write the last state: as CSV if the name ends in .csv, numbers to the last bit, or if it ends in .ballpit as a saved
    /// world, which every command goes on with as a scene; may be given twice
    #[arg(short, long, value_name = "FILE", visible_alias = "save")]
    out: Vec<PathBuf>,
    /// Draw the last state (needs a GPU adapter, software will do)
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Draw the run as frame-000001.png and on in this folder (needs a GPU adapter, software will do)
    #[arg(long, value_name = "DIR")]
    frames: Option<PathBuf>,
    /// Frames for each simulated second
    #[arg(long, value_name = "N", default_value_t = 60, allow_negative_numbers = true, value_parser = cli::whole::<u32, 1, 1_000>, requires = "frames")]
    fps: u32,
    /// What a ball's colour means in pictures; load shows the force chains of a heap
    #[arg(long, value_enum, default_value_t = ColourMode::Palette, requires = "pictures")]
    colour: ColourMode,
    /// Colours of what has more and less of something in pictures, each safe for colour-blind eyes [default: viridis]
    #[arg(long, value_parser = cli::colour_map(), requires = "pictures")]
    map: Option<ColourMap>,
    /// Say below the world what the colours mean
    #[arg(long, requires = "pictures")]
    legend: bool,
    /// What is drawn over the balls in pictures
    #[arg(long, value_enum, value_name = "MARK,…", value_delimiter = ',', requires = "pictures")]
    show: Vec<Mark>,
    /// Size of pictures, pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = cli::picture_size, requires = "pictures")]
    size: (u32, u32),
    /// Send actors in a direction, or tilt the ground, from the first step on: 1,0 is right, 0,1 down
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = cli::direction, conflicts_with = "replay")]
    steer: Option<Vec2>,
    /// Write when which stage ran, as a Chrome trace for ui.perfetto.dev; timing the stages slows a run down
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    trace: Option<PathBuf>,
    /// Replace files that exist
    #[arg(short, long)]
    force: bool,
    /// In the window's place the default pile may be smaller where the CPU has to do it all; a script gets what it asks.
    #[arg(skip)]
    may_take_fewer: bool,
}

/// What runs in the window's place where there is no display.
impl Default for SimulateOptions {
    fn default() -> Self {
        Self {
            seconds: DEFAULT_SECONDS,
            every: 1.0,
            json: false,
            out: Vec::new(),
            png: None,
            frames: None,
            fps: 60,
            colour: ColourMode::Palette,
            map: None,
            legend: false,
            show: Vec::new(),
            size: (1280, 720),
            steer: None,
            trace: None,
            force: false,
            may_take_fewer: true,
        }
    }
}

impl SimulateOptions {
    /// Refuses files that can't be written before the run is made for nothing.
    fn promise(&self, launch: &Launch) -> Result<(), Error> {
        let out = self.out.iter().map(|path| ("--out", path));
        let others = [("--png", &self.png), ("--trace", &self.trace), ("--record", &launch.record)];
        let others = others.into_iter().filter_map(|(flag, path)| path.as_ref().map(|path| (flag, path)));
        let mut promised: Vec<(&str, &PathBuf)> = Vec::new();
        for (flag, path) in out.chain(others) {
            if let Some((other, _)) = promised.iter().find(|(_, other)| *other == path) {
                let accepted = format!("another file than that of {other}: one would replace the other");
                return Err(Error::Value { name: flag.into(), value: path.display().to_string(), accepted });
            }
            output::promise(flag, path, self.force)?;
            promised.push((flag, path));
        }
        self.frames.as_ref().map_or(Ok(()), |folder| output::promise_folder("--frames", folder, self.force))
    }

    fn leaves_files(&self, launch: &Launch) -> bool {
        let named = [&self.png, &self.frames, &self.trace, &launch.record];
        !self.out.is_empty() || named.into_iter().any(Option::is_some)
    }

    /// The device to draw with, where there is something to draw.
    fn painter(&self, gpu: &Option<Gpu>) -> Result<Option<Gpu>, Error> {
        let draws = self.png.is_some() || self.frames.is_some();
        draws.then(|| gpu.clone().map_or_else(Gpu::open, Ok)).transpose()
    }

    fn look(&self) -> Look {
        Look { colour: self.colour, map: self.map.unwrap_or_default(), show: Mark::shown(&self.show) }
    }

    /// Whoever looks on.
    fn watch(&self, painter: &Option<Gpu>, begun: &Begun) -> Result<Watch, Error> {
        let mut watch = Watch { rate_hz: begun.settings.rate_hz, ..Watch::default() };
        if let (Some(folder), Some(gpu)) = (&self.frames, painter) {
            let film = Film { size: self.size, fps: self.fps, look: self.look(), legend: self.legend };
            watch.frames = Some(Frames::new(gpu, folder, &film, &begun.world)?);
        }
        watch.trace = self.trace.clone().map(Trace::new);
        Ok(watch)
    }

    /// Refuses colours that the solver has no numbers for, a map of colours that are none, and a legend of nothing.
    fn check_look(&self, begun: &Begun) -> Result<(), Error> {
        let refused = |name: &str, value: &str, accepted: &str| {
            Err(Error::Value { name: name.into(), value: value.into(), accepted: accepted.into() })
        };
        let (colour, least) = (self.colour.name(), legend::LEAST_SIZE);
        if let Some(reason) = self.colour.refusal(&begun.settings.solver) {
            return refused("--colour", colour, &format!("another one, for {reason}; or take --solver jacobi"));
        }
        match self.map {
            Some(map) if !self.colour.is_ramp() => {
                let accepted =
                    format!("left out with --colour {colour}: only speed, mass, load, cells and id have one");
                refused("--map", map.name(), &accepted)
            }
            _ if self.legend && (self.size.0 < least.0 || self.size.1 < least.1) => {
                let accepted = format!("at least {}x{} with a legend", least.0, least.1);
                refused("--size", &format!("{}x{}", self.size.0, self.size.1), &accepted)
            }
            _ if self.legend && Legend::of(self.colour, &Ramps::of(&begun.world), &begun.world) == Legend::None => {
                let accepted = format!("left out with --colour {colour}, which means nothing here; or take another");
                refused("--legend", "given", &accepted)
            }
            _ => Ok(()),
        }
    }
}

/// What a run begins with.
struct Begun {
    scene: Scene,
    world: World,
    settings: Settings,
    /// Whether the run leaves files, and so goes on when nobody reads what it prints.
    leaves_files: bool,
}

impl Begun {
    /// Prints, and ends the run if nobody reads that and it has nothing else to do.
    fn print(&self, text: impl Display) -> Result<(), Stop> {
        self.heard(print(text))
    }

    fn heard(&self, printed: Result<(), Stop>) -> Result<(), Stop> {
        if self.leaves_files { unheard(printed) } else { printed }
    }
}

/// Runs a scene or a recording, and says how it went.
pub(crate) fn simulate(launch: &Launch, options: &SimulateOptions) -> Result<(), Stop> {
    interrupt::listen();
    launch.check_arithmetic()?;
    options.promise(launch)?;
    let done = match &launch.replay {
        Some(path) => replay(launch, options, path),
        None => simulate_scene(launch, options),
    };
    if matches!(done, Err(Stop::Interrupted)) && options.leaves_files(launch) {
        note("the run was not over: its files are not written");
    }
    done
}

fn simulate_scene(launch: &Launch, options: &SimulateOptions) -> Result<(), Stop> {
    let mut scene = launch.scene()?;
    let settings = launch.settings(&scene)?;
    let gpu = device(launch, &settings)?;
    let overrides = launch.overrides((options.may_take_fewer && gpu.is_none()).then_some(SOFTWARE_BALLS));
    let world = scene.build(&overrides)?;
    scene.seed = overrides.seed.unwrap_or(scene.seed);
    let begun = Begun { scene, world, settings, leaves_files: options.leaves_files(launch) };
    options.check_look(&begun)?;
    let painter = options.painter(&gpu)?;
    let mut watch = options.watch(&painter, &begun)?;
    if let Some(path) = &launch.record {
        let (file, start) = (output::Pending::new(path)?, Start::of_scene(&begun.scene, &overrides, &begun.settings)?);
        let recorder = Recorder::begin(file.writer()?, start).map_err(file.failed())?;
        watch.recorder = Some((recorder, file));
    }
    let total = steps_in(options.seconds, begun.settings.rate_hz);
    let mut machine = Machine::new(gpu, begun.world.clone(), &begun.settings, launch.arithmetic)?;
    if let Some(direction) = options.steer {
        watch.command(machine.engine.get_mut(), Command::Steer(sent(direction, &begun.world)?))?;
    }
    let mut run = Run::new(machine, (&begun.settings, total), None, &mut watch);
    let contacts = go(&begun, &mut run, options)?;
    finish(&begun, &mut run, contacts, (options, &painter))?;
    let (engine, watch) = run.ended();
    watch.finish(engine)
}

/// The direction that the world's actors are sent in, or its surfaces tilted; an error if there are none.
pub(super) fn sent(direction: Vec2, world: &World) -> Result<Vec2, Error> {
    if world.driven() > 0 || world.tilts() {
        return Ok(direction);
    }
    let accepted = "left out: this scene has no actors (spawn.character makes them) and no surface.tilt".into();
    Err(Error::Value { name: "--steer".into(), value: format!("{},{}", direction.x, direction.y), accepted })
}

/// Plays a recording, run by run; succeeds only if each ends in the state that was recorded.
fn replay(launch: &Launch, options: &SimulateOptions, path: &Path) -> Result<(), Stop> {
    let mut player = Player::new(launch.recording(path)?);
    // The device of the first run, once it is known; and whoever looks on.
    let mut outfit: Option<(Option<Gpu>, Option<Gpu>, Watch)> = None;
    while let Some((scene, world, settings)) = player.begin()? {
        launch.check(&settings)?;
        let begun = Begun { scene, world, settings, leaves_files: options.leaves_files(launch) };
        options.check_look(&begun)?;
        let (gpu, painter, watch) = match &mut outfit {
            Some(outfit) => outfit,
            None => {
                let gpu = device(launch, &begun.settings)?;
                let painter = options.painter(&gpu)?;
                let watch = options.watch(&painter, &begun)?;
                outfit.insert((gpu, painter, watch))
            }
        };
        watch.turn_to(&begun.world);
        let gpu = gpu.clone().filter(|_| !begun.settings.solver.is_sequential());
        let machine = Machine::new(gpu, begun.world.clone(), &begun.settings, launch.arithmetic)?;
        let is_last = player.is_last();
        let mut run = Run::new(machine, (&begun.settings, 0), Some(&mut player), watch);
        let contacts = go(&begun, &mut run, options)?;
        if is_last {
            finish(&begun, &mut run, contacts, (options, painter))?;
        }
        drop(run);
        unheard(report(player.outcome(), options))?;
    }
    Ok(())
}

/// Says whether a replayed run came to what was recorded.
fn report(outcome: Option<Outcome>, options: &SimulateOptions) -> Result<(), Stop> {
    match outcome {
        Some(Outcome::Same { .. }) if options.json => Ok(()),
        Some(Outcome::Same { .. }) => print("replay    ends in the state that was recorded"),
        Some(Outcome::Other { step, recorded, found }) => Err(Stop::Differs(format!(
            "the replay has another state after step {step}: {found:016x}, where {recorded:016x} was recorded"
        ))),
        Some(Outcome::Unknown) | None => {
            Err(Stop::Differs("the recording breaks off, so that the state can't be compared".into()))
        }
    }
}

/// How many balls there are: those that were asked for, and the pegs that a scene has beside them.
fn population(world: &World) -> String {
    let pegs = world.bodies.iter().filter(|body| !body.is_movable() && !body.erased).count();
    let balls = counted(world.balls() - pegs, "ball");
    if pegs == 0 { balls } else { format!("{balls} and {}", counted(pegs, "peg")) }
}

/// Makes the steps, with a line now and then; answers with the contacts of the last.
fn go(begun: &Begun, run: &mut Run, options: &SimulateOptions) -> Result<u64, Stop> {
    let Begun { scene, world, settings, .. } = begun;
    if !options.json {
        let (balls, passes) = (population(world), counted(settings.passes, "pass"));
        let (seed, rate_hz) = (scene.seed, settings.rate_hz);
        let since =
            if scene.steps() > 0 { format!(", after {}", counted(scene.steps(), "step")) } else { String::new() };
        begun.print(format_args!("{}: {balls}, seed {seed}{since}, {rate_hz} Hz, {passes}", scene.title))?;
        begun.print(format_args!("{} engine: {}\n", run.engine().name(), run.engine().adapter()))?;
        begun.print(COLUMNS)?;
    }
    let every = steps_in(options.every, settings.rate_hz);
    let mut contacts = run.advance(0)?;
    while run.goes_on() {
        contacts = run.advance(every)?;
        let world = run.world()?;
        if !options.json {
            let line = line(&world, run, contacts);
            run.progress().aside(|| begun.print(line))?;
        }
    }
    run.progress().clear();
    Ok(contacts)
}

/// Writes what the run is to leave, and sums it up.
fn finish(
    begun: &Begun,
    run: &mut Run,
    contacts: u64,
    (options, painter): (&SimulateOptions, &Option<Gpu>),
) -> Result<(), Stop> {
    let world = run.world()?;
    let summary = Summary::of(run, &world, begun.scene.seed, contacts);
    let settings = run.replayed().unwrap_or(&begun.settings);
    for path in &options.out {
        let bytes = match path.extension() {
            Some(end) if end.eq_ignore_ascii_case("csv") => csv(&world).into_bytes(),
            _ => Snapshot::of(&begun.scene, settings.clone(), world.clone(), run.done()).to_bytes()?,
        };
        output::write_whole(path, &bytes)?;
    }
    if let (Some(path), Some(gpu)) = (&options.png, painter) {
        output::write_whole(path, &drawn(gpu, &world, run, options)?)?;
    }
    begun.heard(if options.json { print_json(&summary) } else { summary.print(run.took()) })
}

/// The last state as a picture, a PNG file's bytes.
fn drawn(gpu: &Gpu, world: &World, run: &mut Run, options: &SimulateOptions) -> Result<Vec<u8>, Stop> {
    let Look { colour, map, show } = options.look();
    let ramps = Ramps::of(world);
    let counts = world.counts();
    let whole = if options.legend { legend::view_above(world, options.size) } else { View::of(world, options.size) };
    let (counters, counts) = (&world.counters[..], &counts[..]);
    let view = View { colour: ramps.colour(colour), map, show, counters, counts, ..whole };
    let loads = match colour {
        ColourMode::Load => run.machine().engine.loads()?.unwrap_or_default(),
        _ => Vec::new(),
    };
    let picture = picture(gpu, world, &loads, options.size, &view)?;
    if !options.legend {
        return Ok(picture.encode_png());
    }
    Ok(legend::written(&picture, &Legend::of(colour, &ramps, world), map)?.encode_png())
}
