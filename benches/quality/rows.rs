//! The rows: what is run, what is measured, and what it must not exceed.

use ballpit::{CpuEngine, Engine, Settings, World};

use crate::worlds;

mod energy;
mod friction;
mod piles;

/// A measured figure and its bound.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) measured: f64,
    pub(crate) most: f64,
}

impl Figure {
    fn new(name: &'static str, measured: f64, most: f64) -> Self {
        Self { name, measured, most }
    }

    /// Whether it is within its bound; NaN is not.
    pub(crate) fn is_reached(&self) -> bool {
        self.measured <= self.most
    }
}

/// A row of the table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) passes: u32,
    /// Its figures in the world of a seed.
    pub(crate) measure: fn(&Settings, u64) -> Vec<Figure>,
}

const fn row(name: &'static str, passes: u32, measure: fn(&Settings, u64) -> Vec<Figure>) -> Row {
    Row { name, passes, measure }
}

/// Every row.
pub(crate) const ROWS: [Row; 46] = [
    row("seventy balls, 20 seeds", 8, |s, _| piles::seventy(s, 0.04)),
    row("seventy balls, 20 seeds, 4 passes", 4, |s, _| piles::seventy(s, 0.12)),
    row("twenty thousand of the scene pile", 8, piles::scene),
    row("100 layers (5,000 balls), 2 passes", 2, |s, seed| piles::layers_100(s, seed, [0.5, 0.13, f64::MAX, f64::MAX])),
    row("100 layers (5,000 balls), 4 passes", 4, |s, seed| piles::layers_100(s, seed, [0.2, 0.08, 3.0, f64::MAX])),
    row("100 layers (5,000 balls), 6 passes", 6, |s, seed| piles::layers_100(s, seed, [0.15, 0.06, 3.0, f64::MAX])),
    row("100 layers (5,000 balls)", 8, |s, seed| piles::layers_100(s, seed, [0.12, 0.045, 3.0, 0.6])),
    row("100 layers (5,000 balls), no relief, 32 passes", 32, piles::true_loads),
    row("100 layers (5,000 balls), no relief, 64 passes", 64, piles::true_loads),
    row("185 layers (5,000 balls)", 8, piles::layers_185),
    row("300 layers (15,000 balls)", 8, |s, seed| piles::layers_300(s, seed, [0.12, 0.045, 3.0])),
    row("300 layers (15,000 balls), 4 passes", 4, |s, seed| piles::layers_300(s, seed, [0.25, 0.09, 5.0])),
    row("600 layers (11,000 balls), 12 s", 8, |s, seed| {
        piles::layers_600(s, worlds::layers(11_000, 120.0, seed), 12.0)
    }),
    row("600 layers (60,000 balls), 15 s", 8, |s, seed| {
        piles::layers_600(s, worlds::layers(60_000, 667.0, seed), 15.0)
    }),
    row("600 layers (60,000 balls), gravity rising over 2 s, 7 s", 8, piles::rising),
    row("9,000 balls poured, 325 layers", 8, piles::poured),
    row("one 100 times as heavy on sixty", 8, |s, seed| piles::heavy(s, seed, 100.0, 0.06)),
    row("one 1,000 times as heavy on sixty", 8, |s, seed| piles::heavy(s, seed, 1_000.0, 0.2)),
    row("one 10,000 times as heavy on sixty", 8, |s, seed| piles::heavy(s, seed, 10_000.0, 0.2)),
    row("radius ratio 10 with pegs", 8, piles::ratio_10),
    row("one of radius 100 on 5,000 of 2 to 4", 8, piles::boulder),
    row("1,000 balls in one place", 8, |s, _| piles::spawn(s)),
    row("floor vanishes under 185 layers", 8, piles::floor_vanishes),
    row("gas of 400, e = 1, 10 s", 8, energy::gas),
    row("break shot of 15, e = 1", 8, |s, _| energy::break_shot(s)),
    row("implosion of 300, e = 1", 8, energy::implosion),
    row("tenth bounce from 500 px, e = 1", 8, |s, _| energy::tenth_bounce(s)),
    row("S3: bounces from 500 px, e = 0.7", 8, |s, _| energy::bounces_s3(s)),
    row("S4: bounces from 100 px, e = 0.8", 8, |s, _| energy::bounces_s4(s)),
    row("S5: rest speed 60 px/s, 500 px, e = 0.7", 8, |s, _| energy::bounces_s5(s)),
    row("cradle of six, spaced and touching", 8, |s, _| energy::cradle(s)),
    row("momentum of 300 balls, e = 0.8, no gravity", 8, energy::momentum),
    row("a ball at 1e5 px/s in a crowd, e = 1", 8, |s, _| energy::thrown(s, 1e5, 1e-3)),
    row("a ball at 1e6 px/s in a crowd, e = 1", 8, |s, _| energy::thrown(s, 1e6, f64::MAX)),
    row("two thousand in a pile, e = 0", 8, |s, seed| energy::pile(s, seed, 0.0)),
    row("two thousand in a pile, e = 0.35", 8, |s, seed| energy::pile(s, seed, 0.35)),
    row("two thousand in a pile, e = 0.8", 8, |s, seed| energy::pile(s, seed, 0.8)),
    row("two thousand in a pile, e = 1", 8, |s, seed| energy::pile(s, seed, 1.0)),
    row("slope, friction 0.5, locked", 8, |s, _| friction::locked_slope(s)),
    row("slope, friction 0.5, disc", 8, |s, _| friction::disc_on_slope(s)),
    row("100 layers (5,000 balls), friction 0.5, locked", 8, friction::locked_layers),
    row("100 layers (5,000 balls), friction 0.5, turning", 8, friction::turning_layers),
    row("heap of 1,500 on rough ground, friction 0", 8, |s, seed| friction::heap(s, seed, 0.0)),
    row("heap of 1,500 on rough ground, friction 0.5, locked", 8, |s, seed| friction::heap(s, seed, 0.5)),
    row("heap of 1,500 on rough ground, friction 0.5, turning", 8, |s, seed| {
        friction::heap(&friction::turning(s), seed, 0.5)
    }),
    row("heap of 1,500 on rough ground, friction 1, turning", 8, |s, seed| {
        friction::heap(&friction::turning(s), seed, 1.0)
    }),
];

fn engine(world: World, settings: &Settings) -> CpuEngine {
    CpuEngine::new(world, settings.clone()).expect("the rows' worlds are valid")
}

fn run(engine: &mut CpuEngine, settings: &Settings, seconds: f32) {
    step(engine, settings, (seconds * settings.rate_hz as f32).round() as u32);
}

fn step(engine: &mut CpuEngine, settings: &Settings, steps: u32) {
    engine.step(steps, settings.step_s()).expect("the CPU engine does not fail");
}

fn now(engine: &mut CpuEngine) -> World {
    engine.world().expect("the CPU engine does not fail")
}

/// The middle one; NaN, which counts as the greatest, where most are.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
