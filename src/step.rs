//! The step: its stages in order, stated once. Both engines run this list.
//!
//! A later stage reads only what an earlier one wrote: forces, then the grid (count, prefix sum, scatter, reorder),
//! then who may meet whom, then the contact passes. Support and sleep, which look at lists, belong between
//! `list_contacts` and the first pass.

use crate::Stage;

/// A stage of a step, and whether it is the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The stage.
    pub(crate) stage: Stage,
    /// Whether the step ends with it: its velocities then carry no further substep's forces.
    pub(crate) is_last: bool,
}

/// The turns of one step of `passes` contact passes.
pub(crate) fn turns(passes: u32) -> impl Iterator<Item = Turn> {
    const BEFORE_PASSES: [Stage; 7] = [
        Stage::ApplyForces,
        Stage::GridCount,
        Stage::GridSums,
        Stage::GridScan,
        Stage::GridScatter,
        Stage::GridReorder,
        Stage::ListContacts,
    ];
    let passes = (1..=passes).map(move |pass| Turn { stage: Stage::ContactPass, is_last: pass == passes });
    BEFORE_PASSES.into_iter().map(|stage| Turn { stage, is_last: false }).chain(passes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_pass_ends_the_step() {
        let turns: Vec<Turn> = turns(8).collect();
        assert_eq!(turns.len(), 15);
        assert!(turns[14].is_last && turns[..14].iter().all(|turn| !turn.is_last));
    }
}
