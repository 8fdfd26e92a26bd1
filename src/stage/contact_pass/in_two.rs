//! `contact_pass` as a software adapter runs it where no ball sleeps, in two kernels. Such an adapter runs both sides of
//! every branch, and what only crowded balls and balls in an impact need is nine tenths of the kernel.
//!
//! `rest_pass` answers the contacts of all balls that only rest, and puts the others on a list, in whatever order.
//! `impact_pass` is the whole substep, of those on the list. Both read the same records and each ball is written by one.

use super::substep_bindings;
use crate::stage::{Access, Bindings, Buffer};

/// What `rest_pass` binds.
pub(crate) const REST: Bindings = substep_bindings![(Buffer::Deferred, Access::Write)];

/// What `impact_pass` binds.
pub(crate) const IMPACT: Bindings = substep_bindings![(Buffer::Deferred, Access::Read)];

/// The word of [`Buffer::Deferred`] that says how many balls are on the list.
pub(crate) const WAITING: u32 = 3;
/// Its first slot on the list.
pub(crate) const DEFERRED: u32 = 4;

/// Words of the list for so many slots.
pub(crate) fn words(slots: u64) -> u64 {
    u64::from(DEFERRED) + slots
}
