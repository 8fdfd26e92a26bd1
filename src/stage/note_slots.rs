//! `note_slots`: the slot of each ball, by id, so that a child finds its parent. Runs only where there are children.

use super::{Access, Bindings, Buffer};
use crate::Home;

pub(crate) const BINDINGS: Bindings =
    &[(Buffer::Params, Access::Uniform), (Buffer::Homes, Access::Read), (Buffer::SlotOf, Access::Write)];

/// Notes the slots of the balls; `homes` are those of the balls alone.
pub(crate) fn note_slots(homes: &[Home], slot_of: &mut [u32]) {
    for (home, slot) in homes.iter().zip(0..) {
        slot_of[home.id as usize] = slot;
    }
}
