//! [`contact_pass`] for sixteen balls at a time. Only what nearly every ball needs is done here: a ball in an impact, that
//! becomes hurried, or whose centre coincides with another's, and one that is immovable, crowded, held or hurried, is
//! done over by itself.

use fearless_simd::{Level, dispatch, f32x16, mask32x16, prelude::*, u32x16};

use super::{GROUND, Nearby, View, bits, contact_pass};
use crate::Record;
use crate::params::{Kick, Pointer};
use crate::segment::CORNER;
use crate::stage::SLOTS;
use crate::stage::contact::EDGE_END;
use crate::stage::lanes::{
    ALL, Crowds, Directions, Exact, LANES, Sixteen, at_slots, gap_of, indices_from, lanes_of, may_bounce, surface_gap,
    surface_velocity,
};
use crate::stage::list_contacts::lists::Block;

/// Where some balls go after the pass.
pub(crate) struct Moved<'a> {
    /// The first of their slots.
    pub(crate) first: usize,
    pub(crate) bodies: &'a mut [Record],
}

impl Moved<'_> {
    fn move_alone(&mut self, view: &View, forces: (&Kick, &Pointer), slot: u32) {
        self.bodies[slot as usize - self.first] = contact_pass(view, forces.0, forces.1, slot as usize);
    }
}

