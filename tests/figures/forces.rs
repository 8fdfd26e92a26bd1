//! Forces, integration and the pointer's spring.

use ballpit::{Body, Engine, Settings, World};
use glam::Vec2;

use crate::common::{assert_near, bodies, engines, passes, run, space};

/// One ball at the origin that falls at `gravity` px/s² through air of `drag_per_s`.
fn falling(gravity: f32, drag_per_s: f32) -> World {
    let mut world = space().with_gravity(Vec2::new(0.0, gravity));
    world.drag_per_s = drag_per_s;
    world.add(Body::ball(Vec2::ZERO, 10.0));
    world
}

/// When and how fast the first ball passes 500 px, between two steps.
fn drop_of_500(engine: &mut dyn Engine, settings: &Settings) -> (f64, f64) {
    let step_s = settings.step_s();
    let mut before = bodies(engine)[0];
    for step in 0..600 {
        engine.step(1, step_s).unwrap();
        let now = bodies(engine)[0];
        if now.position.y >= 500.0 {
            let share = (500.0 - before.position.y) / (now.position.y - before.position.y);
            let speed = before.velocity.y + share * (now.velocity.y - before.velocity.y);
            return (f64::from((step as f32 + share) * step_s), f64::from(speed));
        }
        before = now;
    }
    panic!("no fall of 500 px in 600 steps: {before:?}");
}

#[test]
fn f1_velocity_first_then_the_place() {
    for (rate_hz, printed) in [(120, 161.3), (30, 165.3), (144, 161.1)] {
        for substeps in [1, 8] {
            let settings = Settings { rate_hz, ..passes(substeps) };
            for mut engine in engines(&falling(320.0, 0.0), &settings) {
                run(&mut *engine, &settings, 1.0);
                let fallen = f64::from(bodies(&mut *engine)[0].position.y);
                let expected = 160.0 * (1.0 + 1.0 / f64::from(rate_hz * substeps));
                assert_near(fallen, expected, 1e-5, "fall in substeps");
                assert_eq!((fallen - printed).abs() <= 0.05, substeps == 1, "{fallen} px in steps of {substeps}");
            }
        }
    }
}

/// How far off a fall of 500 px may be: by half a substep, 1/1920 s, which is less than this share of it.
const HALF_A_SUBSTEP: f64 = 1e-3;

#[test]
fn f2_a_fall_of_500_px_without_air() {
    for (gravity, seconds, speed) in [(900.0, 1.0541, 948.7), (1_800.0, 0.7454, 1341.6)] {
        let settings = Settings::default();
        for mut engine in engines(&falling(gravity, 0.0), &settings) {
            let landed = drop_of_500(&mut *engine, &settings);
            assert_near(landed.0, seconds, HALF_A_SUBSTEP, "time");
            assert_near(landed.1, speed, HALF_A_SUBSTEP, "speed");
        }
    }
}

#[test]
fn f3_drag_is_exact() {
    let settings = Settings::default();
    let mut world = falling(0.0, 0.15);
    world.bodies[0].velocity = Vec2::new(300.0, -400.0);
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 1.0);
        let velocity = bodies(&mut *engine)[0].velocity;
        assert_near(velocity.x.into(), 300.0 * (-0.15f64).exp(), 1e-5, "vx after a second");
        assert_near(velocity.y.into(), -400.0 * (-0.15f64).exp(), 1e-5, "vy after a second");
    }
}

#[test]
fn f3_no_drag_turns_a_velocity_round() {
    let settings = Settings::default();
    let mut world = falling(0.0, 50.0 * settings.rate_hz as f32);
    world.bodies[0].velocity = Vec2::new(1e6, -1e6);
    for mut engine in engines(&world, &settings) {
        engine.step(1, settings.step_s()).unwrap();
        let velocity = bodies(&mut *engine)[0].velocity;
        assert_near(velocity.x.into(), 1e6 * (-50f64).exp(), 1e-5, "vx after a step");
        assert!(velocity.x > 0.0 && velocity.y < 0.0, "{velocity}");
        engine.step(1, settings.step_s()).unwrap();
        assert_eq!(bodies(&mut *engine)[0].velocity, Vec2::ZERO);
    }
}

#[test]
fn f4_terminal_speed_in_thick_air_after_a_second() {
    let settings = Settings::default();
    for mut engine in engines(&falling(900.0, 3.0), &settings) {
        run(&mut *engine, &settings, 1.0);
        assert_near(
            bodies(&mut *engine)[0].velocity.y.into(),
            300.0 * (1.0 - (-3f64).exp()),
            1e-5,
            "speed after a second",
        );
    }
}

#[test]
fn f4_terminal_speed_is_gravity_over_drag() {
    // The air's factor, 0.9987 a step at 0.15/s, is a float32: its own rounding is 2e-5 of what it takes away.
    let settings = Settings::default();
    for (drag, speed) in [(0.15, 6_000.0), (0.5, 1_800.0), (1.8, 500.0), (3.0, 300.0)] {
        for mut engine in engines(&falling(900.0, drag), &settings) {
            // All but e⁻¹² of it.
            run(&mut *engine, &settings, 12.0 / drag);
            assert_near(bodies(&mut *engine)[0].velocity.y.into(), speed, 1e-4, "terminal speed");
        }
    }
}

