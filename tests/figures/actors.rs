//! Actors: thrust and environment, layers, children, and what a world does with time.

use ballpit::{
    Actor, Body, Character, Engine, Error, Model, Order, Overrides, Result, Scene, Settings, Stop, Tuning, World,
    state_hash,
};
use glam::Vec2;

use crate::common::{assert_near, bodies, crowd, engines, run, space};

/// A character of one acceleration and its top speeds that stops dead.
fn runner(acceleration: f32, top_speed: Vec2) -> Character {
    Character { acceleration: Vec2::splat(acceleration), top_speed, ..Character::default() }
}

/// A single actor at the origin, alone in space.
fn alone(character: Character) -> World {
    let mut world = space();
    world.add_character(character);
    world.add(Body::ball(Vec2::ZERO, 10.0));
    world.actors.push(Actor::new(0).of(0));
    world
}

/// The same, on its way with all of its speed thrust.
fn moving(thrust: Vec2, character: Character) -> World {
    let mut world = alone(character);
    world.bodies[0].velocity = thrust;
    world.actors[0].thrust = thrust;
    world
}

/// Balls under gravity, one of them driven, with all that a world can be asked to do.
fn lively() -> World {
    let mut world = World::new(Vec2::splat(-300.0), Vec2::splat(300.0)).with_gravity(Vec2::new(0.0, 900.0));
    crowd(&mut world, 40, [4.0, 12.0], 250.0, 300.0);
    world.add_character(runner(500.0, Vec2::splat(200.0)));
    world.actors.push(Actor::new(7).of(0));
    world
}

/// Every call that an engine takes.
fn call_all(engine: &mut dyn Engine, world: &World, settings: &Settings) {
    engine.press(world.bodies[3].position, 1.0);
    engine.steer(Vec2::new(1.0, -1.0)).unwrap();
    engine.order(&vec![Order::Go(Vec2::NEG_X); world.actors.len()]).unwrap();
    engine.drag(Vec2::new(50.0, 60.0));
    engine.step(60, settings.step_s()).unwrap();
    engine.release();
    let tuning = Tuning { drag_per_s: 0.5, ..Tuning::of(world, settings) };
    engine.retune(&tuning).unwrap();
    engine.step(60, settings.step_s()).unwrap();
    engine.direct(&mut |_, _| Ok(Order::Follow)).unwrap();
    engine.time_step(settings.step_s()).unwrap();
    engine.loads().unwrap();
    engine.readout();
}

#[test]
fn a1_the_null_model_accepts_every_call_and_changes_nothing() {
    let settings = Settings::default();
    for model in [Model::Null, Model::Arcade] {
        let world = World { model, ..lively() };
        for mut engine in engines(&world, &settings) {
            call_all(&mut *engine, &world, &settings);
            assert_eq!(engine.steps(), 121);
            assert_eq!(bodies(&mut *engine) == world.bodies, model == Model::Null, "{model:?}");
        }
    }
}

#[test]
fn a2_the_arcade_model_with_nothing_configured_is_as_the_null_model() {
    let settings = Settings::default();
    let mut world = alone(Character::default());
    world.add(Body::ball(Vec2::new(70.0, 30.0), 5.0));
    let ends = [Model::Null, Model::Arcade].map(|model| {
        let world = World { model, ..world.clone() };
        let hash = |mut engine: Box<dyn Engine>| {
            engine.steer(Vec2::new(1.0, 1.0)).unwrap();
            run(&mut *engine, &settings, 1.0);
            state_hash(&engine.world().unwrap())
        };
        engines(&world, &settings).into_iter().map(hash).collect::<Vec<_>>()
    });
    assert_eq!(ends[0], ends[1]);
    assert!(ends[0].iter().all(|&hash| hash == state_hash(&world)));
    // What is configured shows.
    let configured = alone(runner(100.0, Vec2::splat(50.0)));
    for mut engine in engines(&configured, &settings) {
        engine.steer(Vec2::new(1.0, 1.0)).unwrap();
        run(&mut *engine, &settings, 1.0);
        assert_ne!(bodies(&mut *engine), configured.bodies);
    }
}

