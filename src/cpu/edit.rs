//! Edits of a running world: the same as on a GPU, in the slots as they lie.

use super::CpuEngine;
use super::calm::Calm;
use super::cells::Cells;
use crate::course::{Change, Tail};
use crate::params::Stroke;
use crate::stage::friction_pass::GRIPS;
use crate::stage::grid_reorder::lanes::Places;
use crate::stage::list_contacts::Nearby;
use crate::stage::list_contacts::lists::Lists;
use crate::stage::{NONE, brush};
use crate::step::Turn;
use crate::{Engine, Stage};

impl CpuEngine {
    /// Carries out what an edit comes to.
    pub(super) fn make(&mut self, change: Change) {
        match change {
            Change::Stroke(stroke) => self.strike(stroke),
            Change::Tail(tail) => self.put_behind(*tail),
        }
    }

    fn strike(&mut self, stroke: Stroke) {
        if stroke.erases() {
            self.release();
        }
        self.stroke = stroke;
        self.run(Turn::of(Stage::Brush));
    }

    pub(super) fn brush(&mut self) {
        self.calm.disturb_all();
        let balls = &mut self.balls;
        let slots = balls.bodies.iter_mut().zip(&balls.homes).zip(&mut balls.wake).enumerate();
        for (slot, ((body, home), wake)) in slots.take(self.course.params().balls as usize) {
            let stamp = &mut balls.stamps[home.id as usize];
            let brushed = brush::brush(&self.stroke, home.id, *stamp, body);
            (*body, *stamp) = (brushed.body, brushed.stamp);
            if brushed.wakes {
                *wake = 1;
            }
            if brushed.stops && self.course.traits().rolls {
                balls.spins[slot].rate = 0.0;
            }
        }
    }

    /// Puts new balls and all pieces behind the balls that there are. Until the next step has sorted them in, nobody
    /// has neighbours, as in a new engine.
    fn put_behind(&mut self, Tail { course, slotted, wakes }: Tail) {
        let balls = &mut self.balls;
        let first = self.course.params().balls as usize;
        put_at(&mut balls.bodies, first, slotted.bodies);
        put_at(&mut balls.homes, first, slotted.homes);
        put_at(&mut balls.spins, first, slotted.spins);
        put_at(&mut balls.grips, first * GRIPS as usize, slotted.grips);
        let count = balls.bodies.len();
        balls.bodies_out.clone_from(&balls.bodies);
        balls.spins_out.clone_from(&balls.spins);
        balls.grips_out.clone_from(&balls.grips);
        balls.places = Places::new(count);
        // What lists hold past their ends may be there no more.
        balls.lists = Lists::new(count);
        balls.nearby = vec![Nearby::default(); count];
        balls.supporter = vec![NONE; count];
        balls.supporter_out = vec![NONE; count];
        balls.stamps.resize(course.params().balls as usize, 0);
        balls.wake.truncate(first);
        balls.wake.resize(count, 0);
        if wakes {
            balls.wake.fill(1);
        }
        self.cells = Cells::new(count, course.params().cells);
        self.calm = Calm::none(count);
        balls.actors.extend(slotted.actors);
        balls.slot_of.resize(balls.actors.len(), 0);
        balls.orders = course.orders();
        self.course = course;
    }
}

/// Replaces what lies from `first` on.
fn put_at<T>(items: &mut Vec<T>, first: usize, tail: Vec<T>) {
    items.truncate(first);
    items.extend(tail);
}
