//! Sixteen balls at a time, one in each lane of a vector: their records field by field, and the arithmetic of
//! `src/exact.rs`. Each lane computes what the function for one ball does, in the same order, so the bits are the same
//! on every instruction set.

use fearless_simd::{f32x4, f32x16, mask32x16, prelude::*, u32x16};

use super::contact::{COINCIDENT, TOUCHING};
use super::list_contacts::bits;
use crate::Record;
use crate::exact::{RECIP_GUESS, ROOT_FLOOR, ROOT_GUESS, ROOT_STEP, SNAP};
use crate::params::{Params, SurfaceParams};

/// Balls of a block.
pub(crate) const LANES: usize = 16;
/// Slots of a share: what a thread takes at least at a time, and within which lists are ranked.
pub(crate) const SHARE: usize = 512;
const _: () = assert!(SHARE.is_multiple_of(LANES));
/// The numbers of the lanes.
pub(super) const LANE_NUMBERS: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

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
    /// Of the slots from `first` on.
    #[inline(always)]
    pub(super) fn from(simd: S, bodies: &[Record], first: usize) -> Self {
        Self::gather(simd, &bodies[first..first + LANES], &LANE_NUMBERS)
    }

    /// Of sixteen slots.
    #[inline(always)]
    pub(super) fn gather(simd: S, bodies: &[Record], slots: &[u32; LANES]) -> Self {
        // No closure around the vectors: one that is not inlined has not the instructions of the function around it.
        let (mut first, mut second) = ([f32x16::splat(simd, 0.0); 4], [f32x16::splat(simd, 0.0); 4]);
        for (nth, (first, second)) in first.iter_mut().zip(&mut second).enumerate() {
            let (a, b) = (halves(&bodies[slots[nth] as usize]), halves(&bodies[slots[4 + nth] as usize]));
            let (c, d) = (halves(&bodies[slots[8 + nth] as usize]), halves(&bodies[slots[12 + nth] as usize]));
            *first = four(simd, [&a[0], &b[0], &c[0], &d[0]]);
            *second = four(simd, [&a[1], &b[1], &c[1], &d[1]]);
        }
        let [x, y, vx, vy] = transposed(simd, first);
        let [radius, split, inverse_mass, flags] = transposed(simd, second);
        Self { x, y, vx, vy, radius, split, inverse_mass, flags }
    }

    /// Which of them have one of these flags; of erased ones the answer means nothing.
    #[inline(always)]
    pub(super) fn have(&self, simd: S, flags: u32) -> mask32x16<S> {
        (u32x16::truncate_from(self.flags) & u32x16::splat(simd, flags)).simd_gt(u32x16::splat(simd, 0))
    }

    /// Writes the records one after another.
    #[inline(always)]
    pub(super) fn store(self, simd: S, out: &mut [Record]) {
        self.scatter(simd, &mut out[..LANES], &LANE_NUMBERS);
    }

    /// Writes each record to its index.
    #[inline(always)]
    pub(super) fn scatter(self, simd: S, out: &mut [Record], indices: &[u32; LANES]) {
        let first = transposed(simd, [self.x, self.y, self.vx, self.vy]);
        let second = transposed(simd, [self.radius, self.split, self.inverse_mass, self.flags]);
        for nth in 0..4 {
            let (first, second) = (first[nth].as_slice().as_chunks().0, second[nth].as_slice().as_chunks().0);
            for (block, (first, second)) in first.iter().zip(second).enumerate() {
                let record: &mut [[f32; 4]; 2] = bytemuck::cast_mut(&mut out[indices[4 * block + nth] as usize]);
                *record = [*first, *second];
            }
        }
    }
}

/// The two halves of a record.
#[inline(always)]
fn halves(record: &Record) -> &[[f32; 4]; 2] {
    bytemuck::cast_ref(record)
}

/// What sixteen slots hold in an array. (A `map` of the slots is not inlined.)
#[inline(always)]
pub(super) fn at_slots<T: Copy + Default>(items: &[T], slots: &[u32; LANES]) -> [T; LANES] {
    let mut at_slots = [T::default(); LANES];
    for (item, &slot) in at_slots.iter_mut().zip(slots) {
        *item = items[slot as usize];
    }
    at_slots
}

/// Slots as indices of what begins with slot `first`.
#[inline(always)]
pub(super) fn indices_from(first: usize, slots: &[u32; LANES]) -> [u32; LANES] {
    let mut indices = *slots;
    indices.iter_mut().for_each(|slot| *slot -= first as u32);
    indices
}

/// A vector of four blocks.
#[inline(always)]
fn four<S: Simd>(simd: S, [a, b, c, d]: [&[f32; 4]; 4]) -> f32x16<S> {
    let (a, b) = (f32x4::from_slice(simd, a), f32x4::from_slice(simd, b));
    let (c, d) = (f32x4::from_slice(simd, c), f32x4::from_slice(simd, d));
    a.combine(b).combine(c.combine(d))
}

/// Of each of the vectors' four blocks a matrix, its rows and columns exchanged.
#[inline(always)]
fn transposed<S: Simd>(simd: S, [a, b, c, d]: [f32x16<S>; 4]) -> [f32x16<S>; 4] {
    let (low_ab, low_cd) = (low_halves(simd, a, b), low_halves(simd, c, d));
    let (high_ab, high_cd) = (high_halves(simd, a, b), high_halves(simd, c, d));
    [even(simd, low_ab, low_cd), odd(simd, low_ab, low_cd), even(simd, high_ab, high_cd), odd(simd, high_ab, high_cd)]
}

// Each of these is one instruction of a processor that has it: compilers know slides and choices of fixed floats.

/// Of each block the low half of `a`, then that of `b`.
#[inline(always)]
fn low_halves<S: Simd>(simd: S, a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
    in_each_block(simd, 0b1100).select(b.slide_within_blocks::<2>(b), a)
}

/// Of each block the high half of `a`, then that of `b`.
#[inline(always)]
fn high_halves<S: Simd>(simd: S, a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
    in_each_block(simd, 0b1100).select(b, a.slide_within_blocks::<2>(a))
}

/// Of each block the first and the third float of `a`, then those of `b`.
#[inline(always)]
fn even<S: Simd>(simd: S, a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
    let of_a = in_each_block(simd, 0b0010).select(a.slide_within_blocks::<1>(a), a);
    let of_b = in_each_block(simd, 0b1000).select(b.slide_within_blocks::<3>(b), b.slide_within_blocks::<2>(b));
    in_each_block(simd, 0b1100).select(of_b, of_a)
}

/// Of each block the second and the fourth float of `a`, then those of `b`.
#[inline(always)]
fn odd<S: Simd>(simd: S, a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
    let of_a = in_each_block(simd, 0b0010).select(a.slide_within_blocks::<2>(a), a.slide_within_blocks::<1>(a));
    let of_b = in_each_block(simd, 0b1000).select(b, b.slide_within_blocks::<3>(b));
    in_each_block(simd, 0b1100).select(of_b, of_a)
}

/// These floats of each block.
#[inline(always)]
fn in_each_block<S: Simd>(simd: S, floats: u64) -> mask32x16<S> {
    mask32x16::from_bitmask(simd, floats * 0x1111)
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