#[test]
fn a3_a_thrust_outside_its_ellipse_is_scaled_onto_it() {
    let settings = Settings::default();
    for (thrust, top_speed) in [((300.0, 400.0), (100.0, 200.0)), ((-90.0, 90.0), (100.0, 100.0))] {
        let (thrust, top_speed) = (Vec2::from(thrust), Vec2::from(top_speed));
        for mut engine in engines(&moving(thrust, runner(0.0, top_speed)), &settings) {
            engine.steer(thrust.signum()).unwrap();
            engine.step(1, settings.step_s()).unwrap();
            let velocity = bodies(&mut *engine)[0].velocity;
            assert_near((velocity / top_speed).length().into(), 1.0, 1e-5, "place on the ellipse");
            assert_near((velocity.y / velocity.x).into(), (thrust.y / thrust.x).into(), 1e-5, "direction");
        }
    }
}

#[test]
fn a3_a_diagonal_is_no_faster_than_one_axis() {
    let settings = Settings::default();
    for direction in [Vec2::X, Vec2::NEG_Y, Vec2::new(1.0, 1.0), Vec2::new(-1.0, 1.0)] {
        for mut engine in engines(&alone(runner(800.0, Vec2::splat(200.0))), &settings) {
            engine.steer(direction).unwrap();
            run(&mut *engine, &settings, 1.0);
            let velocity = bodies(&mut *engine)[0].velocity;
            assert_near(velocity.length().into(), 200.0, 1e-5, "speed");
            assert!(velocity.normalize().distance(direction.normalize()) < 1e-5, "{velocity}");
        }
    }
}

#[test]
fn a4_no_thrust_along_an_axis_of_top_speed_0() {
    let settings = Settings::default();
    for mut engine in engines(&moving(Vec2::new(0.0, 70.0), runner(800.0, Vec2::new(200.0, 0.0))), &settings) {
        engine.steer(Vec2::new(1.0, 1.0)).unwrap();
        engine.step(1, settings.step_s()).unwrap();
        assert_eq!(bodies(&mut *engine)[0].velocity.y, 0.0);
        run(&mut *engine, &settings, 1.0);
        let velocity = bodies(&mut *engine)[0].velocity;
        assert!(velocity.is_finite() && velocity.y == 0.0, "{velocity}");
        assert_near(velocity.x.into(), 200.0 / 2f64.sqrt(), 1e-5, "its share of the direction");
    }
}

#[test]
fn a5_gravity_and_drag_act_on_the_environment_alone() {
    let settings = Settings::default();
    let mut world = alone(runner(1_000.0, Vec2::splat(100.0)));
    (world.gravity, world.drag_per_s) = (Vec2::new(0.0, 900.0), 0.5);
    for mut engine in engines(&world, &settings) {
        engine.steer(Vec2::X).unwrap();
        run(&mut *engine, &settings, 1.0);
        let velocity = bodies(&mut *engine)[0].velocity;
        assert_near(velocity.x.into(), 100.0, 1e-5, "no drag on the thrust");
        assert_near(velocity.y.into(), 1_800.0 * (1.0 - (-0.5f64).exp()), 1e-4, "a fall past the top speed");
        engine.steer(Vec2::NEG_Y).unwrap();
        run(&mut *engine, &settings, 1.0);
        let World { bodies, actors, .. } = engine.world().unwrap();
        let fallen = 1_800.0 * (1.0 - (-1f64).exp());
        assert_near(bodies[0].velocity.y.into(), fallen - 100.0, 1e-4, "environment + thrust");
        assert_near(actors[0].environment.y.into(), fallen, 1e-4, "environment");
        assert_eq!(actors[0].thrust, Vec2::new(0.0, -100.0));
    }
}

