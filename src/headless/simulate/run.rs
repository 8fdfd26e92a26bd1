//! A run on its way.

use std::time::{Duration, Instant};

use ballpit::{Engine, Measures, Player, Settings, Wander, World};

use super::step_times::StepTimes;
use super::watch::Watch;
use crate::headless::machine::Machine;
use crate::headless::progress::Progress;
use crate::headless::{Stop, interrupt};

/// The end of a run, over which wandering is measured, s.
pub(super) const WANDER_S: f64 = 2.0;
/// Steps that are sent to a GPU at once at most: what the engine submits at once.
const MOST_STEPS_AT_ONCE: u64 = 32;
/// Time that steps sent at once may take, ms, so that Ctrl-C is heard.
const LONGEST_BATCH_MS: f64 = 250.0;

/// Steps of a length of time, at least one.
pub(super) fn steps_in(seconds: f64, rate_hz: u32) -> u64 {
    ((seconds * f64::from(rate_hz)).round() as u64).max(1)
}

/// A run on its way.
pub(super) struct Run<'a> {
    machine: Machine,
    rate_hz: u32,
    total: u64,
    done: u64,
    /// Says how long steps are and what is done between them; without it, all are of one length.
    player: Option<&'a mut Player>,
    /// Whoever looks on: at every step, or at every frame.
    watch: &'a mut Watch,
    /// The step from which wandering is measured.
    wander_from: u64,
    wander: Wander,
    /// Deepest that a ball ended a step below the floor since the last line, px, where every step is looked at.
    below_floor_px: f64,
    /// Time of a step, ms: see the command's help.
    step_ms: StepTimes,
    progress: Progress,
    started: Instant,
}

impl<'a> Run<'a> {
    /// A run of `total` steps, or of as many as a player has.
    pub(super) fn new(
        machine: Machine,
        (settings, total): (&Settings, u64),
        player: Option<&'a mut Player>,
        watch: &'a mut Watch,
    ) -> Self {
        if let Some(trace) = &mut watch.trace {
            trace.lane(&format!("{} engine", machine.engine.name()));
        }
        let total = player.as_ref().map_or(total, |player| player.total());
        Self {
            machine,
            rate_hz: settings.rate_hz,
            total,
            done: 0,
            player,
            watch,
            wander_from: total.saturating_sub(steps_in(WANDER_S, settings.rate_hz)),
            wander: Wander::new(),
            below_floor_px: 0.0,
            step_ms: StepTimes::none(),
            progress: Progress::new(total, "steps"),
            started: Instant::now(),
        }
    }

    pub(super) fn engine(&self) -> &dyn Engine {
        self.machine.engine.get()
    }

    pub(super) fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    pub(super) fn done(&self) -> u64 {
        self.done
    }

    /// Whether there are more steps to make; not of a replay that has turned into another run.
    pub(super) fn goes_on(&self) -> bool {
        self.done < self.total && self.player.as_ref().is_none_or(|player| player.outcome().is_none())
    }

    /// The settings that a replay has come to.
    pub(super) fn replayed(&self) -> Option<&Settings> {
        self.player.as_ref().map(|player| player.settings())
    }

    pub(super) fn progress(&self) -> &Progress {
        &self.progress
    }

    pub(super) fn took(&self) -> Duration {
        self.started.elapsed()
    }

    pub(super) fn step_ms(&self) -> &StepTimes {
        &self.step_ms
    }

    pub(super) fn wander_px(&self) -> f64 {
        self.wander.median_px()
    }

    pub(super) fn below_floor_px(&self) -> f64 {
        self.below_floor_px
    }

    /// Simulated time, s.
    pub(super) fn time_s(&self) -> f64 {
        match &self.player {
            Some(player) => player.time_s(),
            None => self.done as f64 / f64::from(self.rate_hz),
        }
    }

    /// Length of the next step, s.
    fn length_s(&self) -> f32 {
        self.player.as_ref().map_or(1.0 / self.rate_hz as f32, |player| player.length_s())
    }

    /// Makes `every` steps, fewer at the end; answers with the contacts that the last pass has answered, or where the engine
    /// counts them, all passes since.
    pub(super) fn advance(&mut self, every: u64) -> Result<u64, Stop> {
        let before = self.machine.engine.resolved();
        self.below_floor_px = 0.0;
        let end = (self.done + every).min(self.total);
        if self.done == 0 {
            // What is done before the first step, and the length of that.
            self.make(0)?;
        }
        while self.done < end && self.goes_on() {
            interrupt::check()?;
            if self.done == self.wander_from {
                self.wander.push(&self.machine.engine.world()?);
            }
            let (time_s, length_s) = (self.time_s(), self.length_s());
            self.watch.before(&mut self.machine, time_s, length_s)?;
            self.make_batch(end)?;
            self.progress.set(self.done);
        }
        match (self.machine.engine.resolved(), before) {
            (Some(now), Some(before)) => Ok(now - before),
            _ => Ok(self.machine.readout()?.contacts.into()),
        }
    }

    /// Makes the steps that go at once, and measures them.
    fn make_batch(&mut self, end: u64) -> Result<(), Stop> {
        let started = Instant::now();
        let count = self.make(self.batch(end) as u32)?;
        self.machine.finish()?;
        let step_ms = started.elapsed().as_secs_f64() * 1e3 / f64::from(count.max(1));
        // Single steps of a GPU tell how long it takes to answer: they count only where there are no others.
        if self.machine.gpu.is_none() || !self.is_wandering() || self.wander_from == 0 {
            self.step_ms.push(step_ms);
        }
        self.done += u64::from(count);
        if self.done > self.wander_from {
            self.wander.push(&self.machine.engine.world()?);
        }
        if self.machine.engine.resolved().is_some() {
            let measures = Measures::of(&self.machine.engine.world()?);
            self.below_floor_px = self.below_floor_px.max(measures.deepest_below_floor_px);
        }
        Ok(())
    }

    /// Makes up to `count` steps; answers with how many.
    fn make(&mut self, count: u32) -> Result<u32, Stop> {
        let length_s = self.length_s();
        let engine = self.machine.engine.get_mut();
        match &mut self.player {
            Some(player) => Ok(player.step(engine, count)?),
            None if count > 0 => {
                self.watch.step(engine, count, length_s)?;
                Ok(count)
            }
            None => Ok(0),
        }
    }

    fn is_wandering(&self) -> bool {
        self.done >= self.wander_from
    }

    /// How many steps to make at once.
    fn batch(&self, end: u64) -> u64 {
        if self.machine.gpu.is_none() || self.is_wandering() || self.watch.is_close() {
            return 1;
        }
        let by_time = self.step_ms.last().map_or(1, |step_ms| (LONGEST_BATCH_MS / step_ms) as u64);
        by_time.clamp(1, MOST_STEPS_AT_ONCE).min(end - self.done).min(self.wander_from - self.done)
    }

    /// The engine, and whoever looked on.
    pub(super) fn ended(&mut self) -> (&mut dyn Engine, &mut Watch) {
        (self.machine.engine.get_mut(), self.watch)
    }

    /// The world, if it is still one.
    pub(super) fn world(&mut self) -> Result<World, Stop> {
        Ok(self.machine.world()?)
    }
}
