//! Which balls may touch. Its own grid, independent of the engines' on purpose: it judges them.
//!
//! Balls are sorted by level, row and column. A level's cells are at least as wide as its largest ball and
//! at most four times as wide as its smallest, so a cell holds a few balls whatever the spread of radii;
//! each ball looks into the nine cells about it on its own level and on each coarser one. Time is
//! O(n log n), memory O(n) however wide the world is.

use glam::DVec2;
use rayon::prelude::*;

use crate::Body;

/// Cells shrink by this factor from level to level.
const SHRINK: f64 = 0.25;

/// Where a ball is sorted: level, row, column.
type Cell = (u8, i64, i64);

/// Balls sorted by cell.
pub(super) struct Grid {
    /// Cell sides, coarsest first.
    sides: Vec<f64>,
    entries: Vec<(Cell, u32)>,
}

impl Grid {
    pub(super) fn new(bodies: &[Body]) -> Self {
        let radii = || bodies.iter().map(|body| f64::from(body.radius));
        let (least, most) = (radii().fold(f64::INFINITY, f64::min), radii().fold(0.0, f64::max));
        let mut sides = vec![2.0 * most];
        while let Some(&side) = sides.last()
            && side * SHRINK >= 2.0 * least
        {
            sides.push(side * SHRINK);
        }
        let mut grid = Self { sides, entries: Vec::new() };
        grid.entries = bodies.iter().enumerate().map(|(id, body)| (grid.cell_of(body), id as u32)).collect();
        grid.entries.sort_unstable();
        grid
    }

    /// The balls in the order of their cells, in which neighbours are close in memory.
    pub(super) fn ids(&self) -> impl ParallelIterator<Item = usize> {
        self.entries.par_iter().map(|entry| entry.1 as usize)
    }

    /// Calls `found` once for each pair that may touch, from one of its two balls.
    pub(super) fn for_each_candidate(&self, bodies: &[Body], id: usize, mut found: impl FnMut(usize)) {
        let body = &bodies[id];
        let own_level = self.level_of(body);
        for level in 0..=own_level {
            let (_, row, column) = self.cell_at(level, body);
            for row in row.saturating_sub(1)..=row.saturating_add(1) {
                let first = (level as u8, row, column.saturating_sub(1));
                let last = (level as u8, row, column.saturating_add(1));
                let start = self.entries.partition_point(|entry| entry.0 < first);
                let near = self.entries[start..].iter().take_while(|entry| entry.0 <= last);
                // On its own level both balls see each other: the one that comes first reports.
                near.map(|entry| entry.1 as usize)
                    .filter(|&other| level < own_level || id < other)
                    .for_each(&mut found);
            }
        }
    }

    /// The finest level whose cells are as wide as the ball.
    fn level_of(&self, body: &Body) -> usize {
        let width = 2.0 * f64::from(body.radius);
        self.sides.iter().rposition(|&side| side >= width).unwrap_or(0)
    }

    fn cell_of(&self, body: &Body) -> Cell {
        self.cell_at(self.level_of(body), body)
    }

    fn cell_at(&self, level: usize, body: &Body) -> Cell {
        let DVec2 { x, y } = (body.position.as_dvec2() / self.sides[level]).floor();
        (level as u8, y as i64, x as i64)
    }
}
