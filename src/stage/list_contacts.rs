//! `list_contacts`: the balls that each ball may meet within the step, and how crowded it is as the step begins.
//!
//! The candidates of a ball are those whose reach overlaps its own, in a fixed order: levels from fine to coarse, rows
//! from top to bottom, slots ascending. All are counted. A ball with more than [`SLOTS`] of them keeps no list: every
//! later stage walks the grid again for it, so none is lost. Two immovable balls are never candidates.
//!
//! *Presplit*: at least the spectral split (see `contact_pass`) of the overlaps there are now, or many balls spawned in
//! one place would each be pushed as if alone, and explode.

use super::contact::direction;
use super::contact_pass::Crowd;
use super::grid_count::{column, row};
use super::{Access, Bindings, Buffer, SLOTS};
use crate::exact::max;
use crate::params::Params;
use crate::{Home, Record};

#[cfg(test)]
mod tests;

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Read),
    (Buffer::BodiesOut, Access::Write),
    (Buffer::Homes, Access::Read),
    (Buffer::CellStart, Access::Read),
    (Buffer::Candidates, Access::Write),
    (Buffer::CandidateCount, Access::Write),
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
    /// Calls `visit` with the slot of each candidate of the ball in slot `i`, in order.
    #[inline(always)]
    pub(crate) fn walk(&self, i: usize, mut visit: impl FnMut(usize)) {
        let Home { x, y, reach, .. } = self.homes[i];
        let immovable = self.bodies[i].inverse_mass == 0.0;
        for level in &self.params.levels[..self.params.level_count as usize] {
            let span = reach + level.reach;
            let first = level.first + column(self.params, level, x - span);
            let last = level.first + column(self.params, level, x + span);
            for row in row(self.params, level, y - span)..=row(self.params, level, y + span) {
                let from = self.cell_start[(first + row * level.columns) as usize] as usize;
                let to = self.cell_start[(last + row * level.columns) as usize + 1] as usize;
                for (j, home) in self.homes[from..to].iter().enumerate() {
                    let j = from + j;
                    let (dx, dy) = (home.x - x, home.y - y);
                    let reaches = reach + home.reach;
                    if dx * dx + dy * dy < reaches * reaches
                        && j != i
                        && !(immovable && self.bodies[j].inverse_mass == 0.0)
                    {
                        visit(j);
                    }
                }
            }
        }
    }
}

/// Lists the candidates of the ball in slot `i` into `slots`; returns how many there are and the ball with its presplit.
pub(crate) fn list_contacts(around: &Neighbourhood, i: usize, slots: &mut [u32]) -> (u32, Record) {
    let mut count = 0;
    let mut crowd = Crowd::default();
    let (bodies, homes) = (around.bodies, around.homes);
    let body = &bodies[i];
    around.walk(i, |j| {
        if count < SLOTS {
            slots[count as usize] = j as u32;
        }
        count += 1;
        let (nx, ny, distance) = direction((body, &homes[i]), (&bodies[j], &homes[j]));
        if distance < body.radius + bodies[j].radius {
            crowd.add(nx, ny);
        }
    });
    let split = if body.inverse_mass > 0.0 { max(body.split, crowd.split()) } else { body.split };
    (count, Record { split, ..*body })
}
