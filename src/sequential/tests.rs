use super::*;
use crate::{Clock, Measures, Mode, Motion, Overrides, Scene, Segment};
use std::time::Duration;

fn sequential(passes: u32) -> Settings {
    Settings { solver: Solver::Sequential(StageOrder::default()), passes, ..Settings::default() }
}

#[test]
fn c5_overlap_and_approach_are_answered_as_in_the_table() {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0)).with_restitution(0.8);
    let pair = [(100.0, 60.0), (107.0, -60.0)];
    for (x, vx) in pair {
        world.add(Body { inverse_mass: 1.0, ..Body::ball(Vec2::new(x, 100.0), 4.0) }.moving(Vec2::new(vx, 0.0)));
    }
    let mut engine = SequentialEngine::new(world, sequential(1)).unwrap();
    assert_eq!(engine.answer_pairs(), 1);
    let [a, b] = [&engine.world.bodies[0], &engine.world.bodies[1]];
    assert_eq!((a.position.x, b.position.x), (99.5, 107.5));
    assert!((a.velocity.x + 48.0).abs() < 1e-4 && (b.velocity.x - 48.0).abs() < 1e-4);
}

#[test]
fn o3_the_border_first_and_once_more_at_the_end_is_the_right_order_to_the_last_bit() {
    let world = Scene::named("court").unwrap().build(&Overrides::default()).unwrap();
    let engine = |order: &str| {
        let solver = Solver::Sequential(order.parse().unwrap());
        let mut engine = SequentialEngine::new(world.clone(), Settings { solver, ..sequential(1) }).unwrap();
        engine.step(600, 1.0 / 60.0).unwrap();
        engine
    };
    let (right, mut early) = (engine("kcb"), engine("bkc"));
    assert_ne!(early.world, right.world);
    early.answer_surfaces();
    assert_eq!(early.world, right.world);
}

fn settled_pile() -> (SequentialEngine, Clock) {
    let world = Scene::named("impulse").unwrap().build(&Overrides::default()).unwrap();
    let mut engine = SequentialEngine::new(world, sequential(4)).unwrap();
    engine.step(9 * 120, 1.0 / 120.0).unwrap();
    (engine, Clock::new(120))
}

fn after_spike(mode: Mode) -> (Measures, f32) {
    let (mut engine, mut clock) = settled_pile();
    let before = engine.world.bodies.clone();
    clock.set_mode(mode);
    clock.lag_spike();
    let tick = clock.frame(Duration::from_millis(16));
    engine.step(tick.steps, tick.step_s).unwrap();
    let moved = engine.world.bodies.iter().zip(&before).map(|(a, b)| a.position.distance(b.position));
    (Measures::of(&engine.world), moved.fold(0.0, f32::max))
}

#[test]
fn t5_a_spike_of_fixed_steps_moves_no_settled_ball() {
    let (_, moved) = after_spike(Mode::Fixed);
    assert!(moved < 1.0 / 3.0, "a ball moved {moved} px");
}

#[test]
fn t6_a_spike_in_one_variable_step_crushes_the_pile() {
    let (measures, moved) = after_spike(Mode::Variable);
    assert!((17.0..=26.0).contains(&measures.deepest_overlap_px), "{measures:?}");
    assert!(moved > 1.0 / 3.0, "no ball moved more than {moved} px");
}

#[test]
fn segments_hold_and_moving_surfaces_push() {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0)).open().with_gravity(Vec2::new(0.0, 900.0));
    world.segments.push(Segment::new(Vec2::new(100.0, 500.0), Vec2::new(900.0, 500.0)));
    world.add(Body::ball(Vec2::new(300.0, 400.0), 5.0));
    world.add(Body::ball(Vec2::new(500.0, 400.0), 5.0).moving(Vec2::new(0.0, 1e6)));
    world.add(Body::ball(Vec2::new(700.0, 494.0), 5.0));
    let motion = Motion { velocity: Vec2::new(-50.0, 0.0), ..Motion::default() };
    world.surfaces.push(Surface::new(Vec2::new(720.0, 0.0), Vec2::NEG_X).moving(motion));
    let mut engine = SequentialEngine::new(world, sequential(4)).unwrap();
    engine.step(240, 1.0 / 120.0).unwrap();
    let bodies = &engine.world.bodies;
    assert!(bodies[1].position.y < 494.1, "{:?}", bodies[1]);
    assert!((bodies[0].position.y - 494.0).abs() < 0.2, "{:?}", bodies[0]);
    assert!(bodies[2].position.x < 720.0 - 100.0, "{:?}", bodies[2]);
}

