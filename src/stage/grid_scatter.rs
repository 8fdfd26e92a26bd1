//! `grid_scatter`: each ball's id and slot to the place that it drew in its cell.

use std::ops::Range;

use super::{Access, Bindings, Buffer};
use crate::Home;

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Homes, Access::Read),
    (Buffer::CellOf, Access::Read),
    (Buffer::CellStart, Access::Read),
    (Buffer::Members, Access::Write),
];

/// Id and old slot of each ball, gathered by cell: `cell_of[i]` is ball i's cell and the place that it drew there.
pub(crate) fn grid_scatter(
    ids: impl Iterator<Item = u32>,
    cell_of: &[[u32; 2]],
    start: &[u32],
    members: &mut [[u32; 2]],
) {
    for (slot, (id, &[cell, place])) in ids.zip(cell_of).enumerate() {
        members[(start[cell as usize] + place) as usize] = [id, slot as u32];
    }
}

/// What scattering and sorting give where few balls have left their cells: the order of the step before, whose cells start
/// at `before`, without the slots `departures`, and with the `arrivals` (cell, id and slot) put in by cell and id.
/// `changed` hears of the new slots that what was there may have left.
pub(crate) fn mend(
    homes: &[Home],
    before: &[u32],
    (departures, arrivals): (&[u32], &[[u32; 3]]),
    members: &mut [[u32; 2]],
    changed: impl FnMut(Range<usize>),
) {
    let mut order = Mended { homes, departures, members, length: 0, next: 0, changed };
    for &[cell, id, slot] in arrivals {
        let cell = before[cell as usize] as usize..before[cell as usize + 1] as usize;
        order.keep_up_to(cell.start + homes[cell].partition_point(|home| home.id < id));
        order.put(id, slot);
    }
    order.keep_up_to(homes.len());
}

/// An order on its way.
struct Mended<'a, F> {
    homes: &'a [Home],
    /// Slots still to be taken out.
    departures: &'a [u32],
    members: &'a mut [[u32; 2]],
    /// New slots that are taken.
    length: usize,
    /// The first of the old slots that are not yet kept or taken out.
    next: usize,
    changed: F,
}

impl<F: FnMut(Range<usize>)> Mended<'_, F> {
    /// Takes on the old slots up to one, but for the departures among them.
    fn keep_up_to(&mut self, end: usize) {
        while let Some((&departure, others)) = self.departures.split_first()
            && (departure as usize) < end
        {
            self.keep(departure as usize);
            self.next = departure as usize + 1;
            self.departures = others;
        }
        self.keep(end);
    }

    /// Takes on the old slots up to one.
    fn keep(&mut self, end: usize) {
        let kept = self.next..end;
        let slots = self.length..self.length + kept.len();
        let members = self.members[slots.clone()].iter_mut();
        for (member, (slot, home)) in members.zip(kept.clone().zip(&self.homes[kept])) {
            *member = [home.id, slot as u32];
        }
        if self.length != self.next {
            (self.changed)(slots.clone());
        }
        (self.length, self.next) = (slots.end, end);
    }

    fn put(&mut self, id: u32, slot: u32) {
        self.members[self.length] = [id, slot];
        (self.changed)(self.length..self.length + 1);
        self.length += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stage::grid_reorder::sort_cell;
    use crate::stage::grid_scan;

    /// Start of each cell, and id and slot of each ball in the order of its cells.
    fn counted(ids: &[u32], cell_of: &[u32], cells: usize) -> (Vec<u32>, Vec<[u32; 2]>) {
        let (mut count, mut start) = (vec![0; cells + 1], vec![0; cells + 1]);
        let place = |&cell: &u32| {
            let place = count[cell as usize];
            count[cell as usize] += 1;
            [cell, place]
        };
        let of: Vec<[u32; 2]> = cell_of.iter().map(place).collect();
        let mut members = vec![[0; 2]; ids.len()];
        grid_scan::grid_scan(&mut count, &mut start);
        grid_scatter(ids.iter().copied(), &of, &start, &mut members);
        start.windows(2).for_each(|cell| sort_cell(&mut members[cell[0] as usize..cell[1] as usize]));
        (start, members)
    }

    proptest! {
        #[test]
        fn a_mended_order_is_the_counted_one(
            cells in 1usize..40,
            balls in prop::collection::vec((any::<u16>(), any::<u16>(), 0u8..8), 1..200),
        ) {
            let (first, then): (Vec<u32>, Vec<u32>) = balls
                .iter()
                .map(|&(cell, other, moves)| {
                    let cell = u32::from(cell) % cells as u32;
                    (cell, if moves == 0 { u32::from(other) % cells as u32 } else { cell })
                })
                .unzip();
            let by_id: Vec<u32> = (0..balls.len() as u32).collect();
            let (before, order) = counted(&by_id, &first, cells);
            let ids: Vec<u32> = order.iter().map(|&[id, _]| id).collect();
            let homes: Vec<Home> = ids.iter().map(|&id| Home { id, ..Home::default() }).collect();
            let now: Vec<u32> = ids.iter().map(|&id| then[id as usize]).collect();
            let moved = |&slot: &u32| now[slot as usize] != first[ids[slot as usize] as usize];
            let departures: Vec<u32> = by_id.iter().copied().filter(moved).collect();
            let mut arrivals: Vec<[u32; 3]> =
                departures.iter().map(|&slot| [now[slot as usize], ids[slot as usize], slot]).collect();
            arrivals.sort_unstable();

            let (mut start, mut members) = (vec![0; cells + 1], vec![[0; 2]; ids.len()]);
            grid_scan::mend(&before, &departures, arrivals.iter().map(|[cell, ..]| *cell), &mut start);
            let mut changed = vec![false; ids.len()];
            mend(&homes, &before, (&departures, &arrivals), &mut members, |slots| changed[slots].fill(true));
            let wanted = counted(&ids, &now, cells);
            prop_assert_eq!((start, &members), (wanted.0, &wanted.1));
            for (slot, (&[_, from], changed)) in members.iter().zip(changed).enumerate() {
                prop_assert!(changed || from as usize == slot, "slot {} holds another ball, and nobody was told", slot);
            }
        }
    }
}
