//! Which of the threads' shares of the slots a step may pass over: those whose balls all slept in the same slots before.

use super::SHARE;

/// For each share, the steps for which all its balls have slept in their slots, the present one included.
pub(super) struct Calm(Vec<u8>);

/// From then on both of a pair of buffers hold what such a share is, whatever is swapped within a step.
const SETTLED: u8 = 3;

impl Calm {
    /// Of so many slots, none of which is known to be calm.
    pub(super) fn none(slots: usize) -> Self {
        Self(vec![0; slots.div_ceil(SHARE)])
    }

    /// One for each share.
    pub(super) fn shares(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn shares_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    /// Something has come into a slot, or happens to what is in it.
    pub(super) fn disturb(&mut self, slot: usize) {
        self.0[slot / SHARE] = 0;
    }

    /// The same of some slots.
    pub(super) fn disturb_slots(&mut self, slots: std::ops::Range<usize>) {
        if !slots.is_empty() {
            self.0[slots.start / SHARE..=(slots.end - 1) / SHARE].fill(0);
        }
    }

    pub(super) fn disturb_all(&mut self) {
        self.0.fill(0);
    }
}

/// Whether a share must be looked at by the stages of the grid and of the passes.
pub(super) fn is_busy(steps: &u8) -> bool {
    *steps == 0
}

/// Whether a share must be looked at by the stages of what rubs, which swap their buffers once more.
pub(super) fn is_unsettled(steps: &u8) -> bool {
    *steps < SETTLED
}

/// What becomes of a share in a step, if all its balls sleep or not.
pub(super) fn after_step(steps: u8, all_sleep: bool) -> u8 {
    if all_sleep { steps.saturating_add(1) } else { 0 }
}
