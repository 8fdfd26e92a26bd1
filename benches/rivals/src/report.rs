//! What is told: a table, or JSON.

use serde::Serialize;

use crate::Result;
use crate::machine::Machine;
use crate::quality::Quality;

/// When a time was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    /// Right after the start.
    Falling,
    /// When the balls have come to rest.
    Settled,
}

impl Phase {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Falling => "falling",
            Self::Settled => "settled",
        }
    }
}

/// Times of one step.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Times {
    /// On the wall.
    pub(crate) median_ms: f64,
    /// The turn that a tenth of all were faster than: what other programs have disturbed least.
    pub(crate) p10_ms: f64,
    /// What all threads together ran for, the median.
    pub(crate) processor_ms: Option<f64>,
}

/// What one engine did.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) balls: usize,
    pub(crate) phase: Phase,
    pub(crate) engine: &'static str,
    pub(crate) threads: Option<u32>,
    #[serde(flatten)]
    pub(crate) times: Times,
    /// Its time over that of ballpit's CPU engine in the same turn, the median of all turns.
    pub(crate) ratio: f64,
    #[serde(flatten)]
    pub(crate) quality: Quality,
}

/// All that was measured.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) machine: Machine,
    pub(crate) rows: Vec<Row>,
}

impl Report {
    pub(crate) fn print(&self, json: bool) -> Result<()> {
        if json {
            println!("{}", serde_json::to_string_pretty(self)?);
            return Ok(());
        }
        println!("{}", self.machine);
        println!("\nms a step; overlaps over the smaller radius; px/s is the root mean square of the speeds");
        println!(
            "{:>7} {:8} {:>7} {:13} {:>8} {:>8} {:>8} {:>6} {:>8} {:>8} {:>6}",
            "balls", "", "threads", "", "median", "p10", "CPU time", "ratio", "p99", "greatest", "px/s"
        );
        self.rows.iter().for_each(Row::print);
        Ok(())
    }
}

impl Row {
    fn print(&self) {
        let Self { balls, phase, engine, times, ratio, quality, .. } = self;
        let threads = self.threads.map_or("-".into(), |count| count.to_string());
        let processor = times.processor_ms.map_or("n/a".into(), |ms| format!("{ms:.2}"));
        println!(
            "{balls:>7} {:8} {threads:>7} {engine:13} {:>8.2} {:>8.2} {processor:>8} {ratio:>6.2} {:>6.1} % {:>6.1} % {:>6.1}",
            phase.name(),
            times.median_ms,
            times.p10_ms,
            quality.overlap_ratio_p99 * 100.0,
            quality.overlap_ratio_max * 100.0,
            quality.rms_speed_px_s
        );
    }
}
