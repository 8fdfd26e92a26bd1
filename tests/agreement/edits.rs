//! Balls and walls that come and go while a world runs, and pushes.

use ballpit::{Body, Brush, Edit, Engine, Error, Measures, Segment, Settings, World};
use glam::Vec2;

use crate::common::{bodies, crowd, engines, scene, scene_of, space};
use crate::{agree, assert_same, readout};

fn edit(engine: &mut dyn Engine, edit: Edit) {
    engine.edit(&edit).unwrap();
}

fn step(engine: &mut dyn Engine, count: u32) {
    engine.step(count, Settings::default().step_s()).unwrap();
}

fn erase(place: Vec2, radius: f32, stamp: u32) -> Edit {
    Edit::Erase { place, radius, stamp }
}

/// Balls in a square about a place, none over another.
fn handful(place: Vec2, count: usize) -> Edit {
    let side = (count as f32).sqrt().ceil() as usize;
    let ball = |k: usize| {
        let at = place + 13.0 * Vec2::new((k % side) as f32, (k / side) as f32);
        Body::ball(at, 4.0 + (k % 3) as f32).moving(Vec2::new(0.0, 200.0))
    };
    Edit::Add((0..count).map(ball).collect())
}

/// Everything that there is to do, over a heap in a box from (60, 90) to (940, 640).
fn everything(engine: &mut dyn Engine) {
    let heap = Vec2::new(500.0, 600.0);
    step(engine, 120);
    edit(engine, handful(Vec2::new(300.0, 120.0), 30));
    step(engine, 30);
    edit(engine, erase(heap, 80.0, 1));
    step(engine, 30);
    edit(engine, Edit::RestoreStamped(1));
    step(engine, 10);
    edit(engine, Edit::EraseStamped(1));
    edit(engine, handful(Vec2::new(600.0, 120.0), 100));
    step(engine, 30);
    let wall = |from: [f32; 2], to: [f32; 2]| Segment { radius: 2.0, ..Segment::new(from.into(), to.into()) };
    edit(engine, Edit::Segments(vec![wall([200.0, 400.0], [500.0, 620.0]), wall([500.0, 620.0], [800.0, 500.0])]));
    step(engine, 30);
    edit(engine, Edit::Add(vec![Body::peg(Vec2::new(500.0, 300.0), 40.0), Body::peg(heap, 15.0)]));
    step(engine, 30);
    for _ in 0..15 {
        edit(engine, Edit::Attract(Brush { place: Vec2::new(400.0, 300.0), radius: 300.0, speed_px_s: 40.0 }));
        step(engine, 2);
    }
    edit(engine, Edit::Repel(Brush { place: heap, radius: 150.0, speed_px_s: 1_500.0 }));
    step(engine, 20);
    edit(engine, Edit::EraseIds(71..90));
    edit(engine, Edit::Segments(Vec::new()));
    step(engine, 40);
    edit(engine, Edit::RestoreIds(71..90));
    step(engine, 40);
}

#[test]
fn all_edits_of_one_ball_seventy_and_many() {
    let (mut alone, settings) = scene("impulse");
    alone.bodies.truncate(1);
    agree(&alone, &settings, 0, everything);
    let (world, settings) = scene("impulse");
    agree(&world, &settings, 21, everything);
}

#[test]
fn all_edits_where_balls_rub_turn_and_sleep() {
    let (mut world, settings) = scene("impulse");
    agree(&world, &settings.clone().with_sleep(), 21, everything);
    world.materials[0].friction = 0.4;
    agree(&world, &settings, 21, everything);
    let settings = Settings { rotation: true, sleep_after_s: 0.25, ..settings };
    agree(&world, &settings, 21, everything);
}

#[test]
fn edits_of_twenty_thousand_balls() {
    let (world, settings) = scene_of("pile", 20_000);
    let (middle, size) = (world.min.midpoint(world.max), world.max - world.min);
    agree(&world, &settings, 9_000, |engine| {
        step(engine, 3);
        edit(engine, handful(middle, 400));
        edit(engine, erase(middle + 0.2 * size, 0.1 * size.x, 7));
        step(engine, 3);
        let wall = Segment { radius: 2.0, ..Segment::new(middle - 0.3 * size, middle + 0.3 * size) };
        edit(engine, Edit::Segments(vec![wall]));
        step(engine, 3);
        edit(engine, Edit::RestoreStamped(7));
        edit(engine, Edit::Repel(Brush { place: middle, radius: 0.2 * size.x, speed_px_s: 900.0 }));
        step(engine, 3);
    });
}

