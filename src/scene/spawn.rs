//! Spawners: what makes a scene's balls. Only exact arithmetic and square roots, so that every machine
//! makes the same balls.

use glam::DVec2;

use super::{random::Random, scatter};
use crate::{Actor, Body, Error, Result, World};

/// Radius of what a ball carries, in its own radii.
pub(super) const CARRIED_SIZE: f32 = 0.5;

/// A rectangle, px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Region {
    pub(super) min: DVec2,
    pub(super) max: DVec2,
}

impl Region {
    pub(super) fn size(&self) -> DVec2 {
        self.max - self.min
    }

    pub(super) fn map(self, f: impl Fn(DVec2) -> DVec2) -> Self {
        Self { min: f(self.min), max: f(self.max) }
    }

    /// Where a ball of `radius` may have its centre: in this region, and the whole ball in `room`.
    pub(super) fn centres(&self, room: Region, radius: f64) -> Self {
        Self { min: self.min.max(room.min + radius), max: self.max.min(room.max - radius) }
    }
}

/// A radius to choose, and what a ball of it has of its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    pub(super) radius: f64,
    /// How often it is chosen, beside the others' weights.
    pub(super) weight: f64,
    /// Index of its material, if it is not the spawner's.
    pub(super) material: Option<usize>,
    /// Its mass, if it is not the spawner's.
    pub(super) mass: Option<f64>,
}

/// A radius that has been drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drawn {
    pub(super) radius: f64,
    /// Index of the choice that it came from.
    pub(super) choice: Option<usize>,
}

/// Radii, even over a range or one of several by weight.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Radius {
    pub(super) least: f64,
    pub(super) most: f64,
    /// What to choose from; none where the range is even.
    choices: Vec<Choice>,
}

impl Radius {
    pub(super) fn even(least: f64, most: f64) -> Self {
        Self { least, most, choices: Vec::new() }
    }

    pub(super) fn weighted(choices: Vec<Choice>) -> Self {
        let radii = choices.iter().map(|choice| choice.radius);
        Self { least: radii.clone().fold(f64::INFINITY, f64::min), most: radii.fold(0.0, f64::max), choices }
    }

    /// Drawn as a float32, as the ball will have it, so that a place found for it holds to the last bit.
    pub(super) fn draw(&self, random: &mut Random) -> Drawn {
        let choice = self.choices.len().checked_sub(1).map(|last| self.pick(random).unwrap_or(last));
        let radius = choice.map_or_else(|| random.between(self.least, self.most), |index| self.choices[index].radius);
        Drawn { radius: f64::from(radius as f32), choice }
    }

    /// Mean of f over the radii, each `wider` px larger; of an even range by Simpson's rule, exact for what is needed here.
    pub(super) fn mean(&self, wider: f64, f: impl Fn(f64) -> f64) -> f64 {
        let f = |radius: f64| f(radius + wider);
        if self.choices.is_empty() {
            return (f(self.least) + 4.0 * f(0.5 * (self.least + self.most)) + f(self.most)) / 6.0;
        }
        let all: f64 = self.choices.iter().map(|choice| choice.weight).sum();
        self.choices.iter().map(|choice| choice.weight * f(choice.radius)).sum::<f64>() / all
    }

    /// Index of a choice; `None` where rounding leaves nothing to choose.
    fn pick(&self, random: &mut Random) -> Option<usize> {
        let mut left = random.unit() * self.choices.iter().map(|choice| choice.weight).sum::<f64>();
        self.choices.iter().position(|choice| {
            left -= choice.weight;
            left < 0.0
        })
    }
}

/// How a stack is laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Layers as wide as the region, each in the gaps of the one below.
    Layers,
    /// Each layer a ball shorter than the one below.
    Triangle,
}

/// How the rows of a grid lie, px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pitch {
    /// Distance of neighbours in a row.
    pub(super) spacing: f64,
    /// Distance of rows.
    pub(super) row_spacing: f64,
    /// Whether every other row lies half a spacing further, and is a ball shorter.
    pub(super) is_staggered: bool,
}

impl Pitch {
    /// Rows as far apart as neighbours in a row.
    fn square(spacing: f64) -> Self {
        Self { spacing, row_spacing: spacing, is_staggered: false }
    }

