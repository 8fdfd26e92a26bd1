//! `find_ground`: which balls stand on the ground, over whatever lies between.
//!
//! `list_contacts` gives each ball the one that it stands on: of those nearly touching it (gap below 0.05 of the
//! smaller radius) the one furthest along gravity; an immovable ball or a surface there is the ground. Here each ball
//! takes over where its supporter stands (pointer jumping; Wyllie 1979), eight hops a round, so that four rounds see
//! through 6,561 layers; the CPU follows each ball's way down to one whose end is known. A ball that falls, or whose pile
//! has lost its floor, finds none within the step: it gets no relief from its load, and momentum is kept.

use super::{Access, Bindings, Buffer};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Supporter, Access::Read),
    (Buffer::SupporterOut, Access::Write),
    (Buffer::AwakeBlocks, Access::Read),
];

/// The supporter of a ball that stands on a surface or an immovable ball.
pub(crate) const GROUND: u32 = u32::MAX - 1;
/// Hops of a round.
pub(crate) const HOPS: u32 = 8;
/// Rounds of a step.
pub(crate) const ROUNDS: usize = 4;
/// Most hops from a ball to where it stands that all rounds see through.
const DEPTH: u32 = (HOPS + 1).pow(ROUNDS as u32);
/// Gap, in smaller radii, up to which a ball stands on another.
pub(crate) const NEAR: f32 = 0.05;
/// Share of the normal that must lie along gravity.
pub(crate) const STEEP: f32 = 0.1;

/// Where each ball stands after all rounds, from what it stands on. `hops` is room for a number each; it is
/// sooner done if balls come after those that they stand on, or, `from_last`, before them.
pub(crate) fn find_ground(supporters: &[u32], found: &mut [u32], hops: &mut [u32], from_last: bool) {
    found.copy_from_slice(supporters);
    hops.fill(1);
    let mut slots = 0..supporters.len();
    let follow = |slot: usize| follow_down(found, hops, slot);
    let all_seen = if from_last { slots.rev().all(follow) } else { slots.all(follow) };
    if !all_seen {
        found.copy_from_slice(&rounds(supporters));
    }
}

/// Follows a ball's way down, and tells all on it where it ends and how far they are from there. Whether the rounds see
/// that far.
fn follow_down(found: &mut [u32], hops: &mut [u32], slot: usize) -> bool {
    let (mut end, mut way) = (slot, 0);
    while found[end] < GROUND && way <= DEPTH {
        end = found[end] as usize;
        way += 1;
    }
    let (ground, mut left) = (found[end], hops[end] + way);
    if left > DEPTH {
        return false;
    }
    let mut at = slot;
    while at != end {
        hops[at] = left;
        left -= 1;
        at = std::mem::replace(&mut found[at], ground) as usize;
    }
    true
}

/// What the rounds find.
fn rounds(supporters: &[u32]) -> Vec<u32> {
    let round = |at: Vec<u32>, _| at.iter().map(|&supporter| hop(&at, supporter)).collect();
    (0..ROUNDS).fold(supporters.to_vec(), round)
}

/// Where the ball that stands on `supporter` stands, up to [`HOPS`] balls further down.
fn hop(supporters: &[u32], supporter: u32) -> u32 {
    let mut at = supporter;
    for _ in 0..HOPS {
        if at >= GROUND {
            break;
        }
        at = supporters[at as usize];
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stage::NONE;

    fn found(supporters: &[u32]) -> Vec<u32> {
        let [mut found, mut hops] = [vec![0; supporters.len()], vec![0; supporters.len()]];
        find_ground(supporters, &mut found, &mut hops, false);
        let mut from_last = found.clone();
        find_ground(supporters, &mut from_last, &mut hops, true);
        assert_eq!(found, from_last);
        assert_eq!(found, rounds(supporters));
        found
    }

    #[test]
    fn a_tower_of_6561_stands_and_a_higher_one_or_one_in_the_air_does_not() {
        let mut supporters: Vec<u32> = (0..DEPTH + 1).map(|i| i.wrapping_sub(1)).collect();
        supporters[0] = GROUND;
        assert_eq!(found(&supporters)[DEPTH as usize], 0, "the ball at the bottom of the tower");
        supporters.pop();
        assert!(found(&supporters).iter().all(|&supporter| supporter == GROUND));
        supporters[0] = NONE;
        assert!(found(&supporters).iter().all(|&supporter| supporter == NONE));
        // No two stand on each other, but if they did, nothing would hang.
        supporters[0] = 2;
        assert!(found(&supporters).iter().all(|&supporter| supporter < 3));
    }

    proptest! {
        #[test]
        fn ways_followed_down_end_where_the_rounds_do(below in prop::collection::vec((any::<u32>(), 0u8..8), 1..300)) {
            let stands = |(slot, &(below, kind)): (usize, &(u32, u8))| match kind {
                0 => GROUND,
                1 => NONE,
                _ if slot == 0 => GROUND,
                _ => below % slot as u32,
            };
            found(&below.iter().enumerate().map(stands).collect::<Vec<u32>>());
        }
    }
}
