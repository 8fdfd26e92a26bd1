//! Where in a scene file something is wrong, and what is accepted there.

use std::{fmt, ops::Range};

use toml::de::{DeTable, DeValue};

use crate::error::shortened;
use crate::{Actor, Error, Model, Settings, Srgb, StageOrder, World};

/// A key of a scene file, without indices and names, and what it accepts.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) accepted: Accepted,
}

/// What a key accepts.
pub(super) enum Accepted {
    /// A whole number in a range.
    Whole(i64, i64),
    /// A number in a range.
    Number(f64, f64),
    /// A number in a range, or the least and the most of an even spread.
    Spread(f64, f64),
    /// Two numbers in a range.
    Pair(f64, f64),
    /// Something else, in words.
    Words(&'static str),
}

const fn whole(name: &'static str, least: i64, most: i64) -> Key {
    Key { name, accepted: Accepted::Whole(least, most) }
}

const fn number(name: &'static str, least: f64, most: f64) -> Key {
    Key { name, accepted: Accepted::Number(least, most) }
}

const fn pair(name: &'static str, least: f64, most: f64) -> Key {
    Key { name, accepted: Accepted::Pair(least, most) }
}

const fn words(name: &'static str, words: &'static str) -> Key {
    Key { name, accepted: Accepted::Words(words) }
}

const LAST_LAYER: i64 = Actor::LAYERS as i64 - 1;
/// Furthest a place may lie from the origin, px; fastest a ball may start, px/s.
const FAR: f64 = 1e9;

pub(super) const VERSION: Key = whole("version", 1, 1);
pub(super) const TITLE: Key = words("title", "a line of 1 to 200 characters");
pub(super) const DESCRIPTION: Key = words("description", "a line of 1 to 200 characters");
pub(super) const SEED: Key = whole("seed", 0, i64::MAX);
pub(super) const WORLD: Key = words("world", "a table [world] with min and max");
pub(super) const WORLD_MIN: Key = pair("world.min", -FAR, FAR);
pub(super) const WORLD_MAX: Key = pair("world.max", -FAR, FAR);
pub(super) const GRAVITY: Key = pair("world.gravity", -1e6, 1e6);
pub(super) const DRAG: Key = number("world.drag", 0.0, 1e6);
pub(super) const MODEL: Key = words("world.model", Model::ACCEPTED);
pub(super) const RATE: Key = whole("step.rate", 1, Settings::MOST_RATE_HZ as i64);
pub(super) const PASSES: Key = whole("step.passes", 1, Settings::MOST_PASSES as i64);
pub(super) const SOLVER: Key = words("step.solver", "\"jacobi\" or \"sequential\"");
pub(super) const STAGES: Key = words("step.stages", StageOrder::ACCEPTED);
pub(super) const SLEEP_AFTER: Key = number("step.sleep_after", 0.0, 6.0);
pub(super) const SLEEP_SPEED: Key = number("step.sleep_speed", 0.01, 100.0);
pub(super) const BOUNCE_SPEED: Key = number("step.bounce_speed", 0.0, 1e4);
pub(super) const RELIEF: Key = number("step.relief", 0.0, 2.0);
pub(super) const LAYERS: Key = words("step.layers", "a list of layers, each 0 to 31");
pub(super) const STEPPED: Key = whole("step.layers", 0, LAST_LAYER);
pub(super) const CHARACTERS: Key = words("character", "a table [character.NAME], at most 32 of them");
pub(super) const ACCELERATION: Key = pair("character.acceleration", 0.0, 1e6);
pub(super) const TOP_SPEED: Key = pair("character.top_speed", 0.0, 1e6);
pub(super) const CHARACTER_DRAG: Key = number("character.drag", 0.0, 1e6);
pub(super) const STOP: Key = words("character.stop", "\"dead\" or \"glide\"");
pub(super) const DECELERATION: Key = number("character.deceleration", 0.0, 1e6);
pub(super) const MATERIALS: Key = words("material", "a table [material.NAME], at most 32 of them");
pub(super) const RESTITUTION: Key = number("material.restitution", 0.0, 2.0);
pub(super) const FRICTION: Key = number("material.friction", 0.0, 10.0);
pub(super) const COLOUR: Key = words("material.colour", Srgb::ACCEPTED);
pub(super) const SURFACES: Key = words("surface", "tables [[surface]], at most 32 of them with the walls");
pub(super) const SURFACE_POINT: Key = pair("surface.point", -FAR, FAR);
pub(super) const SURFACE_NORMAL: Key = pair("surface.normal", -FAR, FAR);
pub(super) const SURFACE_VELOCITY: Key = pair("surface.velocity", -1e6, 1e6);
pub(super) const SURFACE_TURN: Key = number("surface.turn", -3600.0, 3600.0);
pub(super) const SURFACE_PERIOD: Key = number("surface.period", 0.0, 1e6);
pub(super) const SURFACE_TILT: Key = number("surface.tilt", 0.0, 90.0);
pub(super) const SURFACE_TILT_SPEED: Key = number("surface.tilt_speed", 0.0, 3600.0);
pub(super) const SEGMENTS: Key = words("segment", "tables [[segment]] of at most 1048576 segments in all");
pub(super) const SEGMENT_POINTS: Key =
    words("segment.points", "at least two places [[x, y], [x, y]], each at least 0.01 px from the one before");
pub(super) const SEGMENT_POINT: Key = pair("segment.points", -FAR, FAR);
pub(super) const SEGMENT_THICKNESS: Key = number("segment.thickness", 0.0, 1e6);
pub(super) const WHEELS: Key = words("wheel", "a table [wheel.NAME], at most 16 of them");
pub(super) const WHEEL_CENTRE: Key = pair("wheel.centre", -FAR, FAR);
pub(super) const WHEEL_TURN: Key = number("wheel.turn", -3600.0, 3600.0);
pub(super) const COUNTERS: Key = words("counter", "tables [[counter]], at most 32 of them");
pub(super) const COUNTER_MIN: Key = pair("counter.min", -FAR, FAR);
pub(super) const COUNTER_MAX: Key = pair("counter.max", -FAR, FAR);
pub(super) const CANNON: Key = words("cannon", "one table [cannon] with position, radius and speed");
pub(super) const CANNON_POSITION: Key = pair("cannon.position", -FAR, FAR);
pub(super) const CANNON_RADIUS: Key = number("cannon.radius", 1e-3, 1e6);
pub(super) const CANNON_SPEED: Key = number("cannon.speed", 0.0, 1e6);
pub(super) const CANNON_MASSES: Key = words("cannon.masses", "1 to 9 multiples of the ball's usual mass");
pub(super) const CANNON_MASS: Key = number("cannon.masses", 1e-3, 1e6);
const CANNON_MATERIAL: Key = words("cannon.material", "the name of a [material.NAME]");
pub(super) const KIND: Key = words("spawn.kind", "\"scatter\", \"grid\", \"stack\", \"curve\" or \"single\"");
pub(super) const COUNT: Key = whole("spawn.count", 1, World::MOST_BODIES as i64);
pub(super) const RADIUS: Key = Key { name: "spawn.radius", accepted: Accepted::Spread(1e-3, 1e6) };
pub(super) const RADII: Key = words(
    "spawn.radii",
    "1 to 32 radii in place of radius, each [radius, weight] or a table { radius, weight, material, mass }",
);
pub(super) const RADII_RADIUS: Key = number("spawn.radii", 1e-3, 1e6);
pub(super) const RADII_WEIGHT: Key = number("spawn.radii", 1e-3, 1e6);
pub(super) const SIZE_RADIUS: Key = number("spawn.radii.radius", 1e-3, 1e6);
pub(super) const SIZE_WEIGHT: Key = number("spawn.radii.weight", 1e-3, 1e6);
pub(super) const SIZE_MASS: Key = number("spawn.radii.mass", 1e-9, 1e15);
const SIZE_MATERIAL: Key = words("spawn.radii.material", "the name of a [material.NAME]");
pub(super) const SPAWN_MIN: Key = pair("spawn.min", -FAR, FAR);
pub(super) const SPAWN_MAX: Key = pair("spawn.max", -FAR, FAR);
pub(super) const CLEARANCE: Key = number("spawn.clearance", 0.0, 1e6);
pub(super) const SPEED: Key = number("spawn.speed", 0.0, 1e6);
pub(super) const SPACING: Key = number("spawn.spacing", 1e-3, 1e7);
pub(super) const JITTER: Key = number("spawn.jitter", 0.0, 1e7);
pub(super) const ROW_SPACING: Key = number("spawn.row_spacing", 1e-3, 1e7);
const STAGGER: Key = words("spawn.stagger", "true or false");
const SPAWN_WHEEL: Key = words("spawn.wheel", "the name of a [wheel.NAME]");
pub(super) const SHAPE: Key = words("spawn.shape", "\"layers\" or \"triangle\"");
pub(super) const POINTS: Key =
    words("spawn.points", "four places [x, y]: where the curve starts, what bends it, where it ends");
pub(super) const POINT: Key = pair("spawn.points", -FAR, FAR);
pub(super) const NUDGE: Key = number("spawn.nudge", 0.0, 1e6);
pub(super) const SPREAD: Key = number("spawn.spread", 0.0, 1e6);
pub(super) const POSITION: Key = pair("spawn.position", -FAR, FAR);
pub(super) const VELOCITY: Key = pair("spawn.velocity", -FAR, FAR);
pub(super) const MASS: Key = number("spawn.mass", 1e-9, 1e15);
pub(super) const LAYER: Key = whole("spawn.layer", 0, LAST_LAYER);
pub(super) const CARRIES: Key = words("spawn.carries", "1 to 32 places [x, y] from the centre of each ball");
pub(super) const CARRIED: Key = pair("spawn.carries", -1e6, 1e6);
const SPAWN_CHARACTER: Key = words("spawn.character", "the name of a [character.NAME]");
const CONTACTS: Key = words("step.contacts", "true or false");
pub(super) const SPAWNS: Key = words("spawn", "tables [[spawn]]");
const FIXED: Key = words("spawn.fixed", "true or false");
const SPAWN_MATERIAL: Key = words("spawn.material", "the name of a [material.NAME]");
const FIRST_MATERIAL: Key = words("spawn.first_material", "the name of a [material.NAME]");
const SURFACE_MATERIAL: Key = words("surface.material", "the name of a [material.NAME]");
const SEGMENT_MATERIAL: Key = words("segment.material", "the name of a [material.NAME]");
const WALLS: Key = words("world.walls", "true or false");
const SCALE: Key = words("world.scale_with_balls", "true or false");
const ROTATION: Key = words("step.rotation", "true or false");
pub(super) const STEP: Key = words(
    "step",
    "a table [step] with rate, passes, rotation, solver, stages, sleep_after, sleep_speed, bounce_speed, relief, \
     contacts and layers",
);

/// Every key, so that an error of the TOML reader can name the range, too.
pub(super) const KEYS: [&Key; 90] = [
    &VERSION,
    &TITLE,
    &DESCRIPTION,
    &SEED,
    &WORLD,
    &WORLD_MIN,
    &WORLD_MAX,
    &GRAVITY,
    &DRAG,
    &MODEL,
    &WALLS,
    &SCALE,
    &STEP,
    &RATE,
    &PASSES,
    &ROTATION,
    &SOLVER,
    &STAGES,
    &SLEEP_AFTER,
    &SLEEP_SPEED,
    &BOUNCE_SPEED,
    &RELIEF,
    &CONTACTS,
    &LAYERS,
    &CHARACTERS,
    &ACCELERATION,
    &TOP_SPEED,
    &CHARACTER_DRAG,
    &STOP,
    &DECELERATION,
    &MATERIALS,
    &RESTITUTION,
    &FRICTION,
    &COLOUR,
    &SURFACES,
    &SURFACE_POINT,
    &SURFACE_NORMAL,
    &SURFACE_MATERIAL,
    &SURFACE_VELOCITY,
    &SURFACE_TURN,
    &SURFACE_PERIOD,
    &SURFACE_TILT,
    &SURFACE_TILT_SPEED,
    &SEGMENTS,
    &SEGMENT_POINTS,
    &SEGMENT_THICKNESS,
    &SEGMENT_MATERIAL,
    &WHEELS,
    &WHEEL_CENTRE,
    &WHEEL_TURN,
    &COUNTERS,
    &COUNTER_MIN,
    &COUNTER_MAX,
    &CANNON,
    &CANNON_POSITION,
    &CANNON_RADIUS,
    &CANNON_SPEED,
    &CANNON_MASSES,
    &CANNON_MATERIAL,
    &SPAWNS,
    &KIND,
    &COUNT,
    &RADIUS,
    &RADII,
    &SIZE_RADIUS,
    &SIZE_WEIGHT,
    &SIZE_MASS,
    &SIZE_MATERIAL,
    &SPAWN_MIN,
    &SPAWN_MAX,
    &CLEARANCE,
    &SPEED,
    &SPACING,
    &JITTER,
    &ROW_SPACING,
    &STAGGER,
    &SHAPE,
    &POINTS,
    &NUDGE,
    &SPREAD,
    &POSITION,
    &VELOCITY,
    &MASS,
    &FIXED,
    &SPAWN_WHEEL,
    &SPAWN_MATERIAL,
    &FIRST_MATERIAL,
    &SPAWN_CHARACTER,
    &LAYER,
    &CARRIES,
];

/// The last part of each key's name.
#[cfg(test)]
pub(super) fn known_keys() -> impl Iterator<Item = &'static str> {
    KEYS.iter().map(|key| key.name.rsplit('.').next().unwrap_or(key.name))
}

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(least, most) if least == most => write!(f, "must be {least}"),
            Self::Whole(least, most) => write!(f, "must be a whole number from {least} to {most}"),
            Self::Number(least, most) => write!(f, "must be a number from {least} to {most}"),
            Self::Spread(least, most) => {
                write!(f, "must be a number or [least, most], each from {least} to {most}")
            }
            Self::Pair(least, most) => write!(f, "must be [x, y], each a number from {least} to {most}"),
            Self::Words(words) => write!(f, "must be {words}"),
        }
    }
}

