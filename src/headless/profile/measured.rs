//! What one engine takes for one number of balls.

use std::fmt::Display;
use std::time::Instant;

use ballpit::render::Offscreen;
use ballpit::{Gpu, Measures, Settings, Stage, StageTimes, Traffic, percentile};
use serde::Serialize;

use super::super::canvas::{self, Canvas};
use super::super::machine::Machine;
use super::super::progress::Progress;
use super::super::trace::Trace;
use super::super::{Stop, interrupt, print};
use crate::look::Look;
use crate::numbers::{counted, grouped};

/// A profile. The names are a promise to scripts.
#[derive(Serialize)]
pub(super) struct Profile {
    /// What the program was built from.
    commit: &'static str,
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
    /// Sending the balls to the device, where they are elsewhere, and drawing them; none where nothing can be drawn.
    drawing: Option<Times>,
    /// A step and drawing what it came to, one after the other.
    frame: Option<Times>,
    ball_steps_per_s: f64,
    device_bytes: Option<u64>,
    overlap_ratio_p99: f64,
}

#[derive(Serialize)]
struct StageProfile {
    stage: &'static str,
    #[serde(flatten)]
    times: Times,
    /// What it must move at least: see [`Traffic`].
    bytes_a_ball: Option<f64>,
}

/// What a profile is to be of.
pub(super) struct Asked {
    /// Steps before the first that is timed.
    pub(super) warmup: u32,
    /// Steps to time whole, by stages, and with a picture each.
    pub(super) steps: u32,
    /// Of the pictures, pixels.
    pub(super) size: (u32, u32),
    /// Who draws them.
    pub(super) painter: Option<Gpu>,
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

    /// Times of drawing, and of a step with it.
    fn frame_ms(&mut self, canvas: &mut Canvas) -> Result<(f64, f64), Stop> {
        let step_ms = self.step_ms()?;
        let started = Instant::now();
        canvas.draw(&mut self.machine, 1.0, canvas::alone, Offscreen::paint)?;
        let drawing_ms = started.elapsed().as_secs_f64() * 1e3;
        Ok((drawing_ms, step_ms + drawing_ms))
    }

    fn count(&mut self) -> Result<(), Stop> {
        interrupt::check()?;
        self.progress.set(self.done);
        self.done += 1;
        Ok(())
    }
}

impl Profile {
    /// Makes the steps that are not timed, then those that are timed whole, by stages, and with a picture each.
    pub(super) fn take(
        mut machine: Machine,
        settings: &Settings,
        asked: &Asked,
        mut trace: Option<&mut Trace>,
    ) -> Result<Self, Stop> {
        let Asked { warmup, steps, size, ref painter } = *asked;
        let progress = Progress::new(u64::from(warmup) + 3 * u64::from(steps), "steps");
        if let Some(trace) = &mut trace {
            let balls = machine.world()?.bodies.len();
            trace.lane(&format!("{} engine, {}", machine.engine.name(), counted(balls, "ball")));
        }
        let mut sampler = Sampler { machine, trace, step_s: settings.step_s(), progress, done: 0 };
        for _ in 0..warmup {
            sampler.step_ms()?;
        }
        let step_ms = (0..steps).map(|_| sampler.step_ms()).collect::<Result<Vec<f64>, Stop>>()?;
        let stage_times = (0..steps).map(|_| sampler.stages()).collect::<Result<Vec<StageTimes>, Stop>>()?;

        let world = sampler.machine.world()?;
        let mut frames: Option<(Vec<f64>, Vec<f64>)> = None;
        if let Some(gpu) = painter {
            let mut canvas = Canvas::new(gpu, size, Look::default(), &world)?;
            frames = Some((0..steps).map(|_| sampler.frame_ms(&mut canvas)).collect::<Result<_, Stop>>()?);
        }
        let (drawing, frame) = frames.unzip();
        let machine = sampler.machine;
        let traffic = Traffic::of(&world, settings).ok();
        let info = machine.gpu.as_ref().map(|gpu| gpu.info());
        let step = Times::of(&step_ms);
        Ok(Self {
            commit: env!("BALLPIT_COMMIT"),
            engine: machine.engine.name(),
            adapter: info.map_or_else(|| machine.engine.adapter(), |info| info.name.clone()),
            driver: info.map(|info| format!("{} {} ({})", info.driver, info.driver_info, info.backend)),
            balls: world.bodies.len(),
            passes: settings.passes,
            rate_hz: settings.rate_hz,
            steps,
            step,
            stages: of_stages(&stage_times, traffic.as_ref()),
            drawing: drawing.as_deref().map(Times::of),
            frame: frame.as_deref().map(Times::of),
            ball_steps_per_s: world.bodies.len() as f64 * 1e3 / step.median_ms.max(1e-6),
            device_bytes: machine.device_bytes,
            overlap_ratio_p99: Measures::of(&world).overlap_ratio_p99,
        })
    }

