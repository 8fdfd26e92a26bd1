//! `ballpit simulate`: a run without a window, measured.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ballpit::render::{View, picture};
use ballpit::{Error, Gpu, Measures, Scene, Wander, World, state_hash};
use glam::Vec2;
use serde::Serialize;

use super::machine::{Machine, device};
use super::progress::Progress;
use super::{Stop, interrupt, output, print, print_json};
use crate::cli;
use crate::colours::{ColourMode, Layer, Ramps};
use crate::launch::{Launch, SOFTWARE_BALLS};
use crate::numbers::{grouped, percentile};

/// Simulated time of a run that nobody gave a length, s.
pub(crate) const DEFAULT_SECONDS: f64 = 10.0;
/// The end of a run, over which wandering is measured, s.
const WANDER_S: f64 = 2.0;
/// Steps that are sent to a GPU at once at most: what the engine submits at once.
const MOST_STEPS_AT_ONCE: u64 = 32;
/// Time that steps sent at once may take, ms, so that Ctrl-C is heard.
const LONGEST_BATCH_MS: f64 = 250.0;

/// What `simulate` does beyond stepping a scene.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SimulateOptions {
    /// Simulated time, s
    #[arg(short = 't', long, value_name = "T", allow_negative_numbers = true, default_value_t = DEFAULT_SECONDS, value_parser = cli::seconds)]
    seconds: f64,
    /// Simulated time from a line to the next, s
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value_t = 1.0, value_parser = cli::seconds)]
    every: f64,
    /// Print one JSON object instead of lines
    #[arg(long)]
    json: bool,
    /// Write the last state's balls as CSV, numbers to the last bit
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the last state (needs a GPU adapter, software will do)
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// What a ball's colour means in the picture; load shows the force chains of a heap
    #[arg(long, value_enum, default_value_t = ColourMode::Palette, requires = "png")]
    colour: ColourMode,
    /// What is drawn over the balls in the picture
    #[arg(long, value_enum, value_name = "LAYER,…", value_delimiter = ',', requires = "png")]
    show: Vec<Layer>,
    /// Size of the picture, pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = cli::picture_size)]
    size: (u32, u32),
    /// Send actors in a direction from the first step on: 1,0 is right, 0,1 down
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = cli::direction)]
    steer: Option<Vec2>,
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
            out: None,
            png: None,
            colour: ColourMode::Palette,
            show: Vec::new(),
            size: (1280, 720),
            steer: None,
            force: false,
            may_take_fewer: true,
        }
    }
}

/// Runs a scene and says how it went.
pub(crate) fn simulate(launch: &Launch, options: &SimulateOptions) -> Result<(), Stop> {
    interrupt::listen();
    for (flag, path) in [("--out", &options.out), ("--png", &options.png)] {
        path.as_ref().map_or(Ok(()), |path| output::promise(flag, path, options.force))?;
    }
    if options.out.is_some() && options.out == options.png {
        let accepted = "another file than --out: the picture would replace the CSV".into();
        let value = options.png.as_deref().unwrap_or(Path::new("")).display().to_string();
        return Err(Error::Value { name: "--png".into(), value, accepted }.into());
    }
    let scene = launch.scene()?;
    let settings = launch.settings(&scene)?;
    if options.colour == ColourMode::Load && settings.solver.is_sequential() {
        return Err(no_loads().into());
    }
    let gpu = device(launch, &settings)?;
    let painter = options.png.as_ref().map(|_| gpu.clone().map_or_else(Gpu::open, Ok)).transpose()?;
    let fewer = (options.may_take_fewer && gpu.is_none()).then_some(SOFTWARE_BALLS);
    let world = launch.world(&scene, fewer)?;
    let seed = launch.seed.unwrap_or(scene.seed);
    let heading = heading(&scene, &world, seed);

    let sent = options.steer.map(|direction| sent(direction, &world)).transpose()?;
    let mut machine = Machine::new(gpu, world, &settings, launch.arithmetic)?;
    machine.engine.steer(sent.unwrap_or_default())?;
    if !options.json {
        print(format_args!("{heading}, {} Hz, {} passes", settings.rate_hz, settings.passes))?;
        print(format_args!("{} engine: {}\n", machine.engine.name(), machine.engine.adapter()))?;
        print(COLUMNS)?;
    }
    let mut run = Run::new(machine, settings.rate_hz, options.seconds);
    let every = steps_in(options.every, settings.rate_hz);
    let mut contacts = 0;
    while run.done < run.total {
        let before = run.machine.engine.resolved();
        run.below_floor_px = 0.0;
        run.advance((run.done + every).min(run.total))?;
        contacts = run.contacts_since(before)?;
        let world = run.machine.world()?;
        if !options.json {
            let line = line(&world, &run, contacts);
            run.progress.aside(|| print(line))?;
        }
    }
    run.progress.clear();
    let world = run.machine.world()?;
    let summary = run.summary(&world, seed, contacts)?;
    if let Some(path) = &options.out {
        output::write_whole(path, output::csv(&world).as_bytes())?;
    }
    if let (Some(path), Some(gpu)) = (&options.png, &painter) {
        let (colour, show) = (Ramps::of(&world).colour(options.colour), Layer::shown(&options.show));
        let view = View { colour, show, ..View::of(&world, options.size) };
        let loads = match options.colour {
            ColourMode::Load => run.machine.engine.loads()?.unwrap_or_default(),
            _ => Vec::new(),
        };
        output::write_whole(path, &picture(gpu, &world, &loads, options.size, &view)?.encode_png())?;
    }
    if options.json { print_json(&summary) } else { summary.print(run.started.elapsed()) }
}

