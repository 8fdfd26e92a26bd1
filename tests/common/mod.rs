//! What the test programs share: the engines to try, random worlds, and what is read off them.
#![allow(dead_code, reason = "each test program uses its own share")]

use std::fmt::Display;
use std::io::Write;
use std::sync::OnceLock;

use ballpit::{Arithmetic, Body, CpuEngine, Engine, Gpu, GpuEngine, Overrides, Scene, Settings, World};
use glam::{DVec2, Vec2};

/// Says that something was not tested, where nobody swallows it: the test harness hides what a passing test prints.
pub(crate) fn skipped(reason: impl Display) {
    let _ = writeln!(std::io::stderr(), "skipped on the GPU: {reason}");
}

/// Opened once a test program; `BALLPIT_GPU=required` makes a missing adapter a failure.
pub(crate) fn gpu() -> Option<&'static Gpu> {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    let open = || match Gpu::open() {
        Ok(gpu) => Some(gpu),
        Err(reason) if std::env::var_os("BALLPIT_GPU").is_some_and(|value| value == "required") => {
            panic!("BALLPIT_GPU=required, but {reason}")
        }
        Err(reason) => {
            skipped(reason);
            None
        }
    };
    GPU.get_or_init(open).as_ref()
}

pub(crate) fn cpu_engine(world: &World, settings: &Settings) -> Box<dyn Engine> {
    Box::new(CpuEngine::new(world.clone(), settings.clone()).unwrap())
}

pub(crate) fn gpu_engine(gpu: &Gpu, world: &World, settings: &Settings) -> Box<dyn Engine> {
    Box::new(GpuEngine::new(gpu, world.clone(), settings.clone(), Arithmetic::Exact).unwrap())
}

/// The world on every engine that there is.
pub(crate) fn engines(world: &World, settings: &Settings) -> Vec<Box<dyn Engine>> {
    let mut engines = vec![cpu_engine(world, settings)];
    engines.extend(gpu().map(|gpu| gpu_engine(gpu, world, settings)));
    engines
}

/// A world that comes with the program, as it is run unless asked otherwise.
pub(crate) fn scene(name: &str) -> (World, Settings) {
    let scene = Scene::named(name).unwrap();
    (scene.build(&Overrides::default()).unwrap(), scene.settings())
}

/// The same with another number of balls.
pub(crate) fn scene_of(name: &str, balls: usize) -> (World, Settings) {
    let scene = Scene::named(name).unwrap();
    (scene.build(&Overrides { balls: Some(balls), seed: None }).unwrap(), scene.settings())
}

/// Room without walls or gravity.
pub(crate) fn space() -> World {
    World::new(Vec2::splat(-1_000.0), Vec2::splat(1_000.0)).open()
}

pub(crate) fn passes(passes: u32) -> Settings {
    Settings { passes, ..Settings::default() }
}

/// Steps of the settings' own length.
pub(crate) fn run(engine: &mut dyn Engine, settings: &Settings, seconds: f32) {
    engine.step((seconds * settings.rate_hz as f32).round() as u32, settings.step_s()).unwrap();
}

pub(crate) fn bodies(engine: &mut dyn Engine) -> Vec<Body> {
    engine.world().unwrap().bodies
}

/// Momentum, and the sum of its parts' lengths: what rounding is measured by.
pub(crate) fn momentum(bodies: &[Body]) -> (DVec2, f64) {
    let of = |body: &Body| body.velocity.as_dvec2() / f64::from(body.inverse_mass);
    bodies
        .iter()
        .filter(|body| body.is_movable())
        .map(of)
        .fold((DVec2::ZERO, 0.0), |(sum, sizes), part| (sum + part, sizes + part.length()))
}

/// Fails unless `value` is `expected` to a share of it; `what` names it.
#[track_caller]
pub(crate) fn assert_near(value: f64, expected: f64, share: f64, what: &str) {
    let off = (value - expected).abs();
    assert!(off <= share * expected.abs(), "{what}: {value} instead of {expected} (off by {off:e})");
}

/// Numbers that a seed determines (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// From `least` to `most`.
    pub(crate) fn within(&mut self, least: f32, most: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        least + (most - least) * ((x >> 40) as f32 / (1 << 24) as f32)
    }

    /// Each part from −`most` to `most`.
    pub(crate) fn vector(&mut self, most: f32) -> Vec2 {
        Vec2::new(self.within(-most, most), self.within(-most, most))
    }
}

/// `count` balls around the origin, overlapping as they may, each part of place and velocity up to the size given.
pub(crate) fn crowd(world: &mut World, count: usize, radii: [f32; 2], place: f32, speed: f32) {
    let mut random = Random::new(count as u64);
    for _ in 0..count {
        let ball = Body::ball(random.vector(place), random.within(radii[0], radii[1]));
        world.add(ball.moving(random.vector(speed)));
    }
}
