//! Which engine a headless run takes, and what a run wants of it beyond stepping.

use ballpit::{Arithmetic, Error, Gpu, Readout, Result, Settings, World};

use crate::console::note;
use crate::engines::AnyEngine;
use crate::launch::{EngineChoice, Launch};

/// The device that a launch comes down to; `None` is the CPU engine. Says so where `auto` finds no hardware.
///
/// # Errors
/// [`Error::NoAdapter`] or [`Error::Device`] if the GPU engine was asked for and can't be had.
pub(super) fn device(launch: &Launch, settings: &Settings) -> Result<Option<Gpu>> {
    match launch.engine {
        EngineChoice::Cpu => Ok(None),
        EngineChoice::Auto if settings.solver.is_sequential() => Ok(None),
        EngineChoice::Gpu => Gpu::open().map(Some),
        EngineChoice::Auto => Ok(hardware(Gpu::open())),
    }
}

fn hardware(opened: Result<Gpu>) -> Option<Gpu> {
    match opened {
        Ok(gpu) if gpu.is_software() => {
            note(format_args!(
                "{} is a software adapter; taking the CPU engine (--engine gpu uses it)",
                gpu.describe()
            ));
            None
        }
        Ok(gpu) => Some(gpu),
        Err(error) => {
            note(format_args!("{error}; taking the CPU engine"));
            None
        }
    }
}

/// An engine and the device it runs on.
pub(super) struct Machine {
    pub(super) engine: AnyEngine,
    pub(super) gpu: Option<Gpu>,
    /// Device memory that the engine's buffers take.
    pub(super) device_bytes: Option<u64>,
}

impl Machine {
    /// The engine of `gpu`; without one the CPU's, or the sequential solver's.
    ///
    /// # Errors
    /// Those of the engines.
    pub(super) fn new(gpu: Option<Gpu>, world: World, settings: &Settings, arithmetic: Arithmetic) -> Result<Self> {
        let engine = AnyEngine::new(gpu.as_ref(), world, settings.clone(), arithmetic)?;
        let device_bytes = if let AnyEngine::Gpu(engine) = &engine { Some(engine.device_bytes()) } else { None };
        Ok(Self { engine, gpu, device_bytes })
    }

    /// Waits until all that was asked for is done.
    ///
    /// # Errors
    /// [`Error::Device`] if the device is lost, or has failed since it was opened.
    pub(super) fn finish(&self) -> Result<()> {
        self.gpu.as_ref().map_or(Ok(()), Gpu::wait)
    }

    /// The readout of the state as it is now, not of an earlier one.
    ///
    /// # Errors
    /// As [`Machine::finish`].
    pub(super) fn readout(&mut self) -> Result<Readout> {
        self.engine.readout_now()
    }

    /// The world, if it is still one.
    ///
    /// # Errors
    /// [`Error::NotFinite`] naming the first ball that is lost, [`Error::Device`] if the device is.
    pub(super) fn world(&mut self) -> Result<World> {
        let world = self.engine.world()?;
        let lost = world.bodies.iter().position(|body| !(body.position.is_finite() && body.velocity.is_finite()));
        match lost {
            Some(id) => Err(Error::NotFinite { id, step: self.engine.steps() }),
            None => Ok(world),
        }
    }
}
