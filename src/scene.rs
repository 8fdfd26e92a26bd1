//! Scenes: worlds as TOML files.
//!
//! A scene describes a world by spawners rather than ball by ball; [`Scene::build`] makes the world. The
//! same scene and seed make the same world, to the last bit, on every machine.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use glam::DVec2;

use crate::{
    Cannon, Character, Counter, Error, Material, Model, Result, Segment, Settings, Snapshot, Surface, Wheel, World,
    memory, snapshot,
};

mod check;
mod file;
mod form;
mod named;
mod place;
mod random;
mod saved;
mod scatter;
mod spawn;
#[cfg(test)]
mod tests;

use saved::Saved;
use spawn::{Region, Room, Spawner};

/// A scene: what a file says, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Its title.
    pub title: String,
    /// What happens in it, in a line; may be empty.
    pub description: String,
    /// The seed of its spawners.
    pub seed: u64,
    /// The world's box, px.
    region: Region,
    gravity: DVec2,
    drag_per_s: f64,
    model: Model,
    walls: bool,
    scale_with_balls: bool,
    settings: Settings,
    materials: Vec<Material>,
    characters: Vec<Character>,
    surfaces: Vec<Surface>,
    segments: Vec<Segment>,
    wheels: Vec<Wheel>,
    counters: Vec<Counter>,
    cannon: Option<Cannon>,
    spawners: Vec<Spawner>,
    /// What its file says.
    text: String,
    /// The state to begin with, of a saved world.
    saved: Option<Box<Saved>>,
}

/// What a user may change about a scene without editing it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Movable balls, in place of [`Scene::default_balls`].
    pub balls: Option<usize>,
    /// The seed, in place of [`Scene::seed`].
    pub seed: Option<u64>,
}

impl Scene {
    /// Largest scene file, bytes.
    pub const LARGEST_FILE: u64 = 16 << 20;
    /// The name of the scene that runs when none is asked for.
    pub const DEFAULT: &'static str = "pile";

    /// Names and descriptions of the scenes that come with the program, the default first.
    pub fn names() -> impl Iterator<Item = (&'static str, String)> {
        let described = |name: &str, text| Self::parse(text, name).map(|scene| scene.description);
        named::SCENES.iter().map(move |(name, text)| (*name, described(name, text).unwrap_or_default()))
    }

    /// A scene that comes with the program.
    ///
    /// # Errors
    /// [`Error::Scene`] that quotes an unknown name, suggests the nearest and lists them all.
    pub fn named(name: &str) -> Result<Self> {
        Self::parse(named::text_of(name)?, name)
    }

    /// A scene by name or by file: a file if there is one, or if it ends in `.toml` or `.ballpit`, lies in a folder or
    /// is no name.
    ///
    /// # Errors
    /// Those of [`Scene::read`] and [`Scene::named`].
    pub fn open(name_or_path: impl AsRef<Path>) -> Result<Self> {
        let path = name_or_path.as_ref();
        let ends_as_file = path.extension().is_some_and(|end| end == "toml" || end == Snapshot::EXTENSION);
        if path.extension().is_some_and(|end| end == crate::Recording::EXTENSION) {
            let message = "is a recording, which ballpit and ballpit simulate play with --replay".into();
            return Err(Error::Scene { place: path.display().to_string(), message });
        }
        let is_file = ends_as_file || path.components().count() > 1 || path.is_file();
        match path.to_str() {
            Some(name) if !is_file && (named::text_of(name).is_ok() || !path.is_dir()) => Self::named(name),
            _ => Self::read(path),
        }
    }

