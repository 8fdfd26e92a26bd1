//! The lists of candidates as the CPU engine keeps them: of the balls of a share, those with as many candidates stand
//! together, so that sixteen that are done at once have lists of one length. What a ball computes does not depend on it.

use std::ops::Range;

use rayon::prelude::*;

use crate::stage::SLOTS;
use crate::stage::lanes::LANES;

/// Balls that are ranked together, and that a thread takes at least at a time.
pub(crate) const SHARE: usize = 512;
/// The key by which a ball is ranked that has more candidates than a list holds.
pub(super) const CROWDED: u8 = SLOTS as u8 + 1;
/// The key of one that is listed by itself.
pub(super) const ALONE: u8 = CROWDED + 1;
/// Words of the lists of sixteen balls.
const WORDS: usize = LANES * SLOTS as usize;

/// Every ball's list, in blocks of sixteen ranks: the first candidates of all of them before the second ones.
pub(crate) struct Lists {
    /// The slot at each rank.
    slots: Vec<u32>,
    /// The rank of each slot.
    ranks: Vec<u32>,
    candidates: Vec<u32>,
}

/// The lists of a share's balls, to be written.
pub(crate) struct ShareOfLists<'a> {
    /// The first slot, and the first rank.
    pub(super) first: usize,
    pub(super) slots: &'a mut [u32],
    ranks: &'a mut [u32],
    candidates: &'a mut [u32],
}

/// Where the nth candidate of a rank stands.
#[inline(always)]
fn listed_at(rank: usize, nth: usize) -> usize {
    rank / LANES * WORDS + nth * LANES + rank % LANES
}

impl Lists {
    /// Of so many balls, each at its own slot. A list's words past its end always name some ball.
    pub(crate) fn new(balls: usize) -> Self {
        let slots: Vec<u32> = (0..balls as u32).collect();
        Self { ranks: slots.clone(), slots, candidates: vec![0; balls.div_ceil(LANES) * WORDS] }
    }

    /// The list of the ball in a slot, and what follows it.
    #[inline(always)]
    pub(crate) fn of(&self, slot: usize) -> impl Iterator<Item = u32> {
        let list = self.candidates[listed_at(self.ranks[slot] as usize, 0)..].iter().step_by(LANES);
        list.take(SLOTS as usize).copied()
    }

    /// The slots of some ranks.
    #[inline(always)]
    pub(in crate::stage) fn slots_at(&self, ranks: Range<usize>) -> &[u32] {
        &self.slots[ranks]
    }

    /// The slots of sixteen ranks from `rank` on, and their first candidates, their second ones, and so on.
    #[inline(always)]
    pub(in crate::stage) fn block(&self, rank: usize) -> (&[u32; LANES], &[[u32; LANES]]) {
        let (slots, lists) = (&self.slots[rank..], &self.candidates[rank / LANES * WORDS..][..WORDS]);
        (slots.first_chunk().expect("a whole block"), lists.as_chunks().0)
    }

    /// By shares.
    pub(crate) fn shares_mut(&mut self) -> impl IndexedParallelIterator<Item = ShareOfLists<'_>> {
        let ranked = self.slots.par_chunks_mut(SHARE).zip(self.ranks.par_chunks_mut(SHARE));
        let shares = ranked.zip(self.candidates.par_chunks_mut(SHARE / LANES * WORDS)).enumerate();
        shares.map(|(share, ((slots, ranks), candidates))| ShareOfLists {
            first: share * SHARE,
            slots,
            ranks,
            candidates,
        })
    }
}

impl ShareOfLists<'_> {
    /// Ranks the balls by their keys.
    pub(super) fn rank(&mut self, keys: &[u8]) {
        let mut next = [0; ALONE as usize + 2];
        keys.iter().for_each(|&key| next[key as usize + 1] += 1);
        (0..=ALONE as usize).for_each(|key| next[key + 1] += next[key]);
        for (slot, &key) in keys.iter().enumerate() {
            let rank = next[key as usize];
            next[key as usize] += 1;
            self.slots[rank] = (self.first + slot) as u32;
            self.ranks[slot] = (self.first + rank) as u32;
        }
    }

    /// Lists slot `j` as the nth candidate of the share's ball `index`.
    pub(super) fn list(&mut self, index: usize, nth: usize, j: u32) {
        self.candidates[listed_at(self.ranks[index] as usize - self.first, nth)] = j;
    }

    /// The lists of a block of ranks.
    #[inline(always)]
    pub(super) fn block(&mut self, block: usize) -> (&[u32; LANES], &mut [[u32; LANES]]) {
        let lists = &mut self.candidates[block * WORDS..][..WORDS];
        (&self.slots.as_chunks().0[block], lists.as_chunks_mut().0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranks_go_by_keys_and_a_list_stays_its_balls(shares in prop::collection::vec(
            prop::collection::vec(0..=ALONE, SHARE), 1..4), last in prop::collection::vec(0..=ALONE, 0..SHARE))
        {
            let keys: Vec<&[u8]> = shares.iter().chain([&last]).map(Vec::as_slice).filter(|k| !k.is_empty()).collect();
            let all = keys.concat();
            let mut lists = Lists::new(all.len());
            lists.shares_mut().zip(keys.par_iter()).for_each(|(mut share, keys)| {
                share.rank(keys);
                // Every ball lists its own slot and its key.
                for (index, &key) in keys.iter().enumerate() {
                    share.list(index, 0, (share.first + index) as u32);
                    share.list(index, usize::from(SLOTS as u8 - 1), key.into());
                }
            });
            for (slot, &key) in all.iter().enumerate() {
                let list: Vec<u32> = lists.of(slot).collect();
                prop_assert_eq!((list[0], list[SLOTS as usize - 1]), (slot as u32, key.into()));
            }
            for (share, keys) in keys.iter().enumerate() {
                let ranks = share * SHARE..share * SHARE + keys.len();
                let ranked: Vec<u8> = lists.slots_at(ranks.clone()).iter().map(|&slot| all[slot as usize]).collect();
                prop_assert!(ranked.is_sorted());
                let mut slots = lists.slots_at(ranks.clone()).to_vec();
                slots.sort_unstable();
                prop_assert!(slots.iter().map(|&slot| slot as usize).eq(ranks));
            }
            for rank in (0..all.len() / LANES).map(|block| block * LANES) {
                let (slots, listed) = lists.block(rank);
                prop_assert_eq!(slots, &listed[0], "a block's lists are those of its slots");
            }
        }
    }
}
