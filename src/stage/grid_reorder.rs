//! `grid_reorder`: records into cell order, by id inside a cell.
//!
//! The order is a function of where the balls are and of nothing else, so a run continued from a saved world gives the
//! bits of the run that was not interrupted, whatever order a GPU's atomics happened to draw. A ball's new slot is
//! its cell's start plus the number of balls in the cell with a lower id. Here the step's home is taken as well.

pub(crate) mod lanes;

use super::grid_count::reach_at;
use super::{Access, Bindings, Buffer};
use crate::params::Params;
use crate::{Home, Record};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Read),
    (Buffer::BodiesOut, Access::Write),
    (Buffer::Homes, Access::Read),
    (Buffer::HomesOut, Access::Write),
    (Buffer::CellOf, Access::Read),
    (Buffer::CellStart, Access::Read),
    (Buffer::Members, Access::Read),
    (Buffer::Held, Access::Write),
];

/// Sorts the members of a cell by id: what counting lower ids does on a GPU.
pub(crate) fn sort_cell(members: &mut [[u32; 2]]) {
    members.sort_unstable();
}

/// Where a ball, or a segment's piece, stands as the step begins, and how far it reaches in it. Their ids part them as
/// their slots do.
pub(crate) fn home(params: &Params, body: &Record, id: u32) -> Home {
    Home { x: body.x, y: body.y, reach: reach_at(params, body, id), id }
}
