//! How long the steps of a run take.

use ballpit::percentile;

/// Times of which percentiles are taken at most.
const MOST: usize = 1 << 14;

/// The times of a run's steps, ms: of a long run one in two, in four and so on, so that it takes no more memory the longer it
/// goes on.
pub(super) struct StepTimes {
    kept: Vec<f64>,
    last: Option<f64>,
    told: u64,
    /// One in so many is kept.
    every: u64,
}

impl StepTimes {
    pub(super) fn none() -> Self {
        Self { kept: Vec::new(), last: None, told: 0, every: 1 }
    }

    pub(super) fn push(&mut self, ms: f64) {
        if self.kept.len() == MOST {
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.every *= 2;
        }
        if self.told.is_multiple_of(self.every) {
            self.kept.push(ms);
        }
        self.told += 1;
        self.last = Some(ms);
    }

    /// The newest.
    pub(super) fn last(&self) -> Option<f64> {
        self.last
    }

    /// The time that a share of the steps takes at most.
    pub(super) fn percentile(&self, share: f64) -> f64 {
        percentile(self.kept.clone(), share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_few_times_evenly() {
        let mut times = StepTimes::none();
        for step in 0..200_000 {
            times.push(f64::from(step));
            assert!(times.kept.len() <= MOST);
        }
        assert_eq!(times.last(), Some(199_999.0));
        assert!(times.kept.len() > MOST / 2);
        assert!(times.kept.windows(2).all(|pair| pair[1] - pair[0] == times.kept[1]), "evenly");
        assert!((times.percentile(0.5) - 100_000.0).abs() < 50.0, "{}", times.percentile(0.5));
    }
}
