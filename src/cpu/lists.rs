//! The CPU engine's grid and lists of candidates, for pictures that show them.

use rayon::prelude::*;

use super::CpuEngine;
use crate::stage::SLOTS;
use crate::stage::lanes::LANES;
use crate::step::Turn;
use crate::{Lattice, Stage};

impl CpuEngine {
    /// How the grid and the lists of candidates lie in the slices below.
    pub fn lattice(&self) -> Lattice {
        Lattice::new(self.course.params(), LANES as u32)
    }

    /// First slot of each cell, and one past the last, as the last step began.
    pub fn cell_start(&self) -> &[u32] {
        &self.cells.start
    }

    /// Slots of each ball's candidates, as the last step began.
    pub fn candidates(&self) -> Vec<u32> {
        let balls = self.balls.bodies.len();
        let mut candidates = vec![0; balls.div_ceil(LANES) * LANES * SLOTS as usize];
        candidates.par_chunks_mut(LANES * SLOTS as usize).enumerate().for_each(|(block, words)| {
            for (lane, slot) in (block * LANES..balls.min((block + 1) * LANES)).enumerate() {
                let to = words[lane..].iter_mut().step_by(LANES);
                to.zip(self.balls.lists.of(slot)).for_each(|(to, j)| *to = j);
            }
        });
        candidates
    }

    /// How many candidates each ball has, listed or not, and the surfaces near it, a bit each.
    pub fn nearby(&self) -> &[[u32; 2]] {
        bytemuck::cast_slice(&self.balls.nearby)
    }

    /// Sorts the balls and lists who may meet whom, as a step does, without making the step: for a picture of a world
    /// at rest. What is near to what is then known of the balls as they are.
    pub(crate) fn list(&mut self) {
        let lists = |turn: &Turn| (Stage::GridCount..=Stage::ListContacts).contains(&turn.stage);
        self.course.turns().filter(lists).for_each(|turn| self.run(turn));
        // What has not been stepped has not slept through a step.
        self.calm.disturb_all();
    }
}
