//! A sandbox for very many balls, on the GPU and on the CPU, with the same bits.
//!
//! A [`World`] is plain data: balls, surfaces, gravity, drag. A [`Scene`] is a TOML file from which a world is built,
//! the same on every machine for one seed. An [`Engine`] takes a world and steps it: [`GpuEngine`] in WGSL compute
//! passes, [`CpuEngine`] in the same stages on all cores. [`Gpu::self_test`] says whether the device at hand gives the
//! CPU's bits, and [`Comparison`] runs both engines side by side to prove it. A [`Snapshot`] saves a run so that it
//! goes on to the same bits; a [`Recording`] holds what was done to one, and a [`Player`] does it again.
//!
//! Places are in pixels with y growing downward, times in seconds; a ball's mass is its radius squared, in px², unless
//! it is given another.
//!
//! ```
//! use ballpit::{CpuEngine, Engine, Measures, Overrides, Scene};
//!
//! let scene = Scene::named("impulse")?;
//! let world = scene.build(&Overrides::default())?;
//! let mut engine = CpuEngine::new(world, scene.settings())?;
//! engine.step(10 * 120, scene.settings().step_s())?;
//! let measures = Measures::of(&engine.world()?);
//! assert!(measures.deepest_overlap_px < 0.1, "the seventy lie still: {measures:?}");
//! # Ok::<(), ballpit::Error>(())
//! ```
//!
//! Time comes in frames, steps are fixed: [`Clock`] turns one into the other, exactly.
//!
//! ```
//! use std::time::Duration;
//!
//! let mut clock = ballpit::Clock::new(120);
//! let tick = clock.frame(Duration::from_millis(20));
//! assert_eq!(tick.steps, 2);
//! assert!((tick.alpha - 0.4).abs() < 1e-6, "drawn 0.4 of the way from the last place to the current one");
//! ```

mod actor;
mod body;
mod cannon;
mod clock;
mod command;
mod compare;
mod counter;
mod course;
mod cpu;
mod edit;
mod engine;
mod error;
mod exact;
mod gpu;
mod grid;
mod lattice;
mod material;
mod measure;
mod memory;
mod model;
#[cfg(test)]
mod mutation;
mod order;
mod params;
mod portable;
mod recording;
pub mod render;
mod scene;
mod segment;
mod sequential;
mod settings;
mod slip;
mod snapshot;
mod srgb;
mod stage;
mod step;
mod surface;
mod traffic;
mod wheel;
mod whole;
mod world;

pub use actor::{Actor, Character, Order, Parent, Stop};
pub use body::{Body, Home, Record, Spin};
pub use cannon::Cannon;
pub use clock::{Clock, Mode, SlowMotion, Tick};
pub use command::Command;
pub use compare::{Comparison, Difference, Method};
pub use counter::Counter;
pub use cpu::CpuEngine;
pub use edit::{Brush, Edit};
pub use engine::{Engine, StageTimes, Tuning};
pub use error::{Error, Result};
pub use gpu::{Gpu, GpuEngine, SelfTest};
pub use lattice::Lattice;
pub use material::Material;
pub use measure::{Measures, Wander, percentile, state_hash};
pub use model::Model;
pub use order::StageOrder;
pub use recording::{Outcome, Player, Recorder, Recording, Start};
pub use scene::{Overrides, Scene};
pub use segment::Segment;
pub use sequential::SequentialEngine;
pub use settings::{Rules, Settings, Solver};
pub use slip::{Partner, Slip};
pub use snapshot::Snapshot;
pub use srgb::Srgb;
pub use stage::measure::Readout;
pub use stage::{Arithmetic, Stage};
pub use surface::{Motion, Surface, Tilt};
pub use traffic::Traffic;
pub use wheel::Wheel;
pub use whole::{write_while, write_whole};
pub use world::World;
