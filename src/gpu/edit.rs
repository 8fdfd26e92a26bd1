//! Edits of a running world: written behind the balls that are there, or done by a kernel. Nothing is read back.

use wgpu::CommandEncoder;

use super::GpuEngine;
use super::buffers::{Buffers, Room};
use crate::course::{Change, Tail};
use crate::params::Stroke;
use crate::step::Turn;
use crate::{Engine, Result, Stage};

impl GpuEngine {
    /// Carries out what an edit comes to.
    ///
    /// # Errors
    /// [`crate::Error::TooManyBalls`] for more than the device holds; nothing has changed then.
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

    /// Puts new balls and all pieces behind the balls that there are. Until the next step has sorted them in, nobody has
    /// neighbours, as in a new engine.
    fn put_behind(&mut self, Tail { mut course, slotted, wakes }: Tail) -> Result<()> {
        let room = self.buffers.room().for_all(&self.gpu, &course)?;
        course.make_room(room.slots);
        let mut encoder = self.encoder("edit");
        let is_other_kind = course.traits() != self.course.traits();
        if is_other_kind {
            self.pipelines = self.gpu.pipelines(self.arithmetic, course.traits());
        }
        if room != self.buffers.room() {
            self.grow(&mut encoder, room)?;
        } else if is_other_kind {
            self.buffers.bind(&self.gpu, &self.pipelines);
        }
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

    /// Takes larger buffers, with what the old ones hold of the balls.
    fn grow(&mut self, encoder: &mut CommandEncoder, room: Room) -> Result<()> {
        let grown = Buffers::new(&self.gpu, &self.pipelines, room)?;
        grown.take_over(encoder, &self.buffers, self.course.params().balls);
        self.buffers = grown;
        Ok(())
    }
}
