//! Sixteen balls at a time, one in each lane of a vector.
//!
//! Each lane does what [`contact_pass`] does for its ball, in the same order, so the bits are the same on every
//! instruction set. Only what nearly every ball needs is done here: a ball in an impact, that becomes hurried, or whose
//! centre coincides with another's, is done over by itself, and a block that holds an immovable, crowded, held or
//! hurried ball is done ball by ball.

use fearless_simd::{Level, dispatch, f32x8, f32x16, mask32x16, prelude::*, u32x16};

use super::{GROUND, Nearby, View, contact_pass};
use crate::Record;
use crate::exact::{RECIP_GUESS, ROOT_FLOOR, ROOT_GUESS, ROOT_STEP, SNAP};
use crate::params::{Kick, Pointer};
use crate::segment::CORNER;
use crate::stage::SLOTS;
use crate::stage::contact::{COINCIDENT, EDGE_END, TOUCHING};

/// Balls of a block.
pub(crate) const LANES: usize = 16;
/// Floats of a record.
const FIELDS: usize = size_of::<Record>() / size_of::<f32>();

/// The balls of slots `first..first + out.len()` after the pass; sleepers stay as they stand in `out`.
pub(crate) fn contact_passes(level: Level, view: &View, forces: (&Kick, &Pointer), first: usize, out: &mut [Record]) {
    dispatch!(level, simd => {
        for (block, out) in out.chunks_mut(LANES).enumerate() {
            let first = first + block * LANES;
            // Of sleepers `out` holds what it would be given, from the pass before the last or from before the lists.
            if view.around.bodies[first..first + out.len()].iter().all(Record::is_asleep) {
                continue;
            }
            if is_plain(view, first, out.len()) {
                pass_block(simd, view, forces, first, out);
            } else {
                for (lane, out) in out.iter_mut().enumerate() {
                    *out = contact_pass(view, forces.0, forces.1, first + lane);
                }
            }
        }
    });
}

/// Whether a block is full, and holds no ball that wants to be done by itself.
fn is_plain(view: &View, first: usize, count: usize) -> bool {
    let slots = first..first + count;
    let is_plain = |body: &Record| body.is_movable() && !body.is_held() && !body.is_hurried();
    count == LANES
        && view.around.bodies[slots.clone()].iter().all(is_plain)
        && !view.nearby[slots].iter().any(Nearby::is_crowded)
}

/// The fields of sixteen records.
#[derive(Clone, Copy)]
struct Sixteen<S: Simd> {
    x: f32x16<S>,
    y: f32x16<S>,
    vx: f32x16<S>,
    vy: f32x16<S>,
    radius: f32x16<S>,
    split: f32x16<S>,
    inverse_mass: f32x16<S>,
    flags: f32x16<S>,
}

impl<S: Simd> Sixteen<S> {
    /// From two records a vector.
    #[inline(always)]
    fn from_pairs(pairs: [f32x16<S>; 8]) -> Self {
        let [x, y, vx, vy, radius, split, inverse_mass, flags] = shuffled(shuffled(shuffled(shuffled(pairs))));
        Self { x, y, vx, vy, radius, split, inverse_mass, flags }
    }

