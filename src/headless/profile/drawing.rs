//! The time that a picture of the balls takes, without a window.

use std::time::Instant;

use ballpit::render::{Offscreen, View};
use ballpit::{Gpu, Result, World};

use crate::colours::Ramps;
use crate::headless::machine::Machine;
use crate::look::Look;
use crate::uploads::Uploads;

/// What pictures are drawn with.
pub(super) struct Drawing {
    gpu: Gpu,
    target: Offscreen,
    uploads: Uploads,
    size: (u32, u32),
    room: World,
    ramps: Ramps,
}

impl Drawing {
    /// Pictures of `size` pixels of a world.
    ///
    /// # Errors
    /// [`ballpit::Error::Value`] for a size that the device can't draw on.
    pub(super) fn new(gpu: &Gpu, size: (u32, u32), world: &World) -> Result<Self> {
        let (target, uploads) = (Offscreen::new(gpu, size)?, Uploads::new(gpu));
        Ok(Self { gpu: gpu.clone(), target, uploads, size, room: world.room(), ramps: Ramps::of(world) })
    }

    /// Draws the balls as they are, sent to the device where they are not there already; ms until that is done.
    ///
    /// # Errors
    /// Those of the engine and of the device.
    pub(super) fn ms(&mut self, machine: &mut Machine) -> Result<f64> {
        let (started, look) = (Instant::now(), Look::default());
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.uploads.send_seen(&mut machine.engine, &mut encoder, &look)?;
        self.gpu.queue.submit([encoder.finish()]);
        let view = View {
            colour: self.ramps.colour(look.colour),
            surfaces: machine.engine.get().surfaces(),
            ..View::of(&self.room, self.size)
        };
        self.target.paint(&self.uploads.balls(&machine.engine), &view)?;
        Ok(started.elapsed().as_secs_f64() * 1e3)
    }
}
