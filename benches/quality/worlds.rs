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

    /// Each part from −`most` to `most`.
    fn vector(&mut self, most: f32) -> Vec2 {
        Vec2::new(self.within(-most, most), self.within(-most, most))
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
pub(crate) fn layers(count: usize, width: f32, seed: u64) -> World {
    let mut world = room(width, 12.0 * count as f32 * 40.0 / width + 400.0);
    let floor = world.max.y - 0.2;
    stack(&mut world, count, floor, &mut Random::new(seed), |random| random.within(2.0, 4.67));
    world
}

/// Sixty balls of radius U(4, 6) and one of radius 40 above them, `times` as heavy as one of them.
pub(crate) fn heavy(times: f32, seed: u64) -> World {
    let mut world = room(81.0, 600.0);
    let mut random = Random::new(seed);
    for k in 0..60 {
        let place = Vec2::new(7.0 + (k % 6) as f32 * 12.6, 593.0 - (k / 6) as f32 * 12.6);
        world.add(Body::ball(place + Vec2::X * random.within(-0.1, 0.1), random.within(4.0, 6.0)));
    }
    let mean = world.bodies.iter().map(Body::mass).sum::<f32>() / 60.0;
    world.add(Body { inverse_mass: 1.0 / (times * mean), ..Body::ball(Vec2::new(40.5, 410.0), 40.0) });
    world
}

/// Balls of radius 2 to 20, most of them small, on five pegs.
pub(crate) fn ratio_10(seed: u64) -> World {
    let mut world = room(500.0, 3000.0);
    for k in 0..5 {
        world.add(Body::peg(Vec2::new(60.0 + k as f32 * 95.0, 2800.0), 12.0));
    }
    stack(&mut world, 1_200, 2770.0, &mut Random::new(seed), |random| {
        let share = random.within(0.0, 1.0);
        2.0 + 18.0 * share * share * share
    });
    world
}

/// 5,000 balls of radius 2 to 4 and one of radius 100 dropped on them, which is the last.
pub(crate) fn boulder(seed: u64) -> World {
    let mut world = room(500.0, 1500.0);
    let top = stack(&mut world, 5_000, 1500.0, &mut Random::new(seed), |random| random.within(2.0, 4.0));
    world.add(Body::ball(Vec2::new(250.0, top - 105.0), 100.0));
    world
}

/// A thousand balls in one point.
pub(crate) fn spawn(gravity: Vec2) -> World {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0)).with_gravity(gravity);
    world.bodies = vec![Body::ball(Vec2::splat(500.0), 4.0); 1000];
    world
}

/// A shaft to pour balls into.
pub(crate) fn shaft() -> World {
    room(180.0, 3200.0)
}

/// Rows of balls that come in at the top of the shaft.
pub(crate) struct Pour(Random);

impl Pour {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// Adds the next row, which flies down at 300 px/s.
    pub(crate) fn add_to(&mut self, world: &mut World) {
        for column in 0..16 {
            let place = Vec2::new(5.5 + 11.0 * column as f32 + self.0.within(-0.5, 0.5), self.0.within(8.0, 10.0));
            world.add(Body::ball(place, self.0.within(2.0, 4.67)).moving(Vec2::new(0.0, 300.0)));
        }
    }
}

fn space() -> World {
    World::new(Vec2::splat(-1_000.0), Vec2::splat(1_000.0)).open()
}

/// A ball at 300 px/s that meets a rack of fifteen, `spacing` apart in x and y.
pub(crate) fn break_shot(spacing: Vec2) -> World {
    let mut world = space().with_restitution(1.0);
    world.add(Body::ball(Vec2::new(-60.0, 0.7), 10.0).moving(Vec2::new(300.0, 0.0)));
    for row in 0..5 {
        for i in 0..=row {
            world.add(Body::ball(spacing * Vec2::new(row as f32, i as f32 - 0.5 * row as f32), 10.0));
        }
    }
    world
}

/// Three hundred balls that fly to one point.
pub(crate) fn implosion(seed: u64) -> World {
    let mut world = space().with_restitution(1.0);
    let mut random = Random::new(seed);
    for i in 0..300 {
        let place = Vec2::new((i % 18) as f32 * 25.0 - 220.0, (i / 18) as f32 * 25.0 - 220.0);
        let ball = Body::ball(place, random.within(3.0, 12.0));
        world.add(ball.moving(-2.0 * place + random.vector(50.0)));
    }
    world
}

/// A ball that falls `drop_px`.
pub(crate) fn drop(restitution: f32, drop_px: f32) -> World {
    let mut world = room(400.0, 700.0).with_restitution(restitution);
    world.add(Body::ball(Vec2::new(200.0, 690.0 - drop_px), 10.0));
    world
}

/// Five balls in a row, `gap_px` apart, and one that comes in at 200 px/s.
pub(crate) fn cradle(gap_px: f32) -> World {
    let mut world = space().with_restitution(1.0);
    world.add(Body::ball(Vec2::new(-100.0, 0.0), 10.0).moving(Vec2::new(200.0, 0.0)));
    for i in 0..5 {
        world.add(Body::ball(Vec2::new((20.0 + gap_px) * i as f32, 0.0), 10.0));
    }
    world
}

/// Three hundred balls that overlap as they may and fly anywhere.
pub(crate) fn crowd(seed: u64) -> World {
    let mut world = space().with_restitution(0.8);
    let mut random = Random::new(seed);
    for _ in 0..300 {
        let ball = Body::ball(random.vector(90.0), random.within(3.0, 7.0));
        world.add(ball.moving(random.vector(200.0)));
    }
    world
}

/// Two hundred elastic balls in the way of one.
pub(crate) fn thrown(velocity: Vec2) -> World {
    let mut world = room(1000.0, 1000.0).with_restitution(1.0);
    for k in 0..200 {
        let place = Vec2::new(30.0 + (k % 20) as f32 * 49.0, 400.0 + (k / 20) as f32 * 60.0);
        world.add(Body::ball(place, 5.0 + (k * 7 % 11) as f32));
    }
    world.add(Body::ball(Vec2::new(500.0, 100.0), 5.0).moving(velocity));
    world
}
