//! Stage times, asked in one frame and told in a later one.

use ballpit::{Arithmetic, Engine, Gpu, GpuEngine, Overrides, Scene, Stage, StageTimes, state_hash};
use wgpu::{CommandEncoderDescriptor, Features};

use crate::common::gpu;

const STEP_S: f32 = 1.0 / 120.0;

fn engine(gpu: &Gpu, balls: usize) -> GpuEngine {
    let scene = Scene::named("pile").unwrap();
    let world = scene.build(&Overrides { balls: Some(balls), ..Overrides::default() }).unwrap();
    GpuEngine::new(gpu, world, scene.settings(), Arithmetic::Exact).unwrap()
}

/// Encodes a timed step and submits it.
fn timed_step(gpu: &Gpu, engine: &mut GpuEngine) {
    let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
    engine.encode_timed(&mut encoder, STEP_S).unwrap();
    gpu.queue.submit([encoder.finish()]);
}

#[test]
fn a_timed_step_is_the_same_step_and_its_times_come_when_they_are_asked_for() {
    let Some(gpu) = gpu() else { return };
    for balls in [70, 600] {
        a_timed_step_of(gpu, balls);
    }
}

/// Few balls, which a software adapter steps by the kernels of hardware, or many.
fn a_timed_step_of(gpu: &Gpu, balls: usize) {
    let (mut plain, mut timed) = (engine(gpu, balls), engine(gpu, balls));
    plain.step(3, STEP_S).unwrap();
    timed.step(2, STEP_S).unwrap();
    assert_eq!(timed.stage_times(), None, "no step has been timed");
    timed_step(gpu, &mut timed);
    gpu.wait().unwrap();
    assert_eq!(timed.stage_times(), None, "nobody has asked");
    timed.ask_times().unwrap();
    gpu.wait().unwrap();
    let StageTimes(times) = timed.stage_times().expect("the device is done");
    assert_eq!(timed.stage_times(), None, "times are told once");
    assert_eq!(timed.steps(), 3);
    assert_eq!(state_hash(&timed.world().unwrap()), state_hash(&plain.world().unwrap()));
    if gpu.device.features().contains(Features::TIMESTAMP_QUERY) {
        let of_passes = times.iter().find(|(stage, _)| *stage == Stage::ContactPass).expect("passes are timed");
        assert!(of_passes.1 > 0.0 && times.iter().all(|(_, ms)| (0.0..1e4).contains(ms)), "{times:?}");
        let stages: Vec<Stage> = times.iter().map(|(stage, _)| *stage).collect();
        let in_order = [
            Stage::ApplyForces,
            Stage::GridCount,
            Stage::GridSums,
            Stage::GridScan,
            Stage::GridScatter,
            Stage::GridReorder,
            Stage::ListContacts,
            Stage::FindGround,
            Stage::ContactPass,
        ];
        assert_eq!(stages, in_order, "of {balls} balls");
    } else {
        assert_eq!(times, []);
    }
}
