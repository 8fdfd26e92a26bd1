//! Friction: what it holds, how fast what it does not hold slides or rolls, and what it keeps.

use ballpit::{Body, Engine, Material, Segment, Settings, Surface, World};
use glam::{DVec2, Vec2};

use crate::common::{assert_near, bodies, crowd, engines, momentum, run, space};

const GRAVITY: f32 = 900.0;

/// A ball at rest on a slope of so many degrees, falling to the right; of friction that both have, or the slope alone.
fn slope(degrees: f32, friction: f32, of_slope: bool) -> World {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let mut world = space().with_gravity(Vec2::new(0.0, GRAVITY)).with_restitution(0.35);
    let mut ground = Surface::new(Vec2::ZERO, Vec2::new(sin, -cos));
    if of_slope {
        world.materials.push(Material { friction, ..Material::new("slope", 0.35) });
        ground.material = Some(1);
    } else {
        world.materials[0].friction = friction;
    }
    world.add(Body::ball(ground.normal * 10.0, 10.0));
    world.surfaces.push(ground);
    world
}

/// How fast the ball goes down the slope, px/s, and how far it has come, px.
fn descent(engine: &mut dyn Engine, degrees: f32) -> (f64, f64) {
    let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
    let body = bodies(engine)[0];
    let along = DVec2::new(cos, sin);
    (body.velocity.as_dvec2().dot(along), body.position.as_dvec2().dot(along))
}

/// Mean acceleration over a second, once the ball has lain for half a second.
fn acceleration(engine: &mut dyn Engine, settings: &Settings, degrees: f32) -> f64 {
    run(engine, settings, 0.5);
    let before = descent(engine, degrees).0;
    run(engine, settings, 1.0);
    descent(engine, degrees).0 - before
}

fn turning() -> Settings {
    Settings { rotation: true, ..Settings::default() }
}

#[test]
fn s6_friction_holds_up_to_its_angle_and_no_further() {
    let settings = Settings::default();
    for (friction, degrees, holds) in
        [(0.3, 16.6, true), (0.3, 16.8, false), (0.6, 25.0, true), (0.5, 25.0, true), (0.0, 1.0, false)]
    {
        for of_slope in [false, true] {
            for mut engine in engines(&slope(degrees, friction, of_slope), &settings) {
                run(&mut *engine, &settings, 3.0);
                let (speed, way) = descent(&mut *engine, degrees);
                let name = engine.name();
                assert_eq!(
                    way < 0.05 && speed < 0.01,
                    holds,
                    "{name}: {friction} at {degrees}°: {way} px, {speed} px/s"
                );
                assert!(holds || way > 5.0, "{name}: {friction} at {degrees}°: {way} px");
            }
        }
    }
}

#[test]
fn a_slope_holds_at_096_of_the_friction_and_slides_at_104_as_the_formula_says() {
    let settings = Settings::default();
    for friction in [0.2f32, 0.5, 1.0] {
        let holding = (0.96 * friction).atan().to_degrees();
        for mut engine in engines(&slope(holding, friction, false), &settings) {
            run(&mut *engine, &settings, 3.0);
            let way = descent(&mut *engine, holding).1;
            assert!(way.abs() <= 0.05, "{}: slid by {way} px", engine.name());
        }
        let sliding = (1.04 * friction).atan().to_degrees();
        let (sin, cos) = f64::from(sliding).to_radians().sin_cos();
        let expected = f64::from(GRAVITY) * (sin - f64::from(friction) * cos);
        for mut engine in engines(&slope(sliding, friction, false), &settings) {
            assert_near(acceleration(&mut *engine, &settings, sliding), expected, 5e-3, "acceleration");
        }
    }
}

#[test]
fn a_free_disc_rolls_down_a_slope_until_it_is_too_steep() {
    let settings = turning();
    let friction = 0.5;
    for (steepness, expected) in [(0.25, 145.52), (0.5, 268.33), (1.45, 493.94), (1.65, 537.38), (2.0, 603.74)] {
        let degrees = f32::atan(steepness).to_degrees();
        for mut engine in engines(&slope(degrees, friction, false), &settings) {
            assert_near(acceleration(&mut *engine, &settings, degrees), expected, 5e-3, "acceleration");
            let body = bodies(&mut *engine)[0];
            let (rim, speed) = (body.spin * body.radius, body.velocity.length());
            if steepness < 1.5 {
                assert_near(rim.into(), speed.into(), 1e-3, "speed of the rim");
            } else {
                assert!(rim < 0.99 * speed && rim > 0.0, "{rim} of {speed}");
            }
        }
    }
}

#[test]
fn s7_restitution_does_not_touch_the_part_along_the_slope() {
    for rate_hz in [30, 60, 120, 144] {
        let settings = Settings { rate_hz, ..Settings::default() };
        let world = World { drag_per_s: 0.15, ..slope(20.0, 0.0, false) };
        for mut engine in engines(&world, &settings) {
            run(&mut *engine, &settings, 3.0);
            assert_near(descent(&mut *engine, 20.0).0, 742.0, 0.01, "speed");
        }
    }
}

