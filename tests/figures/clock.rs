//! The clock's figures as the engines see them.

use std::time::Duration;

use ballpit::render::{Balls, Camera, Offscreen, Picture, View};
use ballpit::{
    Arithmetic, Body, Clock, CpuEngine, Engine, GpuEngine, Measures, Mode, Settings, SlowMotion, Tick, World,
    state_hash,
};
use glam::Vec2;

use crate::common::{bodies, engines, gpu, run, scene, space};

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
        let moved = farthest(&before, &bodies(&mut *engine));
        assert!(moved <= 1.0 / 3.0, "{}: a ball moved by {moved} px", engine.name());
    }
}

/// How far the ball has moved that moved farthest, px.
fn farthest(before: &[Body], after: &[Body]) -> f32 {
    before.iter().zip(after).map(|(a, b)| a.position.distance(b.position)).fold(0.0, f32::max)
}

#[test]
fn t6_the_same_spike_in_one_variable_step_lets_the_pile_settle_elsewhere() {
    let (world, settings) = scene("impulse");
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 10.0);
        let before = bodies(&mut *engine);
        let mut clock = Clock::new(settings.rate_hz);
        clock.set_mode(Mode::Variable);
        clock.lag_spike();
        assert_eq!(play(&mut *engine, &mut clock, Duration::from_millis(16)).steps, 1);
        // The 17 to 26 px of overlap are the sequential scheme's; eight substeps crush the pile by a third of that.
        let crushed = Measures::of(&engine.world().unwrap()).deepest_overlap_px;
        assert!(crushed > 3.0, "{}: crushed by {crushed} px only", engine.name());
        run(&mut *engine, &settings, 8.0);
        let moved = farthest(&before, &bodies(&mut *engine));
        assert!(moved > 40.0, "{}: no ball moved by more than {moved} px", engine.name());
    }
}

#[test]
fn t7_30_to_1000_frames_a_second_make_the_same_world() {
    let (world, settings) = scene("impulse");
    let mut hashes = Vec::new();
    for fps in [30, 60, 144, 1_000] {
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

/// Flies one ball 20 px a step past frames of 5/6 of a step; `drawn` says where a frame shows it.
fn fly<E: Engine>(build: impl Fn(World, Settings) -> E, mut drawn: impl FnMut(&E, &Tick) -> Vec2) {
    let settings = Settings::default();
    let (start, velocity) = (Vec2::new(10.0, 20.0), Vec2::new(2_400.0, 0.0));
    let mut world = space();
    world.add(Body::ball(start, 4.0).moving(velocity));
    let mut engine = build(world.clone(), settings.clone());
    let mut clock = Clock::new(settings.rate_hz);
    for (k, frame) in (1u8..).zip(frames(144).take(5)) {
        let tick = play(&mut engine, &mut clock, frame);
        let drawn = drawn(&engine, &tick);
        // One step behind the frames, so that the place after it is known.
        let way = velocity * (f32::from(k) / 144.0 - settings.step_s()).max(0.0);
        // A thousandth of a step's way: the rims of a picture have 256 shades.
        assert!(drawn.distance(start + way) <= 0.02, "{drawn} in frame {k}, {way} from {start}");
        let stepped = bodies(&mut engine)[0].position;
        assert!(k == 1 || (drawn.x < stepped.x - 1.0 && drawn.x > stepped.x - 19.0), "{drawn} of {stepped}");
    }
    let mut unseen = build(world, settings.clone());
    unseen.step(4, settings.step_s()).unwrap();
    assert_eq!(engine.world().unwrap(), unseen.world().unwrap());
}

#[test]
fn t8_a_ball_is_drawn_evenly_between_two_steps_and_never_stepped_from_there() {
    let cpu = |world, settings| CpuEngine::new(world, settings).unwrap();
    fly(cpu, |engine, tick| {
        let (home, body) = (engine.homes()[0], engine.bodies()[0]);
        tick.between(Vec2::new(home.x, home.y), Vec2::new(body.x, body.y))
    });
    let Some(gpu) = gpu() else { return };
    let mut target = Offscreen::new(gpu, (110, 40)).unwrap();
    let viewport = Vec2::new(110.0, 40.0);
    fly(
        |world, settings| GpuEngine::new(gpu, world, settings, Arithmetic::Exact).unwrap(),
        |engine, tick| {
            let (bodies, homes, held) = (engine.bodies(), engine.homes(), engine.held());
            let camera = Camera { centre: 0.5 * viewport, zoom: 1.0, viewport };
            let view = View { alpha: tick.alpha, ..View::plain(camera) };
            let (spins, loads, neighbours) = (None, None, None);
            let balls = Balls { bodies, homes, held, spins, loads, neighbours, count: engine.balls(), pieces: 0 };
            middle(&target.draw(&balls, &view).unwrap())
        },
    );
}

/// The centre of all that stands out from the picture's first pixel.
fn middle(picture: &Picture) -> Vec2 {
    let background = picture.pixel(0, 0).unwrap();
    let (mut area, mut moment) = (0.0, Vec2::ZERO);
    for (x, y) in (0..picture.height()).flat_map(|y| (0..picture.width()).map(move |x| (x, y))) {
        let pixel = picture.pixel(x, y).unwrap();
        let share = f32::from((0..3).map(|c| u16::from(pixel[c].abs_diff(background[c]))).sum::<u16>());
        area += share;
        moment += share * Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
    }
    moment / area
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
