//! The lists of candidates as the CPU engine keeps them: of the balls of a share, those with as many candidates stand
//! together, so that sixteen that are done at once have lists of one length. What a ball computes does not depend on it.

use std::ops::Range;

use rayon::prelude::*;

use crate::stage::SLOTS;
use crate::stage::lanes::{LANES, SHARE};

/// The key by which a ball is ranked that has more candidates than a list holds.
pub(super) const CROWDED: u8 = SLOTS as u8 + 1;
/// The key of one that has no list, as a sleeper: together, they are passed over.
pub(super) const UNLISTED: u8 = CROWDED + 1;
/// Words of the lists of sixteen balls.
const WORDS: usize = LANES * SLOTS as usize;

/// Every ball's list, in blocks of sixteen ranks: the first candidates of all of them before the second ones. Past its end a
/// list holds slots that there are, whosever.
pub(crate) struct Lists {
    /// The slot at each rank.
    slots: Vec<u32>,
    /// The rank of each slot.
    ranks: Vec<u32>,
    candidates: Vec<u32>,
}

/// Sixteen balls whose lists are about as long.
#[derive(Clone, Copy)]
pub(in crate::stage) struct Block<'a> {
    pub(in crate::stage) slots: &'a [u32; LANES],
    /// Their first candidates, then their second ones, and so on.
    pub(in crate::stage) candidates: &'a [[u32; LANES]],
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
    /// Of so many balls, each at its own slot.
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

    /// The balls of some whole shares, sixteen at a time in the order of their ranks, but for a last few.
    #[inline(always)]
    pub(in crate::stage) fn blocks(&self, slots: Range<usize>) -> impl Iterator<Item = Block<'_>> {
        let lists = self.candidates[slots.start / LANES * WORDS..].chunks_exact(WORDS);
        let blocks = self.slots[slots].as_chunks().0.iter().zip(lists);
        blocks.map(|(slots, candidates)| Block { slots, candidates: candidates.as_chunks().0 })
    }

    /// The last few.
    pub(in crate::stage) fn rest(&self, slots: Range<usize>) -> &[u32] {
        self.slots[slots].as_chunks::<LANES>().1
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
        let mut next = [0; UNLISTED as usize + 2];
        keys.iter().for_each(|&key| next[key as usize + 1] += 1);
        (0..=UNLISTED as usize).for_each(|key| next[key + 1] += next[key]);
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

    /// The slots of the share's nth block, and its lists.
    #[inline(always)]
    pub(super) fn nth_block(&mut self, nth: usize) -> (&[u32; LANES], &mut [[u32; LANES]]) {
        let lists = &mut self.candidates[nth * WORDS..][..WORDS];
        (&self.slots.as_chunks().0[nth], lists.as_chunks_mut().0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranks_go_by_keys_and_a_list_stays_its_balls(shares in prop::collection::vec(
            prop::collection::vec(0..=UNLISTED, SHARE), 1..4), last in prop::collection::vec(0..=UNLISTED, 0..SHARE))
        {
            let keys: Vec<&[u8]> = shares.iter().chain([&last]).map(Vec::as_slice).filter(|k| !k.is_empty()).collect();
            let all = keys.concat();
            let mut lists = Lists::new(all.len());
            lists.shares_mut().zip(keys.par_iter()).for_each(|(mut share, keys)| {
                share.rank(keys);
                // Every ball lists its own slot and its key.
                for (index, &key) in keys.iter().enumerate() {
                    share.list(index, 0, (share.first + index) as u32);
                    share.list(index, SLOTS as usize - 1, key.into());
                }
            });
            for (slot, &key) in all.iter().enumerate() {
                let list: Vec<u32> = lists.of(slot).collect();
                prop_assert_eq!((list[0], list[SLOTS as usize - 1]), (slot as u32, key.into()));
            }
            for (share, keys) in keys.iter().enumerate() {
                let of_share = share * SHARE..share * SHARE + keys.len();
                let mut slots: Vec<u32> = Vec::new();
                for block in lists.blocks(of_share.clone()) {
                    prop_assert_eq!(block.slots, &block.candidates[0], "a block's lists are those of its slots");
                    slots.extend(block.slots);
                }
                slots.extend(lists.rest(of_share.clone()));
                let ranked: Vec<u8> = slots.iter().map(|&slot| all[slot as usize]).collect();
                prop_assert!(ranked.is_sorted());
                slots.sort_unstable();
                prop_assert!(slots.iter().map(|&slot| slot as usize).eq(of_share));
            }
        }
    }
}
