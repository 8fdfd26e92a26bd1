//! What is done to a world while it runs.

use ballpit::{Engine, Tuning};
use glam::Vec2;

use crate::common::{crowd, engines, scene, scene_of, space};
use crate::{agree, assert_same};

#[test]
fn steps_of_changing_length() {
    let (world, settings) = scene("impulse");
    agree(&world, &settings, 8, |engine| {
        for step in 0..120 {
            engine.step(1 + step % 3, 0.002 + 0.0005 * (step % 17) as f32).unwrap();
        }
    });
}

#[test]
fn retuned_midway() {
    let (world, settings) = scene("impulse");
    agree(&world, &settings, 40, |engine| {
        engine.step(100, settings.step_s()).unwrap();
        let mut tuning = Tuning::of(&world, &settings);
        tuning.gravity = Vec2::new(400.0, -300.0);
        tuning.drag_per_s = 0.3;
        tuning.restitution = vec![0.9];
        tuning.settings.passes = 5;
        tuning.settings.relief_drag_per_s = 60.0;
        tuning.settings.relief_drag_per_s = 20.0;
        engine.retune(&tuning).unwrap();
        engine.step(100, settings.step_s()).unwrap();
        tuning.gravity = Vec2::ZERO;
        tuning.settings.soft_push = 0.4;
        engine.retune(&tuning).unwrap();
        engine.step(100, 1.0 / 240.0).unwrap();
    });
}

#[test]
fn a_refused_retune_changes_nothing() {
    let (world, settings) = scene("impulse");
    agree(&world, &settings, 40, |engine| {
        engine.step(50, settings.step_s()).unwrap();
        let mut tuning = Tuning::of(&world, &settings);
        tuning.gravity = Vec2::new(0.0, -900.0);
        tuning.restitution = vec![f32::NAN];
        assert!(engine.retune(&tuning).is_err());
        engine.step(50, settings.step_s()).unwrap();
    });
}

/// Presses where ball `id` is drawn, drags it about and lets it go.
fn throw(engine: &mut dyn Engine, id: usize, alpha: f32, step_s: f32) {
    let place = engine.world().unwrap().bodies[id].position;
    engine.press(place, alpha);
    for frame in 1..=20 {
        engine.drag(place + Vec2::new(6.0, -9.0) * frame as f32);
        engine.step(2, step_s).unwrap();
    }
    engine.release();
    engine.step(20, step_s).unwrap();
}

#[test]
fn pressed_dragged_and_released() {
    let (world, settings) = scene("impulse");
    agree(&world, &settings, 21, |engine| {
        engine.step(100, settings.step_s()).unwrap();
        throw(engine, 20, 1.0, settings.step_s());
        throw(engine, 5, 0.75, settings.step_s());
    });
}

#[test]
fn the_press_takes_hold_of_a_ball() {
    let (world, settings) = scene("impulse");
    for mut engine in engines(&world, &settings) {
        engine.step(100, settings.step_s()).unwrap();
        let before = engine.world().unwrap().bodies[20].position;
        throw(&mut *engine, 20, 1.0, settings.step_s());
        let after = engine.world().unwrap().bodies[20];
        assert!(after.position.y < before.y - 50.0, "{before} {after:?}");
    }
}

#[test]
fn of_balls_in_one_place_the_same_is_held() {
    let mut world = space();
    crowd(&mut world, 500, [3.0, 30.0], 60.0, 0.0);
    let settings = ballpit::Settings::default();
    agree(&world, &settings, 77, |engine| {
        engine.step(1, settings.step_s()).unwrap();
        engine.press(Vec2::new(2.0, 3.0), 0.3);
        engine.drag(Vec2::new(900.0, 100.0));
        engine.step(10, settings.step_s()).unwrap();
    });
}

#[test]
fn timed_steps_are_steps() {
    let (world, settings) = scene_of("pile", 200);
    for (mut timed, mut plain) in engines(&world, &settings).into_iter().zip(engines(&world, &settings)) {
        for _ in 0..10 {
            timed.time_step(settings.step_s()).unwrap();
            timed.step(1, settings.step_s()).unwrap();
        }
        plain.step(19, settings.step_s()).unwrap();
        assert_ne!(timed.world().unwrap().bodies, plain.world().unwrap().bodies);
        plain.step(1, settings.step_s()).unwrap();
        assert_same(&timed.world().unwrap(), &plain.world().unwrap());
        assert_eq!((timed.steps(), plain.steps()), (20, 20));
    }
}

#[test]
fn looking_does_not_touch() {
    let (world, settings) = scene("peg");
    let run = |looks: bool| {
        engines(&world, &settings).into_iter().map(move |mut engine| {
            for _ in 0..100 {
                engine.step(1, 1.0 / 120.0).unwrap();
                if looks {
                    engine.readout();
                    engine.world().unwrap();
                }
            }
            engine.world().unwrap()
        })
    };
    for (seen, unseen) in run(true).zip(run(false)) {
        assert_same(&seen, &unseen);
    }
}
