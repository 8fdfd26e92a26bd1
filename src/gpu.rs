//! The GPU: an adapter's device, and the engine that runs the stages on it.

mod buffers;
mod device;
mod dispatch;
mod edit;
mod engine;
mod pipelines;
mod readout;
mod self_test;
mod stage_timer;
mod texels;
mod transfer;

pub use device::Gpu;
pub use engine::GpuEngine;
pub use self_test::SelfTest;