    /// To two records a vector.
    #[inline(always)]
    fn into_pairs(self) -> [f32x16<S>; 8] {
        let Self { x, y, vx, vy, radius, split, inverse_mass, flags } = self;
        shuffled(shuffled(shuffled([x, y, vx, vy, radius, split, inverse_mass, flags])))
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
struct Exact<S: Simd>(S);

impl<S: Simd> Exact<S> {
    #[inline(always)]
    fn all(self, value: f32) -> f32x16<S> {
        f32x16::splat(self.0, value)
    }

    #[inline(always)]
    fn rsqrt(self, x: f32x16<S>) -> f32x16<S> {
        let bits: u32x16<S> = x.bitcast();
        let y: f32x16<S> = (u32x16::splat(self.0, ROOT_GUESS) - (bits >> 1)).bitcast();
        let y = y * (self.all(ROOT_STEP[0]) * (self.all(ROOT_STEP[1]) - (x * y) * y));
        y * (self.all(1.5) - ((self.all(0.5) * x) * y) * y)
    }

    #[inline(always)]
    fn recip(self, x: f32x16<S>) -> f32x16<S> {
        let bits: u32x16<S> = x.bitcast();
        let y: f32x16<S> = (u32x16::splat(self.0, RECIP_GUESS) - bits).bitcast();
        let y = y * (self.all(2.0) - x * y);
        let y = y * (self.all(2.0) - x * y);
        y * (self.all(2.0) - x * y)
    }

    #[inline(always)]
    fn sqrt(self, x: f32x16<S>) -> f32x16<S> {
        x.simd_gt(self.all(ROOT_FLOOR)).select(x * self.rsqrt(x), self.all(0.0))
    }

    #[inline(always)]
    fn max(self, a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        a.simd_gt(b).select(a, b)
    }

    #[inline(always)]
    fn min(self, a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        a.simd_lt(b).select(a, b)
    }

    #[inline(always)]
    fn snap(self, v: f32x16<S>) -> f32x16<S> {
        v.abs().simd_lt(self.all(SNAP)).select(self.all(0.0), v)
    }
}

/// A contact in each lane, where there is one.
#[derive(Clone, Copy)]
struct Contacts<S: Simd> {
    touching: mask32x16<S>,
    nx: f32x16<S>,
    ny: f32x16<S>,
    gap: f32x16<S>,
    approach: f32x16<S>,
}

/// What sixteen balls' contacts come to.
struct Gathered<'a, S: Simd> {
    exact: Exact<S>,
    view: &'a View<'a>,
    own: Sixteen<S>,
    own_share: f32x16<S>,
    xx: f32x16<S>,
    xy: f32x16<S>,
    yy: f32x16<S>,
    vx: f32x16<S>,
    vy: f32x16<S>,
    load: f32x16<S>,
    /// Lanes that are done over by themselves.
    alone: mask32x16<S>,
}

impl<S: Simd> Gathered<'_, S> {
    /// Meets `other` where `listed`, which in some lanes are pieces of segments.
    #[inline(always)]
    fn meet_balls_and_segments(&mut self, other: Sixteen<S>, listed: mask32x16<S>, is_segment: mask32x16<S>) {
        let (exact, own) = (self.exact, &self.own);
        let (zero, one) = (exact.all(0.0), exact.all(1.0));
        let (dx, dy) = (own.x - other.x, own.y - other.y);
        let dot = dx * other.vx + dy * other.vy;
        let squared = other.vx * other.vx + other.vy * other.vy;
        let is_corner = other.split.simd_eq(exact.all(CORNER));
        let share = dot * exact.recip(squared);
        let along = is_corner.select(zero, exact.min(exact.max(share, zero - one), one));
        let met_in_corner = dot.simd_ge(exact.sqrt(dx * dx + dy * dy) * squared);
        let met_on_edge = share.abs().simd_le(exact.all(EDGE_END));
        let is_met = (is_corner & met_in_corner) | (!is_corner & met_on_edge);
        let disc = Sixteen {
            x: is_segment.select(other.x + other.vx * along, other.x),
            y: is_segment.select(other.y + other.vy * along, other.y),
            vx: is_segment.select(zero, other.vx),
            vy: is_segment.select(zero, other.vy),
            ..other
        };
        self.meet_balls(&disc, listed & (is_met | !is_segment));
    }

