//! The textbook's own figures, by the sequential solver: one answer to a contact is one line of the table.

use ballpit::{Body, Engine, Measures, Overrides, Scene, SequentialEngine, Settings, Solver, Wander, World};
use glam::Vec2;

use crate::common::{assert_near, bodies, run, space};

fn sequential(rate_hz: u32, passes: u32) -> Settings {
    Settings { solver: Solver::Sequential, rate_hz, passes, ..Settings::default() }
}

/// Two balls of radius 4 on the x axis that overlap by `depth`, after one pass of a step too short to move them.
fn answered(depth: f32, masses: [f32; 2], velocities: [f32; 2], restitution: f32) -> [Body; 2] {
    let mut world = space().with_restitution(restitution);
    for i in 0..2 {
        let ball = Body::ball(Vec2::new(i as f32 * (8.0 - depth), 0.0), 4.0);
        world.add(Body { inverse_mass: 1.0 / masses[i], ..ball }.moving(Vec2::new(velocities[i], 0.0)));
    }
    let mut engine = SequentialEngine::new(world, sequential(120, 1)).unwrap();
    engine.step(1, 1e-9).unwrap();
    bodies(&mut engine).try_into().unwrap()
}

#[test]
fn c2_to_c4_head_on() {
    for (masses, velocities, restitution, expected) in [
        ([1.0, 3.0], [4.0, 0.0], 1.0, [-2.0, 2.0]),
        ([1.0, 3.0], [4.0, 0.0], 0.35, [-0.05, 1.35]),
        ([2.0, 1.0], [3.0, 0.0], 1.0, [1.0, 4.0]),
        ([2.0, 1.0], [3.0, 0.0], 0.5, [1.5, 3.0]),
        ([1.0, 1.0], [80.0, 0.0], 0.0, [40.0, 40.0]),
    ] {
        let after = answered(0.1, masses, velocities, restitution);
        for (body, expected) in after.iter().zip(expected) {
            let off = f64::from(body.velocity.x) - expected;
            assert!(off.abs() <= 1e-5 * f64::from(velocities[0]), "{after:?}");
        }
    }
}

#[test]
fn c6_and_c7_shares_of_an_overlap() {
    for (masses, heavy) in [([4.0, 1.0], 0.2), ([2.0, 1.0], 1.0 / 3.0), ([1.0, 1.0], 0.5)] {
        let [a, b] = answered(0.5, masses, [0.0, 0.0], 0.35);
        assert_near((-a.position.x).into(), 0.5 * heavy, 1e-5, "way of the heavy ball");
        assert_near((b.position.x - 7.5).into(), 0.5 * (1.0 - heavy), 1e-5, "way of the light ball");
        assert_eq!((a.velocity, b.velocity), (Vec2::ZERO, Vec2::ZERO));
    }
}

#[test]
fn c8_a_pair_that_parts_is_pushed_and_keeps_its_velocities() {
    let [a, b] = answered(1.0, [1.0, 3.0], [-6.0, 6.0], 0.35);
    assert_eq!((a.velocity.x, b.velocity.x), (-6.0, 6.0));
    assert_near((b.position.x - a.position.x).into(), 8.0, 1e-5, "distance");
}

#[test]
fn c9_nothing_that_can_not_move_moves_and_nothing_becomes_nan() {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(100.0)).with_gravity(Vec2::new(0.0, 900.0));
    let pegs = [Body::peg(Vec2::splat(50.0), 5.0), Body::peg(Vec2::splat(52.0), 5.0)];
    world.bodies.extend(pegs);
    world.bodies.extend([Body::ball(Vec2::splat(20.0), 5.0); 2]);
    let mut engine = SequentialEngine::new(world, sequential(120, 4)).unwrap();
    engine.step(240, 1.0 / 120.0).unwrap();
    let after = bodies(&mut engine);
    assert_eq!(after[..2], pegs);
    assert!(after.iter().all(|body| body.position.is_finite() && body.velocity.is_finite()));
}

/// Medians over twenty seeds of the seventy-ball pile: deepest overlap, wander and height, px.
fn pile(rate_hz: u32, passes: u32) -> [f64; 3] {
    let scene = Scene::named("impulse").unwrap();
    let settings = sequential(rate_hz, passes);
    let mut figures: [Vec<f64>; 3] = Default::default();
    for seed in 1..=20 {
        let world = scene.build(&Overrides { balls: None, seed: Some(seed) }).unwrap();
        let mut engine = SequentialEngine::new(world, settings.clone()).unwrap();
        run(&mut engine, &settings, 8.0);
        let mut wander = Wander::new();
        for _ in 0..2 * rate_hz {
            engine.step(1, settings.step_s()).unwrap();
            wander.push(&engine.world().unwrap());
        }
        let end = Measures::of(&engine.world().unwrap());
        for (all, figure) in figures.iter_mut().zip([end.deepest_overlap_px, wander.median_px(), end.pile_height_px]) {
            all.push(figure);
        }
    }
    figures.map(|mut all| {
        all.sort_by(f64::total_cmp);
        0.5 * (all[9] + all[10])
    })
}

#[test]
fn piles_of_seventy() {
    // Single piles differ by a factor of two, so medians over other seeds differ by up to a quarter; heights by less than
    // half the smallest radius.
    const SEEDS: f64 = 0.25;
    const HEIGHTS_PX: f64 = 4.0;
    for (rate_hz, passes, overlap, wander, height) in
        [(120, 4, 0.95, 0.05, 136.5), (120, 1, 5.5, 0.28, 136.5), (30, 4, 6.5, 0.33, 136.5), (30, 1, 25.5, 4.1, 111.0)]
    {
        let pile = pile(rate_hz, passes);
        assert_near(pile[0], overlap, SEEDS, "deepest overlap");
        assert_near(pile[1], wander, SEEDS, "wander");
        assert!((pile[2] - height).abs() <= HEIGHTS_PX, "{rate_hz} steps/s, {passes} passes: {} px high", pile[2]);
    }
}
