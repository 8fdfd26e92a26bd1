//! Which scene runs: others in its place, and the same one anew.

use std::path::{Path, PathBuf};

use ballpit::{Clock, Readout, Result, Scene};
use glam::Vec2;

use super::files::Watched;
use super::kept::Kept;
use super::{Run, Sandbox};
use crate::app::helm::Steered;
use crate::app::tally::Tally;
use crate::app::times::Times;
use crate::launch::Launch;

impl Sandbox {
    /// Opens another scene as its file has it.
    pub(super) fn open(&mut self, name: PathBuf) {
        // The default scene by its absence, so that a software adapter gets fewer balls again.
        let scene = (name != Path::new(Scene::DEFAULT)).then_some(name);
        let launch = Launch { scene, balls: None, seed: None, rate_hz: None, passes: None, ..self.launch.clone() };
        if let Some(run) = self.built(Run::new(&launch, &self.maker, self.fewer)) {
            self.start(launch, run);
            self.eye.fit();
        }
    }

    /// Builds the same scene anew, from memory where its file is gone; what was tuned stays tuned.
    pub(super) fn restart(&mut self, launch: Launch) {
        let (read, mut is_gone) = (launch.scene(), false);
        let scene = read.or_else(|error| {
            is_gone = !self.scene_name().exists();
            if is_gone { Ok(launch.of((*self.origin).clone())) } else { Err(error) }
        });
        let run = scene.and_then(|scene| Run::of_scene(scene, &launch, &self.maker, self.fewer));
        if let Some(run) = self.built(run) {
            let tuning = self.run.tuning.clone();
            self.start(launch, run);
            self.was_gone = is_gone;
            self.retune(|now| *now = tuning);
            // The scene's file may have other materials by now: then it is as the file has it.
            self.trouble = None;
        }
    }

    pub(super) fn built(&mut self, built: Result<Run>) -> Option<Run> {
        built.map_err(|error| self.trouble = Some(error.to_string())).ok()
    }

    /// Takes on a scene that has been built.
    pub(super) fn start(&mut self, launch: Launch, run: Run) {
        // The bytes of a saved world are many: nobody wants them without a recording.
        let start = self.tape.is_recording().then(|| self.start_of(&launch, &run));
        if self.tape.is_playing() {
            // Nobody's keys are held: the recording's are not.
            self.run.direction = Vec2::ZERO;
        }
        (self.launch, self.origin, self.was_gone) = (launch, run.scene.clone(), false);
        self.watched = Watched::look(self.scene_name());
        let full = self.tape.turn_to(self.run.engine.get_mut(), start);
        self.take_on(run);
        self.trouble = full;
        self.steer_again();
    }

    /// Takes on another run in the place of this one.
    pub(super) fn take_on(&mut self, run: Run) {
        let mut clock = Clock::new(run.tuning.settings.rate_hz);
        clock.set_mode(self.clock.mode());
        clock.set_slow_motion(self.clock.slow_motion());
        clock.pause(self.clock.is_paused());
        self.eye.look_at((run.room.min, run.room.max));
        let cannons = [&self.run, &run].map(|run| run.scene.cannon().is_some());
        let is_other = run.scene.title != self.run.scene.title || cannons[0] != cannons[1];
        let direction = self.run.direction;
        (self.run, self.clock, self.kept) = (Run { direction, ..run }, clock, Kept::default());
        // The gauges' last answer was of the world before, and so is what was counted and timed.
        (self.grip, self.trouble, self.gauges, self.tally) = (None, None, Readout::default(), Tally::default());
        self.times = self.times.as_ref().map(|_| Times::default());
        self.arm(is_other);
        self.look_again();
    }

    /// Whoever holds a key still does.
    pub(super) fn steer_again(&mut self) {
        match self.steered() {
            Steered::Nothing => self.run.direction = Vec2::ZERO,
            _ => self.steer(self.run.direction),
        }
    }

    pub(super) fn turn_scenes(&mut self, by: isize) {
        let names: Vec<&str> = Scene::names().map(|(name, _)| name).collect();
        let here = names.iter().position(|name| Path::new(name) == self.scene_name());
        // A file stands before the first of the named scenes.
        let next = here.map_or(if by > 0 { 0 } else { -1 }, |here| here as isize + by);
        self.open(names[next.rem_euclid(names.len() as isize) as usize].into());
    }
}
