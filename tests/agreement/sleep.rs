//! Balls that sleep: the same on both engines, still to the last bit, and awake where they are hit.

use ballpit::{Body, Brush, Edit, Engine, Settings, Surface, Tuning, World};
use glam::Vec2;

use crate::common::{bodies, crowd, engines};
use crate::{agree, assert_same};

fn sleepy() -> Settings {
    Settings { sleep_after_s: 0.25, ..Settings::default() }
}

fn step(engine: &mut dyn Engine, count: u32) {
    engine.step(count, sleepy().step_s()).unwrap();
}

fn asleep(engine: &mut dyn Engine) -> usize {
    bodies(engine).iter().filter(|ball| ball.asleep).count()
}

/// A shaft of 300 px with a floor at 0, under gravity and open above.
fn shaft() -> World {
    let mut world = World::new(Vec2::new(0.0, -600.0), Vec2::new(300.0, 0.0)).with_gravity(Vec2::new(0.0, 900.0));
    world.surfaces.remove(1);
    world
}

/// A heap of 150 that is at rest after four seconds, and a ball that falls on it after five.
fn heap_and_missile() -> World {
    let mut world = shaft();
    world.add(Body::ball(Vec2::new(60.0, -150.0), 6.0).moving(Vec2::new(0.0, -2_250.0)));
    crowd(&mut world, 150, [5.0, 9.0], 70.0, 50.0);
    world.bodies[1..].iter_mut().for_each(|ball| ball.position += Vec2::new(150.0, -75.0));
    world
}

#[test]
fn a_heap_falls_asleep_is_hit_wakes_there_and_sleeps_again() {
    agree(&heap_and_missile(), &sleepy(), 9, |engine| {
        step(engine, 585);
        let before = asleep(engine);
        assert!(before >= 140, "{before} of 150 sleep before they are hit");
        let mut woken = 0;
        for _ in 0..20 {
            step(engine, 4);
            woken = woken.max(before.saturating_sub(asleep(engine)));
        }
        assert!((3..140).contains(&woken), "{woken} woke when they were hit");
        step(engine, 400);
        let after = asleep(engine);
        assert!(after >= 145, "{after} of 151 sleep in the end");
    });
}

#[test]
fn sleepers_do_not_move_at_all() {
    let mut world = heap_and_missile();
    world.bodies.remove(0);
    for mut engine in engines(&world, &sleepy()) {
        step(&mut *engine, 600);
        let before = engine.world().unwrap();
        assert!(before.bodies.iter().all(|ball| ball.asleep && ball.velocity == Vec2::ZERO), "{before:?}");
        step(&mut *engine, 120);
        assert_same(&before, &engine.world().unwrap());
        assert_eq!(engine.steps(), 720);
    }
}

/// Two layers of balls across a floor of 1,200 px, and one ball that falls on their left end.
fn layers() -> World {
    let mut world = World::new(Vec2::ZERO, Vec2::new(1_200.0, 400.0)).with_gravity(Vec2::new(0.0, 900.0));
    world.add(Body::ball(Vec2::new(70.0, 20.0), 8.0).moving(Vec2::new(0.0, 400.0)));
    for k in 0..60 {
        world.add(Body::ball(Vec2::new(10.0 + 20.0 * k as f32, 390.0), 10.0));
    }
    for k in 0..59 {
        world.add(Body::ball(Vec2::new(20.0 + 20.0 * k as f32, 390.0 - 300f32.sqrt()), 10.0));
    }
    world.bodies[1..].iter_mut().for_each(|ball| ball.asleep = true);
    world
}

