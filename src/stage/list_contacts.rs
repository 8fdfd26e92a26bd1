//! `list_contacts`: the balls that each ball may meet within the step, and how crowded it is as the step begins.
//!
//! The candidates of a ball are those whose reach overlaps its own, and pieces of segments within it, in a fixed order:
//! levels from fine to coarse, rows from top to bottom, slots ascending. All are counted. A ball with more than
//! [`SLOTS`] of them keeps no list: every later stage walks the grid again for it, so none is lost. An immovable ball
//! needs none.
//!
//! Surfaces are near if the ball may come to touch them within the step: by its own speed, by theirs, or by that of a
//! ball which is hit (up to five radii; a faster one is *hurried* and looks at all of them).
//!
//! *Presplit*: at least the spectral split (see `contact_pass`) of the overlaps there are now, or many balls spawned in
//! one place would each be pushed as if alone, and explode. A hurried ball, which may come among any of its candidates
//! within a pass, is split by all of them.

use std::ops::Range;

use super::contact::{direction, partner, surface_gap, surface_velocity};
use super::contact_pass::Crowd;
use super::find_ground::{GROUND, NEAR, STEEP};
use super::grid_count::{column, row, travel};
use super::{Access, Bindings, Buffer, SLOTS};
use crate::exact::{max, min};
use crate::params::{LevelParams, Params};
use crate::{Home, Record};

pub(crate) mod lanes;
pub(crate) mod lists;
#[cfg(test)]
mod tests;

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Read),
    (Buffer::BodiesOut, Access::Write),
    (Buffer::Homes, Access::Read),
    (Buffer::CellStart, Access::Read),
    (Buffer::Candidates, Access::Write),
    (Buffer::Nearby, Access::Write),
    (Buffer::Supporter, Access::Write),
    (Buffer::AwakeBlocks, Access::Read),
];

/// Balls in cell order with the grid that they lie in.
#[derive(Clone, Copy)]
pub(crate) struct Neighbourhood<'a> {
    pub(crate) params: &'a Params,
    pub(crate) homes: &'a [Home],
    pub(crate) bodies: &'a [Record],
    pub(crate) cell_start: &'a [u32],
}

impl Neighbourhood<'_> {
    /// The levels that hold something, from fine to coarse.
    #[inline(always)]
    fn levels(&self) -> impl Iterator<Item = &LevelParams> {
        let levels = self.params.levels[..self.params.level_count as usize].iter();
        levels.filter(|level| self.cell_start[level.first as usize] < self.cell_start[level.end as usize])
    }

    /// The cells of a level in which a ball's candidates lie.
    #[inline(always)]
    fn window(&self, level: &LevelParams, home: &Home) -> Window {
        let (params, span) = (self.params, home.reach + level.reach);
        Window {
            first: level.first + column(params, level, home.x - span),
            last: level.first + column(params, level, home.x + span),
            columns: level.columns,
            rows: row(params, level, home.y - span)..row(params, level, home.y + span) + 1,
        }
    }

    /// The slots in a row of cells.
    #[inline(always)]
    fn slots(&self, window: &Window, row: u32) -> Range<usize> {
        let of_row = row * window.columns;
        let start = |cell: u32| self.cell_start[(cell + of_row) as usize] as usize;
        start(window.first)..start(window.last + 1)
    }

    /// Calls `visit` with the slot of each candidate of the ball in slot `i`, in order.
    #[inline(always)]
    pub(crate) fn walk(&self, i: usize, mut visit: impl FnMut(usize)) {
        let Home { x, y, reach, .. } = self.homes[i];
        for level in self.levels() {
            let window = self.window(level, &self.homes[i]);
            for row in window.rows.clone() {
                let slots = self.slots(&window, row);
                for (j, home) in slots.clone().zip(&self.homes[slots]) {
                    let (dx, dy) = (home.x - x, home.y - y);
                    let reaches = reach + home.reach;
                    if dx * dx + dy * dy < reaches * reaches && j != i {
                        visit(j);
                    }
                }
            }
        }
    }
}

