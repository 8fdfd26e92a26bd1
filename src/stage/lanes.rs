//! Sixteen balls at a time, one in each lane of a vector: their records field by field, and the arithmetic of
//! `src/exact.rs`. Each lane computes what the function for one ball does, in the same order, so the bits are the same
//! on every instruction set.

use fearless_simd::{f32x8, f32x16, mask32x16, prelude::*, u32x16};

use super::SLOTS;
use super::contact::{COINCIDENT, TOUCHING};
use super::list_contacts::bits;
use crate::Record;
use crate::exact::{RECIP_GUESS, ROOT_FLOOR, ROOT_GUESS, ROOT_STEP, SNAP};
use crate::params::{Params, SurfaceParams};

/// Balls of a block.
pub(crate) const LANES: usize = 16;
/// Words of a block's lists.
pub(crate) const LISTED: usize = LANES * SLOTS as usize;
/// Floats of a record.
const FIELDS: usize = size_of::<Record>() / size_of::<f32>();

/// The fields of sixteen records.
#[derive(Clone, Copy)]
pub(super) struct Sixteen<S: Simd> {
    pub(super) x: f32x16<S>,
    pub(super) y: f32x16<S>,
    pub(super) vx: f32x16<S>,
    pub(super) vy: f32x16<S>,
    pub(super) radius: f32x16<S>,
    pub(super) split: f32x16<S>,
    pub(super) inverse_mass: f32x16<S>,
    pub(super) flags: f32x16<S>,
}

impl<S: Simd> Sixteen<S> {
    /// From two records a vector.
    #[inline(always)]
    fn from_pairs(pairs: [f32x16<S>; 8]) -> Self {
        let [x, y, vx, vy, radius, split, inverse_mass, flags] = shuffled(shuffled(shuffled(shuffled(pairs))));
        Self { x, y, vx, vy, radius, split, inverse_mass, flags }
    }

    /// Of the slots from `first` on.
    #[inline(always)]
    pub(super) fn from(simd: S, bodies: &[Record], first: usize) -> Self {
        let floats: &[f32] = bytemuck::cast_slice(&bodies[first..first + LANES]);
        let (mut pairs, two) = ([f32x16::splat(simd, 0.0); 8], floats.chunks_exact(LANES));
        for (pair, floats) in pairs.iter_mut().zip(two) {
            *pair = f32x16::from_slice(simd, floats);
        }
        Self::from_pairs(pairs)
    }

    /// Of sixteen slots.
    #[inline(always)]
    pub(super) fn gather(simd: S, bodies: &[Record], slots: &[u32; LANES]) -> Self {
        // No closure around the vectors: one that is not inlined has not the instructions of the function around it.
        let mut pairs = [f32x16::splat(simd, 0.0); 8];
        for (pair, two) in pairs.iter_mut().zip(slots.chunks_exact(2)) {
            let first = f32x8::from_slice(simd, bytemuck::cast_ref::<Record, [f32; FIELDS]>(&bodies[two[0] as usize]));
            let second = f32x8::from_slice(simd, bytemuck::cast_ref::<Record, [f32; FIELDS]>(&bodies[two[1] as usize]));
            *pair = first.combine(second);
        }
        Self::from_pairs(pairs)
    }

    /// Which of them have one of these flags; of erased ones the answer means nothing.
    #[inline(always)]
    pub(super) fn have(&self, simd: S, flags: u32) -> mask32x16<S> {
        (u32x16::truncate_from(self.flags) & u32x16::splat(simd, flags)).simd_gt(u32x16::splat(simd, 0))
    }

    /// Writes the records one after another.
    #[inline(always)]
    pub(super) fn store(self, out: &mut [Record]) {
        let Self { x, y, vx, vy, radius, split, inverse_mass, flags } = self;
        let pairs = shuffled(shuffled(shuffled([x, y, vx, vy, radius, split, inverse_mass, flags])));
        let floats: &mut [f32] = bytemuck::cast_slice_mut(out);
        for (pair, floats) in pairs.iter().zip(floats.chunks_exact_mut(LANES)) {
            pair.store_slice(floats);
        }
    }
}

/// A perfect shuffle of 128 floats: what stood at binary index abcdefg stands at bcdefga. Four of them bring sixteen
/// records from one after another to field by field, and three bring them back.
#[inline(always)]
fn shuffled<S: Simd>(v: [f32x16<S>; 8]) -> [f32x16<S>; 8] {
    [
        v[0].zip_low(v[4]),
        v[0].zip_high(v[4]),
        v[1].zip_low(v[5]),
        v[1].zip_high(v[5]),
        v[2].zip_low(v[6]),
        v[2].zip_high(v[6]),
        v[3].zip_low(v[7]),
        v[3].zip_high(v[7]),
    ]
}

/// The arithmetic of `crate::exact`, a lane a value.
#[derive(Clone, Copy)]
pub(super) struct Exact<S: Simd>(pub(super) S);

impl<S: Simd> Exact<S> {
    #[inline(always)]
    pub(super) fn all(self, value: f32) -> f32x16<S> {
        f32x16::splat(self.0, value)
    }

    #[inline(always)]
    pub(super) fn rsqrt(self, x: f32x16<S>) -> f32x16<S> {
        let bits: u32x16<S> = x.bitcast();
        let y: f32x16<S> = (u32x16::splat(self.0, ROOT_GUESS) - (bits >> 1)).bitcast();
        let y = y * (self.all(ROOT_STEP[0]) * (self.all(ROOT_STEP[1]) - (x * y) * y));
        y * (self.all(1.5) - ((self.all(0.5) * x) * y) * y)
    }

