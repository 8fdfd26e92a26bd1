//! Worlds that rub and turn.

use ballpit::{Body, Material, Segment, Settings, Surface, Tuning, World};
use glam::Vec2;

use crate::common::{Random, crowd, engines, scene, scene_of};
use crate::{agree, assert_same, steps};

/// The same world, rough, and with balls that turn or not.
fn rubbing((mut world, settings): (World, Settings), rotation: bool) -> (World, Settings) {
    world.materials.iter_mut().for_each(|material| material.friction = 0.5);
    (world, Settings { rotation, ..settings })
}

/// A box with a slope of its own material, full of balls of many sizes, a segment, pegs and fast ones among them.
fn scree() -> (World, Settings) {
    let mut world = World::new(Vec2::splat(-350.0), Vec2::splat(350.0)).with_gravity(Vec2::new(40.0, 900.0));
    world.materials.push(Material { friction: 0.9, ..Material::new("slope", 0.2) });
    world.surfaces.push(Surface { material: Some(1), ..Surface::new(Vec2::new(0.0, 250.0), Vec2::new(0.3, -0.95)) });
    world.segments.push(Segment::new(Vec2::new(-300.0, -50.0), Vec2::new(-40.0, 120.0)));
    let mut random = Random::new(3);
    for _ in 0..12 {
        world.add(Body::peg(random.vector(300.0), random.within(5.0, 30.0)));
    }
    crowd(&mut world, 500, [3.0, 9.0], 330.0, 200.0);
    for body in &mut world.bodies {
        body.spin = random.within(-30.0, 30.0);
        body.angle = random.within(-3.0, 3.0);
    }
    (world, Settings::default())
}

#[test]
fn piles_slopes_and_impacts() {
    for rotation in [false, true] {
        let (world, settings) = rubbing(scene("impulse"), rotation);
        agree(&world, &settings, 21, steps(300, &settings));
        let (world, settings) = rubbing(scene_of("pile", 1_000), rotation);
        agree(&world, &settings, 500, steps(200, &settings));
        let (world, settings) = rubbing(scene("gas"), rotation);
        agree(&world, &settings, 21, steps(100, &settings));
        let (world, settings) = rubbing(scree(), rotation);
        agree(&world, &settings, 77, steps(200, &settings));
    }
}

#[test]
fn a_crowded_ball() {
    let mut world = World::new(Vec2::splat(-350.0), Vec2::splat(350.0)).with_gravity(Vec2::new(0.0, 900.0));
    crowd(&mut world, 600, [2.0, 4.0], 340.0, 50.0);
    world.add(Body { spin: 5.0, ..Body::ball(Vec2::new(1.0, 30.0), 100.0) });
    let (world, settings) = rubbing((world, Settings::default()), true);
    agree(&world, &settings, 77, steps(60, &settings));
}

#[test]
fn odd_passes_and_steps_of_changing_length() {
    let (world, settings) = rubbing(scene("impulse"), true);
    let settings = Settings { passes: 3, ..settings };
    agree(&world, &settings, 8, |engine| {
        for step in 0..120 {
            engine.step(1 + step % 3, 0.002 + 0.0005 * (step % 17) as f32).unwrap();
        }
    });
}

#[test]
fn friction_and_rotation_switched_on_and_off_midway() {
    let (world, settings) = scene("impulse");
    agree(&world, &settings, 40, |engine| {
        let mut tuning = Tuning::of(&world, &settings);
        engine.step(150, settings.step_s()).unwrap();
        for (friction, rotation) in [(0.6, false), (0.6, true), (0.3, true), (0.0, true), (0.5, false), (0.0, false)] {
            tuning.friction = vec![friction];
            tuning.settings.rotation = rotation;
            tuning.gravity = Vec2::new(300.0 * friction, 900.0);
            engine.retune(&tuning).unwrap();
            engine.step(40, settings.step_s()).unwrap();
            let world = engine.world().unwrap();
            assert_eq!(world.bodies.iter().any(|body| body.spin != 0.0), rotation);
            // Discs that turn without friction may keep what contacts remember that have been open since.
            if friction > 0.0 || !rotation {
                assert_eq!(!world.slips.is_empty(), friction > 0.0);
            }
        }
    });
}

#[test]
fn a_rough_pile_that_falls_asleep_and_is_hit() {
    let (mut world, settings) = rubbing(scene("impulse"), true);
    let settings = settings.with_sleep();
    world.add(Body::ball(Vec2::new(500.0, -20_000.0), 20.0));
    agree(&world, &settings, 21, |engine| {
        engine.step(600, settings.step_s()).unwrap();
        let asleep = engine.world().unwrap().bodies.iter().filter(|body| body.asleep).count();
        assert!(asleep > 30, "{asleep} balls sleep");
        engine.step(300, settings.step_s()).unwrap();
    });
}

#[test]
fn a_held_ball_stays_held_when_friction_begins() {
    let (world, settings) = scene("impulse");
    let place = world.bodies[20].position;
    agree(&world, &settings, 40, |engine| {
        engine.press(place, 1.0);
        engine.drag(place - Vec2::new(0.0, 50.0));
        engine.step(20, settings.step_s()).unwrap();
        let mut tuning = Tuning::of(&world, &settings);
        tuning.friction = vec![0.6];
        engine.retune(&tuning).unwrap();
        engine.step(100, settings.step_s()).unwrap();
        let off = engine.world().unwrap().bodies[20].position.distance(place - Vec2::new(0.0, 50.0));
        assert!(off < 30.0, "it has fallen {off} px from the pointer");
    });
}

#[test]
fn a_run_continued_from_a_saved_world_is_the_same_run() {
    for rotation in [false, true] {
        for (world, settings) in [rubbing(scene("impulse"), rotation), rubbing(scree(), rotation)] {
            for mut uninterrupted in engines(&world, &settings) {
                uninterrupted.step(150, settings.step_s()).unwrap();
                let saved = uninterrupted.world().unwrap();
                assert!(saved.slips.len() > 20, "{} slips", saved.slips.len());
                uninterrupted.step(60, settings.step_s()).unwrap();
                let whole = uninterrupted.world().unwrap();
                for mut continued in engines(&saved, &settings) {
                    continued.step(60, settings.step_s()).unwrap();
                    assert_same(&whole, &continued.world().unwrap());
                }
                // The memory is part of it.
                let forgetful = World { slips: Vec::new(), ..saved };
                for mut continued in engines(&forgetful, &settings) {
                    continued.step(60, settings.step_s()).unwrap();
                    assert_ne!(whole.bodies, continued.world().unwrap().bodies);
                }
            }
        }
    }
}
