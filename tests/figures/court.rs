//! The hundred balls of the court: what the order of the stages decides, by the sequential solver.

use ballpit::{Body, Engine, Overrides, Scene, SequentialEngine, Settings, Solver, World};

use crate::common::assert_near;

const SEEDS: std::ops::RangeInclusive<u64> = 1..=6;

/// What a second of the court shows.
#[derive(Clone, Debug, PartialEq)]
struct Second {
    ball_0: Body,
    /// Pairs answered in it.
    resolved: u64,
    /// Deepest that a ball ended one of its ticks below the floor, px.
    below_px: f32,
    asleep: usize,
}

fn court(seed: u64, restitution: f32) -> World {
    named("court", seed, restitution)
}

fn named(name: &str, seed: u64, restitution: f32) -> World {
    let mut world = Scene::named(name).unwrap().build(&Overrides { balls: None, seed: Some(seed) }).unwrap();
    world.materials.iter_mut().for_each(|material| material.restitution = restitution);
    world
}

fn ordered(order: &str) -> Settings {
    let settings =
        Settings { solver: Solver::Sequential(order.parse().unwrap()), ..Scene::named("court").unwrap().settings() };
    if order.contains('s') { settings.with_sleep() } else { settings }
}

/// Ten seconds of a world.
fn ten_seconds(world: World, settings: Settings) -> Vec<Second> {
    let mut engine = SequentialEngine::new(world, settings.clone()).unwrap();
    let mut before = 0;
    let second = |_| {
        let mut below_px = 0f32;
        for _ in 0..settings.rate_hz {
            engine.step(1, settings.step_s()).unwrap();
            let world = engine.world().unwrap();
            below_px =
                world.bodies.iter().map(|ball| ball.position.y + ball.radius - world.max.y).fold(below_px, f32::max);
        }
        let bodies = engine.world().unwrap().bodies;
        let resolved = engine.resolved().unwrap() - before;
        before += resolved;
        Second { ball_0: bodies[0], resolved, below_px, asleep: bodies.iter().filter(|ball| ball.asleep).count() }
    };
    (0..10).map(second).collect()
}

fn seconds(order: &str, seed: u64) -> Vec<Second> {
    ten_seconds(court(seed, 0.8), ordered(order))
}

fn mean(values: impl Iterator<Item = u64>) -> f64 {
    let values: Vec<u64> = values.collect();
    values.iter().sum::<u64>() as f64 / values.len() as f64
}

#[test]
fn o1_the_border_last_lets_nothing_through_the_floor() {
    for seed in SEEDS {
        let seconds = seconds("kcb", seed);
        assert!(seconds.iter().all(|second| second.below_px == 0.0), "{seconds:?}");
    }
}

#[test]
fn o2_kinematics_last_shows_balls_below_the_floor() {
    for seed in SEEDS {
        let below: Vec<f32> = seconds("bck", seed).iter().map(|second| second.below_px).collect();
        assert!((5.0..10.0).contains(&below[0]) && (2.5..5.0).contains(&below[1]), "{below:?}");
        assert!(below[2..].iter().all(|px| (1.0..2.5).contains(px)), "{below:?}");
    }
}

#[test]
fn o3_the_border_first_differs_from_the_right_order_by_its_last_border_alone() {
    for seed in SEEDS {
        let (right, early) = (seconds("kcb", seed), seconds("bkc", seed));
        for (second, (right, early)) in right.iter().zip(&early).enumerate() {
            assert_eq!(right.resolved, early.resolved);
            let most = if second == 0 { 4.0..8.0 } else { 0.5..3.0 };
            assert!(most.contains(&early.below_px), "{early:?}");
        }
    }
}

#[test]
fn o4_contacts_resolved_a_second() {
    let resolved = |restitution| {
        let run = |seed| ten_seconds(court(seed, restitution), ordered("kcb"));
        SEEDS.map(run).map(|seconds| seconds.iter().map(|second| second.resolved).collect()).collect::<Vec<Vec<u64>>>()
    };
    let usual = resolved(0.8);
    assert!(usual.iter().all(|seed| (1_400..=1_650).contains(&seed[0])), "{usual:?}");
    assert_near(mean(usual.iter().map(|seed| seed[1])), 6_200.0, 0.1, "contacts in the second second");
    let settled = mean(usual.iter().flat_map(|seed| seed[3..].to_vec()));
    assert!((9_500.0..9_950.0).contains(&settled), "{settled} contacts a second once settled");

    let elastic = mean(resolved(1.0).iter().flat_map(|seed| seed[..3].to_vec()));
    assert!((1_100.0..1_400.0).contains(&elastic), "{elastic} contacts a second between elastic balls");

    // Not hundreds: gravity closes each contact anew.
    let dead = mean(resolved(0.0).iter().flat_map(|seed| seed[3..].to_vec()));
    assert_near(dead, 10_800.0, 0.03, "contacts a second between dead balls");
}

