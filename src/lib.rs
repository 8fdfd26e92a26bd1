//! ballpit: a sandbox for very many balls.

mod body;
mod clock;
mod compare;
mod cpu;
mod engine;
mod error;
mod exact;
mod gpu;
mod grid;
mod material;
mod measure;
mod params;
pub mod render;
mod scene;
mod sequential;
mod settings;
mod stage;
mod step;
mod surface;
mod world;

pub use body::{Body, Home, Record};
pub use clock::{Clock, Mode, SlowMotion, Tick};
pub use compare::{Comparison, Difference, Method};
pub use cpu::CpuEngine;
pub use engine::{Engine, StageTimes, Tuning};
pub use error::{Error, Result};
pub use gpu::{Gpu, GpuEngine, SelfTest};
pub use material::Material;
pub use measure::{Measures, Wander, state_hash};
pub use scene::{Overrides, Scene};
pub use sequential::SequentialEngine;
pub use settings::{Settings, Solver};
pub use stage::measure::Readout;
pub use stage::{Arithmetic, Stage};
pub use surface::Surface;
pub use world::World;