    /// Distance between neighbours of two rows.
    pub(super) fn between_rows(&self) -> f64 {
        let shift = if self.is_staggered { 0.5 * self.spacing } else { 0.0 };
        shift.hypot(self.row_spacing)
    }
}

/// What a spawner makes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// Random places without overlap, `clearance` apart at least; centres in the region.
    Scatter { count: usize, region: Region, clearance: f64, speed: f64 },
    /// Rows from the region's smaller corner, each ball moved by up to `jitter`.
    Grid { count: usize, region: Region, pitch: Pitch, jitter: f64, speed: f64 },
    /// Close-packed layers from the region's floor up.
    Stack { count: usize, region: Region, spacing: f64, shape: Shape },
    /// Along a cubic Bézier curve, the first ball at its start and the last at its end, each moved in x and y by a
    /// normal `nudge` and sent off with each part of its velocity within ±`spread`. They may overlap.
    Curve { count: usize, curve: [DVec2; 4], nudge: f64, spread: f64 },
    /// One ball.
    Single { position: DVec2, velocity: DVec2 },
}

/// A spawner of a scene.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spawner {
    pub(super) kind: Kind,
    /// File, line and key, for errors.
    pub(super) place: String,
    pub(super) radius: Radius,
    /// Mass of each ball, if it is not its radius squared.
    pub(super) mass: Option<f64>,
    pub(super) material: usize,
    /// Index of the first ball's material, if it is not that of the others.
    pub(super) first_material: Option<usize>,
    pub(super) fixed: bool,
    /// Index of the wheel that carries its pegs.
    pub(super) wheel: Option<usize>,
    /// Index of the character that drives each ball.
    pub(super) character: Option<usize>,
    pub(super) layer: Option<u32>,
    /// Where what each ball carries stands from its centre, px.
    pub(super) carries: Vec<DVec2>,
    /// Balls of other spawners, where a user's number of balls says how many this one makes.
    pub(super) beside: Option<usize>,
}

/// The world's box and the balls that are already in it.
pub(super) struct Room<'a> {
    pub(super) region: Region,
    pub(super) bodies: &'a mut Vec<Body>,
}

impl Spawner {
    /// Balls it makes by itself.
    pub(super) fn count(&self) -> usize {
        match self.kind {
            Kind::Scatter { count, .. }
            | Kind::Grid { count, .. }
            | Kind::Stack { count, .. }
            | Kind::Curve { count, .. } => count,
            Kind::Single { .. } => 1,
        }
    }

    /// Balls it adds to a world, those that its own carry included.
    pub(super) fn made(&self) -> usize {
        self.count() * (1 + self.carries.len())
    }

    /// Whether a user's number of balls may change how many it makes.
    pub(super) fn is_scalable(&self) -> bool {
        !self.fixed && !matches!(self.kind, Kind::Single { .. })
    }

    pub(super) fn set_count(&mut self, new: usize) {
        match &mut self.kind {
            Kind::Scatter { count, .. }
            | Kind::Grid { count, .. }
            | Kind::Stack { count, .. }
            | Kind::Curve { count, .. } => *count = new,
            Kind::Single { .. } => {}
        }
    }

    pub(super) fn region(&self) -> Option<Region> {
        match self.kind {
            Kind::Scatter { region, .. } | Kind::Grid { region, .. } | Kind::Stack { region, .. } => Some(region),
            Kind::Curve { .. } | Kind::Single { .. } => None,
        }
    }

    pub(super) fn map_places(&mut self, f: impl Fn(DVec2) -> DVec2) {
        match &mut self.kind {
            Kind::Scatter { region, .. } | Kind::Grid { region, .. } | Kind::Stack { region, .. } => {
                *region = region.map(f);
            }
            Kind::Curve { curve, .. } => *curve = curve.map(f),
            Kind::Single { position, .. } => *position = f(*position),
        }
    }