#[test]
fn no_ball_is_pushed_through_a_segment_by_another() {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0)).with_gravity(Vec2::new(0.0, 900.0));
    world.segments.push(Segment { radius: 0.0, ..Segment::new(Vec2::new(0.0, 500.0), Vec2::new(1000.0, 500.0)) });
    for k in 0..400 {
        let ball = Body::ball(Vec2::new(20.0 + (k % 40) as f32 * 24.0, 20.0 + (k / 40) as f32 * 45.0), 8.0);
        world.add(ball.moving(Vec2::from_angle(k as f32) * 1_500.0));
    }
    let mut engine = SequentialEngine::new(world, sequential(1)).unwrap();
    engine.step(120, 1.0 / 120.0).unwrap();
    let through = engine.world.bodies.iter().filter(|body| body.position.y > 500.0).count();
    assert_eq!(through, 0);
}

#[test]
fn edits_are_those_of_the_other_engines() {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0)).with_gravity(Vec2::new(0.0, 900.0));
    world.add(Body::ball(Vec2::new(500.0, 990.0), 10.0));
    let mut engine = SequentialEngine::new(world, sequential(4)).unwrap();
    engine.edit(&Edit::Erase { place: Vec2::new(500.0, 990.0), radius: 5.0, stamp: 1 }).unwrap();
    engine.edit(&Edit::Add(vec![Body::ball(Vec2::new(501.0, 900.0), 10.0)])).unwrap();
    engine.step(240, 1.0 / 120.0).unwrap();
    let bodies = engine.world().unwrap().bodies;
    assert!(bodies[0].erased && bodies[0].position == Vec2::new(500.0, 990.0), "{bodies:?}");
    assert!((bodies[1].position.y - 990.0).abs() < 1.0, "it meets one that is erased: {bodies:?}");
    engine.edit(&Edit::RestoreStamped(1)).unwrap();
    engine.step(240, 1.0 / 120.0).unwrap();
    let bodies = engine.world().unwrap().bodies;
    let apart = bodies[0].position.distance(bodies[1].position);
    assert!(!bodies[0].erased && apart > 19.0, "{bodies:?}");
    let too_many = vec![bodies[0]; SequentialEngine::MOST_BALLS];
    assert!(engine.edit(&Edit::Add(too_many)).is_err());
    assert_eq!(engine.world().unwrap().bodies.len(), 2);
}

#[test]
fn an_erased_peg_goes_round_with_its_wheel_unseen() {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0));
    world.wheels.push(crate::Wheel { centre: Vec2::splat(500.0), turn_rad_s: 1.0 });
    let places = [Vec2::new(600.0, 500.0), Vec2::new(400.0, 500.0)];
    world.bodies.extend(places.map(|place| Body { wheel: Some(0), ..Body::peg(place, 6.0) }));
    let mut engine = SequentialEngine::new(world, sequential(1)).unwrap();
    engine.edit(&Edit::EraseIds(0..1)).unwrap();
    engine.step(60, 1.0 / 120.0).unwrap();
    let bodies = engine.world().unwrap().bodies;
    let across = bodies[0].position.midpoint(bodies[1].position);
    assert!(bodies[0].erased && across.distance(Vec2::splat(500.0)) < 1e-2, "{bodies:?}");
    assert!(bodies[1].position.distance(places[1]) > 40.0, "{:?}", bodies[1]);
}

#[test]
fn more_balls_than_it_can_pair_are_refused() {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0));
    world.bodies = vec![Body::ball(Vec2::splat(500.0), 1.0); SequentialEngine::MOST_BALLS + 1];
    let error = SequentialEngine::new(world, sequential(1)).err().unwrap().to_string();
    assert!(error.contains("at most 5000"), "{error}");
}

#[test]
fn friction_stops_a_slide_and_holds_a_slope_up_to_its_angle() {
    for (gravity, speed, slides) in
        [((0.0, 900.0), 200.0, 0.0), ((260.0, 900.0), 0.0, 0.0), ((280.0, 900.0), 0.0, 10.0)]
    {
        let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0)).with_gravity(Vec2::from(gravity));
        world.materials[0].friction = 0.3;
        world.add(Body::ball(Vec2::new(500.0, 990.0), 10.0).moving(Vec2::new(speed, 0.0)));
        let mut engine = SequentialEngine::new(world, sequential(4)).unwrap();
        engine.step(120, 1.0 / 120.0).unwrap();
        let velocity = engine.world.bodies[0].velocity.x;
        assert!((velocity - slides).abs() < 0.2 * slides + 1e-3, "{velocity} px/s under {gravity:?}");
    }
}

#[test]
fn rotation_is_refused_with_the_reason() {
    let world = World::new(Vec2::ZERO, Vec2::splat(1000.0));
    let settings = Settings { rotation: true, ..sequential(1) };
    let error = SequentialEngine::new(world, settings).err().unwrap().to_string();
    assert!(error.contains("do not turn"), "{error}");
}
