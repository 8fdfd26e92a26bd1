//! [`list_contacts`] for sixteen balls at a time: the homes of a row are tried sixteen at once; then the balls of a share are
//! ranked by what is found, and those of sixteen ranks meet the first of each list, the second, and so on. A ball that is
//! immovable, crowded, near a segment, or whose centre coincides with another's, is done over by itself.

use std::ops::Range;

use fearless_simd::{Level, dispatch, f32x16, mask32x16, prelude::*, u32x16};

use super::lists::{CROWDED, ShareOfLists, UNLISTED};
use super::{Listed, Nearby, Neighbourhood, list_contacts};
use crate::Record;
use crate::params::{LevelParams, Params};
use crate::stage::SLOTS;
use crate::stage::find_ground::{GROUND, NEAR, STEEP};
use crate::stage::grid_count::lanes::{column, row, travel};
use crate::stage::grid_reorder::lanes::Places;
use crate::stage::lanes::{
    ALL, Crowds, Directions, Exact, LANE_NUMBERS, LANES, SHARE, Sixteen, indices_from, lanes_of, lanes_where,
    surface_gap, surface_velocity,
};

/// Where what is said of a share's balls goes.
pub(crate) struct ListedShare<'a> {
    pub(crate) lists: ShareOfLists<'a>,
    pub(crate) nearby: &'a mut [Nearby],
    pub(crate) supporter: &'a mut [u32],
    /// The balls with their presplit.
    pub(crate) bodies: &'a mut [Record],
}

impl ListedShare<'_> {
    /// Does the ball in a slot by itself.
    fn list_alone(&mut self, around: &Neighbourhood, slot: u32) {
        let index = slot as usize - self.lists.first;
        let list = |nth, j| self.lists.list(index, nth, j);
        let Listed { nearby, supporter, body } = list_contacts(around, slot as usize, list);
        (self.nearby[index], self.supporter[index], self.bodies[index]) = (nearby, supporter, body);
    }
}

const _: () = assert!(SLOTS as usize == LANES, "a list is a vector");

/// What is found of a share's balls before they are ranked.
struct Found {
    candidates: [[u32; LANES]; SHARE],
    /// How many candidates each has, or [`CROWDED`] or [`UNLISTED`].
    keys: [u8; SHARE],
}

/// Lists the candidates of a share's balls.
pub(crate) fn lists_of_contacts(level: Level, (around, places): (&Neighbourhood, &Places), mut out: ListedShare) {
    let (first, count) = (out.lists.first, out.bodies.len());
    let whole = count / LANES * LANES;
    let mut found = Found { candidates: [[0; LANES]; SHARE], keys: [UNLISTED; SHARE] };
    dispatch!(level, simd => {
        for index in (0..whole).step_by(LANES) {
            search_block(simd, (around, places), first, index, &mut found);
        }
    });
    out.lists.rank(&found.keys[..count]);
    dispatch!(level, simd => {
        for block in 0..whole / LANES {
            list_block(simd, around, &found, block, &mut out);
        }
    });
    for rank in whole..count {
        out.list_alone(around, out.lists.slots[rank]);
    }
}

/// Finds the candidates of sixteen balls of a share from `index` on.
#[inline(always)]
fn search_block<S: Simd>(
    simd: S,
    (around, places): (&Neighbourhood, &Places),
    first: usize,
    index: usize,
    out: &mut Found,
) {
    let movable = lanes_where(simd, |lane| around.bodies[first + index + lane].is_movable()).to_bitmask();
    // What is found beyond a list falls behind it.
    let (mut found, mut counts) = ([[0; 2 * LANES]; LANES], [0; LANES]);
    for level in around.levels() {
        let windows = Windows::sixteen(Exact(simd), (around.params, level), places, first + index);
        for lane in lanes_of(movable) {
            let slots = windows.slots(around.cell_start, level, lane);
            search(simd, (around, places), first + index + lane, slots, (&mut found[lane], &mut counts[lane]));
        }
    }
    for lane in lanes_of(movable) {
        out.candidates[index + lane].copy_from_slice(&found[lane][..LANES]);
        out.keys[index + lane] = counts[lane].min(u32::from(CROWDED)) as u8;
    }
}

/// Lists what is found of the balls of a block of ranks.
#[inline(always)]
fn list_block<S: Simd>(simd: S, around: &Neighbourhood, found: &Found, block: usize, out: &mut ListedShare) {
    let Neighbourhood { params, bodies, .. } = *around;
    let first = out.lists.first;
    let (&slots, lists) = out.lists.nth_block(block);
    let (mut counts, mut alone) = ([0; LANES], 0);
    let mut rows = [u32x16::splat(simd, 0); LANES];
    for (lane, &slot) in slots.iter().enumerate() {
        let index = slot as usize - first;
        let (candidates, key) = (&found.candidates[index], u32::from(found.keys[index]));
        rows[lane] = u32x16::from_slice(simd, candidates);
        // Pieces of segments come last.
        if key > SLOTS || key > 0 && candidates[key as usize - 1] >= params.balls {
            alone |= 1 << lane;
        } else {
            counts[lane] = key;
        }
    }
    if alone == ALL {
        return slots.into_iter().for_each(|slot| out.list_alone(around, slot));
    }
    transpose(rows, lists);
    let exact = Exact(simd);
    let mut listing = Listing {
        exact,
        params,
        own: Sixteen::gather(simd, bodies, &slots),
        crowds: Crowds::none(exact),
        supporter: u32x16::splat(simd, params.afloat),
        steepness: exact.all(STEEP),
        alone: mask32x16::from_bitmask(simd, alone),
    };
    listing.meet_balls(bodies, lists, &counts);
    listing.meet_surfaces();
    listing.write(&slots, &counts, out);
    lanes_of(listing.alone.to_bitmask()).for_each(|lane| out.list_alone(around, slots[lane]));
}

