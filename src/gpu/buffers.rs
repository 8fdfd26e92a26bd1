//! The engine's buffers, and a bind group for each stage and each way round that they can lie.

use std::collections::HashMap;

use wgpu::{BindGroup, BindGroupDescriptor, BindGroupEntry, Buffer as GpuBuffer, BufferUsages, Queue};

use super::Gpu;
use super::pipelines::Pipelines;
use super::transfer::uniform_bytes;
use crate::course::Slotted;
use crate::engine::Slots;
use crate::params::{Kick, Params, Pointer};
use crate::stage::friction_pass::GRIPS;
use crate::stage::list_contacts::Nearby;
use crate::stage::measure::WORDS;
use crate::stage::{Buffer, SCAN_BLOCK, SLOTS};
use crate::step::Turn;
use crate::{Error, Home, Record, Result, Stage};

/// Which of two buffers is the current one, and which of two kicks a turn takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct PingPong {
    bodies_flipped: bool,
    homes_flipped: bool,
    supporters_flipped: bool,
    grips_flipped: bool,
    spins_flipped: bool,
    is_last: bool,
}

pub(super) struct Buffers {
    fixed: HashMap<Buffer, GpuBuffer>,
    bodies: [GpuBuffer; 2],
    homes: [GpuBuffer; 2],
    supporters: [GpuBuffer; 2],
    grips: [GpuBuffer; 2],
    spins: [GpuBuffer; 2],
    /// What a pass leaves for the next one, and what the last pass leaves.
    kicks: [GpuBuffer; 2],
    groups: HashMap<(Stage, PingPong), BindGroup>,
    at: PingPong,
    blocks: u32,
}

