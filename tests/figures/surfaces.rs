//! Bounces off surfaces, across and along.

use ballpit::{Body, Engine, Material, Settings, Surface, World};
use glam::{DVec2, Vec2};

use crate::common::{engines, run, space};

/// The velocities, on each engine, of a ball that comes at `velocity` upon a surface of normal `normal`.
fn bounced(normal: Vec2, velocity: Vec2, restitution: f32, of_surface: Option<f32>) -> Vec<DVec2> {
    let mut world = space().with_restitution(restitution);
    let mut surface = Surface::new(Vec2::new(-7.0, 12.0), normal);
    surface.material = of_surface.map(|restitution| {
        world.materials.push(Material::new("surface", restitution));
        1
    });
    let radius = 5.0;
    let start = surface.point + surface.normal * (radius + 0.5) - velocity.normalize() * 0.25;
    world.surfaces.push(surface);
    world.add(Body::ball(start, radius).moving(velocity));
    after(&world, Settings::default())
}

fn after(world: &World, settings: Settings) -> Vec<DVec2> {
    let velocity = |mut engine: Box<dyn Engine>| {
        run(&mut *engine, &settings, 0.25);
        engine.world().unwrap().bodies[0].velocity.as_dvec2()
    };
    engines(world, &settings).into_iter().map(velocity).collect()
}

#[track_caller]
fn assert_velocity(velocity: DVec2, expected: DVec2) {
    assert!((velocity - expected).length() <= 1e-5 * expected.length().max(1.0), "{velocity} instead of {expected}");
}

#[test]
fn c10_a_wall_turns_the_across_part_whatever_its_angle() {
    for degrees in [0f32, 17.0, 45.0, 90.0, 133.0, 200.0, 271.0, 330.0] {
        let normal = Vec2::from_angle(degrees.to_radians());
        for (restitution, turn) in [(0.35, -0.9), (0.5, 0.3), (0.8, 0.0), (1.0, 1.2)] {
            let velocity = Vec2::from_angle(turn).rotate(-normal) * 90.0;
            let (n, v) = (normal.as_dvec2(), velocity.as_dvec2());
            let expected = v - n * (1.0 + f64::from(restitution)) * v.dot(n);
            for velocity in bounced(normal, velocity, restitution, None) {
                assert_velocity(velocity, expected);
            }
        }
    }
}

#[test]
fn c10_a_wall_is_an_immovable_ball() {
    let mut world = space().with_restitution(0.6);
    world.add(Body::ball(Vec2::ZERO, 5.0).moving(Vec2::new(80.0, 0.0)));
    world.add(Body::peg(Vec2::new(20.0, 0.0), 5.0));
    let off_peg = after(&world, Settings::default());
    let off_wall = bounced(Vec2::NEG_X, Vec2::new(80.0, 0.0), 0.6, None);
    for velocity in off_peg.into_iter().chain(off_wall) {
        assert_velocity(velocity, DVec2::new(-48.0, 0.0));
    }
}

#[test]
fn s1_and_s2_by_hand() {
    let slant = Vec2::new(0.6, -0.8);
    for (normal, velocity, restitution, expected) in [
        (slant, Vec2::new(100.0, 300.0), 1.0, DVec2::new(316.0, 12.0)),
        (slant, Vec2::new(100.0, 300.0), 0.7, DVec2::new(283.6, 55.2)),
        (Vec2::NEG_Y, Vec2::new(3.0, 4.0), 0.5, DVec2::new(3.0, -2.0)),
    ] {
        for velocity in bounced(normal, velocity, restitution, None) {
            assert_velocity(velocity, expected);
        }
    }
}

#[test]
fn s9_a_surface_may_have_a_restitution_of_its_own() {
    for (of_surface, expected) in [(0.0, 0.0), (0.5, -40.0), (1.2, -96.0)] {
        for velocity in bounced(Vec2::NEG_X, Vec2::new(80.0, 0.0), 0.9, Some(of_surface)) {
            assert_velocity(velocity, DVec2::new(expected, 0.0));
        }
    }
}

#[test]
fn s9_a_ball_stops_dead_on_a_surface_of_restitution_0_whenever_it_arrives() {
    let settings = Settings::default();
    for phase in 0..20 {
        let mut world = space().with_gravity(Vec2::new(0.0, 900.0)).with_restitution(0.0);
        world.surfaces.push(Surface::new(Vec2::new(0.0, 500.0), Vec2::NEG_Y));
        world.add(Body::ball(Vec2::new(0.0, phase as f32 * 0.37), 10.0));
        for mut engine in engines(&world, &settings) {
            // The fall takes 1.04 s.
            run(&mut *engine, &settings, 1.1);
            let mut highest = f32::MAX;
            for _ in 0..60 {
                engine.step(1, settings.step_s()).unwrap();
                highest = highest.min(engine.world().unwrap().bodies[0].position.y);
            }
            assert!(highest > 489.99, "it rose to {highest} again");
        }
    }
}