#[test]
fn a6_a_fall_ends_at_gravity_over_drag() {
    let settings = Settings::default();
    for (world_drag, own_drag) in [(1.8, None), (0.0, Some(1.8)), (0.3, Some(1.8))] {
        let mut world = alone(Character { drag_per_s: own_drag, ..runner(500.0, Vec2::splat(50.0)) });
        (world.gravity, world.drag_per_s) = (Vec2::new(0.0, 900.0), world_drag);
        for mut engine in engines(&world, &settings) {
            run(&mut *engine, &settings, 8.0);
            assert_near(bodies(&mut *engine)[0].velocity.y.into(), 500.0, 1e-4, "terminal speed");
        }
    }
}

#[test]
fn a7_a_release_stops_dead_along_its_axis() {
    let settings = Settings::default();
    for mut engine in engines(&alone(runner(3_000.0, Vec2::splat(240.0))), &settings) {
        engine.steer(Vec2::new(1.0, 1.0)).unwrap();
        run(&mut *engine, &settings, 1.0);
        engine.steer(Vec2::new(0.0, 1.0)).unwrap();
        engine.step(1, settings.step_s()).unwrap();
        let after = bodies(&mut *engine)[0].velocity;
        assert_eq!(after.x, 0.0);
        assert!(after.y > 160.0, "the other axis goes on: {after}");
    }
}

#[test]
fn a7_a_release_glides_by_its_deceleration() {
    let settings = Settings::default();
    let glider = Character { stop: Stop::Glide(370.0), ..runner(3_000.0, Vec2::splat(240.0)) };
    for mut engine in engines(&moving(Vec2::new(240.0, 0.0), glider), &settings) {
        engine.step(1, settings.step_s()).unwrap();
        assert_near(bodies(&mut *engine)[0].velocity.x.into(), 240.0 - 370.0 / 120.0, 1e-5, "speed after a step");
        // 240 px/s are gone after 0.649 s, which is in the 78th step.
        engine.step(76, settings.step_s()).unwrap();
        assert!(bodies(&mut *engine)[0].velocity.x > 0.0);
        engine.step(1, settings.step_s()).unwrap();
        assert_eq!(bodies(&mut *engine)[0].velocity.x, 0.0);
    }
}

#[test]
fn a8_turning_round_takes_the_closed_forms_time_to_a_step() {
    for rate_hz in [30, 60, 120, 144] {
        let settings = Settings { rate_hz, ..Settings::default() };
        // From 220 px/s one way to 220 the other at 900 px/s².
        let closed_form = 440.0 / 900.0;
        assert_near(closed_form, 0.489, 1e-3, "the time of the source");
        for mut engine in engines(&moving(Vec2::new(220.0, 0.0), runner(900.0, Vec2::splat(220.0))), &settings) {
            engine.steer(Vec2::NEG_X).unwrap();
            let mut steps = 0;
            while bodies(&mut *engine)[0].velocity.x > -220.0 {
                engine.step(1, settings.step_s()).unwrap();
                steps += 1;
                assert!(steps < 1_000, "it never turns");
            }
            let late = f64::from(steps) / f64::from(rate_hz) - closed_form;
            assert!((0.0..1.0 / f64::from(rate_hz)).contains(&late), "{late} s late at {rate_hz} Hz");
        }
    }
}

#[test]
fn a9_a_child_stands_beside_its_parent_and_pushes_others() {
    let settings = Settings::default();
    let offset = Vec2::new(30.0, -4.0);
    let mut world = alone(runner(800.0, Vec2::splat(150.0)));
    world.gravity = Vec2::new(0.0, 60.0);
    let child = world.add(Body::ball(Vec2::new(-400.0, 300.0), 5.0).moving(Vec2::new(9.0, 9.0)));
    world.actors.push(Actor::new(child).carried_by(0, offset));
    let other = world.add(Body::ball(Vec2::new(80.0, -4.0), 5.0));
    for mut engine in engines(&world, &settings) {
        engine.steer(Vec2::X).unwrap();
        for step in 0..120 {
            engine.step(1, settings.step_s()).unwrap();
            let after = bodies(&mut *engine);
            assert_eq!(after[child].position, after[0].position + offset, "step {step}");
        }
        let after = bodies(&mut *engine);
        assert!(after[0].position.x > 100.0 && after[0].position.y > 20.0, "{:?}", after[0]);
        assert!(after[other].velocity.x > 140.0, "the child pushes it along: {:?}", after[other]);
        assert_eq!(after[child].inverse_mass, world.bodies[child].inverse_mass, "its mass is its own still");
    }
}