/// A scene's text and the name by which errors call it.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

impl Source<'_> {
    /// An error at a span of the text, naming line and key.
    pub(super) fn error(&self, span: Range<usize>, message: impl fmt::Display) -> Error {
        Error::Scene { place: self.place(span), message: message.to_string() }
    }

    /// `key` is not in the table at `table`, or not in the file where it belongs to no table.
    pub(super) fn missing(&self, table: Option<Range<usize>>, key: &Key) -> Error {
        let place = match (table, key.name.rsplit_once('.')) {
            (Some(table), Some((_, last))) => format!("{}.{last}", self.place(table)),
            _ => format!("{}:1: {}", self.name, key.name),
        };
        Error::Scene { place, message: format!("is missing; it {}", key.accepted) }
    }

    /// `value` is not what `key` accepts.
    pub(super) fn refused(&self, span: Range<usize>, value: impl fmt::Display, key: &Key) -> Error {
        self.error(span, format!("{value} is refused; it {}", key.accepted))
    }

    /// The key that a place of the text belongs to.
    pub(super) fn key_at(&self, offset: usize) -> Option<&'static Key> {
        let name = general(&self.path(offset)?);
        KEYS.into_iter().find(|key| key.name == name)
    }

    /// File, line and key at a span.
    pub(super) fn place(&self, span: Range<usize>) -> String {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let path = match self.path(span.start) {
            Some(path) => path,
            None => self.text.lines().nth(line - 1).and_then(key_of_line).into_iter().collect(),
        };
        let path = shortened(&path.join(".").replace(".[", "["), 80);
        let colon = if path.is_empty() { "" } else { ": " };
        format!("{}:{line}{colon}{path}", self.name)
    }

    /// The keys that lead to `offset`; `None` if the text is not TOML.
    fn path(&self, offset: usize) -> Option<Vec<String>> {
        let table = DeTable::parse(self.text).ok()?;
        let mut path = Vec::new();
        path_in_table(table.get_ref(), offset, &mut path);
        path.reverse();
        Some(path)
    }
}

