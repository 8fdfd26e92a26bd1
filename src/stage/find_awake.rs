//! `find_awake`: which blocks of slots hold a ball that is awake. Runs only where balls may sleep.
//!
//! What a sleeper has to say is said here: it keeps no list and stands on the ground, and both buffers of records hold it.
//! The stages from the lists to the passes then leave it alone: a GPU runs them only on the workgroups' blocks in which
//! some ball is awake, which gather in a list, in whatever order; the CPU runs them only on those of its threads' shares.

use super::{Access, Bindings, Buffer};
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

/// Whether none of these balls moves before something wakes it.
pub(crate) fn all_sleep(bodies: &[Record]) -> bool {
    bodies.iter().all(Record::is_asleep)
}
