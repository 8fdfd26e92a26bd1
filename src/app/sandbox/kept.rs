//! The last good state of a run, kept for the case that a ball is lost, or the device with all of them.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ballpit::{Error, Overrides, Readout, Result, Scene, Snapshot};

use super::{Run, Sandbox};
use crate::app::exit;
use crate::app::tape::Tape;

/// Least time from a copy to the next.
const LEAST: Duration = Duration::from_secs(1);
/// How many times longer than a copy the time to the next one is, so that copies take half a per cent of the time.
const SPARING: u32 = 200;

/// The last state in which every ball was somewhere.
#[derive(Debug, Default)]
pub(super) struct Kept {
    good: Option<Arc<Snapshot>>,
    since_copy: Duration,
    /// Time that the last copy took.
    took: Duration,
    /// Whether there was no memory for the last one, which has been said.
    lacks_memory: bool,
}

impl Kept {
    /// Whether it is time for another copy; the first is made at once.
    fn is_due(&self) -> bool {
        let is_first = self.good.is_none() && !self.lacks_memory;
        is_first || self.since_copy >= LEAST.max(self.took * SPARING)
    }
}

/// Whether every ball has a place and a speed.
pub(crate) fn is_finite(gauges: &Readout) -> bool {
    gauges.fastest_px_s.is_finite()
}

impl Sandbox {
    /// Keeps the state now and then. Where a ball is lost, the run goes back to the last good state instead, and pauses.
    ///
    /// # Errors
    /// [`Error::Device`] if the state can't be read back.
    pub(super) fn keep_good(&mut self, since: Duration) -> Result<()> {
        if !self.clock.is_paused() {
            self.kept.since_copy += since;
        }
        let is_doubtful = !is_finite(&self.gauges);
        if !self.kept.is_due() && !is_doubtful {
            return Ok(());
        }
        let begun = Instant::now();
        let now = match self.snapshot() {
            Err(error @ Error::Memory { .. }) => {
                // The state that is kept grows old, but the world goes on.
                self.kept.since_copy = Duration::ZERO;
                if !std::mem::replace(&mut self.kept.lacks_memory, true) {
                    self.trouble = Some(format!("the last good state is not kept any more: {error}"));
                }
                return Ok(());
            }
            now => now?,
        };
        match now.world.lost_ball() {
            Some(id) => self.go_back(&Error::NotFinite { id, step: now.steps }),
            None if is_doubtful => Ok(()),
            None => {
                let (good, took) = (Some(now.into()), begun.elapsed());
                self.kept = Kept { good, took, ..Kept::default() };
                Ok(())
            }
        }
    }

    /// Takes on the last good state, paused, and says why.
    fn go_back(&mut self, lost: &Error) -> Result<()> {
        self.clock.pause(true);
        let Some(good) = self.kept.good.take() else {
            self.trouble = Some(lost.to_string());
            return Ok(());
        };
        self.end_recording();
        self.tape = Tape::Idle;
        let step = good.steps;
        let scene = Scene::of_snapshot(Arc::unwrap_or_clone(good))?;
        let (world, settings) = (scene.build(&Overrides::default())?, scene.settings());
        self.take_on(Run::of(scene, world, settings, &self.maker)?);
        self.steer_again();
        self.trouble = Some(format!("{lost}; paused at the last good state, step {step}"));
        Ok(())
    }

    /// The last good state, if one has been kept.
    pub(crate) fn last_good(&self) -> Option<&Arc<Snapshot>> {
        self.kept.good.as_ref()
    }

