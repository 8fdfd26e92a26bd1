//! Saved worlds: all that a run needs to go on to the bits of one that was not interrupted, in one file.
//!
//! The file is [`MAGIC`], the format's version, the header's length (both u32), the header as JSON, then the rows that
//! it counts: balls, segments and slips, words of 32 bits each, and last FNV-1a over all before it. Words are
//! little-endian. A reader allocates only for bytes that are there, so that a damaged count costs nothing.

mod rows;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::error::shortened;
use crate::measure::fnv;
use crate::whole::write_whole;
use crate::{
    Actor, Character, Counter, Error, Material, Model, Result, Scene, Segment, Settings, Surface, Wheel, World,
};

/// What a saved world begins with.
pub(crate) const MAGIC: [u8; 8] = *b"BALLPIT\n";
/// Version of the format: a reader knows its own only.
const VERSION: u32 = 1;
/// Longest header, bytes: the largest scene's text, each byte of it escaped.
const LONGEST_HEADER: u32 = (8 * Scene::LARGEST_FILE) as u32;

/// A run's state, to be saved, and gone on with later or elsewhere.
///
/// ```
/// use ballpit::{CpuEngine, Engine, Overrides, Scene, Snapshot, state_hash};
///
/// let scene = Scene::named("impulse")?;
/// let mut engine = CpuEngine::new(scene.build(&Overrides::default())?, scene.settings())?;
/// engine.step(100, scene.settings().step_s())?;
/// let saved = Snapshot::of(&scene, scene.settings(), engine.world()?, engine.steps()).to_bytes()?;
///
/// let Snapshot { world, settings, .. } = Snapshot::from_bytes(&saved, "a saved world")?;
/// let mut continued = CpuEngine::new(world, settings)?;
/// engine.step(100, scene.settings().step_s())?;
/// continued.step(100, scene.settings().step_s())?;
/// assert_eq!(state_hash(&continued.world()?), state_hash(&engine.world()?));
/// # Ok::<(), ballpit::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The scene's title.
    pub title: String,
    /// The seed that the world was made from.
    pub seed: u64,
    /// Steps made since the scene began.
    pub steps: u64,
    /// Text of the scene's file, from which another seed makes another world; empty where there is none.
    pub scene: String,
    /// How its steps are made.
    pub settings: Settings,
    /// The world.
    pub world: World,
}

/// The part that is no rows.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    title: String,
    seed: u64,
    steps: u64,
    scene: String,
    settings: Settings,
    model: Model,
    min: Vec2,
    max: Vec2,
    gravity: Vec2,
    drag_per_s: f32,
    materials: Vec<Material>,
    surfaces: Vec<Surface>,
    wheels: Vec<Wheel>,
    counters: Vec<Counter>,
    characters: Vec<Character>,
    actors: Vec<Actor>,
    bodies: usize,
    segments: usize,
    slips: usize,
}

impl Snapshot {
    /// What a file of a saved world ends in.
    pub const EXTENSION: &'static str = "ballpit";

    /// The state of a scene's run; whoever tilts the ground lets go. `steps` are those of this run: what a saved world had made
    /// before comes on top.
    pub fn of(scene: &Scene, settings: Settings, mut world: World, steps: u64) -> Self {
        world.surfaces.iter_mut().for_each(|surface| _ = surface.steer(0.0));
        Self {
            title: scene.title.clone(),
            seed: scene.seed,
            steps: scene.steps() + steps,
            scene: scene.text().to_owned(),
            settings,
            world,
        }
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// [`Error::Value`] for a world that no engine could go on with, as one with a ball that is nowhere.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.settings.validate()?;
        self.world.validate()?;
        // Through a value, whose numbers are float64: these are written to the last bit, and read back to it.
        let header = serde_json::to_value(self.header()).expect("plain data has a JSON form").to_string();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header.as_bytes());
        rows::put(&mut bytes, &self.world.bodies, rows::of_body);
        rows::put(&mut bytes, &self.world.segments, rows::of_segment);
        rows::put(&mut bytes, &self.world.slips, rows::of_slip);
        bytes.extend(fnv(&bytes).to_le_bytes());
        Ok(bytes)
    }

    fn header(&self) -> Header {
        let World { model, min, max, gravity, drag_per_s, materials, surfaces, .. } = &self.world;
        let World { wheels, counters, characters, actors, segments, bodies, slips, .. } = &self.world;
        Header {
            title: self.title.clone(),
            seed: self.seed,
            steps: self.steps,
            scene: self.scene.clone(),
            settings: self.settings.clone(),
            model: *model,
            min: *min,
            max: *max,
            gravity: *gravity,
            drag_per_s: *drag_per_s,
            materials: materials.clone(),
            surfaces: surfaces.clone(),
            wheels: wheels.clone(),
            counters: counters.clone(),
            characters: characters.clone(),
            actors: actors.clone(),
            bodies: bodies.len(),
            segments: segments.len(),
            slips: slips.len(),
        }
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// Those of [`Snapshot::to_bytes`]; [`Error::File`] if the system refuses, which leaves a file of before.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        write_whole(path.as_ref(), &self.to_bytes()?)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::File`] if it can't be read, [`Error::Scene`] if it holds no whole and sound saved world.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let failed = |source| Error::File { path: path.into(), source };
        Self::read_from(File::open(path).map_err(failed)?, &path.display().to_string())
    }

    /// Reads what [`Snapshot::to_bytes`] gave; errors call it `place`.
    ///
    /// # Errors
    /// [`Error::Scene`] if it is no whole and sound saved world.
    pub fn from_bytes(bytes: &[u8], place: &str) -> Result<Self> {
        Self::read_from(bytes, place)
    }

    /// Reads from wherever it comes.
    ///
    /// # Errors
    /// As [`Snapshot::read`].
    pub(crate) fn read_from(source: impl Read, place: &str) -> Result<Self> {
        let mut source = Source { source, place, seen: Vec::new() };
        if source.bytes(MAGIC.len())? != MAGIC {
            return Err(source.refused("is no saved world; give a file that ballpit has saved"));
        }
        let version = source.word("version")?;
        if version != VERSION {
            let message = format!("is of version {version}; this program reads version {VERSION}");
            return Err(source.refused(&message));
        }
        let length = source.word("header")?;
        if length > LONGEST_HEADER {
            return Err(source.damaged(&format!("its header would have {length} bytes")));
        }
        let header = source.bytes(length as usize)?;
        let header: Header = serde_json::from_slice(header)
            .map_err(|error| source.damaged(&format!("header: {}", shortened(&error.to_string(), 300))))?;
        source.rest(header)
    }
}