fn no_loads() -> Error {
    Error::Value {
        name: "--colour".into(),
        value: "load".into(),
        accepted: "another one with the sequential solver: its pushes are no forces".into(),
    }
}

/// The direction that the world's actors are sent in; an error if there are none.
pub(super) fn sent(direction: Vec2, world: &World) -> Result<Vec2, Error> {
    if world.actors.iter().any(|actor| actor.character.is_some()) {
        return Ok(direction);
    }
    let accepted = "left out: this scene has no actors (spawn.character makes them)".into();
    Err(Error::Value { name: "--steer".into(), value: format!("{},{}", direction.x, direction.y), accepted })
}

fn heading(scene: &Scene, world: &World, seed: u64) -> String {
    format!("{}: {} balls, seed {seed}", scene.title, grouped(world.bodies.len()))
}

/// Steps of a length of time, at least one.
fn steps_in(seconds: f64, rate_hz: u32) -> u64 {
    ((seconds * f64::from(rate_hz)).round() as u64).max(1)
}

const COLUMNS: &str =
    " time s        x        y  velocity x, y px/s  contacts  overlap px  below floor px  fastest px/s";

fn line(world: &World, run: &Run, contacts: u64) -> String {
    let (measures, time_s) = (Measures::of(world), run.time_s());
    let ball = match world.bodies.first() {
        Some(ball) => {
            let (place, velocity) = (ball.position, ball.velocity);
            format!("{:8.2} {:8.2} {:9.2} {:9.2}", place.x, place.y, velocity.x, velocity.y)
        }
        None => format!("{:>8} {:>8} {:>9} {:>9}", "-", "-", "-", "-"),
    };
    let overlap = measures.deepest_overlap_px;
    let below = measures.deepest_below_floor_px.max(run.below_floor_px);
    format!("{time_s:7.2} {ball} {contacts:9} {overlap:11.4} {below:15.4} {:13.2}", measures.fastest_px_s)
}

/// A run on its way.
struct Run {
    machine: Machine,
    rate_hz: u32,
    total: u64,
    done: u64,
    /// The step from which wandering is measured.
    wander_from: u64,
    wander: Wander,
    /// Deepest that a ball ended a step below the floor since the last line, px, where every step is looked at.
    below_floor_px: f64,
    /// Time of a step, ms: see the command's help.
    step_ms: Vec<f64>,
    progress: Progress,
    started: Instant,
}

impl Run {
    fn new(machine: Machine, rate_hz: u32, seconds: f64) -> Self {
        let total = steps_in(seconds, rate_hz);
        Self {
            machine,
            rate_hz,
            total,
            done: 0,
            wander_from: total.saturating_sub(steps_in(WANDER_S, rate_hz)),
            wander: Wander::new(),
            below_floor_px: 0.0,
            step_ms: Vec::new(),
            progress: Progress::new(total, "steps"),
            started: Instant::now(),
        }
    }

    fn time_s(&self) -> f64 {
        self.done as f64 / f64::from(self.rate_hz)
    }

    /// Makes steps until `end` of them are made.
    fn advance(&mut self, end: u64) -> Result<(), Stop> {
        while self.done < end {
            interrupt::check()?;
            if self.done == self.wander_from {
                self.wander.push(&self.machine.engine.world()?);
            }
            let count = self.batch(end);
            let started = Instant::now();
            self.machine.engine.step(count as u32, 1.0 / self.rate_hz as f32)?;
            self.machine.finish()?;
            let step_ms = started.elapsed().as_secs_f64() * 1e3 / count as f64;
            // Single steps of a GPU tell how long it takes to answer: they count only where there are no others.
            if self.machine.gpu.is_none() || !self.is_wandering() || self.wander_from == 0 {
                self.step_ms.push(step_ms);
            }
            self.done += count;
            if self.done > self.wander_from {
                self.wander.push(&self.machine.engine.world()?);
            }
            if self.machine.engine.resolved().is_some() {
                let measures = Measures::of(&self.machine.engine.world()?);
                self.below_floor_px = self.below_floor_px.max(measures.deepest_below_floor_px);
            }
            self.progress.set(self.done);
        }
        Ok(())
    }

