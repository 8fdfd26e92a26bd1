//! What a file says of balls.

use std::ops::Range;

use glam::DVec2;
use toml::Spanned;

use super::super::file::{File, Number, Pair, RadiusValue, SizeTable, SizeValue, SpawnTable, Two};
use super::super::place;
use super::super::spawn::{Choice, Kind, Pitch, Radius, Region, Shape, Spawner};
use super::{Check, SPAWN_CORNERS, required};
use crate::error::shortened;
use crate::{Result, World};

impl Check<'_> {
    pub(super) fn spawners(&self, tables: &[Spanned<SpawnTable>]) -> Result<Vec<Spawner>> {
        let mut balls = 0;
        let checked = tables.iter().enumerate().map(|(index, table)| {
            let spawner = self.spawner(index, table)?;
            balls += spawner.made();
            if balls > World::MOST_BODIES {
                let message = format!("brings the world to {balls} balls; it may have {}", World::MOST_BODIES);
                return Err(self.source.error(table.span(), message));
            }
            Ok(spawner)
        });
        checked.collect()
    }

    fn spawner(&self, index: usize, table: &Spanned<SpawnTable>) -> Result<Spawner> {
        let spawn = table.get_ref();
        let kind_name = required(self.source, Some(table.span()), &place::KIND, &spawn.kind)?;
        let kind = match kind_name.get_ref().as_str() {
            "scatter" => self.scatter(table)?,
            "grid" => self.grid(table)?,
            "stack" => self.stack(table)?,
            "curve" => self.curve(table)?,
            "single" => self.single(table)?,
            other => {
                let other = format!("\"{}\"", shortened(other, 60));
                return Err(self.source.refused(kind_name.span(), other, &place::KIND));
            }
        };
        self.refuse_strangers(spawn, kind_name.get_ref())?;
        let radius = self.radius(table)?;
        let carries = spawn.carries.as_ref().map_or(Ok(Vec::new()), |offsets| self.carries(offsets, &radius))?;
        let line = 1 + self.line_ends.partition_point(|&end| end < table.span().start);
        Ok(Spawner {
            kind,
            place: format!("{}:{line}: spawn[{index}]", self.source.name),
            radius,
            mass: spawn.mass.as_ref().map(|mass| self.number(&place::MASS, mass)).transpose()?,
            material: spawn.material.as_ref().map_or(Ok(0), |name| self.material_index(name))?,
            first_material: self.maybe_material(&spawn.first_material)?,
            fixed: spawn.fixed.as_ref().is_some_and(|fixed| *fixed.get_ref()),
            wheel: spawn.wheel.as_ref().map(|name| self.index_of(name, "wheel", &self.wheels)).transpose()?,
            character: spawn
                .character
                .as_ref()
                .map(|name| self.index_of(name, "character", &self.characters))
                .transpose()?,
            layer: spawn.layer.as_ref().map(|layer| self.whole(&place::LAYER, layer)).transpose()?.map(|at| at as u32),
            carries,
            beside: None,
        })
    }

    fn radius(&self, table: &Spanned<SpawnTable>) -> Result<Radius> {
        if let Some(radii) = &table.get_ref().radii {
            return self.radii(radii, table.get_ref().radius.as_ref());
        }
        let value = required(self.source, Some(table.span()), &place::RADIUS, &table.get_ref().radius)?;
        let RadiusValue { least, most } = *value.get_ref();
        let [least, most] = [self.in_range(&place::RADIUS, value, least)?, self.in_range(&place::RADIUS, value, most)?];
        if least <= most {
            return Ok(Radius::even(least, most));
        }
        Err(self.source.error(value.span(), format!("[{least}, {most}] is refused; it must be [least, most]")))
    }

    /// Refuses balls that move and are larger than the box that they can't leave.
    pub(super) fn sizes(&self, file: &File, region: Region) -> Result<()> {
        let most = 0.5 * region.size().min_element();
        let refused = |span, radius: f64| {
            let message = format!("{radius} is refused; in a world this small it must be at most {most}");
            Err(self.source.error(span, message))
        };
        if let Some(radius) = file.cannon.as_ref().and_then(|cannon| cannon.get_ref().radius.as_ref())
            && *radius.get_ref() > most
        {
            return refused(radius.span(), self.number(&place::CANNON_RADIUS, radius)?);
        }
        for table in &file.spawn {
            let SpawnTable { radius, radii, fixed, .. } = table.get_ref();
            let span = radius.as_ref().map(Spanned::span).or(radii.as_ref().map(Spanned::span));
            let Some(span) = span.filter(|_| !fixed.as_ref().is_some_and(|fixed| *fixed.get_ref())) else { continue };
            let largest = self.radius(table)?.most;
            if largest > most {
                return refused(span, largest);
            }
        }
        Ok(())
    }

    fn maybe_material(&self, name: &Option<Spanned<String>>) -> Result<Option<usize>> {
        name.as_ref().map(|name| self.material_index(name)).transpose()
    }

    fn radii(&self, radii: &Spanned<Vec<Spanned<SizeValue>>>, radius: Option<&Spanned<RadiusValue>>) -> Result<Radius> {
        if let Some(radius) = radius {
            return Err(self.source.error(radius.span(), "has no meaning beside radii; leave it out"));
        }
        if !(1..=32).contains(&radii.get_ref().len()) {
            let given = format_args!("a list of {}", radii.get_ref().len());
            return Err(self.source.refused(radii.span(), given, &place::RADII));
        }
        Ok(Radius::weighted(radii.get_ref().iter().map(|size| self.choice(size)).collect::<Result<_>>()?))
    }

    fn choice(&self, size: &Spanned<SizeValue>) -> Result<Choice> {
        match size.get_ref() {
            SizeValue::Weighted(Two([radius, weight])) => Ok(Choice {
                radius: self.number(&place::RADII_RADIUS, radius)?,
                weight: self.number(&place::RADII_WEIGHT, weight)?,
                material: None,
                mass: None,
            }),
            SizeValue::Table(SizeTable { radius, weight, material, mass }) => {
                let radius = required(self.source, Some(size.span()), &place::SIZE_RADIUS, radius)?;
                Ok(Choice {
                    radius: self.number(&place::SIZE_RADIUS, radius)?,
                    weight: self.number_or(1.0, &place::SIZE_WEIGHT, weight)?,
                    material: self.maybe_material(material)?,
                    mass: mass.as_ref().map(|mass| self.number(&place::SIZE_MASS, mass)).transpose()?,
                })
            }
        }
    }

    fn count(&self, table: &Spanned<SpawnTable>) -> Result<usize> {
        let count = required(self.source, Some(table.span()), &place::COUNT, &table.get_ref().count)?;
        Ok(self.whole(&place::COUNT, count)? as usize)
    }

    fn spawn_region(&self, table: &Spanned<SpawnTable>) -> Result<Region> {
        self.region(table.span(), &table.get_ref().min, &table.get_ref().max, SPAWN_CORNERS)
    }

    fn scatter(&self, table: &Spanned<SpawnTable>) -> Result<Kind> {
        Ok(Kind::Scatter {
            count: self.count(table)?,
            region: self.spawn_region(table)?,
            clearance: self.number_or(0.0, &place::CLEARANCE, &table.get_ref().clearance)?,
            speed: self.number_or(0.0, &place::SPEED, &table.get_ref().speed)?,
        })
    }

    fn grid(&self, table: &Spanned<SpawnTable>) -> Result<Kind> {
        let spawn = table.get_ref();
        let jitter = self.number_or(0.0, &place::JITTER, &spawn.jitter)?;
        Ok(Kind::Grid {
            count: self.count(table)?,
            region: self.spawn_region(table)?,
            pitch: self.pitch(table, jitter)?,
            jitter,
            speed: self.number_or(0.0, &place::SPEED, &table.get_ref().speed)?,
        })
    }

    fn stack(&self, table: &Spanned<SpawnTable>) -> Result<Kind> {
        let shape = match table.get_ref().shape.as_ref().map(|shape| (shape, shape.get_ref().as_str())) {
            None | Some((_, "layers")) => Shape::Layers,
            Some((_, "triangle")) => Shape::Triangle,
            Some((shape, other)) => {
                let other = format!("\"{}\"", shortened(other, 60));
                return Err(self.source.refused(shape.span(), other, &place::SHAPE));
            }
        };
        let (count, region) = (self.count(table)?, self.spawn_region(table)?);
        Ok(Kind::Stack { count, region, spacing: self.spacing(table, 0.0)?, shape })
    }

    fn pitch(&self, table: &Spanned<SpawnTable>, jitter: f64) -> Result<Pitch> {
        let spacing = self.spacing(table, jitter)?;
        let is_staggered = table.get_ref().stagger.as_ref().is_some_and(|stagger| *stagger.get_ref());
        let pitch = Pitch { spacing, row_spacing: spacing, is_staggered };
        let Some(value) = &table.get_ref().row_spacing else { return Ok(pitch) };
        let pitch = Pitch { row_spacing: self.number(&place::ROW_SPACING, value)?, ..pitch };
        let least = 2.0 * (self.radius(table)?.most + jitter);
        if pitch.between_rows() >= least {
            return Ok(pitch);
        }
        let message = format!("{} lets balls overlap; neighbours of two rows must be {least} apart", value.get_ref());
        Err(self.source.error(value.span(), message))
    }

    /// Distance between neighbours: at least that at which the largest balls, moved by up to `jitter`,
    /// just touch, and that if the file says nothing.
    fn spacing(&self, table: &Spanned<SpawnTable>, jitter: f64) -> Result<f64> {
        let least = 2.0 * (self.radius(table)?.most + jitter);
        let Some(value) = &table.get_ref().spacing else { return Ok(least) };
        let spacing = self.number(&place::SPACING, value)?;
        if spacing >= least {
            return Ok(spacing);
        }
        let message = format!("{spacing} lets balls overlap; it must be at least {least}, 2 (radius + jitter)");
        Err(self.source.error(value.span(), message))
    }

    fn curve(&self, table: &Spanned<SpawnTable>) -> Result<Kind> {
        let points = required(self.source, Some(table.span()), &place::POINTS, &table.get_ref().points)?;
        let Ok(points) = <&[Pair; 4]>::try_from(&points.get_ref()[..]) else {
            let given = format_args!("a list of {}", points.get_ref().len());
            return Err(self.source.refused(points.span(), given, &place::POINTS));
        };
        let mut curve = [DVec2::ZERO; 4];
        for (place, point) in curve.iter_mut().zip(points) {
            *place = self.pair(&place::POINT, point)?;
        }
        Ok(Kind::Curve {
            count: self.count(table)?,
            curve,
            nudge: self.number_or(0.0, &place::NUDGE, &table.get_ref().nudge)?,
            spread: self.number_or(0.0, &place::SPREAD, &table.get_ref().spread)?,
        })
    }

    fn single(&self, table: &Spanned<SpawnTable>) -> Result<Kind> {
        let SpawnTable { position, velocity, .. } = table.get_ref();
        let position = required(self.source, Some(table.span()), &place::POSITION, position)?;
        Ok(Kind::Single {
            position: self.pair(&place::POSITION, position)?,
            velocity: self.pair_or_zero(&place::VELOCITY, velocity)?,
        })
    }

    /// Refuses keys that the spawner has no use for: they would do nothing, silently.
    fn refuse_strangers(&self, spawn: &SpawnTable, kind: &str) -> Result<()> {
        let span = |value: &Option<Number>| value.as_ref().map(Spanned::span);
        let pair_span = |value: &Option<Pair>| value.as_ref().map(Spanned::span);
        let many = &["scatter", "grid", "stack"][..];
        let counted = &["scatter", "grid", "stack", "curve"][..];
        let uses = [
            (spawn.count.as_ref().map(Spanned::span), counted),
            (pair_span(&spawn.min), many),
            (pair_span(&spawn.max), many),
            (span(&spawn.clearance), &["scatter"]),
            (span(&spawn.speed), &["scatter", "grid"]),
            (span(&spawn.spacing), &["grid", "stack"]),
            (span(&spawn.jitter), &["grid"]),
            (span(&spawn.row_spacing), &["grid"]),
            (spawn.stagger.as_ref().map(Spanned::span), &["grid"]),
            (spawn.shape.as_ref().map(Spanned::span), &["stack"]),
            (pair_span(&spawn.position), &["single"]),
            (pair_span(&spawn.velocity), &["single"]),
            (spawn.points.as_ref().map(Spanned::span), &["curve"]),
            (span(&spawn.nudge), &["curve"]),
            (span(&spawn.spread), &["curve"]),
        ];
        if let Some(span) = uses.into_iter().find_map(|(span, kinds)| span.filter(|_| !kinds.contains(&kind))) {
            return Err(self.source.error(span, format!("has no meaning for kind \"{kind}\"; leave it out")));
        }
        let fixed = spawn.fixed.as_ref().is_some_and(|fixed| *fixed.get_ref());
        let driven = spawn.character.as_ref().map(Spanned::span);
        let weighed = spawn.radii.as_ref().and_then(|radii| radii.get_ref().iter().find_map(given_mass));
        let moves = [span(&spawn.speed), pair_span(&spawn.velocity), span(&spawn.spread), span(&spawn.mass), driven];
        let moves = moves.into_iter().flatten().chain(weighed).next();
        match (moves, &spawn.wheel) {
            (Some(span), _) if fixed => Err(self.source.error(span, "has no meaning with fixed = true; leave it out")),
            (_, Some(wheel)) if !fixed => {
                Err(self.source.error(wheel.span(), "carries only what has fixed = true; add it"))
            }
            _ => Ok(()),
        }
    }
}

/// Where a radius is given a mass.
fn given_mass(size: &Spanned<SizeValue>) -> Option<Range<usize>> {
    match size.get_ref() {
        SizeValue::Table(SizeTable { mass: Some(mass), .. }) => Some(mass.span()),
        _ => None,
    }
}
