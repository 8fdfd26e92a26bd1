//! Dispatches of more workgroups than a device takes along an axis, which lie in rows. Hardware takes 65,535, for which a
//! software device has too little room; one that takes sixteen has a row of 1,024 balls where another has millions.

use ballpit::render::{View, picture};
use ballpit::{
    Actor, Arithmetic, Body, Brush, Character, Edit, Engine, Error, Gpu, GpuEngine, Order, Segment, Settings, World,
};
use glam::Vec2;
use wgpu::Limits;

use crate::common::{crowd, gpu};
use crate::devices::both_dialects;
use crate::{agree_on, assert_same};

/// Workgroups of a row.
const ROW: usize = 16;
/// Balls that a workgroup takes.
const GROUP: usize = 64;
/// So many that blocks of cells, four a ball and a thousand a workgroup, have a third row, too.
const BALLS: usize = 7_500;

/// Devices of short rows, for either dialect of the kernels.
fn devices() -> Vec<Gpu> {
    both_dialects(Limits { max_compute_workgroups_per_dimension: ROW as u32, ..Limits::default() })
}

/// A room so wide that its grid has as many cells as it may.
fn hall() -> World {
    let mut world = World::new(Vec2::splat(-1_500.0), Vec2::splat(1_500.0)).with_gravity(Vec2::new(0.0, 300.0));
    crowd(&mut world, BALLS, [3.0, 6.0], 1_400.0, 150.0);
    world
}

fn step(engine: &mut dyn Engine, settings: &Settings, count: u32) {
    engine.step(count, settings.step_s()).unwrap();
}

/// The last ball held, and let go.
fn held(engine: &mut dyn Engine, settings: &Settings) {
    let place = engine.world().unwrap().bodies[BALLS - 1].position;
    engine.press(place, 1.0);
    engine.drag(place + Vec2::new(50.0, -50.0));
    step(engine, settings, 3);
    engine.release();
    step(engine, settings, 2);
}

/// Balls of all rows pushed, erased and brought back.
fn brushed(engine: &mut dyn Engine, settings: &Settings) {
    let place = Vec2::new(0.0, 1_200.0);
    engine.edit(&Edit::Repel(Brush { place, radius: 900.0, speed_px_s: 200.0 })).unwrap();
    engine.edit(&Edit::Erase { place, radius: 400.0, stamp: 1 }).unwrap();
    step(engine, settings, 2);
    engine.edit(&Edit::RestoreStamped(1)).unwrap();
    step(engine, settings, 1);
}

#[test]
fn the_last_ball_of_three_rows_moves_like_the_first() {
    // Two rows, and a third with five groups and a ball of a sixth.
    let balls = (2 * ROW + 5) * GROUP + 1;
    let mut world = World::new(Vec2::ZERO, Vec2::splat(2_000.0));
    let place = |k: usize| Vec2::new((k % 100) as f32 * 20.0 + 5.0, (k / 100) as f32 * 20.0 + 5.0);
    world.bodies = (0..balls).map(|k| Body::ball(place(k), 2.0).moving(Vec2::new(0.0, 60.0))).collect();
    for gpu in devices() {
        agree_on(Some(&gpu), &world, &Settings::default(), balls - 1, |engine| {
            engine.step(1, 1.0 / 120.0).unwrap();
            let after = engine.world().unwrap();
            let fell =
                after.bodies.iter().zip(&world.bodies).filter(|(a, b)| a.position.y == b.position.y + 0.5).count();
            assert_eq!(fell, balls, "so many of {balls} have moved");
        });
    }
}

#[test]
fn rows_of_what_rubs_turns_acts_and_meets_walls() {
    let mut world = hall();
    world.materials[0].friction = 0.4;
    world.segments.push(Segment::new(Vec2::new(-1_300.0, -900.0), Vec2::new(1_300.0, 1_100.0)));
    let acceleration = Vec2::splat(900.0);
    world.add_character(Character { acceleration, top_speed: Vec2::splat(300.0), ..Character::default() });
    let carried = |ball: usize| Actor::new(ball).carried_by(ball - 1, Vec2::new(15.0, 0.0));
    let driven = |ball: usize| Actor::new(ball).of(0);
    world.actors = (0..BALLS).map(|ball| if ball % 50 == 1 { carried(ball) } else { driven(ball) }).collect();
    let settings = Settings { passes: 3, rotation: true, ..Settings::default() };
    for gpu in devices() {
        agree_on(Some(&gpu), &world, &settings, BALLS - 1, |engine| {
            engine.steer(Vec2::new(1.0, -0.5)).unwrap();
            let order = |k: usize| if k % 7 == 3 { Order::Go(Vec2::NEG_Y) } else { Order::Follow };
            engine.order(&(0..BALLS).map(order).collect::<Vec<_>>()).unwrap();
            step(engine, &settings, 2);
            brushed(engine, &settings);
            held(engine, &settings);
        });
    }
}

