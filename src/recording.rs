//! Recordings: what a run began with, and everything that was done to it, each with the number of steps before it.
//!
//! A run is its world, its steps, and the commands between them, so that a replay ends in the same bits whatever the
//! frame rate and on either engine. The file is JSON, a line each: `start`, then lengths of steps, commands and hashes
//! of the state, last `end`. A restart or another scene is another `start`, whose steps count from 0.

mod player;
mod recorder;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};

use crate::error::shortened;
use crate::{Command, Error, Overrides, Result, Scene, Settings, Snapshot, World};

pub use player::{Outcome, Player};
pub use recorder::Recorder;

/// Version of the format: a reader knows its own only.
const VERSION: u32 = 1;
/// Longest line, bytes: room for a saved world of some four million balls.
const LONGEST_LINE: u64 = 256 << 20;
/// Most steps of a run: more than a year of 120 a second. A number that is larger was never counted.
const MOST_STEPS: u64 = 1 << 32;

/// What was done in one run after another, from the start of the recording to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Runs: one more for each restart and each other scene.
    takes: Vec<Take>,
}

/// A run from its start.
#[derive(Clone, Debug, PartialEq)]
struct Take {
    start: Start,
    /// What happened, in order.
    events: Vec<Entry>,
    /// The file's name and the line on which it starts, for errors.
    name: String,
    line: u64,
}

/// What happened in a run.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    /// Steps that were made before it.
    step: u64,
    event: Event,
    /// Its line in the file.
    line: u64,
}

/// What a run begins with: the text of a scene, or a saved world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    version: u32,
    /// Title, for whoever reads the file.
    title: String,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    balls: Option<usize>,
    settings: Settings,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scene: Option<String>,
    /// Base64 of a saved world's bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    saved: Option<String>,
}

impl Start {
    /// A run that begins as a scene says, with its own balls or others.
    /// A saved world that is taken as it is begins with its state.
    ///
    /// # Errors
    /// Those of [`Snapshot::to_bytes`].
    pub fn of_scene(scene: &Scene, overrides: &Overrides, settings: &Settings) -> Result<Self> {
        if let Some(snapshot) = scene.snapshot(settings).filter(|_| *overrides == Overrides::default()) {
            return Self::of_snapshot(&snapshot);
        }
        Ok(Self {
            version: VERSION,
            title: scene.title.clone(),
            seed: overrides.seed.unwrap_or(scene.seed),
            balls: overrides.balls,
            settings: settings.clone(),
            scene: Some(scene.text().to_owned()),
            saved: None,
        })
    }

    /// A run that begins with a state.
    ///
    /// # Errors
    /// Those of [`Snapshot::to_bytes`].
    pub fn of_snapshot(snapshot: &Snapshot) -> Result<Self> {
        Ok(Self {
            version: VERSION,
            title: snapshot.title.clone(),
            seed: snapshot.seed,
            balls: None,
            settings: snapshot.settings.clone(),
            scene: None,
            saved: Some(BASE64_STANDARD.encode(snapshot.to_bytes()?)),
        })
    }

    /// The scene, what is changed about it, and how it is stepped; errors call it `place`.
    fn scene(&self, place: &str) -> Result<(Scene, Overrides)> {
        let refused = |message: String| Error::Scene { place: place.into(), message };
        match (&self.scene, &self.saved) {
            (Some(text), None) => {
                Ok((Scene::parse(text, place)?, Overrides { balls: self.balls, seed: Some(self.seed) }))
            }
            (None, Some(text)) => {
                let bytes = BASE64_STANDARD.decode(text).map_err(|error| refused(format!("saved: {error}")))?;
                Ok((Scene::of_saved(Snapshot::from_bytes(&bytes, place)?, place)?, Overrides::default()))
            }
            _ => Err(refused("a start has either a scene or a saved world; take another copy".into())),
        }
    }
}

/// What happens between two steps.
#[derive(Clone, Debug, PartialEq)]
enum Event {
    /// The coming steps are so long, s.
    Length(f32),
    /// Something is done to the world.
    Do(Command),
    /// The state's hash.
    Hash(u64),
    /// The same, and the run is over.
    End(u64),
}

/// A line of the file: one of its parts but `step` is there.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    step: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<Start>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    length_s: Option<f32>,
    #[serde(default, rename = "do", skip_serializing_if = "Option::is_none")]
    command: Option<Command>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<Digits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<Digits>,
}

/// A hash as 16 hexadecimal digits.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
struct Digits(u64);

impl From<Digits> for String {
    fn from(Digits(hash): Digits) -> Self {
        format!("{hash:016x}")
    }
}

impl TryFrom<String> for Digits {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        let hash = u64::from_str_radix(&text, 16).ok().filter(|_| text.len() == 16);
        hash.map(Self).ok_or_else(|| "a hash has 16 hexadecimal digits".into())
    }
}

impl Line {
    fn of(step: u64, event: Event) -> Self {
        let line = Self { step: Some(step), ..Self::default() };
        match event {
            Event::Length(length_s) => Self { length_s: Some(length_s), ..line },
            Event::Do(command) => Self { command: Some(command), ..line },
            Event::Hash(hash) => Self { hash: Some(Digits(hash)), ..line },
            Event::End(hash) => Self { end: Some(Digits(hash)), ..line },
        }
    }