    /// Reads a scene file of at most [`Scene::LARGEST_FILE`] bytes, or a saved world ([`Snapshot`]), which its first
    /// bytes tell.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read, [`Error::Scene`] if what it holds is not a scene.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let failed = |source| Error::File { path: PathBuf::from(path), source };
        if path.is_dir() {
            return Err(Error::Scene { place: name, message: "is a directory; give a .toml file".into() });
        }
        let (is_saved, file) = fs::File::open(path).and_then(snapshot::sniff).map_err(failed)?;
        if is_saved {
            return Self::of_saved(Snapshot::read_from(file, &name)?, &name);
        }
        let bytes = read_bounded(file, path)?;
        let text = String::from_utf8(bytes).map_err(|error| not_text(&name, &error))?;
        Self::parse(&text, &name)
    }

    /// Parses a scene's text; errors call it `place`.
    ///
    /// # Errors
    /// [`Error::Scene`] with line, key and accepted range.
    pub fn parse(text: &str, place: &str) -> Result<Self> {
        if text.len() as u64 > Self::LARGEST_FILE {
            return Err(too_large(place));
        }
        let source = place::Source { name: place, text };
        check::scene(source, form::read(source)?)
    }

    /// How the scene asks to be stepped.
    pub fn settings(&self) -> Settings {
        self.settings.clone()
    }

    /// What its file says, as TOML.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Movable balls that it makes when nothing is overridden.
    pub fn default_balls(&self) -> usize {
        if let Some(saved) = &self.saved {
            return saved.world.bodies.iter().filter(|body| body.is_movable()).count();
        }
        self.spawners.iter().filter(|spawner| !spawner.fixed).map(Spawner::count).sum()
    }

    /// Least and greatest radius, px, and material of the balls of the spawner that has most movable ones, the first of those
    /// that have as many; where there are none, of middling ones.
    pub fn usual_ball(&self) -> ([f32; 2], usize) {
        let movable = self.spawners.iter().rev().filter(|spawner| !spawner.fixed);
        let usual = movable.max_by_key(|spawner| spawner.count());
        usual.map_or(([4.0, 8.0], 0), |usual| ([usual.radius.least as f32, usual.radius.most as f32], usual.material))
    }

    /// What a click fires, where the scene has it.
    pub fn cannon(&self) -> Option<&Cannon> {
        self.cannon.as_ref()
    }

    /// Whether [`Overrides::balls`] may be given: not where the scene places each ball by hand, nor to keep a saved
    /// state.
    pub fn takes_balls(&self) -> bool {
        self.saved.is_none() && self.spawners.iter().any(Spawner::is_scalable)
    }

    /// Makes the world.
    ///
    /// `balls` sets how many movable balls there are: the first spawner of many makes as many more or
    /// fewer. Where the scene says `scale_with_balls`, its box and all places in it grow or shrink
    /// alike, so that the balls keep their share of the area, or less of it where a small box holds fewer. Of a saved
    /// world, balls or a seed make another world of the scene that it came from.
    ///
    /// # Errors
    /// [`Error::Scene`] if the balls do not fit, naming how many do; [`Error::Value`] if the number is
    /// out of range; [`Error::Memory`] if the computer has no room for them.
    pub fn build(&self, overrides: &Overrides) -> Result<World> {
        if let Some(saved) = &self.saved {
            return self.build_saved(saved, overrides);
        }
        let seed = overrides.seed.unwrap_or(self.seed);
        let Some(balls) = overrides.balls else { return self.build_as_written(seed) };
        let mut scaled = self.with_balls(balls)?;
        let mut built = scaled.build_as_written(seed);
        // Along its walls a box leaves gaps: the smaller it is, the larger their share.
        for _ in 0..if self.scale_with_balls { MOST_GROWTHS } else { 0 } {
            if built.is_ok() {
                break;
            }
            scaled.scale(GROWTH);
            built = scaled.build_as_written(seed);
        }
        built
    }

    fn build_as_written(&self, seed: u64) -> Result<World> {
        memory::refuse_beyond_memory(self.spawners.iter().map(Spawner::made).sum(), memory::OF_A_WORLD)?;
        let mut world = World::new(self.region.min.as_vec2(), self.region.max.as_vec2());
        if !self.walls {
            world = world.open();
        }
        world.model = self.model;
        world.characters.clone_from(&self.characters);
        world.gravity = self.gravity.as_vec2();
        world.drag_per_s = self.drag_per_s as f32;
        if !self.materials.is_empty() {
            world.materials.clone_from(&self.materials);
        }
        world.surfaces.extend_from_slice(&self.surfaces);
        world.segments.clone_from(&self.segments);
        world.wheels.clone_from(&self.wheels);
        world.counters.clone_from(&self.counters);
        for (index, spawner) in self.spawners.iter().enumerate() {
            let first = world.bodies.len();
            let mut room = Room { region: self.region, bodies: &mut world.bodies };
            spawner.run(&mut room, &mut random::Random::new(seed, index))?;
            spawner.mark_first(&mut world.bodies, first);
            spawner.cast(&mut world, first);
        }
        world.validate()?;
        Ok(world)
    }

    /// The same scene with another number of movable balls.
    fn with_balls(&self, balls: usize) -> Result<Self> {
        let refused = |accepted: String| Error::Value { name: "balls".into(), value: balls.to_string(), accepted };
        let Some(main) = self.spawners.iter().position(Spawner::is_scalable) else {
            return Err(refused("left out: this scene places each ball by hand".into()));
        };
        let before = self.spawners[main].count();
        let others = self.default_balls() - before;
        let made: usize = self.spawners.iter().map(Spawner::made).sum();
        let room = World::MOST_BODIES - (made - self.spawners[main].made());
        let most = others + room / (1 + self.spawners[main].carries.len());
        if balls <= others || balls > most {
            return Err(refused(format!("from {} to {most}", others + 1)));
        }
        let mut scene = self.clone();
        scene.spawners[main].set_count(balls - others);
        scene.spawners[main].beside = Some(others);
        if self.scale_with_balls {
            let share = (balls - others) as f64 / before as f64;
            scene.scale(share.sqrt().max(self.least_scale()));
        }
        Ok(scene)
    }

    /// The scale below which the box would be narrower than four of its largest balls.
    fn least_scale(&self) -> f64 {
        let largest = self.spawners.iter().map(|spawner| spawner.radius.most).fold(0.0, f64::max);
        let narrowest = self.spawners.iter().filter_map(|spawner| spawner.region()).chain([self.region]);
        let narrowest = narrowest.map(|region| region.size().min_element()).fold(f64::INFINITY, f64::min);
        if narrowest > 0.0 { (8.0 * largest / narrowest).min(1.0) } else { 1.0 }
    }

    /// Moves every place away from the box's smaller corner, or toward it.
    fn scale(&mut self, factor: f64) {
        let origin = self.region.min;
        let scaled = |place: DVec2| origin + (place - origin) * factor;
        self.region = self.region.map(scaled);
        for surface in &mut self.surfaces {
            surface.point = scaled(surface.point.as_dvec2()).as_vec2();
        }
        for end in self.segments.iter_mut().flat_map(|segment| [&mut segment.from, &mut segment.to]) {
            *end = scaled(end.as_dvec2()).as_vec2();
        }
        let centres = self.wheels.iter_mut().map(|wheel| &mut wheel.centre);
        let corners = self.counters.iter_mut().flat_map(|counter| [&mut counter.min, &mut counter.max]);
        for place in centres.chain(corners) {
            *place = scaled(place.as_dvec2()).as_vec2();
        }
        if let Some(cannon) = &mut self.cannon {
            cannon.place = scaled(cannon.place);
        }
        for spawner in &mut self.spawners {
            spawner.map_places(scaled);
        }
    }
}

/// What a box that its balls do not fit into is enlarged by, where the scene lets it, and how often.
const GROWTH: f64 = 1.05;
const MOST_GROWTHS: usize = 10;

/// Reads a file, and stops early where it is too large or, like a device, has no end.
fn read_bounded(file: impl Read, path: &Path) -> Result<Vec<u8>> {
    let failed = |source| Error::File { path: PathBuf::from(path), source };
    let mut bytes = Vec::new();
    file.take(Scene::LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > Scene::LARGEST_FILE {
        return Err(too_large(&path.display().to_string()));
    }
    Ok(bytes)
}

fn too_large(place: &str) -> Error {
    let message = format!("is larger than {} MiB, the largest scene file", Scene::LARGEST_FILE >> 20);
    Error::Scene { place: place.into(), message }
}

fn not_text(place: &str, error: &std::string::FromUtf8Error) -> Error {
    let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
    let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
    let message = format!("is not UTF-8 text (byte {}); give a TOML file", valid.len());
    Error::Scene { place: format!("{place}:{line}"), message }
}
