//! The clock's figures as the engines see them.

use std::time::Duration;

use ballpit::{Body, Clock, Engine, Settings, SlowMotion, Tick, state_hash};
use glam::Vec2;

use crate::common::{bodies, engines, run, scene, space};

/// The lengths of the frames of a screen that shows `fps` a second.
fn frames(fps: u64) -> impl Iterator<Item = Duration> {
    let at = move |k: u64| Duration::from_nanos((k * 1_000_000_000).div_ceil(fps));
    (0..).map(move |k| at(k + 1) - at(k))
}

fn play(engine: &mut dyn Engine, clock: &mut Clock, frame: Duration) -> Tick {
    let tick = clock.frame(frame);
    engine.step(tick.steps, tick.step_s).unwrap();
    tick
}

#[test]
fn t5_a_lag_spike_does_not_shake_a_settled_pile() {
    let (world, settings) = scene("impulse");
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 10.0);
        let before = bodies(&mut *engine);
        let mut clock = Clock::new(settings.rate_hz);
        clock.lag_spike();
        assert_eq!(play(&mut *engine, &mut clock, Duration::from_millis(16)).steps, 24);
        let after = bodies(&mut *engine);
        let moved = before.iter().zip(&after).map(|(a, b)| a.position.distance(b.position)).fold(0.0, f32::max);
        assert!(moved <= 1.0 / 3.0, "{}: a ball moved by {moved} px", engine.name());
    }
}

#[test]
fn t7_60_and_144_frames_a_second_make_the_same_world() {
    let (world, settings) = scene("impulse");
    let mut hashes = Vec::new();
    for fps in [60, 144] {
        for mut engine in engines(&world, &settings) {
            let mut clock = Clock::new(settings.rate_hz);
            for frame in frames(fps).take(10 * fps as usize) {
                play(&mut *engine, &mut clock, frame);
            }
            assert_eq!(engine.steps(), 1_200);
            hashes.push(state_hash(&engine.world().unwrap()));
        }
    }
    assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{hashes:x?}");
}

#[test]
fn t8_a_drawn_place_lies_between_two_steps_and_is_never_stepped_from() {
    let (world, settings) = scene("gas");
    let unseen: Vec<u64> = engines(&world, &settings)
        .into_iter()
        .map(|mut engine| {
            run(&mut *engine, &settings, 0.5);
            state_hash(&engine.world().unwrap())
        })
        .collect();
    for (mut engine, unseen) in engines(&world, &settings).into_iter().zip(unseen) {
        let mut clock = Clock::new(settings.rate_hz);
        let mut now = bodies(&mut *engine);
        for frame in frames(144).take(72) {
            let tick = play(&mut *engine, &mut clock, frame);
            let before = if tick.steps > 0 { std::mem::replace(&mut now, bodies(&mut *engine)) } else { now.clone() };
            for (a, b) in before.iter().zip(&now) {
                let drawn = tick.between(a.position, b.position);
                let expected = a.position + (b.position - a.position) * clock.alpha();
                assert!(drawn.distance(expected) <= 1e-3, "{drawn} instead of {expected}");
            }
        }
        assert_eq!(state_hash(&engine.world().unwrap()), unseen);
    }
}

#[test]
fn t8_the_pointer_takes_a_ball_where_it_is_drawn() {
    let settings = Settings::default();
    let mut world = space();
    world.add(Body::ball(Vec2::ZERO, 4.0).moving(Vec2::new(2_400.0, 0.0)));
    // The step takes the ball from 0 to 20 px.
    for (alpha, place, held) in
        [(0.0, 0.0, true), (0.0, 20.0, false), (0.5, 10.0, true), (0.5, 0.0, false), (1.0, 20.0, true)]
    {
        for mut engine in engines(&world, &settings) {
            engine.step(1, settings.step_s()).unwrap();
            engine.press(Vec2::new(place, 0.0), alpha);
            engine.drag(Vec2::new(place, 500.0));
            engine.step(1, settings.step_s()).unwrap();
            assert_eq!(bodies(&mut *engine)[0].velocity.y > 0.0, held, "drawn at {alpha}, pressed at {place}");
        }
    }
}

#[test]
fn t9_no_time_no_step() {
    let (world, settings) = scene("impulse");
    for mut engine in engines(&world, &settings) {
        engine.step(10, settings.step_s()).unwrap();
        let before = engine.world().unwrap();
        for step_s in [0.0, -0.0, -1.0 / 120.0, f32::NAN, f32::NEG_INFINITY] {
            engine.step(3, step_s).unwrap();
        }
        for step_s in [1.5, 1e30, f32::INFINITY] {
            assert!(engine.step(3, step_s).is_err(), "a step of {step_s} s");
        }
        engine.step(0, settings.step_s()).unwrap();
        play(&mut *engine, &mut Clock::new(120), Duration::ZERO);
        assert_eq!(engine.steps(), 10);
        assert_eq!(engine.world().unwrap(), before);
    }
}

#[test]
fn t10_slow_motion_makes_the_same_steps_more_rarely() {
    let (world, settings) = scene("impulse");
    let mut hashes = Vec::new();
    for (slow_motion, seconds) in [(SlowMotion::Off, 1), (SlowMotion::Half, 2)] {
        for mut engine in engines(&world, &settings) {
            let mut clock = Clock::new(settings.rate_hz);
            clock.set_slow_motion(slow_motion);
            for frame in frames(60).take(60 * seconds) {
                let tick = play(&mut *engine, &mut clock, frame);
                assert_eq!(tick.steps, 2 / slow_motion.divisor());
            }
            hashes.push(state_hash(&engine.world().unwrap()));
        }
    }
    assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{hashes:x?}");
}