#[test]
fn f5_a_drop_of_500_px_in_thin_air() {
    let settings = Settings::default();
    for mut engine in engines(&falling(900.0, 0.15), &settings) {
        assert_near(drop_of_500(&mut *engine, &settings).1, 899.4, HALF_A_SUBSTEP, "speed");
    }
}

#[test]
fn f6_a_held_ball_hangs_by_its_weight() {
    let settings = Settings::default();
    for (radius, hang) in [(28.0, 17.64), (20.0, 9.0), (14.0, 4.41)] {
        let mut world = space().with_gravity(Vec2::new(0.0, 900.0));
        world.add(Body::ball(Vec2::new(100.0, 50.0), radius));
        for mut engine in engines(&world, &settings) {
            engine.press(Vec2::new(100.0, 50.0), 1.0);
            engine.drag(Vec2::new(110.0, 45.0));
            run(&mut *engine, &settings, 5.0);
            let ball = bodies(&mut *engine)[0];
            assert_near((ball.position.y - 45.0).into(), hang, 1e-4, "hang");
            assert!((ball.position.x - 110.0).abs() < 1e-3, "{}", ball.position);
        }
    }
}

#[test]
fn f7_a_ball_let_go_keeps_the_springs_velocity() {
    let settings = Settings::default();
    let mut world = space();
    world.add(Body::ball(Vec2::ZERO, 20.0));
    for mut engine in engines(&world, &settings) {
        engine.press(Vec2::new(5.0, 5.0), 1.0);
        for step in 1..=30 {
            engine.drag(Vec2::new(4.0, 3.0) * step as f32);
            engine.step(1, settings.step_s()).unwrap();
        }
        let held = bodies(&mut *engine)[0];
        assert!(held.velocity.x > 100.0 && held.velocity.y > 75.0, "{}", held.velocity);
        engine.release();
        run(&mut *engine, &settings, 1.0);
        let thrown = bodies(&mut *engine)[0];
        assert_eq!(thrown.velocity, held.velocity);
        let way = thrown.position - held.position;
        assert!((way - held.velocity).length() < 2e-5 * held.velocity.length(), "{way}");
    }
}

#[test]
fn f8_heavy_and_light_land_together() {
    let settings = Settings::default();
    let mut world = World::new(Vec2::ZERO, Vec2::new(400.0, 600.0)).with_gravity(Vec2::new(0.0, 900.0));
    let ball = Body::ball(Vec2::new(100.0, 64.0), 16.0);
    world.add(ball);
    world.add(Body { position: Vec2::new(200.0, 64.0), inverse_mass: 0.01 * ball.inverse_mass, ..ball });
    for mut engine in engines(&world, &settings) {
        let mut landed = [0, 0];
        for step in 1..=240 {
            engine.step(1, settings.step_s()).unwrap();
            let [light, heavy] = bodies(&mut *engine)[..] else { panic!("two balls") };
            if landed == [0, 0] && light.velocity.y >= 0.0 {
                assert_eq!((light.position.y, light.velocity.y), (heavy.position.y, heavy.velocity.y), "step {step}");
            }
            for (landed, ball) in landed.iter_mut().zip([light, heavy]) {
                if *landed == 0 && ball.velocity.y < 0.0 {
                    *landed = step;
                }
            }
            assert_near(heavy.position.y.into(), light.position.y.into(), 1e-5, "height over the whole way");
        }
        // 520 px take 1.075 s.
        assert_eq!(landed, [129, 129]);
    }
}

#[test]
fn f9_no_force_moves_an_immovable_ball() {
    let settings = Settings::default();
    let mut world = space().with_gravity(Vec2::new(0.0, 900.0));
    world.drag_per_s = 0.15;
    world.add(Body::peg(Vec2::new(10.0, 10.0), 20.0));
    world.add(Body::ball(Vec2::new(10.0, -40.0), 20.0).moving(Vec2::new(0.0, 300.0)));
    for mut engine in engines(&world, &settings) {
        engine.press(Vec2::new(10.0, 10.0), 1.0);
        engine.drag(Vec2::new(500.0, 300.0));
        run(&mut *engine, &settings, 2.0);
        let after = bodies(&mut *engine);
        assert_eq!(after[0], world.bodies[0]);
        assert_ne!(after[1].position, world.bodies[1].position);
    }
}

#[test]
fn f9_the_pointer_passes_an_immovable_ball_over() {
    let settings = Settings::default();
    let mut world = space();
    world.add(Body::ball(Vec2::new(0.0, 0.0), 5.0));
    world.add(Body::peg(Vec2::new(28.0, 0.0), 25.0));
    for mut engine in engines(&world, &settings) {
        // Both lie under the pointer, the peg with the higher id; only the ball can be held.
        engine.press(Vec2::new(4.0, 0.0), 1.0);
        engine.drag(Vec2::new(-200.0, 0.0));
        run(&mut *engine, &settings, 1.0);
        let after = bodies(&mut *engine);
        assert!(after[0].position.x < -100.0, "{:?}", after[0]);
        assert_eq!(after[1], world.bodies[1]);
    }
}