    /// Meets the balls of `other` where `listed`.
    #[inline(always)]
    fn meet_balls(&mut self, other: &Sixteen<S>, listed: mask32x16<S>) {
        let (exact, params, own) = (self.exact, self.view.params(), &self.own);
        let (dx, dy) = (other.x - own.x, other.y - own.y);
        let squared = dx * dx + dy * dy;
        self.alone |= listed & squared.simd_lt(exact.all(COINCIDENT));
        let inverse = exact.rsqrt(squared);
        let (nx, ny) = (dx * inverse, dy * inverse);
        let reach = own.radius + other.radius;
        let gap = squared * inverse - reach;
        let movable = other.inverse_mass.simd_gt(exact.all(0.0));
        let touches = movable & gap.abs().simd_lt(exact.all(TOUCHING) * reach);
        let gap = touches.select(exact.all(0.0), gap);
        let approach = (other.vx - own.vx) * nx + (other.vy - own.vy) * ny;
        let meets = (gap + approach * exact.all(params.substep_s)).simd_lt(exact.all(0.0));
        let contacts = Contacts { touching: listed & meets, nx, ny, gap, approach };
        let k = self.own_share + other.inverse_mass * other.split;
        let both = own.inverse_mass + other.inverse_mass;
        let speed = both * self.answer(&contacts, k);
        let steepness = nx * exact.all(params.down_x) + ny * exact.all(params.down_y);
        let bears = contacts.touching & movable;
        self.load += bears.select((steepness * steepness) * speed, exact.all(0.0));
    }

    /// Gap between balls and a surface that has moved for `elapsed_s` since the step began, px, and the surface's
    /// velocity.
    #[inline(always)]
    fn surface_gap(&self, body: &Sixteen<S>, index: usize, elapsed_s: f32) -> (f32x16<S>, f32x16<S>, f32x16<S>) {
        let (exact, surface) = (self.exact, &self.view.params().surfaces[index]);
        let height = exact.all(surface.normal_x) * body.x + exact.all(surface.normal_y) * body.y;
        let gap = (height - exact.all(surface.offset)) - body.radius;
        let vx = exact.all(surface.drift_x) - exact.all(surface.turn) * body.y;
        let vy = exact.all(surface.drift_y) + exact.all(surface.turn) * body.x;
        let nearing = vx * exact.all(-surface.normal_x) + vy * exact.all(-surface.normal_y);
        (gap + nearing * exact.all(elapsed_s), vx, vy)
    }

    /// Whether the balls' centres are outside a surface after the pass.
    #[inline(always)]
    fn is_outside(&self, body: &Sixteen<S>, index: usize) -> mask32x16<S> {
        let after_s = self.view.elapsed_s + self.view.params().substep_s;
        self.surface_gap(body, index, after_s).0.simd_lt(self.exact.all(0.0) - body.radius)
    }

    /// Meets a surface where `near`.
    #[inline(always)]
    fn meet_surface(&mut self, index: usize, near: mask32x16<S>) {
        let (exact, params, own) = (self.exact, self.view.params(), &self.own);
        let surface = &params.surfaces[index];
        let (nx, ny) = (exact.all(-surface.normal_x), exact.all(-surface.normal_y));
        let (gap, vx, vy) = self.surface_gap(own, index, self.view.elapsed_s);
        let approach = (vx - own.vx) * nx + (vy - own.vy) * ny;
        let meets = (gap + approach * exact.all(params.substep_s)).simd_lt(exact.all(0.0));
        self.answer(&Contacts { touching: near & meets, nx, ny, gap, approach }, self.own_share);
    }

    /// Answers resting contacts, and sets lanes with an impact aside; returns their impulses.
    #[inline(always)]
    fn answer(&mut self, contacts: &Contacts<S>, k: f32x16<S>) -> f32x16<S> {
        let (exact, params) = (self.exact, self.view.params());
        let Contacts { touching, nx, ny, gap, approach } = *contacts;
        let zero = exact.all(0.0);
        let fast = approach.simd_lt(exact.all(params.impact_speed));
        let was_open = gap.simd_ge(exact.all(params.impact_window_s) * approach);
        self.alone |= touching & fast & was_open;
        self.xx += touching.select(nx * nx, zero);
        self.xy += touching.select(nx * ny, zero);
        self.yy += touching.select(ny * ny, zero);
        let push = exact.max(exact.all(params.push_rate) * gap - approach, zero);
        let impulse = push * exact.recip(k);
        let speed = self.own.inverse_mass * impulse;
        self.vx -= touching.select(speed * nx, zero);
        self.vy -= touching.select(speed * ny, zero);
        impulse
    }

