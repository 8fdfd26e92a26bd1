//! The stages of what rubs and turns.

use rayon::prelude::*;

use super::CpuEngine;
use crate::params::Kick;
use crate::stage::carry_grips::{carry_grips, may_touch};
use crate::stage::carry_spins::carry_spins;
use crate::stage::contact_pass::surface_id;
use crate::stage::friction_pass::GRIPS;
use crate::stage::friction_pass::lanes::{Rubbed, friction_passes};
use crate::stage::lanes::SHARE;
use crate::stage::list_contacts::bits;

impl CpuEngine {
    pub(super) fn carry_spins(&mut self) {
        let balls = &mut self.balls;
        let spins = &balls.spins;
        let shares = balls.spins_out.par_chunks_mut(SHARE).zip(self.cells.members.par_chunks(SHARE));
        let unsettled = shares.zip(self.calm.shares()).filter(|(_, rest)| rest.is_unsettled());
        unsettled.for_each(|((out, members), _)| {
            out.iter_mut().zip(members).for_each(|(spin, &[_, slot])| *spin = carry_spins(spins[slot as usize]));
        });
        std::mem::swap(&mut balls.spins, &mut balls.spins_out);
    }

    pub(super) fn carry_grips(&mut self) {
        let mut out = std::mem::take(&mut self.balls.grips_out);
        let (view, old) = (self.view(0.0), &self.balls.grips);
        let slots = out.par_chunks_mut(GRIPS as usize).zip(&self.cells.members).enumerate().with_min_len(SHARE);
        let unsettled = slots.filter(|(i, _)| self.calm.shares()[i / SHARE].is_unsettled());
        unsettled.for_each(|(i, (grips, &[_, slot]))| {
            let first = slot as usize * GRIPS as usize;
            let old = &old[first..first + GRIPS as usize];
            if view.body(i).is_asleep() {
                return grips.copy_from_slice(old);
            }
            let candidates = view.listed(i).map(|j| view.around.homes[j].id);
            let (params, body, home) = (view.params(), view.body(i), &view.around.homes[i]);
            let near = bits(view.nearby[i].surfaces);
            let touched = near.filter(|&index| may_touch(params, body, home, &params.surfaces[index]));
            carry_grips(old, candidates, touched.map(surface_id), grips);
        });
        self.balls.grips_out = std::mem::replace(&mut self.balls.grips, out);
    }

    pub(super) fn friction_pass(&mut self, kick: &Kick) {
        let mut out = std::mem::take(&mut self.balls.bodies_out);
        let mut grips = std::mem::take(&mut self.balls.grips);
        let mut spins_out = std::mem::take(&mut self.balls.spins_out);
        let (view, spins) = (self.view(kick.elapsed_s), &self.balls.spins);
        let slots = out.par_chunks_mut(SHARE).zip(spins_out.par_chunks_mut(SHARE));
        let shares = slots.zip(grips.par_chunks_mut(SHARE * GRIPS as usize)).zip(self.calm.shares()).enumerate();
        let unsettled = shares.filter(|(_, (_, rest))| rest.is_unsettled());
        unsettled.for_each(|(share, (((bodies, spins_out), grips), _))| {
            let out = Rubbed { first: share * SHARE, bodies, spins: spins_out, grips };
            friction_passes(self.level, &view, spins, out);
        });
        self.balls.bodies_out = out;
        self.balls.grips = grips;
        self.balls.spins_out = std::mem::replace(&mut self.balls.spins, spins_out);
        self.balls.swap();
    }
}
