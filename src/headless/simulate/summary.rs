//! How a run went: a line now and then, and a summary.

use std::time::Duration;

use ballpit::{Measures, World, state_hash};
use serde::Serialize;

use super::run::{Run, WANDER_S};
use crate::headless::{Stop, print};
use crate::numbers::counted;

pub(super) const COLUMNS: &str =
    " time s        x        y  velocity x, y px/s  contacts  overlap px  below floor px  fastest px/s";

/// Ball 0 and the measures of the world, under [`COLUMNS`].
pub(super) fn line(world: &World, run: &Run, contacts: u64) -> String {
    let (measures, time_s) = (Measures::of(world), run.time_s());
    let ball = match world.bodies.first() {
        Some(ball) => {
            let (place, velocity) = (ball.position, ball.velocity);
            format!("{:8.2} {:8.2} {:9.2} {:9.2}", place.x, place.y, velocity.x, velocity.y)
        }
        None => format!("{:>8} {:>8} {:>9} {:>9}", "-", "-", "-", "-"),
    };
    let overlap = measures.deepest_overlap_px;
    let below = measures.deepest_below_floor_px.max(run.below_floor_px());
    format!("{time_s:7.2} {ball} {contacts:9} {overlap:11.4} {below:15.4} {:13.2}", measures.fastest_px_s)
}

/// How a run went. The names are a promise to scripts.
#[derive(Serialize)]
pub(super) struct Summary {
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
    /// Of a run that has come to `world`, and that answered so many contacts since the last line.
    pub(super) fn of(run: &Run, world: &World, seed: u64, contacts: u64) -> Self {
        let measures = Measures::of(world);
        Self {
            engine: run.engine().name(),
            adapter: run.engine().adapter(),
            balls: world.balls(),
            seed,
            steps: run.done(),
            time_s: run.time_s(),
            deepest_overlap_px: measures.deepest_overlap_px,
            overlap_ratio_max: measures.overlap_ratio_max,
            overlap_ratio_p99: measures.overlap_ratio_p99,
            wander_px: run.wander_px(),
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
            step_ms_median: run.step_ms().percentile(0.5),
            step_ms_p10: run.step_ms().percentile(0.1),
        }
    }

    pub(super) fn print(&self, took: Duration) -> Result<(), Stop> {
        let [x, y] = self.center_of_mass_px;
        let (median, fastest) = (self.step_ms_median, self.step_ms_p10);
        let (steps, took_s) = (counted(self.steps, "step"), took.as_secs_f64());
        print(format_args!("\n{steps}, {} s simulated in {took_s:.2} s", to_ms(self.time_s)))?;
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
            to_ms(WANDER_S.min(self.time_s))
        ))?;
        if self.asleep > 0 {
            print(format_args!("asleep    {}", counted(self.asleep, "ball")))?;
        }
        if !self.counts.is_empty() {
            print(format_args!("counters  {}", self.counts.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")))?;
        }
        print(format_args!("state     {}", self.state_hash))
    }
}

/// Seconds to the next millisecond.
fn to_ms(seconds: f64) -> f64 {
    (1e3 * seconds).round() / 1e3
}
