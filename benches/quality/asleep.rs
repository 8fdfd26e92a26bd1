//! What a step costs while every ball sleeps, against the same step with all awake.

use std::time::Instant;

use ballpit::{Arithmetic, CpuEngine, Engine, Gpu, GpuEngine, Overrides, Scene, Settings, World};

const BALLS: usize = 100_000;
/// Steps of which the median is taken.
const TIMED: usize = 40;

/// Prints the step's time on each engine there is: awake, asleep, and the share that is left.
pub(crate) fn print_cost() {
    let scene = Scene::named("pile").expect("a named scene");
    let overrides = Overrides { balls: Some(BALLS), seed: None };
    let world = scene.build(&overrides).expect("a hundred thousand fit");
    let awake = settled(world, &scene.settings());
    let mut asleep = awake.clone();
    asleep.bodies.iter_mut().for_each(|ball| (ball.asleep, ball.velocity) = (true, glam::Vec2::ZERO));
    println!("{:<40} {:>12} {:>12} {:>8}", format!("a step of {BALLS} balls"), "awake, ms", "asleep, ms", "share");
    let [on, off] = [Settings::default().with_sleep(), Settings::default()];
    let cpu = |world: World, settings| step_ms(&mut CpuEngine::new(world, settings).expect("a valid world"), || ());
    print_row("CPU engine", cpu(awake.clone(), off.clone()), cpu(asleep.clone(), on.clone()));
    let Ok(gpu) = Gpu::open() else { return println!("no GPU adapter") };
    let wait = || drop(gpu.device.poll(wgpu::PollType::wait_indefinitely()));
    let on_gpu = |world, settings| {
        let engine = GpuEngine::new(&gpu, world, settings, Arithmetic::Exact);
        step_ms(&mut engine.expect("the device holds them"), wait)
    };
    print_row(&format!("GPU engine on {}", gpu.info().name), on_gpu(awake, off), on_gpu(asleep, on));
}

/// The heap after four seconds, at rest but for those that still roll.
fn settled(world: World, settings: &Settings) -> World {
    let mut engine = CpuEngine::new(world, settings.clone()).expect("a valid world");
    engine.step(4 * settings.rate_hz, settings.step_s()).expect("the CPU engine does not fail");
    engine.world().expect("the CPU engine does not fail")
}

fn print_row(name: &str, awake_ms: f64, asleep_ms: f64) {
    println!("{name:<40} {awake_ms:>12.3} {asleep_ms:>12.3} {:>8.4}", asleep_ms / awake_ms);
}

/// Median time of a step, ms.
fn step_ms(engine: &mut dyn Engine, wait: impl Fn()) -> f64 {
    let mut step = |count| {
        let start = Instant::now();
        engine.step(count, Settings::default().step_s()).expect("the engine does not fail");
        wait();
        start.elapsed().as_secs_f64() * 1e3
    };
    step(10);
    let mut times: Vec<f64> = (0..TIMED).map(|_| step(1)).collect();
    times.sort_by(f64::total_cmp);
    times[TIMED / 2]
}