    /// A table.
    pub(super) fn print(&self) -> Result<(), Stop> {
        let driver = self.driver.iter().map(|driver| format!(", {driver}")).collect::<String>();
        print(format_args!("{}, {} engine: {}{driver}", counted(self.balls, "ball"), self.engine, self.adapter))?;
        let columns = ["median ms", "p10 ms", "p95 ms", "bytes/ball", "GB/s"];
        print(format_args!("  {:16}{}", "", columns.map(|column| format!(" {column:>11}")).concat()))?;
        for StageProfile { stage, times, bytes_a_ball } in &self.stages {
            let moved = bytes_a_ball.map_or(String::new(), |bytes| {
                format!(" {bytes:11.1} {:11.2}", bytes * self.balls as f64 / times.median_ms.max(1e-6) / 1e6)
            });
            print_times(stage, Some(times), &moved)?;
        }
        if self.stages.is_empty() {
            print_times("stages", None, "")?;
        }
        print_times("step (wall)", Some(&self.step), "")?;
        print_times("drawing (wall)", self.drawing.as_ref(), "")?;
        print_times("frame (wall)", self.frame.as_ref(), "")?;
        let memory =
            self.device_bytes.map_or("n/a".into(), |bytes| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)));
        print(format_args!(
            "  {} ball-steps/s, device memory {memory}, {}, {} Hz, overlap {:.2} % at the 99th percentile, commit {}\n",
            grouped(self.ball_steps_per_s as u64),
            counted(self.passes, "pass"),
            self.rate_hz,
            self.overlap_ratio_p99 * 100.0,
            self.commit
        ))
    }

    /// Rows of [`CSV_COLUMNS`].
    pub(super) fn print_csv(&self) -> Result<(), Stop> {
        let whole = [("step", Some(self.step)), ("drawing", self.drawing), ("frame", self.frame)];
        let whole = whole.into_iter().filter_map(|(name, times)| Some((name, times?)));
        let mut rows = self.stages.iter().map(|stage| (stage.stage, stage.times)).chain(whole);
        rows.try_for_each(|(stage, times)| {
            let (adapter, driver) = (quoted(&self.adapter), quoted(self.driver.as_deref().unwrap_or("n/a")));
            let memory = self.device_bytes.map_or("n/a".into(), |bytes| bytes.to_string());
            let Times { median_ms, p10_ms, p95_ms } = times;
            print(format_args!(
                "{},{},{adapter},{driver},{},{},{},{},{stage},{median_ms},{p10_ms},{p95_ms},{},{memory},{}",
                self.commit,
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

pub(super) const CSV_COLUMNS: &str = "commit,engine,adapter,driver,balls,passes,rate_hz,steps,stage,median_ms,p10_ms,p95_ms,\
                                      ball_steps_per_s,device_bytes,overlap_ratio_p99";

/// A row of the table; "n/a" where there are no times.
fn print_times(name: &str, times: Option<&Times>, moved: &str) -> Result<(), Stop> {
    let ms = times.map_or([None; 3], |times| [times.median_ms, times.p10_ms, times.p95_ms].map(Some));
    let ms = ms.map(|ms| ms.map_or("n/a".into(), |ms| format!("{ms:.4}"))).map(|ms| format!(" {ms:>11}"));
    print(format_args!("  {name:16}{}{moved}", ms.concat()))
}

/// Each stage that was timed, in the order run.
fn of_stages(steps: &[StageTimes], traffic: Option<&Traffic>) -> Vec<StageProfile> {
    let profile = |stage: Stage| {
        let times = steps.iter().flat_map(|step| &step.0).filter(|(timed, _)| *timed == stage);
        let ms: Vec<f64> = times.map(|&(_, ms)| ms).collect();
        let bytes_a_ball = traffic.map(|traffic| traffic.bytes_a_ball(stage));
        (!ms.is_empty()).then(|| StageProfile { stage: stage.name(), times: Times::of(&ms), bytes_a_ball })
    };
    Stage::ALL.iter().copied().filter_map(profile).collect()
}

/// A CSV field of any text.
fn quoted(text: impl Display) -> String {
    format!("\"{}\"", text.to_string().replace('"', "\"\""))
}
