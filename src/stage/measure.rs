//! `measure`: what the readout shows, taken on the device when asked.
//!
//! Over all balls: the deepest overlap with a ball or a surface, in px and as a share of the smaller radius, the
//! greatest speed squared of those that move, the number of contacts that a pass would answer now, and the balls in
//! each of the world's counters. Positive floats order like their bits, so an integer maximum serves for all.

use super::contact::{UNMET, direction, pair, partner, surface_gap, with_surface};
use super::contact_pass::View;
use super::{Access, Bindings, Buffer};
use crate::exact::{max, min, recip};
use crate::params::Params;
use crate::{Counter, Record};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Read),
    (Buffer::Homes, Access::Read),
    (Buffer::CellStart, Access::Read),
    (Buffer::Candidates, Access::Read),
    (Buffer::Nearby, Access::Read),
    (Buffer::Measures, Access::Write),
];

/// What the readout shows of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Readout {
    /// Deepest overlap, px.
    pub deepest_overlap_px: f32,
    /// Greatest overlap as a share of the smaller radius.
    pub overlap_ratio: f32,
    /// Greatest speed, px/s; NaN or infinite if a ball's place or velocity is no longer finite.
    pub fastest_px_s: f32,
    /// Contacts that a pass would answer now; of the sequential solver, pairs that the last step answered.
    pub contacts: u32,
    /// Balls asleep.
    pub asleep: u32,
    /// Balls erased, pegs aside.
    pub erased: u32,
    /// Balls in each of the world's counters; 0 for those that it does not have.
    pub counts: [u32; Counter::MOST],
}

/// Words of the measures before the tallies of the counters.
pub(crate) const TALLIES: usize = 6;
/// Words of the measures' buffer.
pub(crate) const WORDS: usize = TALLIES + Counter::MOST;

/// A ball's share of the measures: overlap, ratio, speed squared, contacts, whether it sleeps, whether it is erased,
/// and which counters it is in. A pair of movable balls counts once, for the lower slot; an immovable ball or a sleeper
/// leaves its contacts to its partners.
pub(crate) fn measure(view: &View, i: usize) -> [u32; WORDS] {
    let (params, bodies) = (view.params(), view.around.bodies);
    let body = &bodies[i];
    let (mut overlap, mut ratio, mut contacts) = (0.0, 0.0, 0);
    let visit = |j: usize| {
        let other = &partner(params, bodies, i, j);
        // Lists may be from before an edit.
        if other.split == UNMET || body.is_erased() || other.is_erased() {
            return;
        }
        let depth = (body.radius + other.radius) - direction(body, other, (i, j)).2;
        let smaller = if j < params.balls as usize { min(body.radius, other.radius) } else { body.radius };
        overlap = max(depth, overlap);
        ratio = max(depth * recip(smaller), ratio);
        let counts = body.is_movable() && (i < j || !other.is_movable());
        contacts += u32::from(counts && pair(params, bodies, i, j).is_some());
    };
    // A sleeper has no list.
    if body.is_asleep() {
        view.around.walk(i, visit)
    } else {
        view.for_each_candidate(i, visit)
    }
    if body.is_movable() || body.is_asleep() {
        for surface in &params.surfaces[..params.all_surfaces.count_ones() as usize] {
            let depth = 0.0 - surface_gap(body, surface);
            overlap = max(depth, overlap);
            ratio = max(depth * recip(body.radius), ratio);
            contacts += u32::from(body.is_movable() && with_surface(params, body, surface, 0.0).is_some());
        }
    }
    // A ball that is nowhere is infinitely fast.
    let speed_squared = match body.is_movable() {
        true if body.x.is_finite() && body.y.is_finite() => body.vx * body.vx + body.vy * body.vy,
        true => f32::INFINITY,
        false => 0.0,
    };
    // What an erased ball's mass is when it is back stands in place of its split.
    let erased = body.is_erased() && body.split > 0.0;
    let flags = [u32::from(body.is_asleep()), u32::from(erased)];
    let of_ball = [overlap.to_bits(), ratio.to_bits(), speed_squared.to_bits(), contacts, flags[0], flags[1]];
    with_tallies(params, body, of_ball)
}

/// A ball's measures, and behind them whether each of the world's counters counts it.
fn with_tallies(params: &Params, body: &Record, of_ball: [u32; TALLIES]) -> [u32; WORDS] {
    let mut words = [0; WORDS];
    words[..TALLIES].copy_from_slice(&of_ball);
    for (word, counter) in words[TALLIES..].iter_mut().zip(&params.counters[..params.counter_count as usize]) {
        let (right, below) = (body.x >= counter.min_x, body.y >= counter.min_y);
        let is_in = right && below && body.x < counter.max_x && body.y < counter.max_y;
        *word = u32::from(is_in && (body.is_movable() || body.is_asleep()));
    }
    words
}

/// The measures of two sets of balls together.
pub(crate) fn merge(a: [u32; WORDS], b: [u32; WORDS]) -> [u32; WORDS] {
    std::array::from_fn(|word| if word < 3 { a[word].max(b[word]) } else { a[word] + b[word] })
}

impl From<[u32; WORDS]> for Readout {
    fn from(words: [u32; WORDS]) -> Self {
        let [overlap, ratio, fastest, contacts, asleep, erased, counts @ ..] = words;
        Self {
            deepest_overlap_px: f32::from_bits(overlap),
            overlap_ratio: f32::from_bits(ratio),
            fastest_px_s: f32::from_bits(fastest).sqrt(),
            contacts,
            asleep,
            erased,
            counts,
        }
    }
}