impl Header {
    /// The snapshot of these rows; `None` if one of them means nothing.
    fn with_rows(self, mut left: &[u8]) -> Option<Snapshot> {
        let Self { title, seed, steps, scene, settings, model, min, max, gravity, drag_per_s, .. } = self;
        let Self { materials, surfaces, wheels, counters, characters, actors, .. } = self;
        let world = World {
            model,
            min,
            max,
            gravity,
            drag_per_s,
            materials,
            surfaces,
            wheels,
            counters,
            characters,
            actors,
            bodies: rows::take(&mut left, self.bodies, rows::body)?,
            segments: rows::take(&mut left, self.segments, rows::segment)?,
            slips: rows::take(&mut left, self.slips, rows::slip)?,
        };
        Some(Snapshot { title, seed, steps, scene, settings, world })
    }
}

/// A file on its way in.
struct Source<'a, R> {
    source: R,
    place: &'a str,
    /// All bytes so far.
    seen: Vec<u8>,
}

impl<R: Read> Source<'_, R> {
    /// The next bytes; as many as there are cost memory, and no more.
    fn bytes(&mut self, count: usize) -> Result<&[u8]> {
        let first = self.seen.len();
        let read = self.source.by_ref().take(count as u64).read_to_end(&mut self.seen);
        let read = read.map_err(|source| Error::File { path: self.place.into(), source })?;
        if read < count {
            let ends = format!("it ends at byte {}, before {} more", self.seen.len(), count - read);
            return Err(self.damaged(&ends));
        }
        Ok(&self.seen[first..])
    }

    fn word(&mut self, what: &str) -> Result<u32> {
        let bytes = self.bytes(4)?.try_into();
        bytes.map(u32::from_le_bytes).map_err(|_| self.damaged(what))
    }

    /// The rows that the header counts, and the checksum.
    fn rest(mut self, header: Header) -> Result<Snapshot> {
        let Header { bodies, segments, slips, .. } = header;
        let first = self.seen.len();
        let counts = [(bodies, World::MOST_BODIES), (segments, Segment::MOST), (slips, rows::MOST_SLIPS)];
        if let Some((count, most)) = counts.into_iter().find(|(count, most)| count > most) {
            return Err(self.damaged(&format!("its header counts {count} rows where there may be {most}")));
        }
        let words = bodies * rows::BODY + segments * rows::SEGMENT + slips * rows::SLIP;
        self.bytes(4 * words)?;
        let sum = fnv(&self.seen).to_le_bytes();
        if self.bytes(sum.len())? != sum {
            return Err(self.damaged("its checksum is another one"));
        }
        if self.source.read(&mut [0]).unwrap_or_default() > 0 {
            return Err(self.damaged(&format!("it goes on after byte {}", self.seen.len())));
        }
        let snapshot =
            header.with_rows(&self.seen[first..]).ok_or_else(|| self.damaged("a row holds what no ball has"))?;
        let sound = snapshot.settings.validate().and_then(|()| snapshot.world.validate());
        sound.map_err(|error| self.refused(&format!("can't be gone on with: {error}; give another file")))?;
        Ok(snapshot)
    }

    fn refused(&self, message: &str) -> Error {
        Error::Scene { place: self.place.into(), message: message.into() }
    }

    fn damaged(&self, what: &str) -> Error {
        self.refused(&format!("is a damaged saved world: {what}; take another copy, or save it again"))
    }
}

/// Whether a file begins like a saved world, and a reader that begins at its beginning again.
pub(crate) fn sniff(mut source: impl Read) -> io::Result<(bool, impl Read)> {
    let mut start = Vec::new();
    source.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok((start == MAGIC, io::Cursor::new(start).chain(source)))
}
