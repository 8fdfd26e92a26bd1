//! [`apply_forces`] for sixteen balls at a time. A ball that can't move, that is held or woken, or that falls asleep, is
//! done by itself.

use fearless_simd::{Level, dispatch, f32x16, prelude::*, u32x16};

use super::apply_forces;
use crate::Record;
use crate::params::{Kick, Params, Pointer};
use crate::stage::lanes::{ALL, Exact, LANES, Sixteen, lanes_of};

/// What is asked of some balls beside what the step does to all.
pub(crate) struct Roused<'a> {
    /// Which of them is held.
    pub(crate) held: Option<usize>,
    /// 1 for each sleeper that wakes; 0 after.
    pub(crate) wake: &'a mut [u32],
}

impl Roused<'_> {
    fn take(&mut self, index: usize) -> (bool, bool) {
        (self.held == Some(index), std::mem::take(&mut self.wake[index]) > 0)
    }
}

/// Balls as they enter the step.
pub(crate) fn apply_forces_to(
    level: Level,
    params: &Params,
    forces: (&Kick, &Pointer),
    mut roused: Roused,
    bodies: &mut [Record],
) {
    let whole = bodies.len() / LANES * LANES;
    dispatch!(level, simd => {
        for first in (0..whole).step_by(LANES) {
            let alone = block(simd, params, forces.0, (first, &roused), bodies);
            for lane in lanes_of(alone) {
                let (roused, body) = (roused.take(first + lane), &mut bodies[first + lane]);
                *body = apply_forces(params, forces, roused, body);
            }
        }
    });
    for (slot, body) in bodies.iter_mut().enumerate().skip(whole) {
        *body = apply_forces(params, forces, roused.take(slot), body);
    }
}

/// Does the block that begins at a slot but for the balls that it returns a bit for.
#[inline(always)]
fn block<S: Simd>(
    simd: S,
    params: &Params,
    kick: &Kick,
    (first, roused): (usize, &Roused),
    bodies: &mut [Record],
) -> u64 {
    let (exact, own) = (Exact(simd), Sixteen::from(simd, bodies, first));
    let whole = |number: u32| u32x16::splat(simd, number);
    let woken = u32x16::from_slice(simd, &roused.wake[first..first + LANES]).simd_gt(whole(0));
    let held = roused.held.and_then(|held| held.checked_sub(first)).filter(|lane| *lane < LANES);
    let asleep = own.inverse_mass.simd_lt(exact.all(0.0)) & !woken;
    // Nothing acts on a sleeper.
    if held.is_none() && asleep.all_true() {
        return 0;
    }
    let speed_squared = own.vx * own.vx + own.vy * own.vy;
    let is_slow = speed_squared.simd_lt(exact.all(params.sleep_speed_squared));
    let flags = u32x16::truncate_from(own.flags);
    let quiet_steps = is_slow.select((flags >> Record::QUIET.trailing_zeros()) + whole(1), whole(0));
    let limit = own.radius * exact.all(params.hurry_rate);
    let is_hurried = speed_squared.simd_gt(limit * limit);
    let kept = flags & whole(Record::DRIVEN | (Record::HELD - 1));
    let flags = kept + is_hurried.select(whole(Record::HURRIED), whole(0)) + quiet_steps * whole(Record::QUIET);
    let is_driven = (kept & whole(Record::DRIVEN)).simd_gt(whole(0));
    let drag_factor = is_driven.select(exact.all(1.0), exact.all(params.drag_factor));
    let is_plain = own.inverse_mass.simd_gt(exact.all(0.0)) & !woken & quiet_steps.simd_le(whole(params.quiet_steps));
    let alone = !is_plain.to_bitmask() & ALL | held.map_or(0, |lane| 1 << lane);
    let moved = Sixteen {
        vx: exact.snap(own.vx * drag_factor) + exact.all(kick.x),
        vy: exact.snap(own.vy * drag_factor) + exact.all(kick.y),
        flags: f32x16::float_from(flags),
        ..own
    };
    let block = &mut bodies[first..first + LANES];
    if alone == 0 {
        moved.store(simd, block);
    } else {
        let mut all = [Record::default(); LANES];
        moved.store(simd, &mut all);
        for lane in lanes_of(!alone & ALL) {
            block[lane] = all[lane];
        }
    }
    alone
}
