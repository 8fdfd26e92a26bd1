//! Stage times by GPU timestamps: asked in one frame, read in a later one, and nobody waits.

use wgpu::CommandEncoder;
use wgpu_profiler::{GpuProfiler, GpuProfilerSettings, Scope};

use super::Gpu;
use crate::engine::StageTimes;
use crate::step::Turn;
use crate::{Error, Result, Stage};

/// Times stages, each in passes of its own.
pub(super) struct StageTimer {
    profiler: GpuProfiler,
    /// Whether a step has been encoded that is not submitted yet, as far as the timer knows.
    is_open: bool,
}

impl StageTimer {
    /// A timer of the device's timestamps; without any, it gives no times.
    ///
    /// # Errors
    /// [`Error::Device`] if the device refuses.
    pub(super) fn new(gpu: &Gpu) -> Result<Self> {
        let profiler = GpuProfiler::new(&gpu.device, GpuProfilerSettings::default()).map_err(failed)?;
        Ok(Self { profiler, is_open: false })
    }

    /// Encodes turns, each by `encode_turn`, whose scopes of a stage's name are timed.
    pub(super) fn encode(
        &mut self,
        encoder: &mut CommandEncoder,
        turns: impl Iterator<Item = Turn>,
        mut encode_turn: impl FnMut(&mut Scope<CommandEncoder>, Turn),
    ) {
        let mut scope = self.profiler.scope("step", encoder);
        turns.for_each(|turn| encode_turn(&mut scope, turn));
        drop(scope);
        self.profiler.resolve_queries(encoder);
        self.is_open = true;
    }

    /// Asks for the times of what has been encoded; call it when that has been submitted.
    ///
    /// # Errors
    /// [`Error::Device`] if the device refuses.
    pub(super) fn ask(&mut self) -> Result<()> {
        if std::mem::take(&mut self.is_open) { self.profiler.end_frame().map_err(failed) } else { Ok(()) }
    }

    /// The times of the oldest step that has been answered, if one has.
    pub(super) fn answer(&mut self, gpu: &Gpu) -> Option<StageTimes> {
        let steps = self.profiler.process_finished_frame(gpu.queue.get_timestamp_period())?;
        let mut times = StageTimes::default();
        for query in steps.iter().flat_map(|step| &step.nested_queries) {
            let stage = Stage::ALL.iter().copied().find(|stage| stage.name() == query.label);
            if let (Some(stage), Some(time)) = (stage, &query.time) {
                times.add(stage, (time.end - time.start) * 1e3);
            }
        }
        Some(times)
    }
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::Device { reason: error.to_string() }
}
