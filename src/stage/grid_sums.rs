//! `grid_sums`: how many balls each block of 1,024 cells holds. The CPU's prefix sum, one pass over all cells, needs
//! no such totals.

use super::{Access, Bindings, Buffer};

pub(crate) const BINDINGS: Bindings =
    &[(Buffer::Params, Access::Uniform), (Buffer::CellCount, Access::Read), (Buffer::BlockSum, Access::Write)];
