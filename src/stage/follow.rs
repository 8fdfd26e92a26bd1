//! `follow`: children to where their parents have come. The step's last stage, and only where there are children.
//!
//! A child takes its parent's velocity as well: through the next step it moves by that, as an immovable ball that
//! moves.

use super::{Access, Bindings, Buffer};
use crate::Record;
use crate::actor::ActorRecord;

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Update),
    (Buffer::Homes, Access::Read),
    (Buffer::Actors, Access::Read),
    (Buffer::SlotOf, Access::Read),
];

/// A child's record beside its parent's.
pub(crate) fn follow(child: &ActorRecord, parent: &Record, body: &Record) -> Record {
    Record { x: parent.x + child.offset_x, y: parent.y + child.offset_y, vx: parent.vx, vy: parent.vy, ..*body }
}