#[test]
fn a_ball_of_another_size_makes_the_grid_anew() {
    let mut world = space();
    crowd(&mut world, 300, [3.0, 5.0], 200.0, 50.0);
    let settings = Settings::default();
    agree(&world, &settings, 77, |engine| {
        step(engine, 10);
        edit(engine, Edit::Add(vec![Body::ball(Vec2::new(10.0, 5.0), 90.0)]));
        step(engine, 10);
        edit(engine, Edit::Add(vec![Body::ball(Vec2::new(-150.0, 5.0), 0.5)]));
        step(engine, 10);
    });
}

#[test]
fn an_edited_world_read_back_goes_on_as_the_run_that_was_not_interrupted() {
    let (mut world, settings) = scene("impulse");
    for friction in [0.0, 0.4] {
        world.materials[0].friction = friction;
        let settings = Settings { sleep_after_s: 0.25, ..settings.clone() };
        for mut uninterrupted in engines(&world, &settings) {
            everything(&mut *uninterrupted);
            edit(&mut *uninterrupted, erase(Vec2::new(300.0, 600.0), 60.0, 9));
            edit(
                &mut *uninterrupted,
                Edit::Segments(vec![Segment::new(Vec2::new(100.0, 600.0), Vec2::new(400.0, 630.0))]),
            );
            step(&mut *uninterrupted, 30);
            let saved = uninterrupted.world().unwrap();
            assert!(saved.bodies.iter().any(|body| body.erased), "nobody is erased");
            step(&mut *uninterrupted, 60);
            let whole = uninterrupted.world().unwrap();
            for mut continued in engines(&saved, &settings) {
                step(&mut *continued, 60);
                assert_same(&whole, &continued.world().unwrap());
            }
            // Without those who are erased, the others do the same.
            for mut continued in engines(&saved.without_erased(), &settings) {
                step(&mut *continued, 60);
                assert_same(&whole.without_erased(), &continued.world().unwrap());
            }
        }
    }
}

#[test]
fn the_erased_are_gone_until_they_are_back_where_they_were() {
    let (world, settings) = scene("impulse");
    let place = Vec2::new(500.0, 600.0);
    for mut engine in engines(&world, &settings) {
        step(&mut *engine, 600);
        let before = bodies(&mut *engine);
        edit(&mut *engine, erase(place, 100.0, 3));
        let after = bodies(&mut *engine);
        let gone: Vec<usize> = (0..70).filter(|&id| after[id].erased).collect();
        let under = |body: &Body| body.position.distance(place) < body.radius.max(100.0);
        assert!(gone.len() > 5 && (0..70).all(|id| after[id].erased == under(&before[id])), "{gone:?}");
        assert_eq!(readout(&mut *engine).erased as usize, gone.len());
        // Nobody holds one that is erased, and the heap falls into the gap.
        engine.press(before[gone[0]].position, 1.0);
        step(&mut *engine, 240);
        let later = bodies(&mut *engine);
        assert!(gone.iter().all(|&id| later[id].position == before[id].position));
        assert!((0..70).any(|id| !gone.contains(&id) && later[id].position.distance(before[id].position) > 10.0));
        let measures = Measures::of(&engine.world().unwrap());
        assert!(measures.deepest_overlap_px < 0.2, "an erased ball is measured: {measures:?}");
        edit(&mut *engine, Edit::RestoreStamped(3));
        let back = bodies(&mut *engine);
        assert!(gone.iter().all(|&id| !back[id].erased && back[id].position == before[id].position));
        step(&mut *engine, 600);
        assert_eq!(readout(&mut *engine).erased, 0);
        assert!(bodies(&mut *engine).iter().all(|body| body.position.y + body.radius < 641.0));
    }
}

#[test]
fn very_many_are_erased_at_once_and_brought_back() {
    let (world, settings) = scene_of("pile", 12_000);
    let (middle, far) = (0.5 * (world.min + world.max), (world.max - world.min).length());
    agree(&world, &settings, 7_777, |engine| {
        step(engine, 2);
        // All but those in a corner.
        edit(engine, erase(middle, 0.4 * far, 1));
        step(engine, 3);
        let erased = readout(engine).erased;
        assert!((10_000..12_000).contains(&erased), "{erased}");
        edit(engine, Edit::RestoreStamped(1));
        step(engine, 3);
        assert_eq!(readout(engine).erased, 0);
    });
}

#[test]
fn the_erased_press_on_nobody_before_the_next_step() {
    let mut world = space().with_gravity(Vec2::new(0.0, 900.0));
    world.add(Body::peg(Vec2::ZERO, 10.0));
    world.add(Body::ball(Vec2::new(0.0, -20.0), 10.0));
    world.add(Body::ball(Vec2::new(0.0, -40.0), 10.0));
    for mut engine in engines(&world, &Settings::default()) {
        step(&mut *engine, 60);
        let both = engine.loads().unwrap().unwrap();
        assert!(both[1] > both[2] && both[2] > 0.0, "{both:?}");
        edit(&mut *engine, Edit::EraseIds(2..3));
        let lower = engine.loads().unwrap().unwrap();
        assert!(lower[1] > 0.0 && lower[1] < both[1] && lower[2] == 0.0, "{lower:?} of {both:?}");
        edit(&mut *engine, Edit::EraseIds(0..1));
        assert_eq!(engine.loads().unwrap().unwrap(), [0.0; 3], "{}", engine.name());
    }
}

