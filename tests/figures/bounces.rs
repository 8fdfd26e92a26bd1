//! How high a ball bounces.

use ballpit::{Engine, Settings};

use crate::common::{assert_near, bodies, engines};
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
