//! The uniform grid of the broad phase: the one home of cell sizes, origins and counts.
//!
//! Balls of unlike reach live in levels of unlike cell size, so that one large or fast ball does not make
//! every other search further. A ball belongs to the finest level whose cells are at least twice its reach
//! wide; all levels share one array of cells, finest level first. Segments are cut into pieces and have a level of
//! their own, the last, so that their slots follow the balls', and whoever looks for segments only finds no ball on the
//! way. Before it lies *limbo*, cells that belong to no level: erased balls keep slots there, in the order of their ids,
//! that nobody's search finds.

use glam::Vec2;

use crate::{Body, Segment, World};

/// Share of the radius that every ball may move in a step without leaving its candidate list.
pub(crate) const MARGIN: f32 = 0.15;
/// Radii that a fast ball's margin is capped at.
pub(crate) const MOST_MARGIN: f32 = 5.0;
/// Most levels of a grid.
pub(crate) const LEVELS: usize = 8;
/// Cell side of one level over that of the next finer one.
const COARSENING: f32 = 4.0;
/// Cells a ball that the finest level may have, so that memory stays bounded in a vast world.
const CELLS_PER_BALL: f32 = 4.0;
/// Side of a segment's cell over that of the finest balls': longer pieces are fewer, and near to more balls.
const SEGMENT_SIDE: f32 = 6.0;
/// Pieces that segments are cut into at most, but for one more for each segment.
const MOST_PIECES: f32 = 1e6;

/// Ids that share a cell of limbo. `grid_reorder` compares a ball with all of its cell, so that one cell for very many
/// erased balls would hold a GPU for seconds.
pub(crate) const LIMBO_IDS: u32 = 64;

/// One level of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Level {
    /// Greatest reach of a ball in this level, px.
    pub(crate) reach: f32,
    /// One over the cell side, 1/px.
    pub(crate) inverse_side: f32,
    /// Cells in x.
    pub(crate) columns: u32,
    /// Cells in y.
    pub(crate) rows: u32,
    /// Index of the level's first cell.
    pub(crate) first: u32,
}

/// What a grid must know of a world's balls, the erased ones included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sizes {
    smallest: f32,
    largest: f32,
    count: usize,
}

impl Sizes {
    /// Of no balls.
    pub(crate) const NONE: Self = Self { smallest: f32::MAX, largest: 0.0, count: 0 };

    /// The sizes of these balls, too.
    pub(crate) fn with(self, bodies: &[Body]) -> Self {
        let radii = bodies.iter().map(|body| body.radius);
        let (smallest, largest) = radii.fold((self.smallest, self.largest), |(a, b), r| (a.min(r), b.max(r)));
        Self { smallest, largest, count: self.count + bodies.len() }
    }

    /// Radius of the largest ball, px; 0 without balls.
    pub(crate) fn largest(&self) -> f32 {
        self.largest
    }
}

/// The levels for a world's box and radii.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) origin: Vec2,
    pub(crate) levels: Vec<Level>,
    /// Levels that balls are in; a last one holds the segments, if there are any.
    pub(crate) ball_levels: usize,
    /// The first cell of erased balls.
    pub(crate) limbo: u32,
    pub(crate) cells: u32,
}

impl Grid {
    /// Lays a grid over the world's box for balls of such sizes: levels from the smallest balls at rest to the largest,
    /// and one for fast balls.
    pub(crate) fn new(world: &World, sizes: &Sizes) -> Self {
        let Sizes { smallest, largest, count } = *sizes;
        let largest = if largest > 0.0 { largest } else { 1.0 };
        let resting_side = |radius: f32| 2.0 * (1.0 + MARGIN) * radius + 1.0;
        let mut side = resting_side(largest);
        let mut finer = 0_i32;
        while finer < LEVELS as i32 - 3 && side / COARSENING >= resting_side(smallest) {
            side /= COARSENING;
            finer += 1;
        }
        let size = world.max - world.min;
        let affordable = CELLS_PER_BALL * count as f32 + 4096.0;
        // By the area in a square world, by the length in a thin one.
        side = side.max((size.x * size.y / affordable).sqrt()).max(size.max_element() / affordable);

        let farthest = (1.0 + MOST_MARGIN) * largest;
        let mut sides: Vec<f32> = (0..=finer).map(|level| side * COARSENING.powi(level)).collect();
        // In a vast world the cells of balls at rest are already as wide as fast ones need.
        if sides.last().is_some_and(|&widest| widest < 2.0 * farthest) {
            sides.push(2.0 * farthest);
        }
        let ball_levels = sides.len();
        if !world.segments.is_empty() {
            sides.push(segments_side(world, side));
        }
        let mut grid = Self { origin: world.min, levels: Vec::new(), ball_levels, limbo: 0, cells: 0 };
        for (index, side) in sides.into_iter().enumerate() {
            if index == ball_levels {
                grid.add_limbo(count);
            }
            let cells = |length: f32| (length / side).ceil().max(1.0) as u32;
            let (columns, rows) = (cells(size.x), cells(size.y));
            let (reach, inverse_side) = (0.5 * side, 1.0 / side);
            grid.levels.push(Level { reach, inverse_side, columns, rows, first: grid.cells });
            grid.cells += columns * rows;
        }
        if grid.levels.len() == ball_levels {
            grid.add_limbo(count);
        }
        grid
    }

