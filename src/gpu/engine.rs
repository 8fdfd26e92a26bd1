//! The GPU engine: the stages over an encoder. Nothing is read back on the way from a step to a picture.

use std::iter::once;
use std::sync::Arc;

use glam::Vec2;
use wgpu::{Buffer as GpuBuffer, CommandEncoder, CommandEncoderDescriptor};

use super::Gpu;
use super::buffers::{Buffers, Room, by_ball};
use super::pipelines::Pipelines;
use super::readout::ReadoutQuery;
use super::stage_timer::StageTimer;
use crate::actor::ActorRecord;
use crate::course::{Course, Slotted};
use crate::engine::{Engine, Slots, StageTimes, Tuning};
use crate::params::Pointer;
use crate::stage::friction_pass::{GRIPS, Grip};
use crate::stage::{Arithmetic, Buffer};
use crate::step::Turn;
use crate::{
    Edit, Error, Home, Lattice, Order, Readout, Record, Result, Settings, Spin, Stage, Surface, World, memory,
};

/// Steps a world on the GPU.
///
/// ```no_run
/// use ballpit::{Arithmetic, Engine, Gpu, GpuEngine, Settings, World};
/// use glam::Vec2;
///
/// let world = World::new(Vec2::ZERO, Vec2::new(100.0, 100.0));
/// let mut engine = GpuEngine::new(&Gpu::open()?, world, Settings::default(), Arithmetic::Exact)?;
/// engine.step(120, 1.0 / 120.0)?;
/// println!("{}", engine.world()?.bodies.len());
/// # Ok::<(), ballpit::Error>(())
/// ```
pub struct GpuEngine {
    pub(super) gpu: Gpu,
    pub(super) course: Course,
    pointer: Pointer,
    steps: u64,
    pub(super) arithmetic: Arithmetic,
    pub(super) pipelines: Arc<Pipelines>,
    pub(super) buffers: Buffers,
    readout: ReadoutQuery,
    /// None until a step is timed.
    timer: Option<StageTimer>,
    /// Whether the constants have changed since the device was told of them.
    pub(super) is_stale: bool,
}

impl GpuEngine {
    /// Steps that one submission carries at most, so that no watchdog takes the device for hung.
    pub const STEPS_A_SUBMISSION: u32 = 32;

    /// Takes a world to a device.
    ///
    /// # Errors
    /// [`Error::Value`] if the world or the settings hold a value that can't be stepped, [`Error::TooManyBalls`] if
    /// the device can't hold them.
    pub fn new(gpu: &Gpu, world: World, settings: Settings, arithmetic: Arithmetic) -> Result<Self> {
        let (course, balls) = Course::new(world, settings)?;
        let room = Room::of(&course);
        let pipelines = gpu.pipelines(arithmetic, course.traits(), room.dialect(gpu));
        let mut buffers = Buffers::new(gpu, &pipelines, room)?;
        buffers.write_slots(&gpu.queue, 0, &balls);
        buffers.write_params(&gpu.queue, course.params());
        buffers.write_steering(&gpu.queue, course.steering());
        buffers.write_orders(&gpu.queue, &course.orders());
        gpu.check()?;
        let engine = Self {
            gpu: gpu.clone(),
            course,
            pointer: Pointer::default(),
            steps: 0,
            arithmetic,
            pipelines,
            buffers,
            readout: ReadoutQuery::new(gpu),
            timer: None,
            is_stale: false,
        };
        engine.stir();
        Ok(engine)
    }

    /// Steps that one submission may carry: one where surfaces move, since each step then has constants of its own.
    pub fn steps_a_submission(&self) -> u32 {
        if self.course.surfaces_move() { 1 } else { Self::STEPS_A_SUBMISSION }
    }

    /// Encodes `count` steps of `step_s` seconds into a program's own encoder. Steps of one submission share the
    /// constants that the device is told of as the submission begins.
    ///
    /// # Errors
    /// As [`Engine::step`], and [`Error::Value`] for more than [`GpuEngine::steps_a_submission`] of them.
    pub fn encode(&mut self, encoder: &mut CommandEncoder, count: u32, step_s: f32) -> Result<()> {
        if count > self.steps_a_submission() {
            return Err(Error::Value {
                name: "steps of one submission".into(),
                value: count.to_string(),
                accepted: format!("at most {}", self.steps_a_submission()),
            });
        }
        if !self.takes_steps_of(step_s)? {
            return Ok(());
        }
        let turns: Vec<Turn> = self.course.turns().collect();
        self.encode_turns(encoder, "step", (0..count).flat_map(|_| &turns).copied());
        self.count_steps(count);
        Ok(())
    }