/// The cells of a level in which the candidates of sixteen balls lie: columns of the first and the last row, and rows.
struct Windows {
    first: [u32; LANES],
    last: [u32; LANES],
    top: [u32; LANES],
    bottom: [u32; LANES],
}

impl Windows {
    /// As `Neighbourhood::window`.
    #[inline(always)]
    fn sixteen<S: Simd>(
        exact: Exact<S>,
        (params, level): (&Params, &LevelParams),
        places: &Places,
        first: usize,
    ) -> Self {
        let of = |field: &[f32]| f32x16::from_slice(exact.0, &field[first..first + LANES]);
        let (x, y, span) = (of(&places.x), of(&places.y), of(&places.reach) + exact.all(level.reach));
        let start = u32x16::splat(exact.0, level.first);
        Self {
            first: (start + column(exact, params, level, x - span)).into(),
            last: (start + column(exact, params, level, x + span)).into(),
            top: row(exact, params, level, y - span).into(),
            bottom: row(exact, params, level, y + span).into(),
        }
    }

    /// The slots in each row of the cells of one ball.
    #[inline(always)]
    fn slots(&self, cell_start: &[u32], level: &LevelParams, lane: usize) -> impl Iterator<Item = Range<usize>> {
        let start = |cell: u32| cell_start[cell as usize] as usize;
        let rows = (self.top[lane]..=self.bottom[lane]).map(|row| row * level.columns);
        rows.map(move |of_row| start(self.first[lane] + of_row)..start(self.last[lane] + of_row + 1))
    }
}

/// Adds those in some slots that are candidates of the ball in slot `i` to what is found and counted; of more than
/// [`SLOTS`], some are lost.
#[inline(always)]
fn search<S: Simd>(
    simd: S,
    (around, places): (&Neighbourhood, &Places),
    i: usize,
    rows: impl Iterator<Item = Range<usize>>,
    (found, count): (&mut [u32; 2 * LANES], &mut u32),
) {
    let (exact, home) = (Exact(simd), &around.homes[i]);
    let (x, y, reach) = (exact.all(home.x), exact.all(home.y), exact.all(home.reach));
    for slots in rows {
        let mut next = slots.start;
        while next < slots.end {
            let at = next.min(around.homes.len() - LANES);
            let wanted = (1 << (slots.end - at).min(LANES)) - (1 << (next - at));
            let own = if (at..at + LANES).contains(&i) { 1 << (i - at) } else { 0 };
            let of = |field: &[f32]| f32x16::from_slice(simd, &field[at..at + LANES]);
            let (dx, dy, reaches) = (of(&places.x) - x, of(&places.y) - y, reach + of(&places.reach));
            let near = (dx * dx + dy * dy).simd_lt(reaches * reaches).to_bitmask() & wanted & !own;
            let all = u32x16::splat(simd, at as u32) + u32x16::from_slice(simd, &LANE_NUMBERS);
            let listed = all.compress(mask32x16::from_bitmask(simd, near));
            let room = (*count).min(SLOTS) as usize;
            listed.store_slice(&mut found[room..room + LANES]);
            *count += near.count_ones();
            next = at + LANES;
        }
    }
}

/// Lists ball by ball to lists slot by slot: four perfect shuffles of 256 words.
#[inline(always)]
fn transpose<S: Simd>(mut rows: [u32x16<S>; LANES], lists: &mut [[u32; LANES]]) {
    for _ in 0..LANES.ilog2() {
        let mut shuffled = rows;
        for half in 0..LANES / 2 {
            let (low, high) = (rows[half], rows[half + LANES / 2]);
            (shuffled[2 * half], shuffled[2 * half + 1]) = (low.zip_low(high), low.zip_high(high));
        }
        rows = shuffled;
    }
    for (row, words) in rows.iter().zip(lists) {
        row.store_slice(words);
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
    fn meet_balls(&mut self, bodies: &[Record], lists: &[[u32; LANES]], counts: &[u32; LANES]) {
        let (exact, simd, own) = (self.exact, self.exact.0, self.own);
        let hurried = own.have(simd, Record::HURRIED);
        let listed_of = u32x16::from_slice(simd, counts);
        let most = counts.iter().copied().max().unwrap_or(0);
        for (slot, slots) in (0..most).zip(lists) {
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
    fn write(&self, slots: &[u32; LANES], counts: &[u32; LANES], out: &mut ListedShare) {
        let indices = indices_from(out.lists.first, slots);
        let (surfaces, supporters): ([u32; LANES], [u32; LANES]) = (self.near_surfaces().into(), self.supporter.into());
        for (lane, &index) in indices.iter().enumerate() {
            out.nearby[index as usize] = Nearby { candidates: counts[lane], surfaces: surfaces[lane] };
            out.supporter[index as usize] = supporters[lane];
        }
        let presplit = self.exact.all(self.params.presplit) * self.crowds.split(self.exact);
        let split = self.exact.max(self.own.split, presplit);
        Sixteen { split, ..self.own }.scatter(self.exact.0, out.bodies, &indices);
    }
}
