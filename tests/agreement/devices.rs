//! Devices that hold less than is asked of them, are lost, or are asked too often.

use ballpit::{
    Arithmetic, Body, Edit, Engine, Error, Gpu, GpuEngine, Result, Segment, Settings, Tuning, World, state_hash,
};
use glam::Vec2;
use wgpu::{DeviceDescriptor, Features, Instance, InstanceDescriptor, Limits, PollType, RequestAdapterOptions};

use crate::common::{cpu_engine, gpu, scene, scene_of};
use crate::{agree_on, assert_same, steps};

/// A device of the adapter's with what WebGPU promises at least, or less; without timestamps.
pub(crate) fn small_device(limits: Limits) -> Option<Gpu> {
    gpu()?;
    let instance = Instance::new(InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&RequestAdapterOptions::default())).unwrap();
    let descriptor =
        DeviceDescriptor { required_limits: limits, required_features: Features::empty(), ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    Some(Gpu::from_device(device, queue, adapter.get_info()))
}

/// The adapter's device and, if it is a software adapter, another on which it steps large worlds by the kernels that hardware runs:
/// one that reads fewer textures than its own kernels want.
pub(crate) fn both_dialects(limits: Limits) -> Vec<Gpu> {
    let textures = |most| Limits { max_storage_textures_per_shader_stage: most, ..limits.clone() };
    let hardwares = small_device(textures(4));
    let own = hardwares.as_ref().filter(|gpu| gpu.is_software()).and_then(|_| small_device(textures(6)));
    hardwares.into_iter().chain(own).collect()
}

/// Bindings of so many MiB.
fn bindings_of(mib: u64) -> Limits {
    Limits { max_storage_buffer_binding_size: mib << 20, max_buffer_size: mib << 20, ..Limits::default() }
}

#[test]
fn a_device_of_small_bindings_holds_what_fits_and_names_the_most() {
    // 16 candidates of 4 bytes a ball.
    let Some(gpu) = small_device(bindings_of(1)) else { return };
    let most = (1 << 20) / 64;
    let (world, settings) = scene_of("pile", most);
    let mut engine = GpuEngine::new(&gpu, world.clone(), settings.clone(), Arithmetic::Exact).unwrap();
    engine.step(2, settings.step_s()).unwrap();
    let mut cpu = cpu_engine(&world, &settings);
    cpu.step(2, settings.step_s()).unwrap();
    assert_same(&cpu.world().unwrap(), &engine.world().unwrap());

    let one_more = Edit::Add(vec![Body::ball(Vec2::ZERO, 2.0)]);
    let mut larger = world;
    larger.add(Body::ball(Vec2::ZERO, 2.0));
    let refused =
        [engine.edit(&one_more).err(), GpuEngine::new(&gpu, larger, settings.clone(), Arithmetic::Exact).err()];
    for error in refused {
        let Some(Error::TooManyBalls { most: said, .. }) = &error else { panic!("{error:?}") };
        assert_eq!(*said, most);
        assert!(error.unwrap().to_string().contains("16385 balls need more than "));
    }
    // What is refused has changed nothing.
    engine.step(2, settings.step_s()).unwrap();
    cpu.step(2, settings.step_s()).unwrap();
    assert_same(&cpu.world().unwrap(), &engine.world().unwrap());
}

#[test]
fn a_software_adapter_gives_the_same_bits_by_the_kernels_of_hardware() {
    let Some(gpu) = small_device(Limits::default()) else { return };
    for (name, balls, count) in [
        ("pile", 1_500, 150),
        ("bouncy", 80, 200),
        ("gas", 1_000, 60),
        ("mixer", 600, 60),
        ("hourglass", 400, 60),
        ("boulder", 800, 60),
    ] {
        let (world, settings) = scene_of(name, balls);
        agree_on(Some(&gpu), &world, &settings, balls / 2, steps(count, &settings));
    }
    let (mut rubs, settings) = scene_of("pile", 1_500);
    rubs.materials[0].friction = 0.5;
    let (left, right) = (rubs.min + Vec2::new(0.0, 100.0), Vec2::new(rubs.max.x, rubs.max.y));
    rubs.segments.push(Segment::new(left, right));
    let settings = Settings { rotation: true, sleep_after_s: 0.2, sleep_speed_px_s: 30.0, ..settings };
    agree_on(Some(&gpu), &rubs, &settings, 700, |engine| {
        engine.step(60, settings.step_s()).unwrap();
        assert!(engine.loads().unwrap().unwrap().iter().any(|load| *load > 0.0), "nothing presses");
        engine.step(180, settings.step_s()).unwrap();
        assert!(engine.world().unwrap().bodies.iter().any(|body| body.asleep), "nobody sleeps");
    });
}