    /// Encodes one step as [`GpuEngine::encode`] does, each turn of a stage between two timestamps, which
    /// takes longer than the step alone. [`GpuEngine::stage_times`] tells of it in a later frame, so that nobody waits.
    ///
    /// # Errors
    /// As [`Engine::step`].
    pub fn encode_timed(&mut self, encoder: &mut CommandEncoder, step_s: f32) -> Result<()> {
        if !self.takes_steps_of(step_s)? {
            return Ok(());
        }
        let mut timer = self.timer.take().map_or_else(|| StageTimer::new(&self.gpu), Ok)?;
        self.encode_timed_turns(&mut timer, encoder);
        self.timer = Some(timer);
        self.count_steps(1);
        Ok(())
    }

    /// Asks for the times of the steps that were encoded to be timed; call it once they are submitted.
    ///
    /// # Errors
    /// [`Error::Device`] if the device refuses.
    pub fn ask_times(&mut self) -> Result<()> {
        self.timer.as_mut().map_or(Ok(()), StageTimer::ask)
    }

    /// The stage times of the oldest timed step that the device has told of since; empty where it has no timestamps.
    pub fn stage_times(&mut self) -> Option<StageTimes> {
        self.timer.as_mut()?.answer(&self.gpu)
    }

    /// Counts steps that are encoded. The surfaces go along, but the device may be told of it only once the steps are
    /// on their way.
    pub(crate) fn count_steps(&mut self, count: u32) {
        self.steps += u64::from(count);
        if count > 0 && self.course.surfaces_move() {
            self.course.move_surfaces();
            self.is_stale = true;
        }
    }

    /// The device that it runs on.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The device buffer of the balls' records, as the last step left them.
    pub fn bodies(&self) -> &GpuBuffer {
        self.buffers.current(Buffer::Bodies)
    }

    /// The device buffer of the balls' homes: where they stood before the last step.
    pub fn homes(&self) -> &GpuBuffer {
        self.buffers.current(Buffer::Homes)
    }

    /// The device buffer of the balls' [`Spin`]s, where balls turn.
    pub fn spins(&self) -> Option<&GpuBuffer> {
        self.course.traits().rolls.then(|| self.buffers.current(Buffer::Spins))
    }

    /// The device buffer of what pressed on the balls when [`GpuEngine::encode_loads`] was last asked, px²/s².
    pub fn loads_by_slot(&self) -> &GpuBuffer {
        self.buffers.current(Buffer::Load)
    }

    /// How the grid and the lists of candidates lie in the buffers below.
    pub fn lattice(&self) -> Lattice {
        Lattice::new(self.course.params(), self.course.params().capacity)
    }

    /// The device buffer of each cell's first slot, and one past the last, as the last step began.
    pub fn cell_start(&self) -> &GpuBuffer {
        self.buffers.current(Buffer::CellStart)
    }

    /// The device buffer of each ball's candidates, as slots, as the last step began.
    pub fn candidates(&self) -> &GpuBuffer {
        self.buffers.current(Buffer::Candidates)
    }

    /// The device buffer of how many candidates each ball has, listed or not, and of the surfaces near it, a bit each.
    pub fn nearby(&self) -> &GpuBuffer {
        self.buffers.current(Buffer::Nearby)
    }

    /// Encodes the weighing of what presses on each ball, as [`Engine::loads`] says.
    pub fn encode_loads(&mut self, encoder: &mut CommandEncoder) {
        self.encode_turns(encoder, "weigh", once(Turn::of(Stage::Weigh)));
    }

    /// The device buffer that says what the pointer holds: id + 1 and slot, as `array<u32, 2>`.
    pub fn held(&self) -> &GpuBuffer {
        self.buffers.current(Buffer::Held)
    }

    /// How many of the slots are balls.
    pub fn balls(&self) -> u32 {
        self.course.params().balls
    }

    /// How many slots hold pieces of segments; they follow the balls'.
    pub fn pieces(&self) -> u32 {
        self.course.params().count - self.balls()
    }

    /// Bytes of device memory that the engine's buffers take.
    pub fn device_bytes(&self) -> u64 {
        self.buffers.bytes()
    }

