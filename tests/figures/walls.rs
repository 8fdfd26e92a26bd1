//! Segments, and surfaces that move.

use ballpit::{Body, Motion, Segment, Settings, Surface, World};
use glam::Vec2;

use crate::common::{Random, assert_near, bodies, engines, run, space};

/// A closed polygon of 24 walls around the origin, no nearer than 190 px.
fn ring() -> World {
    let mut world = space();
    let corner = |k: i32| 200.0 * Vec2::from_angle(std::f32::consts::TAU * k as f32 / 24.0);
    world.segments.extend((0..24).map(|k| Segment::new(corner(k), corner(k + 1))));
    world
}

#[test]
fn a_ball_at_a_million_px_a_second_passes_no_segment_and_no_surface() {
    for (restitution, gravity) in [(0.0, 0.0), (0.5, 900.0), (1.0, 0.0)] {
        let mut world = ring().with_restitution(restitution).with_gravity(Vec2::new(0.0, gravity));
        let mut random = Random::new(7);
        for _ in 0..200 {
            let velocity = random.vector(1.0).normalize() * random.within(1e3, 1e6);
            world.add(Body::ball(random.vector(60.0), random.within(2.0, 12.0)).moving(velocity));
        }
        let mut boxed = world.clone();
        boxed.segments.clear();
        boxed.surfaces = World::new(Vec2::splat(-150.0), Vec2::splat(150.0)).surfaces;
        let settings = Settings::default();
        for (world, farthest) in [(&world, 202.0), (&boxed, 150.0 * std::f32::consts::SQRT_2)] {
            for mut engine in engines(world, &settings) {
                for step in 0..60 {
                    engine.step(1, settings.step_s()).unwrap();
                    for (id, body) in bodies(&mut *engine).iter().enumerate() {
                        let away = body.position.length();
                        assert!(
                            away < farthest,
                            "{}, step {step}: ball {id} is {away} px away: {body:?}",
                            engine.name()
                        );
                    }
                }
            }
        }
    }
}

/// The side of the wall from (−100, 0) to (100, 0) on which a ball is after a second.
fn height_after_a_second(world: &World) -> Vec<f32> {
    let settings = Settings::default();
    let height = |mut engine: Box<dyn ballpit::Engine>| {
        run(&mut *engine, &settings, 1.0);
        bodies(&mut *engine)[0].position.y
    };
    engines(world, &settings).into_iter().map(height).collect()
}

#[test]
fn a_segment_is_solid_on_both_sides_and_has_ends() {
    let mut world = space();
    world.segments.push(Segment { radius: 0.0, ..Segment::new(Vec2::new(-100.0, 0.0), Vec2::new(100.0, 0.0)) });
    for (x, gravity, rests) in [(0.0, 900.0, Some(-5.0)), (30.0, -900.0, Some(5.0)), (106.0, 900.0, None)] {
        let mut world = world.clone().with_gravity(Vec2::new(0.0, gravity));
        world.add(Body::ball(Vec2::new(x, -gravity.signum() * 60.0), 5.0));
        for y in height_after_a_second(&world) {
            match rests {
                Some(height) => assert!((y - height).abs() < 0.1, "a ball at {x} lies at {y}"),
                None => assert!(y > 100.0, "a ball beside the end is held up at {y}"),
            }
        }
    }
}

#[test]
fn a_ball_slides_over_the_joints_of_a_segment_as_over_one_piece() {
    let mut world = space().with_gravity(Vec2::new(0.0, 900.0));
    world.segments.push(Segment { radius: 0.0, ..Segment::new(Vec2::new(-900.0, 0.0), Vec2::new(900.0, 0.0)) });
    world.add(Body::ball(Vec2::new(-850.0, -4.0), 4.0).moving(Vec2::new(1_000.0, 0.0)));
    let settings = Settings::default();
    for mut engine in engines(&world, &settings) {
        for _ in 0..180 {
            engine.step(1, settings.step_s()).unwrap();
            let body = bodies(&mut *engine)[0];
            assert!((body.position.y + 4.0).abs() < 0.02, "it hops to {}", body.position);
            assert_near(body.velocity.x.into(), 1_000.0, 1e-4, "speed along");
        }
    }
}

#[test]
fn s9_a_bouncing_ball_takes_on_the_speed_of_the_wall_that_hits_it() {
    for (restitution, expected) in [(0.0, 100.0), (0.5, 150.0), (1.0, 200.0)] {
        let mut world = space().with_restitution(restitution);
        let motion = Motion { velocity: Vec2::new(100.0, 0.0), ..Motion::default() };
        world.surfaces.push(Surface::new(Vec2::new(-50.0, 0.0), Vec2::X).moving(motion));
        world.add(Body::ball(Vec2::ZERO, 5.0));
        let settings = Settings::default();
        for mut engine in engines(&world, &settings) {
            run(&mut *engine, &settings, 0.6);
            assert_near(bodies(&mut *engine)[0].velocity.x.into(), expected, 1e-4, "speed");
        }
    }
}

#[test]
fn a_ball_on_a_floor_that_sinks_and_rises_stays_on_it() {
    let mut world = space().with_gravity(Vec2::new(0.0, 900.0)).with_restitution(0.0);
    let motion = Motion { velocity: Vec2::new(0.0, 60.0), period_s: 2.0, ..Motion::default() };
    world.surfaces.push(Surface::new(Vec2::ZERO, Vec2::NEG_Y).moving(motion));
    world.add(Body::ball(Vec2::new(0.0, -5.0), 5.0));
    let settings = Settings::default();
    for mut engine in engines(&world, &settings) {
        for step in 1..=480 {
            engine.step(1, settings.step_s()).unwrap();
            let world = engine.world().unwrap();
            let gap = world.surfaces[0].now().point.y - world.bodies[0].position.y - 5.0;
            // Where the floor stops rising and sinks, the ball flies on: 120 px/s faster than the floor, for 0.27 s.
            let flies = step % 240 < 60;
            let most = if flies { 8.5 } else { 0.05 };
            // Where it stops sinking and rises, it is struck at 120 px/s, which shows for less than a step.
            let least = if step % 120 < 3 { -1.1 } else { -0.05 };
            assert!((least..most).contains(&gap), "{}, step {step}: {gap} px above the floor", engine.name());
        }
    }
}

#[test]
fn a_ball_that_follows_a_receding_wall_keeps_its_speed() {
    let mut world = space().with_restitution(1.0);
    let motion = Motion { velocity: Vec2::new(0.0, 1_000.0), ..Motion::default() };
    world.surfaces.push(Surface::new(Vec2::new(0.0, 20.0), Vec2::NEG_Y).moving(motion));
    world.add(Body::ball(Vec2::ZERO, 5.0).moving(Vec2::new(0.0, 1_200.0)));
    let settings = Settings::default();
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 0.25);
        // It catches up, and parts from the wall as fast as it came.
        assert_near(bodies(&mut *engine)[0].velocity.y.into(), 800.0, 1e-4, engine.name());
    }
}
