//! `carry_spins`: each ball's turning into its new slot, where balls turn. Here the angle at the step's start is taken,
//! and whole turns are dropped, so that an angle never loses its last digits.

use std::f32::consts::TAU;

use super::{Access, Bindings, Buffer};
use crate::Spin;
use crate::exact::{max, min};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Homes, Access::Read),
    (Buffer::CellStart, Access::Read),
    (Buffer::Members, Access::Read),
    (Buffer::Spins, Access::Read),
    (Buffer::SpinsOut, Access::Write),
];

/// 1/τ.
pub(crate) const TURNS: f32 = 1.0 / TAU;
/// Most turns that are dropped at once: more than any angle that a world may have, and no more than an integer holds.
pub(crate) const MOST_TURNS: f32 = 2e9;

/// A ball's turning as the step begins.
pub(crate) fn carry_spins(spin: Spin) -> Spin {
    let turns = min(max(spin.angle * TURNS, -MOST_TURNS), MOST_TURNS) as i32;
    let angle = spin.angle - TAU * turns as f32;
    Spin { rate: spin.rate, angle, home: angle }
}
