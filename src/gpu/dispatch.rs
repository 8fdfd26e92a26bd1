//! How turns become dispatches in passes, and what is made ready for them.

use std::iter::once;

use wgpu::{CommandEncoder, ComputePass, ComputePassDescriptor};

use super::GpuEngine;
use super::buffers::blocks_of;
use super::stage_timer::StageTimer;
use super::texels::Ready;
use crate::stage::apply_forces::find_calm;
use crate::stage::kernel::{Extent, Kernel};
use crate::stage::{Buffer, WORKGROUP};
use crate::step::Turn;

impl GpuEngine {
    /// Encodes turns into as few passes as may be: one, unless something must be made ready for a kernel.
    pub(super) fn encode_turns(
        &mut self,
        encoder: &mut CommandEncoder,
        label: &str,
        turns: impl Iterator<Item = Turn>,
    ) {
        let mut dispatches = self.dispatches(turns).peekable();
        let mut ready = Ready::default();
        while let Some(&(_, kernel)) = dispatches.peek() {
            self.buffers.make_ready(encoder, &mut ready, kernel);
            let descriptor = ComputePassDescriptor { label: Some(label), timestamp_writes: None };
            let mut pass = encoder.begin_compute_pass(&descriptor);
            while let Some(next) = dispatches.next_if(|&(_, kernel)| self.buffers.are_ready(ready, kernel)) {
                self.dispatch(&mut pass, &mut ready, next);
            }
        }
    }

    /// Encodes the turns of one step, each between timestamps.
    pub(super) fn encode_timed_turns(&mut self, timer: &mut StageTimer, encoder: &mut CommandEncoder) {
        let mut ready = Ready::default();
        timer.encode(encoder, self.course.turns(), |scope, turn| {
            let name = turn.stage.name();
            let mut dispatches = self.dispatches(once(turn)).peekable();
            while let Some(&(_, kernel)) = dispatches.peek() {
                if !self.buffers.are_ready(ready, kernel) {
                    self.buffers.make_ready(&mut scope.scope(name), &mut ready, kernel);
                }
                let mut pass = scope.scoped_compute_pass(name);
                while let Some(next) = dispatches.next_if(|&(_, kernel)| self.buffers.are_ready(ready, kernel)) {
                    self.dispatch(&mut pass, &mut ready, next);
                }
            }
        });
    }

    /// The dispatches of turns.
    fn dispatches<T: Iterator<Item = Turn>>(&self, turns: T) -> impl Iterator<Item = (Turn, Kernel)> + use<T> {
        let (dialect, sleeps) = (self.buffers.dialect(), self.course.sleeps());
        turns.flat_map(move |turn| {
            let kernels = (0..turn.stage.rounds()).flat_map(move |_| Kernel::of(turn.stage, dialect, sleeps));
            kernels.map(move |kernel| (turn, kernel))
        })
    }

    /// Dispatches a kernel for which all is ready.
    fn dispatch(&mut self, pass: &mut ComputePass, ready: &mut Ready, (turn, kernel): (Turn, Kernel)) {
        pass.set_pipeline(&self.pipelines.of(kernel).compute);
        let (group, offset) = self.buffers.group(turn, kernel);
        pass.set_bind_group(0, group, offset.as_slice());
        let [over_balls, over_blocks] = self.groups();
        match kernel.extent() {
            Extent::Awake if self.course.sleeps() => {
                pass.dispatch_workgroups_indirect(self.buffers.current(Buffer::AwakeBlocks), 0);
            }
            Extent::Balls if kernel.is_passed_over() && self.course.sleeps() => {
                pass.dispatch_workgroups_indirect(self.buffers.current(Buffer::Calm), 0);
            }
            Extent::Blocks if kernel.is_passed_over() && self.course.sleeps() => {
                let offset = 4 * u64::from(find_calm::OVER_BLOCKS);
                pass.dispatch_workgroups_indirect(self.buffers.current(Buffer::Calm), offset);
            }
            Extent::Deferred => pass.dispatch_workgroups_indirect(self.buffers.current(Buffer::Deferred), 0),
            Extent::Balls | Extent::Awake => self.gpu.dispatch(pass, over_balls),
            Extent::Blocks => self.gpu.dispatch(pass, over_blocks),
            Extent::One => self.gpu.dispatch(pass, 1),
        }
        self.buffers.advance(ready, kernel);
    }

    /// Workgroups of a kernel over all balls, and of one over all blocks of cells.
    fn groups(&self) -> [u32; 2] {
        let params = self.course.params();
        [params.count.div_ceil(WORKGROUP), blocks_of(params.cells)]
    }

    /// Says that something has changed since the last step, so that the next is not passed over.
    pub(super) fn stir(&self) {
        self.buffers.stir(&self.gpu.queue, self.groups().map(|groups| self.gpu.rows(groups)));
    }

    /// Runs one stage by itself.
    pub(crate) fn run(&mut self, turn: Turn) {
        self.tell_params();
        let mut encoder = self.encoder(turn.stage.name());
        self.encode_turns(&mut encoder, turn.stage.name(), once(turn));
        self.gpu.queue.submit([encoder.finish()]);
    }
}
