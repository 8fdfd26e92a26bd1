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
        match world.lost_ball() {
            Some(id) => Err(Error::NotFinite { id, step: self.engine.steps() }),
            None => Ok(world),
        }
    }
}

#[cfg(test)]
mod tests {
    use ballpit::{Overrides, Scene};

    use super::*;

    #[test]
    fn a_ball_that_is_nowhere_ends_the_run_with_its_number() {
        let gpu = match Gpu::open() {
            Ok(gpu) => gpu,
            Err(reason) => {
                assert_ne!(std::env::var("BALLPIT_GPU").as_deref(), Ok("required"), "{reason}");
                return note(format_args!("skipped on the GPU: {reason}"));
            }
        };
        let scene = Scene::named("impulse").unwrap();
        let world = scene.build(&Overrides::default()).unwrap();
        let settings = scene.settings();
        let mut machine = Machine::new(Some(gpu.clone()), world, &settings, Arithmetic::Exact).unwrap();
        machine.engine.step(10, settings.step_s()).unwrap();
        assert!(machine.world().is_ok());
        let AnyEngine::Gpu(engine) = &machine.engine else { panic!("it runs on the GPU") };
        // The velocity's x of slot 5.
        gpu.queue.write_buffer(engine.bodies(), 4 * (5 * 8 + 2), &f32::INFINITY.to_le_bytes());
        let error = machine.world().unwrap_err().to_string();
        assert!(error.starts_with("ball ") && error.contains("is no longer finite after step 10"), "{error}");
    }
}
