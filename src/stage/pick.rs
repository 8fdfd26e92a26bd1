//! `pick`: the ball under the pointer where it is drawn, between its last two places. Of several, the one with the
//! greatest id; immovable balls can't be picked, sleepers can. The answer stays on the device: the next step reads it
//! there.

use super::{Access, Bindings, Buffer};
use crate::params::Pointer;
use crate::{Home, Record};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Pointer, Access::Uniform),
    (Buffer::Bodies, Access::Read),
    (Buffer::Homes, Access::Read),
    (Buffer::Held, Access::Write),
];

/// Whether the pointer is on a ball that it may hold.
pub(crate) fn is_picked(pointer: &Pointer, body: &Record, home: &Home) -> bool {
    let x = home.x + (body.x - home.x) * pointer.alpha;
    let y = home.y + (body.y - home.y) * pointer.alpha;
    let (dx, dy) = (pointer.x - x, pointer.y - y);
    (body.is_movable() || body.is_asleep()) && dx * dx + dy * dy <= body.radius * body.radius
}
