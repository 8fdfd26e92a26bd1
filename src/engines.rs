//! The engine that the window runs, and its balls as the renderer wants them.

use std::ops::{Deref, DerefMut};

use ballpit::render::{Balls, Lattice, Neighbours};
use ballpit::{
    Arithmetic, CpuEngine, Engine, Gpu, GpuEngine, Home, Record, Result, SequentialEngine, Settings, Spin, StageTimes,
    Tick, World,
};
use wgpu::{Buffer, BufferDescriptor, BufferUsages, CommandEncoder};

use super::eye::Eye;
use crate::colours::ColourMode;
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
    /// The engine of `gpu`; without one the CPU's, or the sequential solver's.
    ///
    /// # Errors
    /// Those of the engines: the GPU's has no sequential solver.
    pub(crate) fn new(gpu: Option<&Gpu>, world: World, settings: Settings, arithmetic: Arithmetic) -> Result<Self> {
        Ok(match gpu {
            Some(gpu) => Self::Gpu(Box::new(GpuEngine::new(gpu, world, settings, arithmetic)?)),
            None if settings.solver.is_sequential() => {
                Self::Sequential(Box::new(SequentialEngine::new(world, settings)?))
            }
            None => Self::Cpu(Box::new(CpuEngine::new(world, settings)?)),
        })
    }

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

    /// As [`AnyEngine::advance`], with the tick's last step timed. Answers with the newest times known: a GPU's are those
    /// of an earlier frame.
    pub(crate) fn advance_timed(
        &mut self,
        tick: &Tick,
        encoder: Option<&mut CommandEncoder>,
    ) -> Result<Option<StageTimes>> {
        if tick.steps == 0 || tick.step_s <= 0.0 {
            return Ok(None);
        }
        let others = Tick { steps: tick.steps - 1, ..*tick };
        if let (Self::Gpu(engine), Some(encoder)) = (&mut *self, encoder) {
            // A software adapter that has drawn takes its timestamps too late: a wrong time is worse than none.
            if engine.gpu().is_software() {
                return self.advance(tick, Some(encoder)).map(|()| None);
            }
            engine.step(others.steps, tick.step_s)?;
            engine.encode_timed(encoder, tick.step_s)?;
            return Ok(engine.stage_times());
        }
        self.advance(&others, None)?;
        self.get_mut().time_step(tick.step_s).map(Some)
    }

    /// Call it when the frame's encoder has been submitted.
    pub(crate) fn submitted(&mut self) -> Result<()> {
        match self {
            Self::Gpu(engine) => engine.ask_times(),
            _ => Ok(()),
        }
    }

    /// How the engine's grid and lists lie; the sequential solver has none.
    pub(crate) fn lattice(&self) -> Option<Lattice> {
        match self {
            Self::Cpu(engine) => Some(engine.lattice()),
            Self::Gpu(engine) => Some(engine.lattice()),
            Self::Sequential(_) => None,
        }
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
        let gpu = self.gpu.as_ref().filter(|_| !settings.solver.is_sequential());
        AnyEngine::new(gpu, world, settings, self.arithmetic)
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
    /// Cells, candidates and what is near, of the CPU engine whose lists were sent last.
    lists: Option<[Buffer; 3]>,
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
            lists: None,
            capacity: 1,
            count: 0,
            pieces: 0,
        }
    }

    /// Sends what an eye sees of the engine along with the frame's submission.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn send_seen(&mut self, engine: &mut AnyEngine, encoder: &mut CommandEncoder, eye: &Eye) -> Result<()> {
        self.send(engine)?;
        if eye.colour == ColourMode::Load {
            self.weigh(engine, encoder);
        }
        if eye.shows_lists() {
            self.send_lists(engine);
        }
        Ok(())
    }

    /// Sends a CPU engine's balls along with the next submission.
    ///
    /// # Errors
    /// Those of the engine.
    fn send(&mut self, engine: &mut AnyEngine) -> Result<()> {
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
    fn weigh(&mut self, engine: &mut AnyEngine, encoder: &mut CommandEncoder) {
        match engine {
            AnyEngine::Gpu(engine) => engine.encode_loads(encoder),
            AnyEngine::Cpu(engine) => {
                let known = self.loads.take();
                self.loads = Some(sent(&self.gpu, known, "loads", bytemuck::cast_slice(engine.loads_by_slot())));
            }
            AnyEngine::Sequential(_) => self.loads = None,
        }
    }

    /// Sends who is near to whom, for what shows it: a GPU engine's is there already, and the sequential solver keeps no
    /// such lists.
    fn send_lists(&mut self, engine: &AnyEngine) {
        let known = self.lists.take().map_or([None, None, None], |lists| lists.map(Some));
        let AnyEngine::Cpu(engine) = engine else { return };
        let [cells, candidates, nearby] = known;
        self.lists = Some([
            sent(&self.gpu, cells, "cell_start", bytemuck::cast_slice(engine.cell_start())),
            sent(&self.gpu, candidates, "candidates", bytemuck::cast_slice(engine.candidates())),
            sent(&self.gpu, nearby, "nearby", bytemuck::cast_slice(engine.nearby())),
        ]);
    }

    /// The balls to draw: those sent last, or a GPU engine's own.
    pub(crate) fn balls<'a>(&'a self, engine: &'a AnyEngine) -> Balls<'a> {
        match engine {
            AnyEngine::Gpu(engine) => {
                let (bodies, homes, held) = (engine.bodies(), engine.homes(), engine.held());
                let (spins, loads) = (engine.spins(), Some(engine.loads_by_slot()));
                let (cell_start, candidates, nearby) = (engine.cell_start(), engine.candidates(), engine.nearby());
                let neighbours = Some(Neighbours { cell_start, candidates, nearby });
                Balls { bodies, homes, held, spins, loads, neighbours, count: engine.balls(), pieces: engine.pieces() }
            }
            _ => {
                let Self { bodies, homes, held, count, pieces, .. } = self;
                let (spins, loads) = (self.turns.then_some(&self.spins), self.loads.as_ref());
                let lists = self.lists.as_ref();
                let neighbours =
                    lists.map(|[cell_start, candidates, nearby]| Neighbours { cell_start, candidates, nearby });
                Balls { bodies, homes, held, spins, loads, neighbours, count: *count, pieces: *pieces }
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

/// Sends bytes into the buffer known so far, or into a new one that holds them.
fn sent(gpu: &Gpu, known: Option<Buffer>, label: &str, bytes: &[u8]) -> Buffer {
    let fits = known.filter(|buffer| buffer.size() >= bytes.len() as u64);
    let buffer = fits.unwrap_or_else(|| buffer(gpu, label, bytes.len().max(8)));
    gpu.queue.write_buffer(&buffer, 0, bytes);
    buffer
}

fn buffer(gpu: &Gpu, label: &str, bytes: usize) -> Buffer {
    gpu.device.create_buffer(&BufferDescriptor {
        label: Some(label),
        size: bytes as u64,
        usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
