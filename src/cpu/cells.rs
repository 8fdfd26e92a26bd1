//! The grid's arrays, and the balls' order by cell.
//!
//! From one step to the next few balls leave their cells. The order is mended then: those few are taken out of the order
//! of the step before and put in where they are now. Where many have moved it is made anew by counting, as on a GPU.
//! Either way gives the same: cell after cell, by id inside a cell.

use fearless_simd::Level;
use rayon::prelude::*;

use super::calm::Calm;
use crate::params::Params;
use crate::stage::grid_count::lanes::cells_of;
use crate::stage::grid_reorder::sort_cell;
use crate::stage::lanes::SHARE;
use crate::stage::{grid_scan, grid_scatter};
use crate::{Home, Record};

/// Mended only if at most one in so many has left its cell: to take out and put in costs more than to count.
const MENDED: usize = 16;

pub(super) struct Cells {
    /// First slot of each cell, and one past the last.
    pub(super) start: Vec<u32>,
    /// The same of the step before.
    start_before: Vec<u32>,
    /// By new slot: id and slot of the step before.
    pub(super) members: Vec<[u32; 2]>,
    /// By slot of the step before: cell, and place that was drawn in it.
    of: Vec<[u32; 2]>,
    /// Zero between the steps.
    count: Vec<u32>,
    change: Change,
}

/// What becomes of the order of the step before.
enum Change {
    /// It stays; whether `members` says so already.
    None { is_told: bool },
    /// These slots are taken out of it, and these put in: cell, id and slot, in order.
    Few { departures: Vec<u32>, arrivals: Vec<[u32; 3]> },
    /// There is another.
    All,
}

impl Cells {
    /// For so many slots, in no order yet.
    pub(super) fn new(slots: usize, cells: u32) -> Self {
        let cells = cells as usize + 1;
        Self {
            start: vec![0; cells],
            start_before: vec![0; cells],
            members: vec![[0; 2]; slots],
            of: vec![[0; 2]; slots],
            count: vec![0; cells],
            change: Change::All,
        }
    }

    /// Whether the slots are those of the step before.
    pub(super) fn stay(&self) -> bool {
        matches!(self.change, Change::None { .. })
    }

    /// Whether a few balls were taken out of the order of the step before and put in elsewhere.
    #[cfg(test)]
    pub(super) fn is_mended(&self) -> bool {
        matches!(self.change, Change::Few { .. })
    }

    /// Finds the cell of each ball that does not sleep on, and which balls have left the cell that they were in.
    pub(super) fn count(&mut self, level: Level, params: &Params, (bodies, homes): (&[Record], &[Home]), calm: &Calm) {
        let start = &self.start;
        let balls = bodies.par_chunks(SHARE).zip(homes.par_chunks(SHARE));
        let shares = balls.zip(self.of.par_chunks_mut(SHARE)).zip(calm.shares()).enumerate();
        let busy = shares.filter(|(_, (_, rest))| rest.is_busy());
        let departures: Vec<u32> = busy
            .flat_map_iter(|(share, ((balls, of), _))| {
                let first = (share * SHARE) as u32;
                cells_of(level, params, balls, first, of);
                let stays = |slot: u32, cell: usize| start[cell] <= slot && slot < start[cell + 1];
                let cells = (first..).zip(of.iter().map(|[cell, _]| *cell as usize));
                cells.filter(move |&(slot, cell)| !stays(slot, cell)).map(|(slot, _)| slot)
            })
            .collect();
        self.change = if departures.is_empty() {
            Change::None { is_told: matches!(self.change, Change::None { .. }) }
        } else if departures.len() * MENDED <= bodies.len() {
            let arrival = |&slot: &u32| [self.of[slot as usize][0], homes[slot as usize].id, slot];
            let mut arrivals: Vec<[u32; 3]> = departures.iter().map(arrival).collect();
            arrivals.sort_unstable();
            Change::Few { departures, arrivals }
        } else {
            self.count_all(level, params, (bodies, homes), calm);
            Change::All
        };
    }

    /// Counts the balls of each cell, and gives each a place in it.
    fn count_all(&mut self, level: Level, params: &Params, (bodies, homes): (&[Record], &[Home]), calm: &Calm) {
        let balls = bodies.par_chunks(SHARE).zip(homes.par_chunks(SHARE));
        let shares = balls.zip(self.of.par_chunks_mut(SHARE)).zip(calm.shares()).enumerate();
        let passed_over = shares.filter(|(_, (_, rest))| !rest.is_busy());
        passed_over.for_each(|(share, ((balls, of), _))| cells_of(level, params, balls, (share * SHARE) as u32, of));
        for [cell, place] in &mut self.of {
            let count = &mut self.count[*cell as usize];
            *place = *count;
            *count += 1;
        }
    }

    /// Finds where each cell's balls start.
    pub(super) fn scan(&mut self) {
        match &self.change {
            Change::None { .. } => {}
            Change::Few { departures, arrivals } => {
                std::mem::swap(&mut self.start, &mut self.start_before);
                let arrivals = arrivals.iter().map(|[cell, ..]| *cell);
                grid_scan::mend(&self.start_before, departures, arrivals, &mut self.start);
            }
            Change::All => grid_scan::grid_scan(&mut self.count, &mut self.start),
        }
    }

    /// Finds which ball comes into which slot.
    pub(super) fn scatter(&mut self, homes: &[Home], calm: &mut Calm) {
        match &self.change {
            Change::None { is_told: true } => {}
            Change::None { is_told: false } => {
                grid_scatter::mend(homes, &self.start, (&[], &[]), &mut self.members, |_| {});
            }
            Change::Few { departures, arrivals } => {
                let changes = (departures.as_slice(), arrivals.as_slice());
                let disturb = |slots| calm.disturb_slots(slots);
                grid_scatter::mend(homes, &self.start_before, changes, &mut self.members, disturb);
            }
            Change::All => {
                let ids = homes.iter().map(|home| home.id);
                grid_scatter::grid_scatter(ids, &self.of, &self.start, &mut self.members);
                for cell in self.start.windows(2) {
                    sort_cell(&mut self.members[cell[0] as usize..cell[1] as usize]);
                }
                calm.disturb_all();
            }
        }
    }
}
