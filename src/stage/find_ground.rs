//! `find_ground`: which balls stand on the ground, over whatever lies between.
//!
//! `list_contacts` gives each ball the one that it stands on: of those nearly touching it (gap below 0.05 of the
//! smaller radius) the one furthest along gravity; an immovable ball or a surface there is the ground. Here each ball
//! takes over where its supporter stands (pointer jumping; Wyllie 1979), eight hops a round, so that four rounds see
//! through 4,096 layers. A ball that falls, or whose pile has lost its floor, finds none within the step: it gets no
//! relief from its load, and momentum is kept.

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
/// Gap, in smaller radii, up to which a ball stands on another.
pub(crate) const NEAR: f32 = 0.05;
/// Share of the normal that must lie along gravity.
pub(crate) const STEEP: f32 = 0.1;

/// Where the ball that stands on `supporter` stands, up to [`HOPS`] balls further down.
pub(crate) fn find_ground(supporters: &[u32], supporter: u32) -> u32 {
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
    use super::*;
    use crate::stage::NONE;

    fn found(mut supporters: Vec<u32>) -> Vec<u32> {
        for _ in 0..ROUNDS {
            supporters = supporters.iter().map(|&supporter| find_ground(&supporters, supporter)).collect();
        }
        supporters
    }

    #[test]
    fn a_tower_of_4096_stands_and_one_in_the_air_does_not() {
        let mut supporters: Vec<u32> = (0..4096).map(|i: u32| i.wrapping_sub(1)).collect();
        supporters[0] = GROUND;
        assert!(found(supporters.clone()).iter().all(|&supporter| supporter == GROUND));
        supporters[0] = NONE;
        assert!(found(supporters).iter().all(|&supporter| supporter == NONE));
    }
}
