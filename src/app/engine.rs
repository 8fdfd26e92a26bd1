//! The engine that the window runs, and its balls as the renderer wants them.

use std::ops::{Deref, DerefMut};

use ballpit::render::Balls;
use ballpit::{
    Arithmetic, CpuEngine, Engine, Gpu, GpuEngine, Home, Record, Result, SequentialEngine, Settings, Spin, Tick, World,
};
use wgpu::{Buffer, BufferDescriptor, BufferUsages, CommandEncoder};

use crate::launch::{EngineChoice, Launch};

/// One of the engines.
pub(crate) enum AnyEngine {
    Cpu(Box<CpuEngine>),
    Gpu(Box<GpuEngine>),
    Sequential(Box<SequentialEngine>),
}

impl Deref for AnyEngine {
    type Target = dyn Engine;

    fn deref(&self) -> &(dyn Engine + 'static) {
        self.get()
    }
}

impl DerefMut for AnyEngine {
    fn deref_mut(&mut self) -> &mut (dyn Engine + 'static) {
        self.get_mut()
    }
}

impl AnyEngine {
    pub(crate) fn get(&self) -> &(dyn Engine + 'static) {
        match self {
            Self::Cpu(engine) => &**engine,
            Self::Gpu(engine) => &**engine,
            Self::Sequential(engine) => &**engine,
        }
    }

    pub(crate) fn get_mut(&mut self) -> &mut (dyn Engine + 'static) {
        match self {
            Self::Cpu(engine) => &mut **engine,
            Self::Gpu(engine) => &mut **engine,
            Self::Sequential(engine) => &mut **engine,
        }
    }

    /// Makes a tick's steps; the GPU's go into the frame's encoder, so that they and the drawing are one submission.
    pub(crate) fn advance(&mut self, tick: &Tick, encoder: Option<&mut CommandEncoder>) -> Result<()> {
        let (Self::Gpu(engine), Some(encoder)) = (&mut *self, encoder) else {
            return self.get_mut().step(tick.steps, tick.step_s);
        };
        let with_frame = tick.steps.min(engine.steps_a_submission());
        engine.step(tick.steps - with_frame, tick.step_s)?;
        if with_frame > 0 && tick.step_s > 0.0 {
            engine.encode(encoder, with_frame, tick.step_s)?;
        }
        Ok(())
    }
}

/// Makes engines, all of one kind but for the sequential solver's.
pub(crate) struct Maker {
    /// The device of GPU engines; without it, CPU engines are made.
    gpu: Option<Gpu>,
    arithmetic: Arithmetic,
}

impl Maker {
    /// Makes CPU engines.
    #[cfg(test)]
    pub(crate) fn cpu() -> Self {
        Self { gpu: None, arithmetic: Arithmetic::Exact }
    }

    /// The kind asked for; left open, the GPU's where there is real hardware.
    pub(crate) fn new(launch: &Launch, gpu: &Gpu) -> Self {
        let on_gpu = match launch.engine {
            EngineChoice::Gpu => true,
            EngineChoice::Cpu => false,
            EngineChoice::Auto => !gpu.is_software(),
        };
        Self { gpu: on_gpu.then(|| gpu.clone()), arithmetic: launch.arithmetic }
    }

    /// Whether it makes GPU engines.
    pub(crate) fn is_gpu(&self) -> bool {
        self.gpu.is_some()
    }

    pub(crate) fn make(&self, world: World, settings: Settings) -> Result<AnyEngine> {
        if settings.solver.is_sequential() {
            return Ok(AnyEngine::Sequential(Box::new(SequentialEngine::new(world, settings)?)));
        }
        Ok(match &self.gpu {
            Some(gpu) => AnyEngine::Gpu(Box::new(GpuEngine::new(gpu, world, settings, self.arithmetic)?)),
            None => AnyEngine::Cpu(Box::new(CpuEngine::new(world, settings)?)),
        })
    }
}

/// The balls on the device, for the renderer: a GPU engine's own buffers, or copies of a CPU engine's.
pub(crate) struct Uploads {
    gpu: Gpu,
    bodies: Buffer,
    homes: Buffer,
    held: Buffer,
    spins: Buffer,
    /// Whether the balls sent last turn.
    turns: bool,
    /// Of the engine that was last weighed.
    loads: Option<Buffer>,
    capacity: usize,
    count: u32,
    pieces: u32,
}

