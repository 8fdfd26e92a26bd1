//! The stages of actors.

use rayon::prelude::*;

use super::CpuEngine;
use crate::Record;
use crate::actor::ActorRecord;
use crate::stage::lanes::SHARE;
use crate::stage::{follow, note_slots, steer};

impl CpuEngine {
    pub(super) fn steer_actors(&mut self) {
        let (steering, balls) = (self.course.steering(), self.course.params().balls as usize);
        let (actors, orders) = (&self.balls.actors, &self.balls.orders);
        let slots = self.balls.bodies[..balls].par_iter_mut().zip(&self.balls.homes).with_min_len(SHARE);
        let steered: Vec<(usize, usize, ActorRecord)> = slots
            .enumerate()
            .filter_map(|(slot, (body, home))| {
                let id = home.id as usize;
                let actor = actors[id];
                if !actor.is_present() {
                    return None;
                }
                let (actor, steered) = steer::steer(steering, &orders[id], (actor, *body));
                *body = steered;
                Some((slot, id, actor))
            })
            .collect();
        for (slot, id, actor) in steered {
            self.balls.actors[id] = actor;
            // A sleeper that is sent somewhere wakes.
            self.calm.disturb(slot);
        }
    }

    pub(super) fn note_slots(&mut self) {
        let balls = self.course.params().balls as usize;
        note_slots::note_slots(&self.balls.homes[..balls], &mut self.balls.slot_of);
    }

    pub(super) fn follow(&mut self) {
        let balls = self.course.params().balls as usize;
        let (bodies, actors, slot_of) = (&self.balls.bodies, &self.balls.actors, &self.balls.slot_of);
        let slots = (0..balls).into_par_iter().with_min_len(SHARE);
        let followed: Vec<(usize, Record)> = slots
            .filter_map(|slot| {
                let child = &actors[self.balls.homes[slot].id as usize];
                let is_child = child.is_present() && child.is_child() && !bodies[slot].is_erased();
                is_child.then(|| {
                    let parent = &bodies[slot_of[child.parent as usize] as usize];
                    (slot, follow::follow(child, parent, &bodies[slot]))
                })
            })
            .collect();
        followed.into_iter().for_each(|(slot, body)| self.balls.bodies[slot] = body);
    }
}
