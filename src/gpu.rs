//! The GPU: an adapter's device, and the engine that runs the stages on it.

mod device;
mod engine;
mod pipelines;
mod self_test;

pub use device::Gpu;
pub use engine::GpuEngine;
pub use self_test::SelfTest;