/// A rectangle of a level's cells.
struct Window {
    /// Of the first row, as if it were row 0.
    first: u32,
    /// Of the first row, as if it were row 0.
    last: u32,
    /// From a cell to that below it.
    columns: u32,
    rows: Range<u32>,
}

/// What a ball may meet within the step.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Nearby {
    /// Candidates, listed or not.
    pub(crate) candidates: u32,
    /// A bit for each surface.
    pub(crate) surfaces: u32,
}

impl Nearby {
    /// Whether there are more candidates than the list holds.
    pub(crate) fn is_crowded(&self) -> bool {
        self.candidates > SLOTS
    }
}

/// The indices of the bits that are set, ascending.
#[inline(always)]
pub(crate) fn bits(mut left: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = (left > 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        index
    })
}

/// What a ball stands on: the steepest of those that nearly touch it from below.
struct Stand {
    supporter: u32,
    steepness: f32,
}

impl Stand {
    fn offer(&mut self, supporter: u32, steepness: f32) {
        if steepness > self.steepness {
            *self = Self { supporter, steepness };
        }
    }
}

/// A ball's share of the list.
pub(crate) struct Listed {
    pub(crate) nearby: Nearby,
    pub(crate) supporter: u32,
    /// The ball with its presplit.
    pub(crate) body: Record,
}

/// Gives the candidates of the ball in slot `i` to `list`, with which each is; returns what is near it and what it stands
/// on.
pub(crate) fn list_contacts(around: &Neighbourhood, i: usize, mut list: impl FnMut(usize, u32)) -> Listed {
    let Neighbourhood { params, bodies, .. } = *around;
    let body = &bodies[i];
    if !body.is_movable() {
        return Listed { nearby: Nearby::default(), supporter: GROUND, body: *body };
    }
    let mut candidates = 0;
    let (mut crowd, mut stand) = (Crowd::default(), Stand { supporter: params.afloat, steepness: STEEP });
    let reach = around.homes[i].reach;
    around.walk(i, |j| {
        let other = &partner(params, bodies, i, j);
        let (nx, ny, distance) = direction(body, other, (i, j));
        if j >= params.balls as usize && distance >= reach + other.radius {
            return;
        }
        if candidates < SLOTS {
            list(candidates as usize, j as u32);
        }
        candidates += 1;
        let gap = distance - (body.radius + other.radius);
        if gap < 0.0 || body.is_hurried() {
            crowd.add(nx, ny);
        }
        if gap < NEAR * min(body.radius, other.radius) {
            let supporter = if !other.is_movable() { GROUND } else { j as u32 };
            stand.offer(supporter, nx * params.down_x + ny * params.down_y);
        }
    });
    for surface in &params.surfaces[..params.all_surfaces.count_ones() as usize] {
        if surface_gap(body, surface) < NEAR * body.radius {
            stand.offer(GROUND, 0.0 - (surface.normal_x * params.down_x + surface.normal_y * params.down_y));
        }
    }
    Listed {
        nearby: Nearby { candidates, surfaces: near_surfaces(params, body) },
        supporter: stand.supporter,
        body: Record { split: max(body.split, params.presplit * crowd.split()), ..*body },
    }
}

/// A bit for each surface that the ball may come to touch within the step.
fn near_surfaces(params: &Params, body: &Record) -> u32 {
    let margin = max(params.margin * body.radius + travel(params, body), params.most_margin * body.radius);
    let in_use = params.all_surfaces.count_ones() as usize;
    let near = |index: &usize| {
        let surface = &params.surfaces[*index];
        let (vx, vy) = surface_velocity(body, surface);
        let nearing = vx * surface.normal_x + vy * surface.normal_y;
        surface_gap(body, surface) < margin + max(nearing * params.step_s, 0.0)
    };
    (0..in_use).filter(near).map(|index| 1 << index).sum()
}
