//! How high a ball bounces.

use ballpit::{Body, Engine, Settings, Surface, World};
use glam::Vec2;

use crate::common::{assert_near, bodies, engines, run, space};
use crate::worlds;

/// Heights over the floor, px, that a ball dropped from `drop` reaches after each bounce.
fn heights(engine: &mut dyn Engine, settings: &Settings, floor: f32, bounces: usize) -> Vec<f64> {
    let mut heights = Vec::new();
    let mut rising = false;
    for _ in 0..6_000 {
        engine.step(1, settings.step_s()).unwrap();
        let ball = bodies(engine)[0];
        if rising && ball.velocity.y >= 0.0 {
            let over = f64::from(floor - ball.position.y - ball.radius);
            heights.push(over + f64::from(ball.velocity.y).powi(2) / 1_800.0);
            if heights.len() == bounces {
                return heights;
            }
        }
        rising = ball.velocity.y < 0.0;
    }
    panic!("{} bounces in 50 s: {heights:?}", heights.len());
}

/// A bounce is answered at a substep's end, up to 1/960 s late: 1 px at the end of a fall of 500.
const LATE: f64 = 5e-3;

fn bounces(restitution: f32, drop: f32, count: usize) -> Vec<Vec<f64>> {
    let settings = Settings::default();
    let world = worlds::drop(restitution, drop);
    engines(&world, &settings).into_iter().map(|mut engine| heights(&mut *engine, &settings, 700.0, count)).collect()
}

#[test]
fn s3_heights_at_0_7_from_500_px() {
    for heights in bounces(0.7, 500.0, 3) {
        for (height, expected) in heights.iter().zip([245.0, 120.05, 58.82]) {
            assert_near(*height, expected, LATE, "height");
        }
    }
}

#[test]
fn s4_the_ninth_bounce_at_0_8_from_100_px_is_the_first_under_2_px() {
    for heights in bounces(0.8, 100.0, 9) {
        for (height, expected) in heights.iter().zip([64.0, 40.96, 26.21]) {
            assert_near(*height, expected, LATE, "height");
        }
        assert!(heights[7] > 2.0 && heights[8] < 2.0, "{heights:?}");
    }
}

#[test]
fn the_tenth_elastic_bounce_reaches_the_drop() {
    for heights in bounces(1.0, 500.0, 10) {
        assert_near(heights[9], 500.0, 1e-4, "tenth height");
    }
}

#[test]
fn s5_a_rest_speed_ends_the_bounces_after_about_eight_of_them() {
    let mut world = space().with_gravity(Vec2::new(0.0, 900.0)).with_restitution(0.7);
    world.surfaces.push(Surface::new(Vec2::ZERO, Vec2::NEG_Y));
    world.add(Body::ball(Vec2::new(0.0, -505.0), 5.0));
    for rate_hz in [30, 60, 120, 144] {
        let settings = Settings { rate_hz, bounce_speed_px_s: 60.0, ..Settings::default() };
        for mut engine in engines(&world, &settings) {
            let (mut bounces, mut falling, mut rests_s) = (0, true, 0.0);
            for step in 1..=10 * rate_hz {
                engine.step(1, settings.step_s()).unwrap();
                let body = bodies(&mut *engine)[0];
                // A resting ball may have any speed below what a substep of gravity gives it.
                let falls = body.velocity.y > -2.0;
                bounces += u32::from(falling && !falls);
                falling = falls;
                if body.velocity.y.abs() > 2.0 || body.position.y < -5.5 {
                    rests_s = f64::from(step) / f64::from(rate_hz);
                }
            }
            let name = engine.name();
            assert!((7..=9).contains(&bounces), "{name} at {rate_hz} Hz: {bounces} bounces");
            assert!((5.0..=6.0).contains(&rests_s), "{name} at {rate_hz} Hz: rests after {rests_s} s");
        }
    }
}

#[test]
fn a_restitution_above_1_ends_at_the_greatest_speed() {
    let mut world = World::new(Vec2::ZERO, Vec2::new(800.0, 600.0));
    world.materials[0].restitution = 1.2;
    for k in 0..20 {
        let ball = Body::ball(Vec2::new(50.0 + 35.0 * k as f32, 300.0), 10.0);
        world.add(ball.moving(Vec2::from_angle(k as f32) * 300.0));
    }
    for most_speed_px_s in [1_460.0, 1e6] {
        let settings = Settings { most_speed_px_s, ..Settings::default() };
        for mut engine in engines(&world, &settings) {
            run(&mut *engine, &settings, 20.0);
            let fastest = bodies(&mut *engine).iter().map(|body| body.velocity.length()).fold(0.0, f32::max);
            assert!(fastest > 0.9 * most_speed_px_s, "{}: {fastest} px/s: nothing drives the balls", engine.name());
            assert!(fastest <= 1.000_01 * most_speed_px_s, "{}: {fastest} px/s", engine.name());
        }
    }
}