/// The balls of some whole shares after the pass; sleepers stay as they stand in `out`.
pub(crate) fn contact_passes(level: Level, view: &View, forces: (&Kick, &Pointer), mut out: Moved) {
    let slots = out.first..out.first + out.bodies.len();
    dispatch!(level, simd => {
        for block in view.lists.blocks(slots.clone()) {
            pass_block(simd, view, forces, block, &mut out);
        }
    });
    for &slot in view.lists.rest(slots) {
        out.move_alone(view, forces, slot);
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
    crowds: Crowds<S>,
    vx: f32x16<S>,
    vy: f32x16<S>,
    load: f32x16<S>,
    /// 1 in lanes that are done over by themselves, 0 in others: a vector, since masks cost ways between registers.
    alone: f32x16<S>,
}

impl<S: Simd> Gathered<'_, S> {
    #[inline(always)]
    fn set_aside(&mut self, which: mask32x16<S>) {
        self.alone = which.select(self.exact.all(1.0), self.alone);
    }

    /// The discs in place of `other`, where it is a piece of a segment; of no size where that is not met.
    #[inline(always)]
    fn disc_of_piece(&self, other: &Sixteen<S>, is_segment: mask32x16<S>) -> Sixteen<S> {
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
        Sixteen {
            x: is_segment.select(other.x + other.vx * along, other.x),
            y: is_segment.select(other.y + other.vy * along, other.y),
            vx: is_segment.select(zero, other.vx),
            vy: is_segment.select(zero, other.vy),
            radius: (is_met | !is_segment).select(other.radius, exact.all(f32::MIN)),
            ..*other
        }
    }

    /// Meets the balls of `others` where `listed`, both at once: while the one's root is waited for, the other's is computed.
    #[inline(always)]
    fn meet_two(&mut self, others: [&Sixteen<S>; 2], listed: [mask32x16<S>; 2]) {
        let (exact, [a, b]) = (self.exact, others);
        let (to_a, to_b) = (Directions::of(exact, &self.own, a), Directions::of(exact, &self.own, b));
        let (ease_a, ease_b) = (self.ease_with(a), self.ease_with(b));
        let (contacts_a, contacts_b) = (self.contacts(a, to_a, listed[0]), self.contacts(b, to_b, listed[1]));
        self.part(a, &contacts_a, ease_a);
        self.part(b, &contacts_b, ease_b);
    }

    /// Meets the balls of `other` where `listed`.
    #[inline(always)]
    fn meet_one(&mut self, other: &Sixteen<S>, listed: mask32x16<S>) {
        let contacts = self.contacts(other, Directions::of(self.exact, &self.own, other), listed);
        self.part(other, &contacts, self.ease_with(other));
    }

    /// 1/k of contacts with `other`.
    #[inline(always)]
    fn ease_with(&self, other: &Sixteen<S>) -> f32x16<S> {
        self.exact.recip(self.own_share + other.inverse_mass * other.split)
    }

    #[inline(always)]
    fn contacts(&mut self, other: &Sixteen<S>, directions: Directions<S>, listed: mask32x16<S>) -> Contacts<S> {
        let (exact, own, Directions { nx, ny, distance, coincide }) = (self.exact, self.own, directions);
        self.set_aside(listed & coincide);
        let movable = other.inverse_mass.simd_gt(exact.all(0.0));
        let gap = gap_of(exact, distance, own.radius + other.radius, movable);
        let approach = (other.vx - own.vx) * nx + (other.vy - own.vy) * ny;
        let meets = (gap + approach * exact.all(self.view.params().substep_s)).simd_lt(exact.all(0.0));
        Contacts { touching: listed & meets, nx, ny, gap, approach }
    }

    /// Parts balls from `other`, and counts what they bear of it.
    #[inline(always)]
    fn part(&mut self, other: &Sixteen<S>, contacts: &Contacts<S>, ease: f32x16<S>) {
        let (exact, params) = (self.exact, self.view.params());
        let speed = (self.own.inverse_mass + other.inverse_mass) * self.answer(contacts, ease);
        let steepness = contacts.nx * exact.all(params.down_x) + contacts.ny * exact.all(params.down_y);
        let bears = contacts.touching & other.inverse_mass.simd_gt(exact.all(0.0));
        self.load += bears.select((steepness * steepness) * speed, exact.all(0.0));
    }

    /// Gap between balls and a surface that has moved for `elapsed_s` since the step began, px, and the surface's
    /// velocity.
    #[inline(always)]
    fn surface_gap_after(&self, body: &Sixteen<S>, index: usize, elapsed_s: f32) -> (f32x16<S>, f32x16<S>, f32x16<S>) {
        let (exact, surface) = (self.exact, &self.view.params().surfaces[index]);
        let (vx, vy) = surface_velocity(exact, body, surface);
        let nearing = vx * exact.all(-surface.normal_x) + vy * exact.all(-surface.normal_y);
        (surface_gap(exact, body, surface) + nearing * exact.all(elapsed_s), vx, vy)
    }

    /// Whether the balls' centres are outside a surface after the pass.
    #[inline(always)]
    fn is_outside(&self, body: &Sixteen<S>, index: usize) -> mask32x16<S> {
        let after_s = self.view.elapsed_s + self.view.params().substep_s;
        self.surface_gap_after(body, index, after_s).0.simd_lt(self.exact.all(0.0) - body.radius)
    }

    /// Meets a surface where `near`.
    #[inline(always)]
    fn meet_surface(&mut self, index: usize, near: mask32x16<S>) {
        let (exact, params, own) = (self.exact, self.view.params(), &self.own);
        let surface = &params.surfaces[index];
        let (nx, ny) = (exact.all(-surface.normal_x), exact.all(-surface.normal_y));
        let (gap, vx, vy) = self.surface_gap_after(own, index, self.view.elapsed_s);
        let approach = (vx - own.vx) * nx + (vy - own.vy) * ny;
        let meets = (gap + approach * exact.all(params.substep_s)).simd_lt(exact.all(0.0));
        self.answer(&Contacts { touching: near & meets, nx, ny, gap, approach }, exact.recip(self.own_share));
    }

    /// Meets the first `counts` of each list.
    #[inline(always)]
    fn meet_listed(&mut self, lists: &[[u32; LANES]], counts: u32x16<S>) {
        let each: [u32; LANES] = counts.into();
        let longest = each.into_iter().max().unwrap_or(0);
        let (twos, one) = lists[..longest as usize].as_chunks();
        for (nth, [a, b]) in (0..).step_by(2).zip(twos) {
            let (at_a, at_b) = (self.at(a), self.at(b));
            let listed = |nth| counts.simd_gt(u32x16::splat(self.exact.0, nth));
            self.meet_two([&at_a, &at_b], [listed(nth), listed(nth + 1)]);
        }
        if let [last] = one {
            let other = self.at(last);
            self.meet_one(&other, counts.simd_gt(u32x16::splat(self.exact.0, longest - 1)));
        }
    }

    /// The balls in some slots. Past a list's end stands some slot: any will do.
    #[inline(always)]
    fn at(&self, slots: &[u32; LANES]) -> Sixteen<S> {
        let (simd, params) = (self.exact.0, self.view.params());
        let other = Sixteen::gather(simd, self.view.around.bodies, slots);
        if params.balls == params.count {
            return other;
        }
        let is_segment = u32x16::from_slice(simd, slots).simd_ge(u32x16::splat(simd, params.balls));
        self.disc_of_piece(&other, is_segment)
    }

    #[inline(always)]
    fn meet_surfaces(&mut self, near: &Near<S>) {
        for index in near.of_any() {
            self.meet_surface(index, near.to(self.exact.0, index));
        }
    }

    /// Sets aside those whose centres are outside a surface once they have moved.
    #[inline(always)]
    fn keep_in(&mut self, near: &Near<S>, moved: &Sixteen<S>) {
        for index in near.of_any() {
            self.set_aside(near.to(self.exact.0, index) & self.is_outside(moved, index));
        }
    }

    /// Answers resting contacts, and sets lanes with an impact aside; returns their impulses.
    #[inline(always)]
    fn answer(&mut self, contacts: &Contacts<S>, ease: f32x16<S>) -> f32x16<S> {
        let (exact, params) = (self.exact, self.view.params());
        let Contacts { touching, nx, ny, gap, approach } = *contacts;
        let zero = exact.all(0.0);
        self.set_aside(touching & may_bounce(exact, params, gap, approach));
        self.crowds.add(exact, touching, nx, ny);
        let push = exact.max(exact.all(params.push_rate) * gap - approach, zero);
        let impulse = push * ease;
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
        let zero = exact.all(0.0);
        let split = self.crowds.split(exact);
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
        self.set_aside(speed_squared.simd_gt(exact.min(hurry * hurry, exact.all(params.most_speed_squared))));
        let substep_s = exact.all(params.substep_s);
        Sixteen { x: own.x + vx * substep_s, y: own.y + vy * substep_s, vx, vy, split, ..own }
    }
}

