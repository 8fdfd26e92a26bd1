//! The engine's buffers, and a bind group for each kernel and each way round that they can lie.

use std::collections::HashMap;

use encase::ShaderType;
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindingResource, Buffer as GpuBuffer, BufferBinding, BufferUsages,
    CommandEncoder, Queue,
};

use super::Gpu;
use super::pipelines::Pipelines;
use super::texels::{self, Ready, Texels};
use super::transfer::uniform_bytes;
use crate::actor::{ActorRecord, OrderRecord};
use crate::course::{Course, Slotted};
use crate::engine::Slots;
use crate::params::{Kick, Params, Pointer, Steering, Stroke, Traits};
use crate::stage::apply_forces::find_calm;
use crate::stage::contact_pass::in_two;
use crate::stage::dialect::{Dialect, Element};
use crate::stage::find_awake;
use crate::stage::friction_pass::{GRIPS, Grip};
use crate::stage::kernel::Kernel;
use crate::stage::list_contacts::Nearby;
use crate::stage::measure::WORDS;
use crate::stage::{Access, Buffer, SCAN_BLOCK, SLOTS, WORKGROUP};
use crate::step::Turn;
use crate::{Error, Home, Record, Result, Settings, Spin};

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
    /// The bits of the pairs that a kernel binds.
    fn bound_by(kernel: Kernel) -> Self {
        let binds = |(found, left)| kernel.bindings().iter().any(|&(buffer, _)| buffer == found || buffer == left);
        Self((0..PAIRS.len()).filter(|&pair| binds(PAIRS[pair])).map(|pair| 1 << pair).sum())
    }

    /// The same, with the pairs that a kernel does not bind as if at the start.
    fn of(self, kernel: Kernel) -> Self {
        Self(self.0 & Self::bound_by(kernel).0)
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
    groups: HashMap<(Kernel, PingPong), BindGroup>,
    at: PingPong,
    room: Room,
    dialect: Dialect,
    /// What kernels read that read textures.
    texels: Texels,
}

/// What buffers have room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Balls and pieces of segments.
    pub(super) slots: u32,
    pub(super) cells: u32,
    /// Whether there are buffers of what rubs.
    pub(super) rubs: bool,
    /// Whether there are buffers of actors.
    pub(super) acts: bool,
    /// Whether balls sleep, for which kernels of another dialect may be at hand.
    pub(super) sleeps: bool,
}

impl Room {
    /// Room for what there is.
    pub(super) fn of(course: &Course) -> Self {
        let Params { count, cells, .. } = *course.params();
        let Traits { rubs, acts, .. } = course.traits();
        Self { slots: count, cells, rubs, acts, sleeps: course.sleeps() }
    }

    /// What the kernels are written in that run over such buffers.
    pub(super) fn dialect(self, gpu: &Gpu) -> Dialect {
        gpu.dialect(self.slots, self.sleeps)
    }

    /// The same if all that there is fits in it; or else twice as much, as far as the device holds it.
    pub(super) fn for_all(self, gpu: &Gpu, course: &Course) -> Result<Self> {
        let Self { slots, cells, rubs, acts, sleeps } = Self::of(course);
        refuse_too_many(gpu, slots, rubs)?;
        let grown = |had: u32, wanted: u32| if wanted <= had { had } else { wanted.saturating_mul(2) };
        let slots = grown(self.slots, slots).min(most_slots(gpu, rubs));
        Ok(Self { slots, cells: grown(self.cells, cells), rubs, acts, sleeps })
    }
}

