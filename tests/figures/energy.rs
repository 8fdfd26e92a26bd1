//! Energy and momentum of many meetings.

use ballpit::{Body, Engine, Measures, Settings, World};
use glam::Vec2;

use crate::common::{Random, assert_near, bodies, crowd, engines, momentum, run, scene, space};
use crate::worlds;

fn energy(world: &World) -> f64 {
    Measures::of(world).kinetic_energy
}

#[test]
fn a_gas_keeps_its_energy() {
    let (world, settings) = scene("gas");
    assert_eq!(world.bodies.len(), 400);
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 10.0);
        assert_near(energy(&engine.world().unwrap()), energy(&world), 3e-4, "energy");
    }
}

/// Six balls after a second, of which the first came in at 200 px/s and the others lay `gap` px apart.
fn cradle(gap: f32) -> Vec<Vec<Body>> {
    let settings = Settings::default();
    let world = worlds::cradle(gap);
    let after = |mut engine: Box<dyn Engine>| {
        run(&mut *engine, &settings, 1.0);
        bodies(&mut *engine)
    };
    engines(&world, &settings).into_iter().map(after).collect()
}

#[test]
fn a_cradle_sends_the_last_ball_off() {
    for gap in [0.0, 1e-5, 1e-3, 1e-2, 5.0] {
        for after in cradle(gap) {
            for (i, ball) in after.iter().enumerate() {
                let expected = if i == 5 { Vec2::new(200.0, 0.0) } else { Vec2::ZERO };
                let off = ball.velocity.distance(expected);
                assert!(off <= 200.0 * 1e-5, "{gap} px apart, ball {i}: {}", ball.velocity);
            }
        }
    }
}

#[test]
fn a_break_shot_keeps_its_energy() {
    break_shot(Vec2::new(17.3206, 20.001), 2e-3);
    // Balls that touch exactly lose more, a limit that the README states.
    break_shot(Vec2::new(300f32.sqrt(), 20.0), 0.015);
}

fn break_shot(spacing: Vec2, share: f64) {
    let settings = Settings::default();
    let world = worlds::break_shot(spacing);
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 2.0);
        let after = engine.world().unwrap();
        let moving = after.bodies.iter().filter(|body| body.velocity.length() > 1.0).count();
        assert_eq!(moving, 16, "balls that move");
        assert_near(energy(&after), energy(&world), share, "energy");
    }
}

#[test]
fn an_implosion_keeps_its_energy() {
    let settings = Settings::default();
    let mut world = space().with_restitution(1.0);
    let mut random = Random::new(5);
    for i in 0..300 {
        let place = Vec2::new((i % 18) as f32 * 25.0 - 220.0, (i / 18) as f32 * 25.0 - 220.0);
        let ball = Body::ball(place, random.within(3.0, 12.0));
        world.add(ball.moving(-2.0 * place + random.vector(50.0)));
    }
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 2.0);
        assert_near(energy(&engine.world().unwrap()), energy(&world), 0.011, "energy");
    }
}

/// Kinetic energy and that of height above the room's floor.
fn energy_in_all(world: &World) -> f64 {
    let heights = world.bodies.iter().map(|body| f64::from(body.mass()) * f64::from(world.max.y - body.position.y));
    energy(world) + f64::from(world.gravity.y) * heights.sum::<f64>()
}

#[test]
fn a_pile_gains_no_energy_at_any_restitution() {
    let settings = Settings::default();
    for restitution in [0.0, 0.35, 0.8, 1.0] {
        let world = worlds::layers(600, 111.0, 1).with_restitution(restitution);
        let before = energy_in_all(&world);
        for mut engine in engines(&world, &settings) {
            let mut least = before;
            for second in 1..=4 {
                run(&mut *engine, &settings, 1.0);
                let now = energy_in_all(&engine.world().unwrap());
                let gained = (now - least) / before;
                assert!(gained <= 1e-3, "{}: e = {restitution}: {gained} gained by {second} s", engine.name());
                least = least.min(now);
            }
        }
    }
}

#[test]
fn three_hundred_balls_keep_their_momentum() {
    let settings = Settings::default();
    let mut world = space().with_restitution(0.8);
    crowd(&mut world, 300, [3.0, 7.0], 90.0, 200.0);
    let (before, sizes) = momentum(&world.bodies);
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 3.0);
        let off = (momentum(&bodies(&mut *engine)).0 - before).length() / sizes;
        assert!(off <= 1e-7, "{}: off by {off:e}", engine.name());
    }
}

#[test]
fn a_ball_at_a_million_px_s_in_an_elastic_crowd_adds_no_energy_and_stays_in_the_box() {
    let settings = Settings::default();
    for speed in [1e5, 3e5, 1e6] {
        let world = worlds::thrown(Vec2::new(speed, 0.3 * speed));
        let before = energy(&world);
        for mut engine in engines(&world, &settings) {
            for _ in 0..36 {
                engine.step(10, settings.step_s()).unwrap();
                let now = engine.world().unwrap();
                assert!(energy(&now) <= 1.001 * before, "{speed} px/s: {} of {before}", energy(&now));
                let outside =
                    |body: &&Body| !(body.position.min_element() > -1.0 && body.position.max_element() < 1001.0);
                assert_eq!(now.bodies.iter().find(outside), None, "{speed} px/s");
            }
        }
    }
}