#[test]
fn o5_a_seed_gives_the_same_seconds() {
    assert_eq!(seconds("kcb", 1), seconds("kcb", 1));
    assert_ne!(seconds("kcb", 1), seconds("kcb", 2));
}

/// At a pass and 60 steps a second the pile trembles too much to sleep; at four passes and 120 it lies still.
fn still(order: &str) -> Settings {
    Settings { rate_hz: 120, passes: 4, ..ordered(order) }
}

#[test]
fn o6_a_pile_falls_asleep_and_leaves_only_the_contacts_of_those_awake() {
    for seed in SEEDS {
        let (asleep, awake) =
            (ten_seconds(court(seed, 0.8), still("kcbs")), ten_seconds(court(seed, 0.8), still("kcb")));
        assert!(awake.iter().all(|second| second.asleep == 0));
        assert!(asleep[9].asleep >= 80, "{} of 100 sleep", asleep[9].asleep);
        let share = asleep[9].resolved as f64 / awake[9].resolved as f64;
        assert!(share < 0.25, "{share} of the contacts are left where {} of 100 sleep", asleep[9].asleep);
    }
}

#[test]
fn o6_who_sleeps_does_not_move_until_it_is_hit() {
    let (world, settings) = (court(1, 0.8), still("kcbs"));
    let mut engine = SequentialEngine::new(world, settings.clone()).unwrap();
    engine.step(1_200, settings.step_s()).unwrap();
    let mut before = engine.world().unwrap();
    let sleepers = |world: &World| (0..100).filter(|&id| world.bodies[id].asleep).collect::<Vec<_>>();
    engine.step(100, settings.step_s()).unwrap();
    let after = engine.world().unwrap();
    for id in sleepers(&before).into_iter().filter(|&id| after.bodies[id].asleep) {
        assert_eq!(before.bodies[id], after.bodies[id]);
    }

    // A ball falls on the left of the pile: there it wakes, and on the right it sleeps on.
    before = after;
    before.add(Body::ball(glam::Vec2::new(30.0, 60.0), 4.0));
    let mut engine = SequentialEngine::new(before.clone(), settings.clone()).unwrap();
    let mut woken = [false; 100];
    for _ in 0..120 {
        engine.step(1, settings.step_s()).unwrap();
        let now = engine.world().unwrap();
        sleepers(&before).into_iter().for_each(|id| woken[id] |= !now.bodies[id].asleep);
    }
    let woken: Vec<f32> = (0..100).filter(|&id| woken[id]).map(|id| before.bodies[id].position.x).collect();
    assert!(!woken.is_empty() && woken.iter().all(|x| *x < 160.0), "woken at {woken:?}");
}

/// What contacts change of the mean big ball's velocity to left and right in the first two seconds, over the same of the
/// mean small one.
fn deflection(world: World) -> f32 {
    let settings = ordered("kcb");
    let mut engine = SequentialEngine::new(world, settings.clone()).unwrap();
    let mut sums = [[0.0; 2]; 2];
    for _ in 0..2 * settings.rate_hz {
        let before = engine.world().unwrap().bodies;
        engine.step(1, settings.step_s()).unwrap();
        for (ball, was) in engine.world().unwrap().bodies.iter().zip(&before) {
            let [change, balls] = &mut sums[usize::from(ball.radius > 5.0)];
            *change += (ball.velocity.x - was.velocity.x).abs();
            *balls += 1.0;
        }
    }
    let [small, big] = sums.map(|[change, balls]| change / balls);
    big / small
}

/// The text's second exercise. Of twice the mass, a ball takes two thirds of the velocity that a contact would change.
#[test]
fn big_balls_of_twice_the_mass_plough_through_small_ones() {
    let [equal, heavy] = ["court", "court-heavy"]
        .map(|name| SEEDS.map(|seed| deflection(named(name, seed, 0.8))).sum::<f32>() / SEEDS.count() as f32);
    assert!((0.55..0.85).contains(&(heavy / equal)), "{heavy} of a small ball's, {equal} where all weigh the same");
}
