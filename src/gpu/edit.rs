//! Edits of a running world: written behind the balls that are there, or done by a kernel. Nothing is read back.

use wgpu::CommandEncoder;

use super::GpuEngine;
use super::buffers::{Buffers, Room};
use super::pipelines::Pipelines;
use crate::course::{Change, Tail};
use crate::params::Stroke;
use crate::step::Turn;
use crate::{Engine, Result, Stage};

impl GpuEngine {
    /// Carries out what an edit comes to.
    ///
    /// # Errors
    /// [`crate::Error::TooManyBalls`] for more than the device holds, [`crate::Error::Device`] if it gives no room for
    /// what it should hold; nothing has changed then.
    pub(super) fn make(&mut self, change: Change) -> Result<()> {
        match change {
            Change::Stroke(stroke) => self.strike(stroke),
            Change::Tail(tail) => self.put_behind(*tail)?,
        }
        Ok(())
    }

    fn strike(&mut self, stroke: Stroke) {
        if stroke.erases() {
            self.release();
        }
        self.buffers.write_stroke(&self.gpu.queue, &stroke);
        self.run(Turn::of(Stage::Brush));
    }

    /// Puts new balls and all pieces behind the balls that there are. Until the next step has sorted them in, nobody
    /// has neighbours, as in a new engine.
    fn put_behind(&mut self, Tail { mut course, slotted, wakes }: Tail) -> Result<()> {
        let room = self.buffers.room().for_all(&self.gpu, &course)?;
        course.make_room(room.slots);
        let mut encoder = self.encoder("edit");
        let pipelines = self.gpu.pipelines(self.arithmetic, course.traits(), room.dialect(&self.gpu));
        if room != self.buffers.room() {
            self.buffers = self.grown(&mut encoder, &pipelines, room)?;
        } else if course.traits() != self.course.traits() {
            self.buffers.bind(&self.gpu, &pipelines);
        }
        self.pipelines = pipelines;
        self.buffers.forget_neighbours(&mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
        self.buffers.write_slots(&self.gpu.queue, self.course.params().balls, &slotted);
        if wakes {
            self.buffers.wake_all(&self.gpu.queue);
        }
        self.buffers.write_orders(&self.gpu.queue, &course.orders());
        self.course = course;
        self.is_stale = true;
        self.tell_params();
        Ok(())
    }

    /// Larger buffers, with what the ones at hand hold of the balls.
    fn grown(&self, encoder: &mut CommandEncoder, pipelines: &Pipelines, room: Room) -> Result<Buffers> {
        let grown = Buffers::new(&self.gpu, pipelines, room)?;
        // Memory that ran out is told of here; the encoder holds nothing yet.
        self.gpu.check()?;
        grown.take_over(encoder, &self.buffers, self.course.params().balls);
        Ok(grown)
    }
}
