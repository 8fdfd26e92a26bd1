//! What the sandbox does with files: saved worlds, recordings, and scene files that change under it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ballpit::{Command, Error, Outcome, Overrides, Player, Recording, Result, Scene, Snapshot, Start, write_whole};
use glam::Vec2;

use super::{Run, Sandbox};
use crate::app::keys::{Action, key_of};
use crate::app::names::{free_path, stem_of};
use crate::app::tape::{Played, Playing, Tape};
use crate::csv::csv;
use crate::launch::Launch;

/// Between two looks at the scene's file.
const LOOK: Duration = Duration::from_millis(500);

/// What is known of the scene's file, to see that it changes.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// When it was last written and its length; none while it is not there.
    seen: Option<(SystemTime, u64)>,
    since_look: Duration,
}

impl Watched {
    /// What is there now.
    pub(super) fn look(path: &Path) -> Self {
        let meta = fs::metadata(path).ok().filter(|meta| meta.is_file());
        let seen = meta.and_then(|meta| Some((meta.modified().ok()?, meta.len())));
        Self { seen, since_look: Duration::ZERO }
    }
}

impl Sandbox {
    /// The world as it is now.
    pub(super) fn snapshot(&mut self) -> Result<Snapshot> {
        let (world, steps) = (self.engine().world()?, self.run.engine.get().steps());
        let settings = self.run.tuning.settings.clone();
        Ok(Snapshot { seed: self.run.seed, ..Snapshot::of(&self.run.scene, settings, world, steps) })
    }

    /// A new file's name in a folder, after the scene's title.
    pub(crate) fn new_path(&self, folder: &Path, extension: &str) -> PathBuf {
        free_path(folder, &stem_of(&self.run.scene.title), extension)
    }

    /// Saves the world into a folder; says where.
    pub(crate) fn save(&mut self, folder: &Path) {
        let path = self.new_path(folder, Snapshot::EXTENSION);
        let saved = self.snapshot().and_then(|snapshot| snapshot.write(&path));
        self.tell(saved.map(|()| format!("saved the world as {}", path.display())));
    }

    /// Writes the balls as CSV into a folder; says where.
    pub(crate) fn save_csv(&mut self, folder: &Path) {
        let path = self.new_path(folder, "csv");
        let text = self.engine().world().map(|world| csv(&world));
        let written = text.and_then(|text| write_whole(&path, text.as_bytes()));
        self.tell(written.map(|()| format!("wrote the balls as {}", path.display())));
    }

    /// Says what came of something.
    fn tell(&mut self, outcome: Result<String>) {
        match outcome {
            Ok(news) => self.news = Some(news),
            Err(error) => self.trouble = Some(error.to_string()),
        }
    }

    /// Starts a recording in a folder, or ends the one under way; says so.
    pub(crate) fn toggle_recording(&mut self, folder: &Path) {
        if self.tape.is_recording() {
            return self.end_recording();
        }
        let path = self.new_path(folder, Recording::EXTENSION);
        let key = key_of(Action::Record);
        let begun = self.record(path.clone()).map(|()| format!("recording to {}; [{key}] ends it", path.display()));
        self.tell(begun);
    }

    /// Starts a recording from the world as it is now. The engine is made anew from it, so that what comes has no other
    /// beginning than the file's.
    fn record(&mut self, path: PathBuf) -> Result<()> {
        let snapshot = self.snapshot()?;
        let start = Start::of_snapshot(&snapshot)?;
        let scene = Scene::of_snapshot(snapshot)?;
        let (world, settings) = (scene.build(&Overrides::default())?, scene.settings());
        let run = Run::of(scene, world, settings, &self.maker)?;
        let tape = Tape::record(path.clone(), start).map_err(|source| Error::File { path, source })?;
        self.tape = Tape::Idle;
        self.take_on(run);
        self.tape = tape;
        self.steer_again();
        Ok(())
    }