    #[inline(always)]
    pub(super) fn recip(self, x: f32x16<S>) -> f32x16<S> {
        let bits: u32x16<S> = x.bitcast();
        let y: f32x16<S> = (u32x16::splat(self.0, RECIP_GUESS) - bits).bitcast();
        let y = y * (self.all(2.0) - x * y);
        let y = y * (self.all(2.0) - x * y);
        y * (self.all(2.0) - x * y)
    }

    #[inline(always)]
    pub(super) fn sqrt(self, x: f32x16<S>) -> f32x16<S> {
        x.simd_gt(self.all(ROOT_FLOOR)).select(x * self.rsqrt(x), self.all(0.0))
    }

    #[inline(always)]
    pub(super) fn max(self, a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        a.simd_gt(b).select(a, b)
    }

    #[inline(always)]
    pub(super) fn min(self, a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        a.simd_lt(b).select(a, b)
    }

    #[inline(always)]
    pub(super) fn snap(self, v: f32x16<S>) -> f32x16<S> {
        v.abs().simd_lt(self.all(SNAP)).select(self.all(0.0), v)
    }
}

#[inline(always)]
pub(super) fn lanes_where<S: Simd>(simd: S, holds: impl Fn(usize) -> bool) -> mask32x16<S> {
    mask32x16::from_bitmask(simd, (0..LANES).fold(0, |bits, lane| bits | u64::from(holds(lane)) << lane))
}

/// A bit for each of a block's lanes.
pub(super) const ALL: u64 = (1 << LANES) - 1;

/// The lanes whose bits are set.
#[inline(always)]
pub(super) fn lanes_of(bitmask: u64) -> impl Iterator<Item = usize> {
    bits(bitmask as u32)
}

/// Unit normals toward partners, and the distances of the centres.
#[derive(Clone, Copy)]
pub(super) struct Directions<S: Simd> {
    pub(super) nx: f32x16<S>,
    pub(super) ny: f32x16<S>,
    pub(super) distance: f32x16<S>,
    /// Where the centres coincide and the rest means nothing.
    pub(super) coincide: mask32x16<S>,
}

impl<S: Simd> Directions<S> {
    /// As [`super::contact::direction`].
    #[inline(always)]
    pub(super) fn of(exact: Exact<S>, from: &Sixteen<S>, to: &Sixteen<S>) -> Self {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let squared = dx * dx + dy * dy;
        let inverse = exact.rsqrt(squared);
        Self {
            nx: dx * inverse,
            ny: dy * inverse,
            distance: squared * inverse,
            coincide: squared.simd_lt(exact.all(COINCIDENT)),
        }
    }
}

/// As [`super::contact::gap_of`], of partners that are `movable` or not.
#[inline(always)]
pub(super) fn gap_of<S: Simd>(
    exact: Exact<S>,
    distance: f32x16<S>,
    reach: f32x16<S>,
    movable: mask32x16<S>,
) -> f32x16<S> {
    let gap = distance - reach;
    let touches = movable & gap.abs().simd_lt(exact.all(TOUCHING) * reach);
    touches.select(exact.all(0.0), gap)
}

/// As [`super::contact::may_bounce`].
#[inline(always)]
pub(super) fn may_bounce<S: Simd>(
    exact: Exact<S>,
    params: &Params,
    gap: f32x16<S>,
    approach: f32x16<S>,
) -> mask32x16<S> {
    let fast = approach.simd_lt(exact.all(params.impact_speed));
    fast & gap.simd_ge(exact.all(params.impact_window_s) * approach)
}

/// Σ n·nᵀ over the contacts of each ball: as [`super::contact_pass::Crowd`].
#[derive(Clone, Copy)]
pub(super) struct Crowds<S: Simd> {
    xx: f32x16<S>,
    xy: f32x16<S>,
    yy: f32x16<S>,
}

impl<S: Simd> Crowds<S> {
    #[inline(always)]
    pub(super) fn none(exact: Exact<S>) -> Self {
        let zero = exact.all(0.0);
        Self { xx: zero, xy: zero, yy: zero }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, exact: Exact<S>, which: mask32x16<S>, nx: f32x16<S>, ny: f32x16<S>) {
        let zero = exact.all(0.0);
        self.xx += which.select(nx * nx, zero);
        self.xy += which.select(nx * ny, zero);
        self.yy += which.select(ny * ny, zero);
    }

    #[inline(always)]
    pub(super) fn split(&self, exact: Exact<S>) -> f32x16<S> {
        let trace = self.xx + self.yy;
        let difference = self.xx - self.yy;
        let twice = self.xy + self.xy;
        let spread = exact.sqrt(difference * difference + twice * twice);
        exact.max(exact.all(0.5) * (trace + spread), exact.all(1.0))
    }
}

/// As [`super::contact::surface_gap`].
#[inline(always)]
pub(super) fn surface_gap<S: Simd>(exact: Exact<S>, body: &Sixteen<S>, surface: &SurfaceParams) -> f32x16<S> {
    let height = exact.all(surface.normal_x) * body.x + exact.all(surface.normal_y) * body.y;
    (height - exact.all(surface.offset)) - body.radius
}

/// As [`super::contact::surface_velocity`].
#[inline(always)]
pub(super) fn surface_velocity<S: Simd>(
    exact: Exact<S>,
    body: &Sixteen<S>,
    surface: &SurfaceParams,
) -> (f32x16<S>, f32x16<S>) {
    let turn = exact.all(surface.turn);
    (exact.all(surface.drift_x) - turn * body.y, exact.all(surface.drift_y) + turn * body.x)
}
