//! Piles that hold. The large ones, and the figures of each, are in `benches/quality`; these bounds are its own.

use ballpit::{Body, Engine, Measures, Overrides, Scene, Settings, Wander, World};

use crate::common::{cpu_engine, engines, passes, run};
use crate::textbook::median;
use crate::worlds;

/// Deepest overlap after ten seconds, and the wander of the last two, px.
fn settled(engine: &mut dyn Engine, settings: &Settings) -> (f64, f64) {
    run(engine, settings, 8.0);
    let mut wander = Wander::new();
    for _ in 0..2 * settings.rate_hz {
        engine.step(1, settings.step_s()).unwrap();
        wander.push(&engine.world().unwrap());
    }
    (Measures::of(&engine.world().unwrap()).deepest_overlap_px, wander.median_px())
}

#[test]
fn seventy_balls_come_to_rest_without_sinking_in() {
    let scene = Scene::named("impulse").unwrap();
    for (settings, most_px) in [(passes(8), 0.04), (passes(4), 0.12)] {
        let world = |seed| scene.build(&Overrides { balls: None, seed: Some(seed) }).unwrap();
        let (overlaps, wanders): (Vec<f64>, Vec<f64>) =
            (1..=20).map(|seed| settled(&mut *cpu_engine(&world(seed), &settings), &settings)).unzip();
        for mut engine in engines(&world(20), &settings) {
            assert_eq!(settled(&mut *engine, &settings), (overlaps[19], wanders[19]), "{}", engine.name());
        }
        let (overlap, wander) = (median(overlaps), median(wanders));
        assert!(overlap <= most_px, "overlap of {overlap} px with {} passes", settings.passes);
        assert!(wander <= 0.01, "wander of {wander} px with {} passes", settings.passes);
    }
}

/// The world after `seconds` on each engine, held to a greatest overlap per radius, its 99th percentile and an rms speed.
#[track_caller]
fn assert_holds(world: &World, settings: &Settings, seconds: f32, [most, most_p99, most_rms]: [f64; 3]) -> Vec<World> {
    let held = |mut engine: Box<dyn Engine>| {
        run(&mut *engine, settings, seconds);
        let world = engine.world().unwrap();
        let measures = Measures::of(&world);
        let what = format!("{} with {} passes: {measures:?}", engine.name(), settings.passes);
        assert!(measures.overlap_ratio_max <= most, "{what}");
        assert!(measures.overlap_ratio_p99 <= most_p99, "{what}");
        assert!(measures.rms_speed_px_s <= most_rms, "{what}");
        world
    };
    engines(world, settings).into_iter().map(held).collect()
}

#[test]
fn a_hundred_layers_hold() {
    let world = worlds::layers(1_000, 66.0, 1);
    assert_holds(&world, &passes(8), 5.0, [0.12, 0.045, 3.0]);
    assert_holds(&world, &passes(4), 5.0, [0.2, 0.08, 3.0]);
}

#[test]
fn three_hundred_layers_hold() {
    let world = worlds::layers(2_000, 44.0, 1);
    assert_holds(&world, &passes(8), 6.0, [0.12, 0.045, 3.0]);
    assert_holds(&world, &passes(4), 6.0, [0.25, 0.09, 3.0]);
}

#[test]
fn a_ball_up_to_10000_times_as_heavy_does_not_sink_into_sixty() {
    for (times, most) in [(100.0, 0.06), (1_000.0, 0.2), (10_000.0, 0.2)] {
        let start = worlds::heavy(times, 1);
        for world in assert_holds(&start, &passes(8), 5.0, [most, most, 1.0]) {
            let top = world.bodies[..60].iter().map(|body| body.position.y).fold(f32::MAX, f32::min);
            assert!(world.bodies[60].position.y < top, "it lies at {:?}, below {top}", world.bodies[60].position);
        }
    }
}

#[test]
fn a_boulder_stays_up_on_small_balls() {
    let settings = Settings::default();
    let start = worlds::boulder(1);
    let landed = assert_holds(&start, &settings, 2.0, [0.12, 0.045, 20.0]);
    for world in assert_holds(&landed[0], &settings, 2.0, [0.12, 0.045, 5.0]) {
        let sunk = world.bodies[5_000].position.y - landed[0].bodies[5_000].position.y;
        assert!(sunk < 1.0, "it has sunk {sunk} px in 2 s");
    }
}

#[test]
fn sizes_of_1_to_10_hold_on_pegs_that_never_move() {
    let start = worlds::ratio_10(1);
    for world in assert_holds(&start, &Settings::default(), 5.0, [0.4, 0.12, f64::MAX]) {
        for (peg, after) in start.bodies.iter().zip(&world.bodies).filter(|(body, _)| !body.is_movable()) {
            assert_eq!(peg, after);
        }
    }
}

#[test]
fn a_pile_whose_floor_vanishes_falls_freely() {
    let settings = Settings::default();
    let settled = assert_holds(&worlds::layers(1_500, 54.0, 1), &settings, 3.0, [0.2, 0.06, 100.0]);
    for mut engine in engines(&settled[0].clone().open(), &settings) {
        run(&mut *engine, &settings, 0.5);
        let bodies = engine.world().unwrap().bodies;
        let mass = bodies.iter().map(Body::mass).sum::<f32>();
        let speed = bodies.iter().map(|body| body.mass() * body.velocity.y).sum::<f32>() / mass;
        assert!((speed - 450.0).abs() < 2.0, "{}: {speed} px/s of 450", engine.name());
    }
}