    /// Whether the coming steps of `step_s` are any, and the device told of them.
    fn takes_steps_of(&mut self, step_s: f32) -> Result<bool> {
        self.gpu.check()?;
        let before = self.course.params().step_s;
        let any = self.course.takes_steps_of(step_s)?;
        self.is_stale |= self.course.params().step_s != before;
        self.tell_params();
        Ok(any)
    }

    /// Tells the device of the constants, if it does not know them.
    pub(super) fn tell_params(&mut self) {
        if std::mem::take(&mut self.is_stale) {
            self.stir();
            self.buffers.write_params(&self.gpu.queue, self.course.params());
            self.buffers.write_steering(&self.gpu.queue, self.course.steering());
        }
    }

    /// Makes kernels and buffers anew for a world that is of another kind than before; what the pointer holds, it holds
    /// on.
    fn make_anew(&mut self) -> Result<()> {
        let held: Vec<u32> = self.gpu.read(self.held(), 2)?;
        let stamps: Vec<u32> = self.gpu.read(self.buffers.current(Buffer::Stamps), self.balls() as usize)?;
        let world = self.world()?;
        let mut anew = Self::new(&self.gpu, world, self.course.settings().clone(), self.arithmetic)?;
        anew.steer(self.course.direction())?;
        self.gpu.queue.write_buffer(anew.held(), 0, bytemuck::cast_slice(&held));
        anew.buffers.write_pointer(&self.gpu.queue, &self.pointer);
        self.gpu.queue.write_buffer(anew.buffers.current(Buffer::Stamps), 0, bytemuck::cast_slice(&stamps));
        let Self { pointer, steps, .. } = *self;
        *self = Self { pointer, steps, ..anew };
        Ok(())
    }

    pub(super) fn encoder(&self, label: &str) -> CommandEncoder {
        self.gpu.device.create_command_encoder(&CommandEncoderDescriptor { label: Some(label) })
    }

    /// Takes another engine's state in place of its own.
    pub(crate) fn load(&mut self, slots: &Slots) {
        self.buffers.load(&self.gpu.queue, slots);
        self.stir();
    }

    /// Records and homes in slot order.
    ///
    /// # Errors
    /// [`Error::Device`] if they can't be read back.
    pub(crate) fn read_slots(&self) -> Result<(Vec<Record>, Vec<Home>)> {
        let count = self.course.params().count as usize;
        Ok((self.gpu.read(self.bodies(), count)?, self.gpu.read(self.homes(), count)?))
    }

    /// The balls' turning in slot order; nothing unless something rubs.
    ///
    /// # Errors
    /// [`Error::Device`] if it can't be read back.
    pub(crate) fn read_spins(&self) -> Result<Vec<Spin>> {
        self.gpu.read(self.buffers.current(Buffer::Spins), self.rubbing())
    }

    /// What the balls remember of their contacts, ball by ball; nothing unless something rubs.
    ///
    /// # Errors
    /// [`Error::Device`] if it can't be read back.
    pub(crate) fn read_grips(&self) -> Result<Vec<Grip>> {
        let rubbing = self.rubbing();
        let room = if rubbing > 0 { self.buffers.room().slots as usize } else { 0 };
        let by_slot = self.gpu.read(self.buffers.current(Buffer::Grips), room * GRIPS as usize)?;
        Ok(by_ball(&by_slot, GRIPS, rubbing))
    }

    /// The actors by id; nothing unless there are any.
    ///
    /// # Errors
    /// [`Error::Device`] if they can't be read back.
    pub(crate) fn read_actors(&self) -> Result<Vec<ActorRecord>> {
        let count = if self.course.traits().acts { self.course.params().balls as usize } else { 0 };
        self.gpu.read(self.buffers.current(Buffer::Actors), count)
    }

    /// Slots of what may rub.
    fn rubbing(&self) -> usize {
        if self.course.traits().rubs { self.course.params().count as usize } else { 0 }
    }

    /// The first `count` words of one of the stages' buffers.
    #[cfg(test)]
    pub(crate) fn words(&self, buffer: Buffer, count: usize) -> Vec<u32> {
        self.gpu.read(self.buffers.current(buffer), count).unwrap()
    }
}

impl Engine for GpuEngine {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn adapter(&self) -> String {
        self.gpu.describe()
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn step(&mut self, count: u32, step_s: f32) -> Result<()> {
        let mut left = count;
        while left > 0 {
            let now = left.min(self.steps_a_submission());
            let mut encoder = self.encoder("steps");
            self.encode(&mut encoder, now, step_s)?;
            self.gpu.queue.submit([encoder.finish()]);
            left -= now;
        }
        Ok(())
    }

