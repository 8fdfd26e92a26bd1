//! `find_awake`: which blocks of slots hold a ball that is awake. Runs only where balls may sleep.
//!
//! What a sleeper has to say is said here: it keeps no list and stands on the ground, and both buffers of records hold it.
//! The stages from the lists to the passes then leave it alone: a GPU runs them only on the workgroups' blocks in which
//! some ball is awake, which gather in a list, in whatever order; the CPU runs them only on those of its threads' shares.

use super::{Access, Bindings, Buffer, WORKGROUP};
use crate::Record;

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Read),
    (Buffer::BodiesOut, Access::Write),
    (Buffer::Nearby, Access::Write),
    (Buffer::Supporter, Access::Write),
    (Buffer::SupporterOut, Access::Write),
    (Buffer::AwakeBlocks, Access::Update),
];

/// The word of [`Buffer::AwakeBlocks`] that says how many blocks are listed.
pub(crate) const LISTED: u32 = 3;
/// Its first word for a block. Each has two: one of the blocks listed, and whether the block itself is one of them.
pub(crate) const BLOCKS: u32 = 4;

/// Its words for so many slots.
pub(crate) fn words(slots: u64) -> u64 {
    u64::from(BLOCKS) + 2 * slots.div_ceil(u64::from(WORKGROUP))
}

/// Whether none of these balls moves before something wakes it.
pub(crate) fn all_sleep(bodies: &[Record]) -> bool {
    bodies.iter().all(Record::is_asleep)
}
