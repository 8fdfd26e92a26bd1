//! `sweep`: no ball gets through a segment, however fast it is or however hard it is pressed.
//!
//! Once a step, after the passes, where there are segments: each ball's way from its home to its place is tried against
//! the pieces near it. If its centre has crossed some, it goes back to where it first touched the one that it crossed
//! first, or home if it touched that already, and its velocity into it is turned by restitution, of which no more than
//! 1 counts. So a centre is on the same side of a segment as it was, unless it went round its end.

use super::contact::EDGE_END;
use super::grid_count::{column, row};
use super::{Access, Bindings, Buffer};
use crate::exact::{max, min, recip, rsqrt, snap};
use crate::params::Params;
use crate::segment::CORNER;
use crate::{Home, Record};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Update),
    (Buffer::Homes, Access::Read),
    (Buffer::CellStart, Access::Read),
];

/// The first piece on a ball's way.
struct Crossing {
    /// Share of the way at which the centre meets it.
    share: f32,
    /// Share of the way at which the ball touches it.
    touch: f32,
    /// Unit normal toward the ball's home.
    nx: f32,
    /// Unit normal toward the ball's home.
    ny: f32,
    material: usize,
}

/// How far a point lies to the left of a piece's line, times half the piece's length.
fn side(piece: &Record, x: f32, y: f32) -> f32 {
    piece.vx * (y - piece.y) - piece.vy * (x - piece.x)
}

/// Where the way from `home` to `body` crosses a piece, if it does.
fn crossing(piece: &Record, home: &Home, body: &Record) -> Option<Crossing> {
    let (before, after) = (side(piece, home.x, home.y), side(piece, body.x, body.y));
    // A way that ends on the line has no side to end on.
    let changes_side = (before < 0.0) != (after < 0.0) || after == 0.0;
    if !changes_side || piece.split == CORNER {
        return None;
    }
    let way = recip((before - after).abs());
    let share = before.abs() * way;
    let (x, y) = (home.x + (body.x - home.x) * share, home.y + (body.y - home.y) * share);
    let squared = piece.vx * piece.vx + piece.vy * piece.vy;
    let along = (x - piece.x) * piece.vx + (y - piece.y) * piece.vy;
    if along.abs() > squared * EDGE_END {
        return None;
    }
    let inverse = rsqrt(squared);
    let sign = if before < 0.0 { -1.0 } else { 1.0 };
    let clear = before.abs() - (squared * inverse) * (body.radius + piece.radius);
    Some(Crossing {
        share,
        touch: max(clear, 0.0) * way,
        nx: sign * (0.0 - piece.vy * inverse),
        ny: sign * (piece.vx * inverse),
        material: piece.material(),
    })
}

/// A ball as the step leaves it; `pieces` are the records of the slots behind the balls'.
pub(crate) fn sweep(params: &Params, cell_start: &[u32], pieces: &[Record], (body, home): (&Record, &Home)) -> Record {
    if !body.is_movable() {
        return *body;
    }
    let level = &params.levels[params.ball_levels as usize];
    let mut first: Option<Crossing> = None;
    let mut least_share = f32::MAX;
    let column_of = |x: f32| level.first + column(params, level, x);
    let (from, to) = (column_of(min(home.x, body.x) - level.reach), column_of(max(home.x, body.x) + level.reach));
    let last_row = row(params, level, max(home.y, body.y) + level.reach);
    for row in row(params, level, min(home.y, body.y) - level.reach)..=last_row {
        let start = cell_start[(from + row * level.columns) as usize] - params.balls;
        let end = cell_start[(to + row * level.columns) as usize + 1] - params.balls;
        for piece in &pieces[start as usize..end as usize] {
            if let Some(crossing) = crossing(piece, home, body)
                && crossing.share < least_share
            {
                least_share = crossing.share;
                first = Some(crossing);
            }
        }
    }
    first.map_or(*body, |crossing| held_back(params, home, body, &crossing))
}

/// The ball where it touched what it crossed.
#[cold]
fn held_back(params: &Params, home: &Home, body: &Record, crossing: &Crossing) -> Record {
    let Crossing { touch, nx, ny, material, .. } = *crossing;
    let mut out = *body;
    out.x = home.x + (body.x - home.x) * touch;
    out.y = home.y + (body.y - home.y) * touch;
    let approach = body.vx * nx + body.vy * ny;
    if approach < 0.0 {
        let restitution = max(params.materials[body.material()].restitution, params.materials[material].restitution);
        let change = (1.0 + min(restitution, 1.0)) * approach;
        out.vx = snap(body.vx - change * nx);
        out.vy = snap(body.vy - change * ny);
    }
    out
}