impl Uploads {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        Self {
            gpu: gpu.clone(),
            bodies: buffer(gpu, "bodies", size_of::<Record>()),
            homes: buffer(gpu, "homes", size_of::<Home>()),
            held: buffer(gpu, "held", size_of::<[u32; 2]>()),
            spins: buffer(gpu, "spins", size_of::<Spin>()),
            turns: false,
            loads: None,
            capacity: 1,
            count: 0,
            pieces: 0,
        }
    }

    /// Sends a CPU engine's balls along with the next submission.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn send(&mut self, engine: &mut AnyEngine) -> Result<()> {
        match engine {
            AnyEngine::Gpu(_) => {}
            AnyEngine::Cpu(engine) => {
                let homes = engine.homes();
                let held = engine.held_slot().map_or([0; 2], |slot| [homes[slot].id + 1, slot as u32]);
                self.write((engine.bodies(), homes, engine.spins()), engine.balls(), held);
            }
            AnyEngine::Sequential(engine) => {
                let world = engine.world()?;
                let mut records = world.records();
                let mut homes: Vec<Home> = (0..)
                    .zip(&records)
                    .map(|(id, record)| Home { x: record.x, y: record.y, reach: record.radius, id })
                    .collect();
                for (home, place) in homes.iter_mut().zip(engine.previous()) {
                    (home.x, home.y) = (place.x, place.y);
                }
                let held = engine.held();
                if let Some(id) = held {
                    records[id].flags += Record::HELD as f32;
                }
                let held = held.map_or([0; 2], |id| [id as u32 + 1, id as u32]);
                self.write((&records, &homes, None), world.bodies.len() as u32, held);
            }
        }
        Ok(())
    }

    /// Weighs what presses on the balls, for colours that show it: a GPU's in the frame's own submission. The sequential
    /// solver's balls have no load.
    pub(crate) fn weigh(&mut self, engine: &mut AnyEngine, encoder: &mut CommandEncoder) {
        match engine {
            AnyEngine::Gpu(engine) => engine.encode_loads(encoder),
            AnyEngine::Cpu(engine) => {
                let loads: &[u8] = bytemuck::cast_slice(engine.loads_by_slot());
                let fits = self.loads.as_ref().is_some_and(|buffer| buffer.size() >= loads.len() as u64);
                if !fits {
                    self.loads = Some(buffer(&self.gpu, "loads", loads.len().max(4)));
                }
                if let Some(buffer) = &self.loads {
                    self.gpu.queue.write_buffer(buffer, 0, loads);
                }
            }
            AnyEngine::Sequential(_) => self.loads = None,
        }
    }

    /// The balls to draw: those sent last, or a GPU engine's own.
    pub(crate) fn balls<'a>(&'a self, engine: &'a AnyEngine) -> Balls<'a> {
        match engine {
            AnyEngine::Gpu(engine) => {
                let (bodies, homes, held) = (engine.bodies(), engine.homes(), engine.held());
                let (spins, loads) = (engine.spins(), Some(engine.loads_by_slot()));
                Balls { bodies, homes, held, spins, loads, count: engine.balls(), pieces: engine.pieces() }
            }
            _ => {
                let Self { bodies, homes, held, count, pieces, .. } = self;
                let (spins, loads) = (self.turns.then_some(&self.spins), self.loads.as_ref());
                Balls { bodies, homes, held, spins, loads, count: *count, pieces: *pieces }
            }
        }
    }

    fn write(&mut self, (bodies, homes, spins): (&[Record], &[Home], Option<&[Spin]>), count: u32, held: [u32; 2]) {
        if bodies.len() > self.capacity {
            self.capacity = bodies.len();
            self.bodies = buffer(&self.gpu, "bodies", size_of_val(bodies));
            self.homes = buffer(&self.gpu, "homes", size_of_val(homes));
            self.spins = buffer(&self.gpu, "spins", bodies.len() * size_of::<Spin>());
        }
        self.turns = spins.is_some();
        self.gpu.queue.write_buffer(&self.spins, 0, bytemuck::cast_slice(spins.unwrap_or_default()));
        (self.count, self.pieces) = (count, bodies.len() as u32 - count);
        self.gpu.queue.write_buffer(&self.bodies, 0, bytemuck::cast_slice(bodies));
        self.gpu.queue.write_buffer(&self.homes, 0, bytemuck::cast_slice(homes));
        self.gpu.queue.write_buffer(&self.held, 0, bytemuck::cast_slice(&held));
    }
}

fn buffer(gpu: &Gpu, label: &str, bytes: usize) -> Buffer {
    gpu.device.create_buffer(&BufferDescriptor {
        label: Some(label),
        size: bytes as u64,
        usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
