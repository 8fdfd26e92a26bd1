//! The scenes that come with the program.

use ballpit::{Body, CpuEngine, Engine, Overrides, Scene, SequentialEngine, Settings, World, state_hash};

use crate::common::{engines, gpu, scene, scene_of};
use crate::{agree, steps};

#[test]
fn the_device_passes_its_self_test() {
    let Some(gpu) = gpu() else { return };
    let said = gpu.self_test(ballpit::Arithmetic::Exact).unwrap();
    assert!(said.is_exact(), "{}: {said}", gpu.describe());
}

/// Fails unless every ball is somewhere, and its centre in the world's box.
fn assert_inside(world: &World) {
    for (id, body) in world.bodies.iter().enumerate() {
        let is_inside = body.position.cmpge(world.min).all() && body.position.cmple(world.max).all();
        assert!(is_inside && body.velocity.is_finite(), "ball {id}: {body:?}");
    }
}

/// Five seconds of a scene on both engines.
fn five_seconds((world, settings): (World, Settings)) {
    let ball = world.bodies.iter().position(Body::is_movable).unwrap();
    agree(&world, &settings, ball, |engine| {
        steps(5 * settings.rate_hz, &settings)(engine);
        assert_inside(&engine.world().unwrap());
    });
}

macro_rules! five_seconds_of {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            five_seconds(scene(stringify!($name)));
        })*

        /// The scenes of the tests above.
        const RUN: &[&str] = &[$(stringify!($name)),*];
    };
}

five_seconds_of!(impulse bouncy siege cradle gas peg bumpers galton hourglass swarm);

/// Scenes of very many balls, which take a software adapter long: five seconds with some of them, and some steps with all,
/// who fall meanwhile.
macro_rules! large_scenes {
    ($($name:ident: $some:literal, all for $steps:literal steps;)*) => {
        $(#[test]
        fn $name() {
            five_seconds(scene_of(stringify!($name), $some));
            let (world, settings) = scene(stringify!($name));
            agree(&world, &settings, world.bodies.len() - 1, steps($steps, &settings));
        })*

        /// The scenes of the tests above.
        const LARGE: &[&str] = &[$(stringify!($name)),*];
    };
}

large_scenes! {
    pile: 5_000, all for 60 steps;
    mixer: 8_000, all for 60 steps;
    boulder: 10_000, all for 60 steps;
}

#[test]
fn a_settled_heap() {
    let (world, settings) = scene("pile");
    let mut engine = CpuEngine::new(world, settings.clone()).unwrap();
    steps(600, &settings)(&mut engine);
    assert!(engine.readout_now().unwrap().contacts > 30_000, "it is no heap yet");
    agree(&engine.world().unwrap(), &settings, 1_234, steps(40, &settings));
}

#[test]
fn million_for_ten_steps() {
    let (world, settings) = scene("million");
    agree(&world, &settings, 999_999, steps(10, &settings));
}

#[test]
fn courts() {
    ["court", "court-heavy"].into_iter().for_each(repeats_itself);
}

/// The sequential solver has one engine: five seconds of a scene end in the same state again, and only if all is the same.
fn repeats_itself(name: &str) {
    let (world, settings) = scene(name);
    let run = |world: &World| {
        let mut engine = SequentialEngine::new(world.clone(), settings.clone()).unwrap();
        steps(5 * settings.rate_hz, &settings)(&mut engine);
        engine.world().unwrap()
    };
    let once = run(&world);
    assert_inside(&once);
    assert_eq!(state_hash(&once), state_hash(&run(&world)));
    let mut aside = world.clone();
    aside.bodies[50].position.x = aside.bodies[50].position.x.next_up();
    assert_ne!(state_hash(&once), state_hash(&run(&aside)));
}

#[test]
fn no_scene_is_left_out() {
    let known = [RUN, LARGE, &["million", "court", "court-heavy"]].concat();
    for (name, _) in Scene::names() {
        assert!(known.contains(&name), "no test runs {name}");
    }
}

#[test]
fn more_workgroups_than_a_thousand() {
    let (world, settings) = scene_of("pile", 70_000);
    agree(&world, &settings, 69_999, steps(3, &settings));
}

#[test]
fn a_seed_means_one_world() {
    let scene = Scene::named("impulse").unwrap();
    let settings = scene.settings();
    let run = |seed| {
        let world = scene.build(&Overrides { balls: None, seed: Some(seed) }).unwrap();
        let hash = |mut engine: Box<dyn ballpit::Engine>| {
            engine.step(300, settings.step_s()).unwrap();
            state_hash(&engine.world().unwrap())
        };
        engines(&world, &settings).into_iter().map(hash).collect::<Vec<u64>>()
    };
    let first = run(7);
    assert_eq!(first, run(7));
    assert!(first.iter().all(|hash| *hash == first[0]));
    assert_ne!(first[0], run(8)[0]);
}
