//! [`home`] for sixteen balls at a time. Erased balls and pieces of segments are done by themselves.

use fearless_simd::{Level, dispatch, prelude::*};
use rayon::prelude::*;

use super::home;
use crate::params::Params;
use crate::stage::grid_count::lanes::{is_plain, reach};
use crate::stage::lanes::{Exact, LANES, Sixteen};
use crate::{Home, Record};

/// What a search by vectors reads of the homes, field by field.
pub(crate) struct Places {
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) reach: Vec<f32>,
}

impl Places {
    /// Room for so many slots.
    pub(crate) fn new(slots: usize) -> Self {
        let room = || vec![0.0; slots];
        Self { x: room(), y: room(), reach: room() }
    }

    /// By so many slots at a time.
    pub(crate) fn shares_mut(&mut self, slots: usize) -> impl IndexedParallelIterator<Item = [&mut [f32]; 3]> {
        let fields = self.x.par_chunks_mut(slots).zip(self.y.par_chunks_mut(slots));
        fields.zip(self.reach.par_chunks_mut(slots)).map(|((x, y), reach)| [x, y, reach])
    }
}

/// Where the homes of some slots go.
pub(crate) struct Homes<'a> {
    /// The first of the slots.
    pub(crate) first: u32,
    pub(crate) homes: &'a mut [Home],
    /// The same once more: x, y and reach.
    pub(crate) places: [&'a mut [f32]; 3],
}

/// The homes of some slots, whose balls have the ids of `members`.
pub(crate) fn homes(level: Level, params: &Params, bodies: &[Record], members: &[[u32; 2]], out: Homes) {
    let Homes { first, homes, places: [x, y, reaches] } = out;
    let balls = bodies.chunks(LANES).zip(members.chunks(LANES)).zip(homes.chunks_mut(LANES));
    let places = x.chunks_mut(LANES).zip(y.chunks_mut(LANES)).zip(reaches.chunks_mut(LANES));
    dispatch!(level, simd => {
        for (block, (((bodies, members), homes), ((x, y), reaches))) in balls.zip(places).enumerate() {
            if bodies.len() == LANES && is_plain(params, bodies, first + (block * LANES) as u32) {
                let own = Sixteen::from(simd, bodies, 0);
                own.x.store_slice(x);
                own.y.store_slice(y);
                reach(Exact(simd), params, &own).store_slice(reaches);
            } else {
                for (lane, (body, &[id, _])) in bodies.iter().zip(members).enumerate() {
                    let home = home(params, body, id);
                    (x[lane], y[lane], reaches[lane]) = (home.x, home.y, home.reach);
                }
            }
            for (lane, (home, &[id, _])) in homes.iter_mut().zip(members).enumerate() {
                *home = Home { x: x[lane], y: y[lane], reach: reaches[lane], id };
            }
        }
    });
}