    /// Saves what there is to be saved when the window fails: the state as it is now, or the last that was kept. Says
    /// where it lies, or why it does not.
    pub(crate) fn rescue(&mut self, folder: &Path) -> Option<String> {
        let now = self.snapshot().ok().filter(|now| now.world.lost_ball().is_none());
        let saved = now.map(Arc::new).or(self.kept.good.take())?;
        Some(exit::save(&saved, folder))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use ballpit::Gpu;
    use wgpu::{Buffer, PollType};

    use super::*;
    use crate::app::keys::Action;
    use crate::engines::{AnyEngine, Maker};
    use crate::launch::{EngineChoice, Launch};

    /// A sandbox on a GPU of its own, after a second and a half; without an adapter it says so or fails.
    fn on_gpu() -> Option<(Sandbox, Gpu)> {
        let gpu = match Gpu::open() {
            Ok(gpu) => gpu,
            Err(reason) => {
                assert_ne!(std::env::var("BALLPIT_GPU").as_deref(), Ok("required"), "{reason}");
                let _ = writeln!(std::io::stderr(), "skipped on the GPU: {reason}");
                return None;
            }
        };
        let launch = Launch { scene: Some("impulse".into()), engine: EngineChoice::Gpu, ..Launch::default() };
        let maker = Maker::new(&launch, &gpu);
        let mut sandbox = Sandbox::new(launch, maker, false).unwrap();
        seen(&mut sandbox, &gpu, 75);
        Some((sandbox, gpu))
    }

    /// Makes frames of 20 ms.
    fn frames(sandbox: &mut Sandbox, count: u32) -> Result<()> {
        (0..count).try_for_each(|_| sandbox.frame(Duration::from_millis(20), None))
    }

    /// The same as a display shows them, each of them when the device is done.
    fn seen(sandbox: &mut Sandbox, gpu: &Gpu, count: u32) {
        for _ in 0..count {
            frames(sandbox, 1).unwrap();
            gpu.wait().unwrap();
        }
    }

    fn records(sandbox: &Sandbox) -> Buffer {
        let AnyEngine::Gpu(engine) = &sandbox.run.engine else { panic!("it runs on the GPU") };
        engine.bodies().clone()
    }

    #[test]
    fn a_lost_ball_is_named_and_the_run_goes_back_to_the_last_good_state_and_pauses() {
        let Some((mut sandbox, gpu)) = on_gpu() else { return };
        // The x of slot 7, and then the velocity's y of slot 20.
        for word in [7 * 8, 20 * 8 + 3] {
            let steps = sandbox.run.scene.steps() + sandbox.run.engine.steps();
            gpu.queue.write_buffer(&records(&sandbox), 4 * word, &f32::NAN.to_le_bytes());
            // Found within a second.
            seen(&mut sandbox, &gpu, 50);
            let said = sandbox.trouble.take().expect("the ball is missed");
            assert!(said.starts_with("ball ") && said.contains("is no longer finite after step "), "{said}");
            assert!(said.contains("; paused at the last good state, step "), "{said}");
            assert!(sandbox.clock.is_paused());
            let now = sandbox.snapshot().unwrap();
            assert_eq!(now.world.lost_ball(), None);
            assert!(now.steps <= steps, "{} of {steps}", now.steps);
            sandbox.act(Action::Pause);
            seen(&mut sandbox, &gpu, 75);
            assert!(sandbox.trouble.is_none() && sandbox.run.engine.steps() > 150);
        }
    }

    #[test]
    fn a_device_that_fails_leaves_the_last_good_state_in_a_file() {
        let Some((mut sandbox, gpu)) = on_gpu() else { return };
        let folder = tempfile::tempdir().unwrap();
        gpu.device.destroy();
        let _ = gpu.device.poll(PollType::Poll);
        let error = frames(&mut sandbox, 5).unwrap_err();
        assert!(matches!(error, Error::Device { .. }), "{error}");
        let said = sandbox.rescue(folder.path()).unwrap();
        let path = folder.path().join("Impulse-1.ballpit");
        assert!(said.starts_with("saved the world of step ") && said.ends_with(path.to_str().unwrap()), "{said}");
        let saved = Snapshot::read(&path).unwrap();
        assert!(saved.steps <= 180 && saved.world.bodies.len() == 70, "{}", saved.steps);
    }

    #[test]
    fn a_window_that_fails_leaves_the_cpu_engines_state_as_it_is_now() {
        let launch = Launch { scene: Some("impulse".into()), ..Launch::default() };
        let mut sandbox = Sandbox::new(launch, Maker::cpu(), false).unwrap();
        frames(&mut sandbox, 75).unwrap();
        let folder = tempfile::tempdir().unwrap();
        assert!(sandbox.rescue(folder.path()).unwrap().contains("step 180 "));
        let saved = Snapshot::read(folder.path().join("Impulse-1.ballpit")).unwrap();
        assert_eq!(saved, sandbox.snapshot().unwrap());
        let gone = folder.path().join("gone");
        assert!(sandbox.rescue(&gone).unwrap().starts_with("the world could not be saved: "));
    }
}
