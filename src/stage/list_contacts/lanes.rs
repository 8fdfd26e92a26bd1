//! [`list_contacts`] for sixteen balls at a time: the homes of a row are tried sixteen at once, and then the balls meet
//! the first of each list, the second, and so on. A ball that is immovable, crowded, near a segment, or whose centre
//! coincides with another's, is done over by itself.

use std::ops::Range;

use fearless_simd::{Level, dispatch, f32x16, mask32x16, prelude::*, u32x16};

use super::{Listed, Nearby, Neighbourhood, list_contacts, listed_at};
use crate::params::Params;
use crate::stage::SLOTS;
use crate::stage::find_ground::{GROUND, NEAR, STEEP};
use crate::stage::grid_count::lanes::travel;
use crate::stage::lanes::{Crowds, Directions, Exact, LANES, LISTED, Sixteen, lanes_of, surface_gap, surface_velocity};
use crate::{Home, Record};

/// Floats of a home.
const FIELDS: usize = size_of::<Home>() / size_of::<f32>();

/// Where the lists of some balls go.
pub(crate) struct Lists<'a> {
    pub(crate) candidates: &'a mut [u32],
    pub(crate) nearby: &'a mut [Nearby],
    pub(crate) supporter: &'a mut [u32],
    /// The balls with their presplit.
    pub(crate) bodies: &'a mut [Record],
}

impl Lists<'_> {
    /// Does one ball by itself.
    fn list_alone(&mut self, around: &Neighbourhood, first: usize, lane: usize) {
        let candidates = &mut self.candidates;
        let list = |nth, j| candidates[listed_at(lane, nth)] = j;
        let Listed { nearby, supporter, body } = list_contacts(around, first + lane, list);
        (self.nearby[lane], self.supporter[lane], self.bodies[lane]) = (nearby, supporter, body);
    }

    /// The lists of sixteen of them.
    fn block(&mut self, block: usize) -> Lists<'_> {
        let slots = block * LANES..(block + 1) * LANES;
        Lists {
            candidates: &mut self.candidates[block * LISTED..(block + 1) * LISTED],
            nearby: &mut self.nearby[slots.clone()],
            supporter: &mut self.supporter[slots.clone()],
            bodies: &mut self.bodies[slots],
        }
    }
}

/// Lists the candidates of the balls from slot `first` on.
pub(crate) fn lists_of_contacts(level: Level, around: &Neighbourhood, first: usize, mut lists: Lists) {
    let blocks = if around.homes.len() < LANES { 0 } else { lists.bodies.len() / LANES };
    dispatch!(level, simd => {
        for block in 0..blocks {
            list_block(simd, around, first + block * LANES, lists.block(block));
        }
    });
    for lane in blocks * LANES..lists.bodies.len() {
        lists.list_alone(around, first, lane);
    }
}

#[inline(always)]
fn list_block<S: Simd>(simd: S, around: &Neighbourhood, first: usize, mut lists: Lists) {
    let Neighbourhood { params, bodies, .. } = *around;
    if !bodies[first..first + LANES].iter().any(Record::is_movable) {
        return (0..LANES).for_each(|lane| lists.list_alone(around, first, lane));
    }
    // What is found beyond a list falls into the next, which is written after it.
    let mut found = [0; LISTED + LANES];
    let (mut counts, mut alone) = ([0; LANES], 0);
    for (lane, count) in counts.iter_mut().enumerate() {
        if !bodies[first + lane].is_movable() {
            alone |= 1 << lane;
            continue;
        }
        let list = &mut found[lane * SLOTS as usize..][..SLOTS as usize + LANES];
        let candidates = search(simd, around, first + lane, list);
        // Pieces of segments come last.
        let last = list[candidates.saturating_sub(1).min(SLOTS as usize)];
        if candidates > SLOTS as usize || last >= params.balls {
            alone |= 1 << lane;
        } else {
            *count = candidates as u32;
        }
    }
    transpose(simd, &found[..LISTED], lists.candidates);
    let exact = Exact(simd);
    let mut listing = Listing {
        exact,
        params,
        own: Sixteen::from(simd, bodies, first),
        crowds: Crowds::none(exact),
        supporter: u32x16::splat(simd, params.afloat),
        steepness: exact.all(STEEP),
        alone: mask32x16::from_bitmask(simd, alone),
    };
    listing.meet_balls(bodies, lists.candidates, &counts);
    listing.meet_surfaces();
    listing.write(&counts, &mut lists);
    lanes_of(listing.alone.to_bitmask()).for_each(|lane| lists.list_alone(around, first, lane));
}

