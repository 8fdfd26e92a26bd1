//! Any of the engines as one, and which of them a launch comes down to.

use std::ops::{Deref, DerefMut};

use ballpit::render::Lattice;
use ballpit::{
    Arithmetic, CpuEngine, Engine, Gpu, GpuEngine, Result, SequentialEngine, Settings, StageTimes, Tick, World,
};
use wgpu::CommandEncoder;

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
