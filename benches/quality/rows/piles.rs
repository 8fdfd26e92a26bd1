//! Piles that must hold: overlaps as shares of the smaller radius, speeds and wander.

use ballpit::{CpuEngine, Engine, Measures, Overrides, Scene, Settings, Tuning, Wander, World};
use glam::Vec2;

use super::{Figure, engine, median, now, run, step};
use crate::worlds;

/// A world left to itself, and how long until it is measured, s.
struct Settled(World, f32);

impl Settled {
    fn overlaps(self, settings: &Settings, most: [f64; 3]) -> Vec<Figure> {
        let mut engine = engine(self.0, settings);
        run(&mut engine, settings, self.1);
        overlaps(&now(&mut engine), most)
    }

    /// The same, and the median wander over the last 2 s.
    fn overlaps_and_wander(self, settings: &Settings, most: [f64; 3], most_wander_px: f64) -> Vec<Figure> {
        let mut engine = engine(self.0, settings);
        run(&mut engine, settings, self.1 - 2.0);
        let wander = Figure::new("  wander px", wander_px(&mut engine, settings), most_wander_px);
        let mut figures = overlaps(&now(&mut engine), most);
        figures.push(wander);
        figures
    }
}

fn overlaps(world: &World, [most, most_p99, most_rms]: [f64; 3]) -> Vec<Figure> {
    let measures = Measures::of(world);
    vec![
        Figure::new("overlap/radius", measures.overlap_ratio_max, most),
        Figure::new("  its p99", measures.overlap_ratio_p99, most_p99),
        Figure::new("  rms px/s", measures.rms_speed_px_s, most_rms),
    ]
}

/// The median wander over two seconds.
fn wander_px(engine: &mut CpuEngine, settings: &Settings) -> f64 {
    let mut wander = Wander::new();
    for _ in 0..2 * settings.rate_hz {
        step(engine, settings, 1);
        wander.push(&now(engine));
    }
    wander.median_px()
}

pub(crate) fn seventy(settings: &Settings, most_px: f64) -> Vec<Figure> {
    let scene = Scene::named("impulse").expect("a named scene");
    let one = |seed: u64| {
        let world = scene.build(&Overrides { balls: None, seed: Some(seed) }).expect("seventy fit");
        let mut engine = engine(world, settings);
        run(&mut engine, settings, 8.0);
        let wander_px = wander_px(&mut engine, settings);
        (Measures::of(&now(&mut engine)).deepest_overlap_px, wander_px)
    };
    let (depths, wanders): (Vec<f64>, Vec<f64>) = (1..=20).map(one).unzip();
    let worst = wanders.iter().copied().fold(0.0, f64::max);
    vec![
        Figure::new("overlap px", median(depths), most_px),
        Figure::new("  wander px", median(wanders), 0.01),
        Figure::new("  the worst's, px", worst, f64::MAX),
    ]
}

/// The scene that the program opens with, at the size that the README speaks of.
pub(crate) fn scene(settings: &Settings, seed: u64) -> Vec<Figure> {
    let overrides = Overrides { balls: Some(20_000), seed: Some(seed) };
    let world = Scene::named("pile").and_then(|scene| scene.build(&overrides)).expect("twenty thousand fit");
    Settled(world, 10.0).overlaps(settings, [0.12, 0.045, 3.0])
}

pub(crate) fn layers_100(settings: &Settings, seed: u64, most: [f64; 4]) -> Vec<Figure> {
    let world = worlds::layers(5_000, 333.0, seed);
    Settled(world, 10.0).overlaps_and_wander(settings, [most[0], most[1], most[2]], most[3])
}

/// Without relief every contact bears its true load; more passes have to carry it.
pub(crate) fn true_loads(settings: &Settings, seed: u64) -> Vec<Figure> {
    layers_100(&Settings { relief: 0.0, ..settings.clone() }, seed, [f64::MAX; 4])
}

pub(crate) fn layers_185(settings: &Settings, seed: u64) -> Vec<Figure> {
    let world = worlds::layers(5_000, 180.0, seed);
    Settled(world, 10.0).overlaps_and_wander(settings, [0.12, 0.045, 3.0], 0.6)
}

/// After 5 s: what the landing throws up is in the air for three of them.
pub(crate) fn layers_300(settings: &Settings, seed: u64, most: [f64; 3]) -> Vec<Figure> {
    Settled(worlds::layers(15_000, 333.0, seed), 5.0).overlaps(settings, most)
}

/// Dropped at full gravity.
pub(crate) fn layers_600(settings: &Settings, world: World, seconds: f32) -> Vec<Figure> {
    Settled(world, seconds).overlaps(settings, [0.15, 0.05, 5.0])
}

