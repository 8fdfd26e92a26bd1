//! `grid_scan`: prefix sum over the cells' counts. Cell c's balls lie at `start[c]..start[c + 1]` in cell order. On the
//! way the counts return to zero, ready for the next step. On a GPU each block adds up the totals of the blocks
//! before it (`grid_sums`), then sums its own cells.

use super::{Access, Bindings, Buffer};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::CellCount, Access::Update),
    (Buffer::BlockSum, Access::Read),
    (Buffer::CellStart, Access::Write),
];

/// `start[c]` = balls in the cells before c. `start` is as long as `count`, which comes back zeroed.
pub(crate) fn grid_scan(count: &mut [u32], start: &mut [u32]) {
    let mut sum = 0;
    for (count, start) in count.iter_mut().zip(start) {
        *start = sum;
        sum += *count;
        *count = 0;
    }
}

/// The same where few balls have left their cells: `start` from that of the step before, from the slots that they left,
/// ascending, and from the cells that they are in now, ascending.
pub(crate) fn mend(before: &[u32], departures: &[u32], arrivals: impl Iterator<Item = u32>, start: &mut [u32]) {
    let (mut departures, mut arrivals) = (departures.iter().copied().peekable(), arrivals.peekable());
    let mut shift = 0u32;
    for (cell, (start, &before)) in start.iter_mut().zip(before).enumerate() {
        while departures.next_if(|&slot| slot < before).is_some() {
            shift = shift.wrapping_sub(1);
        }
        while arrivals.next_if(|&into| (into as usize) < cell).is_some() {
            shift = shift.wrapping_add(1);
        }
        *start = before.wrapping_add(shift);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_start_is_the_sum_of_the_counts_before(counts in prop::collection::vec(0u32..100_000, 0..200)) {
            let (mut left, mut start) = (counts.clone(), vec![u32::MAX; counts.len()]);
            grid_scan(&mut left, &mut start);
            for (cell, &start) in start.iter().enumerate() {
                prop_assert_eq!(start, counts[..cell].iter().sum::<u32>());
            }
            prop_assert!(left.iter().all(|&count| count == 0));
        }
    }
}
