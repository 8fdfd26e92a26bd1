//! [`cell_of`] and [`reach`] for sixteen balls at a time. Erased balls and pieces of segments are done by themselves.

use fearless_simd::{Level, dispatch, f32x16, mask32x16, prelude::*, u32x16};

use super::cell_of;
use crate::params::{LevelParams, Params};
use crate::stage::lanes::{Exact, LANES, Sixteen};
use crate::{Home, Record};

/// Whether the sixteen slots from `first` on hold balls that are there, and nothing else.
pub(in crate::stage) fn is_plain(params: &Params, bodies: &[Record], first: u32) -> bool {
    first + LANES as u32 <= params.balls && !bodies.iter().any(Record::is_erased)
}

/// As [`super::travel`].
#[inline(always)]
pub(in crate::stage) fn travel<S: Simd>(exact: Exact<S>, params: &Params, own: &Sixteen<S>) -> f32x16<S> {
    let speed = exact.sqrt(own.vx * own.vx + own.vy * own.vy);
    exact.all(params.horizon_s) * (speed + exact.all(params.gravity_step))
}

/// As [`super::reach`].
#[inline(always)]
pub(in crate::stage) fn reach<S: Simd>(exact: Exact<S>, params: &Params, own: &Sixteen<S>) -> f32x16<S> {
    let margin = exact.all(params.margin) * own.radius + travel(exact, params, own);
    own.radius + exact.min(margin, exact.all(params.most_margin) * own.radius)
}

/// The cells of the slots from `first` on, as the first of the pairs `of`.
pub(crate) fn cells_of(
    level: Level,
    params: &Params,
    (bodies, homes): (&[Record], &[Home]),
    first: u32,
    of: &mut [[u32; 2]],
) {
    let balls = bodies.chunks(LANES).zip(homes.chunks(LANES));
    dispatch!(level, simd => {
        for (block, ((bodies, homes), of)) in balls.zip(of.chunks_mut(LANES)).enumerate() {
            let first = first + (block * LANES) as u32;
            if bodies.len() == LANES && is_plain(params, bodies, first) {
                let cells = cells_of_block(simd, params, bodies);
                of.iter_mut().zip(cells).for_each(|(of, cell)| of[0] = cell);
            } else {
                for (slot, (of, (body, home))) in (first..).zip(of.iter_mut().zip(bodies.iter().zip(homes))) {
                    of[0] = cell_of(params, body, (slot, home.id));
                }
            }
        }
    });
}

#[inline(always)]
fn cells_of_block<S: Simd>(simd: S, params: &Params, bodies: &[Record]) -> [u32; LANES] {
    let (exact, own) = (Exact(simd), Sixteen::from(simd, bodies, 0));
    let reach = reach(exact, params, &own);
    let levels = &params.levels[..params.ball_levels as usize];
    let mut cells = cells_in(exact, params, &own, &levels[0]);
    let mut is_coarser = mask32x16::splat(simd, true);
    for pair in levels.windows(2) {
        is_coarser &= reach.simd_gt(exact.all(pair[0].reach));
        cells = is_coarser.select(cells_in(exact, params, &own, &pair[1]), cells);
    }
    cells.into()
}

#[inline(always)]
fn cells_in<S: Simd>(exact: Exact<S>, params: &Params, own: &Sixteen<S>, level: &LevelParams) -> u32x16<S> {
    let (column, row) = (column(exact, params, level, own.x), row(exact, params, level, own.y));
    u32x16::splat(exact.0, level.first) + row * u32x16::splat(exact.0, level.columns) + column
}

/// As [`super::column`].
#[inline(always)]
pub(in crate::stage) fn column<S: Simd>(
    exact: Exact<S>,
    params: &Params,
    level: &LevelParams,
    x: f32x16<S>,
) -> u32x16<S> {
    let column = exact.max((x - exact.all(params.origin_x)) * exact.all(level.inverse_side), exact.all(0.0));
    u32x16::truncate_from(exact.min(column, exact.all(level.last_column)))
}

/// As [`super::row`].
#[inline(always)]
pub(in crate::stage) fn row<S: Simd>(exact: Exact<S>, params: &Params, level: &LevelParams, y: f32x16<S>) -> u32x16<S> {
    let row = exact.max((y - exact.all(params.origin_y)) * exact.all(level.inverse_side), exact.all(0.0));
    u32x16::truncate_from(exact.min(row, exact.all(level.last_row)))
}