#[test]
fn s8_friction_stops_a_slide_and_never_turns_it() {
    let settings = Settings::default();
    let mut world = slope(0.0, 0.5, false);
    world.bodies[0].velocity.x = 200.0;
    for mut engine in engines(&world, &settings) {
        let mut least = f32::MAX;
        for _ in 0..120 {
            engine.step(1, settings.step_s()).unwrap();
            least = least.min(bodies(&mut *engine)[0].velocity.x);
        }
        let body = bodies(&mut *engine)[0];
        assert!(least >= -1e-3 * 200.0 && body.velocity.x.abs() < 1e-3, "{}: {least} px/s", engine.name());
        assert_near(body.position.x.into(), 200.0 * 200.0 / (2.0 * 450.0), 0.01, "way");
    }
}

/// Velocity and spin of a ball that fell on a floor at (100, 300) px/s.
fn bounced(friction: f32, settings: &Settings) -> Vec<Body> {
    let mut world = space().with_restitution(0.7);
    world.materials[0].friction = friction;
    world.surfaces.push(Surface::new(Vec2::ZERO, Vec2::NEG_Y));
    world.add(Body::ball(Vec2::new(0.0, -6.0), 5.0).moving(Vec2::new(100.0, 300.0)));
    let after = |mut engine: Box<dyn Engine>| {
        run(&mut *engine, settings, 0.25);
        bodies(&mut *engine)[0]
    };
    engines(&world, settings).into_iter().map(after).collect()
}

#[test]
fn s8_a_bounce_loses_at_most_its_part_along() {
    for (friction, along) in [(0.0, 100.0), (0.1, 49.0), (0.2, 0.0), (5.0, 0.0)] {
        for body in bounced(friction, &Settings::default()) {
            let off = body.velocity.distance(Vec2::new(along, -210.0));
            assert!(off < 1e-3, "friction {friction}: {}", body.velocity);
        }
    }
    // A disc that does not slip keeps two thirds of it, and turns with it.
    for body in bounced(5.0, &turning()) {
        let off = body.velocity.distance(Vec2::new(200.0 / 3.0, -210.0));
        assert!(off < 1e-3 && (body.spin * 5.0 - 200.0 / 3.0).abs() < 1e-3, "{body:?}");
    }
}

#[test]
fn a_slippery_ball_slips_on_any_other_and_two_rough_ones_share_their_friction() {
    // A glancing blow: one comes along x and touches the other 45° to its way.
    for (frictions, turns) in [([0.0, 1.0], false), ([0.4, 0.9], true)] {
        let mut world = space().with_restitution(0.0);
        world.materials[0].friction = frictions[0];
        world.materials.push(Material { friction: frictions[1], ..Material::new("other", 0.0) });
        let aside = Vec2::splat(20.0 / f32::sqrt(2.0));
        world.add(Body::ball(-aside - Vec2::X, 10.0).moving(Vec2::new(100.0, 0.0)));
        world.add(Body { material: 1, ..Body::ball(Vec2::ZERO, 10.0) });
        for mut engine in engines(&world, &turning()) {
            run(&mut *engine, &turning(), 0.1);
            let spins: Vec<f32> = bodies(&mut *engine).iter().map(|body| body.spin).collect();
            assert_eq!(spins.iter().all(|spin| *spin != 0.0), turns, "{frictions:?}: {spins:?}");
            assert_eq!(spins[0], spins[1], "equal discs turn alike");
        }
    }
}

/// Angular momentum about the origin, and the sum of its parts' sizes.
fn angular_momentum(bodies: &[Body]) -> (f64, f64) {
    let parts = bodies.iter().flat_map(|body| {
        let mass = 1.0 / f64::from(body.inverse_mass);
        let radius = f64::from(body.radius);
        let orbit = mass * body.position.as_dvec2().perp_dot(body.velocity.as_dvec2());
        [orbit, 0.5 * mass * radius * radius * f64::from(body.spin)]
    });
    parts.fold((0.0, 0.0), |(sum, sizes), part| (sum + part, sizes + part.abs()))
}

fn energy(bodies: &[Body]) -> f64 {
    let energies = bodies.iter().map(|body| {
        let (speed, rim) = (f64::from(body.velocity.length()), f64::from(body.spin * body.radius));
        (0.5 * speed * speed + 0.25 * rim * rim) / f64::from(body.inverse_mass)
    });
    energies.sum()
}

