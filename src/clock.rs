//! The clock: how much of a frame's time becomes steps.
//!
//! Pure and exact. Time is kept in whole units of one step divided by 8·10⁹, in which a nanosecond at
//! any rate and any slow motion is a whole number. So nothing drifts, however long it runs and
//! however its time is cut into frames: the same total time always makes the same steps.

use std::time::Duration;

use glam::Vec2;

#[cfg(test)]
mod tests;

/// How a frame's time becomes steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Steps of one length, as many as the time saved up holds: the same world on every machine.
    #[default]
    Fixed,
    /// One step a frame, as long as the frame. It shows why fixed steps are better.
    Variable,
}

/// What one frame asks of the engine and of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// Steps to make now.
    pub steps: u32,
    /// Length of each of them, s.
    pub step_s: f32,
    /// Share of a step left in the accumulator, from 0 to 1: where to draw between the last two places.
    pub alpha: f32,
    /// Frame time that the clamp threw away: the world ran slower than the watch by this much.
    pub dropped: Duration,
}

impl Tick {
    /// Where a ball is drawn that stood at `previous` before the last step and at `current` after it.
    pub fn between(&self, previous: Vec2, current: Vec2) -> Vec2 {
        previous.lerp(current, self.alpha)
    }
}

/// Turns frame times into steps, and counts what it did.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    rate_hz: u32,
    mode: Mode,
    slow_motion: SlowMotion,
    paused: bool,
    single_steps: u32,
    lag_spike: bool,
    /// Time not yet stepped, in units of a step / [`STEP`].
    accumulator: u64,
    steps: u64,
    elapsed: Duration,
    dropped: Duration,
}

/// How much slower than the watch the world runs. The steps stay the same steps, only rarer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlowMotion {
    /// As fast as the watch.
    #[default]
    Off,
    /// At half speed.
    Half,
    /// At a quarter.
    Quarter,
    /// At an eighth.
    Eighth,
}

impl SlowMotion {
    /// Every speed, fastest first.
    pub const ALL: [Self; 4] = [Self::Off, Self::Half, Self::Quarter, Self::Eighth];

    /// What a frame's time is divided by: 1, 2, 4 or 8.
    pub fn divisor(self) -> u32 {
        1 << self as u32
    }

    /// The next slower speed, and after the slowest the full one.
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }
}

/// The smallest share of a nanosecond that slow motion can ask for is an eighth.
const EIGHTHS: u64 = 8;
/// Units of the accumulator in a step.
const STEP: u64 = 1_000_000_000 * EIGHTHS;

impl Clock {
    /// Longest frame that is stepped in full. A machine too slow for its world then shows it in slow
    /// motion, and never falls further behind with each frame.
    pub const CLAMP: Duration = Duration::from_millis(50);
    /// Length of the frame that [`Clock::lag_spike`] fakes.
    pub const LAG_SPIKE: Duration = Duration::from_millis(200);

    /// A clock of `rate_hz` fixed steps a second, held to the range of [`crate::Settings::rate_hz`].
    pub fn new(rate_hz: u32) -> Self {
        Self {
            rate_hz: rate_hz.clamp(1, 10_000),
            mode: Mode::Fixed,
            slow_motion: SlowMotion::Off,
            paused: false,
            single_steps: 0,
            lag_spike: false,
            accumulator: 0,
            steps: 0,
            elapsed: Duration::ZERO,
            dropped: Duration::ZERO,
        }
    }

    /// Takes in the time since the last frame and says what to do with it. No time, no step. (A
    /// [`Duration`] cannot be negative: a watch that went back must be passed as zero.)
    pub fn frame(&mut self, since_last_frame: Duration) -> Tick {
        if self.paused {
            return self.paused_tick();
        }
        let spike = std::mem::take(&mut self.lag_spike);
        let frame = if spike { Self::LAG_SPIKE } else { since_last_frame };
        let taken = if spike { frame } else { frame.min(Self::CLAMP) };
        let dropped = frame - taken;
        self.elapsed = self.elapsed.saturating_add(frame);
        self.dropped = self.dropped.saturating_add(dropped);
        let tick = match self.mode {
            Mode::Fixed => self.fixed_tick(taken),
            Mode::Variable => self.variable_tick(taken),
        };
        self.steps += u64::from(tick.steps);
        Tick { dropped, ..tick }
    }

    fn fixed_tick(&mut self, taken: Duration) -> Tick {
        let share = EIGHTHS / u64::from(self.slow_motion.divisor());
        // At most 0.2 s × 10,000 steps/s × 8 eighths: 1.6·10¹³, far from overflow.
        self.accumulator += taken.as_nanos() as u64 * u64::from(self.rate_hz) * share;
        let steps = self.accumulator / STEP;
        self.accumulator %= STEP;
        self.tick(steps as u32)
    }

    fn variable_tick(&self, taken: Duration) -> Tick {
        let step_s = taken.as_secs_f64() / f64::from(self.slow_motion.divisor());
        Tick { steps: u32::from(!taken.is_zero()), step_s: step_s as f32, ..self.tick(0) }
    }

    fn paused_tick(&mut self) -> Tick {
        let steps = std::mem::take(&mut self.single_steps);
        self.steps += u64::from(steps);
        self.tick(steps)
    }

    fn tick(&self, steps: u32) -> Tick {
        Tick { steps, step_s: 1.0 / self.rate_hz as f32, alpha: self.alpha(), dropped: Duration::ZERO }
    }

    /// Share of a step in the accumulator; 1 with variable steps, which leave nothing over.
    pub fn alpha(&self) -> f32 {
        match self.mode {
            Mode::Fixed => (self.accumulator as f64 / STEP as f64) as f32,
            Mode::Variable => 1.0,
        }
    }

    /// Steps a second.
    pub fn rate_hz(&self) -> u32 {
        self.rate_hz
    }

    /// Changes the steps a second, as [`Clock::new`] does; the new kind of step starts with no time
    /// saved up from the old one.
    pub fn set_rate_hz(&mut self, rate_hz: u32) {
        self.rate_hz = rate_hz.clamp(1, 10_000);
        self.accumulator = 0;
    }

    /// How a frame's time becomes steps.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Changes how a frame's time becomes steps, with no time saved up.
    pub fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        self.accumulator = 0;
    }

    /// How much slower than the watch the world runs.
    pub fn slow_motion(&self) -> SlowMotion {
        self.slow_motion
    }

    /// Slows the world down, or stops doing so.
    pub fn set_slow_motion(&mut self, slow_motion: SlowMotion) {
        self.slow_motion = slow_motion;
    }

    /// Makes the next frame last [`Clock::LAG_SPIKE`], past the clamp, as if the machine had stalled.
    pub fn lag_spike(&mut self) {
        self.lag_spike = true;
    }

    /// Whether time stands still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Stops time or lets it run. The time of paused frames is not made up for.
    pub fn pause(&mut self, paused: bool) {
        self.paused = paused;
        self.single_steps = 0;
    }

    /// Stops time and asks for one step, of the fixed length, in the next frame.
    pub fn step_once(&mut self) {
        self.paused = true;
        self.single_steps = self.single_steps.saturating_add(1);
    }

    /// Steps asked for since the clock was made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Time of all frames that were not paused.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Time that the clamp threw away, of all frames.
    pub fn dropped(&self) -> Duration {
        self.dropped
    }
}
