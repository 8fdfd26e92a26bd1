//! ballpit: a sandbox for very many balls.

mod body;
mod clock;
mod error;
mod material;
mod settings;
mod surface;
mod world;

pub use body::{Body, Home, Record};
pub use clock::{Clock, Mode, SlowMotion, Tick};
pub use error::{Error, Result};
pub use material::Material;
pub use settings::{Settings, Solver};
pub use surface::Surface;
pub use world::World;
