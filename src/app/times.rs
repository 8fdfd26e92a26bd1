//! How long frames, steps and their stages took in the last seconds.

use std::collections::VecDeque;
use std::time::Duration;

use ballpit::{Stage, StageTimes, percentile};

/// Seconds that are kept.
pub(crate) const SPAN_S: f64 = 5.0;

/// The values of one quantity in the last seconds, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Samples(VecDeque<(f64, f64)>);

impl Samples {
    /// Takes in a value at a time, s, and lets go of those that are too old.
    fn push(&mut self, now_s: f64, value: f64) {
        self.0.push_back((now_s, value));
        while self.0.front().is_some_and(|(at_s, _)| *at_s < now_s - SPAN_S) {
            self.0.pop_front();
        }
    }

    /// The values, each with its time, s.
    pub(crate) fn points(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.0.iter().map(|&(at_s, value)| [at_s, value])
    }

    /// The median and what 95 of a hundred are at most; none of nothing.
    pub(crate) fn typical(&self) -> Option<[f64; 2]> {
        let values: Vec<f64> = self.0.iter().map(|(_, value)| *value).collect();
        (!values.is_empty()).then(|| [0.5, 0.95].map(|share| percentile(values.clone(), share)))
    }
}

/// The times of the last seconds, ms. They are taken only while somebody looks at them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Times {
    /// Seconds of the watch since it was first looked.
    pub(crate) now_s: f64,
    /// From one frame to the next.
    pub(crate) frames: Samples,
    /// Of a step: its stages together.
    pub(crate) steps: Samples,
    /// Of each stage of a step, in the order run.
    pub(crate) stages: Vec<(Stage, Samples)>,
}

impl Times {
    /// Takes in a frame that came `since` after the one before.
    pub(crate) fn frame(&mut self, since: Duration) {
        self.now_s += since.as_secs_f64();
        if !since.is_zero() {
            self.frames.push(self.now_s, since.as_secs_f64() * 1e3);
        }
    }

    /// Takes in a step's times. A step of other stages than before begins a new list.
    pub(crate) fn step(&mut self, StageTimes(times): &StageTimes) {
        // A device without timestamps gives none.
        if times.is_empty() {
            return;
        }
        self.steps.push(self.now_s, times.iter().map(|(_, ms)| ms).sum());
        if !times.iter().map(|(stage, _)| *stage).eq(self.stages.iter().map(|(stage, _)| *stage)) {
            self.stages = times.iter().map(|(stage, _)| (*stage, Samples::default())).collect();
        }
        for ((_, samples), (_, ms)) in self.stages.iter_mut().zip(times) {
            samples.push(self.now_s, *ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_seconds_are_kept() {
        let mut samples = Samples::default();
        assert_eq!(samples.typical(), None);
        (1..=100).for_each(|value| samples.push(0.02 * f64::from(value), f64::from(value)));
        assert_eq!(samples.typical(), Some([50.0, 95.0]));
        samples.push(2.0 + SPAN_S, 7.0);
        let left: Vec<[f64; 2]> = samples.points().collect();
        assert_eq!(left, [[2.0, 100.0], [2.0 + SPAN_S, 7.0]]);
    }

    #[test]
    fn a_step_is_its_stages_together_and_none_is_no_step() {
        let mut times = Times::default();
        times.frame(Duration::from_millis(20));
        times.step(&StageTimes::default());
        assert_eq!((times.steps.typical(), times.frames.typical()), (None, Some([20.0, 20.0])));
        times.step(&StageTimes(vec![(Stage::GridCount, 0.5), (Stage::ContactPass, 2.0)]));
        assert_eq!(times.steps.typical(), Some([2.5, 2.5]));
        times.step(&StageTimes(vec![(Stage::GridCount, 0.5), (Stage::FrictionPass, 1.0)]));
        let stages: Vec<Stage> = times.stages.iter().map(|(stage, _)| *stage).collect();
        assert_eq!(stages, [Stage::GridCount, Stage::FrictionPass]);
        assert_eq!(times.stages[0].1.points().count(), 1, "times of another list of stages are not mixed in");
    }
}
