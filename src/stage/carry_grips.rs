//! `carry_grips`: what each ball remembers of its contacts, from the list of the step before to the new one.
//!
//! A grip belongs to two ids: the ball's, whose old slot is known by its place in the cell, and the partner's, which is
//! looked up in the old list. A contact that is new has no slip; one that is listed no more is forgotten, but a
//! sleeper, which keeps no list, keeps its grips as they were. The list ends at a partner of NONE, as that of the
//! surfaces which the ball may touch does after it.

use std::ops::Range;

use super::contact::{surface_gap, surface_velocity};
use super::contact_pass::surface_id;
use super::friction_pass::{GRIPS, Grip};
use super::{Access, Bindings, Buffer, NONE, SLOTS};
use crate::exact::max;
use crate::params::{Params, SurfaceParams};
use crate::{Home, Partner, Record, Slip, Surface, World};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Read),
    (Buffer::Homes, Access::Read),
    (Buffer::CellStart, Access::Read),
    (Buffer::Members, Access::Read),
    (Buffer::Candidates, Access::Read),
    (Buffer::Nearby, Access::Read),
    (Buffer::Grips, Access::Read),
    (Buffer::GripsOut, Access::Write),
];

/// No more partners.
pub(crate) const NO_GRIP: Grip = Grip { partner: NONE, slip: 0.0 };

/// Whether a ball may come to touch a surface within the step, by its own speed and the surface's: the slots are few.
pub(crate) fn may_touch(params: &Params, body: &Record, home: &Home, surface: &SurfaceParams) -> bool {
    let (vx, vy) = surface_velocity(body, surface);
    let nearing = vx * surface.normal_x + vy * surface.normal_y;
    surface_gap(body, surface) < (home.reach - body.radius) + max(nearing * params.step_s, 0.0)
}

/// Writes the new grips of a ball: of its candidates, of the ids given, and of the surfaces that it may touch. `old`
/// are its grips of the step before.
pub(crate) fn carry_grips(
    old: &[Grip],
    candidates: impl Iterator<Item = u32>,
    surfaces: impl Iterator<Item = u32>,
    out: &mut [Grip],
) {
    let (old_balls, old_surfaces) = old.split_at(SLOTS as usize);
    let (balls, of_surfaces) = out.split_at_mut(SLOTS as usize);
    carry(old_balls, candidates, balls);
    carry(old_surfaces, surfaces, of_surfaces);
}

fn carry(old: &[Grip], partners: impl Iterator<Item = u32>, out: &mut [Grip]) {
    let mut partners = partners;
    for grip in out {
        let Some(partner) = partners.next() else {
            *grip = NO_GRIP;
            return;
        };
        let mut known = old.iter().take_while(|grip| grip.partner != NONE);
        let slip = known.find(|grip| grip.partner == partner).map_or(0.0, |grip| grip.slip);
        *grip = Grip { partner, slip };
    }
}

/// The grips of `count` slots by id that remember `slips`; the first piece has the id `first_piece`.
pub(crate) fn grips_of(slips: &[Slip], count: usize, first_piece: u32) -> Vec<Grip> {
    let mut grips = vec![NO_GRIP; count * GRIPS as usize];
    for &Slip { ball, partner, px } in slips {
        let (partner, slots) = match partner {
            Partner::Ball(id) => (id as u32, 0..SLOTS),
            Partner::Piece(index) => (first_piece + index as u32, 0..SLOTS),
            Partner::Surface(index) => (surface_id(index), SLOTS..GRIPS),
        };
        let first = ball * GRIPS as usize;
        let slots = &mut grips[first + slots.start as usize..first + slots.end as usize];
        if let Some(free) = slots.iter_mut().find(|grip| grip.partner == NONE) {
            *free = Grip { partner, slip: px };
        }
    }
    grips
}

/// What the grips of balls, whose homes these are, remember: by ball, each list in its own order. Of pieces, only those
/// with these ids are there still.
pub(crate) fn slips_of(grips: &[Grip], homes: &[Home], pieces: Range<u32>) -> Vec<Slip> {
    let mut slips = Vec::new();
    for (grips, home) in grips.chunks(GRIPS as usize).zip(homes) {
        let (of_balls, of_surfaces) = grips.split_at(SLOTS as usize);
        let known = [of_balls, of_surfaces].map(|grips| grips.iter().take_while(|grip| grip.partner != NONE));
        for grip in known.into_iter().flatten().filter(|grip| grip.slip != 0.0) {
            let id = grip.partner;
            let partner = if id > surface_id(Surface::MOST) {
                Partner::Surface((surface_id(0) - id) as usize)
            } else if pieces.contains(&id) {
                Partner::Piece((id - pieces.start) as usize)
            } else if (id as usize) < World::MOST_BODIES {
                Partner::Ball(id as usize)
            } else {
                continue;
            };
            slips.push(Slip { ball: home.id as usize, partner, px: grip.slip });
        }
    }
    slips.sort_by_key(|slip| slip.ball);
    slips
}

// No surface's id is a ball's.
const _: () = assert!(World::MOST_BODIES < (NONE as usize) - Surface::MOST);
