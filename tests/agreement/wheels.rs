//! Pegs that wheels carry, and counters.

use std::f32::consts::TAU;

use ballpit::{Actor, Body, Counter, Edit, Order, Settings, Wheel, World};
use glam::Vec2;

use crate::common::{crowd, engines};
use crate::{agree, readout, steps};

/// A crowd under gravity with two wheels of pegs in it.
fn stirred() -> World {
    let mut world = World::new(Vec2::splat(-300.0), Vec2::splat(300.0)).with_gravity(Vec2::new(0.0, 900.0));
    crowd(&mut world, 600, [3.0, 7.0], 280.0, 100.0);
    for (index, (centre, turn_rad_s)) in
        [(Vec2::new(-120.0, 150.0), 2.0), (Vec2::new(130.0, 100.0), -5.0)].into_iter().enumerate()
    {
        world.wheels.push(Wheel { centre, turn_rad_s });
        for k in 0..8 {
            let place = centre + 12.0 * k as f32 * Vec2::from_angle(0.4);
            world.add(Body { wheel: Some(index), ..Body::peg(place, 6.0) });
        }
    }
    world.counters.push(Counter { min: Vec2::splat(-300.0), max: Vec2::new(0.0, 300.0) });
    world.counters.push(Counter { min: Vec2::new(0.0, -300.0), max: Vec2::splat(300.0) });
    world
}

#[test]
fn wheels_stir_a_crowd() {
    let settings = Settings::default();
    agree(&stirred(), &settings, 300, steps(240, &settings));
}

#[test]
fn wheels_in_steps_of_changing_length_with_friction_and_sleep_asked_for() {
    let mut world = stirred();
    world.materials[0].friction = 0.5;
    let settings = Settings { rotation: true, ..Settings::default() }.with_sleep();
    agree(&world, &settings, 300, |engine| {
        for step in 0..120 {
            engine.step(1, 0.002 + 0.0005 * (step % 17) as f32).unwrap();
        }
    });
}

#[test]
fn an_erased_paddle_goes_round_unseen() {
    let settings = Settings::default();
    let world = stirred();
    agree(&world, &settings, 300, |engine| {
        steps(30, &settings)(engine);
        engine.edit(&Edit::Erase { place: world.wheels[0].centre, radius: 50.0, stamp: 1 }).unwrap();
        steps(60, &settings)(engine);
        engine.edit(&Edit::RestoreStamped(1)).unwrap();
        steps(30, &settings)(engine);
        let now = engine.world().unwrap();
        let angle = 0.4 + world.wheels[0].turn_rad_s * 120.0 * settings.step_s();
        for (k, peg) in now.bodies[600..608].iter().enumerate() {
            let expected = world.wheels[0].centre + 12.0 * k as f32 * Vec2::from_angle(angle);
            assert!(peg.position.distance(expected) < 0.05, "{}: {peg:?} is not at {expected}", engine.name());
        }
    });
}

#[test]
fn a_peg_stays_on_its_circle_and_comes_round() {
    let mut world = World::new(Vec2::splat(-300.0), Vec2::splat(300.0));
    world.wheels.push(Wheel { centre: Vec2::new(10.0, 20.0), turn_rad_s: TAU });
    let start = Vec2::new(110.0, 20.0);
    world.add(Body { wheel: Some(0), ..Body::peg(start, 6.0) });
    let settings = Settings::default();
    for mut engine in engines(&world, &settings) {
        engine.step(30, settings.step_s()).unwrap();
        let quarter = engine.world().unwrap().bodies[0].position;
        assert!(quarter.distance(Vec2::new(10.0, 120.0)) < 1e-3, "{}: {quarter} after a quarter turn", engine.name());
        engine.step(120 * 20 - 30, settings.step_s()).unwrap();
        let end = engine.world().unwrap().bodies[0].position;
        assert!(end.distance(start) < 0.02, "{}: {end} after twenty turns", engine.name());
    }
}

#[test]
fn counters_count_movable_balls_by_their_centres() {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(100.0));
    world.counters.push(Counter { min: Vec2::new(10.0, 10.0), max: Vec2::new(50.0, 50.0) });
    for place in [(10.0, 10.0), (30.0, 49.0), (50.0, 30.0), (9.0, 30.0)] {
        world.add(Body::ball(place.into(), 1.0));
    }
    world.add(Body::peg(Vec2::splat(40.0), 1.0));
    // Actors that are frozen or carried count as little.
    let offset = Vec2::new(15.0, 0.0);
    let [frozen, parent, child] = [Vec2::splat(20.0), Vec2::new(5.0, 20.0), Vec2::splat(20.0)]
        .map(|place| Actor::new(world.add(Body::ball(place, 1.0))));
    world.actors = vec![Actor { order: Order::Freeze, ..frozen }, parent, child.carried_by(parent.ball, offset)];
    assert_eq!(world.counts()[0], 2);
    let free = World { actors: Vec::new(), ..world.clone() };
    assert_eq!(free.counts()[0], 4);
    for mut engine in engines(&world, &Settings::default()) {
        engine.step(1, 1e-3).unwrap();
        assert_eq!(readout(&mut *engine).counts[..2], [2, 0], "{}", engine.name());
    }
}
