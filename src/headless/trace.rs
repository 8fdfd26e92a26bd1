//! Chrome traces: when which stage ran, for Perfetto (ui.perfetto.dev) or chrome://tracing.
//!
//! The format is the "JSON object format" of Google's *Trace Event Format*: complete events (`X`) with time and duration in µs,
//! and metadata events (`M`) that name the lanes.

use std::path::PathBuf;
use std::time::Instant;

use ballpit::StageTimes;
use serde_json::{Value, json};

use super::{Stop, output};

/// A trace under way.
pub(super) struct Trace {
    path: PathBuf,
    started: Instant,
    events: Vec<Value>,
    /// The lane that events go to.
    lane: u64,
}

impl Trace {
    /// A trace that will be written to `path`.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, started: Instant::now(), events: vec![named("process_name", 0, "ballpit")], lane: 0 }
    }

    /// What follows goes to a new lane of this name.
    pub(super) fn lane(&mut self, name: &str) {
        self.lane += 1;
        self.events.push(named("thread_name", self.lane, name));
    }

    /// A step that began then and is over now. Its stages lie one after the other from its beginning: their times are the
    /// device's, which does not say when they ran.
    pub(super) fn step(&mut self, began: Instant, times: &StageTimes) {
        let mut at_us = (began - self.started).as_secs_f64() * 1e6;
        self.slice("step", at_us, began.elapsed().as_secs_f64() * 1e6);
        for (stage, ms) in &times.0 {
            self.slice(stage.name(), at_us, ms * 1e3);
            at_us += ms * 1e3;
        }
    }

    fn slice(&mut self, name: &str, ts: f64, dur: f64) {
        let event = json!({ "name": name, "cat": "step", "ph": "X", "ts": ts, "dur": dur, "pid": 1, "tid": self.lane });
        self.events.push(event);
    }

    /// Writes the file, whole or not at all.
    pub(super) fn write(self) -> Result<(), Stop> {
        let trace = json!({ "traceEvents": self.events, "displayTimeUnit": "ms" });
        output::write_whole(&self.path, trace.to_string().as_bytes())
    }
}

/// A metadata event.
fn named(what: &str, lane: u64, name: &str) -> Value {
    json!({ "name": what, "ph": "M", "pid": 1, "tid": lane, "args": { "name": name } })
}

#[cfg(test)]
mod tests {
    use ballpit::Stage;

    use super::*;

    #[test]
    fn events_are_as_the_format_has_them() {
        let folder = tempfile::tempdir().unwrap();
        let mut trace = Trace::new(folder.path().join("trace.json"));
        trace.lane("cpu engine");
        trace.step(Instant::now(), &StageTimes(vec![(Stage::GridScan, 0.5), (Stage::ContactPass, 2.0)]));
        trace.write().unwrap();
        let text = std::fs::read_to_string(folder.path().join("trace.json")).unwrap();
        let trace: Value = serde_json::from_str(&text).unwrap();
        let events = trace["traceEvents"].as_array().unwrap();
        let of = |phase: &str| events.iter().filter(|event| event["ph"] == phase).collect::<Vec<_>>();
        let (named, slices) = (of("M"), of("X"));
        assert_eq!((named.len(), slices.len(), events.len()), (2, 3, 5));
        assert_eq!((&named[1]["name"], &named[1]["args"]["name"]), (&"thread_name".into(), &"cpu engine".into()));
        for slice in &slices {
            assert!(slice["ts"].is_f64() && slice["dur"].is_f64() && slice["name"].is_string(), "{slice}");
            assert_eq!((&slice["pid"], &slice["tid"]), (&1.into(), &named[1]["tid"]));
        }
        let names: Vec<&Value> = slices.iter().map(|slice| &slice["name"]).collect();
        assert_eq!(names, ["step", "grid_scan", "contact_pass"]);
        let (first, second) = (slices[1], slices[2]);
        let end = first["ts"].as_f64().unwrap() + first["dur"].as_f64().unwrap();
        assert!((end - second["ts"].as_f64().unwrap()).abs() < 1e-3 && first["dur"] == 500.0, "{text}");
    }
}
