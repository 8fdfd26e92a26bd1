//! The worlds of the rows.

use ballpit::{Body, World};
use glam::Vec2;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub(crate) const GRAVITY: Vec2 = Vec2::new(0.0, 900.0);

pub(crate) struct Random(Pcg64Mcg);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    pub(crate) fn within(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * (self.0.next_u32() >> 8) as f32 / 16_777_216.0
    }
}

fn room(width: f32, height: f32) -> World {
    World::new(Vec2::ZERO, Vec2::new(width, height)).with_gravity(GRAVITY)
}

/// Lays `count` balls in rows from `bottom` up, a share of 0.045 of their heights apart, and returns where the next row
/// would stand.
fn stack(world: &mut World, count: usize, mut bottom: f32, random: &mut Random, radius: fn(&mut Random) -> f32) -> f32 {
    let width = world.max.x;
    let end = world.bodies.len() + count;
    while world.bodies.len() < end {
        let mut x = 0.5 + random.within(0.0, 2.0);
        let mut row = Vec::new();
        loop {
            let radius = radius(random);
            if x + 2.0 * radius + 0.3 > width || world.bodies.len() + row.len() == end {
                break;
            }
            row.push((x + radius, radius));
            x += 2.0 * radius + 0.3;
        }
        let tallest = row.iter().map(|&(_, radius)| radius).fold(0.0, f32::max);
        for (x, radius) in row {
            world.add(Body::ball(Vec2::new(x, bottom - tallest), radius));
        }
        bottom -= 2.0 * tallest * 1.045;
    }
    bottom
}

/// `count` balls of radius U(2, 4.67) in rows as close as their radii let them.
pub(crate) fn layers(count: usize, width: f32) -> World {
    let mut world = room(width, 12.0 * count as f32 * 40.0 / width + 400.0);
    let floor = world.max.y - 0.2;
    stack(&mut world, count, floor, &mut Random::new(1), |random| random.within(2.0, 4.67));
    world
}

/// Sixty balls of radius U(4, 6) and one of radius 40 above them, `times` as heavy as one of them.
pub(crate) fn heavy(times: f32) -> World {
    let mut world = room(81.0, 600.0);
    let mut random = Random::new(99);
    for k in 0..60 {
        let place = Vec2::new(7.0 + (k % 6) as f32 * 12.6, 593.0 - (k / 6) as f32 * 12.6);
        world.add(Body::ball(place + Vec2::X * random.within(-0.1, 0.1), random.within(4.0, 6.0)));
    }
    let mean = world.bodies.iter().map(Body::mass).sum::<f32>() / 60.0;
    world.add(Body { inverse_mass: 1.0 / (times * mean), ..Body::ball(Vec2::new(40.5, 410.0), 40.0) });
    world
}

/// Balls of radius 2 to 20, most of them small, on five pegs.
pub(crate) fn ratio_10() -> World {
    let mut world = room(500.0, 3000.0);
    for k in 0..5 {
        world.add(Body::peg(Vec2::new(60.0 + k as f32 * 95.0, 2800.0), 12.0));
    }
    stack(&mut world, 1_200, 2770.0, &mut Random::new(4242), |random| {
        let share = random.within(0.0, 1.0);
        2.0 + 18.0 * share * share * share
    });
    world
}

/// 5,000 balls of radius 2 to 4 and one of radius 100 dropped on them, which is the last.
pub(crate) fn boulder() -> World {
    let mut world = room(500.0, 1500.0);
    let top = stack(&mut world, 5_000, 1500.0, &mut Random::new(77), |random| random.within(2.0, 4.0));
    world.add(Body::ball(Vec2::new(250.0, top - 105.0), 100.0));
    world
}

/// A thousand balls in one point.
pub(crate) fn spawn(gravity: Vec2) -> World {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0)).with_gravity(gravity);
    world.bodies = vec![Body::ball(Vec2::splat(500.0), 4.0); 1000];
    world
}
