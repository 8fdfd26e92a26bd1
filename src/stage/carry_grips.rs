//! `carry_grips`: what each ball remembers of its contacts, from the list of the step before to the new one.
//!
//! A grip belongs to two ids: the ball's, whose old slot is known by its place in the cell, and the partner's, which is
//! looked up in the old list. A contact that is new has no slip; one that is listed no more is forgotten. The list ends at
//! a partner of NONE, as the surfaces' list after it does.

use super::contact_pass::surface_id;
use super::friction_pass::{GRIPS, Grip};
use super::{Access, Bindings, Buffer, NONE, SLOTS};
use crate::{Body, Home, Partner, Record, Slip, Surface};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
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

/// Writes the new grips of a ball: of its candidates, of the ids given, and of the surfaces near it. `old` are its grips
/// of the step before.
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

/// The grips of slots by id, of which the first `balls` are balls, that remember `slips`.
pub(crate) fn grips_of(slips: &[Slip], bodies: &[Record], balls: usize) -> Vec<Grip> {
    let mut grips = vec![NO_GRIP; bodies.len() * GRIPS as usize];
    let mut remember = |ball: usize, partner: usize, px: f32| {
        let first = if partner < bodies.len() { 0..SLOTS } else { SLOTS..GRIPS };
        let slots = ball * GRIPS as usize + first.start as usize..ball * GRIPS as usize + first.end as usize;
        if let Some(free) = grips[slots].iter_mut().find(|grip| grip.partner == NONE) {
            *free = Grip { partner: partner as u32, slip: px };
        }
    };
    for &Slip { ball, partner, px } in slips {
        let id = match partner {
            Partner::Ball(id) => id,
            Partner::Piece(index) => balls + index,
            Partner::Surface(index) => surface_id(index) as usize,
        };
        remember(ball, id, px);
        if bodies.get(id).is_some_and(Record::is_movable) {
            remember(id, ball, px);
        }
    }
    grips
}

/// What grips remember, a pair once, by ball.
pub(crate) fn slips_of(grips: &[Grip], homes: &[Home], bodies: &[Body]) -> Vec<Slip> {
    let mut slips = Vec::new();
    for (grips, home) in grips.chunks(GRIPS as usize).zip(homes) {
        let ball = home.id as usize;
        let (of_balls, of_surfaces) = grips.split_at(SLOTS as usize);
        let known = [of_balls, of_surfaces].map(|grips| grips.iter().take_while(|grip| grip.partner != NONE));
        for grip in known.into_iter().flatten().filter(|grip| grip.slip != 0.0) {
            let id = grip.partner as usize;
            let partner = match bodies.get(id) {
                // The lower of two movable ones has told of it.
                Some(other) if id < ball && other.is_movable() => continue,
                Some(_) => Partner::Ball(id),
                None if grip.partner > surface_id(Surface::MOST) => {
                    Partner::Surface((surface_id(0) - grip.partner) as usize)
                }
                None => Partner::Piece(id - bodies.len()),
            };
            slips.push(Slip { ball, partner, px: grip.slip });
        }
    }
    slips.sort_by_key(|slip| slip.ball);
    slips
}

// No surface's id is a ball's.
const _: () = assert!(crate::World::MOST_BODIES < (NONE as usize) - Surface::MOST);
