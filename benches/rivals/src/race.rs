//! The race: everybody steps in turn, while the balls fall and when they have come to rest.

use std::time::Instant;

use ballpit::{Gpu, World, percentile};

use crate::Result;
use crate::arguments::Arguments;
use crate::contestant::{Lane, Motion, lanes};
use crate::machine::processor_ms;
use crate::quality::Quality;
use crate::report::{Phase, Row, Times};
use crate::workload::{self, STEP_S};

/// Steps at the start that are not timed: engines allocate in them, and nothing has met yet.
const WARM_UP_STEPS: u32 = 24;
/// Steps that an engine makes at a stretch on the way to rest.
const STRETCH: u32 = 60;

/// Runs it with so many balls; a row for each engine, number of threads and phase.
///
/// # Errors
/// Those of the engines, and if one loses balls, makes energy or does not come to rest.
pub(crate) fn run(balls: usize, arguments: &Arguments, gpu: Option<&Gpu>) -> Result<Vec<Row>> {
    eprintln!("{balls} balls: setting up");
    let world = workload::world(balls)?;
    let mut race = Race::new(&world, lanes(&world, &arguments.threads, gpu)?)?;
    race.step_all(WARM_UP_STEPS)?;
    let mut rows = race.time(Phase::Falling, arguments)?;
    let stretches = (arguments.settle / STEP_S) as u32 / STRETCH;
    for stretch in 1..=stretches {
        eprintln!("{balls} balls: coming to rest, {stretch} of {stretches}");
        race.step_all(STRETCH)?;
    }
    rows.extend(race.time(Phase::Settled, arguments)?);
    Ok(rows)
}

struct Race<'a> {
    world: &'a World,
    start: Quality,
    lanes: Vec<Lane>,
}

impl<'a> Race<'a> {
    fn new(world: &'a World, lanes: Vec<Lane>) -> Result<Self> {
        let motions: Vec<Motion> =
            world.bodies.iter().map(|ball| Motion { place: ball.position, velocity: ball.velocity }).collect();
        Ok(Self { world, start: Quality::of(world, &motions)?, lanes })
    }

    fn step_all(&mut self, count: u32) -> Result<()> {
        self.lanes.iter_mut().try_for_each(|lane| lane.contestant.step(count))
    }

    /// Times everybody in turn.
    fn time(&mut self, phase: Phase, arguments: &Arguments) -> Result<Vec<Row>> {
        let balls = self.world.bodies.len();
        let mut samples = vec![Samples::default(); self.lanes.len()];
        for turn in 0..arguments.turns {
            eprintln!("{balls} balls, {}: turn {} of {}", phase.name(), turn + 1, arguments.turns);
            for (lane, samples) in self.lanes.iter_mut().zip(&mut samples) {
                samples.take(lane, arguments.steps)?;
            }
        }
        let ratios = ratios(&self.lanes, &samples);
        let mut rows = Vec::new();
        for ((lane, samples), ratio) in self.lanes.iter_mut().zip(&samples).zip(ratios) {
            let quality = judge(lane, self.world, &self.start, phase).map_err(|error| lost(lane, error))?;
            let Lane { engine, threads, .. } = *lane;
            rows.push(Row { balls, phase, engine, threads, times: samples.times(), ratio, quality });
        }
        Ok(rows)
    }
}

/// Measures a lane's balls; an engine that fails the checks has no time worth printing.
fn judge(lane: &mut Lane, world: &World, start: &Quality, phase: Phase) -> Result<Quality> {
    let quality = Quality::of(world, &lane.contestant.motions()?)?;
    quality.check_energy(start)?;
    if phase == Phase::Settled {
        quality.check_rest()?;
    }
    Ok(quality)
}

fn lost(lane: &Lane, error: Box<dyn std::error::Error>) -> Box<dyn std::error::Error> {
    let threads = lane.threads.map_or(String::new(), |count| format!(" on {count} threads"));
    format!("{}{threads}: {error}", lane.engine).into()
}

/// Each lane's time over that of ballpit's CPU engine on as many threads in the same turn, the median of all turns; a GPU's
/// over that on the first number of threads.
fn ratios(lanes: &[Lane], samples: &[Samples]) -> Vec<f64> {
    let own: Vec<(Option<u32>, &Samples)> = lanes
        .iter()
        .zip(samples)
        .filter(|(lane, _)| lane.is_own_cpu())
        .map(|(lane, own)| (lane.threads, own))
        .collect();
    let of_lane = |(lane, samples): (&Lane, &Samples)| {
        let (_, own) = own.iter().find(|(threads, _)| *threads == lane.threads).unwrap_or(&own[0]);
        percentile(samples.wall_ms.iter().zip(&own.wall_ms).map(|(ms, own_ms)| ms / own_ms).collect(), 0.5)
    };
    lanes.iter().zip(samples).map(of_lane).collect()
}

/// Times of one step, ms: a turn's over its steps.
#[derive(Clone, Default)]
struct Samples {
    wall_ms: Vec<f64>,
    processor_ms: Vec<f64>,
}

impl Samples {
    fn take(&mut self, lane: &mut Lane, steps: u32) -> Result<()> {
        let (before, started) = (processor_ms(), Instant::now());
        lane.contestant.step(steps)?;
        let wall_ms = started.elapsed().as_secs_f64() * 1e3;
        let spent = before.and_then(|before| Some(processor_ms()? - before));
        self.wall_ms.push(wall_ms / f64::from(steps));
        self.processor_ms.extend(spent.map(|ms| ms / f64::from(steps)));
        Ok(())
    }

    fn times(&self) -> Times {
        let of = |ms: &[f64], share| percentile(ms.to_vec(), share);
        Times {
            median_ms: of(&self.wall_ms, 0.5),
            p10_ms: of(&self.wall_ms, 0.1),
            processor_ms: (!self.processor_ms.is_empty()).then(|| of(&self.processor_ms, 0.5)),
        }
    }
}