    /// Keeps the pushes from raising a ball's speed above the cap.
    #[inline(always)]
    fn cap(&mut self) {
        let (exact, own) = (self.exact, &self.own);
        let (vx, vy) = (own.vx + self.vx, own.vy + self.vy);
        let squared = vx * vx + vy * vy;
        let allowed = exact.max(own.vx * own.vx + own.vy * own.vy, exact.all(self.view.params().push_speed_squared));
        let above = squared.simd_gt(allowed);
        if above.any_true() {
            let factor = exact.sqrt(allowed) * exact.rsqrt(squared);
            self.vx = above.select(vx * factor - own.vx, self.vx);
            self.vy = above.select(vy * factor - own.vy, self.vy);
        }
    }

    /// The balls after the pass, where they are not done over.
    #[inline(always)]
    fn moved(&mut self, grounded: mask32x16<S>) -> Sixteen<S> {
        self.cap();
        let (exact, params, own) = (self.exact, self.view.params(), self.own);
        let (zero, one) = (exact.all(0.0), exact.all(1.0));
        let trace = self.xx + self.yy;
        let difference = self.xx - self.yy;
        let twice = self.xy + self.xy;
        let spread = exact.sqrt(difference * difference + twice * twice);
        let split = exact.max(exact.all(0.5) * (trace + spread), one);

        let (down_x, down_y) = (exact.all(params.down_x), exact.all(params.down_y));
        let sinking = (own.vx * down_x + own.vy * down_y) - exact.all(params.gravity_kick);
        let relief = exact.all(params.relief) * self.load;
        let damped = exact.max(relief + exact.all(params.relief_drag) * sinking, zero);
        let relief = grounded.select(exact.min(damped, relief + relief), zero);
        let vx = (own.vx + self.vx) - relief * down_x;
        let vy = (own.vy + self.vy) - relief * down_y;

        let speed_squared = vx * vx + vy * vy;
        let (vx, vy) = (exact.snap(vx), exact.snap(vy));
        let hurry = own.radius * exact.all(params.hurry_rate);
        self.alone |= speed_squared.simd_gt(exact.min(hurry * hurry, exact.all(params.most_speed_squared)));
        let substep_s = exact.all(params.substep_s);
        Sixteen { x: own.x + vx * substep_s, y: own.y + vy * substep_s, vx, vy, split, ..own }
    }
}