    /// Its text. Through a value, whose numbers are float64: these are read back to the last bit.
    fn text(&self) -> String {
        serde_json::to_value(self).expect("plain data has a JSON form").to_string()
    }

    /// The one event that it holds.
    fn event(self) -> Option<Event> {
        match self {
            Self { length_s: Some(length), command: None, hash: None, end: None, .. } => Some(Event::Length(length)),
            Self { length_s: None, command: Some(command), hash: None, end: None, .. } => Some(Event::Do(command)),
            Self { length_s: None, command: None, hash: Some(Digits(hash)), end: None, .. } => Some(Event::Hash(hash)),
            Self { length_s: None, command: None, hash: None, end: Some(Digits(hash)), .. } => Some(Event::End(hash)),
            _ => None,
        }
    }
}

impl Recording {
    /// What a file of a recording ends in.
    pub const EXTENSION: &'static str = "recording";

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::File`] if it can't be read, [`Error::Scene`] with the line that is wrong.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let failed = |source| Error::File { path: path.into(), source };
        Self::read_from(BufReader::new(File::open(path).map_err(failed)?), &path.display().to_string())
    }

    /// Reads what a [`Recorder`] has written; errors call it `name`.
    ///
    /// # Errors
    /// As [`Recording::read`].
    pub fn read_from(mut source: impl BufRead, name: &str) -> Result<Self> {
        let mut takes = Vec::new();
        for number in 1u64.. {
            let place = place(name, number);
            let line = match next_line(&mut source) {
                Ok(None) => break,
                Ok(Some(line)) => line,
                Err(error) => return Err(Error::Scene { place, message: error.to_string() }),
            };
            take_in(&mut takes, &line, (name, number)).map_err(|message| Error::Scene { place, message })?;
        }
        if takes.is_empty() {
            let message = "is no recording; give a file that --record or F9 has written".into();
            return Err(Error::Scene { place: name.into(), message });
        }
        Ok(Self { takes })
    }
}

/// The next line without its end, if there is one.
fn next_line(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = source.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.pop_if(|last| *last == b'\n').is_none() && read as u64 == LONGEST_LINE {
        return Err(io::Error::other(format!("is longer than {} MiB; take another recording", LONGEST_LINE >> 20)));
    }
    Ok((read > 0).then_some(line))
}

/// A line of a file, for errors.
fn place(name: &str, line: u64) -> String {
    format!("{name}:{line}")
}

/// Adds what a line says to the takes, or says what is wrong with it.
fn take_in(takes: &mut Vec<Take>, line: &[u8], (name, number): (&str, u64)) -> std::result::Result<(), String> {
    let wrong = |what: &str| Err(format!("{what}; take another copy of the recording"));
    let line: Line = match serde_json::from_slice(line) {
        Ok(line) => line,
        Err(error) if takes.is_empty() => {
            return Err(format!("is no recording ({}); give a file that --record or F9 has written", told(&error)));
        }
        Err(error) => return wrong(&told(&error)),
    };
    let Line { step, start, .. } = &line;
    match (takes.last_mut(), *step, start) {
        (_, None, Some(start)) if start.version == VERSION => {
            takes.push(Take { start: start.clone(), events: Vec::new(), name: name.to_owned(), line: number });
            Ok(())
        }
        (_, None, Some(start)) => Err(format!("is of version {}; this program reads version {VERSION}", start.version)),
        (Some(take), Some(step), None) => {
            let event = line.event().ok_or("a step's line has one of length_s, do, hash and end")?;
            take.add(Entry { step, event, line: number }).or_else(wrong)
        }
        _ => wrong("a line has a start, or after one a step"),
    }
}

/// What the reader of a line says, which knows of no line but this one.
fn told(error: &serde_json::Error) -> String {
    shortened(&error.to_string().replace(" at line 1 column ", " at column "), 300)
}

impl Take {
    /// Adds an event that may stand where it does.
    fn add(&mut self, entry: Entry) -> std::result::Result<(), &'static str> {
        let (last, is_over) = match self.events.last() {
            Some(last) => (last.step, matches!(last.event, Event::End(_))),
            None => (0, false),
        };
        match entry.event {
            _ if is_over => return Err("something happens after the end"),
            _ if entry.step < last => return Err("steps do not go back"),
            _ if entry.step > MOST_STEPS => return Err("a run has at most 4,294,967,296 steps"),
            Event::Length(length_s) if !(length_s > 0.0 && length_s <= 1.0) => {
                return Err("a step's length is above 0 and at most 1 s");
            }
            Event::Do(Command::Press { alpha, .. }) if !(0.0..=1.0).contains(&alpha) => {
                return Err("a press has an alpha from 0 to 1");
            }
            _ => self.events.push(entry),
        }
        Ok(())
    }

    /// The scene, the world and the settings that it begins with.
    fn begin(&self) -> Result<(Scene, World, Settings)> {
        let place = place(&self.name, self.line);
        let (mut scene, overrides) = self.start.scene(&place)?;
        let world = scene.build(&overrides)?;
        scene.seed = self.start.seed;
        let refused = |error: Error| Error::Scene { place, message: format!("can't be started: {error}") };
        self.start.settings.validate().map_err(refused)?;
        Ok((scene, world, self.start.settings.clone()))
    }
}
