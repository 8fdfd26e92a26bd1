//! `find_calm`: whether so long nothing has moved that a GPU may pass over a step. A kernel of `apply_forces` where balls
//! sleep; the CPU engine passes over its sleepers in its own way.
//!
//! `apply_forces` says whether anything *stirs*: a ball that is awake after it, or an immovable one on its way. A step in which
//! nothing does is calm. The first two calm steps in a row are run whole: `find_awake` leaves each record in both of its buffers,
//! and from then on the order by cells stays what it is, so that by the second both buffers of homes hold the same, too. From the
//! third on the stages of the grid and `find_awake` are dispatched over nothing, and those behind them, which run over
//! the blocks awake, find none listed. Whatever changes balls or constants between two steps starts the count anew.

use crate::stage::{Access, Bindings, Buffer};

pub(crate) const BINDINGS: Bindings = &[(Buffer::Params, Access::Uniform), (Buffer::Calm, Access::Update)];

/// The words of [`Buffer::Calm`]: the dispatch of a kernel over balls, then that of one over blocks of cells.
pub(crate) const OVER_BLOCKS: u32 = 3;
/// 1 if anything stirs in the step at hand, else 0.
pub(crate) const STIRS: u32 = 6;
/// Calm steps in a row before it.
pub(crate) const CALM_STEPS: u32 = 7;
/// Both dispatches as they are where something stirs; the host writes them.
pub(crate) const FULL: u32 = 8;
/// How many words it has.
pub(crate) const WORDS: u32 = 14;

/// Calm steps in a row that are run whole.
pub(crate) const WHOLE_STEPS: u32 = 2;
