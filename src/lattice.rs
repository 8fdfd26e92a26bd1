//! How an engine's grid and its lists lie in its buffers: what colours and overlays of a picture need to read them.

use glam::Vec2;

use crate::World;
use crate::grid::{Grid, LEVELS, Sizes};
use crate::params::{LevelParams, Params};

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
    /// Balls of a block: the first candidates of all of them stand before the second ones.
    pub(crate) block: u32,
}

impl Lattice {
    /// The grid of an engine whose lists stand in blocks of so many balls.
    pub(crate) fn new(params: &Params, block: u32) -> Self {
        let Params { levels, balls, ball_levels, origin_x, origin_y, .. } = *params;
        Self { levels, balls, level_count: ball_levels, origin: Vec2::new(origin_x, origin_y), block }
    }

    /// Side of a cell of the finest level that an engine would lay over a world, px.
    pub fn finest_px(world: &World) -> f32 {
        Grid::new(world, &Sizes::NONE.with(&world.bodies)).levels.first().map_or(0.0, |level| 1.0 / level.inverse_side)
    }
}
