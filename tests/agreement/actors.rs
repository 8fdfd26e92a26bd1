//! Worlds with actors that are steered, ordered, frozen, layered and carried while they run.

use ballpit::{Actor, Body, Character, Edit, Engine, Order, Segment, Settings, Stop, Tuning, World};
use glam::Vec2;

use crate::common::{cpu_engine, crowd, engines, gpu, gpu_engine, scene_of};
use crate::{agree, assert_same};

/// A room under a little gravity, with walls in it, half of whose balls are actors of two characters; some carry others.
fn room() -> World {
    let mut world = World::new(Vec2::splat(-350.0), Vec2::splat(350.0)).with_gravity(Vec2::new(0.0, 120.0));
    world.drag_per_s = 0.8;
    for side in [-1.0, 1.0] {
        world.segments.push(Segment::new(Vec2::new(side * 340.0, -60.0), Vec2::new(side * 40.0, 60.0)));
    }
    for (top_speed, drag_per_s, stop) in
        [(Vec2::new(260.0, 180.0), Some(2.5), Stop::Glide(700.0)), (Vec2::new(90.0, 0.0), None, Stop::Dead)]
    {
        let acceleration = Vec2::new(1_500.0, 900.0);
        world.add_character(Character { acceleration, top_speed, drag_per_s, stop, ..Character::default() });
    }
    crowd(&mut world, 600, [3.0, 9.0], 330.0, 80.0);
    world.actors = (0..300).map(|ball| Actor { layer: ball as u32 % 5, ..Actor::new(ball).of(ball % 2) }).collect();
    let carried = |ball: usize| Actor::new(590 + ball).carried_by(ball, Vec2::new(25.0, 0.0));
    world.actors.extend((0..10).map(carried));
    world
}

/// Sends the actors about, gives some orders of their own, and leaves out a layer for a while.
fn script(world: &World, settings: &Settings) -> impl Fn(&mut dyn Engine) + use<> {
    let (world, settings) = (world.clone(), settings.clone());
    move |engine| {
        let step = |engine: &mut dyn Engine, count| engine.step(count, settings.step_s()).unwrap();
        for direction in [Vec2::X, Vec2::new(-1.0, 1.0), Vec2::ZERO, Vec2::new(0.3, -0.9)] {
            engine.steer(direction).unwrap();
            step(engine, 12);
        }
        let order = |k: usize| match k % 4 {
            0 => Order::Freeze,
            1 => Order::Go(Vec2::from_angle(k as f32)),
            _ => Order::Follow,
        };
        engine.order(&(0..world.actors.len()).map(order).collect::<Vec<_>>()).unwrap();
        step(engine, 20);
        engine.order(&vec![Order::Follow; world.actors.len()]).unwrap();
        let mut tuning = Tuning::of(&world, &settings);
        tuning.settings.layers = !0b10;
        engine.retune(&tuning).unwrap();
        step(engine, 15);
        tuning.settings.layers = u32::MAX;
        engine.retune(&tuning).unwrap();
        engine.steer(Vec2::NEG_X).unwrap();
        step(engine, 15);
    }
}

#[test]
fn actors_among_segments() {
    let (world, settings) = (room(), Settings::default());
    agree(&world, &settings, 20, script(&world, &settings));
}

#[test]
fn actors_that_rub_and_turn() {
    let mut world = room();
    world.materials[0].friction = 0.4;
    let settings = Settings { rotation: true, ..Settings::default() };
    agree(&world, &settings, 20, script(&world, &settings));
}

#[test]
fn actors_among_sleepers() {
    let mut world = room();
    // Where balls are carried, nobody sleeps.
    world.actors.truncate(300);
    let settings = Settings { sleep_after_s: 0.2, sleep_speed_px_s: 20.0, ..Settings::default() };
    agree(&world, &settings, 20, script(&world, &settings));
    for mut engine in engines(&world, &settings) {
        script(&world, &settings)(&mut *engine);
        engine.steer(Vec2::ZERO).unwrap();
        engine.step(600, settings.step_s()).unwrap();
        let asleep = |world: World| world.actors.iter().filter(|actor| world.bodies[actor.ball].asleep).count();
        let resting = asleep(engine.world().unwrap());
        assert!(resting > 100, "{resting} of 300 actors sleep");
        engine.steer(Vec2::X).unwrap();
        engine.step(2, settings.step_s()).unwrap();
        assert_eq!(asleep(engine.world().unwrap()), 0, "whoever is sent wakes");
    }
}

#[test]
fn actors_without_contacts() {
    let (world, settings) = (room(), Settings { contacts: false, ..Settings::default() });
    agree(&world, &settings, 20, script(&world, &settings));
}

#[test]
fn a_swarm_through_a_crowd() {
    let (world, settings) = scene_of("swarm", 5_000);
    // Of the crowd in the swarm's way, the first: it is hit.
    let in_the_way = |id: &usize| world.actors[0].ball > *id && (300.0..800.0).contains(&world.bodies[*id].position.y);
    let x = |id: usize| world.bodies[id].position.x;
    let first = (0..world.bodies.len()).filter(in_the_way).min_by(|&a, &b| x(a).total_cmp(&x(b))).unwrap();
    agree(&world, &settings, first, |engine| {
        for direction in [Vec2::X, Vec2::new(1.0, 1.0), Vec2::new(0.5, -1.0)] {
            engine.steer(direction).unwrap();
            engine.step(60, settings.step_s()).unwrap();
        }
    });
}