    /// Contacts answered since there were `before`, or of the state as it is where the engine does not count them.
    fn contacts_since(&mut self, before: Option<u64>) -> Result<u64, Stop> {
        match (self.machine.engine.resolved(), before) {
            (Some(now), Some(before)) => Ok(now - before),
            _ => Ok(self.machine.readout()?.contacts.into()),
        }
    }

    fn is_wandering(&self) -> bool {
        self.done >= self.wander_from
    }

    /// How many steps to make at once.
    fn batch(&self, end: u64) -> u64 {
        if self.machine.gpu.is_none() || self.is_wandering() {
            return 1;
        }
        let by_time = self.step_ms.last().map_or(1, |step_ms| (LONGEST_BATCH_MS / step_ms) as u64);
        by_time.clamp(1, MOST_STEPS_AT_ONCE).min(end - self.done).min(self.wander_from - self.done)
    }

    fn summary(&self, world: &World, seed: u64, contacts: u64) -> Result<Summary, Stop> {
        let measures = Measures::of(world);
        Ok(Summary {
            engine: self.machine.engine.name(),
            adapter: self.machine.engine.adapter(),
            balls: world.bodies.len(),
            seed,
            steps: self.done,
            time_s: self.time_s(),
            deepest_overlap_px: measures.deepest_overlap_px,
            overlap_ratio_max: measures.overlap_ratio_max,
            overlap_ratio_p99: measures.overlap_ratio_p99,
            wander_px: self.wander.median_px(),
            pile_height_px: measures.pile_height_px,
            center_of_mass_px: measures.center_of_mass_px,
            kinetic_energy: measures.kinetic_energy,
            momentum: measures.momentum,
            fastest_px_s: measures.fastest_px_s,
            rms_speed_px_s: measures.rms_speed_px_s,
            contacts_resolved: contacts,
            deepest_below_floor_px: measures.deepest_below_floor_px,
            asleep: world.bodies.iter().filter(|body| body.asleep).count(),
            counts: world.counts()[..world.counters.len()].to_vec(),
            state_hash: format!("{:016x}", state_hash(world)),
            step_ms_median: percentile(&self.step_ms, 0.5),
            step_ms_p10: percentile(&self.step_ms, 0.1),
        })
    }
}

/// How a run went. The names are a promise to scripts.
#[derive(Serialize)]
struct Summary {
    engine: &'static str,
    adapter: String,
    balls: usize,
    seed: u64,
    steps: u64,
    time_s: f64,
    deepest_overlap_px: f64,
    overlap_ratio_max: f64,
    overlap_ratio_p99: f64,
    wander_px: f64,
    pile_height_px: f64,
    center_of_mass_px: [f64; 2],
    kinetic_energy: f64,
    momentum: [f64; 2],
    fastest_px_s: f64,
    rms_speed_px_s: f64,
    contacts_resolved: u64,
    deepest_below_floor_px: f64,
    asleep: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counts: Vec<u32>,
    state_hash: String,
    step_ms_median: f64,
    step_ms_p10: f64,
}

impl Summary {
    fn print(&self, took: Duration) -> Result<(), Stop> {
        let [x, y] = self.center_of_mass_px;
        let (median, fastest) = (self.step_ms_median, self.step_ms_p10);
        print(format_args!(
            "\n{} steps, {} s simulated in {:.2} s",
            grouped(self.steps),
            self.time_s,
            took.as_secs_f64()
        ))?;
        print(format_args!("step      median {median:.3} ms, a tenth take at most {fastest:.3} ms"))?;
        print(format_args!(
            "overlap   deepest {:.4} px; of the smaller radius {:.2} % at the 99th percentile, {:.2} % at most",
            self.deepest_overlap_px,
            self.overlap_ratio_p99 * 100.0,
            self.overlap_ratio_max * 100.0,
        ))?;
        print(format_args!("pile      {:.1} px high, centre of mass ({x:.2}, {y:.2}) px", self.pile_height_px))?;
        print(format_args!(
            "motion    {:.2} px/s root mean square, wandered {:.3} px in the last {} s",
            self.rms_speed_px_s,
            self.wander_px,
            WANDER_S.min(self.time_s)
        ))?;
        if self.asleep > 0 {
            print(format_args!("asleep    {} balls", grouped(self.asleep)))?;
        }
        if !self.counts.is_empty() {
            print(format_args!("counters  {}", self.counts.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")))?;
        }
        print(format_args!("state     {}", self.state_hash))
    }
}