impl Buffers {
    /// Buffers with so much room.
    ///
    /// # Errors
    /// [`Error::TooManyBalls`] for more than the device holds.
    pub(super) fn new(gpu: &Gpu, pipelines: &Pipelines, room: Room) -> Result<Self> {
        refuse_too_many(gpu, room.slots, room.rubs)?;
        let dialect = room.dialect(gpu);
        let kick_stride = gpu.device.limits().min_uniform_buffer_offset_alignment.max(Kick::min_size().get() as u32);
        let kick_bytes = u64::from(kick_stride) * u64::from(Settings::MOST_PASSES + 1);
        let mut buffers = Self {
            fixed: fixed(gpu, room, dialect),
            pairs: pairs(gpu, room),
            kicks: uniform(gpu, "kicks", kick_bytes),
            kick_stride,
            passes: 0,
            groups: HashMap::new(),
            at: PingPong::default(),
            room,
            dialect,
            texels: Texels::default(),
        };
        buffers.texels = Texels::new(gpu, buffers.read_as_textures());
        buffers.bind(gpu, pipelines);
        Ok(buffers)
    }

    /// Makes the bind groups, for the kernels at hand.
    pub(super) fn bind(&mut self, gpu: &Gpu, pipelines: &Pipelines) {
        self.groups = self.all_groups(gpu, pipelines);
    }

    fn all_groups(&self, gpu: &Gpu, pipelines: &Pipelines) -> HashMap<(Kernel, PingPong), BindGroup> {
        let mut groups = HashMap::new();
        for kernel in Kernel::all(self.dialect) {
            let ways = (0..1 << PAIRS.len()).map(PingPong);
            for at in ways.filter(|at| at.of(kernel) == *at) {
                let entries: Vec<BindGroupEntry> = (0..)
                    .zip(kernel.bindings())
                    .map(|(binding, &bound)| BindGroupEntry { binding, resource: self.binding_of(at, bound) })
                    .collect();
                let descriptor = BindGroupDescriptor {
                    label: Some(kernel.name()),
                    layout: &pipelines.of(kernel).layout,
                    entries: &entries,
                };
                groups.insert((kernel, at), gpu.device.create_bind_group(&descriptor));
            }
        }
        groups
    }

    /// The buffers that a kernel reads as textures, and what they hold.
    fn read_as_textures(&self) -> impl Iterator<Item = (Buffer, Element, &GpuBuffer)> {
        let bound = Kernel::all(self.dialect).flat_map(Kernel::bindings);
        let read = bound.filter_map(|&bound| Some((bound.0, self.dialect.texels_of(bound)?)));
        let each_once: HashMap<Buffer, Element> = read.collect();
        each_once.into_iter().map(|(buffer, element)| (buffer, element, self.current(buffer)))
    }

    fn binding_of(&self, at: PingPong, bound: (Buffer, Access)) -> BindingResource<'_> {
        let buffer = bound.0;
        if self.dialect.texels_of(bound).is_some() {
            return BindingResource::TextureView(self.texels.view(buffer));
        }
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

    /// The bind group of a turn's kernel, as the buffers lie now, and where its kick lies, if it takes one.
    pub(super) fn group(&self, turn: Turn, kernel: Kernel) -> (&BindGroup, Option<u32>) {
        let takes_kick = kernel.bindings().iter().any(|&(buffer, _)| buffer == Buffer::Kick);
        let kick = if turn.is_last { self.passes } else { turn.substeps };
        (&self.groups[&(kernel, self.at.of(kernel))], takes_kick.then_some(kick * self.kick_stride))
    }

    /// Whether a kernel finds all as it is to find it.
    pub(super) fn are_ready(&self, ready: Ready, kernel: Kernel) -> bool {
        self.not_ready(ready, kernel).next().is_none()
    }

    /// Copies what a kernel reads to its textures, where it reads textures, and empties the list that it is to fill.
    pub(super) fn make_ready(&self, encoder: &mut CommandEncoder, ready: &mut Ready, kernel: Kernel) {
        for buffer in self.not_ready(*ready, kernel) {
            match buffer {
                Buffer::Deferred => {
                    encoder.clear_buffer(self.current(buffer), 0, Some(4 * u64::from(in_two::DEFERRED)))
                }
                _ => self.texels.copy(encoder, buffer, self.current(buffer)),
            }
            ready.add(buffer);
        }
    }