/// Finds the candidates of the ball in slot `i`; returns how many there are. Of more than [`SLOTS`], some are lost.
#[inline(always)]
fn search<S: Simd>(simd: S, around: &Neighbourhood, i: usize, found: &mut [u32]) -> usize {
    let mut count = 0;
    for level in around.levels() {
        let cells = around.cells(level, &around.homes[i]);
        for row in cells.rows.clone() {
            let slots = around.slots(&cells, row);
            let mut next = slots.start;
            while next < slots.end {
                let (at, near) = near_sixteen(simd, around.homes, i, next..slots.end);
                let all = u32x16::splat(simd, at as u32) + u32x16::from_slice(simd, &COUNTING);
                let room = count.min(SLOTS as usize);
                let listed = all.compress(mask32x16::from_bitmask(simd, near));
                listed.store_slice(&mut found[room..room + LANES]);
                count += near.count_ones() as usize;
                next = at + LANES;
            }
        }
    }
    count
}

/// Sixteen slots, the first of `slots` among them, and a bit for each of them that is in `slots` and a candidate of i.
#[inline(always)]
fn near_sixteen<S: Simd>(simd: S, homes: &[Home], i: usize, slots: Range<usize>) -> (usize, u64) {
    let (exact, home) = (Exact(simd), &homes[i]);
    let at = slots.start.min(homes.len() - LANES);
    let wanted = (1 << (slots.end - at).min(LANES)) - (1 << (slots.start - at));
    let own = if (at..at + LANES).contains(&i) { 1 << (i - at) } else { 0 };
    let places = Places::from(simd, &homes[at..at + LANES]);
    let (dx, dy) = (places.x - exact.all(home.x), places.y - exact.all(home.y));
    let reaches = exact.all(home.reach) + places.reach;
    let near = (dx * dx + dy * dy).simd_lt(reaches * reaches);
    (at, near.to_bitmask() & wanted & !own)
}

/// Lists ball by ball to lists slot by slot: four perfect shuffles of 256 words.
#[inline(always)]
fn transpose<S: Simd>(simd: S, found: &[u32], lists: &mut [u32]) {
    let mut rows = [u32x16::splat(simd, 0); LANES];
    for (row, words) in rows.iter_mut().zip(found.as_chunks::<LANES>().0) {
        *row = u32x16::from_slice(simd, words);
    }
    for _ in 0..LANES.ilog2() {
        let mut shuffled = rows;
        for half in 0..LANES / 2 {
            let (low, high) = (rows[half], rows[half + LANES / 2]);
            (shuffled[2 * half], shuffled[2 * half + 1]) = (low.zip_low(high), low.zip_high(high));
        }
        rows = shuffled;
    }
    for (row, words) in rows.iter().zip(lists.as_chunks_mut::<LANES>().0) {
        row.store_slice(words);
    }
}

/// The numbers of the lanes.
const COUNTING: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Sixteen homes, field by field.
struct Places<S: Simd> {
    x: f32x16<S>,
    y: f32x16<S>,
    reach: f32x16<S>,
}

impl<S: Simd> Places<S> {
    #[inline(always)]
    fn from(simd: S, homes: &[Home]) -> Self {
        let floats: &[f32] = bytemuck::cast_slice(homes);
        let mut four = [f32x16::splat(simd, 0.0); FIELDS];
        for (vector, floats) in four.iter_mut().zip(floats.chunks_exact(LANES)) {
            *vector = f32x16::from_slice(simd, floats);
        }
        let [a, b, c, d] = four;
        let (even, odd) = ([a.unzip_low(b), c.unzip_low(d)], [a.unzip_high(b), c.unzip_high(d)]);
        Self { x: even[0].unzip_low(even[1]), y: odd[0].unzip_low(odd[1]), reach: even[0].unzip_high(even[1]) }
    }
}