#[test]
fn a9_a_parent_must_not_be_a_child() {
    let mut world = space();
    for x in [0.0, 40.0, 80.0] {
        world.add(Body::ball(Vec2::new(x, 0.0), 5.0));
    }
    let offset = Vec2::new(40.0, 0.0);
    world.actors = vec![Actor::new(1).carried_by(0, offset), Actor::new(2).carried_by(0, offset)];
    world.validate().unwrap();
    world.actors[1] = Actor::new(2).carried_by(1, offset);
    let message = world.validate().unwrap_err().to_string();
    assert!(message.contains("parent of actor 2 is a child itself"), "{message}");
    world.actors[1] = Actor::new(2).carried_by(2, offset);
    assert!(world.validate().unwrap_err().to_string().contains("the id of another of the world's balls"));
    world.actors[1] = Actor::new(2).carried_by(0, Vec2::X);
    assert!(world.validate().unwrap_err().to_string().contains("longer than 10 px"));
}

/// Two falling actors of layers 0 and 3, and a ball that is none.
fn layered() -> World {
    let mut world = alone(runner(500.0, Vec2::splat(100.0)));
    world.gravity = Vec2::new(0.0, 300.0);
    world.add(Body::ball(Vec2::new(100.0, 0.0), 10.0).moving(Vec2::new(40.0, 20.0)));
    world.actors.push(Actor { layer: 3, ..Actor::new(1).of(0) });
    world.add(Body::ball(Vec2::new(200.0, 0.0), 10.0));
    world
}

#[test]
fn a10_only_layers_of_the_mask_are_stepped() {
    let world = layered();
    for (layers, stepped) in [(1, [true, false]), (1 << 3, [false, true]), (0, [false, false]), (9, [true, true])] {
        let settings = Settings { layers, ..Settings::default() };
        for mut engine in engines(&world, &settings) {
            engine.steer(Vec2::X).unwrap();
            run(&mut *engine, &settings, 0.5);
            let after = bodies(&mut *engine);
            for (id, stepped) in stepped.into_iter().enumerate() {
                assert_eq!(after[id] != world.bodies[id], stepped, "actor {id} with layers {layers:b}");
            }
            assert!(after[2].velocity.y > 140.0, "what is no actor is stepped always");
        }
    }
}

#[test]
fn a11_a_frozen_actor_goes_on_as_if_no_time_had_passed() {
    let settings = Settings::default();
    let world = layered();
    let step = |engine: &mut dyn Engine| engine.step(1, settings.step_s()).unwrap();
    for (mut frozen, mut free) in engines(&world, &settings).into_iter().zip(engines(&world, &settings)) {
        for engine in [&mut frozen, &mut free] {
            engine.steer(Vec2::X).unwrap();
            (0..20).for_each(|_| step(&mut **engine));
        }
        let before = bodies(&mut *frozen);
        frozen.order(&[Order::Freeze, Order::Follow]).unwrap();
        step(&mut *frozen);
        let during = bodies(&mut *frozen);
        assert_eq!(during[0], before[0], "no gravity, no drag, no move");
        assert!(during[1].position != before[1].position && during[2].position != before[2].position);
        frozen.order(&[Order::Follow; 2]).unwrap();
        step(&mut *frozen);
        step(&mut *free);
        let (after, expected) = (bodies(&mut *frozen)[0], bodies(&mut *free)[0]);
        assert!(after.position.distance(expected.position) < 1e-4, "{after:?} {expected:?}");
        assert!(after.velocity.distance(expected.velocity) < 1e-3, "{after:?} {expected:?}");
    }
}

