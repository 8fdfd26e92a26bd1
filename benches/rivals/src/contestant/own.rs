//! ballpit's engines, as its library's users have them.

use ballpit::{Arithmetic, CpuEngine, Engine, Gpu, GpuEngine, Settings, World};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Contestant, Motion};
use crate::Result;
use crate::workload::STEP_S;

pub(super) const CPU: &str = "ballpit, CPU";
pub(super) const GPU: &str = "ballpit, GPU";

/// The CPU engine on threads of its own.
pub(super) struct Cpu {
    engine: CpuEngine,
    pool: ThreadPool,
}

impl Cpu {
    pub(super) fn new(world: &World, threads: u32) -> Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(threads as usize).build()?;
        Ok(Self { engine: CpuEngine::new(world.clone(), Settings::default())?, pool })
    }
}

impl Contestant for Cpu {
    fn step(&mut self, count: u32) -> Result<()> {
        let engine = &mut self.engine;
        Ok(self.pool.install(|| engine.step(count, STEP_S))?)
    }

    fn motions(&mut self) -> Result<Vec<Motion>> {
        motions(&mut self.engine)
    }
}

/// The GPU engine in exact arithmetic, on the adapter that there is.
pub(super) struct Device {
    engine: GpuEngine,
    gpu: Gpu,
}

impl Device {
    pub(super) fn new(world: &World, gpu: &Gpu) -> Result<Self> {
        let engine = GpuEngine::new(gpu, world.clone(), Settings::default(), Arithmetic::Exact)?;
        Ok(Self { engine, gpu: gpu.clone() })
    }
}

impl Contestant for Device {
    fn step(&mut self, count: u32) -> Result<()> {
        self.engine.step(count, STEP_S)?;
        Ok(self.gpu.wait()?)
    }

    fn motions(&mut self) -> Result<Vec<Motion>> {
        motions(&mut self.engine)
    }
}

fn motions(engine: &mut dyn Engine) -> Result<Vec<Motion>> {
    let bodies = engine.world()?.bodies;
    Ok(bodies.iter().map(|body| Motion { place: body.position, velocity: body.velocity }).collect())
}