#[inline(always)]
fn pass_block<S: Simd>(simd: S, view: &View, forces: (&Kick, &Pointer), first: usize, out: &mut [Record]) {
    let exact = Exact(simd);
    let zero = exact.all(0.0);
    let floats: &[f32] = bytemuck::cast_slice(view.around.bodies);
    let own = own_block(simd, &floats[first * FIELDS..(first + LANES) * FIELDS]);
    let nearby = &view.nearby[first..first + LANES];
    let supporters = &view.supporter[first..first + LANES];
    let mut gathered = Gathered {
        exact,
        view,
        own,
        own_share: own.inverse_mass * own.split,
        xx: zero,
        xy: zero,
        yy: zero,
        vx: zero,
        vy: zero,
        load: zero,
        alone: mask32x16::splat(simd, false),
    };

    let counts = f32x16::from_fn(simd, |lane| nearby[lane].candidates as f32);
    let most = nearby.iter().map(|nearby| nearby.candidates).max().unwrap_or(0) as usize;
    let lists = &view.candidates[first * SLOTS as usize..(first + LANES) * SLOTS as usize];
    let balls = view.params().balls;
    for slot in 0..most {
        // A list's slots past its count name some ball of an earlier step: any will do where none is listed.
        let slot_of = |lane: usize| lists[lane * SLOTS as usize + slot];
        let other = other_block(simd, floats, |lane| slot_of(lane) as usize);
        let listed = counts.simd_gt(exact.all(slot as f32));
        if balls < view.params().count {
            gathered.meet_balls_and_segments(other, listed, lanes_where(simd, |lane| slot_of(lane) >= balls));
        } else {
            gathered.meet_balls(&other, listed);
        }
    }
    let all_near = nearby.iter().fold(0, |all, nearby| all | nearby.surfaces);
    let surfaces = || (0..u32::BITS as usize).filter(|&index| all_near >> index & 1 > 0);
    let near = |index: usize| lanes_where(simd, |lane| nearby[lane].surfaces >> index & 1 > 0);
    for index in surfaces() {
        gathered.meet_surface(index, near(index));
    }
    let mut moved = gathered.moved(lanes_where(simd, |lane| supporters[lane] == GROUND));
    for index in surfaces() {
        gathered.alone |= near(index) & gathered.is_outside(&moved, index);
    }
    moved.vx += exact.all(forces.0.x);
    moved.vy += exact.all(forces.0.y);
    let mut alone = gathered.alone.to_bitmask();
    let floats: &mut [f32] = bytemuck::cast_slice_mut(out);
    for (pair, floats) in moved.into_pairs().iter().zip(floats.chunks_exact_mut(2 * FIELDS)) {
        pair.store_slice(floats);
    }
    while alone > 0 {
        let lane = alone.trailing_zeros() as usize;
        alone &= alone - 1;
        out[lane] = contact_pass(view, forces.0, forces.1, first + lane);
    }
}

/// Sixteen records that lie one after another.
#[inline(always)]
fn own_block<S: Simd>(simd: S, floats: &[f32]) -> Sixteen<S> {
    let pair = |k: usize| f32x16::from_slice(simd, &floats[k * 2 * FIELDS..(k + 1) * 2 * FIELDS]);
    Sixteen::from_pairs([pair(0), pair(1), pair(2), pair(3), pair(4), pair(5), pair(6), pair(7)])
}

/// Sixteen records from anywhere.
#[inline(always)]
fn other_block<S: Simd>(simd: S, floats: &[f32], slot_of: impl Fn(usize) -> usize) -> Sixteen<S> {
    // No closure around the vectors: one that is not inlined has not the instructions of the function around it.
    let slots: [usize; LANES] = std::array::from_fn(slot_of);
    Sixteen::from_pairs([
        two_records(simd, floats, slots[0], slots[1]),
        two_records(simd, floats, slots[2], slots[3]),
        two_records(simd, floats, slots[4], slots[5]),
        two_records(simd, floats, slots[6], slots[7]),
        two_records(simd, floats, slots[8], slots[9]),
        two_records(simd, floats, slots[10], slots[11]),
        two_records(simd, floats, slots[12], slots[13]),
        two_records(simd, floats, slots[14], slots[15]),
    ])
}

#[inline(always)]
fn two_records<S: Simd>(simd: S, floats: &[f32], a: usize, b: usize) -> f32x16<S> {
    let first = f32x8::from_slice(simd, &floats[a * FIELDS..(a + 1) * FIELDS]);
    first.combine(f32x8::from_slice(simd, &floats[b * FIELDS..(b + 1) * FIELDS]))
}

#[inline(always)]
fn lanes_where<S: Simd>(simd: S, holds: impl Fn(usize) -> bool) -> mask32x16<S> {
    mask32x16::from_bitmask(simd, (0..LANES).fold(0, |bits, lane| bits | u64::from(holds(lane)) << lane))
}
