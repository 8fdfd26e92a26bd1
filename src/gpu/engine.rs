//! The GPU engine: the stages over an encoder. Nothing is read back on the way from a step to a picture.

use std::sync::Arc;

use glam::Vec2;
use wgpu::{Buffer as GpuBuffer, CommandEncoder, CommandEncoderDescriptor, ComputePass, ComputePassDescriptor};
use wgpu_profiler::{GpuProfiler, GpuProfilerSettings};

use super::Gpu;
use super::buffers::{Buffers, by_ball};
use super::pipelines::Pipelines;
use super::readout::ReadoutQuery;
use crate::course::{Course, Slotted};
use crate::engine::{Engine, Slots, StageTimes, Tuning};
use crate::params::Pointer;
use crate::stage::friction_pass::{GRIPS, Grip};
use crate::stage::{Arithmetic, Buffer, Extent, WORKGROUP};
use crate::step::Turn;
use crate::{Error, Home, Readout, Record, Result, Settings, Spin, Stage, World};

/// Most workgroups along one axis of a dispatch.
const GROUPS_A_ROW: u32 = 65_535;

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
    gpu: Gpu,
    course: Course,
    pointer: Pointer,
    steps: u64,
    pipelines: Arc<Pipelines>,
    buffers: Buffers,
    readout: ReadoutQuery,
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
        let pipelines = gpu.pipelines(arithmetic);
        let buffers = Buffers::new(gpu, &pipelines, course.params(), &balls)?;
        gpu.check()?;
        Ok(Self {
            gpu: gpu.clone(),
            course,
            pointer: Pointer::default(),
            steps: 0,
            pipelines,
            buffers,
            readout: ReadoutQuery::new(gpu),
        })
    }

    /// Encodes `count` steps of `step_s` seconds into a program's own encoder. Steps of one submission have one length:
    /// it is told to the device as the submission begins.
    ///
    /// # Errors
    /// As [`Engine::step`].
    pub fn encode(&mut self, encoder: &mut CommandEncoder, count: u32, step_s: f32) -> Result<()> {
        if !self.takes_steps_of(step_s)? {
            return Ok(());
        }
        let mut pass =
            encoder.begin_compute_pass(&ComputePassDescriptor { label: Some("step"), timestamp_writes: None });
        for _ in 0..count {
            for turn in self.course.turns() {
                self.dispatch(&mut pass, turn);
            }
        }
        self.steps += u64::from(count);
        Ok(())
    }

    /// The device buffer of the balls' records, as the last step left them.
    pub fn bodies(&self) -> &GpuBuffer {
        self.buffers.current(Buffer::Bodies)
    }

    /// The device buffer of the balls' homes: where they stood before the last step.
    pub fn homes(&self) -> &GpuBuffer {
        self.buffers.current(Buffer::Homes)
    }

    /// The device buffer of the balls' [`crate::Spin`]s; nearly empty unless balls turn.
    pub fn spins(&self) -> &GpuBuffer {
        self.buffers.current(Buffer::Spins)
    }

    /// The device buffer that says what the pointer holds: id + 1 and slot, as `array<u32, 2>`.
    pub fn held(&self) -> &GpuBuffer {
        self.buffers.current(Buffer::Held)
    }

    /// Balls.
    pub fn count(&self) -> u32 {
        self.course.params().count
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
        if self.course.params().step_s != before {
            self.buffers.write_params(&self.gpu.queue, self.course.params());
        }
        Ok(any)
    }

    fn dispatch(&mut self, pass: &mut ComputePass, turn: Turn) {
        pass.set_pipeline(&self.pipelines.of(turn.stage).compute);
        pass.set_bind_group(0, self.buffers.group(turn), &[]);
        let groups = match turn.stage.extent() {
            Extent::Balls => self.course.params().count.div_ceil(WORKGROUP),
            Extent::Blocks => self.buffers.blocks(),
        };
        if groups > 0 {
            let x = groups.min(GROUPS_A_ROW);
            pass.dispatch_workgroups(x, groups.div_ceil(x), 1);
        }
        self.buffers.advance(turn.stage);
    }

    /// Runs one stage by itself.
    pub(crate) fn run(&mut self, turn: Turn) {
        let mut encoder = self.encoder(turn.stage.name());
        {
            let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
            self.dispatch(&mut pass, turn);
        }
        self.gpu.queue.submit([encoder.finish()]);
    }

    fn encoder(&self, label: &str) -> CommandEncoder {
        self.gpu.device.create_command_encoder(&CommandEncoderDescriptor { label: Some(label) })
    }

    /// Takes another engine's state in place of its own.
    pub(crate) fn load(&mut self, slots: &Slots) {
        self.buffers.load(&self.gpu.queue, slots);
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
        self.gpu.read(self.spins(), self.rubbing())
    }

    /// What the balls remember of their contacts, ball by ball; nothing unless something rubs.
    ///
    /// # Errors
    /// [`Error::Device`] if it can't be read back.
    pub(crate) fn read_grips(&self) -> Result<Vec<Grip>> {
        let by_slot = self.gpu.read(self.buffers.current(Buffer::Grips), self.rubbing() * GRIPS as usize)?;
        Ok(by_ball(&by_slot, GRIPS))
    }

    /// Balls that may rub.
    fn rubbing(&self) -> usize {
        if self.course.traits().rubs { self.count() as usize } else { 0 }
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
            let now = left.min(Self::STEPS_A_SUBMISSION);
            let mut encoder = self.encoder("steps");
            self.encode(&mut encoder, now, step_s)?;
            self.gpu.queue.submit([encoder.finish()]);
            left -= now;
        }
        Ok(())
    }

    fn time_step(&mut self, step_s: f32) -> Result<StageTimes> {
        let failed = |reason: String| Error::Device { reason };
        let mut times = StageTimes::default();
        if !self.takes_steps_of(step_s)? {
            return Ok(times);
        }
        let mut profiler = GpuProfiler::new(&self.gpu.device, GpuProfilerSettings::default())
            .map_err(|error| failed(error.to_string()))?;
        let mut encoder = self.encoder("timed step");
        let mut scope = profiler.scope("step", &mut encoder);
        for turn in self.course.turns() {
            let mut pass = scope.scoped_compute_pass(turn.stage.name());
            self.dispatch(&mut pass, turn);
        }
        drop(scope);
        profiler.resolve_queries(&mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
        profiler.end_frame().map_err(|error| failed(error.to_string()))?;
        self.steps += 1;
        self.gpu.wait()?;

        let period = self.gpu.queue.get_timestamp_period();
        let steps = profiler.process_finished_frame(period).unwrap_or_default();
        for query in steps.iter().flat_map(|step| &step.nested_queries) {
            let stage = Stage::ALL.iter().copied().find(|stage| stage.name() == query.label);
            if let (Some(stage), Some(time)) = (stage, &query.time) {
                times.add(stage, (time.end - time.start) * 1e3);
            }
        }
        Ok(times)
    }

    fn world(&mut self) -> Result<World> {
        let (bodies, homes) = self.read_slots()?;
        let (spins, grips) = (self.read_spins()?, self.read_grips()?);
        Ok(self.course.world_of(&Slotted { bodies, homes, spins, grips }))
    }

    fn retune(&mut self, tuning: &Tuning) -> Result<()> {
        self.course.retune(tuning)?;
        self.buffers.write_params(&self.gpu.queue, self.course.params());
        Ok(())
    }

    fn press(&mut self, place: Vec2, alpha: f32) {
        self.pointer = Pointer::at(place, alpha);
        self.buffers.write_pointer(&self.gpu.queue, &self.pointer);
        self.buffers.let_go(&self.gpu.queue);
        self.run(Turn { stage: Stage::Pick, is_last: true });
    }

    fn drag(&mut self, place: Vec2) {
        self.pointer = Pointer::at(place, self.pointer.alpha);
        self.buffers.write_pointer(&self.gpu.queue, &self.pointer);
    }

    fn release(&mut self) {
        self.buffers.let_go(&self.gpu.queue);
    }

    fn readout(&mut self) -> Readout {
        if self.readout.is_idle() {
            let mut encoder = self.encoder("readout");
            let measures = self.buffers.current(Buffer::Measures).clone();
            encoder.clear_buffer(&measures, 0, None);
            {
                let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
                self.dispatch(&mut pass, Turn { stage: Stage::Measure, is_last: true });
            }
            self.readout.ask(&self.gpu, encoder, &measures);
        }
        self.readout.newest(&self.gpu)
    }
}
