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
    for name in ["impulse", "cradle", "gas", "peg"] {
        let (world, settings) = scene(name);
        agree(&world, &settings, 0, steps(500, &settings));
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