#[test]
fn a_large_world_may_begin_to_sleep_and_cease_to() {
    // A software adapter steps it by other kernels while it sleeps.
    let (world, settings) = scene_of("pile", 600);
    let mut asleep = Tuning::of(&world, &settings);
    asleep.settings = Settings { sleep_after_s: 0.1, sleep_speed_px_s: 40.0, ..settings.clone() };
    agree_on(gpu(), &world, &settings, 300, |engine| {
        engine.step(100, settings.step_s()).unwrap();
        engine.retune(&asleep).unwrap();
        engine.step(60, settings.step_s()).unwrap();
        assert!(engine.world().unwrap().bodies.iter().any(|body| body.asleep), "nobody sleeps");
        engine.retune(&Tuning::of(&world, &settings)).unwrap();
        engine.step(20, settings.step_s()).unwrap();
    });
}

#[test]
fn crowds_and_impacts_are_answered_alike_in_both_dialects() {
    for gpu in both_dialects(Limits::default()) {
        // Seven hundred in one place burst apart: crowded, and in impacts, all at once; then fewer and fewer.
        let mut world = World::new(Vec2::splat(-600.0), Vec2::splat(600.0));
        world.materials[0].restitution = 0.9;
        world.bodies = (0..700).map(|k| Body::ball(Vec2::new((k % 7) as f32, 0.0), 4.0)).collect();
        let settings = Settings::default();
        agree_on(Some(&gpu), &world, &settings, 351, steps(60, &settings));
    }
}

#[test]
fn a_device_without_timestamps_steps_all_the_same_and_times_nothing() {
    for gpu in both_dialects(Limits::default()) {
        let (world, settings) = scene_of("pile", 600);
        let mut engine = GpuEngine::new(&gpu, world.clone(), settings.clone(), Arithmetic::Exact).unwrap();
        let times = engine.time_step(settings.step_s()).unwrap();
        assert!(times.0.is_empty(), "{times:?}");
        let mut cpu = cpu_engine(&world, &settings);
        cpu.step(1, settings.step_s()).unwrap();
        assert_same(&cpu.world().unwrap(), &engine.world().unwrap());
    }
}

#[test]
fn the_last_ball_of_very_many_moves_like_the_first() {
    // A row of a dispatch has 65,535 groups of 64 balls. Hardware gets more than that; the bindings of a software device hold
    // half a row, of which a part will do.
    let Some(gpu) = gpu() else { return };
    let limits = gpu.device.limits();
    let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) as usize / 64;
    let balls = if gpu.is_software() { 300_000 } else { most.min(4_300_000) };
    let mut world = World::new(Vec2::ZERO, Vec2::new(2e4, 1e5));
    let place = |k: usize| Vec2::new((k % 1_000) as f32 * 20.0 + 5.0, (k / 1_000) as f32 * 20.0 + 5.0);
    world.bodies = (0..balls).map(|k| Body::ball(place(k), 2.0).moving(Vec2::new(0.0, 60.0))).collect();
    let settings = Settings::default();
    let mut engine = GpuEngine::new(gpu, world.clone(), settings.clone(), Arithmetic::Exact).unwrap();
    engine.step(1, settings.step_s()).unwrap();
    let after = engine.world().unwrap();
    let moved = after.bodies.iter().zip(&world.bodies).filter(|(a, b)| a.position.y > b.position.y).count();
    assert_eq!(moved, balls, "so many of {balls} balls have moved");
}