#[test]
fn a_run_with_actors_continued_from_a_saved_world_is_the_same_run() {
    let (world, settings) = (room(), Settings { layers: !0b100, ..Settings::default() });
    let orders: Vec<Order> =
        (0..world.actors.len()).map(|k| if k.is_multiple_of(3) { Order::Freeze } else { Order::Go(Vec2::Y) }).collect();
    for mut uninterrupted in engines(&world, &settings) {
        uninterrupted.steer(Vec2::new(1.0, -1.0)).unwrap();
        uninterrupted.step(40, settings.step_s()).unwrap();
        uninterrupted.order(&orders).unwrap();
        uninterrupted.step(10, settings.step_s()).unwrap();
        let saved = uninterrupted.world().unwrap();
        let go_on = |engine: &mut dyn Engine| {
            engine.step(10, settings.step_s()).unwrap();
            engine.order(&vec![Order::Follow; world.actors.len()]).unwrap();
            engine.step(30, settings.step_s()).unwrap();
        };
        go_on(&mut *uninterrupted);
        let whole = uninterrupted.world().unwrap();
        // On the same engine and on the other. Where actors are sent is no part of the world.
        for mut continued in engines(&saved, &settings) {
            continued.steer(Vec2::new(1.0, -1.0)).unwrap();
            go_on(&mut *continued);
            let end = continued.world().unwrap();
            assert_same(&whole, &end);
            let differing = whole.actors.iter().zip(&end.actors).find(|(a, b)| a != b);
            assert_eq!(differing, None);
        }
        let mut forgetful = saved.clone();
        forgetful.actors.iter_mut().for_each(|actor| (actor.thrust, actor.environment) = (Vec2::ZERO, Vec2::ZERO));
        let mut continued = cpu_engine(&forgetful, &settings);
        continued.steer(Vec2::new(1.0, -1.0)).unwrap();
        go_on(&mut *continued);
        assert_ne!(continued.world().unwrap().bodies, whole.bodies, "the thrust belongs to the saved world");
    }
}

#[test]
fn a_direction_given_on_one_engine_alone_shows() {
    let Some(gpu) = gpu() else { return };
    let (world, settings) = scene_of("swarm", 3_100);
    let (mut cpu, mut gpu) = (cpu_engine(&world, &settings), gpu_engine(gpu, &world, &settings));
    cpu.steer(Vec2::X).unwrap();
    gpu.steer(Vec2::new(1.0f32.next_down(), 0.0)).unwrap();
    for engine in [&mut cpu, &mut gpu] {
        // The top speed, of which the direction is a share, is reached after 64 steps.
        engine.step(80, settings.step_s()).unwrap();
    }
    assert_ne!(cpu.world().unwrap().bodies, gpu.world().unwrap().bodies);
    assert_ne!(cpu.world().unwrap().bodies, world.bodies);
}

#[test]
fn actors_driven_frozen_and_carried_are_erased_and_come_back() {
    let (world, settings) = (room(), Settings::default());
    let step = |engine: &mut dyn Engine, count| engine.step(count, settings.step_s()).unwrap();
    let erase = |engine: &mut dyn Engine| {
        engine.steer(Vec2::X).unwrap();
        step(engine, 12);
        let frozen = |k: usize| if k.is_multiple_of(3) { Order::Freeze } else { Order::Follow };
        engine.order(&(0..world.actors.len()).map(frozen).collect::<Vec<_>>()).unwrap();
        step(engine, 3);
        engine.edit(&Edit::Erase { place: Vec2::ZERO, radius: 220.0, stamp: 1 }).unwrap();
        engine.edit(&Edit::Add(vec![Body::ball(Vec2::new(0.0, 20.0), 12.0)])).unwrap();
        step(engine, 10);
    };
    let restore = |engine: &mut dyn Engine| {
        engine.edit(&Edit::RestoreIds(0..600)).unwrap();
        engine.steer(Vec2::NEG_Y).unwrap();
        engine.order(&vec![Order::Follow; world.actors.len()]).unwrap();
        step(engine, 15);
    };
    agree(&world, &settings, 20, |engine| {
        erase(engine);
        restore(engine);
    });
    for mut uninterrupted in engines(&world, &settings) {
        erase(&mut *uninterrupted);
        let saved = uninterrupted.world().unwrap();
        let erased = saved.actors.iter().filter(|actor| saved.bodies[actor.ball].erased).count();
        assert!((20..300).contains(&erased), "{erased} actors are erased");
        restore(&mut *uninterrupted);
        let whole = uninterrupted.world().unwrap();
        assert!(
            whole.bodies.iter().all(|body| !body.erased && body.is_movable() || body.asleep),
            "an actor lost its mass"
        );
        for mut continued in engines(&saved, &settings) {
            restore(&mut *continued);
            assert_same(&whole, &continued.world().unwrap());
        }
    }
}
