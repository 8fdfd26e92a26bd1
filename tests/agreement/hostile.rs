//! Worlds that nobody means to make, and values that no world may have.

use std::fs;
use std::path::{Path, PathBuf};

use ballpit::{
    Body, CpuEngine, Error, Motion, Overrides, Recording, Scene, Segment, Settings, Snapshot, Surface, Tuning, World,
    state_hash,
};
use glam::Vec2;

use crate::common::{cpu_engine, crowd, engines, gpu, gpu_engine, scene, space};
use crate::{agree, assert_same, readers, steps};

/// What no field may be, whatever else it may.
const NEVER: [f32; 5] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30];

/// A field that is set, by the name that an error calls it.
type Field = (&'static str, fn(&mut World, f32));

/// A ball, a peg's place, a surface, a segment, each in one field.
const FIELDS: [Field; 18] = [
    ("world min x", |world, value| world.min.x = value),
    ("world max y", |world, value| world.max.y = value),
    ("gravity x", |world, value| world.gravity.x = value),
    ("gravity y", |world, value| world.gravity.y = value),
    ("drag", |world, value| world.drag_per_s = value),
    ("restitution", |world, value| world.materials[0].restitution = value),
    ("friction", |world, value| world.materials[0].friction = value),
    ("surface 3", |world, value| world.surfaces[3].point.x = value),
    ("surface 3", |world, value| world.surfaces[3].normal.y = value),
    ("segment 0", |world, value| world.segments[0].to.y = value),
    ("segment 0", |world, value| world.segments[0].radius = value),
    ("position x of ball 69", |world, value| world.bodies[69].position.x = value),
    ("velocity y of ball 69", |world, value| world.bodies[69].velocity.y = value),
    ("radius of ball 69", |world, value| world.bodies[69].radius = value),
    ("inverse mass of ball 69", |world, value| world.bodies[69].inverse_mass = value),
    ("split of ball 69", |world, value| world.bodies[69].split = value),
    ("spin of ball 69", |world, value| world.bodies[69].spin = value),
    ("angle of ball 69", |world, value| world.bodies[69].angle = value),
];

/// Fields that may not be below 0 either.
const POSITIVE: [&str; 6] =
    ["drag", "restitution", "friction", "radius of ball 69", "inverse mass of ball 69", "split of ball 69"];

/// The seventy balls with a segment among them.
fn walled() -> (World, Settings) {
    let (mut world, settings) = scene("impulse");
    world.segments.push(Segment::new(Vec2::new(100.0, 600.0), Vec2::new(200.0, 620.0)));
    (world, settings)
}

#[test]
fn no_field_takes_what_no_world_may_have() {
    let (world, settings) = walled();
    for (name, set) in FIELDS {
        let negative = POSITIVE.contains(&name).then_some(-1.0);
        for value in NEVER.into_iter().chain(negative) {
            let mut wrong = world.clone();
            set(&mut wrong, value);
            let refused = CpuEngine::new(wrong.clone(), settings.clone()).err();
            let Some(Error::Value { name: said, .. }) = &refused else { panic!("{name} {value}: {refused:?}") };
            assert!(said.contains(name), "{said} instead of {name}");
            if let Some(gpu) = gpu() {
                let exact = ballpit::Arithmetic::Exact;
                let on_gpu = ballpit::GpuEngine::new(gpu, wrong, settings.clone(), exact).err();
                assert_eq!(on_gpu.map(|error| error.to_string()), refused.map(|error| error.to_string()));
            }
        }
    }
}

#[test]
fn a_pointer_that_is_nowhere_moves_no_ball_away() {
    let (world, settings) = scene("impulse");
    let nowhere = [Vec2::splat(f32::NAN), Vec2::new(f32::NAN, 3.0), Vec2::splat(f32::INFINITY), Vec2::splat(-1e30)];
    agree(&world, &settings, 21, |engine| {
        engine.step(100, settings.step_s()).unwrap();
        for place in nowhere {
            engine.press(place, 0.5);
            engine.step(2, settings.step_s()).unwrap();
            let held = engine.world().unwrap().bodies[20].position;
            engine.press(held, 1.0);
            engine.drag(place);
            engine.step(10, settings.step_s()).unwrap();
            engine.drag(held);
            engine.step(10, settings.step_s()).unwrap();
            engine.release();
        }
        engine.step(200, settings.step_s()).unwrap();
        assert_eq!(engine.world().unwrap().lost_ball(), None);
    });
}

#[test]
fn two_and_a_thousand_balls_in_one_place() {
    for count in [2, 1_000] {
        let mut world = space().with_gravity(Vec2::new(0.0, 900.0));
        for _ in 0..count {
            world.add(Body::ball(Vec2::new(3.0, -4.0), 4.0));
        }
        // Where a ball is nudged, as long as two of them lie in one place, does not show: one by itself does.
        let lone = world.add(Body::ball(Vec2::new(300.0, 7.0), 4.0));
        let settings = Settings { passes: 4, ..Settings::default() };
        agree(&world, &settings, lone, |engine| {
            engine.step(6, settings.step_s()).unwrap();
            let world = engine.world().unwrap();
            assert_eq!(world.lost_ball(), None);
            assert_ne!(world.bodies[0].position, world.bodies[1].position, "they stay in one place");
        });
    }
}

#[test]
fn ten_thousand_balls_in_one_cell() {
    let mut world = World::new(Vec2::splat(-350.0), Vec2::splat(350.0)).with_gravity(Vec2::new(0.0, 900.0));
    crowd(&mut world, 10_000, [4.0, 4.0], 2.0, 10.0);
    let mut aside = world.clone();
    aside.bodies[9_999].position.x = aside.bodies[9_999].position.x.next_up();
    let settings = Settings { passes: 1, ..Settings::default() };
    let stepped = |mut engine: Box<dyn ballpit::Engine>| {
        engine.step(1, settings.step_s()).unwrap();
        engine.world().unwrap()
    };
    // Without the readouts of other comparisons: each of them looks at a hundred million pairs again.
    let [on_cpu, elsewhere] = [&world, &aside].map(|world| stepped(cpu_engine(world, &settings)));
    assert_eq!(on_cpu.lost_ball(), None);
    assert_ne!(state_hash(&on_cpu), state_hash(&elsewhere), "one unit in the last place does not show");
    if let Some(gpu) = gpu() {
        assert_same(&on_cpu, &stepped(gpu_engine(gpu, &world, &settings)));
    }
}

#[test]
fn a_world_of_a_million_px_with_balls_of_radius_1() {
    let mut world = World::new(Vec2::splat(-5e5), Vec2::splat(5e5)).with_gravity(Vec2::new(0.0, 900.0));
    crowd(&mut world, 500, [1.0, 1.0], 499_000.0, 500.0);
    crowd(&mut world, 100, [1.0, 1.0], 6.0, 50.0);
    let settings = Settings::default();
    agree(&world, &settings, 599, steps(60, &settings));
    if let Some(gpu) = gpu() {
        let engine = ballpit::GpuEngine::new(gpu, world, settings, ballpit::Arithmetic::Exact).unwrap();
        let bytes = engine.device_bytes();
        assert!(bytes < 4 << 20, "{bytes} bytes for 600 balls");
    }
}

#[test]
fn walls_that_close_in_until_nothing_fits() {
    let mut world = World::new(Vec2::splat(-100.0), Vec2::splat(100.0)).with_gravity(Vec2::new(0.0, 900.0));
    crowd(&mut world, 150, [4.0, 8.0], 90.0, 50.0);
    for (point, normal) in [(-100.0, Vec2::X), (100.0, Vec2::NEG_X)] {
        let motion = Motion { velocity: 200.0 * normal, ..Motion::default() };
        world.surfaces.push(Surface::new(Vec2::new(point, 0.0), normal).moving(motion));
    }
    let settings = Settings::default();
    // They meet after half a second, and pass each other after that.
    agree(&world, &settings, 7, |engine| {
        for _ in 0..9 {
            engine.step(10, settings.step_s()).unwrap();
            assert_eq!(engine.world().unwrap().lost_ball(), None);
        }
    });
}

#[test]
fn no_change_of_a_running_world_takes_what_no_world_may_have() {
    let (world, settings) = scene("impulse");
    let changes: [fn(&mut Tuning, f32); 6] = [
        |tuning, value| tuning.gravity.x = value,
        |tuning, value| tuning.drag_per_s = value,
        |tuning, value| tuning.restitution[0] = value,
        |tuning, value| tuning.friction[0] = value,
        |tuning, value| tuning.settings.relief = value,
        |tuning, value| tuning.settings.most_speed_px_s = value,
    ];
    for mut engine in engines(&world, &settings) {
        engine.step(30, settings.step_s()).unwrap();
        let before = engine.world().unwrap();
        for change in changes {
            for value in NEVER {
                let mut tuning = Tuning::of(&world, &settings);
                change(&mut tuning, value);
                assert!(matches!(engine.retune(&tuning), Err(Error::Value { .. })), "{value} in {tuning:?}");
                assert_same(&engine.world().unwrap(), &before);
            }
        }
        engine.step(30, settings.step_s()).unwrap();
        let mut other = engines(&world, &settings).swap_remove(0);
        other.step(60, settings.step_s()).unwrap();
        assert_same(&engine.world().unwrap(), &other.world().unwrap());
    }
}

/// The files that a fuzzer begins with, and those that it has found something with.
fn corpus(reader: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(reader);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn what_a_fuzzer_begins_with_is_read_as_it_asks() {
    let sound = |name: &str, check: fn(&[u8]), read: fn(&[u8]) -> bool| {
        let files = corpus(name);
        files.iter().for_each(|(_, bytes)| check(bytes));
        let sound = files.iter().filter(|(_, bytes)| read(bytes)).count();
        assert!(sound >= 2, "{sound} of {} in {name} are sound", files.len());
    };
    sound("scene", readers::scene, |bytes| {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        Scene::parse(text, "x").and_then(|scene| scene.build(&Overrides::default())).is_ok()
    });
    sound("recording", readers::recording, |bytes| Recording::read_from(bytes, "x").is_ok());
    sound("saved", readers::saved, |bytes| Snapshot::from_bytes(&readers::framed(bytes), "x").is_ok());
}