/// Something that a program asks of an engine, and its name.
type Call = (&'static str, fn(&mut GpuEngine) -> Result<()>);

/// Everything that a program asks of an engine.
const CALLS: [Call; 10] = [
    ("step", |engine| engine.step(3, 1.0 / 120.0)),
    ("time_step", |engine| engine.time_step(1.0 / 120.0).map(|_| ())),
    ("world", |engine| engine.world().map(|_| ())),
    ("edit", |engine| engine.edit(&Edit::Add(vec![Body::ball(Vec2::ZERO, 2.0)]))),
    ("loads", |engine| engine.loads().map(|_| ())),
    ("readout_now", |engine| engine.readout_now().map(|_| ())),
    ("retune", |engine| {
        let (world, settings) = scene("impulse");
        let friction = vec![0.5; world.materials.len()];
        engine.retune(&Tuning { friction, ..Tuning::of(&world, &settings) })
    }),
    ("steer", |engine| engine.steer(Vec2::X)),
    ("order", |engine| engine.order(&[])),
    ("press and release", |engine| {
        engine.press(Vec2::ZERO, 0.5);
        engine.drag(Vec2::ONE);
        engine.release();
        engine.readout();
        engine.step(1, 1.0 / 120.0)
    }),
];

#[test]
fn a_lost_device_is_said_by_whatever_is_asked_next() {
    if gpu().is_none() {
        return;
    }
    let (world, settings) = scene("impulse");
    for (name, call) in CALLS {
        // A device of its own, which nobody else misses.
        let gpu = Gpu::open().unwrap();
        let mut engine = GpuEngine::new(&gpu, world.clone(), settings.clone(), Arithmetic::Exact).unwrap();
        engine.step(30, settings.step_s()).unwrap();
        call(&mut engine).unwrap();
        gpu.wait().unwrap();
        gpu.device.destroy();
        // A device tells of its loss when it is asked how far it is.
        let _ = gpu.device.poll(PollType::wait_indefinitely());
        let said = call(&mut engine).expect_err(name);
        assert!(matches!(said, Error::Device { .. }), "{name}: {said}");
        assert!(said.to_string().ends_with("take the CPU engine (--engine cpu)"), "{name}: {said}");
        let anew = GpuEngine::new(&gpu, world.clone(), settings.clone(), Arithmetic::Exact);
        assert!(matches!(anew.err(), Some(Error::Device { .. })), "{name}");
    }
}

#[test]
fn a_ball_that_is_lost_on_the_device_shows_in_the_readout() {
    let Some(gpu) = gpu() else { return };
    let (world, settings) = scene("impulse");
    // Place and velocity of slot 20.
    for word in 20 * 8..20 * 8 + 4 {
        for value in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut engine = GpuEngine::new(gpu, world.clone(), settings.clone(), Arithmetic::Exact).unwrap();
            engine.step(10, settings.step_s()).unwrap();
            assert!(engine.readout_now().unwrap().fastest_px_s.is_finite());
            gpu.queue.write_buffer(engine.bodies(), 4 * word, &value.to_le_bytes());
            for steps in [0, 1, 20] {
                engine.step(steps, settings.step_s()).unwrap();
                let fastest = engine.readout_now().unwrap().fastest_px_s;
                assert!(!fastest.is_finite(), "{value} in word {word}, {steps} steps later: {fastest} px/s");
            }
            assert!(engine.world().unwrap().lost_ball().is_some(), "{value} in word {word}");
        }
    }
}

#[test]
fn a_shader_that_does_not_compile_is_said_by_whatever_is_asked_next() {
    if gpu().is_none() {
        return;
    }
    let gpu = Gpu::open().unwrap();
    let (world, settings) = scene("impulse");
    let mut engine = GpuEngine::new(&gpu, world, settings.clone(), Arithmetic::Exact).unwrap();
    engine.step(1, settings.step_s()).unwrap();
    let source = wgpu::ShaderSource::Wgsl("fn nothing() -> f32 { return 1u; }".into());
    let _ = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some("wrong"), source });
    let error = engine.step(1, settings.step_s()).unwrap_err();
    assert!(matches!(error, Error::Device { .. }) && error.to_string().contains("wrong"), "{error}");
}

#[test]
fn a_thousand_frames_that_are_read_back_are_those_of_a_run_that_nobody_reads() {
    let Some(gpu) = gpu() else { return };
    let (world, settings) = scene("impulse");
    let new = || GpuEngine::new(gpu, world.clone(), settings.clone(), Arithmetic::Exact).unwrap();
    let mut read = new();
    for frame in 1..=1_000 {
        read.step(1, settings.step_s()).unwrap();
        assert_eq!((read.steps(), read.world().unwrap().bodies.len()), (frame, 70));
    }
    let mut unread = new();
    unread.step(1_000, settings.step_s()).unwrap();
    assert_eq!(state_hash(&read.world().unwrap()), state_hash(&unread.world().unwrap()));
}

#[test]
fn a_submission_carries_no_more_steps_than_a_watchdog_bears() {
    let Some(gpu) = gpu() else { return };
    let (world, settings) = scene("impulse");
    let mut engine = GpuEngine::new(gpu, world, settings.clone(), Arithmetic::Exact).unwrap();
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let most = engine.steps_a_submission();
    assert_eq!(most, GpuEngine::STEPS_A_SUBMISSION);
    let error = engine.encode(&mut encoder, most + 1, settings.step_s()).unwrap_err();
    assert!(error.to_string().contains("at most 32"), "{error}");
    engine.encode(&mut encoder, most, settings.step_s()).unwrap();
    gpu.queue.submit([encoder.finish()]);
    gpu.wait().unwrap();
    assert_eq!(engine.steps(), u64::from(most));
}
