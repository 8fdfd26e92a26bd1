//! `grid_scatter`: each ball's id and slot to the place that it drew in its cell.

use super::{Access, Bindings, Buffer};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Homes, Access::Read),
    (Buffer::CellOf, Access::Read),
    (Buffer::CellStart, Access::Read),
    (Buffer::Members, Access::Write),
];

/// Id and old slot of each ball, gathered by cell: `cell_of[i]` is ball i's cell and the place that it drew there.
pub(crate) fn grid_scatter(
    ids: impl Iterator<Item = u32>,
    cell_of: &[[u32; 2]],
    start: &[u32],
    members: &mut [[u32; 2]],
) {
    for (slot, (id, &[cell, place])) in ids.zip(cell_of).enumerate() {
        members[(start[cell as usize] + place) as usize] = [id, slot as u32];
    }
}
