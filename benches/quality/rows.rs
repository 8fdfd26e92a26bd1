//! The rows: what is run, what is measured, and what it must not exceed.

use ballpit::{CpuEngine, Engine, Measures, Overrides, Scene, Settings, Wander, World};
use glam::Vec2;

use crate::worlds;

/// A measured figure and its bound.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) measured: f64,
    pub(crate) most: f64,
}

/// A row of the table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) settings: fn() -> Settings,
    pub(crate) measure: fn(&Settings) -> Vec<Figure>,
}

fn passes(passes: u32) -> Settings {
    Settings { passes, ..Settings::default() }
}

/// Every row.
pub(crate) const ROWS: [Row; 16] = [
    Row { name: "seventy balls, 20 seeds", settings: || passes(8), measure: |s| seventy(s, [0.04, 0.01]) },
    Row { name: "seventy balls, 20 seeds, 4 passes", settings: || passes(4), measure: |s| seventy(s, [0.12, 0.01]) },
    Row { name: "twenty thousand of the scene pile", settings: || passes(8), measure: scene_pile },
    Row {
        name: "100 layers (5,000 balls)",
        settings: || passes(8),
        measure: |s| pile(worlds::layers(5_000, 333.0), s, 10.0, [0.12, 0.045, 3.0]),
    },
    Row {
        name: "100 layers, 4 passes",
        settings: || passes(4),
        measure: |s| pile(worlds::layers(5_000, 333.0), s, 10.0, [0.2, 0.08, 3.0]),
    },
    Row {
        name: "185 layers (5,000 balls)",
        settings: || passes(8),
        measure: |s| pile(worlds::layers(5_000, 180.0), s, 10.0, [0.12, 0.045, 3.0]),
    },
    Row {
        name: "300 layers (15,000 balls)",
        settings: || passes(8),
        measure: |s| pile(worlds::layers(15_000, 333.0), s, 4.0, [0.12, 0.045, 3.0]),
    },
    Row {
        name: "300 layers, 4 passes",
        settings: || passes(4),
        measure: |s| pile(worlds::layers(15_000, 333.0), s, 4.0, [0.25, 0.09, 3.0]),
    },
    Row {
        name: "600 layers (11,000 balls), 12 s",
        settings: || passes(8),
        measure: |s| pile(worlds::layers(11_000, 120.0), s, 12.0, [0.15, 0.05, 5.0]),
    },
    Row {
        name: "600 layers (60,000 balls), 15 s",
        settings: || passes(8),
        measure: |s| pile(worlds::layers(60_000, 667.0), s, 15.0, [0.15, 0.05, 5.0]),
    },
    Row {
        name: "one 100 times as heavy on sixty",
        settings: || passes(8),
        measure: |s| pile(worlds::heavy(100.0), s, 10.0, [0.06, f64::MAX, f64::MAX]),
    },
    Row {
        name: "one 1,000 times as heavy on sixty",
        settings: || passes(8),
        measure: |s| pile(worlds::heavy(1_000.0), s, 10.0, [0.2, f64::MAX, f64::MAX]),
    },
    Row {
        name: "radius ratio 10 with pegs",
        settings: || passes(8),
        measure: |s| pile(worlds::ratio_10(), s, 8.0, [0.4, 0.12, f64::MAX]),
    },
    Row { name: "one of radius 100 on 5,000 of 2 to 4", settings: || passes(8), measure: boulder },
    Row { name: "1,000 balls in one place", settings: || passes(8), measure: spawn },
    Row { name: "floor vanishes under 185 layers", settings: || passes(8), measure: floor_vanishes },
];

pub(crate) fn engine(world: World, settings: &Settings) -> CpuEngine {
    CpuEngine::new(world, settings.clone()).expect("the rows' worlds are valid")
}

pub(crate) fn run(engine: &mut CpuEngine, settings: &Settings, seconds: f32) {
    let steps = (seconds * settings.rate_hz as f32).round() as u32;
    engine.step(steps, settings.step_s()).expect("the CPU engine does not fail");
}

pub(crate) fn now(engine: &mut CpuEngine) -> World {
    engine.world().expect("the CPU engine does not fail")
}

