//! An engine's balls as the renderer wants them.

use ballpit::render::{Balls, Neighbours};
use ballpit::{Engine, Gpu, Home, Record, Result, Spin};
use wgpu::{Buffer, BufferDescriptor, BufferUsages, CommandEncoder};

use crate::colours::ColourMode;
use crate::engines::AnyEngine;
use crate::look::Look;

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

    /// Sends what a look shows of the engine along with the frame's submission.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn send_seen(
        &mut self,
        engine: &mut AnyEngine,
        encoder: &mut CommandEncoder,
        look: &Look,
    ) -> Result<()> {
        self.send(engine)?;
        if look.colour == ColourMode::Load {
            self.weigh(engine, encoder);
        }
        if look.shows_lists() {
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
            sent(&self.gpu, candidates, "candidates", bytemuck::cast_slice(&engine.candidates())),
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