/// Collects the keys that lead to `offset`, innermost first. The depth is bounded by the parser's.
fn path_in_table(table: &DeTable<'_>, offset: usize, path: &mut Vec<String>) -> bool {
    table.iter().any(|(key, value)| {
        let found = path_in_value(value.get_ref(), offset, path)
            || value.span().contains(&offset)
            || key.span().contains(&offset);
        if found {
            path.push(key.get_ref().to_string());
        }
        found
    })
}

fn path_in_value(value: &DeValue<'_>, offset: usize, path: &mut Vec<String>) -> bool {
    match value {
        DeValue::Table(table) => path_in_table(table, offset, path),
        DeValue::Array(array) => array.iter().enumerate().any(|(index, item)| {
            let found = path_in_value(item.get_ref(), offset, path) || item.span().contains(&offset);
            if found {
                path.push(format!("[{index}]"));
            }
            found
        }),
        _ => false,
    }
}

/// The key that a path leads to, without indices and without the names of materials, characters and wheels.
fn general(path: &[String]) -> String {
    let mut keys: Vec<&str> = path.iter().map(String::as_str).filter(|key| !key.starts_with('[')).collect();
    if keys.len() > 2 && matches!(keys[0], "material" | "character" | "wheel") {
        keys.remove(1);
    }
    keys.join(".")
}

/// What stands before the `=` of a line.
fn key_of_line(line: &str) -> Option<String> {
    let (key, _) = line.split_once('=')?;
    Some(key.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Character, Counter, Material, Surface, Wheel};

    #[test]
    fn ranges_are_those_of_the_world() {
        let most = |key: &Key| matches!(key.accepted, Accepted::Words(words) if words.contains("at most 32"));
        assert!(most(&MATERIALS) && Material::MOST == 32);
        assert!(most(&SURFACES) && Surface::MOST == 32);
        assert!(COUNTERS.accepted.to_string().contains(&format!("at most {} ", Counter::MOST)));
        assert!(WHEELS.accepted.to_string().contains(&format!("at most {} ", Wheel::MOST)));
        assert!(most(&CHARACTERS) && Character::MOST == 32);
        let body = Body::ball(glam::Vec2::ZERO, 1e6);
        body.validate(0, (1, 0)).unwrap();
    }
}
