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

pub(crate) fn room(width: f32, height: f32) -> World {
    World::new(Vec2::ZERO, Vec2::new(width, height)).with_gravity(GRAVITY)
}

/// Rows of balls of radius U(2, 4.67) from `floor` up, a share of `gap` of their heights apart.
pub(crate) fn stack(world: &mut World, count: usize, floor: f32, gap: f32) {
    let mut random = Random::new(1);
    let width = world.max.x;
    let mut bottom = floor;
    let end = world.bodies.len() + count;
    while world.bodies.len() < end {
        let mut x = 0.5 + random.within(0.0, 2.0);
        let mut row = Vec::new();
        loop {
            let radius = random.within(2.0, 4.67);
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
        bottom -= 2.0 * tallest * (1.0 + gap);
    }
}

/// `count` balls in rows as close as their radii let them.
pub(crate) fn layers(count: usize, width: f32) -> World {
    let mut world = room(width, 12.0 * count as f32 * 40.0 / width + 400.0);
    let floor = world.max.y - 0.2;
    stack(&mut world, count, floor, 0.045);
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
    let mut random = Random::new(4242);
    for k in 0..5 {
        world.add(Body::peg(Vec2::new(60.0 + k as f32 * 95.0, 2800.0), 12.0));
    }
    let mut bottom = 2770.0;
    while world.bodies.len() < 1205 {
        let (mut x, mut row) = (0.5, Vec::new());
        loop {
            let small = random.within(0.0, 1.0);
            let radius = 2.0 + 18.0 * small * small * small;
            if x + 2.0 * radius + 0.3 > 500.0 {
                break;
            }
            row.push((x + radius, radius));
            x += 2.0 * radius + 0.3;
        }
        let tallest = row.iter().map(|&(_, radius)| radius).fold(0.0, f32::max);
        for (x, radius) in row {
            world.add(Body::ball(Vec2::new(x, bottom - tallest), radius));
        }
        bottom -= 2.0 * tallest + 0.4;
    }
    world
}

/// 5,000 balls of radius 2 to 4 and one of radius 100 dropped on them, which is the last.
pub(crate) fn boulder() -> World {
    let mut world = room(500.0, 1500.0);
    let mut random = Random::new(77);
    let mut y = 1500.0;
    while world.bodies.len() < 5_000 {
        let mut x = 0.5;
        while x + 8.3 < 500.0 && world.bodies.len() < 5_000 {
            let radius = random.within(2.0, 4.0);
            world.add(Body::ball(Vec2::new(x + radius, y - 4.0), radius));
            x += 2.0 * radius + 0.3;
        }
        y -= 8.4;
    }
    world.add(Body::ball(Vec2::new(250.0, y - 105.0), 100.0));
    world
}

/// A thousand balls in one point.
pub(crate) fn spawn(gravity: Vec2) -> World {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0)).with_gravity(gravity);
    world.bodies = vec![Body::ball(Vec2::splat(500.0), 4.0); 1000];
    world
}
