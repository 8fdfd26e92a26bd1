//! What one engine takes for one number of balls.

use std::fmt::Display;
use std::time::Instant;

use ballpit::{Measures, Settings, Stage, StageTimes, percentile};
use serde::Serialize;

use super::super::machine::Machine;
use super::super::progress::Progress;
use super::super::trace::Trace;
use super::super::{Stop, interrupt, print};
use crate::numbers::grouped;

/// A profile. The names are a promise to scripts.
#[derive(Serialize)]
pub(super) struct Profile {
    engine: &'static str,
    adapter: String,
    driver: Option<String>,
    balls: usize,
    passes: u32,
    rate_hz: u32,
    steps: u32,
    /// The whole step, on the wall clock.
    step: Times,
    /// Empty where the device has no timestamps.
    stages: Vec<StageProfile>,
    ball_steps_per_s: f64,
    device_bytes: Option<u64>,
    overlap_ratio_p99: f64,
}

#[derive(Serialize)]
struct StageProfile {
    stage: &'static str,
    #[serde(flatten)]
    times: Times,
}

#[derive(Clone, Copy, Serialize)]
struct Times {
    median_ms: f64,
    p10_ms: f64,
    p95_ms: f64,
}

impl Times {
    fn of(times_ms: &[f64]) -> Self {
        let [median_ms, p10_ms, p95_ms] = [0.5, 0.1, 0.95].map(|share| percentile(times_ms.to_vec(), share));
        Self { median_ms, p10_ms, p95_ms }
    }
}

/// Steps a machine and takes times.
struct Sampler<'a> {
    machine: Machine,
    trace: Option<&'a mut Trace>,
    step_s: f32,
    progress: Progress,
    done: u64,
}

impl Sampler<'_> {
    fn step_ms(&mut self) -> Result<f64, Stop> {
        self.count()?;
        let started = Instant::now();
        self.machine.engine.step(1, self.step_s)?;
        self.machine.finish()?;
        Ok(started.elapsed().as_secs_f64() * 1e3)
    }

    fn stages(&mut self) -> Result<StageTimes, Stop> {
        self.count()?;
        let started = Instant::now();
        let times = self.machine.engine.time_step(self.step_s)?;
        if let Some(trace) = &mut self.trace {
            trace.step(started, &times);
        }
        Ok(times)
    }

    fn count(&mut self) -> Result<(), Stop> {
        interrupt::check()?;
        self.progress.set(self.done);
        self.done += 1;
        Ok(())
    }
}

impl Profile {
    /// Makes `warmup` steps, then `steps` that are timed whole and as many whose stages are timed.
    pub(super) fn take(
        mut machine: Machine,
        settings: &Settings,
        (warmup, steps): (u32, u32),
        mut trace: Option<&mut Trace>,
    ) -> Result<Self, Stop> {
        let progress = Progress::new(u64::from(warmup) + 2 * u64::from(steps), "steps");
        if let Some(trace) = &mut trace {
            let balls = machine.world()?.bodies.len();
            trace.lane(&format!("{} engine, {} balls", machine.engine.name(), grouped(balls)));
        }
        let mut sampler = Sampler { machine, trace, step_s: settings.step_s(), progress, done: 0 };
        for _ in 0..warmup {
            sampler.step_ms()?;
        }
        let step_ms = (0..steps).map(|_| sampler.step_ms()).collect::<Result<Vec<f64>, Stop>>()?;
        let stage_times = (0..steps).map(|_| sampler.stages()).collect::<Result<Vec<StageTimes>, Stop>>()?;

        let mut machine = sampler.machine;
        let world = machine.world()?;
        let info = machine.gpu.as_ref().map(|gpu| gpu.info());
        let step = Times::of(&step_ms);
        Ok(Self {
            engine: machine.engine.name(),
            adapter: info.map_or_else(|| machine.engine.adapter(), |info| info.name.clone()),
            driver: info.map(|info| format!("{} {} ({})", info.driver, info.driver_info, info.backend)),
            balls: world.bodies.len(),
            passes: settings.passes,
            rate_hz: settings.rate_hz,
            steps,
            step,
            stages: of_stages(&stage_times),
            ball_steps_per_s: world.bodies.len() as f64 * 1e3 / step.median_ms.max(1e-6),
            device_bytes: machine.device_bytes,
            overlap_ratio_p99: Measures::of(&world).overlap_ratio_p99,
        })
    }

    /// A table.
    pub(super) fn print(&self) -> Result<(), Stop> {
        let driver = self.driver.iter().map(|driver| format!(", {driver}")).collect::<String>();
        print(format_args!("{} balls, {} engine: {}{driver}", grouped(self.balls), self.engine, self.adapter))?;
        print(format_args!("  {:16} {:>11} {:>11} {:>11}", "", "median ms", "p10 ms", "p95 ms"))?;
        for StageProfile { stage, times } in &self.stages {
            print_times(stage, times)?;
        }
        if self.stages.is_empty() {
            print(format_args!("  {:16} {:>11} {:>11} {:>11}", "stages", "n/a", "n/a", "n/a"))?;
        }
        print_times("step (wall)", &self.step)?;
        let memory =
            self.device_bytes.map_or("n/a".into(), |bytes| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)));
        print(format_args!(
            "  {} ball-steps/s, device memory {memory}, {} passes, {} Hz, overlap {:.2} % at the 99th percentile\n",
            grouped(self.ball_steps_per_s as u64),
            self.passes,
            self.rate_hz,
            self.overlap_ratio_p99 * 100.0
        ))
    }

    /// Rows of [`CSV_COLUMNS`].
    pub(super) fn print_csv(&self) -> Result<(), Stop> {
        let whole = StageProfile { stage: "step", times: self.step };
        self.stages.iter().chain([&whole]).try_for_each(|StageProfile { stage, times }| {
            let (adapter, driver) = (quoted(&self.adapter), quoted(self.driver.as_deref().unwrap_or("n/a")));
            let memory = self.device_bytes.map_or("n/a".into(), |bytes| bytes.to_string());
            let Times { median_ms, p10_ms, p95_ms } = times;
            print(format_args!(
                "{},{adapter},{driver},{},{},{},{},{stage},{median_ms},{p10_ms},{p95_ms},{},{memory},{}",
                self.engine,
                self.balls,
                self.passes,
                self.rate_hz,
                self.steps,
                self.ball_steps_per_s,
                self.overlap_ratio_p99
            ))
        })
    }
}

pub(super) const CSV_COLUMNS: &str = "engine,adapter,driver,balls,passes,rate_hz,steps,stage,median_ms,p10_ms,p95_ms,\
                                      ball_steps_per_s,device_bytes,overlap_ratio_p99";

fn print_times(name: &str, times: &Times) -> Result<(), Stop> {
    let Times { median_ms, p10_ms, p95_ms } = times;
    print(format_args!("  {name:16} {median_ms:11.4} {p10_ms:11.4} {p95_ms:11.4}"))
}

/// Each stage that was timed, in the order run.
fn of_stages(steps: &[StageTimes]) -> Vec<StageProfile> {
    let profile = |stage: Stage| {
        let times = steps.iter().flat_map(|step| &step.0).filter(|(timed, _)| *timed == stage);
        let ms: Vec<f64> = times.map(|&(_, ms)| ms).collect();
        (!ms.is_empty()).then(|| StageProfile { stage: stage.name(), times: Times::of(&ms) })
    };
    Stage::ALL.iter().copied().filter_map(profile).collect()
}

/// A CSV field of any text.
fn quoted(text: impl Display) -> String {
    format!("\"{}\"", text.to_string().replace('"', "\"\""))
}
