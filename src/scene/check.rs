//! From the form of a scene file to a scene: each value against its range.

use std::{collections::BTreeMap, ops::Range};

use glam::DVec2;
use toml::Spanned;

mod acting;
mod cannon;
mod spawners;
mod stepping;

use super::{
    Scene,
    file::{
        CounterTable, File, MaterialTable, Number, Pair, SegmentTable, SurfaceTable, Two, WheelTable, Whole, WorldTable,
    },
    place::{self, Accepted, Key, Source},
    spawn::Region,
};
use crate::error::shortened;
use crate::{Counter, Material, Motion, Result, Segment, Settings, Srgb, Surface, Tilt, Wheel};

/// Checks a file and makes it a scene.
pub(super) fn scene(source: Source<'_>, file: File) -> Result<Scene> {
    let line_ends = source.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
    let (materials, characters) = (in_order(&file.material), in_order(&file.character));
    let check = Check { source, line_ends, materials, characters, wheels: in_order(&file.wheel) };
    check.whole(&place::VERSION, required(source, None, &place::VERSION, &file.version)?)?;
    let title = check.text(&place::TITLE, required(source, None, &place::TITLE, &file.title)?)?;
    let description = file.description.as_ref().map(|text| check.text(&place::DESCRIPTION, text)).transpose()?;
    let seed = file.seed.as_ref().map_or(Ok(1), |seed| check.whole(&place::SEED, seed))?;
    let world = required(source, None, &place::WORLD, &file.world)?;
    let region = check.region(world.span(), &world.get_ref().min, &world.get_ref().max, WORLD_CORNERS)?;
    check.world_size(world.get_ref(), region)?;
    let settings = check.settings(&file.step)?;
    check.together(&file, &settings, region)?;
    Ok(Scene {
        title,
        description: description.unwrap_or_default(),
        seed: seed as u64,
        region,
        gravity: check.pair_or_zero(&place::GRAVITY, &world.get_ref().gravity)?,
        drag_per_s: check.number_or(0.0, &place::DRAG, &world.get_ref().drag)?,
        model: check.model(world.get_ref())?,
        walls: world.get_ref().walls,
        scale_with_balls: world.get_ref().scale_with_balls,
        settings,
        materials: check.all_materials(&file)?,
        characters: check.all_characters(&file)?,
        surfaces: check.surfaces(&file.surface, world.get_ref().walls)?,
        segments: check.segments(&file.segment)?,
        wheels: check.all_wheels(&file)?,
        counters: check.counters(&file.counter)?,
        cannon: file.cannon.as_ref().map(|table| check.cannon(table)).transpose()?,
        spawners: check.spawners(&file.spawn)?,
        text: source.text.to_owned(),
        saved: None,
    })
}

type Corners = [&'static Key; 2];
const WORLD_CORNERS: Corners = [&place::WORLD_MIN, &place::WORLD_MAX];
const COUNTER_CORNERS: Corners = [&place::COUNTER_MIN, &place::COUNTER_MAX];
const SPAWN_CORNERS: Corners = [&place::SPAWN_MIN, &place::SPAWN_MAX];

/// Names of tables as the file lists them: their index is what others refer to.
fn in_order<T>(tables: &BTreeMap<String, Spanned<T>>) -> Vec<String> {
    let mut names: Vec<(usize, &String)> = tables.iter().map(|(name, table)| (table.span().start, name)).collect();
    names.sort_unstable();
    names.into_iter().map(|(_, name)| name.clone()).collect()
}

fn required<'a, T>(source: Source<'_>, table: Option<Range<usize>>, key: &Key, value: &'a Option<T>) -> Result<&'a T> {
    value.as_ref().ok_or_else(|| source.missing(table, key))
}

struct Check<'a> {
    source: Source<'a>,
    /// Where lines end. [`Source::place`] reads the whole text, too slow to call for each of many balls.
    line_ends: Vec<usize>,
    materials: Vec<String>,
    characters: Vec<String>,
    wheels: Vec<String>,
}

