//! The engine's buffers, and a bind group for each stage and each way round that they can lie.

use std::collections::HashMap;

use encase::ShaderType;
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindingResource, Buffer as GpuBuffer, BufferBinding, BufferUsages,
    Queue,
};

use super::Gpu;
use super::pipelines::Pipelines;
use super::transfer::uniform_bytes;
use crate::course::Slotted;
use crate::engine::Slots;
use crate::params::{Kick, Params, Pointer};
use crate::stage::list_contacts::Nearby;
use crate::stage::measure::WORDS;
use crate::stage::{Buffer, SCAN_BLOCK, SLOTS, WORKGROUP};
use crate::step::Turn;
use crate::{Error, Home, Record, Result, Settings, Stage};

/// Which of two buffers is the current one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct PingPong {
    bodies_flipped: bool,
    homes_flipped: bool,
    supporters_flipped: bool,
}

pub(super) struct Buffers {
    fixed: HashMap<Buffer, GpuBuffer>,
    bodies: [GpuBuffer; 2],
    homes: [GpuBuffer; 2],
    supporters: [GpuBuffer; 2],
    /// What each turn is told, `kick_stride` bytes apart: those of a step by the substeps done, then its last.
    kicks: GpuBuffer,
    kick_stride: u32,
    passes: u32,
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
        let awake_bytes = 4 * (4 + balls.div_ceil(u64::from(WORKGROUP)));
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
            (Buffer::Wake, storage("wake", balls * 4)),
            (
                Buffer::AwakeBlocks,
                gpu.buffer("awake_blocks", awake_bytes, BufferUsages::STORAGE | BufferUsages::INDIRECT),
            ),
            (Buffer::Measures, storage("measures", (WORDS * 4) as u64)),
            (Buffer::Load, storage("load", balls * 4)),
        ]);
        let bodies = ["bodies a", "bodies b"].map(|label| storage(label, balls * size_of::<Record>() as u64));
        let homes = ["homes a", "homes b"].map(|label| storage(label, balls * size_of::<Home>() as u64));
        let supporters = ["supporter a", "supporter b"].map(|label| storage(label, balls * 4));
        gpu.queue.write_buffer(&bodies[0], 0, bytemuck::cast_slice(&slotted.bodies));
        gpu.queue.write_buffer(&homes[0], 0, bytemuck::cast_slice(&slotted.homes));
        let kick_stride = gpu.device.limits().min_uniform_buffer_offset_alignment.max(Kick::min_size().get() as u32);
        let kicks = uniform("kicks", &vec![0; kick_stride as usize * (Settings::MOST_PASSES as usize + 1)]);
        let groups = HashMap::new();
        let at = PingPong::default();
        let mut buffers = Self { fixed, bodies, homes, supporters, kicks, kick_stride, passes: 0, groups, at, blocks };
        buffers.groups = buffers.all_groups(gpu, pipelines);
        buffers.write_params(&gpu.queue, params);
        Ok(buffers)
    }

    fn all_groups(&self, gpu: &Gpu, pipelines: &Pipelines) -> HashMap<(Stage, PingPong), BindGroup> {
        let mut groups = HashMap::new();
        for &stage in Stage::ALL {
            for bits in 0..8 {
                let at = PingPong {
                    bodies_flipped: bits & 1 > 0,
                    homes_flipped: bits & 2 > 0,
                    supporters_flipped: bits & 4 > 0,
                };
                let entries: Vec<BindGroupEntry> = (0..)
                    .zip(stage.bindings())
                    .map(|(binding, &(buffer, _))| BindGroupEntry { binding, resource: self.binding_of(at, buffer) })
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

    fn binding_of(&self, at: PingPong, buffer: Buffer) -> BindingResource<'_> {
        let size = (buffer == Buffer::Kick).then(Kick::min_size);
        BindingResource::Buffer(BufferBinding { buffer: self.buffer_at(at, buffer), offset: 0, size })
    }

    fn buffer_at(&self, at: PingPong, buffer: Buffer) -> &GpuBuffer {
        match buffer {
            Buffer::Bodies => &self.bodies[usize::from(at.bodies_flipped)],
            Buffer::BodiesOut => &self.bodies[usize::from(!at.bodies_flipped)],
            Buffer::Homes => &self.homes[usize::from(at.homes_flipped)],
            Buffer::HomesOut => &self.homes[usize::from(!at.homes_flipped)],
            Buffer::Supporter => &self.supporters[usize::from(at.supporters_flipped)],
            Buffer::SupporterOut => &self.supporters[usize::from(!at.supporters_flipped)],
            Buffer::Kick => &self.kicks,
            fixed => &self.fixed[&fixed],
        }
    }

    /// A buffer as the stages left it.
    pub(super) fn current(&self, buffer: Buffer) -> &GpuBuffer {
        self.buffer_at(self.at, buffer)
    }

    /// The bind group of a turn, as the buffers lie now, and where its kick lies, if it takes one.
    pub(super) fn group(&self, turn: Turn) -> (&BindGroup, Option<u32>) {
        let takes_kick = turn.stage.bindings().iter().any(|&(buffer, _)| buffer == Buffer::Kick);
        let kick = if turn.is_last { self.passes } else { turn.substeps };
        (&self.groups[&(turn.stage, self.at)], takes_kick.then_some(kick * self.kick_stride))
    }

    /// Turns over what a stage has written.
    pub(super) fn advance(&mut self, stage: Stage) {
        let writes = |buffer| stage.bindings().iter().any(|&(bound, _)| bound == buffer);
        self.at.bodies_flipped ^= writes(Buffer::BodiesOut);
        self.at.homes_flipped ^= writes(Buffer::HomesOut);
        self.at.supporters_flipped ^= writes(Buffer::SupporterOut);
    }

    pub(super) fn blocks(&self) -> u32 {
        self.blocks
    }

    pub(super) fn bytes(&self) -> u64 {
        let all =
            self.fixed.values().chain(&self.bodies).chain(&self.homes).chain(&self.supporters).chain([&self.kicks]);
        all.map(GpuBuffer::size).sum()
    }

    /// Writes a whole state where the stages will look for it.
    pub(super) fn load(&self, queue: &Queue, slots: &Slots) {
        for bodies in &self.bodies {
            queue.write_buffer(bodies, 0, bytemuck::cast_slice(slots.bodies));
        }
        queue.write_buffer(self.current(Buffer::Wake), 0, bytemuck::cast_slice(slots.wake));
        queue.write_buffer(self.current(Buffer::Homes), 0, bytemuck::cast_slice(slots.homes));
        queue.write_buffer(self.current(Buffer::CellStart), 0, bytemuck::cast_slice(slots.cell_start));
        queue.write_buffer(self.current(Buffer::Nearby), 0, bytemuck::cast_slice(slots.nearby));
        queue.write_buffer(self.current(Buffer::Supporter), 0, bytemuck::cast_slice(slots.supporter));
        let (balls, slot_count) = (slots.bodies.len(), SLOTS as usize);
        let by_slot: Vec<u32> =
            (0..balls * slot_count).map(|k| slots.candidates[k % balls * slot_count + k / balls]).collect();
        queue.write_buffer(self.current(Buffer::Candidates), 0, bytemuck::cast_slice(&by_slot));
    }

    /// Tells the device of new constants.
    pub(super) fn write_params(&mut self, queue: &Queue, params: &Params) {
        queue.write_buffer(&self.fixed[&Buffer::Params], 0, &uniform_bytes(params));
        self.passes = params.passes;
        let last = params.kick(self.passes - 1, true);
        let kicks = (0..self.passes).map(|substeps| params.kick(substeps, false)).chain([last]);
        let mut bytes = Vec::new();
        for kick in kicks {
            bytes.extend(uniform_bytes(&kick));
            bytes.resize(bytes.len().next_multiple_of(self.kick_stride as usize), 0);
        }
        queue.write_buffer(&self.kicks, 0, &bytes);
    }

    pub(super) fn write_pointer(&self, queue: &Queue, pointer: &Pointer) {
        queue.write_buffer(&self.fixed[&Buffer::Pointer], 0, &uniform_bytes(pointer));
    }

    /// Wakes all sleepers as the next step begins.
    pub(super) fn wake_all(&self, queue: &Queue) {
        let wake = &self.fixed[&Buffer::Wake];
        queue.write_buffer(wake, 0, bytemuck::cast_slice(&vec![1u32; (wake.size() / 4) as usize]));
    }

    /// Takes what the pointer holds from it.
    pub(super) fn let_go(&self, queue: &Queue) {
        queue.write_buffer(&self.fixed[&Buffer::Held], 0, bytemuck::bytes_of(&[0u32; 2]));
    }
}

fn refuse_too_many(gpu: &Gpu, balls: usize) -> Result<()> {
    let limits = gpu.device.limits();
    let largest_binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let most = (largest_binding / (4 * u64::from(SLOTS))) as usize;
    if balls <= most { Ok(()) } else { Err(Error::TooManyBalls { balls, adapter: gpu.describe(), most }) }
}
