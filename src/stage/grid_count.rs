//! `grid_count`: the cell of each ball, and how many balls each cell holds.
//!
//! A ball's *reach* is its radius plus a margin, m = min(0.15 r + h(|v| + |g| h), 5 r), with 2h for h where balls
//! sleep: two balls can meet within the step only if their reaches overlap. It lives in the finest level whose reach is
//! no smaller, in the cell of its centre, clamped into the grid: a ball outside the world is found all the same. The
//! place that a ball draws in its cell is arbitrary on a GPU; `grid_reorder` puts that right. Pieces of segments lie in
//! a level of their own, the last: in every order their slots follow the balls'. Erased balls have less reach than
//! none, and lie in limbo.

pub(crate) mod lanes;

use super::{Access, Bindings, Buffer};
use crate::Record;
use crate::exact::{max, min, sqrt};
use crate::grid::LIMBO_IDS;
use crate::params::{LevelParams, Params};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Read),
    (Buffer::Homes, Access::Seldom),
    (Buffer::CellCount, Access::Update),
    (Buffer::CellOf, Access::Write),
];

/// How far a ball gets by its own speed while its reach must hold, px.
pub(crate) fn travel(params: &Params, body: &Record) -> f32 {
    let speed = sqrt(body.vx * body.vx + body.vy * body.vy);
    params.horizon_s * (speed + params.gravity_step)
}

/// Radius plus margin of a ball, px.
pub(crate) fn reach(params: &Params, body: &Record) -> f32 {
    let margin = params.margin * body.radius + travel(params, body);
    body.radius + min(margin, params.most_margin * body.radius)
}

/// Reach of a segment's piece, px: it never moves.
fn reach_of_piece(piece: &Record) -> f32 {
    sqrt(piece.vx * piece.vx + piece.vy * piece.vy) + piece.radius
}

/// Reach of an erased ball, px.
const NO_REACH: f32 = -1.0;

/// Reach of what is in a slot, px.
#[inline(always)]
pub(crate) fn reach_at(params: &Params, body: &Record, slot: u32) -> f32 {
    if body.is_erased() {
        return NO_REACH;
    }
    if slot < params.balls { reach(params, body) } else { reach_of_piece(body) }
}

/// The cell of what is in a slot, of a ball with its id.
pub(crate) fn cell_of(params: &Params, body: &Record, (slot, id): (u32, u32)) -> u32 {
    let Record { x, y, .. } = *body;
    if body.is_erased() {
        return params.limbo + id / LIMBO_IDS;
    }
    let mut index = 0;
    if slot < params.balls {
        let reach = reach(params, body);
        while index + 1 < params.ball_levels as usize && reach > params.levels[index].reach {
            index += 1;
        }
    } else {
        index = params.ball_levels as usize;
    }
    let level = &params.levels[index];
    level.first + row(params, level, y) * level.columns + column(params, level, x)
}

/// The column of `x` in a level, clamped.
#[inline(always)]
pub(crate) fn column(params: &Params, level: &LevelParams, x: f32) -> u32 {
    min(max((x - params.origin_x) * level.inverse_side, 0.0), level.last_column) as u32
}

/// The row of `y` in a level, clamped.
#[inline(always)]
pub(crate) fn row(params: &Params, level: &LevelParams, y: f32) -> u32 {
    min(max((y - params.origin_y) * level.inverse_side, 0.0), level.last_row) as u32
}
