//! The readout's measures, copied back behind the frame: asked in one, read in a later one, and nobody waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use wgpu::{Buffer, BufferUsages, CommandEncoder, MapMode, PollType};

use super::Gpu;
use crate::stage::measure::WORDS;
use crate::{Readout, Result};

const BYTES: u64 = (WORDS * size_of::<u32>()) as u64;

pub(super) struct ReadoutQuery {
    staging: Buffer,
    pending: bool,
    ready: Arc<AtomicBool>,
    newest: Readout,
}

impl ReadoutQuery {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            staging: gpu.buffer("readout", BYTES, BufferUsages::MAP_READ | BufferUsages::COPY_DST),
            pending: false,
            ready: Arc::default(),
            newest: Readout::default(),
        }
    }

    /// Whether no question is under way.
    pub(super) fn is_idle(&self) -> bool {
        !self.pending
    }

    /// Submits `encoder`, which writes `measures`, and asks for them.
    pub(super) fn ask(&mut self, gpu: &Gpu, mut encoder: CommandEncoder, measures: &Buffer) {
        encoder.copy_buffer_to_buffer(measures, 0, &self.staging, 0, BYTES);
        gpu.queue.submit([encoder.finish()]);
        self.ready.store(false, Ordering::Release);
        let ready = Arc::clone(&self.ready);
        self.staging.slice(..BYTES).map_async(MapMode::Read, move |_| ready.store(true, Ordering::Release));
        self.pending = true;
    }

    /// Waits for the answer to the last question. A device may be done before it says so: ask until it does.
    ///
    /// # Errors
    /// [`crate::Error::Device`] if the device has failed.
    pub(super) fn wait(&mut self, gpu: &Gpu) -> Result<Readout> {
        while self.pending {
            gpu.wait()?;
            self.newest(gpu);
        }
        // A device that was lost meanwhile answers nothing, and the newest answer is an old one.
        gpu.check()?;
        Ok(self.newest)
    }

    /// The newest answer that has come.
    pub(super) fn newest(&mut self, gpu: &Gpu) -> Readout {
        // A device that has failed says so at the next step; here the last readout stays.
        let _ = gpu.device.poll(PollType::Poll);
        if self.pending && self.ready.load(Ordering::Acquire) {
            if let Ok(mapped) = self.staging.slice(..BYTES).get_mapped_range() {
                let words: [u32; WORDS] = bytemuck::pod_read_unaligned(&mapped[..]);
                self.newest = words.into();
            }
            self.staging.unmap();
            self.pending = false;
        }
        self.newest
    }
}