    /// Records from the start of the scene, as the command line asks for.
    pub(super) fn record_from_start(&mut self, path: &Path) -> Result<()> {
        let start = self.start_of(&self.launch, &self.run)?;
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::Value {
                name: "--record".into(),
                value: format!("'{}', which exists", path.display()),
                accepted: "a new file's name".into(),
            },
            _ => Error::File { path: path.into(), source },
        };
        self.tape = Tape::record(path.into(), start).map_err(failed)?;
        Ok(())
    }

    /// What a run that has just been built begins with.
    pub(super) fn start_of(&self, launch: &Launch, run: &Run) -> Result<Start> {
        Start::of_scene(&run.scene, &launch.overrides(self.fewer), &run.tuning.settings)
    }

    /// Ends a recording, if one is under way; says so.
    pub(crate) fn end_recording(&mut self) {
        self.trouble = self.tape.end(self.run.engine.get_mut()).or(self.trouble.take());
        if let Tape::Recording { path, .. } = std::mem::take(&mut self.tape) {
            self.news = Some(format!("recorded to {}", path.display()));
        }
    }

    /// Plays a recording.
    pub(crate) fn play(&mut self, path: &Path) {
        let player = self.launch.recording(path).map(Player::new);
        match player.and_then(|player| self.begin(player)) {
            Ok(()) => self.eye.fit(),
            Err(error) => self.trouble = Some(error.to_string()),
        }
    }

    /// Turns to a player's next run.
    pub(super) fn begin(&mut self, mut player: Player) -> Result<()> {
        let Some((scene, world, settings)) = player.begin()? else { return Ok(()) };
        let run = Run::of(scene, world, settings, &self.maker)?;
        self.end_recording();
        self.tape = Tape::Idle;
        self.take_on(run);
        // Nobody's keys are held there.
        self.run.direction = Vec2::ZERO;
        self.tape = Tape::Playing(Box::new(Playing::new(player)));
        Ok(())
    }

    /// Plays the steps of a frame; answers with how many. A recording that can't go on is left, and the world goes on.
    ///
    /// # Errors
    /// [`Error::Device`]: then nothing goes on.
    pub(super) fn play_frame(&mut self, since: Duration) -> Result<u32> {
        match self.try_frame(since) {
            Err(error) if !matches!(error, Error::Device { .. }) => {
                self.leave_replay();
                self.trouble = Some(error.to_string());
                Ok(0)
            }
            played => played,
        }
    }

    fn try_frame(&mut self, since: Duration) -> Result<u32> {
        let Tape::Playing(playing) = &mut self.tape else { return Ok(0) };
        let played = playing.frame(self.run.engine.get_mut(), &mut self.clock, since);
        let Played { steps, done, outcome } = played?;
        done.iter().for_each(|command| self.take_note(command));
        if self.clock.rate_hz() != self.run.tuning.settings.rate_hz {
            self.clock.set_rate_hz(self.run.tuning.settings.rate_hz);
        }
        if let Some(outcome) = outcome {
            self.end_of_replay(outcome)?;
        }
        Ok(steps)
    }

    /// Goes on to the next run, or says how the replay ended and leaves the world to the user, paused.
    fn end_of_replay(&mut self, outcome: Outcome) -> Result<()> {
        let Tape::Playing(playing) = std::mem::take(&mut self.tape) else { return Ok(()) };
        if !playing.player.is_last() && !matches!(outcome, Outcome::Other { .. }) {
            return self.begin(playing.player);
        }
        self.clock.pause(true);
        self.leave_replay();
        match outcome {
            Outcome::Same { hash } => {
                self.news = Some(format!("the replay ends in the state that was recorded: {hash:016x}"));
            }
            Outcome::Other { step, .. } => {
                self.trouble = Some(format!("the replay has another state than the recording after step {step}"));
            }
            Outcome::Unknown => self.news = Some("the recording breaks off here".into()),
        }
        Ok(())
    }

    /// Leaves the world to the user: what the recording held and steered is let go.
    fn leave_replay(&mut self) {
        self.tape = Tape::Idle;
        self.let_go();
        self.command(Command::Release);
    }

    /// Sees, now and then, whether the scene's file has changed, and if so starts it as it is now. A file that is wrong or
    /// gone leaves the world as it is, and is said once.
    pub(crate) fn look_at_file(&mut self, since: Duration) {
        self.watched.since_look += since;
        if self.watched.since_look < LOOK || self.tape.is_playing() {
            return;
        }
        let path = self.scene_name().to_owned();
        let before = std::mem::replace(&mut self.watched, Watched::look(&path)).seen;
        match (before, self.watched.seen) {
            (Some(before), Some(now)) if before != now => self.reload(),
            (None, Some(_)) if self.was_gone => self.reload(),
            (Some(_), None) => {
                self.was_gone = true;
                self.trouble = Some(format!("{} is gone; its world goes on", path.display()));
            }
            _ => {}
        }
    }

    fn reload(&mut self) {
        self.was_gone = false;
        let launch = self.launch.clone();
        if let Some(run) = self.built(Run::new(&launch, &self.maker, self.fewer)) {
            self.start(launch, run);
            self.news = Some(format!("read {} again, which has changed", self.scene_name().display()));
        }
    }
}

#[cfg(test)]
mod tests;