/// Overlaps and root mean square speed after `seconds`.
fn pile(world: World, settings: &Settings, seconds: f32, [most, most_p99, most_rms]: [f64; 3]) -> Vec<Figure> {
    let mut engine = engine(world, settings);
    run(&mut engine, settings, seconds);
    overlaps(&Measures::of(&now(&mut engine)), [most, most_p99, most_rms])
}

fn overlaps(measures: &Measures, [most, most_p99, most_rms]: [f64; 3]) -> Vec<Figure> {
    vec![
        Figure { name: "overlap/radius", measured: measures.overlap_ratio_max, most },
        Figure { name: "  its p99", measured: measures.overlap_ratio_p99, most: most_p99 },
        Figure { name: "  rms px/s", measured: measures.rms_speed_px_s, most: most_rms },
    ]
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn seventy(settings: &Settings, [most_px, most_wander]: [f64; 2]) -> Vec<Figure> {
    let scene = Scene::named("impulse").expect("a named scene");
    let one = |seed: u64| {
        let world = scene.build(&Overrides { balls: None, seed: Some(seed) }).expect("seventy fit");
        let mut engine = engine(world, settings);
        run(&mut engine, settings, 8.0);
        let mut wander = Wander::new();
        for _ in 0..2 * settings.rate_hz {
            engine.step(1, settings.step_s()).expect("the CPU engine does not fail");
            wander.push(&now(&mut engine));
        }
        (Measures::of(&now(&mut engine)).deepest_overlap_px, wander.median_px())
    };
    let (depths, wanders): (Vec<f64>, Vec<f64>) = (1..=20).map(one).unzip();
    vec![
        Figure { name: "overlap px", measured: median(depths), most: most_px },
        Figure { name: "  wander px", measured: median(wanders), most: most_wander },
    ]
}

/// The scene that the program opens with, at the size that the README speaks of.
fn scene_pile(settings: &Settings) -> Vec<Figure> {
    let overrides = Overrides { balls: Some(20_000), seed: None };
    let world = Scene::named("pile").and_then(|scene| scene.build(&overrides)).expect("twenty thousand fit");
    pile(world, settings, 10.0, [0.12, 0.045, 3.0])
}

/// The boulder must stay where it lies: how far it has sunk below the heap's top a second after landing and six later.
fn boulder(settings: &Settings) -> Vec<Figure> {
    let mut engine = engine(worlds::boulder(), settings);
    run(&mut engine, settings, 2.0);
    let landed = now(&mut engine).bodies[5_000].position.y;
    run(&mut engine, settings, 6.0);
    let world = now(&mut engine);
    let sunk = f64::from(world.bodies[5_000].position.y - landed);
    let mut figures = overlaps(&Measures::of(&world), [0.12, 0.045, 5.0]);
    figures.push(Figure { name: "  sunk in 6 s, px", measured: sunk, most: 2.0 });
    figures
}

/// Greatest speed while a thousand balls in one place spread, without gravity and with it.
fn spawn(settings: &Settings) -> Vec<Figure> {
    let fastest = |gravity: Vec2| {
        let mut engine = engine(worlds::spawn(gravity), settings);
        let mut fastest = 0f64;
        for _ in 0..240 {
            engine.step(1, settings.step_s()).expect("the CPU engine does not fail");
            fastest = fastest.max(f64::from(engine.readout().fastest_px_s));
        }
        fastest
    };
    vec![
        Figure { name: "fastest px/s, g 0", measured: fastest(Vec2::ZERO), most: 2_000.0 },
        Figure { name: "  with gravity", measured: fastest(worlds::GRAVITY), most: 2_000.0 },
    ]
}

/// Mean speed that is missing half a second after the floor has gone, of the 450 px/s of a free fall.
fn floor_vanishes(settings: &Settings) -> Vec<Figure> {
    let mut settled = engine(worlds::layers(5_000, 180.0), settings);
    run(&mut settled, settings, 3.0);
    let mut falling = engine(now(&mut settled).open(), settings);
    run(&mut falling, settings, 0.5);
    let world = now(&mut falling);
    let (momentum, mass) = world.bodies.iter().fold((0.0, 0.0), |(momentum, mass), body| {
        let own = f64::from(body.mass());
        (momentum + own * f64::from(body.velocity.y), mass + own)
    });
    vec![Figure { name: "missing px/s", measured: 450.0 - momentum / mass, most: 2.0 }]
}