#[test]
fn a11_others_meet_a_frozen_actor_as_an_immovable_ball() {
    let settings = Settings::default();
    let mut world = space().with_restitution(1.0);
    for (x, vx) in [(0.0, 50.0), (-60.0, 100.0)] {
        world.add(Body::ball(Vec2::new(x, 0.0), 10.0).moving(Vec2::new(vx, 0.0)));
    }
    world.actors.push(Actor { order: Order::Freeze, ..Actor::new(0) });
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 1.0);
        let after = bodies(&mut *engine);
        assert_eq!(after[0], world.bodies[0]);
        assert_near(after[1].velocity.x.into(), -100.0, 1e-5, "it bounces off");
    }
}

#[test]
fn a12_names_of_models_match_whole() {
    assert_eq!(Model::named("null").unwrap(), Model::Null);
    assert_eq!(Model::named("arcade").unwrap(), Model::Arcade);
    for name in ["nullify", "arcadia", "nul", "Null", "", "arcade "] {
        let message = Model::named(name).unwrap_err().to_string();
        assert!(message.contains(&format!("\"{name}\"")) && message.contains("\"null\" or \"arcade\""), "{message}");
        let text = format!("version = 1\ntitle = \"t\"\n[world]\nmin = [0, 0]\nmax = [9, 9]\nmodel = \"{name}\"\n");
        let message = Scene::parse(&text, "x.toml").unwrap_err().to_string();
        assert!(message.starts_with(&format!("x.toml:6: world.model: \"{name}\" is refused")), "{message}");
    }
}

#[test]
fn a13_without_contacts_a_place_changes_by_velocity_times_time_and_nothing_else() {
    let settings = Settings { contacts: false, ..Settings::default() };
    // Overlapping balls, some of them beyond the walls, in a world with walls and segments.
    let mut world = World::new(Vec2::splat(-100.0), Vec2::splat(100.0));
    world.segments.push(ballpit::Segment::new(Vec2::new(-90.0, -5.0), Vec2::new(90.0, 5.0)));
    crowd(&mut world, 60, [5.0, 20.0], 120.0, 200.0);
    for with_contacts in [false, true] {
        let settings = Settings { contacts: with_contacts, ..settings.clone() };
        for mut engine in engines(&world, &settings) {
            run(&mut *engine, &settings, 1.0);
            let after = bodies(&mut *engine);
            let flew = |(before, after): (&Body, &Body)| {
                let way = after.position - before.position;
                after.velocity == before.velocity && (way - before.velocity).length() < 1e-2
            };
            let flown = world.bodies.iter().zip(&after).filter(|&pair| flew(pair)).count();
            assert_eq!(flown == 60, !with_contacts, "{flown} of 60 flew");
        }
    }
}

#[test]
fn a14_an_error_leaves_the_world_as_it_was() {
    let settings = Settings::default();
    let world = lively();
    for mut engine in engines(&world, &settings) {
        engine.steer(Vec2::X).unwrap();
        run(&mut *engine, &settings, 0.25);
        let before = engine.world().unwrap();
        let refused: [fn(&mut dyn Engine) -> Result<()>; 6] = [
            |engine| engine.step(3, 1.5),
            |engine| engine.time_step(1.5).map(|_| ()),
            |engine| engine.steer(Vec2::new(f32::NAN, 0.0)),
            |engine| engine.steer(Vec2::new(0.0, -1.01)),
            |engine| engine.order(&[]),
            |engine| engine.order(&[Order::Go(Vec2::INFINITY)]),
        ];
        for call in refused {
            assert!(matches!(call(&mut *engine), Err(Error::Value { .. })));
            assert_eq!(engine.world().unwrap(), before);
        }
        assert_eq!(engine.steps(), 30);
        // The world goes on as if nothing had been asked.
        let mut other = engines(&world, &settings).swap_remove(0);
        other.steer(Vec2::X).unwrap();
        run(&mut *other, &settings, 0.5);
        run(&mut *engine, &settings, 0.25);
        assert_eq!(state_hash(&engine.world().unwrap()), state_hash(&other.world().unwrap()));
    }
}

/// Movement logic by which every actor goes its own way.
fn away(actor: &Actor, _: &Body) -> Result<Order> {
    Ok(Order::Go(Vec2::from_angle(actor.ball as f32)))
}

