//! Writes a recording while a run is on its way.

use std::io::{self, Write};

use glam::Vec2;

use super::{Event, Line, Start};
use crate::Command;

/// Writes lines as things happen, so that a run that ends badly leaves what led to it.
pub struct Recorder {
    file: Box<dyn Write>,
    /// Length of the coming steps, s; 0 before the first.
    length_s: f32,
    /// Steps at the last hash.
    hashed: u64,
    /// Where the pointer was last dragged to.
    dragged: Option<Vec2>,
}

impl Recorder {
    /// Begins a recording.
    ///
    /// # Errors
    /// What the file says.
    pub fn begin(file: impl Write + 'static, start: Start) -> io::Result<Self> {
        let mut recorder = Self { file: Box::new(file), length_s: 0.0, hashed: 0, dragged: None };
        recorder.start(start)?;
        Ok(recorder)
    }

    /// Another run begins.
    ///
    /// # Errors
    /// What the file says.
    pub fn start(&mut self, start: Start) -> io::Result<()> {
        (self.length_s, self.hashed, self.dragged) = (0.0, 0, None);
        self.write(&Line { start: Some(start), ..Line::default() })?;
        self.file.flush()
    }

    /// After `step` steps, the coming ones are `length_s` seconds long.
    ///
    /// # Errors
    /// What the file says.
    pub fn length(&mut self, step: u64, length_s: f32) -> io::Result<()> {
        if self.length_s == length_s {
            return Ok(());
        }
        self.length_s = length_s;
        self.write(&Line::of(step, Event::Length(length_s)))
    }

    /// After `step` steps, a command has been done. A pointer that is held still is not written down again.
    ///
    /// # Errors
    /// What the file says.
    pub fn command(&mut self, step: u64, command: Command) -> io::Result<()> {
        let dragged = if let Command::Drag(place) = command { Some(place) } else { None };
        if dragged.is_some() && dragged == std::mem::replace(&mut self.dragged, dragged) {
            return Ok(());
        }
        self.write(&Line::of(step, Event::Do(command)))
    }

    /// Whether at least `every` steps have been made since the last hash.
    pub fn is_hash_due(&self, step: u64, every: u64) -> bool {
        step >= self.hashed + every
    }

    /// After `step` steps, the state has this hash.
    ///
    /// # Errors
    /// What the file says.
    pub fn hash(&mut self, step: u64, hash: u64) -> io::Result<()> {
        self.hashed = step;
        self.write(&Line::of(step, Event::Hash(hash)))?;
        self.file.flush()
    }

    /// After `step` steps, the run is over, and the state has this hash.
    ///
    /// # Errors
    /// What the file says.
    pub fn end(&mut self, step: u64, hash: u64) -> io::Result<()> {
        self.write(&Line::of(step, Event::End(hash)))?;
        self.file.flush()
    }

    fn write(&mut self, line: &Line) -> io::Result<()> {
        writeln!(self.file, "{}", line.text())
    }
}
