//! `ballpit profile`: the time of each stage of a step, for several sizes and both engines.

mod measured;

use std::path::PathBuf;

use ballpit::{Arithmetic, Gpu, Scene};
use serde::Serialize;

use super::machine::Machine;
use super::trace::Trace;
use super::{Stop, interrupt, output, print, print_json};
use crate::cli;
use crate::console::note;
use crate::launch::{Launch, plain_without_gpu, sequential_on_gpu};
use measured::{Asked, Profile};

/// What `profile` is asked for.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ProfileOptions {
    /// Numbers of balls [default: 1k,10k,100k,1M with a GPU in hardware, 1k,10k otherwise, as far as they fit; the scene's own
    /// where it places each ball by hand or has the sequential solver]
    #[arg(short = 'n', long, value_name = "N,…", value_delimiter = ',', allow_negative_numbers = true, value_parser = cli::count)]
    balls: Vec<usize>,
    /// Engines [default: both, or the CPU engine where there is no GPU adapter or the solver is sequential]
    #[arg(short, long, value_delimiter = ',')]
    engine: Vec<Which>,
    /// Steps to time, of stages and of whole steps each
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = cli::whole::<u32, 1, { u32::MAX as u64 }>)]
    steps: u32,
    /// Steps before that, not timed
    #[arg(long, value_name = "N", default_value_t = 120, allow_negative_numbers = true, value_parser = cli::whole::<u32, 0, { u32::MAX as u64 }>)]
    warmup: u32,
    /// Size of the pictures whose drawing is timed, pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = cli::picture_size)]
    size: (u32, u32),
    /// Print one JSON object instead of tables
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV, a row for each stage, for the whole step, for drawing and for the frame
    #[arg(long)]
    csv: bool,
    /// Write when which stage of the timed steps ran, as a Chrome trace for ui.perfetto.dev: a lane for each engine and
    /// number of balls
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Replace a file that exists
    #[arg(short, long, requires = "trace")]
    force: bool,
}

/// An engine to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Which {
    Cpu,
    Gpu,
}

/// Measures each number of balls on each engine.
pub(crate) fn profile(launch: &Launch, options: &ProfileOptions) -> Result<(), Stop> {
    interrupt::listen();
    if launch.arithmetic == Arithmetic::Plain && !options.engine.is_empty() && !options.engine.contains(&Which::Gpu) {
        return Err(plain_without_gpu().into());
    }
    options.trace.iter().try_for_each(|path| output::promise("--trace", path, options.force))?;
    let scene = launch.scene()?;
    let settings = launch.settings(&scene)?;
    let gpu = adapter(settings.solver.is_sequential(), &options.engine)?;
    let engines = match (&options.engine[..], &gpu) {
        ([], Some(_)) => &[Which::Cpu, Which::Gpu],
        ([], None) => &[Which::Cpu][..],
        (asked, _) => asked,
    };
    let is_fast = gpu.as_ref().is_some_and(|gpu| !gpu.is_software());
    let counts = counts(launch, &scene, settings.solver.is_sequential(), &options.balls, is_fast)?;
    let runs = counts.iter().flat_map(|&balls| engines.iter().map(move |&which| (balls, which)));
    // The CPU engine's balls are drawn by a GPU, too, if there is one.
    let painter = gpu.clone().or_else(|| Gpu::open().ok());
    let (mut profiles, mut trace) = (Vec::new(), options.trace.clone().map(Trace::new));
    if options.csv {
        print(measured::CSV_COLUMNS)?;
    }
    for (balls, which) in runs {
        // A device of its own: a software adapter that has drawn takes its timestamps too late.
        let gpu = (which == Which::Gpu).then(Gpu::open).transpose()?;
        let painter = gpu.clone().or_else(|| painter.clone());
        let machine = Machine::new(gpu, with_balls(launch, balls).world(&scene, None)?, &settings, launch.arithmetic)?;
        let asked = Asked { warmup: options.warmup, steps: options.steps, size: options.size, painter };
        let profile = Profile::take(machine, &settings, &asked, trace.as_mut())?;
        match (options.csv, options.json) {
            (true, _) => profile.print_csv()?,
            (_, true) => {}
            _ => profile.print()?,
        }
        profiles.push(profile);
    }
    trace.map_or(Ok(()), Trace::write)?;
    if options.json { print_json(&Report { scene: scene.title, profiles }) } else { Ok(()) }
}

/// The same with another number of balls; with its own without one.
fn with_balls(launch: &Launch, balls: Option<usize>) -> Launch {
    Launch { balls, ..launch.clone() }
}

/// Numbers of balls to measure: those asked for, which must all fit the scene, or of the usual ones those that do.
fn counts(
    launch: &Launch,
    scene: &Scene,
    sequential: bool,
    asked: &[usize],
    is_fast: bool,
) -> Result<Vec<Option<usize>>, Stop> {
    let fits = |&balls: &usize| with_balls(launch, Some(balls)).world(scene, None).map(drop);
    if !asked.is_empty() {
        asked.iter().try_for_each(fits)?;
        return Ok(asked.iter().copied().map(Some).collect());
    }
    if sequential || !scene.takes_balls() {
        return Ok(vec![None]);
    }
    let usual = if is_fast { &[1_000, 10_000, 100_000, 1_000_000][..] } else { &[1_000, 10_000] };
    let fit: Vec<Option<usize>> = usual.iter().filter(|balls| fits(balls).is_ok()).copied().map(Some).collect();
    if fit.is_empty() {
        // What is wrong with the scene itself, if anything is.
        launch.world(scene, None)?;
        note(format_args!("1,000 balls do not fit into the scene's box: as many as it has; --balls chooses how many"));
        return Ok(vec![None]);
    }
    if fit.len() < usual.len() {
        note(format_args!("more than these do not fit into the scene's box; --balls chooses how many"));
    }
    Ok(fit)
}

/// The adapter, where the engines asked for need one or none were asked for; the sequential solver is refused one.
fn adapter(sequential: bool, engines: &[Which]) -> Result<Option<Gpu>, Stop> {
    if engines.contains(&Which::Gpu) {
        return if sequential { Err(sequential_on_gpu().into()) } else { Ok(Some(Gpu::open()?)) };
    }
    if !engines.is_empty() || sequential {
        return Ok(None);
    }
    Gpu::open().map(Some).or_else(|error| {
        note(format_args!("{error}; measuring the CPU engine only"));
        Ok(None)
    })
}

#[derive(Serialize)]
struct Report {
    scene: String,
    profiles: Vec<Profile>,
}