#[test]
fn a_layer_hit_at_one_end_sleeps_on_at_the_other() {
    let world = layers();
    for mut engine in engines(&world, &sleepy()) {
        let mut woken = vec![false; world.bodies.len()];
        for _ in 0..150 {
            step(&mut *engine, 1);
            bodies(&mut *engine).iter().zip(&mut woken).for_each(|(ball, woken)| *woken |= !ball.asleep);
        }
        let woken = world.bodies.iter().zip(woken).skip(1).filter(|(_, woken)| *woken);
        let places: Vec<f32> = woken.map(|(ball, _)| ball.position.x).collect();
        assert!(!places.is_empty() && places.iter().all(|x| *x < 300.0), "{}: {places:?}", engine.name());
    }
    agree(&world, &sleepy(), 0, |engine| step(engine, 150));
}

#[test]
fn who_leans_on_a_ball_that_is_dragged_away_falls() {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(400.0)).with_gravity(Vec2::new(0.0, 900.0));
    world.add(Body::peg(Vec2::new(50.0, 390.0), 10.0));
    for place in [Vec2::new(10.0, 390.0), Vec2::new(30.0, 390.0), Vec2::new(20.0, 372.0)] {
        world.add(Body::ball(place, 10.0));
    }
    for mut engine in engines(&world, &sleepy()) {
        step(&mut *engine, 240);
        let before = bodies(&mut *engine);
        assert!(before[1..].iter().all(|ball| ball.asleep), "{before:?}");
        engine.press(before[2].position, 1.0);
        engine.drag(Vec2::new(200.0, 200.0));
        step(&mut *engine, 2);
        assert!(!bodies(&mut *engine)[2].asleep, "who is held is awake");
        step(&mut *engine, 120);
        let after = bodies(&mut *engine);
        let way = after[3].position - before[3].position;
        assert!(way.length() > 15.0 && way.y > 5.0, "{}: {before:?} {after:?}", engine.name());
    }
    world.bodies[1..].iter_mut().for_each(|ball| ball.asleep = true);
    agree(&world, &sleepy(), 3, |engine| {
        step(engine, 2);
        engine.press(Vec2::new(30.0, 390.0), 1.0);
        engine.drag(Vec2::new(200.0, 200.0));
        step(engine, 40);
    });
}

#[test]
fn who_leans_on_a_ball_that_creeps_away_does_not_hang_in_the_air() {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(400.0)).with_gravity(Vec2::new(0.0, 900.0));
    world.add(Body::peg(Vec2::new(189.0, 390.0), 10.0));
    world.add(Body::ball(Vec2::new(211.0, 390.0), 10.0).moving(Vec2::new(5.0, 0.0)));
    world.add(Body { asleep: true, ..Body::ball(Vec2::new(200.0, 374.0), 10.0) });
    // Slower than what wakes at once.
    let settings = sleepy();
    for mut engine in engines(&world, &settings) {
        step(&mut *engine, 360);
        let after = bodies(&mut *engine);
        assert!(after[1].position.x > 215.0 && after[2].position.y > 380.0, "{}: {after:?}", engine.name());
    }
    agree(&world, &settings, 1, |engine| step(engine, 360));
}

