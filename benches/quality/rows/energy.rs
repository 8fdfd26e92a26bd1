//! Energy and momentum that must be kept.

use ballpit::{Measures, Overrides, Scene, Settings, World};
use glam::{DVec2, Vec2};

use super::{Figure, engine, now, run, step};
use crate::worlds::{self, GRAVITY};

fn kinetic(world: &World) -> f64 {
    Measures::of(world).kinetic_energy
}

/// Kinetic energy and that of height above the room's floor.
fn energy(world: &World) -> f64 {
    let height = |y: f32| f64::from(world.max.y - y);
    let heights = world.bodies.iter().map(|body| f64::from(body.mass()) * height(body.position.y));
    kinetic(world) + f64::from(world.gravity.y) * heights.sum::<f64>()
}

/// The share of the kinetic energy that `seconds` lose, or gain.
fn lost(world: World, settings: &Settings, seconds: f32) -> f64 {
    let before = kinetic(&world);
    let mut engine = engine(world, settings);
    run(&mut engine, settings, seconds);
    (kinetic(&now(&mut engine)) / before - 1.0).abs()
}

pub(crate) fn gas(settings: &Settings, seed: u64) -> Vec<Figure> {
    let overrides = Overrides { balls: None, seed: Some(seed) };
    let world = Scene::named("gas").and_then(|scene| scene.build(&overrides)).expect("four hundred fit");
    vec![Figure::new("energy off by", lost(world, settings, 10.0), 0.001)]
}

pub(crate) fn break_shot(settings: &Settings) -> Vec<Figure> {
    vec![
        Figure::new("energy off by", lost(worlds::break_shot(Vec2::new(17.3206, 20.001)), settings, 2.0), 0.01),
        Figure::new("  all touching", lost(worlds::break_shot(Vec2::new(300f32.sqrt(), 20.0)), settings, 2.0), 0.015),
    ]
}

pub(crate) fn implosion(settings: &Settings, seed: u64) -> Vec<Figure> {
    vec![Figure::new("energy off by", lost(worlds::implosion(seed), settings, 2.0), 0.07)]
}

/// Heights over the floor, px, that a ball reaches after each of its bounces.
fn heights(settings: &Settings, restitution: f32, drop_px: f32, bounces: usize) -> Vec<f64> {
    let mut engine = engine(worlds::drop(restitution, drop_px), settings);
    let mut heights = Vec::new();
    let mut rising = false;
    for _ in 0..6_000 {
        step(&mut engine, settings, 1);
        let world = now(&mut engine);
        let ball = world.bodies[0];
        let speed = f64::from(ball.velocity.y);
        if rising && speed >= 0.0 {
            let over = f64::from(world.max.y - ball.position.y - ball.radius);
            heights.push(over + 0.5 * speed * speed / f64::from(GRAVITY.y));
        }
        rising = speed < 0.0;
    }
    heights.resize(bounces, f64::NAN);
    heights
}

fn off(measured: f64, expected: f64) -> f64 {
    (measured / expected - 1.0).abs()
}

pub(crate) fn tenth_bounce(settings: &Settings) -> Vec<Figure> {
    vec![Figure::new("height off by", off(heights(settings, 1.0, 500.0, 10)[9], 500.0), 0.005)]
}

pub(crate) fn bounces_s3(settings: &Settings) -> Vec<Figure> {
    let heights = heights(settings, 0.7, 500.0, 3);
    let [first, second, third] = [245.0, 120.05, 58.82];
    vec![
        Figure::new("height off by", off(heights[0], first), 0.005),
        Figure::new("  the second's", off(heights[1], second), 0.005),
        Figure::new("  the third's", off(heights[2], third), 0.005),
    ]
}

/// The ninth bounce is the first under 2 px.
pub(crate) fn bounces_s4(settings: &Settings) -> Vec<Figure> {
    let heights = heights(settings, 0.8, 100.0, 9);
    vec![
        Figure::new("height off by", off(heights[0], 64.0), 0.005),
        Figure::new("  the second's", off(heights[1], 40.96), 0.005),
        Figure::new("  the third's", off(heights[2], 26.2144), 0.005),
        Figure::new("  the ninth, px", heights[8], 2.0),
        Figure::new("  minus the eighth, px", -heights[7], -2.0),
    ]
}