    /// Adds its balls to the room.
    pub(super) fn run(&self, room: &mut Room<'_>, random: &mut Random) -> Result<()> {
        match self.kind {
            Kind::Scatter { count, region, clearance, speed } => {
                let wanted = scatter::Wanted { count, region, clearance, radius: &self.radius };
                self.scatter(wanted, speed, (room, random))?;
            }
            Kind::Grid { count, region, pitch, jitter, speed } => {
                let cells = Rows::in_region(region.centres(room.region, self.radius.most + jitter), pitch);
                self.fits(count, cells.places())?;
                for k in 0..count {
                    let place = cells.grid_place(k) + random.in_disc(jitter);
                    let ball = self.body(place, self.radius.draw(random));
                    room.bodies.push(ball.moving(random.in_disc(speed).as_vec2()));
                }
            }
            Kind::Stack { count, region, spacing, shape } => {
                let rows = Rows::in_region(region.centres(room.region, self.radius.most), Pitch::square(spacing));
                let places = rows.stack(count, shape);
                self.fits(count, places.len())?;
                for place in places {
                    room.bodies.push(self.body(place, self.radius.draw(random)));
                }
            }
            Kind::Curve { count, curve, nudge, spread } => {
                for k in 0..count {
                    let on_curve = bezier(curve, k as f64 / count.saturating_sub(1).max(1) as f64);
                    room.bodies.push(self.thrown(on_curve, (nudge, spread), (room.region, random)));
                }
            }
            Kind::Single { position, velocity } => {
                room.bodies.push(self.body(position, self.radius.draw(random)).moving(velocity.as_vec2()));
            }
        }
        Ok(())
    }

    fn scatter(
        &self,
        wanted: scatter::Wanted<'_>,
        speed: f64,
        (room, random): (&mut Room<'_>, &mut Random),
    ) -> Result<()> {
        let count = wanted.count;
        for disc in scatter::discs(wanted, room, random).map_err(|fit| self.too_many(count, fit))? {
            let ball = self.body(disc.centre, disc.size());
            room.bodies.push(ball.moving(random.in_disc(speed).as_vec2()));
        }
        Ok(())
    }

    /// A ball near a place but in the room, on its way.
    fn thrown(&self, place: DVec2, (nudge, spread): (f64, f64), (room, random): (Region, &mut Random)) -> Body {
        let place = place + DVec2::new(random.normal(nudge), random.normal(nudge));
        let velocity = DVec2::new(random.between(-spread, spread), random.between(-spread, spread));
        let size = self.radius.draw(random);
        let inside = place.max(room.min + size.radius).min(room.max - size.radius);
        self.body(inside, size).moving(velocity.as_vec2())
    }

    /// Marks the first of the balls that it has made, from `first` on, where it is to.
    pub(super) fn mark_first(&self, bodies: &mut [Body], first: usize) {
        if let (Some(material), Some(body)) = (self.first_material, bodies.get_mut(first)) {
            body.material = material;
        }
    }

    /// Makes actors of the balls that it has made, from `first` on, where it is to, and adds what they carry.
    pub(super) fn cast(&self, world: &mut World, first: usize) {
        let made = first..world.bodies.len();
        if self.character.is_some() || self.layer.is_some() {
            let (character, layer) = (self.character, self.layer.unwrap_or(0));
            world.actors.extend(made.clone().map(|ball| Actor { character, layer, ..Actor::new(ball) }));
        }
        for (ball, offset) in made.flat_map(|ball| self.carries.iter().map(move |offset| (ball, offset.as_vec2()))) {
            let Body { position, radius, material, .. } = world.bodies[ball];
            let child = world.add(Body { material, ..Body::peg(position + offset, CARRIED_SIZE * radius) });
            world.actors.push(Actor { layer: self.layer.unwrap_or(0), ..Actor::new(child).carried_by(ball, offset) });
        }
    }

    fn body(&self, place: DVec2, size: Drawn) -> Body {
        let make = if self.fixed { Body::peg } else { Body::ball };
        let choice = size.choice.map(|index| &self.radius.choices[index]);
        let material = choice.and_then(|choice| choice.material).unwrap_or(self.material);
        let ball = Body { material, wheel: self.wheel, ..make(place.as_vec2(), size.radius as f32) };
        weighing(choice.and_then(|choice| choice.mass).or(self.mass), ball)
    }

    fn fits(&self, count: usize, fit: usize) -> Result<()> {
        if count <= fit { Ok(()) } else { Err(self.too_many(count, fit)) }
    }

    fn too_many(&self, count: usize, fit: usize) -> Error {
        if let Some(others) = self.beside {
            return too_many_asked(count + others, fit + others);
        }
        let message = match fit {
            0 => format!("of {count} balls none fits; enlarge min and max, and let them lie in the world"),
            _ => format!("{count} balls do not fit, {fit} do; ask for fewer, or enlarge min and max"),
        };
        Error::Scene { place: format!("{}.count", self.place), message }
    }
}

/// The user asked for more balls than fit, so that the scene's file is not to blame.
fn too_many_asked(balls: usize, fit: usize) -> Error {
    let accepted = format!("at most {fit}: no more fit into the scene's box");
    Error::Value { name: "balls".into(), value: balls.to_string(), accepted }
}

/// The ball with the mass that it was given, if it was and can move.
fn weighing(mass: Option<f64>, ball: Body) -> Body {
    match mass {
        Some(mass) if ball.is_movable() => Body { inverse_mass: (1.0 / mass) as f32, ..ball },
        _ => ball,
    }
}

/// The place on a cubic Bézier curve at `t`, by de Casteljau's construction.
fn bezier(curve: [DVec2; 4], t: f64) -> DVec2 {
    let [a, b, c, d] = curve;
    let toward = |a: DVec2, b: DVec2| a + (b - a) * t;
    let (ab, bc, cd) = (toward(a, b), toward(b, c), toward(c, d));
    toward(toward(ab, bc), toward(bc, cd))
}

/// Rows of places in a region of centres.
struct Rows {
    centres: Region,
    pitch: Pitch,
    columns: usize,
    rows: usize,
}

impl Rows {
    fn in_region(centres: Region, pitch: Pitch) -> Self {
        let size = centres.size();
        let along = |length: f64, distance: f64| if length < 0.0 { 0 } else { (length / distance) as usize + 1 };
        Self { centres, pitch, columns: along(size.x, pitch.spacing), rows: along(size.y, pitch.row_spacing) }
    }

