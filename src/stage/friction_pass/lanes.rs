//! [`friction_pass`] for sixteen balls at a time. A ball that can't move, that is crowded, in an impact, near a segment, or
//! that rubs on a surface, is done by itself.

use fearless_simd::{Level, dispatch, f32x16, mask32x16, prelude::*, u32x16};

use super::{DAMPING, GRIPS, Grip, friction_pass};
use crate::params::Params;
use crate::stage::contact_pass::View;
use crate::stage::find_ground::NEAR;
use crate::stage::lanes::{
    ALL, Directions, Exact, LANES, Sixteen, gap_of, indices_from, lanes_of, lanes_where, may_bounce,
};
use crate::stage::list_contacts::lists::Block;
use crate::stage::{NONE, SLOTS};
use crate::{Record, Spin};

/// Where some balls go after the pass.
pub(crate) struct Rubbed<'a> {
    /// The first of their slots.
    pub(crate) first: usize,
    pub(crate) bodies: &'a mut [Record],
    pub(crate) spins: &'a mut [Spin],
    /// What the next pass needs, in place of what this one does.
    pub(crate) grips: &'a mut [Grip],
}

impl Rubbed<'_> {
    fn rub_alone(&mut self, view: &View, spins: &[Spin], slot: u32) {
        let index = slot as usize - self.first;
        let grips = &mut self.grips[first_grip(index as u32)..][..GRIPS as usize];
        (self.bodies[index], self.spins[index]) = friction_pass(view, spins, slot as usize, grips);
    }
}

/// Where the grips of the ball at an index begin.
#[inline(always)]
fn first_grip(index: u32) -> usize {
    index as usize * GRIPS as usize
}

/// The balls of some whole shares after the pass.
pub(crate) fn friction_passes(level: Level, view: &View, spins: &[Spin], mut out: Rubbed) {
    let slots = out.first..out.first + out.bodies.len();
    dispatch!(level, simd => {
        for block in view.lists.blocks(slots.clone()) {
            let alone = rub_block(simd, view, spins, block, &mut out);
            lanes_of(alone).for_each(|lane| out.rub_alone(view, spins, block.slots[lane]));
        }
    });
    for &slot in view.lists.rest(slots) {
        out.rub_alone(view, spins, slot);
    }
}

/// A bit for each ball of a block that is to be done by itself whatever it meets.
fn alone_from_start(view: &View, slots: &[u32; LANES], out: &Rubbed) -> u64 {
    let Params { balls, count, .. } = *view.params();
    let is_alone = |slot: usize| {
        let (body, nearby) = (view.body(slot), view.nearby[slot]);
        let of_surfaces = first_grip((slot - out.first) as u32) + SLOTS as usize;
        let rubs_on_surface = out.grips[of_surfaces].partner != NONE;
        // Pieces of segments come last.
        let is_near_segment = || view.listed(slot).last().is_some_and(|j| j >= balls as usize);
        !body.is_movable() || nearby.is_crowded() || rubs_on_surface || (balls < count && is_near_segment())
    };
    (0..LANES).fold(0, |bits, lane| bits | u64::from(is_alone(slots[lane] as usize)) << lane)
}

/// What rubs on sixteen balls.
struct Rubbing<'a, S: Simd> {
    exact: Exact<S>,
    view: &'a View<'a>,
    own: Sixteen<S>,
    /// Speed of the balls' edges by their spin, px/s.
    turning: f32x16<S>,
    roughness: f32x16<S>,
    vx: f32x16<S>,
    vy: f32x16<S>,
    turned: f32x16<S>,
    alone: mask32x16<S>,
}

/// Does a block but for the balls that it returns a bit for.
#[inline(always)]
fn rub_block<S: Simd>(simd: S, view: &View, spins: &[Spin], block: Block, out: &mut Rubbed) -> u64 {
    let Block { slots, candidates } = block;
    let start = alone_from_start(view, slots, out);
    if start == ALL {
        return start;
    }
    let (exact, own) = (Exact(simd), Sixteen::gather(simd, view.around.bodies, slots));
    let mut counts = [0; LANES];
    for lane in lanes_of(!start & ALL) {
        counts[lane] = view.nearby[slots[lane] as usize].candidates;
    }
    let rate = f32x16::from_fn(simd, |lane| spins[slots[lane] as usize].rate);
    let zero = exact.all(0.0);
    let mut rubbing = Rubbing {
        exact,
        view,
        own,
        turning: rate * own.radius,
        roughness: roughness(simd, view.params(), &own),
        vx: zero,
        vy: zero,
        turned: zero,
        alone: mask32x16::from_bitmask(simd, start),
    };
    let indices = indices_from(out.first, slots);
    let mut slips = [[0.0; LANES]; SLOTS as usize];
    rubbing.rub_listed(spins, candidates, &counts, (out.grips, &indices), &mut slips);
    let vx = exact.snap(own.vx + rubbing.vx);
    let vy = exact.snap(own.vy + rubbing.vy);
    Sixteen { vx, vy, ..own }.scatter(simd, out.bodies, &indices);
    let rates: [f32; LANES] = exact.snap(rate + rubbing.turned * exact.recip(own.radius)).into();
    let alone = rubbing.alone.to_bitmask();
    for lane in lanes_of(!alone & ALL) {
        let (spin, rate) = (spins[slots[lane] as usize], rates[lane]);
        out.spins[indices[lane] as usize] = Spin { rate, angle: spin.angle + rate * view.params().substep_s, ..spin };
        let grips = &mut out.grips[first_grip(indices[lane])..][..counts[lane] as usize];
        grips.iter_mut().zip(&slips).for_each(|(grip, slips)| grip.slip = slips[lane]);
    }
    alone
}

