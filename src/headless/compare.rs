//! `ballpit compare`: both engines, step by step.

use ballpit::{Comparison, Difference, Error, Gpu, Settings, World, state_hash};
use glam::Vec2;
use serde::Serialize;

use super::progress::Progress;
use super::{Stop, interrupt, print, print_json, unheard};
use crate::cli::{direction, whole};
use crate::launch::Launch;
use crate::numbers::counted;

/// What `compare` is asked for.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct CompareOptions {
    /// Steps to compare
    #[arg(long, value_name = "N", default_value_t = 240, allow_negative_numbers = true, value_parser = whole::<u64, 1, { u64::MAX }>)]
    steps: u64,
    /// Print one JSON object instead of lines
    #[arg(long)]
    json: bool,
    /// Move this ball a little on the GPU's side: the comparison must then fail
    #[arg(long, value_name = "ID", allow_negative_numbers = true, value_parser = whole::<usize, 0, { u32::MAX as u64 }>)]
    nudge: Option<usize>,
    /// Send actors in a direction, or tilt the ground, from the first step on: 1,0 is right, 0,1 down
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = direction)]
    steer: Option<Vec2>,
    /// Compare stage by stage, even where whole steps agree to the last bit
    #[arg(long)]
    by_stage: bool,
}

/// Compares, and succeeds only if the engines agree.
pub(crate) fn compare(launch: &Launch, options: &CompareOptions) -> Result<(), Stop> {
    interrupt::listen();
    let scene = launch.scene()?;
    let settings = launch.settings(&scene)?;
    let world = launch.world(&scene, None)?;
    let balls = world.bodies.len();
    if let Some(id) = options.nudge.filter(|&id| id >= balls) {
        let accepted = format!("the id of one of the {balls} balls, from 0");
        return Err(Error::Value { name: "--nudge".into(), value: id.to_string(), accepted }.into());
    }
    let (gpu, mut comparison) = begin(launch, &settings, world, options)?;
    if !options.json {
        // The verdict is in the exit code, too.
        unheard(print(format_args!(
            "{}: {}, {}",
            scene.title,
            counted(balls, "ball"),
            counted(options.steps, "step")
        )))?;
        unheard(print(format_args!("{}; {}", gpu.describe(), comparison.self_test())))?;
        unheard(print(format_args!("compared {}", comparison.method())))?;
    }
    let (steps, difference) = step(&mut comparison, options.steps)?;
    let (cpu, gpu_world) = comparison.worlds()?;
    let report = Report {
        agree: difference.is_none(),
        adapter: gpu.describe(),
        self_test: comparison.self_test().to_string(),
        method: comparison.method().to_string(),
        balls,
        steps,
        difference: difference.as_ref().map(Place::from),
        state_hash_cpu: format!("{:016x}", state_hash(&cpu)),
        state_hash_gpu: format!("{:016x}", state_hash(&gpu_world)),
    };
    unheard(match (&difference, options.json) {
        (_, true) => print_json(&report),
        (Some(difference), _) => print(format_args!("DIFFER at {difference}")),
        (None, _) => print(format_args!("agree after {}: state {}", counted(steps, "step"), report.state_hash_gpu)),
    })?;
    if report.agree { Ok(()) } else { Err(Stop::Disagree) }
}

/// Both engines with the same world, but for what is asked for.
fn begin(
    launch: &Launch,
    settings: &Settings,
    world: World,
    options: &CompareOptions,
) -> Result<(Gpu, Comparison), Stop> {
    let sent = options.steer.map(|direction| super::simulate::sent(direction, &world)).transpose()?;
    let gpu = Gpu::open()?;
    let mut comparison = Comparison::new(&gpu, world, settings, launch.arithmetic)?;
    comparison.steer(sent.unwrap_or_default())?;
    if options.by_stage {
        comparison.by_stage();
    }
    if let Some(id) = options.nudge {
        comparison.nudge(id);
    }
    Ok((gpu, comparison))
}

/// Steps until the engines differ, or all steps are made.
fn step(comparison: &mut Comparison, steps: u64) -> Result<(u64, Option<Difference>), Stop> {
    let progress = Progress::new(steps, "steps");
    for done in 1..=steps {
        interrupt::check()?;
        let difference = comparison.step()?;
        if difference.is_some() {
            return Ok((done, difference));
        }
        progress.set(done);
    }
    Ok((steps, None))
}

/// What a comparison found. The names are a promise to scripts.
#[derive(Serialize)]
struct Report {
    agree: bool,
    adapter: String,
    self_test: String,
    method: String,
    balls: usize,
    steps: u64,
    difference: Option<Place>,
    state_hash_cpu: String,
    state_hash_gpu: String,
}

#[derive(Serialize)]
struct Place {
    step: u64,
    stage: Option<&'static str>,
    id: usize,
    quantity: &'static str,
    cpu: f32,
    gpu: f32,
    differing: usize,
}

impl From<&Difference> for Place {
    fn from(difference: &Difference) -> Self {
        let &Difference { step, stage, id, quantity, cpu, gpu, differing } = difference;
        Self { step, stage: stage.map(ballpit::Stage::name), id, quantity, cpu, gpu, differing }
    }
}