/// How far from eight the bounces are that a rest speed of twice the default leaves of a drop from 500 px, over rates of
/// steps, and when the ball then rests.
pub(crate) fn bounces_s5(settings: &Settings) -> Vec<Figure> {
    let (mut off, mut rests_s) = (0i32, 0f64);
    for rate_hz in [30, 60, 120, 144] {
        let settings = Settings { rate_hz, bounce_speed_px_s: 2.0 * settings.bounce_speed_px_s, ..settings.clone() };
        let mut engine = engine(worlds::drop(0.7, 500.0), &settings);
        let (mut bounces, mut falling) = (0, true);
        for made in 1..=10 * rate_hz {
            step(&mut engine, &settings, 1);
            let speed = now(&mut engine).bodies[0].velocity.y;
            // A ball at rest may have any speed below what a substep of gravity gives it.
            let falls = speed > -2.0;
            bounces += i32::from(falling && !falls);
            falling = falls;
            if speed.abs() > 2.0 {
                rests_s = rests_s.max(f64::from(made) / f64::from(rate_hz));
            }
        }
        off = off.max((bounces - 8).abs());
    }
    vec![Figure::new("bounces, off eight by", off.into(), 1.0), Figure::new("  rests after, s", rests_s, 6.0)]
}

/// How far the speeds are from 0, 0, 0, 0, 0, 200 px/s, as a share of 200.
pub(crate) fn cradle(settings: &Settings) -> Vec<Figure> {
    let off = |gap_px: f32| {
        let mut engine = engine(worlds::cradle(gap_px), settings);
        run(&mut engine, settings, 1.0);
        let expected = (0..6).map(|i| if i == 5 { Vec2::new(200.0, 0.0) } else { Vec2::ZERO });
        let world = now(&mut engine);
        let offs = world.bodies.iter().zip(expected).map(|(body, expected)| body.velocity.distance(expected));
        f64::from(offs.fold(0.0, f32::max) / 200.0)
    };
    vec![Figure::new("speed off by", off(5.0), 1e-5), Figure::new("  touching", off(0.0), 1e-5)]
}

/// As a share of the sum of the balls' momenta, the worst of 3 s.
pub(crate) fn momentum(settings: &Settings, seed: u64) -> Vec<Figure> {
    let of = |world: &World| {
        let all = world.bodies.iter().map(|body| body.velocity.as_dvec2() * f64::from(body.mass()));
        all.fold((DVec2::ZERO, 0.0), |(sum, sizes), own| (sum + own, sizes + own.length()))
    };
    let world = worlds::crowd(seed);
    let (before, sizes) = of(&world);
    let mut engine = engine(world, settings);
    let mut worst = 0f64;
    for _ in 0..3 * settings.rate_hz {
        step(&mut engine, settings, 1);
        worst = worst.max((of(&now(&mut engine)).0 - before).length() / sizes);
    }
    vec![Figure::new("momentum off by, 1e-6", worst * 1e6, 1.0)]
}

/// How far a ball's centre is ever outside its box, and what energy is ever gained, over eight directions.
pub(crate) fn thrown(settings: &Settings, speed: f32, most_gained: f64) -> Vec<Figure> {
    let (mut outside, mut gained) = (f32::MIN, f64::MIN);
    for direction in 0..8 {
        let world = worlds::thrown(Vec2::from_angle(0.1 + 0.4 * direction as f32) * speed);
        let before = energy(&world);
        let mut engine = engine(world, settings);
        for _ in 0..settings.rate_hz {
            step(&mut engine, settings, 1);
            let world = now(&mut engine);
            gained = gained.max(energy(&world) / before - 1.0);
            for body in &world.bodies {
                let beyond = (world.min - body.position).max(body.position - world.max).max_element();
                outside = outside.max(beyond);
            }
        }
    }
    vec![Figure::new("centre outside, px", outside.into(), 0.0), Figure::new("  energy gained", gained, most_gained)]
}

/// The most energy, as a share of the first, that a second has more than one before it.
fn gained(world: World, settings: &Settings, seconds: u32) -> f64 {
    let first = energy(&world);
    let mut engine = engine(world, settings);
    let (mut least, mut gained) = (first, f64::MIN);
    for _ in 0..seconds {
        run(&mut engine, settings, 1.0);
        let now = energy(&now(&mut engine));
        gained = gained.max((now - least) / first);
        least = least.min(now);
    }
    gained
}

pub(crate) fn pile(settings: &Settings, seed: u64, restitution: f32) -> Vec<Figure> {
    let world = worlds::layers(2_000, 333.0, seed).with_restitution(restitution);
    vec![Figure::new("energy gained", gained(world, settings, 10), 1e-3)]
}
