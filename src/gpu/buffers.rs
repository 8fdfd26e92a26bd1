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
use crate::actor::OrderRecord;
use crate::course::{Course, Slotted};
use crate::engine::Slots;
use crate::params::{Kick, Params, Pointer, Steering};
use crate::stage::friction_pass::{GRIPS, Grip};
use crate::stage::list_contacts::Nearby;
use crate::stage::measure::WORDS;
use crate::stage::{Buffer, NONE, SCAN_BLOCK, SLOTS, WORKGROUP};
use crate::step::Turn;
use crate::{Error, Result, Settings, Stage};

/// Buffers of which there are two: what stages find, and what they leave.
const PAIRS: [(Buffer, Buffer); 5] = [
    (Buffer::Bodies, Buffer::BodiesOut),
    (Buffer::Homes, Buffer::HomesOut),
    (Buffer::Supporter, Buffer::SupporterOut),
    (Buffer::Grips, Buffer::GripsOut),
    (Buffer::Spins, Buffer::SpinsOut),
];

/// Which of each pair is the current one, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct PingPong(usize);

impl PingPong {
    /// The bits of the pairs that a stage binds.
    fn bound_by(stage: Stage) -> Self {
        let binds = |(found, left)| stage.bindings().iter().any(|&(buffer, _)| buffer == found || buffer == left);
        Self((0..PAIRS.len()).filter(|&pair| binds(PAIRS[pair])).map(|pair| 1 << pair).sum())
    }

    /// The same, with the pairs that a stage does not bind as if at the start.
    fn of(self, stage: Stage) -> Self {
        Self(self.0 & Self::bound_by(stage).0)
    }
}

pub(super) struct Buffers {
    fixed: HashMap<Buffer, GpuBuffer>,
    /// The buffers of [`PAIRS`].
    pairs: [[GpuBuffer; 2]; PAIRS.len()],
    /// What each turn is told, `kick_stride` bytes apart: those of a step by the substeps done, then its last.
    kicks: GpuBuffer,
    kick_stride: u32,
    passes: u32,
    groups: HashMap<(Stage, PingPong), BindGroup>,
    at: PingPong,
    blocks: u32,
}