    fn time_step(&mut self, step_s: f32) -> Result<StageTimes> {
        if !self.takes_steps_of(step_s)? {
            return Ok(StageTimes::default());
        }
        let mut encoder = self.encoder("timed step");
        self.encode_timed(&mut encoder, step_s)?;
        self.gpu.queue.submit([encoder.finish()]);
        self.ask_times()?;
        self.gpu.wait()?;
        // Those that were asked for before have been answered before.
        let mut newest = StageTimes::default();
        while let Some(times) = self.stage_times() {
            newest = times;
        }
        Ok(newest)
    }

    fn world(&mut self) -> Result<World> {
        let bytes = memory::of_a_ball(memory::OF_A_COPY, self.course.traits().rubs);
        memory::refuse_beyond_memory(self.course.params().count as usize, bytes)?;
        let (bodies, homes) = self.read_slots()?;
        let wake: Vec<u32> = self.gpu.read(self.buffers.current(Buffer::Wake), bodies.len())?;
        let (spins, grips, actors) = (self.read_spins()?, self.read_grips()?, self.read_actors()?);
        Ok(self.course.world_of(&Slotted { bodies, homes, spins, grips, actors }, &wake))
    }

    fn surfaces(&self) -> &[Surface] {
        self.course.surfaces()
    }

    fn retune(&mut self, tuning: &Tuning) -> Result<()> {
        self.gpu.check()?;
        let before = self.course.clone();
        let is_another_kind = self.course.retune(tuning)?;
        let room = Room { sleeps: self.course.sleeps(), ..self.buffers.room() };
        let is_of_another_dialect = room.dialect(&self.gpu) != self.buffers.dialect();
        if (is_another_kind || is_of_another_dialect)
            && let Err(error) = self.make_anew()
        {
            self.course = before;
            return Err(error);
        }
        self.buffers.wake_all(&self.gpu.queue);
        self.is_stale = true;
        self.tell_params();
        Ok(())
    }

    fn edit(&mut self, edit: &Edit) -> Result<()> {
        self.gpu.check()?;
        self.make(self.course.edited(edit)?)?;
        self.stir();
        Ok(())
    }

    fn press(&mut self, place: Vec2, alpha: f32) {
        self.pointer = Pointer::at(place, alpha);
        self.buffers.write_pointer(&self.gpu.queue, &self.pointer);
        self.buffers.let_go(&self.gpu.queue);
        self.stir();
        self.run(Turn::of(Stage::Pick));
    }

    fn drag(&mut self, place: Vec2) {
        self.pointer = self.pointer.moved_to(place);
        self.buffers.write_pointer(&self.gpu.queue, &self.pointer);
    }

    fn release(&mut self) {
        self.buffers.let_go(&self.gpu.queue);
    }

    fn steer(&mut self, direction: Vec2) -> Result<()> {
        self.gpu.check()?;
        self.is_stale |= self.course.steer(direction)?;
        self.stir();
        self.buffers.write_steering(&self.gpu.queue, self.course.steering());
        Ok(())
    }

    fn order(&mut self, orders: &[Order]) -> Result<()> {
        self.gpu.check()?;
        self.course.order(orders)?;
        self.stir();
        self.buffers.write_orders(&self.gpu.queue, &self.course.orders());
        Ok(())
    }

    fn loads(&mut self) -> Result<Option<Vec<f32>>> {
        self.run(Turn::of(Stage::Weigh));
        let slots = self.course.params().count as usize;
        let (loads, homes) = (self.gpu.read(self.loads_by_slot(), slots)?, self.gpu.read(self.homes(), slots)?);
        Ok(Some(self.course.by_id(&loads, &homes)))
    }

    fn readout(&mut self) -> Readout {
        self.tell_params();
        if self.readout.is_idle() {
            let mut encoder = self.encoder("readout");
            let measures = self.buffers.current(Buffer::Measures).clone();
            encoder.clear_buffer(&measures, 0, None);
            self.encode_turns(&mut encoder, "measure", once(Turn::of(Stage::Measure)));
            self.readout.ask(&self.gpu, encoder, &measures);
        }
        self.readout.newest(&self.gpu)
    }

    fn readout_now(&mut self) -> Result<Readout> {
        // An answer that is under way is of an earlier state.
        self.readout.wait(&self.gpu)?;
        self.readout();
        self.readout.wait(&self.gpu)
    }
}
