//! ballpit: a sandbox for very many balls.

mod body;
mod cpu;
mod engine;
mod error;
mod exact;
mod grid;
mod material;
mod params;
pub mod render;
mod settings;
mod stage;
mod step;
mod surface;
mod world;

pub use body::{Body, Home, Record};
pub use cpu::CpuEngine;
pub use engine::{Engine, StageTimes, Tuning};
pub use error::{Error, Result};
pub use material::Material;
pub use settings::{Settings, Solver};
pub use stage::measure::Readout;
pub use stage::{Arithmetic, Stage};
pub use surface::Surface;
pub use world::World;
