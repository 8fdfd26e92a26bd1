//! Contacts and mass.

use ballpit::{Body, Settings, World};
use glam::Vec2;

use crate::common::{assert_near, bodies, crowd, engines, momentum, passes, run, space};

const ROUNDING: f64 = 1e-5;

/// Two balls of radius 4 on the x axis, `gap` apart: masses, then velocities.
fn pair(gap: f32, masses: [f32; 2], velocities: [f32; 2]) -> World {
    let mut world = space();
    for i in 0..2 {
        let ball = Body::ball(Vec2::new(100.0 + i as f32 * (8.0 + gap), 100.0), 4.0);
        world.add(Body { inverse_mass: 1.0 / masses[i], ..ball }.moving(Vec2::new(velocities[i], 0.0)));
    }
    world
}

/// The velocities of a pair after it has met, on each engine.
fn met(masses: [f32; 2], velocities: [f32; 2], restitution: f32) -> Vec<[f64; 2]> {
    let world = pair(0.1, masses, velocities).with_restitution(restitution);
    let settings = Settings::default();
    let met = |mut engine: Box<dyn ballpit::Engine>| {
        run(&mut *engine, &settings, 0.2);
        let after = bodies(&mut *engine);
        assert!(after.iter().all(|body| body.velocity.y == 0.0 && body.position.y == 100.0));
        [f64::from(after[0].velocity.x), f64::from(after[1].velocity.x)]
    };
    engines(&world, &settings).into_iter().map(met).collect()
}

fn kinetic(masses: [f64; 2], velocities: [f64; 2]) -> f64 {
    (0..2).map(|i| 0.5 * masses[i] * velocities[i] * velocities[i]).sum()
}

#[test]
fn c1_mass_is_the_radius_squared() {
    let ball = Body::ball(Vec2::ZERO, 8.0);
    assert_eq!((ball.mass(), ball.inverse_mass), (64.0, 1.0 / 64.0));
    let peg = Body::peg(Vec2::ZERO, 8.0);
    assert_eq!((peg.mass(), peg.inverse_mass, peg.is_movable()), (f32::INFINITY, 0.0, false));
}

#[test]
fn c2_elastic_meeting_of_1_and_3_kg() {
    for [a, b] in met([1.0, 3.0], [4.0, 0.0], 1.0) {
        assert_near(a, -2.0, ROUNDING, "velocity of 1 kg");
        assert_near(b, 2.0, ROUNDING, "velocity of 3 kg");
        assert_near(3.0 * b, 6.0, ROUNDING, "impulse");
        assert_near(a + 3.0 * b, 4.0, ROUNDING, "momentum");
        assert_near(kinetic([1.0, 3.0], [a, b]), 8.0, ROUNDING, "kinetic energy");
    }
}

#[test]
fn c3_the_same_at_0_35() {
    for [a, b] in met([1.0, 3.0], [4.0, 0.0], 0.35) {
        assert_near(a, -0.05, 1e-4, "velocity of 1 kg, the small rest of two large terms");
        assert_near(b, 1.35, ROUNDING, "velocity of 3 kg");
        assert_near(3.0 * b, 4.05, ROUNDING, "impulse");
        assert_near(a + 3.0 * b, 4.0, ROUNDING, "momentum");
        assert_near(kinetic([1.0, 3.0], [a, b]), 2.735, ROUNDING, "kinetic energy");
    }
}

#[test]
fn c4_energy_kept_at_1_and_at_a_half() {
    for (restitution, velocities, energy) in [(1.0, [1.0, 4.0], 9.0), (0.5, [1.5, 3.0], 6.75)] {
        for after in met([2.0, 1.0], [3.0, 0.0], restitution) {
            assert_near(after[0], velocities[0], ROUNDING, "velocity of 2 kg");
            assert_near(after[1], velocities[1], ROUNDING, "velocity of 1 kg");
            assert_near(kinetic([2.0, 1.0], after), energy, ROUNDING, "kinetic energy");
        }
    }
}

#[test]
fn c5_an_overlap_that_closes_bounces_and_parts() {
    let world = pair(-1.0, [1.0, 1.0], [60.0, -60.0]).with_restitution(0.8);
    let settings = Settings::default();
    for mut engine in engines(&world, &settings) {
        for _ in 0..3 {
            engine.step(1, settings.step_s()).unwrap();
            let after = bodies(&mut *engine);
            assert_near(after[0].velocity.x.into(), -48.0, ROUNDING, "velocity of the left one");
            assert_near(after[1].velocity.x.into(), 48.0, ROUNDING, "velocity of the right one");
            assert_near((after[0].velocity.x - 60.0).into(), -108.0, ROUNDING, "impulse");
        }
        let after = bodies(&mut *engine);
        assert!(after[1].position.x - after[0].position.x > 8.0, "{after:?}");
        assert_near((after[0].position.x + after[1].position.x).into(), 207.0, ROUNDING, "the centre of both");
    }
}