    fn add_limbo(&mut self, balls: usize) {
        self.limbo = self.cells;
        self.cells += (balls as u32).div_ceil(LIMBO_IDS).max(1);
    }

    /// Longest edge that a segment may be cut into, so that it lies in the segments' level, px.
    pub(crate) fn longest_edge(&self, segment: &Segment) -> f32 {
        self.levels.last().map_or(f32::MAX, |level| 2.0 * (level.reach - segment.radius))
    }
}

/// Side of the segments' cells, where that of the smallest balls' is `side`, px.
fn segments_side(world: &World, side: f32) -> f32 {
    let walls = world.segments_in_reach();
    let thickest = walls.iter().map(|segment| segment.radius).fold(0.0, f32::max);
    let length: f32 = walls.iter().map(Segment::length).sum();
    (SEGMENT_SIDE * side).max(4.0 * thickest).max(2.0 * length / MOST_PIECES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Body;

    fn grid(width: f32, radii: &[f32]) -> Grid {
        let mut world = World::new(Vec2::ZERO, Vec2::new(width, width));
        for &radius in radii {
            world.add(Body::ball(Vec2::splat(width / 2.0), radius));
        }
        grid_of(&world)
    }

    fn grid_of(world: &World) -> Grid {
        Grid::new(world, &Sizes::NONE.with(&world.bodies))
    }

    #[test]
    fn equal_radii_need_one_resting_level_and_one_for_fast_balls() {
        let grid = grid(1000.0, &[12.0, 28.0]);
        assert_eq!(grid.levels.len(), 2);
        assert!(grid.levels[0].reach >= 28.0 * 1.15);
        assert_eq!(grid.levels[1].reach, 6.0 * 28.0);
    }

    #[test]
    fn small_balls_get_cells_of_their_own_beside_a_boulder() {
        let grid = grid(700.0, &[vec![2.0; 5_000], vec![100.0]].concat());
        assert!(grid.levels[0].reach < 8.0, "{grid:?}");
    }

    #[test]
    fn a_vast_or_thin_world_stays_within_bounded_memory() {
        for size in [Vec2::splat(1e6), Vec2::new(1e9, 10.0), Vec2::new(10.0, 1e9)] {
            let mut world = World::new(Vec2::ZERO, size);
            world.bodies = vec![Body::ball(size / 2.0, 1.0); 100];
            let grid = grid_of(&world);
            assert!(grid.cells < 10_000, "{} cells in {size}", grid.cells);
        }
    }

    #[test]
    fn levels_are_stored_one_after_the_other_with_limbo_behind_the_balls() {
        let mut world = World::new(Vec2::ZERO, Vec2::splat(3_000.0));
        let mut radii = [2.0, 20.0, 100.0].into_iter().cycle();
        world.bodies.resize_with(LIMBO_IDS as usize + 1, || Body::ball(Vec2::splat(1_500.0), radii.next().unwrap()));
        for segments in [Vec::new(), vec![Segment::new(Vec2::ZERO, Vec2::ONE)]] {
            world.segments = segments;
            let grid = grid_of(&world);
            let mut first = 0;
            for (index, level) in grid.levels.iter().enumerate() {
                first += if index == grid.ball_levels { 2 } else { 0 };
                assert_eq!(level.first, first);
                first += level.columns * level.rows;
            }
            let last = &grid.levels[grid.ball_levels - 1];
            assert_eq!(grid.limbo, last.first + last.columns * last.rows);
            assert_eq!(grid.cells, first + if world.segments.is_empty() { 2 } else { 0 });
        }
    }
}
