//! Times of the clock, of the scan, the grid and the contact passes, of whole steps on both engines, and of drawing.
//!
//! `cargo bench --bench stages` prints them, `-- grid/cpu` those whose names begin so. `cargo test` and `cargo nextest run`
//! run each once. A stage's time is what its own clock says (on a GPU, timestamps): setting up and reading back are not in it.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ballpit::render::{Balls, Offscreen, View};
use ballpit::{Arithmetic, Clock, Engine, Gpu, GpuEngine, Mode, Stage, StageTimes, World};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use glam::Vec2;
use wgpu::Features;

#[path = "../tests/common/mod.rs"]
mod common;

/// Balls of the scene `pile`.
const BALLS: [usize; 2] = [1_000, 10_000];
/// What the groups of stages are made of.
const SCAN: &[Stage] = &[Stage::GridSums, Stage::GridScan];
const GRID: &[Stage] = &[Stage::GridCount, Stage::GridSums, Stage::GridScan, Stage::GridScatter, Stage::GridReorder];
const CONTACT_PASS: &[Stage] = &[Stage::ContactPass];

/// An engine that steps a pile.
struct Machine {
    engine: Box<dyn Engine>,
    gpu: Option<&'static Gpu>,
    step_s: f32,
}

impl Machine {
    /// The pile of `balls` on the device, or on the CPU. Where it is measured and not only tested, it has fallen by then.
    fn new(gpu: Option<&'static Gpu>, balls: usize) -> Self {
        let (world, settings) = common::scene_of("pile", balls);
        let step_s = settings.step_s();
        let engine = match gpu {
            Some(gpu) => common::gpu_engine(gpu, &world, &settings),
            None => common::cpu_engine(&world, &settings),
        };
        let mut machine = Self { engine, gpu, step_s };
        if is_measured() {
            machine.step(240);
        }
        machine
    }

    fn step(&mut self, count: u32) -> Duration {
        let started = Instant::now();
        self.engine.step(count, self.step_s).expect("the engine does not fail");
        self.gpu.map_or(Ok(()), Gpu::wait).expect("the device does not fail");
        started.elapsed()
    }

    /// Makes a step, and tells the time of some of its stages.
    fn stages(&mut self, wanted: &[Stage]) -> Duration {
        let StageTimes(times) = self.engine.time_step(self.step_s).expect("the engine does not fail");
        let of_wanted: Vec<f64> = times.iter().filter(|(stage, _)| wanted.contains(stage)).map(|&(_, ms)| ms).collect();
        assert_eq!(of_wanted.len(), wanted.len(), "every stage is timed: {times:?}");
        Duration::from_secs_f64(of_wanted.iter().sum::<f64>() / 1e3)
    }
}

fn clock(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("clock");
    for (name, mode) in [("fixed", Mode::Fixed), ("variable", Mode::Variable)] {
        let mut clock = Clock::new(120);
        clock.set_mode(mode);
        let frame = Duration::from_nanos(16_666_667);
        group.bench_function(name, |bencher| bencher.iter(|| clock.frame(black_box(frame))));
    }
}

fn engines(criterion: &mut Criterion) {
    on_both_engines(criterion.benchmark_group("scan"), |machine| machine.stages(SCAN));
    on_both_engines(criterion.benchmark_group("grid"), |machine| machine.stages(GRID));
    on_both_engines(criterion.benchmark_group("contact_pass"), |machine| machine.stages(CONTACT_PASS));
    on_both_engines(criterion.benchmark_group("step"), |machine| machine.step(1));
}

/// Times one step after the other on both engines, with each number of balls.
fn on_both_engines(mut group: BenchmarkGroup<WallTime>, timed: fn(&mut Machine) -> Duration) {
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    let with_timestamps = common::gpu().filter(|gpu| gpu.device.features().contains(Features::TIMESTAMP_QUERY));
    for gpu in [Some(None), with_timestamps.map(Some)].into_iter().flatten() {
        for balls in BALLS {
            let name = format!("{}/{balls}", if gpu.is_some() { "gpu" } else { "cpu" });
            group.bench_function(name, |bencher| {
                let mut machine = Machine::new(gpu, balls);
                bencher.iter_custom(|count| (0..count).map(|_| timed(&mut machine)).sum());
            });
        }
    }
}

/// Size of the pictures, pixels.
const PICTURE: (u32, u32) = (1280, 720);

/// What is drawn: its name, how many balls, and how the camera that shows the whole world is moved.
struct Shot {
    name: &'static str,
    balls: usize,
    /// What its zoom is multiplied with.
    zoom: f32,
    /// By how many widths of the world it looks aside.
    aside: f32,
}

const SHOTS: [Shot; 6] = [
    Shot { name: "whole/10000", balls: 10_000, zoom: 1.0, aside: 0.0 },
    Shot { name: "whole/50000", balls: 50_000, zoom: 1.0, aside: 0.0 },
    Shot { name: "whole/100000", balls: 100_000, zoom: 1.0, aside: 0.0 },
    Shot { name: "off screen/100000", balls: 100_000, zoom: 1.0, aside: 3.0 },
    Shot { name: "whole/1000000", balls: 1_000_000, zoom: 1.0, aside: 0.0 },
    Shot { name: "far out/1000000", balls: 1_000_000, zoom: 0.25, aside: 0.0 },
];

/// Balls of a shot where it is only tested.
const TESTED: usize = 1_000;

fn drawing(criterion: &mut Criterion) {
    let Some(gpu) = common::gpu() else { return };
    let mut group = criterion.benchmark_group("drawing");
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    for shot in SHOTS {
        group.bench_function(shot.name, |bencher| {
            let balls = if is_measured() { shot.balls } else { TESTED };
            let (world, settings) = common::scene_of("pile", balls);
            let engine = GpuEngine::new(gpu, world.clone(), settings, Arithmetic::Exact).expect("the world fits");
            let view = shot.view(&world);
            let mut target = Offscreen::new(gpu, PICTURE).expect("the size is fine");
            bencher.iter(|| target.paint(&balls_of(&engine), &view).expect("the device does not fail"));
        });
    }
}

impl Shot {
    fn view<'a>(&self, world: &'a World) -> View<'a> {
        let mut view = View::of(world, PICTURE);
        view.camera.zoom *= self.zoom;
        view.camera.centre += self.aside * Vec2::new(world.max.x - world.min.x, 0.0);
        view
    }
}

/// An engine's balls where they are: on the device.
fn balls_of(engine: &GpuEngine) -> Balls<'_> {
    Balls {
        bodies: engine.bodies(),
        homes: engine.homes(),
        held: engine.held(),
        spins: engine.spins(),
        loads: Some(engine.loads_by_slot()),
        neighbours: None,
        count: engine.balls(),
        pieces: engine.pieces(),
    }
}

/// Whether this is a measurement, and not only a test.
fn is_measured() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

criterion_group!(benches, clock, engines, drawing);
criterion_main!(benches);