/// What the lists say of sixteen balls.
#[derive(Clone, Copy)]
struct Near<S: Simd> {
    candidates: u32x16<S>,
    surfaces: u32x16<S>,
}

impl<S: Simd> Near<S> {
    #[inline(always)]
    fn gather(simd: S, nearby: &[Nearby], slots: &[u32; LANES]) -> Self {
        let near = at_slots(nearby, slots);
        let words: &[u32] = bytemuck::cast_slice(&near);
        let (low, high) = (u32x16::from_slice(simd, &words[..LANES]), u32x16::from_slice(simd, &words[LANES..]));
        Self { candidates: low.unzip_low(high), surfaces: low.unzip_high(high) }
    }

    /// The indices of the surfaces that some ball is near.
    #[inline(always)]
    fn of_any(&self) -> impl Iterator<Item = usize> + use<S> {
        let each: [u32; LANES] = self.surfaces.into();
        bits(each.into_iter().fold(0, |all, surfaces| all | surfaces))
    }

    /// The balls that are near a surface.
    #[inline(always)]
    fn to(&self, simd: S, index: usize) -> mask32x16<S> {
        let none = u32x16::splat(simd, 0);
        (self.surfaces & u32x16::splat(simd, 1 << index)).simd_gt(none)
    }
}

/// The balls of sixteen that need not be done by themselves from the start.
#[inline(always)]
fn plain<S: Simd>(simd: S, own: &Sixteen<S>, near: &Near<S>) -> mask32x16<S> {
    let is_special = own.have(simd, Record::HELD | Record::HURRIED);
    let is_crowded = near.candidates.simd_gt(u32x16::splat(simd, SLOTS));
    own.inverse_mass.simd_gt(Exact(simd).all(0.0)) & !(is_special | is_crowded)
}

#[inline(always)]
fn pass_block<S: Simd>(simd: S, view: &View, forces: (&Kick, &Pointer), block: Block, out: &mut Moved) {
    let Block { slots, candidates } = block;
    let (exact, own) = (Exact(simd), Sixteen::gather(simd, view.around.bodies, slots));
    let zero = exact.all(0.0);
    // Of sleepers `out` holds what it would be given, from the pass before the last or from before the lists.
    if own.inverse_mass.simd_lt(zero).all_true() {
        return;
    }
    let near = Near::gather(simd, view.nearby, slots);
    let plain = plain(simd, &own, &near);
    let mut alone = ALL;
    if plain.any_true() {
        let mut gathered = Gathered {
            exact,
            view,
            own,
            own_share: own.inverse_mass * own.split,
            crowds: Crowds::none(exact),
            vx: zero,
            vy: zero,
            load: zero,
            alone: plain.select(zero, exact.all(1.0)),
        };
        gathered.meet_listed(candidates, plain.select(near.candidates, u32x16::splat(simd, 0)));
        gathered.meet_surfaces(&near);
        let supporters = u32x16::from_slice(simd, &at_slots(view.supporter, slots));
        let mut moved = gathered.moved(supporters.simd_eq(u32x16::splat(simd, GROUND)));
        gathered.keep_in(&near, &moved);
        moved.vx += exact.all(forces.0.x);
        moved.vy += exact.all(forces.0.y);
        moved.scatter(simd, out.bodies, &indices_from(out.first, slots));
        alone = gathered.alone.simd_gt(zero).to_bitmask();
    }
    lanes_of(alone).for_each(|lane| out.move_alone(view, forces, slots[lane]));
}