impl Buffers {
    pub(super) fn new(gpu: &Gpu, pipelines: &Pipelines, params: &Params, slotted: &Slotted) -> Result<Self> {
        refuse_too_many(gpu, slotted.bodies.len())?;
        let cells = u64::from(params.cells + 1).next_multiple_of(4);
        let blocks = cells.div_ceil(u64::from(SCAN_BLOCK)) as u32;
        let balls = slotted.bodies.len() as u64;
        let storage = |label: &str, bytes: u64| {
            gpu.buffer(label, bytes, BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST)
        };
        let uniform = |label: &str, bytes: &[u8]| {
            let buffer = gpu.buffer(label, bytes.len() as u64, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
            gpu.queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        let fixed = HashMap::from([
            (Buffer::Params, uniform("params", &uniform_bytes(params))),
            (Buffer::Pointer, uniform("pointer", &uniform_bytes(&Pointer::default()))),
            (Buffer::CellCount, storage("cell_count", cells * 4)),
            (Buffer::CellStart, storage("cell_start", cells * 4)),
            (Buffer::BlockSum, storage("block_sum", u64::from(blocks) * 4)),
            (Buffer::CellOf, storage("cell_of", balls * 8)),
            (Buffer::Members, storage("members", balls * 8)),
            (Buffer::Candidates, storage("candidates", balls * 4 * u64::from(SLOTS))),
            (Buffer::Nearby, storage("nearby", balls * size_of::<Nearby>() as u64)),
            (Buffer::Held, storage("held", 8)),
            (Buffer::Measures, storage("measures", (WORDS * 4) as u64)),
        ]);
        let bodies = ["bodies a", "bodies b"].map(|label| storage(label, balls * size_of::<Record>() as u64));
        let homes = ["homes a", "homes b"].map(|label| storage(label, balls * size_of::<Home>() as u64));
        let supporters = ["supporter a", "supporter b"].map(|label| storage(label, balls * 4));
        let grips = ["grips a", "grips b"].map(|label| storage(label, size_of_val(&slotted.grips[..]) as u64));
        let spins = ["spins a", "spins b"].map(|label| storage(label, size_of_val(&slotted.spins[..]) as u64));
        gpu.queue.write_buffer(&grips[0], 0, bytemuck::cast_slice(&by_slot(&slotted.grips, GRIPS)));
        gpu.queue.write_buffer(&spins[0], 0, bytemuck::cast_slice(&slotted.spins));
        gpu.queue.write_buffer(&bodies[0], 0, bytemuck::cast_slice(&slotted.bodies));
        gpu.queue.write_buffer(&homes[0], 0, bytemuck::cast_slice(&slotted.homes));
        let kicks = [params.kick(), Kick::NONE].map(|kick| uniform("kick", &uniform_bytes(&kick)));
        let mut buffers = Self {
            fixed,
            bodies,
            homes,
            supporters,
            grips,
            spins,
            kicks,
            groups: HashMap::new(),
            at: PingPong::default(),
            blocks,
        };
        buffers.groups = buffers.all_groups(gpu, pipelines);
        Ok(buffers)
    }

    fn all_groups(&self, gpu: &Gpu, pipelines: &Pipelines) -> HashMap<(Stage, PingPong), BindGroup> {
        let mut groups = HashMap::new();
        for &stage in Stage::ALL {
            for bits in 0..64 {
                let at = PingPong {
                    bodies_flipped: bits & 1 > 0,
                    homes_flipped: bits & 2 > 0,
                    supporters_flipped: bits & 4 > 0,
                    is_last: bits & 8 > 0,
                    grips_flipped: bits & 16 > 0,
                    spins_flipped: bits & 32 > 0,
                };
                let entries: Vec<BindGroupEntry> = (0..)
                    .zip(stage.bindings())
                    .map(|(binding, &(buffer, _))| BindGroupEntry {
                        binding,
                        resource: self.buffer_at(at, buffer).as_entire_binding(),
                    })
                    .collect();
                let descriptor = BindGroupDescriptor {
                    label: Some(stage.name()),
                    layout: &pipelines.of(stage).layout,
                    entries: &entries,
                };
                groups.insert((stage, at), gpu.device.create_bind_group(&descriptor));
            }
        }
        groups
    }

    fn buffer_at(&self, at: PingPong, buffer: Buffer) -> &GpuBuffer {
        match buffer {
            Buffer::Bodies => &self.bodies[usize::from(at.bodies_flipped)],
            Buffer::BodiesOut => &self.bodies[usize::from(!at.bodies_flipped)],
            Buffer::Homes => &self.homes[usize::from(at.homes_flipped)],
            Buffer::HomesOut => &self.homes[usize::from(!at.homes_flipped)],
            Buffer::Supporter => &self.supporters[usize::from(at.supporters_flipped)],
            Buffer::SupporterOut => &self.supporters[usize::from(!at.supporters_flipped)],
            Buffer::Grips => &self.grips[usize::from(at.grips_flipped)],
            Buffer::GripsOut => &self.grips[usize::from(!at.grips_flipped)],
            Buffer::Spins => &self.spins[usize::from(at.spins_flipped)],
            Buffer::SpinsOut => &self.spins[usize::from(!at.spins_flipped)],
            Buffer::Kick => &self.kicks[usize::from(at.is_last)],
            fixed => &self.fixed[&fixed],
        }
    }

    /// A buffer as the stages left it.
    pub(super) fn current(&self, buffer: Buffer) -> &GpuBuffer {
        self.buffer_at(self.at, buffer)
    }

    /// The bind group of a turn, as the buffers lie now.
    pub(super) fn group(&self, turn: Turn) -> &BindGroup {
        &self.groups[&(turn.stage, PingPong { is_last: turn.is_last, ..self.at })]
    }

    /// Turns over what a stage has written.
    pub(super) fn advance(&mut self, stage: Stage) {
        let writes = |buffer| stage.bindings().iter().any(|&(bound, _)| bound == buffer);
        self.at.bodies_flipped ^= writes(Buffer::BodiesOut);
        self.at.homes_flipped ^= writes(Buffer::HomesOut);
        self.at.supporters_flipped ^= writes(Buffer::SupporterOut);
        self.at.grips_flipped ^= writes(Buffer::GripsOut);
        self.at.spins_flipped ^= writes(Buffer::SpinsOut);
    }

    pub(super) fn blocks(&self) -> u32 {
        self.blocks
    }

    pub(super) fn bytes(&self) -> u64 {
        let pairs = [&self.bodies, &self.homes, &self.supporters, &self.grips, &self.spins, &self.kicks];
        let all = self.fixed.values().chain(pairs.into_iter().flatten());
        all.map(GpuBuffer::size).sum()
    }

    /// Writes a whole state where the stages will look for it.
    pub(super) fn load(&self, queue: &Queue, slots: &Slots) {
        queue.write_buffer(self.current(Buffer::Bodies), 0, bytemuck::cast_slice(slots.bodies));
        queue.write_buffer(self.current(Buffer::Homes), 0, bytemuck::cast_slice(slots.homes));
        queue.write_buffer(self.current(Buffer::CellStart), 0, bytemuck::cast_slice(slots.cell_start));
        queue.write_buffer(self.current(Buffer::Nearby), 0, bytemuck::cast_slice(slots.nearby));
        queue.write_buffer(self.current(Buffer::Supporter), 0, bytemuck::cast_slice(slots.supporter));
        let candidates = by_slot(slots.candidates, SLOTS);
        queue.write_buffer(self.current(Buffer::Candidates), 0, bytemuck::cast_slice(&candidates));
        queue.write_buffer(self.current(Buffer::Grips), 0, bytemuck::cast_slice(&by_slot(slots.grips, GRIPS)));
        queue.write_buffer(self.current(Buffer::Spins), 0, bytemuck::cast_slice(slots.spins));
    }

    pub(super) fn write_params(&self, queue: &Queue, params: &Params) {
        queue.write_buffer(&self.fixed[&Buffer::Params], 0, &uniform_bytes(params));
        queue.write_buffer(&self.kicks[0], 0, &uniform_bytes(&params.kick()));
    }

    pub(super) fn write_pointer(&self, queue: &Queue, pointer: &Pointer) {
        queue.write_buffer(&self.fixed[&Buffer::Pointer], 0, &uniform_bytes(pointer));
    }

    /// Takes what the pointer holds from it.
    pub(super) fn let_go(&self, queue: &Queue) {
        queue.write_buffer(&self.fixed[&Buffer::Held], 0, bytemuck::bytes_of(&[0u32; 2]));
    }
}

/// Lists of `length` items a ball, one ball after another → item after item of all balls.
fn by_slot<T: Copy>(lists: &[T], length: u32) -> Vec<T> {
    let length = length as usize;
    let balls = lists.len() / length;
    (0..lists.len()).map(|k| lists[k % balls * length + k / balls]).collect()
}

/// The other way round.
pub(super) fn by_ball<T: Copy>(slots: &[T], length: u32) -> Vec<T> {
    let length = length as usize;
    let balls = slots.len() / length;
    (0..slots.len()).map(|k| slots[k % length * balls + k / length]).collect()
}

fn refuse_too_many(gpu: &Gpu, balls: usize) -> Result<()> {
    let limits = gpu.device.limits();
    let largest_binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let most = (largest_binding / (4 * u64::from(SLOTS))) as usize;
    if balls <= most { Ok(()) } else { Err(Error::TooManyBalls { balls, adapter: gpu.describe(), most }) }
}