#[test]
fn a14_an_error_of_the_movement_logic_gives_no_order() {
    let settings = Settings::default();
    let scene = Scene::named("swarm").unwrap();
    let world = scene.build(&Overrides { balls: Some(3_050), seed: None }).unwrap();
    for mut engine in engines(&world, &settings) {
        let before = engine.world().unwrap();
        let mut asked = 0;
        let failed = engine.direct(&mut |actor, body| {
            asked += 1;
            if asked == 100 { Err(Error::NotFinite { id: actor.ball, step: 0 }) } else { away(actor, body) }
        });
        assert!(matches!(failed, Err(Error::NotFinite { .. })) && asked == 100);
        assert_eq!(engine.world().unwrap(), before);
        engine.direct(&mut away).unwrap();
        engine.step(1, settings.step_s()).unwrap();
        let after = engine.world().unwrap();
        assert!(after.actors.iter().all(|actor| matches!(actor.order, Order::Go(_)) && actor.thrust != Vec2::ZERO));
    }
}

#[test]
fn a15_a_step_is_as_long_as_its_caller_says() {
    let settings = Settings::default();
    for step_s in [1.0 / 512.0, 0.0123, 0.25, 1.0] {
        for mut engine in engines(&moving(Vec2::new(64.0, 0.0), runner(0.0, Vec2::splat(100.0))), &settings) {
            engine.steer(Vec2::X).unwrap();
            engine.step(1, step_s).unwrap();
            let way = bodies(&mut *engine)[0].position.x;
            assert_near(way.into(), f64::from(64.0 * step_s), 1e-5, "way of a step");
        }
    }
}

#[test]
fn an_actor_at_a_wall_has_no_thrust_in_store() {
    let settings = Settings::default();
    let mut world = World::new(Vec2::ZERO, Vec2::splat(200.0)).with_restitution(0.0);
    world.add_character(runner(1_200.0, Vec2::splat(300.0)));
    world.add(Body::ball(Vec2::splat(100.0), 10.0));
    world.actors.push(Actor::new(0).of(0));
    for mut engine in engines(&world, &settings) {
        engine.steer(Vec2::X).unwrap();
        run(&mut *engine, &settings, 1.0);
        let pressing = bodies(&mut *engine)[0];
        assert!((pressing.position.x - 190.0).abs() < 0.1 && pressing.velocity.x.abs() < 0.1, "{pressing:?}");
        engine.steer(Vec2::ZERO).unwrap();
        run(&mut *engine, &settings, 0.5);
        let released = bodies(&mut *engine)[0];
        assert!((released.position.x - pressing.position.x).abs() < 0.1, "{released:?}");
        engine.steer(Vec2::NEG_X).unwrap();
        engine.step(12, settings.step_s()).unwrap();
        // Away at once: 12 steps of 10 px/s each.
        assert_near(bodies(&mut *engine)[0].velocity.x.into(), -120.0, 1e-2, "velocity");
    }
}

#[test]
fn an_actor_that_is_hit_is_faster_than_its_top_speed() {
    let settings = Settings::default();
    let mut world = moving(Vec2::new(100.0, 0.0), runner(500.0, Vec2::splat(100.0))).with_restitution(1.0);
    world.add(Body::ball(Vec2::new(-60.0, 0.0), 10.0).moving(Vec2::new(300.0, 0.0)));
    for mut engine in engines(&world, &settings) {
        engine.steer(Vec2::X).unwrap();
        run(&mut *engine, &settings, 1.0);
        let World { bodies, actors, .. } = engine.world().unwrap();
        assert_near(bodies[0].velocity.x.into(), 300.0, 1e-4, "it takes over the other's velocity");
        assert_near(actors[0].environment.x.into(), 200.0, 1e-4, "what it was given");
        assert_eq!(actors[0].thrust.x, 100.0);
        // The other one is no actor, and keeps what is left to it.
        assert_near(bodies[1].velocity.x.into(), 100.0, 1e-4, "velocity of the other");
    }
}
