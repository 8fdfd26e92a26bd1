//! How an engine's grid and its lists lie in its buffers: what colours and overlays of a picture need to read them.

use glam::Vec2;

use crate::World;
use crate::grid::{Grid, LEVELS, Sizes};
use crate::params::{LevelParams, Params};
use crate::stage::SLOTS;

/// A grid, and where a ball's candidates stand. It stays the same until a world is of another kind, or edited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lattice {
    /// Levels that balls are in, finest first.
    pub(crate) levels: [LevelParams; LEVELS],
    /// Slots of balls; pieces of segments follow them.
    pub(crate) balls: u32,
    /// How many of the levels are in use.
    pub(crate) level_count: u32,
    /// The grid's corner, px.
    pub(crate) origin: Vec2,
    /// Words from one candidate of a ball to its next.
    pub(crate) slot_stride: u32,
    /// Words from one ball's first candidate to the next ball's.
    pub(crate) ball_stride: u32,
}

impl Lattice {
    /// The lattice of lists that stand ball by ball, as the CPU engine has them.
    pub(crate) fn by_ball(params: &Params) -> Self {
        Self { slot_stride: 1, ball_stride: SLOTS, ..Self::with_grid(params) }
    }

    /// The lattice of lists in which the first candidates of all balls stand before the second ones, as on a GPU.
    pub(crate) fn by_slot(params: &Params) -> Self {
        Self { slot_stride: params.capacity, ball_stride: 1, ..Self::with_grid(params) }
    }

    fn with_grid(params: &Params) -> Self {
        let Params { levels, balls, ball_levels, origin_x, origin_y, .. } = *params;
        let origin = Vec2::new(origin_x, origin_y);
        Self { levels, balls, level_count: ball_levels, origin, ..Self::default() }
    }

    /// Side of a cell of the finest level that an engine would lay over a world, px.
    pub fn finest_px(world: &World) -> f32 {
        Grid::new(world, &Sizes::NONE.with(&world.bodies)).levels.first().map_or(0.0, |level| 1.0 / level.inverse_side)
    }
}
