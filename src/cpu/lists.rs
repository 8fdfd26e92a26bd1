//! The CPU engine's grid and lists of candidates, for pictures that show them.

use super::CpuEngine;
use crate::step::Turn;
use crate::{Lattice, Stage};

impl CpuEngine {
    /// How the grid and the lists of candidates lie in what is returned below.
    pub fn lattice(&self) -> Lattice {
        Lattice::new(self.course.params(), 1)
    }

    /// First slot of each cell, and one past the last, as the last step began.
    pub fn cell_start(&self) -> &[u32] {
        &self.cells.start
    }

    /// Slots of each ball's candidates, as the last step began: sixteen for each slot, of which as many are true as it has
    /// candidates. It is a copy, of 64 bytes a ball: the engine keeps them in another order.
    pub fn candidates(&self) -> Vec<u32> {
        (0..self.balls.bodies.len()).flat_map(|slot| self.balls.lists.of(slot)).collect()
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
