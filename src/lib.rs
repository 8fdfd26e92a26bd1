//! ballpit: a sandbox for very many balls.

mod body;
mod clock;
mod error;
mod material;
mod measure;
mod scene;
mod settings;
mod surface;
mod world;

pub use body::{Body, Home, Record};
pub use clock::{Clock, Mode, SlowMotion, Tick};
pub use error::{Error, Result};
pub use material::Material;
pub use measure::{Measures, Wander, state_hash};
pub use scene::{Overrides, Scene};
pub use settings::{Settings, Solver};
pub use surface::Surface;
pub use world::World;
