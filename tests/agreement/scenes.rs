//! The scenes that come with the program.

use ballpit::{Overrides, Scene, state_hash};

use crate::common::{engines, gpu, scene, scene_of};
use crate::{agree, steps};

#[test]
fn the_device_passes_its_self_test() {
    let Some(gpu) = gpu() else { return };
    let said = gpu.self_test(ballpit::Arithmetic::Exact).unwrap();
    assert!(said.is_exact(), "{}: {said}", gpu.describe());
}

#[test]
fn pile_of_2_000_balls() {
    let (world, settings) = scene_of("pile", 2_000);
    agree(&world, &settings, 1_234, steps(200, &settings));
}

#[test]
fn small_scenes() {
    for (name, steps_made) in
        [("impulse", 500), ("cradle", 500), ("gas", 500), ("peg", 500), ("bumpers", 500), ("hourglass", 120)]
    {
        let (world, settings) = scene(name);
        let ball = world.bodies.iter().position(ballpit::Body::is_movable).unwrap();
        agree(&world, &settings, ball, steps(steps_made, &settings));
    }
    let known = ["pile", "impulse", "cradle", "gas", "peg", "bumpers", "hourglass", "court", "swarm"];
    assert!(Scene::names().map(|(name, _)| name).eq(known), "a scene that no test of agreement runs");
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
