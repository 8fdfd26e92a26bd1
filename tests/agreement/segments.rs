//! Worlds with segments, and with surfaces that move.

use std::f32::consts::TAU;

use ballpit::{Body, Motion, Segment, Settings, Surface, Tilt, World};
use glam::Vec2;

use crate::common::{crowd, scene};
use crate::{agree, steps};

/// A room of 700 px under gravity, with a funnel, a polygon of many short walls and some long ones.
fn room() -> World {
    let mut world = World::new(Vec2::splat(-350.0), Vec2::splat(350.0)).with_gravity(Vec2::new(0.0, 900.0));
    for side in [-1.0, 1.0] {
        world.segments.push(Segment::new(Vec2::new(side * 340.0, -100.0), Vec2::new(side * 20.0, 60.0)));
        world.segments.push(Segment { radius: 6.0, ..Segment::new(Vec2::new(side * 200.0, 300.0), Vec2::Y * 150.0) });
    }
    let corner = |k: i32| Vec2::new(0.0, -200.0) + 40.0 * Vec2::from_angle(TAU * k as f32 / 60.0);
    world.segments.extend((0..60).map(|k| Segment::new(corner(k), corner(k + 1))));
    world
}

#[test]
fn balls_of_many_sizes_among_segments() {
    let mut world = room();
    crowd(&mut world, 500, [2.0, 6.0], 330.0, 200.0);
    crowd(&mut world, 4, [40.0, 60.0], 330.0, 200.0);
    world.add(Body::peg(Vec2::new(0.0, 150.0), 12.0));
    let settings = Settings::default();
    agree(&world, &settings, 100, steps(90, &settings));
}

#[test]
fn hurried_balls_among_segments() {
    for gravity in [0.0, 900.0] {
        let mut world = room().with_restitution(0.9).with_gravity(Vec2::new(0.0, gravity));
        crowd(&mut world, 100, [3.0, 12.0], 330.0, 1e6);
        crowd(&mut world, 100, [3.0, 12.0], 330.0, 3e3);
        let settings = Settings::default();
        agree(&world, &settings, 199, steps(40, &settings));
    }
}

#[test]
fn a_surface_that_comes_and_goes_and_one_that_turns() {
    let (mut world, settings) = scene("impulse");
    let piston = Motion { velocity: Vec2::new(80.0, 0.0), period_s: 2.0, ..Motion::default() };
    world.surfaces.push(Surface::new(Vec2::new(100.0, 300.0), Vec2::X).moving(piston));
    let ramp = Motion { turn_rad_s: 0.3, period_s: 3.0, ..Motion::default() };
    world.surfaces.push(Surface::new(Vec2::new(500.0, 600.0), Vec2::NEG_Y).moving(ramp));
    agree(&world, &settings, 3, steps(300, &settings));
}

#[test]
fn a_ground_that_is_tilted_and_let_go() {
    let (mut world, settings) = scene("impulse");
    world.surfaces.push(Surface::new(Vec2::new(500.0, 600.0), Vec2::NEG_Y).tilting(Tilt::up_to(0.4, 0.35)));
    world.materials[0].friction = 0.3;
    agree(&world, &settings, 3, |engine| {
        for direction in [Vec2::X, Vec2::ZERO, Vec2::NEG_X, Vec2::new(0.5, -1.0)] {
            engine.steer(direction).unwrap();
            engine.step(60, settings.step_s()).unwrap();
        }
        let tilt = engine.world().unwrap().surfaces[4].tilt.unwrap();
        let expected = 0.35 * 0.5 * f64::from(Vec2::new(0.5, -1.0).normalize().x);
        assert!((tilt.angle_rad - expected).abs() < 1e-5, "{tilt:?}");
    });
}