#[test]
fn the_erased_overlap_nobody_before_the_next_step() {
    for other in [Body::ball, Body::peg] {
        let mut world = space();
        world.add(Body::ball(Vec2::ZERO, 10.0));
        world.add(other(Vec2::new(15.0, 0.0), 10.0));
        for mut engine in engines(&world, &Settings::default()) {
            engine.step(1, 1e-4).unwrap();
            let before = readout(&mut *engine);
            assert!(before.deepest_overlap_px > 0.5, "{before:?}");
            edit(&mut *engine, Edit::EraseIds(1..2));
            let after = readout(&mut *engine);
            assert_eq!((after.deepest_overlap_px, after.contacts), (0.0, 0), "{}", engine.name());
        }
    }
}

#[test]
fn who_leaned_on_the_erased_wakes() {
    let (world, settings) = scene("impulse");
    let settings = Settings { sleep_after_s: 0.25, ..settings };
    for mut engine in engines(&world, &settings) {
        step(&mut *engine, 900);
        assert!(bodies(&mut *engine).iter().all(|body| body.asleep));
        edit(&mut *engine, erase(Vec2::new(500.0, 620.0), 60.0, 1));
        let before = bodies(&mut *engine);
        step(&mut *engine, 60);
        let moved = |(a, b): (&Body, &Body)| a.position.distance(b.position) > 5.0;
        assert!(before.iter().zip(&bodies(&mut *engine)).any(moved), "a heap hangs in the air");
    }
}

#[test]
fn pushes_go_the_way_they_should() {
    let mut world = space();
    for x in [50.0, 100.0, 250.0] {
        world.add(Body::ball(Vec2::new(x, 0.0), 5.0));
    }
    let settings = Settings::default();
    let brush = Brush { place: Vec2::ZERO, radius: 200.0, speed_px_s: 80.0 };
    for mut engine in engines(&world, &settings) {
        let speeds = |engine: &mut dyn Engine| bodies(engine).iter().map(|body| body.velocity.x).collect::<Vec<_>>();
        edit(&mut *engine, Edit::Attract(brush));
        assert_eq!(speeds(&mut *engine), [-20.0, -40.0, 0.0]);
        edit(&mut *engine, Edit::Attract(Brush { speed_px_s: 0.0, ..brush }));
        assert_eq!(speeds(&mut *engine), [-20.0, -40.0, 0.0]);
        edit(&mut *engine, Edit::Repel(brush));
        let repelled = speeds(&mut *engine);
        assert!((repelled[0] - 40.0).abs() < 1e-3 && repelled[1].abs() < 1e-3 && repelled[2] == 0.0, "{repelled:?}");
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    let (world, settings) = scene("impulse");
    let bad = |text: &str| -> Vec<Edit> {
        let nan = Vec2::splat(f32::NAN);
        match text {
            "position" => vec![Edit::Add(vec![Body::ball(nan, 5.0)])],
            "velocity" => vec![Edit::Add(vec![Body::peg(Vec2::ZERO, 5.0).moving(Vec2::X)])],
            "brush" => vec![
                Edit::Attract(Brush { place: nan, radius: 5.0, speed_px_s: 1.0 }),
                Edit::Repel(Brush { place: Vec2::ZERO, radius: 0.0, speed_px_s: 1.0 }),
                Edit::Repel(Brush { place: Vec2::ZERO, radius: 5.0, speed_px_s: f32::INFINITY }),
                erase(Vec2::ZERO, -1.0, 1),
            ],
            "stamp" => vec![erase(Vec2::ZERO, 5.0, 0), Edit::RestoreStamped(0)],
            _ => vec![Edit::Segments(vec![Segment::new(Vec2::ZERO, Vec2::ZERO)])],
        }
    };
    agree(&world, &settings, 21, |engine| {
        step(engine, 30);
        for name in ["position", "velocity", "brush", "stamp", "segment"] {
            for edit in bad(name) {
                let error = engine.edit(&edit).unwrap_err();
                assert!(matches!(error, Error::Value { .. }) && error.to_string().contains(name), "{error}");
            }
        }
        step(engine, 30);
    });
    for mut edited in engines(&world, &settings) {
        let mut plain = World::clone(&world);
        plain.bodies.truncate(70);
        bad("brush").iter().for_each(|edit| assert!(edited.edit(edit).is_err()));
        assert_same(&edited.world().unwrap(), &plain);
    }
}
