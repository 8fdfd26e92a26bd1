//! The step: its stages in order, stated once. Both engines run this list.
//!
//! A later stage reads only what an earlier one wrote: where actors are sent (where there are any), then forces, then
//! the grid (count, prefix sum, scatter, reorder), then who is awake (where balls sleep), who may meet whom, who wakes
//! (where balls sleep), what balls remember of contacts that rub and, under gravity, who stands on the ground; then the
//! contact passes, each behind one of friction where something rubs; then, where there are segments, the sweep, and
//! where balls carry others, these.

use crate::Stage;
use crate::params::Traits;

/// A stage of a step, and how far the step has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The stage.
    pub(crate) stage: Stage,
    /// Substeps of the step that are done.
    pub(crate) substeps: u32,
    /// Whether it is the last pass: its velocities then carry no further substep's forces.
    pub(crate) is_last: bool,
}

impl Turn {
    /// A stage at the step's beginning, or by itself.
    pub(crate) fn of(stage: Stage) -> Self {
        Self { stage, substeps: 0, is_last: false }
    }
}

/// The turns of one step of `passes` contact passes. Where balls sleep, those awake are found and some are woken before
/// them, and with relief, the ground is found; where something rubs, friction goes before each; where there are
/// segments, what has crossed one is put back after them. Actors are steered before all, and those that are carried
/// follow after all.
pub(crate) fn turns(passes: u32, sleeps: bool, relieves: bool, traits: Traits) -> impl Iterator<Item = Turn> {
    const IN_ORDER: [Stage; 6] = [
        Stage::ApplyForces,
        Stage::GridCount,
        Stage::GridSums,
        Stage::GridScan,
        Stage::GridScatter,
        Stage::GridReorder,
    ];
    let steer = traits.acts.then_some(Stage::Steer);
    let [find_awake, wake_up] = [Stage::FindAwake, Stage::WakeUp].map(|stage| sleeps.then_some(stage));
    let lists = find_awake.into_iter().chain([Stage::ListContacts]).chain(wake_up);
    let spins = traits.rolls.then_some(Stage::CarrySpins);
    let grips = traits.rubs.then_some(Stage::CarryGrips);
    let ground = relieves.then_some(Stage::FindGround);
    let before = steer.into_iter().chain(IN_ORDER).chain(lists).chain(spins).chain(grips).chain(ground);
    let substep = move |substeps| {
        let friction = traits.rubs.then_some(Turn { substeps, ..Turn::of(Stage::FrictionPass) });
        let pass = Turn { stage: Stage::ContactPass, substeps, is_last: substeps + 1 == passes };
        friction.into_iter().chain([pass])
    };
    let sweep = traits.segments.then_some(Stage::Sweep);
    let follow = traits.carries.then_some([Stage::NoteSlots, Stage::Follow]);
    let after = sweep.into_iter().chain(follow.into_iter().flatten());
    before.map(Turn::of).chain((0..passes).flat_map(substep)).chain(after.map(Turn::of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_pass_ends_the_step() {
        let rubs = Traits { rubs: true, ..Traits::default() };
        let rolls = Traits { rolls: true, ..rubs };
        for (relieves, traits, more) in [
            (false, Traits::default(), 0),
            (true, Traits::default(), 1),
            (false, rubs, 1 + 8),
            (false, rolls, 2 + 8),
            (false, Traits { acts: true, ..Traits::default() }, 1),
        ] {
            let turns: Vec<Turn> = turns(8, false, relieves, traits).collect();
            let (last, others) = turns.split_last().unwrap();
            assert_eq!(others.len(), 14 + more);
            assert!(last.is_last && others.iter().all(|turn| !turn.is_last));
            let passes = others.iter().filter(|turn| turn.stage == Stage::ContactPass).chain([last]);
            assert!(passes.map(|turn| turn.substeps).eq(0..8));
        }
    }
}
