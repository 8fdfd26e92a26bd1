//! Frames and steps in the last second, and when the gauges are due.

use std::time::Duration;

/// Counts frames and steps, a second at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Frames of the last whole second.
    pub(crate) frames: u32,
    /// Steps of the last whole second.
    pub(crate) steps: u32,
    second: Duration,
    counted: (u32, u32),
    since_gauges: Duration,
}

impl Tally {
    /// Between two looks at the gauges: often enough to follow, seldom enough to read.
    const GAUGES: Duration = Duration::from_millis(200);

    /// Takes in a frame that came `since` after the one before, by the watch and not by the clamped clock.
    pub(crate) fn frame(&mut self, since: Duration, steps: u32) {
        self.counted.0 += 1;
        self.counted.1 += steps;
        self.second += since;
        self.since_gauges += since;
        if self.second >= Duration::from_secs(1) {
            (self.frames, self.steps) = std::mem::take(&mut self.counted);
            self.second = Duration::from_nanos(u64::from(self.second.subsec_nanos()));
        }
    }

    /// Whether it is time to look at the gauges; once true, not again for a while.
    pub(crate) fn gauges_due(&mut self) -> bool {
        let due = self.since_gauges >= Self::GAUGES;
        if due {
            self.since_gauges = Duration::ZERO;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_is_shown_when_it_is_over() {
        let mut tally = Tally::default();
        for _ in 0..49 {
            tally.frame(Duration::from_millis(20), 2);
            assert_eq!((tally.frames, tally.steps), (0, 0));
        }
        tally.frame(Duration::from_millis(20), 4);
        assert_eq!((tally.frames, tally.steps), (50, 102));
        (0..50).for_each(|_| tally.frame(Duration::from_millis(20), 1));
        assert_eq!((tally.frames, tally.steps), (50, 50));
    }

    #[test]
    fn gauges_come_five_times_a_second_whatever_the_frame_rate() {
        for (fps, looks) in [(10, 5), (100, 5), (1000, 5), (2, 2)] {
            let mut tally = Tally::default();
            let due = (0..fps).filter(|_| {
                tally.frame(Duration::from_secs(1) / fps, 0);
                tally.gauges_due()
            });
            assert_eq!(due.count(), looks, "{fps} frames a second");
        }
    }
}
