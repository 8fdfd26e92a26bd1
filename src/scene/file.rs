//! The form of a scene file. Every value keeps its place in the text, so that an error can name it, and
//! every key is optional here, so that a missing one is reported like any other mistake.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{
        self, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};
use toml::Spanned;

pub(super) type Number = Spanned<f64>;
pub(super) type Whole = Spanned<i64>;
pub(super) type Pair = Spanned<Two>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) version: Option<Whole>,
    pub(super) title: Option<Spanned<String>>,
    pub(super) description: Option<Spanned<String>>,
    pub(super) seed: Option<Whole>,
    pub(super) world: Option<Spanned<WorldTable>>,
    #[serde(default)]
    pub(super) step: StepTable,
    #[serde(default)]
    pub(super) material: BTreeMap<String, Spanned<MaterialTable>>,
    #[serde(default)]
    pub(super) character: BTreeMap<String, Spanned<CharacterTable>>,
    #[serde(default)]
    pub(super) surface: Vec<Spanned<SurfaceTable>>,
    #[serde(default)]
    pub(super) segment: Vec<Spanned<SegmentTable>>,
    #[serde(default)]
    pub(super) wheel: BTreeMap<String, Spanned<WheelTable>>,
    #[serde(default)]
    pub(super) counter: Vec<Spanned<CounterTable>>,
    pub(super) cannon: Option<Spanned<CannonTable>>,
    #[serde(default)]
    pub(super) spawn: Vec<Spanned<SpawnTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WorldTable {
    pub(super) min: Option<Pair>,
    pub(super) max: Option<Pair>,
    pub(super) gravity: Option<Pair>,
    pub(super) drag: Option<Number>,
    pub(super) model: Option<Spanned<String>>,
    #[serde(default = "yes")]
    pub(super) walls: bool,
    #[serde(default)]
    pub(super) scale_with_balls: bool,
}

fn yes() -> bool {
    true
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepTable {
    pub(super) rate: Option<Whole>,
    pub(super) passes: Option<Whole>,
    pub(super) rotation: Option<Spanned<bool>>,
    pub(super) solver: Option<Spanned<String>>,
    pub(super) stages: Option<Spanned<String>>,
    pub(super) sleep_after: Option<Number>,
    pub(super) sleep_speed: Option<Number>,
    pub(super) bounce_speed: Option<Number>,
    pub(super) relief: Option<Number>,
    pub(super) contacts: Option<Spanned<bool>>,
    pub(super) layers: Option<Spanned<Vec<Whole>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MaterialTable {
    pub(super) restitution: Option<Number>,
    pub(super) friction: Option<Number>,
    pub(super) colour: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CharacterTable {
    pub(super) acceleration: Option<Pair>,
    pub(super) top_speed: Option<Pair>,
    pub(super) drag: Option<Number>,
    pub(super) stop: Option<Spanned<String>>,
    pub(super) deceleration: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SurfaceTable {
    pub(super) point: Option<Pair>,
    pub(super) normal: Option<Pair>,
    pub(super) material: Option<Spanned<String>>,
    pub(super) velocity: Option<Pair>,
    pub(super) turn: Option<Number>,
    pub(super) period: Option<Number>,
    pub(super) tilt: Option<Number>,
    pub(super) tilt_speed: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentTable {
    pub(super) points: Option<Spanned<Vec<Pair>>>,
    pub(super) thickness: Option<Number>,
    pub(super) material: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WheelTable {
    pub(super) centre: Option<Pair>,
    pub(super) turn: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CannonTable {
    pub(super) position: Option<Pair>,
    pub(super) radius: Option<Number>,
    pub(super) speed: Option<Number>,
    pub(super) material: Option<Spanned<String>>,
    pub(super) masses: Option<Spanned<Vec<Number>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CounterTable {
    pub(super) min: Option<Pair>,
    pub(super) max: Option<Pair>,
}

/// A spawner of any kind. One flat table, since serde's tagged enums forget where values stood.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SpawnTable {
    pub(super) kind: Option<Spanned<String>>,
    pub(super) count: Option<Whole>,
    pub(super) radius: Option<Spanned<RadiusValue>>,
    pub(super) radii: Option<Spanned<Vec<Spanned<SizeValue>>>>,
    pub(super) material: Option<Spanned<String>>,
    pub(super) first_material: Option<Spanned<String>>,
    pub(super) fixed: Option<Spanned<bool>>,
    pub(super) wheel: Option<Spanned<String>>,
    pub(super) min: Option<Pair>,
    pub(super) max: Option<Pair>,
    pub(super) clearance: Option<Number>,
    pub(super) speed: Option<Number>,
    pub(super) spacing: Option<Number>,
    pub(super) jitter: Option<Number>,
    pub(super) row_spacing: Option<Number>,
    pub(super) stagger: Option<Spanned<bool>>,
    pub(super) shape: Option<Spanned<String>>,
    pub(super) points: Option<Spanned<Vec<Pair>>>,
    pub(super) nudge: Option<Number>,
    pub(super) spread: Option<Number>,
    pub(super) position: Option<Pair>,
    pub(super) velocity: Option<Pair>,
    pub(super) mass: Option<Number>,
    pub(super) character: Option<Spanned<String>>,
    pub(super) layer: Option<Whole>,
    pub(super) carries: Option<Spanned<Vec<Pair>>>,
}

/// Two numbers. The reader fills a `[T; 2]` from the first two of many and ignores the others.
#[derive(Deserialize)]
#[serde(try_from = "Vec<Number>")]
pub(super) struct Two(pub(super) [Number; 2]);

impl TryFrom<Vec<Number>> for Two {
    type Error = String;

    fn try_from(numbers: Vec<Number>) -> Result<Self, String> {
        let wrong = |numbers: Vec<Number>| format!("has {} numbers, not two", numbers.len());
        numbers.try_into().map(Self).map_err(wrong)
    }
}

/// One radius, or the least and the largest of an even spread.
#[derive(Clone, Copy)]
pub(super) struct RadiusValue {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl<'de> Deserialize<'de> for RadiusValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RadiusVisitor)
    }
}

/// A radius to choose: with its weight, or as a table.
pub(super) enum SizeValue {
    Weighted(Two),
    Table(SizeTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SizeTable {
    pub(super) radius: Option<Number>,
    pub(super) weight: Option<Number>,
    pub(super) material: Option<Spanned<String>>,
    pub(super) mass: Option<Number>,
}

impl<'de> Deserialize<'de> for SizeValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SizeVisitor)
    }
}

struct SizeVisitor;

impl<'de> Visitor<'de> for SizeVisitor {
    type Value = SizeValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[radius, weight] or a table")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<SizeValue, A::Error> {
        Two::deserialize(SeqAccessDeserializer::new(sequence)).map(SizeValue::Weighted)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SizeValue, A::Error> {
        SizeTable::deserialize(MapAccessDeserializer::new(map)).map(SizeValue::Table)
    }
}

struct RadiusVisitor;

impl<'de> Visitor<'de> for RadiusVisitor {
    type Value = RadiusValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or [least, most]")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<RadiusValue, E> {
        Ok(RadiusValue { least: value, most: value })
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<RadiusValue, E> {
        self.visit_f64(value as f64)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<RadiusValue, A::Error> {
        let least = sequence.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &self))?;
        let most = sequence.next_element()?.ok_or_else(|| de::Error::invalid_length(1, &self))?;
        if sequence.next_element::<f64>()?.is_some() {
            return Err(de::Error::invalid_length(3, &self));
        }
        Ok(RadiusValue { least, most })
    }
}
