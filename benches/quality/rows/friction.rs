//! The rows of worlds that rub: what friction holds, and the slope of a heap.

use ballpit::{Body, Measures, Settings, Surface, Wander, World};
use glam::Vec2;

use super::{Figure, engine, now, run, step};
use crate::worlds::{self, Random};

/// The same settings, with balls that turn.
pub(crate) fn turning(settings: &Settings) -> Settings {
    Settings { rotation: true, ..settings.clone() }
}

pub(crate) fn locked_layers(settings: &Settings, seed: u64) -> Vec<Figure> {
    layers(settings, seed, [0.05, f64::MAX])
}

pub(crate) fn turning_layers(settings: &Settings, seed: u64) -> Vec<Figure> {
    layers(&turning(settings), seed, [0.02, 0.1])
}

/// A ball on a slope of a steepness, both of friction 0.5: how far it comes in 3 s, px, and its mean acceleration over
/// the second that follows half a second of rest, px/s².
fn slope_of(steepness: f32, settings: &Settings) -> [f64; 2] {
    let normal = Vec2::new(steepness, -1.0).normalize();
    let along = Vec2::new(-normal.y, normal.x);
    let mut world = World::new(Vec2::splat(-1_000.0), Vec2::splat(1_000.0)).open().with_gravity(worlds::GRAVITY);
    world.materials[0].friction = 0.5;
    world.surfaces.push(Surface::new(Vec2::ZERO, normal));
    world.add(Body::ball(normal * 10.0, 10.0));
    let speed_after = |seconds| {
        let mut engine = engine(world.clone(), settings);
        run(&mut engine, settings, seconds);
        let body = now(&mut engine).bodies[0];
        [body.position.dot(along), body.velocity.dot(along)].map(f64::from)
    };
    [speed_after(3.0)[0].abs(), speed_after(1.5)[1] - speed_after(0.5)[1]]
}

/// A ball that can't turn: at 0.96 of the slope that its friction holds, and at 1.04 of it.
pub(crate) fn locked_slope(settings: &Settings) -> Vec<Figure> {
    let [slip, _] = slope_of(0.48, settings);
    let [_, rate] = slope_of(0.52, settings);
    let expected = 900.0 * (0.52 - 0.5) / f64::hypot(1.0, 0.52);
    vec![
        Figure::new("slip in 3 s, px", slip, 0.05),
        Figure::new("  sliding off by", (rate / expected - 1.0).abs(), 0.005),
    ]
}

/// A disc that rolls, at two thirds of what it would slide at without friction, or that is too steep to.
pub(crate) fn disc_on_slope(settings: &Settings) -> Vec<Figure> {
    let rate = |steepness| slope_of(steepness, &turning(settings))[1];
    let off = |steepness, expected: f64| (rate(steepness) / expected - 1.0).abs();
    vec![
        Figure::new("145.52 px/s² off by", off(0.25, 145.52), 0.005),
        Figure::new("  268.33 px/s² off by", off(0.5, 268.33), 0.005),
        Figure::new("  493.94 px/s² off by", off(1.45, 493.94), 0.005),
        Figure::new("  sliding, 603.74", off(2.0, 603.74), 0.005),
    ]
}

/// How far the balls of a pile wander in 2 s, once it has stood for 10.
fn layers(settings: &Settings, seed: u64, [most, most_p99]: [f64; 2]) -> Vec<Figure> {
    let mut world = worlds::layers(5_000, 333.0, seed);
    world.materials[0].friction = 0.5;
    let mut engine = engine(world, settings);
    run(&mut engine, settings, 10.0);
    let mut wander = Wander::new();
    for _ in 0..2 * settings.rate_hz {
        step(&mut engine, settings, 1);
        wander.push(&now(&mut engine));
    }
    let measures = Measures::of(&now(&mut engine));
    vec![
        Figure::new("wander px", wander.median_px(), most),
        Figure::new("  its p99", wander.p99_px(), most_p99),
        Figure::new("  overlap/radius", measures.overlap_ratio_max, 0.12),
        Figure::new("  its p99", measures.overlap_ratio_p99, 0.045),
        Figure::new("  rms px/s", measures.rms_speed_px_s, 3.0),
    ]
}

/// Balls that a heap is poured of.
const POURED: usize = 1_500;
const GROUND: f32 = 900.0;
const WIDTH: f32 = 1_600.0;

/// The angle of repose of a heap that was poured on a row of pegs: mean of both sides, ten seconds after the last ball.
pub(crate) fn heap(settings: &Settings, seed: u64, friction: f32) -> Vec<Figure> {
    let mut world = World::new(Vec2::ZERO, Vec2::new(WIDTH, GROUND)).with_gravity(worlds::GRAVITY);
    world.materials[0].friction = friction;
    for k in 0..(WIDTH / 8.0) as usize {
        world.add(Body::peg(Vec2::new(4.0 + 8.0 * k as f32, GROUND), 4.0));
    }
    let pegs = world.bodies.len();
    let mut random = Random::new(seed);
    while world.bodies.len() < pegs + POURED {
        let mut engine = engine(world, settings);
        step(&mut engine, settings, 6);
        world = now(&mut engine);
        let top = top(&world, WIDTH * 0.5, 40.0, 100.0);
        for side in [-6.0, 6.0] {
            let place = Vec2::new(WIDTH * 0.5 + side + random.within(-1.0, 1.0), GROUND - top - 25.0);
            world.add(Body::ball(place, random.within(2.0, 4.67)));
        }
    }
    let mut engine = engine(world, settings);
    run(&mut engine, settings, 10.0);
    let world = now(&mut engine);
    let [left, right] = [-1.0, 1.0].map(|side| slope(&world, side));
    let height = f64::from(top(&world, WIDTH * 0.5, WIDTH, f32::MAX));
    vec![Figure::new("angle, degrees", 0.5 * (left + right), f64::MAX), Figure::new("  height px", height, f64::MAX)]
}

/// Height of the highest ball slower than `slowest` within `reach` of `x`.
fn top(world: &World, x: f32, reach: f32, slowest: f32) -> f32 {
    let near = |body: &&Body| (body.position.x - x).abs() < reach && body.velocity.length() < slowest;
    let tops = world.bodies.iter().filter(near).map(|body| GROUND - body.position.y + body.radius);
    tops.fold(4.0, f32::max)
}

/// Angle of the line through a side's surface between 0.15 and 0.85 of the heap's height, in strips of 20 px.
fn slope(world: &World, side: f32) -> f64 {
    let highest = top(world, WIDTH * 0.5, WIDTH, f32::MAX);
    let strips = (0..(WIDTH / 40.0) as usize).map(|strip| WIDTH * 0.5 + side * (10.0 + 20.0 * strip as f32));
    let points: Vec<(f64, f64)> = strips
        .map(|x| (x, top(world, x, 10.0, f32::MAX)))
        .filter(|&(_, y)| y > 0.15 * highest && y < 0.85 * highest)
        .map(|(x, y)| (f64::from(x), f64::from(y)))
        .collect();
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y, xx, xy) = (mean(|p| p.0), mean(|p| p.1), mean(|p| p.0 * p.0), mean(|p| p.0 * p.1));
    ((xy - x * y) / (xx - x * x)).atan().to_degrees().abs()
}