impl Buffers {
    pub(super) fn new(gpu: &Gpu, pipelines: &Pipelines, course: &Course, slotted: &Slotted) -> Result<Self> {
        let params = course.params();
        refuse_too_many(gpu, slotted)?;
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
            (Buffer::Steering, uniform("steering", &uniform_bytes(course.steering()))),
            (Buffer::Orders, storage("orders", size_of_val(&course.orders()[..]) as u64)),
            (Buffer::Actors, storage("actors", size_of_val(&slotted.actors[..]) as u64)),
            (Buffer::SlotOf, storage("slot_of", slotted.actors.len() as u64 * 4)),
        ]);
        gpu.queue.write_buffer(&fixed[&Buffer::Actors], 0, bytemuck::cast_slice(&slotted.actors));
        let grips = by_slot(&slotted.grips, GRIPS);
        let pair = |label: &str, bytes: &[u8]| {
            let pair = ["a", "b"].map(|which| storage(&format!("{label} {which}"), bytes.len() as u64));
            gpu.queue.write_buffer(&pair[0], 0, bytes);
            pair
        };
        let pairs = [
            pair("bodies", bytemuck::cast_slice(&slotted.bodies)),
            pair("homes", bytemuck::cast_slice(&slotted.homes)),
            pair("supporter", bytemuck::cast_slice(&vec![NONE; slotted.bodies.len()])),
            pair("grips", bytemuck::cast_slice(&grips)),
            pair("spins", bytemuck::cast_slice(&slotted.spins)),
        ];
        let kick_stride = gpu.device.limits().min_uniform_buffer_offset_alignment.max(Kick::min_size().get() as u32);
        let kicks = uniform("kicks", &vec![0; kick_stride as usize * (Settings::MOST_PASSES as usize + 1)]);
        let groups = HashMap::new();
        let at = PingPong::default();
        let mut buffers = Self { fixed, pairs, kicks, kick_stride, passes: 0, groups, at, blocks };
        buffers.groups = buffers.all_groups(gpu, pipelines);
        buffers.write_params(&gpu.queue, params);
        buffers.write_orders(&gpu.queue, &course.orders());
        Ok(buffers)
    }

    fn all_groups(&self, gpu: &Gpu, pipelines: &Pipelines) -> HashMap<(Stage, PingPong), BindGroup> {
        let mut groups = HashMap::new();
        for &stage in Stage::ALL {
            let ways = (0..1 << PAIRS.len()).map(PingPong);
            for at in ways.filter(|at| at.of(stage) == *at) {
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
        let pair =
            PAIRS.iter().zip(&self.pairs).enumerate().find(|(_, (names, _))| names.0 == buffer || names.1 == buffer);
        match pair {
            Some((index, (&(_, left), buffers))) => &buffers[(at.0 >> index & 1) ^ usize::from(buffer == left)],
            None if buffer == Buffer::Kick => &self.kicks,
            None => &self.fixed[&buffer],
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
        (&self.groups[&(turn.stage, self.at.of(turn.stage))], takes_kick.then_some(kick * self.kick_stride))
    }

    /// Turns over what a stage has written.
    pub(super) fn advance(&mut self, stage: Stage) {
        for (index, (_, left)) in PAIRS.iter().enumerate() {
            let writes = stage.bindings().iter().any(|(buffer, _)| buffer == left);
            self.at.0 ^= usize::from(writes) << index;
        }
    }

    pub(super) fn blocks(&self) -> u32 {
        self.blocks
    }

    pub(super) fn bytes(&self) -> u64 {
        let all = self.fixed.values().chain(self.pairs.iter().flatten()).chain([&self.kicks]);
        all.map(GpuBuffer::size).sum()
    }

    /// Writes a whole state where the stages will look for it.
    pub(super) fn load(&self, queue: &Queue, slots: &Slots) {
        for bodies in [Buffer::Bodies, Buffer::BodiesOut] {
            queue.write_buffer(self.current(bodies), 0, bytemuck::cast_slice(slots.bodies));
        }
        queue.write_buffer(self.current(Buffer::Wake), 0, bytemuck::cast_slice(slots.wake));
        queue.write_buffer(self.current(Buffer::Homes), 0, bytemuck::cast_slice(slots.homes));
        queue.write_buffer(self.current(Buffer::CellStart), 0, bytemuck::cast_slice(slots.cell_start));
        queue.write_buffer(self.current(Buffer::Nearby), 0, bytemuck::cast_slice(slots.nearby));
        queue.write_buffer(self.current(Buffer::Supporter), 0, bytemuck::cast_slice(slots.supporter));
        let candidates = by_slot(slots.candidates, SLOTS);
        queue.write_buffer(self.current(Buffer::Candidates), 0, bytemuck::cast_slice(&candidates));
        queue.write_buffer(self.current(Buffer::Grips), 0, bytemuck::cast_slice(&by_slot(slots.grips, GRIPS)));
        queue.write_buffer(self.current(Buffer::Spins), 0, bytemuck::cast_slice(slots.spins));
        queue.write_buffer(self.current(Buffer::Actors), 0, bytemuck::cast_slice(slots.actors));
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

    /// Tells the device where actors are sent.
    pub(super) fn write_steering(&self, queue: &Queue, steering: &Steering) {
        queue.write_buffer(&self.fixed[&Buffer::Steering], 0, &uniform_bytes(steering));
    }

    /// Tells the device what actors are told.
    pub(super) fn write_orders(&self, queue: &Queue, orders: &[OrderRecord]) {
        queue.write_buffer(&self.fixed[&Buffer::Orders], 0, bytemuck::cast_slice(orders));
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

fn refuse_too_many(gpu: &Gpu, slotted: &Slotted) -> Result<()> {
    let limits = gpu.device.limits();
    let largest_binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let largest = if slotted.grips.is_empty() { 4 * SLOTS } else { size_of::<Grip>() as u32 * GRIPS };
    let (balls, most) = (slotted.bodies.len(), (largest_binding / u64::from(largest)) as usize);
    if balls <= most { Ok(()) } else { Err(Error::TooManyBalls { balls, adapter: gpu.describe(), most }) }
}
