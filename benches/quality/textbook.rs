//! The pile of seventy by the textbook's solver: its own table, measured again.

use ballpit::{Engine, Measures, Overrides, Scene, SequentialEngine, Settings, Solver, StageOrder, Wander};
use rayon::prelude::*;

/// Steps a second and passes, and what the source text reports of them: deepest overlap, wander and height, px.
const ROWS: [(u32, u32, [f64; 3]); 4] = [
    (120, 4, [0.95, 0.05, 136.5]),
    (120, 1, [5.5, 0.28, 136.5]),
    (30, 4, [6.5, 0.33, 136.5]),
    (30, 1, [25.5, 4.1, 111.0]),
];

/// Prints medians over twenty seeds beside the source's figures. Single piles differ by a factor of two and medians of
/// twenty by a third, so twenty such twenties are measured: the middle one stands first, then that of the seeds 1 to 20,
/// then the least and the greatest.
pub(crate) fn print_piles() {
    println!("{:<24} {:>20} {:>20} {:>20}", "piles of seventy", "overlap px", "wander px", "height px");
    for (rate_hz, passes, reported) in ROWS {
        let piles: Vec<[f64; 3]> = (1..=400).into_par_iter().map(|seed| pile(seed, rate_hz, passes)).collect();
        let twenties: Vec<[f64; 3]> = piles.chunks(20).map(medians).collect();
        print_row(format!("{rate_hz} steps/s, {passes} passes"), |k| {
            format!("{:.3} for {:.2}", median(column(&twenties, k)), reported[k])
        });
        print_row("  seeds 1 to 20".into(), |k| format!("{:.3}", twenties[0][k]));
        print_row("  all twenties".into(), |k| {
            let mut all = column(&twenties, k);
            all.sort_by(f64::total_cmp);
            format!("{:.3} to {:.3}", all[0], all[all.len() - 1])
        });
    }
}

fn print_row(name: String, figure: impl Fn(usize) -> String) {
    println!("{name:<24} {:>20} {:>20} {:>20}", figure(0), figure(1), figure(2));
}

/// Deepest overlap, wander over the last two of ten seconds, and height of one pile, px.
fn pile(seed: u64, rate_hz: u32, passes: u32) -> [f64; 3] {
    let solver = Solver::Sequential(StageOrder::default());
    let settings = Settings { solver, rate_hz, passes, ..Settings::default() };
    let scene = Scene::named("impulse").expect("a named scene");
    let world = scene.build(&Overrides { balls: None, seed: Some(seed) }).expect("seventy fit");
    let mut engine = SequentialEngine::new(world, settings.clone()).expect("seventy are few enough");
    let mut step = |count| {
        engine.step(count, settings.step_s()).expect("the sequential engine does not fail");
        engine.world().expect("the sequential engine does not fail")
    };
    step(8 * rate_hz);
    let mut wander = Wander::new();
    (0..2 * rate_hz).for_each(|_| wander.push(&step(1)));
    let end = Measures::of(&step(0));
    [end.deepest_overlap_px, wander.median_px(), end.pile_height_px]
}

/// The median of each figure.
fn medians(piles: &[[f64; 3]]) -> [f64; 3] {
    [0, 1, 2].map(|k| median(column(piles, k)))
}

fn column(piles: &[[f64; 3]], k: usize) -> Vec<f64> {
    piles.iter().map(|pile| pile[k]).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    0.5 * (values[middle - 1] + values[middle])
}