#[test]
fn rows_of_balls_in_an_impact() {
    // Pairs that meet within the first pass: a list of three rows for a software adapter.
    let mut world = World::new(Vec2::ZERO, Vec2::splat(2_000.0)).with_gravity(Vec2::ZERO);
    world.materials[0].restitution = 1.0;
    let speed = Vec2::new(120.0, 0.0);
    for pair in 0..1_500 {
        let place = Vec2::new((pair % 50) as f32 * 38.0 + 20.0, (pair / 50) as f32 * 38.0 + 20.0);
        world.bodies.push(Body::ball(place, 4.0).moving(speed));
        world.bodies.push(Body::ball(place + Vec2::new(8.05, 0.0), 4.0).moving(-speed));
    }
    for gpu in devices() {
        agree_on(Some(&gpu), &world, &Settings::default(), 2_999, |engine| {
            step(engine, &Settings::default(), 1);
            let turned = engine.world().unwrap().bodies.iter().step_by(2).filter(|ball| ball.velocity.x < 0.0).count();
            assert_eq!(turned, 1_500, "so many have turned round");
        });
    }
}

#[test]
fn rows_of_sleepers_and_those_awake() {
    let mut world = hall();
    // Those above, whose slots come first, so that the blocks of those awake are listed in three rows.
    world.bodies.iter_mut().filter(|ball| ball.position.y < -600.0).for_each(|ball| {
        (ball.asleep, ball.velocity) = (true, Vec2::ZERO);
    });
    let settings = Settings { passes: 3, sleep_after_s: 0.25, ..Settings::default() };
    let still = |world: &World| world.bodies.iter().filter(|ball| ball.asleep).count();
    let before = still(&world);
    for gpu in devices() {
        agree_on(Some(&gpu), &world, &settings, BALLS - 1, |engine| {
            // Without edits, which wake all.
            held(engine, &settings);
            let after = still(&engine.world().unwrap());
            assert!(after > before / 2, "{after} of {before} still sleep");
        });
    }
}

#[test]
fn rows_of_balls_are_drawn_and_weighed_like_those_of_one_row() {
    let Some(gpu) = gpu() else { return };
    let world = hall();
    // Small balls and discs: the crowd of the whole hall, and a part of it large.
    let whole = View::of(&world, (600, 600));
    let mut near = View::of(&world, (600, 600));
    near.camera.zoom_at(Vec2::new(300.0, 590.0), 3.0);
    let devices = devices();
    for view in [whole, near] {
        let [in_rows, in_one] = [&devices[0], gpu].map(|gpu| picture(gpu, &world, &[], (600, 600), &view).unwrap());
        assert!(in_rows.rgba() == in_one.rgba(), "the pictures differ");
        let mut without = world.clone();
        without.bodies.truncate(2 * ROW * GROUP);
        assert!(
            picture(gpu, &without, &[], (600, 600), &view).unwrap().rgba() != in_one.rgba(),
            "the third row is not seen"
        );
    }
    for small in &devices {
        let [mut in_rows, mut in_one] =
            [small, gpu].map(|gpu| crate::common::gpu_engine(gpu, &world, &Settings::default()));
        for engine in [&mut in_rows, &mut in_one] {
            engine.step(3, 1.0 / 120.0).unwrap();
        }
        let loads = in_rows.loads().unwrap().unwrap();
        assert!(loads.iter().any(|load| *load > 0.0), "nothing presses on anybody");
        assert_eq!(loads, in_one.loads().unwrap().unwrap());
        assert_same(&in_rows.world().unwrap(), &in_one.world().unwrap());
    }
}

#[test]
fn a_device_names_the_most_that_its_rows_hold() {
    let most = ROW * ROW * GROUP;
    let mut world = hall();
    crowd(&mut world, most - BALLS, [3.0, 6.0], 1_400.0, 150.0);
    let settings = Settings { passes: 1, ..Settings::default() };
    for gpu in devices() {
        agree_on(Some(&gpu), &world, &settings, most - 1, |engine| step(engine, &settings, 1));
        let mut larger = world.clone();
        larger.add(Body::ball(Vec2::ZERO, 3.0));
        let refused = GpuEngine::new(&gpu, larger, settings.clone(), Arithmetic::Exact).err();
        assert!(matches!(refused, Some(Error::TooManyBalls { most: said, .. }) if said == most), "{refused:?}");
    }
}
