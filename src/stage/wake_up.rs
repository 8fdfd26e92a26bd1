//! `wake_up`: which sleepers wake as the next step begins. Runs only where balls may sleep.
//!
//! A ball whose steps have all ended slower than the sleep speed for as long as the settings ask sleeps: `apply_forces`
//! counts its quiet steps (in [`crate::Record::flags`]) and stops it. From then on its record carries the inverse mass
//! −w and the split 0. To whoever meets it, it is an immovable ball and ground to stand on, and no stage has to know
//! more of it: nothing walks the grid for it, and a pass leaves it alone (see `find_awake`).
//!
//! A ball that ended the step before faster than the wake speed, or that the pointer holds, wakes every sleeper among
//! its candidates. In a world with sleep reaches look two steps ahead instead of one, so that a sleeper is awake when
//! it is hit; and whatever leaned on a ball that is pulled away wakes, too. One that only creeps, but no slower than
//! the sleep speed, wakes those above it that it does not touch any more, so that nothing stays hanging in the air. A
//! word for each slot says who wakes, until `apply_forces` of the next step makes it a ball again. A ball that lies on
//! sleepers without moving wakes nobody, or nothing would fall asleep but all at once.

use super::contact::direction;
use super::contact_pass::View;
use super::find_ground::{NEAR, STEEP};
use super::{Access, Bindings, Buffer};
use crate::Record;
use crate::exact::min;
use crate::params::Params;

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Read),
    (Buffer::Homes, Access::Read),
    (Buffer::CellStart, Access::Read),
    (Buffer::Candidates, Access::Read),
    (Buffer::Nearby, Access::Read),
    (Buffer::Wake, Access::Write),
    (Buffer::AwakeBlocks, Access::Read),
];

/// The slots of the sleepers that the ball in slot `i` wakes.
pub(crate) fn wake_up(view: &View, i: usize) -> Vec<usize> {
    let (params, bodies) = (view.params(), view.around.bodies);
    let body = &bodies[i];
    let mut woken = Vec::new();
    // What the coming substep's gravity has added is no motion yet.
    let (vx, vy) = (body.vx - params.kick_x, body.vy - params.kick_y);
    let speed_squared = vx * vx + vy * vy;
    let rouses = body.is_held() || speed_squared > params.wake_speed_squared;
    if body.is_movable() && (rouses || speed_squared > params.sleep_speed_squared) {
        view.for_each_candidate(i, |j| {
            if bodies[j].is_asleep() && (rouses || hangs_over(params, bodies, i, j)) {
                woken.push(j);
            }
        });
    }
    woken
}

/// Whether the ball in slot `j` is above that in slot `i` and does not touch it.
fn hangs_over(params: &Params, bodies: &[Record], i: usize, j: usize) -> bool {
    let (body, other) = (&bodies[i], &bodies[j]);
    let (nx, ny, distance) = direction(body, other, (i, j));
    let gap = distance - (body.radius + other.radius);
    gap > NEAR * min(body.radius, other.radius) && nx * params.down_x + ny * params.down_y < -STEEP
}