    /// Balls of two rows, one after the other.
    fn of_two_rows(&self) -> usize {
        2 * self.columns - usize::from(self.pitch.is_staggered && self.columns > 0)
    }

    fn places(&self) -> usize {
        (self.rows / 2).saturating_mul(self.of_two_rows()).saturating_add(self.rows % 2 * self.columns)
    }

    fn grid_place(&self, k: usize) -> DVec2 {
        let (pair, k) = (k / self.of_two_rows(), k % self.of_two_rows());
        let is_second = k >= self.columns;
        let column = if is_second { k - self.columns } else { k } as f64;
        let shift = if is_second && self.pitch.is_staggered { 0.5 } else { 0.0 };
        let row = (2 * pair + usize::from(is_second)) as f64;
        self.centres.min + DVec2::new((column + shift) * self.pitch.spacing, row * self.pitch.row_spacing)
    }

    /// Up to `count` places from the floor up; fewer where the region ends.
    fn stack(&self, count: usize, shape: Shape) -> Vec<DVec2> {
        // Balls that each rest on two others stand √3/2 of their spacing above them.
        let rise = 0.75f64.sqrt() * self.pitch.spacing;
        let base = match shape {
            Shape::Layers => self.columns,
            Shape::Triangle => (1..=self.columns).find(|n| n * (n + 1) / 2 >= count).unwrap_or(self.columns),
        };
        let middle = 0.5 * (self.centres.min.x + self.centres.max.x);
        let mut places = Vec::new();
        for layer in 0.. {
            let y = self.centres.max.y - layer as f64 * rise;
            let balls = match shape {
                Shape::Layers => base - (layer % 2).min(base),
                Shape::Triangle => base.saturating_sub(layer),
            };
            if places.len() == count || balls == 0 || y < self.centres.min.y {
                break;
            }
            let left = middle - 0.5 * (balls - 1) as f64 * self.pitch.spacing;
            let row = (0..balls.min(count - places.len())).map(|k| DVec2::new(left + k as f64 * self.pitch.spacing, y));
            places.extend(row);
        }
        places
    }
}
