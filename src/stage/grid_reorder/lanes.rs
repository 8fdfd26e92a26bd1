//! [`home`] for sixteen balls at a time. Erased balls and pieces of segments are done by themselves.

use fearless_simd::{Level, dispatch};

use super::home;
use crate::params::Params;
use crate::stage::grid_count::lanes::{is_plain, reach};
use crate::stage::lanes::{Exact, LANES, Sixteen};
use crate::{Home, Record};

/// The homes of the slots from `first` on, whose balls have the ids of `members`.
pub(crate) fn homes(
    level: Level,
    params: &Params,
    bodies: &[Record],
    members: &[[u32; 2]],
    (first, homes): (u32, &mut [Home]),
) {
    dispatch!(level, simd => {
        let balls = bodies.chunks(LANES).zip(members.chunks(LANES));
        for (block, ((bodies, members), homes)) in balls.zip(homes.chunks_mut(LANES)).enumerate() {
            let balls = homes.iter_mut().zip(bodies.iter().zip(members));
            if bodies.len() == LANES && is_plain(params, bodies, first + (block * LANES) as u32) {
                let reaches: [f32; LANES] = reach(Exact(simd), params, &Sixteen::from(simd, bodies, 0)).into();
                for ((home, (body, &[id, _])), reach) in balls.zip(reaches) {
                    *home = Home { x: body.x, y: body.y, reach, id };
                }
            } else {
                balls.for_each(|(out, (body, &[id, _]))| *out = home(params, body, id));
            }
        }
    });
}
