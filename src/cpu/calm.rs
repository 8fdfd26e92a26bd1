//! Which of the threads' shares of the slots a step may pass over: those whose balls all slept in the same slots before.

use std::ops::Range;

use crate::stage::lanes::SHARE;

/// How long each share has been at rest.
pub(super) struct Calm(Vec<Rest>);

/// The steps for which all balls of a share have slept in their slots, the present one included.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest(u8);

impl Rest {
    /// From then on both spin buffers and both grip buffers hold what such a share is. In its first step its balls come
    /// into their slots in one of them, and with a single pass only the next step brings them into the other; a vast
    /// angle takes a few steps more, since what is left when its turns are dropped is rounded.
    const SETTLED: u8 = 8;

    /// Whether the stages of the grid and of the passes must look at the share.
    pub(super) fn is_busy(self) -> bool {
        self.0 == 0
    }

    /// Whether the stages of what rubs and turns must look at it.
    pub(super) fn is_unsettled(self) -> bool {
        self.0 < Self::SETTLED
    }

    /// What becomes of it in a step, if all its balls sleep or not.
    pub(super) fn after_step(self, all_sleep: bool) -> Self {
        Self(if all_sleep { self.0.saturating_add(1) } else { 0 })
    }
}

impl Calm {
    /// Of so many slots, none of which is known to be calm.
    pub(super) fn none(slots: usize) -> Self {
        Self(vec![Rest::default(); slots.div_ceil(SHARE)])
    }

    /// One for each share.
    pub(super) fn shares(&self) -> &[Rest] {
        &self.0
    }

    pub(super) fn shares_mut(&mut self) -> &mut [Rest] {
        &mut self.0
    }

    /// Something has come into a slot, or happens to what is in it.
    pub(super) fn disturb(&mut self, slot: usize) {
        self.0[slot / SHARE] = Rest::default();
    }

    /// The same of some slots.
    pub(super) fn disturb_slots(&mut self, slots: Range<usize>) {
        if !slots.is_empty() {
            self.0[slots.start / SHARE..=(slots.end - 1) / SHARE].fill(Rest::default());
        }
    }

    pub(super) fn disturb_all(&mut self) {
        self.0.fill(Rest::default());
    }

    /// Whether every share is calm.
    pub(super) fn is_everywhere(&self) -> bool {
        self.0.iter().all(|rest| !rest.is_busy())
    }
}
