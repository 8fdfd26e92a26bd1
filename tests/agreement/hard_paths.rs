//! Worlds that take the ways through grid and solver that an orderly pile never takes.

use ballpit::{Body, Settings, Surface, World};
use glam::Vec2;

use crate::common::{Random, crowd, engines, passes, scene, space};
use crate::{agree, assert_same, steps};

/// A box of 700 px under gravity.
fn room() -> World {
    World::new(Vec2::splat(-350.0), Vec2::splat(350.0)).with_gravity(Vec2::new(0.0, 900.0))
}

#[test]
fn radii_of_2_and_100_together() {
    let mut world = room();
    crowd(&mut world, 600, [2.0, 4.0], 340.0, 50.0);
    for x in [-200.0, 0.0, 190.0] {
        world.add(Body::ball(Vec2::new(x, 30.0), 100.0));
    }
    // A hundred small balls and more surround a large one: its list of 16 overflows.
    let settings = Settings::default();
    agree(&world, &settings, 600, steps(60, &settings));
}

#[test]
fn three_hundred_balls_in_one_point() {
    for gravity in [0.0, 900.0] {
        let mut world = space().with_gravity(Vec2::new(0.0, gravity));
        for _ in 0..300 {
            world.add(Body::ball(Vec2::new(3.0, -4.0), 4.0));
        }
        let settings = Settings::default();
        agree(&world, &settings, 17, steps(20, &settings));
    }
}

#[test]
fn a_thousand_balls_in_one_cell() {
    let mut world = room();
    crowd(&mut world, 1_000, [4.0, 4.0], 2.0, 10.0);
    let settings = passes(4);
    agree(&world, &settings, 999, steps(3, &settings));
}

#[test]
fn odd_and_many_passes() {
    let (world, settings) = scene("impulse");
    for passes in [1, 2, 3, 5, 16] {
        let settings = Settings { passes, ..settings.clone() };
        agree(&world, &settings, 33, steps(150, &settings));
    }
}

#[test]
fn balls_outside_the_world() {
    let mut world = World::new(Vec2::splat(-40.0), Vec2::splat(40.0)).open().with_gravity(Vec2::new(30.0, 500.0));
    crowd(&mut world, 400, [3.0, 9.0], 150.0, 100.0);
    let settings = Settings::default();
    agree(&world, &settings, 5, steps(60, &settings));
    // The same in a box, whose walls bring them back.
    let mut world = World { surfaces: room().surfaces, ..world };
    world.bodies.iter_mut().for_each(|body| body.position *= 3.0);
    let outside = |world: &World| {
        let is_out = |body: &&Body| body.position.abs().max_element() > 351.0;
        world.bodies.iter().filter(is_out).count()
    };
    assert!(outside(&world) > 50, "{}", outside(&world));
    agree(&world, &settings, 5, |engine| {
        engine.step(60, settings.step_s()).unwrap();
        assert_eq!(outside(&engine.world().unwrap()), 0);
    });
}

#[test]
fn gravity_sideways_and_air() {
    let (mut world, settings) = scene("impulse");
    world.gravity = Vec2::new(-700.0, 120.0);
    world.drag_per_s = 0.7;
    agree(&world, &settings, 12, steps(240, &settings));
}

#[test]
fn slanted_surfaces() {
    let (mut world, settings) = scene("impulse");
    world.surfaces.push(Surface::new(Vec2::new(60.0, 500.0), Vec2::new(0.4, -0.9)));
    world.surfaces.push(Surface::new(Vec2::new(940.0, 300.0), Vec2::new(-0.8, -0.6)));
    agree(&world, &settings, 3, steps(240, &settings));
}

#[test]
fn speeds_of_a_million_px_a_second() {
    let mut world = room().with_restitution(0.9);
    crowd(&mut world, 100, [4.0, 12.0], 330.0, 1e6);
    let settings = Settings::default();
    agree(&world, &settings, 50, steps(30, &settings));
}

#[test]
fn pegs_that_overlap_balls_and_each_other() {
    let mut world = room();
    let mut random = Random::new(9);
    for _ in 0..40 {
        world.add(Body::peg(random.vector(300.0), random.within(5.0, 40.0)));
    }
    crowd(&mut world, 300, [3.0, 8.0], 330.0, 100.0);
    let settings = Settings::default();
    agree(&world, &settings, 200, steps(120, &settings));
    for mut engine in engines(&world, &settings) {
        engine.step(120, settings.step_s()).unwrap();
        assert_eq!(engine.world().unwrap().bodies[..40], world.bodies[..40]);
    }
}

#[test]
fn nothing_but_pegs() {
    let mut world = room();
    crowd(&mut world, 200, [3.0, 20.0], 100.0, 0.0);
    world.bodies.iter_mut().for_each(|body| body.inverse_mass = 0.0);
    let settings = Settings::default();
    for mut engine in engines(&world, &settings) {
        engine.step(60, settings.step_s()).unwrap();
        assert_same(&engine.world().unwrap(), &world);
    }
}

#[test]
fn no_balls_and_one() {
    let settings = Settings::default();
    for mut engine in engines(&room(), &settings) {
        engine.press(Vec2::ZERO, 0.5);
        engine.step(50, settings.step_s()).unwrap();
        engine.release();
        assert_eq!(engine.world().unwrap(), room());
        assert_eq!(crate::readout(&mut *engine), ballpit::Readout::default());
        assert_eq!(engine.steps(), 50);
    }
    let mut world = room();
    world.add(Body::ball(Vec2::new(1.0, 2.0), 9.0).moving(Vec2::new(300.0, -200.0)));
    agree(&world, &settings, 0, steps(300, &settings));
}

#[test]
fn every_number_of_balls_around_a_workgroup() {
    let settings = passes(3);
    for count in [2, 63, 64, 65, 127, 128, 129] {
        let mut world = room();
        crowd(&mut world, count, [3.0, 15.0], 300.0, 100.0);
        agree(&world, &settings, count - 1, steps(40, &settings));
    }
}
