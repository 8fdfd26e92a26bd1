//! The stages that order the balls by cell, and find out who is awake, who may meet whom, and who stands on the ground.

use rayon::prelude::*;

use super::CpuEngine;
use crate::stage::find_awake::all_sleep;
use crate::stage::find_ground::{self, GROUND};
use crate::stage::grid_reorder::lanes::{Homes, homes};
use crate::stage::lanes::SHARE;
use crate::stage::list_contacts::lanes::{ListedShare, lists_of_contacts};
use crate::stage::list_contacts::{Nearby, Neighbourhood};
use crate::stage::wake_up;

impl CpuEngine {
    pub(super) fn grid_count(&mut self) {
        let balls = (self.balls.bodies.as_slice(), self.balls.homes.as_slice());
        self.cells.count(self.level, self.course.params(), balls, &self.calm);
    }

    pub(super) fn grid_reorder(&mut self) {
        let (params, bodies, stay) = (self.course.params(), &self.balls.bodies, self.cells.stay());
        let members = self.cells.members.par_chunks(SHARE).zip(self.calm.shares()).enumerate();
        let homes_out = self.balls.homes.par_chunks_mut(SHARE).zip(self.balls.places.shares_mut(SHARE));
        let slots = self.balls.bodies_out.par_chunks_mut(SHARE).zip(homes_out);
        let busy = slots.zip(members).filter(|(_, (_, (_, rest)))| rest.is_busy());
        busy.for_each(|((out, (homes_out, places)), (share, (members, _)))| {
            let first = share * SHARE;
            let homes_out = Homes { first: first as u32, homes: homes_out, places };
            if stay {
                homes(self.level, params, &bodies[first..first + out.len()], members, homes_out);
            } else {
                out.iter_mut().zip(members).for_each(|(body, &[_, slot])| *body = bodies[slot as usize]);
                homes(self.level, params, out, members, homes_out);
            }
        });
        if !stay {
            self.balls.swap();
        }
    }

    pub(super) fn find_awake(&mut self) {
        let balls = &mut self.balls;
        let of_balls = balls.nearby.par_chunks_mut(SHARE).zip(balls.supporter.par_chunks_mut(SHARE));
        let bodies = balls.bodies.par_chunks(SHARE).zip(balls.bodies_out.par_chunks_mut(SHARE));
        let shares = bodies.zip(of_balls).zip(self.calm.shares_mut());
        shares.for_each(|(((bodies, bodies_out), (nearby, supporter)), rest)| {
            let was_busy = rest.is_busy();
            *rest = rest.after_step(!was_busy || all_sleep(bodies));
            if was_busy && !rest.is_busy() {
                bodies_out.copy_from_slice(bodies);
                nearby.fill(Nearby::default());
                supporter.fill(GROUND);
            }
        });
    }

    pub(super) fn list_contacts(&mut self) {
        let balls = &mut self.balls;
        let around = Neighbourhood {
            params: self.course.params(),
            homes: &balls.homes,
            bodies: &balls.bodies,
            cell_start: &self.cells.start,
        };
        let (level, places) = (self.level, &balls.places);
        let of_balls = balls.nearby.par_chunks_mut(SHARE).zip(balls.supporter.par_chunks_mut(SHARE));
        let lists = balls.lists.shares_mut().zip(of_balls);
        let shares = lists.zip(balls.bodies_out.par_chunks_mut(SHARE).zip(self.calm.shares()));
        let busy = shares.filter(|(_, (_, rest))| rest.is_busy());
        busy.for_each(|((lists, (nearby, supporter)), (bodies, _))| {
            lists_of_contacts(level, (&around, places), ListedShare { lists, nearby, supporter, bodies });
        });
        balls.swap();
    }

    pub(super) fn wake_up(&mut self) {
        let view = self.view(0.0);
        let busy = self.calm.shares().par_iter().enumerate().filter(|(_, rest)| rest.is_busy());
        let slots = |share: usize| share * SHARE..self.balls.bodies.len().min((share + 1) * SHARE);
        let woken: Vec<usize> =
            busy.flat_map_iter(|(share, _)| slots(share).flat_map(|i| wake_up::wake_up(&view, i))).collect();
        for slot in woken {
            self.balls.wake[slot] = 1;
            self.calm.disturb(slot);
        }
    }

    pub(super) fn find_ground(&mut self) {
        // Whoever sleeps stands on the ground.
        if self.calm.is_everywhere() {
            return;
        }
        let (params, balls) = (self.course.params(), &mut self.balls);
        balls.hops.resize(balls.supporter.len(), 0);
        // Rows of cells go down the y axis, and slots along them.
        let from_last = params.down_x + params.down_y > 0.0;
        find_ground::find_ground(&balls.supporter, &mut balls.supporter_out, &mut balls.hops, from_last);
        std::mem::swap(&mut balls.supporter, &mut balls.supporter_out);
    }
}