    fn not_ready(&self, ready: Ready, kernel: Kernel) -> impl Iterator<Item = Buffer> + use<> {
        let dialect = self.dialect;
        let is_wanted = move |bound| dialect.texels_of(bound).is_some() || bound == (Buffer::Deferred, Access::Write);
        let wanted = kernel.bindings().iter().filter(move |&&bound| is_wanted(bound));
        wanted.map(|&(buffer, _)| buffer).filter(move |&buffer| !ready.has(buffer))
    }

    /// Turns over what a kernel has written.
    pub(super) fn advance(&mut self, ready: &mut Ready, kernel: Kernel) {
        for &(buffer, access) in kernel.bindings() {
            if !matches!(access, Access::Write | Access::Update) {
                continue;
            }
            match PAIRS.iter().position(|&(_, left)| left == buffer) {
                None => ready.remove(buffer),
                Some(pair) if kernel.turns_over() => {
                    ready.remove(PAIRS[pair].0);
                    self.at.0 ^= 1 << pair;
                }
                Some(_) => {}
            }
        }
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(super) fn room(&self) -> Room {
        self.room
    }

    /// Writes balls and pieces into the slots from `first` on.
    pub(super) fn write_slots(&self, queue: &Queue, first: u32, slotted: &Slotted) {
        let Slotted { bodies, homes, spins, grips, actors } = slotted;
        let first = u64::from(first);
        let write = |buffer, size: usize, bytes: &[u8]| {
            // Nothing may not be written behind the end of a buffer that nothing is in.
            if !bytes.is_empty() {
                queue.write_buffer(self.current(buffer), first * size as u64, bytes);
            }
        };
        write(Buffer::Bodies, size_of::<Record>(), bytemuck::cast_slice(bodies));
        write(Buffer::Homes, size_of::<Home>(), bytemuck::cast_slice(homes));
        write(Buffer::Spins, size_of::<Spin>(), bytemuck::cast_slice(spins));
        // Balls are written in the order of their ids.
        write(Buffer::Actors, size_of::<ActorRecord>(), bytemuck::cast_slice(actors));
        write(Buffer::Wake, size_of::<u32>(), bytemuck::cast_slice(&vec![0u32; bodies.len()]));
        let strips = by_slot(grips, GRIPS, bodies.len());
        for (strip, grips) in (0..).zip(strips.chunks(bodies.len().max(1))) {
            let slot = strip * u64::from(self.room.slots) + first;
            queue.write_buffer(
                self.current(Buffer::Grips),
                slot * size_of::<Grip>() as u64,
                bytemuck::cast_slice(grips),
            );
        }
    }

    /// Takes over what other buffers hold from step to step, their first `slots` slots of it.
    pub(super) fn take_over(&self, encoder: &mut CommandEncoder, old: &Self, slots: u32) {
        let slots = u64::from(slots);
        let mut copy = |buffer, items: u64, size: usize| {
            let bytes = items * size as u64;
            encoder.copy_buffer_to_buffer(old.current(buffer), 0, self.current(buffer), 0, bytes);
        };
        copy(Buffer::Bodies, slots, size_of::<Record>());
        copy(Buffer::Homes, slots, size_of::<Home>());
        copy(Buffer::Wake, slots, size_of::<u32>());
        copy(Buffer::Stamps, slots, size_of::<u32>());
        copy(Buffer::Held, 2, size_of::<u32>());
        copy(Buffer::Pointer, 1, Pointer::min_size().get() as usize);
        if self.room.acts {
            copy(Buffer::Actors, slots, size_of::<ActorRecord>());
        }
        if self.room.rubs {
            copy(Buffer::Spins, slots, size_of::<Spin>());
            let (from, to) = (old.current(Buffer::Grips), self.current(Buffer::Grips));
            let strips = [old, self].map(|buffers| u64::from(buffers.room.slots) * size_of::<Grip>() as u64);
            for strip in 0..u64::from(GRIPS) {
                let bytes = slots * size_of::<Grip>() as u64;
                encoder.copy_buffer_to_buffer(from, strip * strips[0], to, strip * strips[1], bytes);
            }
        }
    }

    /// Leaves every ball without neighbours until the next step has found them.
    pub(super) fn forget_neighbours(&self, encoder: &mut CommandEncoder) {
        for buffer in [Buffer::CellStart, Buffer::Nearby] {
            encoder.clear_buffer(self.current(buffer), 0, None);
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let all = self.fixed.values().chain(self.pairs.iter().flatten()).chain([&self.kicks]);
        all.map(GpuBuffer::size).sum::<u64>() + self.texels.bytes()
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
        let room = self.room.slots as usize;
        let mut candidates = vec![0; SLOTS as usize * room];
        for ball in 0..slots.bodies.len() {
            slots.lists.of(ball).enumerate().for_each(|(nth, j)| candidates[nth * room + ball] = j);
        }
        queue.write_buffer(self.current(Buffer::Candidates), 0, bytemuck::cast_slice(&candidates));
        queue.write_buffer(self.current(Buffer::Grips), 0, bytemuck::cast_slice(&by_slot(slots.grips, GRIPS, room)));
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

    pub(super) fn write_stroke(&self, queue: &Queue, stroke: &Stroke) {
        queue.write_buffer(&self.fixed[&Buffer::Stroke], 0, &uniform_bytes(stroke));
    }

    /// Lets no step be passed over on account of those before, and says of how many workgroups kernels over balls and over blocks
    /// of cells are, in rows.
    pub(super) fn stir(&self, queue: &Queue, dispatches: [[u32; 3]; 2]) {
        let calm = [0u32; (find_calm::FULL - find_calm::STIRS) as usize];
        let words: Vec<u32> = calm.into_iter().chain(dispatches.into_iter().flatten()).collect();
        queue.write_buffer(&self.fixed[&Buffer::Calm], 4 * u64::from(find_calm::STIRS), bytemuck::cast_slice(&words));
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

fn storage(gpu: &Gpu, label: &str, bytes: u64) -> GpuBuffer {
    gpu.buffer(label, bytes, BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST)
}

fn uniform(gpu: &Gpu, label: &str, bytes: u64) -> GpuBuffer {
    gpu.buffer(label, bytes, BufferUsages::UNIFORM | BufferUsages::COPY_SRC | BufferUsages::COPY_DST)
}

/// The buffers of which there is one each.
fn fixed(gpu: &Gpu, room: Room, dialect: Dialect) -> HashMap<Buffer, GpuBuffer> {
    let (cells, balls) = (u64::from(room.cells + 1).next_multiple_of(4), u64::from(room.slots));
    let storage = |label: &str, bytes: u64| storage(gpu, label, bytes);
    let uniform = |label: &str, bytes: u64| uniform(gpu, label, bytes);
    let if_acts = |bytes: usize| if room.acts { balls * bytes as u64 } else { 0 };
    let awake_bytes = 4 * find_awake::words(balls);
    // It is read back by a test.
    let awake_usages = BufferUsages::STORAGE | BufferUsages::INDIRECT | BufferUsages::COPY_SRC;
    let deferred = || {
        // It is emptied by a command, and read back by a test.
        let usages = BufferUsages::STORAGE | BufferUsages::INDIRECT | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        (Buffer::Deferred, gpu.buffer("deferred", 4 * in_two::words(balls), usages))
    };
    let buffers = HashMap::from([
        (Buffer::Params, uniform("params", Params::min_size().get())),
        (Buffer::Pointer, uniform("pointer", Pointer::min_size().get())),
        (Buffer::Stroke, uniform("stroke", Stroke::min_size().get())),
        (Buffer::CellCount, storage("cell_count", cells * 4)),
        (Buffer::CellStart, storage("cell_start", cells * 4)),
        (Buffer::BlockSum, storage("block_sum", u64::from(blocks_of(room.cells)) * 4)),
        (Buffer::CellOf, storage("cell_of", balls * 8)),
        (Buffer::Members, storage("members", balls * 8)),
        (Buffer::Candidates, storage("candidates", balls * 4 * u64::from(SLOTS))),
        (Buffer::Nearby, storage("nearby", balls * size_of::<Nearby>() as u64)),
        (Buffer::Held, storage("held", 8)),
        (Buffer::Wake, storage("wake", balls * 4)),
        (Buffer::Stamps, storage("stamps", balls * 4)),
        (Buffer::AwakeBlocks, gpu.buffer("awake_blocks", awake_bytes, awake_usages)),
        (Buffer::Calm, gpu.buffer("calm", 4 * u64::from(find_calm::WORDS), awake_usages | BufferUsages::COPY_DST)),
        (Buffer::Measures, storage("measures", (WORDS * 4) as u64)),
        (Buffer::Load, storage("load", balls * 4)),
        (Buffer::Steering, uniform("steering", Steering::min_size().get())),
        (Buffer::Orders, storage("orders", if_acts(size_of::<OrderRecord>()))),
        (Buffer::Actors, storage("actors", if_acts(size_of::<ActorRecord>()))),
        (Buffer::SlotOf, storage("slot_of", if_acts(size_of::<u32>()))),
    ]);
    buffers.into_iter().chain((dialect == Dialect::Software).then(deferred)).collect()
}

/// The buffers of [`PAIRS`].
fn pairs(gpu: &Gpu, room: Room) -> [[GpuBuffer; 2]; PAIRS.len()] {
    let balls = u64::from(room.slots);
    let pair = |label: &str, bytes: usize| {
        ["a", "b"].map(|which| storage(gpu, &format!("{label} {which}"), balls * bytes as u64))
    };
    let if_rubs = |bytes: usize| if room.rubs { bytes } else { 0 };
    [
        pair("bodies", size_of::<Record>()),
        pair("homes", size_of::<Home>()),
        pair("supporter", size_of::<u32>()),
        pair("grips", if_rubs(size_of::<Grip>() * GRIPS as usize)),
        pair("spins", if_rubs(size_of::<Spin>())),
    ]
}

/// Blocks of the scan over so many cells.
pub(super) fn blocks_of(cells: u32) -> u32 {
    (cells + 1).next_multiple_of(4).div_ceil(SCAN_BLOCK)
}

/// Lists of `length` items a ball, one ball after another → item after item of all balls, with room for `room` balls.
fn by_slot<T: Copy + Default>(lists: &[T], length: u32, room: usize) -> Vec<T> {
    let length = length as usize;
    let mut slots = vec![T::default(); if lists.is_empty() { 0 } else { room * length }];
    for (ball, list) in lists.chunks(length).enumerate() {
        for (item, &value) in list.iter().enumerate() {
            slots[item * room + ball] = value;
        }
    }
    slots
}

/// The other way round, of the first `balls` balls.
pub(super) fn by_ball<T: Copy>(slots: &[T], length: u32, balls: usize) -> Vec<T> {
    let length = length as usize;
    let room = slots.len() / length;
    (0..balls * length).map(|k| slots[k % length * room + k / length]).collect()
}

/// Slots that the device's largest binding holds, and a dispatch of as many rows as a row is long.
fn most_slots(gpu: &Gpu, rubs: bool) -> u32 {
    let limits = gpu.device.limits();
    let largest_binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let largest = if rubs { size_of::<Grip>() as u32 * GRIPS } else { 4 * SLOTS };
    let dispatched = u64::from(WORKGROUP) * u64::from(gpu.groups_a_row).pow(2);
    let is_read = gpu.dialect(u32::MAX, false) == Dialect::Software;
    let read = if is_read { texels::most_words(gpu) / u64::from(SLOTS) } else { u64::MAX };
    (largest_binding / u64::from(largest)).min(dispatched).min(read).min(u64::from(u32::MAX)) as u32
}

fn refuse_too_many(gpu: &Gpu, slots: u32, rubs: bool) -> Result<()> {
    let (balls, most) = (slots as usize, most_slots(gpu, rubs) as usize);
    if balls <= most { Ok(()) } else { Err(Error::TooManyBalls { balls, adapter: gpu.describe(), most }) }
}