#[test]
fn balls_that_rub_in_space_keep_momentum_and_angular_momentum() {
    let settings = turning();
    let mut world = space().with_restitution(0.8);
    world.materials[0].friction = 0.5;
    crowd(&mut world, 300, [3.0, 7.0], 90.0, 200.0);
    for (body, k) in world.bodies.iter_mut().zip(0..) {
        body.spin = (k % 21 - 10) as f32;
    }
    let (before, sizes) = momentum(&world.bodies);
    let (turning, turning_sizes) = angular_momentum(&world.bodies);
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 3.0);
        let after = bodies(&mut *engine);
        let spun = after.iter().zip(&world.bodies).filter(|(a, b)| a.spin != b.spin).count();
        assert!(spun > 250, "{spun} balls have rubbed");
        let off = (momentum(&after).0 - before).length() / sizes;
        assert!(off <= 1e-7, "{}: momentum is off by {off:e}", engine.name());
        let off = (angular_momentum(&after).0 - turning).abs() / turning_sizes;
        // Rounding of some thousand meetings, each at its lever.
        assert!(off <= 1.2e-5, "{}: angular momentum is off by {off:e}", engine.name());
    }
}

#[test]
fn rubbing_never_adds_energy() {
    let settings = turning();
    let mut world = World::new(Vec2::ZERO, Vec2::splat(300.0)).with_restitution(1.0);
    world.materials[0].friction = 0.5;
    for k in 0..100 {
        let place = Vec2::new(15.0 + 30.0 * (k % 10) as f32, 15.0 + 30.0 * (k / 10) as f32);
        world.add(Body::ball(place, 5.0 + (k % 3) as f32).moving(Vec2::new((k * 37 % 200) as f32 - 100.0, 50.0)));
    }
    for mut engine in engines(&world, &settings) {
        let mut last = energy(&world.bodies);
        let first = last;
        for _ in 0..50 {
            engine.step(12, settings.step_s()).unwrap();
            let now = energy(&bodies(&mut *engine));
            assert!(now <= last * (1.0 + 1e-5), "{}: from {last} to {now}", engine.name());
            last = now;
        }
        assert!(last < 0.9 * first, "nothing has rubbed: {last} of {first}");
    }
}

#[test]
fn a_moving_belt_takes_a_ball_along() {
    let settings = Settings::default();
    let mut world = slope(0.0, 0.5, false);
    world.surfaces[0].motion.velocity.x = 80.0;
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 1.0);
        let speed = bodies(&mut *engine)[0].velocity.x;
        assert!((speed - 80.0).abs() < 0.01, "{}: {speed} px/s", engine.name());
    }
}

#[test]
fn a_tilted_segment_holds_what_its_friction_holds() {
    let settings = Settings::default();
    for (degrees, holds) in [(16.0f32, true), (17.5, false)] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let mut world = space().with_gravity(Vec2::new(0.0, GRAVITY));
        world.materials[0].friction = 0.3;
        let along = Vec2::new(cos, sin) * 300.0;
        world.segments.push(Segment::new(-along, along));
        let height = 10.0 + world.segments[0].radius;
        world.add(Body::ball(Vec2::new(sin, -cos) * height + 0.3 * along, 10.0));
        for mut engine in engines(&world, &settings) {
            run(&mut *engine, &settings, 2.0);
            let way = bodies(&mut *engine)[0].position.distance(world.bodies[0].position);
            assert_eq!(way < 0.1, holds, "{}: {degrees}°: {way} px", engine.name());
        }
    }
}

#[test]
fn a_rough_pile_lies_still_whether_balls_turn_or_not() {
    for rotation in [false, true] {
        let (mut world, settings) = crate::common::scene("impulse");
        let settings = Settings { rotation, ..settings };
        world.materials[0].friction = 0.5;
        for mut engine in engines(&world, &settings) {
            run(&mut *engine, &settings, 8.0);
            let mut wander = ballpit::Wander::new();
            for _ in 0..2 * settings.rate_hz {
                engine.step(1, settings.step_s()).unwrap();
                wander.push(&engine.world().unwrap());
            }
            let wander = wander.median_px();
            assert!(wander <= 0.02, "{}, {rotation}: wander of {wander} px", engine.name());
        }
    }
}

#[test]
fn s6_a_slope_of_a_segment_or_of_a_peg_holds_as_well() {
    // Friction 0.6 on a slope of 0.5; a large ball, whose gap rounding would hide.
    let along = Vec2::new(1.0, 0.5).normalize();
    let normal = Vec2::new(along.y, -along.x);
    let mut on_segment = space().with_gravity(Vec2::new(0.0, GRAVITY)).with_restitution(0.0);
    on_segment.materials[0].friction = 0.6;
    let mut on_pegs = on_segment.clone();
    on_segment.segments.push(Segment::new(along * -300.0, along * 300.0));
    on_segment.add(Body::ball(normal * 21.0, 20.0));
    // In the middle of a peg so large that it is a slope.
    on_pegs.add(Body::ball(normal * 20.0, 20.0));
    on_pegs.add(Body::peg(normal * -500.0, 500.0));
    let settings = Settings::default();
    for world in [on_segment, on_pegs] {
        for mut engine in engines(&world, &settings) {
            run(&mut *engine, &settings, 0.5);
            let before = bodies(&mut *engine)[0].position;
            run(&mut *engine, &settings, 2.0);
            let slip = bodies(&mut *engine)[0].position.distance(before);
            assert!(slip <= 0.05, "{}: slips {slip} px in two seconds", engine.name());
        }
    }
}