impl Check<'_> {
    /// Refuses what is right by itself, and wrong beside the rest.
    fn together(&self, file: &File, settings: &Settings, region: Region) -> Result<()> {
        if settings.solver.is_sequential() {
            self.refuse_actors(&file.spawn)?;
        }
        match &file.world {
            Some(world) if world.get_ref().walls => self.sizes(file, region),
            _ => Ok(()),
        }
    }

    fn whole(&self, key: &Key, value: &Whole) -> Result<i64> {
        match key.accepted {
            Accepted::Whole(least, most) if (least..=most).contains(value.get_ref()) => Ok(*value.get_ref()),
            _ => Err(self.source.refused(value.span(), value.get_ref(), key)),
        }
    }

    fn number(&self, key: &Key, value: &Number) -> Result<f64> {
        self.in_range(key, value, *value.get_ref())
    }

    /// `number` itself if `key` accepts it; NaN is in no range.
    fn in_range<T>(&self, key: &Key, place: &Spanned<T>, number: f64) -> Result<f64> {
        match key.accepted {
            Accepted::Number(least, most) | Accepted::Spread(least, most) | Accepted::Pair(least, most)
                if (least..=most).contains(&number) =>
            {
                Ok(number)
            }
            // As short as the file may have it: 1e300 is not to be written out.
            _ if number.abs() >= 1e16 => Err(self.source.refused(place.span(), format_args!("{number:e}"), key)),
            _ => Err(self.source.refused(place.span(), number, key)),
        }
    }

    fn number_or(&self, otherwise: f64, key: &Key, value: &Option<Number>) -> Result<f64> {
        value.as_ref().map_or(Ok(otherwise), |value| self.number(key, value))
    }

    fn pair(&self, key: &Key, value: &Pair) -> Result<DVec2> {
        let Two([x, y]) = value.get_ref();
        Ok(DVec2::new(self.number(key, x)?, self.number(key, y)?))
    }

    fn pair_or_zero(&self, key: &Key, value: &Option<Pair>) -> Result<DVec2> {
        value.as_ref().map_or(Ok(DVec2::ZERO), |value| self.pair(key, value))
    }

    fn text(&self, key: &Key, value: &Spanned<String>) -> Result<String> {
        let text = value.get_ref();
        if (1..=200).contains(&text.chars().count()) && !text.contains(char::is_control) {
            return Ok(text.clone());
        }
        Err(self.source.refused(value.span(), format!("'{}'", shortened(text, 60)), key))
    }

    fn region(
        &self,
        table: Range<usize>,
        min: &Option<Pair>,
        max: &Option<Pair>,
        [min_key, max_key]: Corners,
    ) -> Result<Region> {
        let [min, max] = [
            required(self.source, Some(table.clone()), min_key, min)?,
            required(self.source, Some(table), max_key, max)?,
        ];
        let region = Region { min: self.pair(min_key, min)?, max: self.pair(max_key, max)? };
        if region.size().min_element() >= 0.0 {
            return Ok(region);
        }
        Err(self.source.error(max.span(), "is less than min; it must be right of it and below it"))
    }

    fn world_size(&self, world: &WorldTable, region: Region) -> Result<()> {
        // Far from the origin float32 rounds corners that lie close together to one.
        let size = region.max.as_vec2() - region.min.as_vec2();
        let (Some(max), false) = (&world.max, size.min_element() >= 1.0) else { return Ok(()) };
        let rounded = if region.size().min_element() >= 1.0 { " once its places are rounded to float32" } else { "" };
        let message = format!("leaves no room; the world must be at least 1 px wide and high{rounded}");
        Err(self.source.error(max.span(), message))
    }

    fn all_materials(&self, file: &File) -> Result<Vec<Material>> {
        let tables = self.materials.iter().map(|name| (name, &file.material[name]));
        if let Some((_, table)) = tables.clone().nth(Material::MOST) {
            return Err(self.source.refused(table.span(), "one more", &place::MATERIALS));
        }
        tables.map(|(name, table)| self.material(name, table.get_ref())).collect()
    }

    fn material(&self, name: &str, table: &MaterialTable) -> Result<Material> {
        let restitution = self.number_or(0.35, &place::RESTITUTION, &table.restitution)?;
        let friction = self.number_or(0.0, &place::FRICTION, &table.friction)?;
        let colour = table.colour.as_ref().map(|text| self.colour(text)).transpose()?;
        Ok(Material { friction: friction as f32, colour, ..Material::new(name, restitution as f32) })
    }

    fn colour(&self, text: &Spanned<String>) -> Result<Srgb> {
        let shown = || format!("\"{}\"", shortened(text.get_ref(), 60));
        text.get_ref().parse().map_err(|_| self.source.refused(text.span(), shown(), &place::COLOUR))
    }

    fn material_index(&self, name: &Spanned<String>) -> Result<usize> {
        self.index_of(name, "material", &self.materials)
    }

    /// The place of a name among those of the tables of a kind.
    fn index_of(&self, name: &Spanned<String>, kind: &str, names: &[String]) -> Result<usize> {
        names.iter().position(|known| known == name.get_ref()).ok_or_else(|| {
            let name_shown = shortened(name.get_ref(), 60);
            let known = match names {
                [] => format!("add it, or leave the key out: the file has no {kind}s"),
                names => format!("the {kind}s are: {}", shortened(&names.join(", "), 300)),
            };
            self.source.error(name.span(), format!("there is no [{kind}.{name_shown}]; {known}"))
        })
    }

    fn all_wheels(&self, file: &File) -> Result<Vec<Wheel>> {
        let tables = self.wheels.iter().map(|name| &file.wheel[name]);
        if let Some(table) = tables.clone().nth(Wheel::MOST) {
            return Err(self.source.refused(table.span(), "one more", &place::WHEELS));
        }
        tables.map(|table| self.wheel(table)).collect()
    }

    fn wheel(&self, table: &Spanned<WheelTable>) -> Result<Wheel> {
        let WheelTable { centre, turn } = table.get_ref();
        let centre = required(self.source, Some(table.span()), &place::WHEEL_CENTRE, centre)?;
        let turn = required(self.source, Some(table.span()), &place::WHEEL_TURN, turn)?;
        Ok(Wheel {
            centre: self.pair(&place::WHEEL_CENTRE, centre)?.as_vec2(),
            turn_rad_s: self.number(&place::WHEEL_TURN, turn)?.to_radians() as f32,
        })
    }

    fn counters(&self, tables: &[Spanned<CounterTable>]) -> Result<Vec<Counter>> {
        if let Some(table) = tables.get(Counter::MOST) {
            return Err(self.source.refused(table.span(), "one more", &place::COUNTERS));
        }
        let counter = |table: &Spanned<CounterTable>| {
            let CounterTable { min, max } = table.get_ref();
            let region = self.region(table.span(), min, max, COUNTER_CORNERS)?;
            let counter = Counter { min: region.min.as_vec2(), max: region.max.as_vec2() };
            match max {
                Some(max) if counter.is_empty() => {
                    Err(self.source.error(max.span(), "leaves no room; it must be right of min and below it"))
                }
                _ => Ok(counter),
            }
        };
        tables.iter().map(counter).collect()
    }

    fn surfaces(&self, tables: &[Spanned<SurfaceTable>], walls: bool) -> Result<Vec<Surface>> {
        let most = Surface::MOST - if walls { 4 } else { 0 };
        if let Some(table) = tables.get(most) {
            return Err(self.source.refused(table.span(), "one more", &place::SURFACES));
        }
        tables.iter().map(|table| self.surface(table)).collect()
    }

    fn surface(&self, table: &Spanned<SurfaceTable>) -> Result<Surface> {
        let SurfaceTable { point, normal, material, velocity, turn, period, .. } = table.get_ref();
        let point = required(self.source, Some(table.span()), &place::SURFACE_POINT, point)?;
        let normal = required(self.source, Some(table.span()), &place::SURFACE_NORMAL, normal)?;
        let point = self.pair(&place::SURFACE_POINT, point)?;
        let direction = self.pair(&place::SURFACE_NORMAL, normal)?;
        if direction.length() < 1e-6 {
            return Err(self.source.error(normal.span(), "has no direction; it must not be [0, 0]"));
        }
        let surface = Surface::new(point.as_vec2(), direction.normalize().as_vec2());
        let material = material.as_ref().map(|name| self.material_index(name)).transpose()?;
        let motion = Motion {
            velocity: self.pair_or_zero(&place::SURFACE_VELOCITY, velocity)?.as_vec2(),
            turn_rad_s: self.number_or(0.0, &place::SURFACE_TURN, turn)?.to_radians() as f32,
            period_s: self.number_or(0.0, &place::SURFACE_PERIOD, period)? as f32,
            elapsed_s: 0.0,
        };
        let tilt = self.tilt(table.get_ref())?;
        Ok(Surface { material, tilt, ..surface }.moving(motion))
    }

    fn tilt(&self, table: &SurfaceTable) -> Result<Option<Tilt>> {
        let speed = self.number_or(20.0, &place::SURFACE_TILT_SPEED, &table.tilt_speed)?;
        match (&table.tilt, &table.tilt_speed) {
            (Some(most), _) => {
                let most = self.number(&place::SURFACE_TILT, most)?;
                Ok(Some(Tilt::up_to(most.to_radians() as f32, speed.to_radians() as f32)))
            }
            (None, Some(speed)) => Err(self.source.error(speed.span(), "has no meaning without tilt; add it")),
            (None, None) => Ok(None),
        }
    }

    fn segments(&self, tables: &[Spanned<SegmentTable>]) -> Result<Vec<Segment>> {
        let mut segments = Vec::new();
        for table in tables {
            segments.extend(self.chain(table)?);
            if segments.len() > Segment::MOST {
                return Err(self.source.refused(
                    table.span(),
                    format_args!("{} in all", segments.len()),
                    &place::SEGMENTS,
                ));
            }
        }
        Ok(segments)
    }

    /// The segments from point to point of a table.
    fn chain(&self, table: &Spanned<SegmentTable>) -> Result<Vec<Segment>> {
        let SegmentTable { points, thickness, material } = table.get_ref();
        let points = required(self.source, Some(table.span()), &place::SEGMENT_POINTS, points)?;
        if points.get_ref().len() < 2 {
            return Err(self.source.refused(points.span(), "fewer than two", &place::SEGMENT_POINTS));
        }
        let radius = 0.5 * self.number_or(2.0, &place::SEGMENT_THICKNESS, thickness)? as f32;
        let material = material.as_ref().map_or(Ok(0), |name| self.material_index(name))?;
        let segment = |ends: &[Pair]| {
            let end = |point| self.pair(&place::SEGMENT_POINT, point).map(|place| place.as_vec2());
            let segment = Segment { radius, material, ..Segment::new(end(&ends[0])?, end(&ends[1])?) };
            let length = segment.length();
            if (Segment::SHORTEST_PX..=Segment::LONGEST_PX).contains(&length) {
                return Ok(segment);
            }
            let found = if length > 1.0 { "a segment longer than 1e9 px" } else { "the same place again" };
            Err(self.source.refused(ends[1].span(), found, &place::SEGMENT_POINTS))
        };
        points.get_ref().windows(2).map(segment).collect()
    }
}