/// 600 layers under a gravity that rises to its full size over two seconds.
pub(crate) fn rising(settings: &Settings, seed: u64) -> Vec<Figure> {
    let world = worlds::layers(60_000, 667.0, seed);
    let tuning = Tuning::of(&world, settings);
    let mut engine = engine(world, settings);
    let steps = 2 * settings.rate_hz;
    for made in 1..=steps {
        let gravity = worlds::GRAVITY * (made as f32 / steps as f32);
        engine.retune(&Tuning { gravity, ..tuning.clone() }).expect("a valid gravity");
        step(&mut engine, settings, 1);
    }
    run(&mut engine, settings, 5.0);
    overlaps(&now(&mut engine), [0.15, 0.05, 5.0])
}

/// Sixteen more balls every fourth step until there are 9,000; measured after 4 s more.
pub(crate) fn poured(settings: &Settings, seed: u64) -> Vec<Figure> {
    let mut pour = worlds::Pour::new(seed);
    let mut world = worlds::shaft();
    while world.bodies.len() < 9_000 {
        pour.add_to(&mut world);
        let mut engine = engine(world, settings);
        step(&mut engine, settings, 4);
        world = now(&mut engine);
    }
    Settled(world, 6.0).overlaps_and_wander(settings, [0.12, 0.045, 3.0], 0.05)
}

pub(crate) fn heavy(settings: &Settings, seed: u64, times: f32, most: f64) -> Vec<Figure> {
    Settled(worlds::heavy(times, seed), 10.0).overlaps(settings, [most, f64::MAX, f64::MAX])
}

/// Also how far a peg has moved.
pub(crate) fn ratio_10(settings: &Settings, seed: u64) -> Vec<Figure> {
    let start = worlds::ratio_10(seed);
    let mut engine = engine(start.clone(), settings);
    run(&mut engine, settings, 8.0);
    let world = now(&mut engine);
    let pegs = start.bodies.iter().zip(&world.bodies).filter(|(body, _)| !body.is_movable());
    let moved = pegs.map(|(peg, after)| peg.position.distance(after.position)).fold(0.0, f32::max);
    let mut figures = overlaps(&world, [0.4, 0.12, f64::MAX]);
    figures.push(Figure::new("  pegs moved, px", moved.into(), 0.0));
    figures
}

/// The boulder must stay where it lies: how far it has sunk six seconds after its landing has calmed.
pub(crate) fn boulder(settings: &Settings, seed: u64) -> Vec<Figure> {
    let mut engine = engine(worlds::boulder(seed), settings);
    run(&mut engine, settings, 2.0);
    let landed = now(&mut engine).bodies[5_000].position.y;
    run(&mut engine, settings, 6.0);
    let world = now(&mut engine);
    let sunk = world.bodies[5_000].position.y - landed;
    let mut figures = overlaps(&world, [0.12, 0.045, 5.0]);
    figures.push(Figure::new("  sunk in 6 s, px", sunk.into(), 2.0));
    figures
}

/// Greatest speed while a thousand balls in one place spread, without gravity and with it.
pub(crate) fn spawn(settings: &Settings) -> Vec<Figure> {
    let fastest = |gravity: Vec2| {
        let mut engine = engine(worlds::spawn(gravity), settings);
        let mut fastest = 0f64;
        for _ in 0..240 {
            step(&mut engine, settings, 1);
            fastest = fastest.max(f64::from(engine.readout().fastest_px_s));
        }
        fastest
    };
    vec![
        Figure::new("fastest px/s, g 0", fastest(Vec2::ZERO), 2_000.0),
        Figure::new("  with gravity", fastest(worlds::GRAVITY), 2_000.0),
    ]
}

/// Mean speed that is missing half a second after the floor has gone, of the 450 px/s of a free fall.
pub(crate) fn floor_vanishes(settings: &Settings, seed: u64) -> Vec<Figure> {
    let mut settled = engine(worlds::layers(5_000, 180.0, seed), settings);
    run(&mut settled, settings, 3.0);
    let mut falling = engine(now(&mut settled).open(), settings);
    run(&mut falling, settings, 0.5);
    let world = now(&mut falling);
    let (momentum, mass) = world.bodies.iter().fold((0.0, 0.0), |(momentum, mass), body| {
        let own = f64::from(body.mass());
        (momentum + own * f64::from(body.velocity.y), mass + own)
    });
    vec![Figure::new("missing px/s", 450.0 - momentum / mass, 2.0)]
}
