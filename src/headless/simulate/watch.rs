//! Whoever looks on while a run is on its way: a camera, a stopwatch, a recorder.

use std::time::Instant;

use ballpit::{Command, Engine, Recorder, World, state_hash};

use super::frames::Frames;
use crate::headless::machine::Machine;
use crate::headless::trace::Trace;
use crate::headless::{Stop, output};

/// Whoever looks on; most runs have none.
#[derive(Default)]
pub(super) struct Watch {
    pub(super) frames: Option<Frames>,
    pub(super) trace: Option<Trace>,
    pub(super) recorder: Option<(Recorder, output::Pending)>,
    /// Steps a second: hashes are recorded as often.
    pub(super) rate_hz: u32,
}

impl Watch {
    /// Whether steps have to come one at a time.
    pub(super) fn is_close(&self) -> bool {
        self.frames.is_some() || self.trace.is_some()
    }

    /// Another run begins, of a recording.
    pub(super) fn turn_to(&mut self, world: &World) {
        self.frames.iter_mut().for_each(|frames| frames.turn_to(world));
    }

    /// Before a step of `length_s` seconds that begins at `time_s`.
    pub(super) fn before(&mut self, machine: &mut Machine, time_s: f64, length_s: f32) -> Result<(), Stop> {
        match &mut self.frames {
            Some(frames) => frames.draw(machine, time_s, length_s),
            None => Ok(()),
        }
    }

    /// Does something to the world, and writes it down.
    pub(super) fn command(&mut self, engine: &mut dyn Engine, command: Command) -> Result<(), Stop> {
        command.apply(engine)?;
        match &mut self.recorder {
            Some((recorder, file)) => recorder.command(engine.steps(), command).map_err(file.failed()),
            None => Ok(()),
        }
    }

    /// Makes steps, and writes down what is wanted of them.
    pub(super) fn step(&mut self, engine: &mut dyn Engine, count: u32, length_s: f32) -> Result<(), Stop> {
        if let Some((recorder, file)) = &mut self.recorder {
            recorder.length(engine.steps(), length_s).map_err(file.failed())?;
        }
        match &mut self.trace {
            Some(trace) => {
                let started = Instant::now();
                let times = engine.time_step(length_s)?;
                trace.step(started, &times);
            }
            None => engine.step(count, length_s)?,
        }
        let Some((recorder, file)) = &mut self.recorder else { return Ok(()) };
        let step = engine.steps();
        if recorder.is_hash_due(step, u64::from(self.rate_hz)) {
            recorder.hash(step, state_hash(&engine.world()?)).map_err(file.failed())?;
        }
        Ok(())
    }

    /// After the last step.
    pub(super) fn finish(&mut self, engine: &mut dyn Engine) -> Result<(), Stop> {
        if let Some((mut recorder, file)) = self.recorder.take() {
            recorder.end(engine.steps(), state_hash(&engine.world()?)).map_err(file.failed())?;
            drop(recorder);
            file.keep()?;
        }
        self.trace.take().map_or(Ok(()), Trace::write)
    }
}