/// Places near 100 px are known to 8e-6 px each; the pair parts in some ten moves, and the lesser share is 0.1 px.
const PARTING: f64 = 1e-3;

/// What each ball of a resting pair has moved when the pair is first apart.
fn shares(masses: [f32; 2]) -> Vec<[f64; 2]> {
    let (depth, settings) = (0.5, Settings::default());
    let world = pair(-depth, masses, [0.0, 0.0]);
    let parted = |mut engine: Box<dyn ballpit::Engine>| {
        for _ in 0..60 {
            engine.step(1, settings.step_s()).unwrap();
            let after = bodies(&mut *engine);
            let moved: [f64; 2] =
                std::array::from_fn(|i| f64::from((after[i].position.x - world.bodies[i].position.x).abs()));
            if moved[0] + moved[1] >= f64::from(depth) {
                return moved;
            }
        }
        panic!("{} leaves the pair in overlap for half a second", engine.name());
    };
    engines(&world, &settings).into_iter().map(parted).collect()
}

#[test]
fn c6_masses_4_to_1_share_an_overlap_as_1_to_4() {
    for [heavy, light] in shares([4.0, 1.0]) {
        assert_near(heavy / (heavy + light), 0.2, PARTING, "share of the heavy ball");
    }
}

#[test]
fn c7_masses_2_to_1_share_an_overlap_as_1_to_2() {
    for [heavy, light] in shares([2.0, 1.0]) {
        assert_near(light / (heavy + light), 2.0 / 3.0, PARTING, "share of the light ball");
    }
}

#[test]
fn c8_a_pair_that_parts_by_itself_keeps_its_velocities() {
    let world = pair(-1.0, [1.0, 3.0], [-60.0, 60.0]);
    let settings = Settings::default();
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 0.1);
        let after = bodies(&mut *engine);
        for (after, before) in after.iter().zip(&world.bodies) {
            assert_eq!(after.velocity, before.velocity);
        }
        assert!(after[1].position.x - after[0].position.x > 8.0);
    }
}

#[test]
fn c9_two_immovable_balls_in_one_place_stay() {
    let mut world = space().with_gravity(Vec2::new(0.0, 900.0));
    world.add(Body::peg(Vec2::ZERO, 5.0));
    world.add(Body::peg(Vec2::ZERO, 5.0));
    world.add(Body::peg(Vec2::new(3.0, 4.0), 5.0));
    let settings = Settings::default();
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 1.0);
        assert_eq!(bodies(&mut *engine), world.bodies);
    }
}

#[test]
fn c9_balls_in_one_place_spread_and_stay_finite() {
    for (count, gravity, steps) in [(2, 0.0, 120), (2, 900.0, 120), (1_000, 0.0, 10), (1_000, 900.0, 10)] {
        let mut world = space().with_gravity(Vec2::new(0.0, gravity));
        for _ in 0..count {
            world.add(Body::ball(Vec2::new(1.0, 2.0), 4.0));
        }
        let settings = Settings::default();
        for mut engine in engines(&world, &settings) {
            engine.step(steps, settings.step_s()).unwrap();
            let after = bodies(&mut *engine);
            let place = after.iter().map(|body| body.position).sum::<Vec2>() / count as f32;
            let spread = after.iter().map(|body| body.position.distance(place)).fold(0.0, f32::max);
            assert!(after.iter().all(|body| body.position.is_finite() && body.velocity.is_finite()));
            assert!(spread > 2.0, "{count} balls spread by {spread} px");
            // Under gravity the cap on pushes takes momentum from so violent a parting.
            if gravity == 0.0 {
                let (sum, sizes) = momentum(&after);
                assert!(sum.length() <= 1e-7 * sizes, "{count} balls: momentum is off by {:e}", sum.length() / sizes);
            }
            let fastest = after.iter().map(|body| body.velocity.length()).fold(0.0, f32::max);
            assert!(fastest <= 2_000.0, "{count} balls burst at {fastest} px/s under {gravity}");
        }
    }
}

#[test]
fn c11_a_thousand_random_contacts_keep_the_momentum() {
    let mut world = space();
    crowd(&mut world, 800, [2.0, 6.0], 100.0, 100.0);
    let (before, sizes) = momentum(&world.bodies);
    for count in [1, 4, 8, 16] {
        let settings = passes(count);
        for mut engine in engines(&world, &settings) {
            engine.step(1, settings.step_s()).unwrap();
            engine.readout();
            let first = bodies(&mut *engine);
            assert!(engine.readout().contacts > 1_000, "{:?}", engine.readout());
            assert_ne!(first, world.bodies);
            engine.step(29, settings.step_s()).unwrap();
            let off = (momentum(&bodies(&mut *engine)).0 - before).length() / sizes;
            assert!(off <= 1e-7, "{} with {count} passes is off by {off:e}", engine.name());
        }
    }
}