/// What the lists of sixteen balls come to.
struct Listing<'a, S: Simd> {
    exact: Exact<S>,
    params: &'a Params,
    own: Sixteen<S>,
    crowds: Crowds<S>,
    supporter: u32x16<S>,
    steepness: f32x16<S>,
    /// Lanes that are done over by themselves.
    alone: mask32x16<S>,
}

impl<S: Simd> Listing<'_, S> {
    /// Meets the first `counts` of each list.
    #[inline(always)]
    fn meet_balls(&mut self, bodies: &[Record], lists: &[u32], counts: &[u32; LANES]) {
        let (exact, simd, own) = (self.exact, self.exact.0, self.own);
        let hurried = own.have(simd, Record::HURRIED);
        let listed_of = u32x16::from_slice(simd, counts);
        let most = counts.iter().copied().max().unwrap_or(0);
        for (slot, slots) in (0..most).zip(lists.as_chunks().0) {
            let other = Sixteen::gather(simd, bodies, slots);
            let listed = listed_of.simd_gt(u32x16::splat(simd, slot));
            let Directions { nx, ny, distance, coincide } = Directions::of(exact, &own, &other);
            self.alone |= listed & coincide;
            let gap = distance - (own.radius + other.radius);
            self.crowds.add(exact, listed & (gap.simd_lt(exact.all(0.0)) | hurried), nx, ny);
            let near = gap.simd_lt(exact.all(NEAR) * exact.min(own.radius, other.radius));
            let movable = other.inverse_mass.simd_gt(exact.all(0.0));
            let stands_on = movable.select(u32x16::from_slice(simd, slots), u32x16::splat(simd, GROUND));
            let steepness = nx * exact.all(self.params.down_x) + ny * exact.all(self.params.down_y);
            self.offer(listed & near, stands_on, steepness);
        }
    }

    /// As `Stand::offer`, where `which`.
    #[inline(always)]
    fn offer(&mut self, which: mask32x16<S>, supporter: u32x16<S>, steepness: f32x16<S>) {
        let better = which & steepness.simd_gt(self.steepness);
        self.supporter = better.select(supporter, self.supporter);
        self.steepness = better.select(steepness, self.steepness);
    }

    #[inline(always)]
    fn meet_surfaces(&mut self) {
        let (exact, params, own) = (self.exact, self.params, self.own);
        let ground = u32x16::splat(exact.0, GROUND);
        for surface in &params.surfaces[..params.all_surfaces.count_ones() as usize] {
            let near = surface_gap(exact, &own, surface).simd_lt(exact.all(NEAR) * own.radius);
            let steepness = 0.0 - (surface.normal_x * params.down_x + surface.normal_y * params.down_y);
            self.offer(near, ground, exact.all(steepness));
        }
    }

    /// A bit for each surface that each ball may come to touch within the step: as `near_surfaces`.
    #[inline(always)]
    fn near_surfaces(&self) -> u32x16<S> {
        let (exact, params, own) = (self.exact, self.params, self.own);
        let usual = exact.all(params.margin) * own.radius + travel(exact, params, &own);
        let margin = exact.max(usual, exact.all(params.most_margin) * own.radius);
        let none = u32x16::splat(exact.0, 0);
        let mut near = none;
        for (index, surface) in params.surfaces[..params.all_surfaces.count_ones() as usize].iter().enumerate() {
            let (vx, vy) = surface_velocity(exact, &own, surface);
            let nearing = vx * exact.all(surface.normal_x) + vy * exact.all(surface.normal_y);
            let within = margin + exact.max(nearing * exact.all(params.step_s), exact.all(0.0));
            let is_near = surface_gap(exact, &own, surface).simd_lt(within);
            near |= is_near.select(u32x16::splat(exact.0, 1 << index), none);
        }
        near
    }

    #[inline(always)]
    fn write(&self, counts: &[u32; LANES], lists: &mut Lists) {
        let surfaces: [u32; LANES] = self.near_surfaces().into();
        for (nearby, (&candidates, surfaces)) in lists.nearby.iter_mut().zip(counts.iter().zip(surfaces)) {
            *nearby = Nearby { candidates, surfaces };
        }
        self.supporter.store_slice(lists.supporter);
        let presplit = self.exact.all(self.params.presplit) * self.crowds.split(self.exact);
        Sixteen { split: self.exact.max(self.own.split, presplit), ..self.own }.store(lists.bodies);
    }
}