/// What each ball brings to the friction of a pair.
#[inline(always)]
fn roughness<S: Simd>(simd: S, params: &Params, balls: &Sixteen<S>) -> f32x16<S> {
    let material = u32x16::truncate_from(balls.flags) & u32x16::splat(simd, Record::HELD - 1);
    let material: [u32; LANES] = material.into();
    f32x16::from_fn(simd, |lane| params.materials[material[lane] as usize].roughness)
}

impl<S: Simd> Rubbing<'_, S> {
    /// Rubs on the first `counts` of each list, with the grips of the balls at `indices`; `slips` takes what they are to be.
    #[inline(always)]
    fn rub_listed(
        &mut self,
        spins: &[Spin],
        lists: &[[u32; LANES]],
        counts: &[u32; LANES],
        (grips, indices): (&[Grip], &[u32; LANES]),
        slips: &mut [[f32; LANES]; SLOTS as usize],
    ) {
        let (simd, view) = (self.exact.0, self.view);
        let most = counts.iter().copied().max().unwrap_or(0);
        for (slot, (slips, slots)) in slips.iter_mut().zip(lists).enumerate().take(most as usize) {
            let other = Sixteen::gather(simd, view.around.bodies, slots);
            let listed = u32x16::from_slice(simd, counts).simd_gt(u32x16::splat(simd, slot as u32));
            let rate = f32x16::from_fn(simd, |lane| spins[slots[lane] as usize].rate);
            let is_crowded = lanes_where(simd, |lane| view.nearby[slots[lane] as usize].is_crowded());
            let slip = f32x16::from_fn(simd, |lane| grips[first_grip(indices[lane]) + slot].slip);
            *slips = self.rub(&other, rate * other.radius, (listed, is_crowded), slip).into();
        }
    }

    /// Rubs on the balls of `other`, where they are listed; those that are crowded are not rubbed on. Returns the slips.
    #[inline(always)]
    fn rub(
        &mut self,
        other: &Sixteen<S>,
        turning: f32x16<S>,
        (listed, is_crowded): (mask32x16<S>, mask32x16<S>),
        slip: f32x16<S>,
    ) -> f32x16<S> {
        let (exact, params, own) = (self.exact, self.view.params(), &self.own);
        let (zero, one) = (exact.all(0.0), exact.all(1.0));
        let Directions { nx, ny, distance, coincide } = Directions::of(exact, own, other);
        let reach = own.radius + other.radius;
        let movable = other.inverse_mass.simd_gt(zero);
        let gap = gap_of(exact, distance, reach, movable);
        let approach = (other.vx - own.vx) * nx + (other.vy - own.vy) * ny;
        let meets = (gap + approach * exact.all(params.substep_s)).simd_lt(zero);
        self.alone |= listed & (coincide | (meets & may_bounce(exact, params, gap, approach)));

        let (tx, ty) = (zero - ny, nx);
        let lever = movable.select((gap + reach) * exact.recip(reach), one);
        let sliding = (other.vx - own.vx) * tx + (other.vy - own.vy) * ty;
        let sliding = sliding - lever * (self.turning + turning);
        let k = own.inverse_mass * own.split + other.inverse_mass * other.split;
        let give = one + exact.all(params.spin_share) * (lever * lever);
        let push = exact.max(exact.all(params.push_rate) * gap - approach, zero);
        let bound = (self.roughness * roughness(exact.0, params, other)) * push;
        let kick = exact.all(params.kick_x) * tx + exact.all(params.kick_y) * ty;
        let moved = movable.select(sliding, sliding + kick);
        let undamped = exact.max(bound * give - exact.all(DAMPING) * sliding.abs(), zero);
        let bearable = undamped * exact.all(params.slip_of_pull);
        let drawn = exact.min(exact.max(slip + moved * exact.all(params.substep_s), zero - bearable), bearable);
        let pull = zero - (drawn * exact.all(params.pull_of_slip) + exact.all(DAMPING) * sliding);
        let held = exact.min(exact.max(pull * exact.recip(give), zero - bound), bound);
        let speed = own.inverse_mass * (held * exact.recip(k));
        let rubs = listed & meets & !is_crowded;
        self.vx -= rubs.select(speed * tx, zero);
        self.vy -= rubs.select(speed * ty, zero);
        self.turned -= rubs.select((exact.all(params.spin_share) * lever) * speed, zero);
        let kept = gap.simd_lt(exact.all(NEAR) * exact.min(own.radius, other.radius)).select(slip, zero);
        rubs.select(drawn, kept)
    }
}
