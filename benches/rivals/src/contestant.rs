//! Who is raced: engines that take a world of balls and step it.

pub(crate) mod box2d;
mod own;
mod rapier;

use ballpit::{Gpu, World};
use glam::Vec2;

use crate::Result;

/// An engine with balls of its own.
pub(crate) trait Contestant {
    /// Makes `count` steps, and returns when they are done.
    fn step(&mut self, count: u32) -> Result<()>;

    /// Where the balls are now, in the world's order.
    fn motions(&mut self) -> Result<Vec<Motion>>;
}

/// A ball on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    /// Centre, px.
    pub(crate) place: Vec2,
    /// Velocity, px/s.
    pub(crate) velocity: Vec2,
}

/// An engine in its lane.
pub(crate) struct Lane {
    /// As the table calls it.
    pub(crate) engine: &'static str,
    /// Threads that step; none of a GPU.
    pub(crate) threads: Option<u32>,
    pub(crate) contestant: Box<dyn Contestant>,
}

/// Everybody with a copy of `world`: the CPU's engines for each number of threads, then the GPU's.
pub(crate) fn lanes(world: &World, threads: &[u32], gpu: Option<&Gpu>) -> Result<Vec<Lane>> {
    let mut lanes = Vec::new();
    for &count in threads {
        let mut add = |engine, contestant| lanes.push(Lane { engine, threads: Some(count), contestant });
        add(own::CPU, Box::new(own::Cpu::new(world, count)?));
        add("Box2D", Box::new(box2d::Box2d::new(world, count)?));
        add("Rapier2D", Box::new(rapier::Rapier::new(world, count)?));
    }
    if let Some(gpu) = gpu {
        lanes.push(Lane { engine: own::GPU, threads: None, contestant: Box::new(own::Device::new(world, gpu)?) });
    }
    Ok(lanes)
}

impl Lane {
    /// Whether it is ballpit's CPU engine, whose time the others are compared with.
    pub(crate) fn is_own_cpu(&self) -> bool {
        self.engine == own::CPU
    }
}