#[test]
fn what_happens_in_a_world_that_has_long_been_calm_is_the_same() {
    // A GPU passes over calm steps from the third on.
    let mut world = heap_and_missile();
    world.bodies.remove(0);
    let place = Vec2::new(150.0, -40.0);
    let brush = Brush { place, radius: 40.0, speed_px_s: 200.0 };
    type Happening<'a> = (&'a str, &'a dyn Fn(&mut dyn Engine));
    let happenings: [Happening; 7] = [
        ("nothing", &|_| {}),
        ("a press", &|engine| {
            let there = bodies(engine)[70].position;
            engine.press(there, 1.0);
            engine.drag(there - Vec2::new(20.0, 90.0));
        }),
        ("a ball", &|engine| engine.edit(&Edit::Add(vec![Body::ball(Vec2::new(140.0, -300.0), 8.0)])).unwrap()),
        ("a blow", &|engine| engine.edit(&Edit::Repel(brush)).unwrap()),
        ("an end", &|engine| engine.edit(&Edit::Erase { place, radius: 30.0, stamp: 1 }).unwrap()),
        ("one that comes and goes", &|engine| {
            engine.edit(&Edit::EraseIds(20..40)).unwrap();
            step(engine, 5);
            engine.edit(&Edit::RestoreIds(20..40)).unwrap();
        }),
        ("another gravity", &|engine| {
            let mut tuning = Tuning::of(&engine.world().unwrap(), &sleepy());
            tuning.gravity = Vec2::new(500.0, 500.0);
            engine.retune(&tuning).unwrap();
        }),
    ];
    for (passes, friction) in [(8, 0.0), (3, 0.0), (4, 0.4)] {
        let settings = Settings { passes, ..sleepy() };
        world.materials[0].friction = friction;
        for (what, happening) in &happenings {
            agree(&world, &settings, 9, |engine| {
                step(engine, 700);
                assert_eq!(asleep(engine), 150, "with {passes} passes all sleep before {what}");
                // An odd and an even number of steps that are passed over.
                for calm in [9, 6] {
                    step(engine, calm);
                    happening(engine);
                    step(engine, 40);
                }
            });
        }
    }
}

#[test]
fn a_run_continued_from_a_saved_world_wakes_the_same_balls() {
    const STEPS: usize = 40;
    for mut uninterrupted in engines(&heap_and_missile(), &sleepy()) {
        step(&mut *uninterrupted, 585);
        // Past the hit, so that some worlds are saved between the call to wake and the waking.
        let saved: Vec<World> = (0..STEPS)
            .map(|_| {
                let saved = uninterrupted.world().unwrap();
                step(&mut *uninterrupted, 1);
                saved
            })
            .collect();
        let end = uninterrupted.world().unwrap();
        let asleep = |world: &World| world.bodies.iter().filter(|ball| ball.asleep).count();
        assert!(asleep(&end) < asleep(&saved[0]), "nobody was hit");
        for (done, saved) in saved.iter().enumerate() {
            // On the same engine and on the other.
            for mut continued in engines(saved, &sleepy()) {
                step(&mut *continued, (STEPS - done) as u32);
                assert_same(&end, &continued.world().unwrap());
            }
        }
    }
}

#[test]
fn another_gravity_wakes_all_and_so_does_an_end_of_sleep() {
    let mut world = heap_and_missile();
    world.bodies.remove(0);
    for mut engine in engines(&world, &sleepy()) {
        let mut tuning = Tuning::of(&world, &sleepy());
        step(&mut *engine, 600);
        assert_eq!(asleep(&mut *engine), 150);
        tuning.gravity = Vec2::new(600.0, 0.0);
        engine.retune(&tuning).unwrap();
        assert_eq!(asleep(&mut *engine), 0);
        step(&mut *engine, 120);
        assert!(bodies(&mut *engine).iter().any(|ball| ball.velocity.x > 100.0));

        tuning.gravity = world.gravity;
        engine.retune(&tuning).unwrap();
        step(&mut *engine, 900);
        assert!(asleep(&mut *engine) > 140);
        tuning.settings = tuning.settings.without_sleep();
        engine.retune(&tuning).unwrap();
        step(&mut *engine, 120);
        assert_eq!(asleep(&mut *engine), 0);
    }
}

#[test]
fn where_something_moves_by_itself_nobody_sleeps() {
    let mut world = heap_and_missile();
    world.bodies.iter_mut().for_each(|ball| ball.asleep = true);
    let motion = ballpit::Motion { velocity: Vec2::new(0.0, -1.0), ..ballpit::Motion::default() };
    world.surfaces.push(Surface::new(Vec2::new(0.0, -5.0), Vec2::NEG_Y).moving(motion));
    for mut engine in engines(&world, &sleepy()) {
        step(&mut *engine, 300);
        assert_eq!(asleep(&mut *engine), 0);
    }
}
