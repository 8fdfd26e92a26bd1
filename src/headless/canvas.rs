//! Pictures of a run's balls, without a window.

use ballpit::render::{Balls, Offscreen, View};
use ballpit::{Error, Gpu, Readout, World};

use super::machine::Machine;
use crate::colours::Ramps;
use crate::look::Look;
use crate::uploads::Uploads;

/// What pictures are drawn on, all of one size and one look.
pub(super) struct Canvas {
    gpu: Gpu,
    target: Offscreen,
    uploads: Uploads,
    size: (u32, u32),
    look: Look,
    /// The world's box and the ends of its colours; its balls are the engine's.
    room: World,
    ramps: Ramps,
}

impl Canvas {
    /// A canvas of `size` pixels for a world.
    ///
    /// # Errors
    /// [`Error::Value`] for a size that the device can't draw on.
    pub(super) fn new(gpu: &Gpu, size: (u32, u32), look: Look, world: &World) -> Result<Self, Error> {
        let (target, uploads) = (Offscreen::new(gpu, size)?, Uploads::new(gpu));
        Ok(Self { gpu: gpu.clone(), target, uploads, size, look, room: world.room(), ramps: Ramps::of(world) })
    }

    /// Turns to a world whose time begins anew.
    pub(super) fn turn_to(&mut self, world: &World) {
        // The engine of the run before is gone.
        self.target.forget();
        (self.room, self.ramps) = (world.room(), Ramps::of(world));
    }

    /// How its pictures look.
    pub(super) fn look(&self) -> &Look {
        &self.look
    }

    /// Has `draw` draw the balls as they were at a share of the last step, sent to the device where they are not there
    /// already; `stand` says where on the canvas the room is.
    ///
    /// # Errors
    /// Those of the engine and of the device.
    pub(super) fn draw<T>(
        &mut self,
        machine: &mut Machine,
        alpha: f32,
        stand: fn(&World, (u32, u32)) -> View<'_>,
        draw: impl FnOnce(&mut Offscreen, &Balls, &View) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.uploads.send_seen(&mut machine.engine, &mut encoder, &self.look)?;
        self.gpu.queue.submit([encoder.finish()]);
        let counts = if self.room.counters.is_empty() { Readout::default() } else { machine.readout()? }.counts;
        let view = View {
            alpha,
            colour: self.ramps.colour(self.look.colour),
            map: self.look.map,
            show: self.look.show,
            lattice: machine.engine.lattice(),
            surfaces: machine.engine.get().surfaces(),
            counters: &self.room.counters,
            counts: &counts,
            ..stand(&self.room, self.size)
        };
        draw(&mut self.target, &self.uploads.balls(&machine.engine), &view)
    }
}

/// Where a room stands that has the canvas to itself.
pub(super) fn alone(room: &World, size: (u32, u32)) -> View<'_> {
    View::of(room, size)
}
