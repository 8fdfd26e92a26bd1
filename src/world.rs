//! The world: what there is before a step and after it.

use glam::Vec2;

use crate::actor::validate_all;
use crate::segment::pieces;
use crate::{
    Actor, Body, Character, Counter, Error, Material, Model, Order, Parent, Partner, Record, Result, Segment, Slip,
    Surface, Wheel, settings::in_range,
};

/// Balls, surfaces and what acts on them all. Plain data: an engine takes a copy and gives one back.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// What it does with time.
    pub model: Model,
    /// Smaller corner of the box in which the grid lies, px.
    pub min: Vec2,
    /// Larger corner, px.
    pub max: Vec2,
    /// Acceleration of every movable ball, px/s², y down.
    pub gravity: Vec2,
    /// Air: velocity falls by exp(−drag·t), 1/s.
    pub drag_per_s: f32,
    /// Materials, at least one.
    pub materials: Vec<Material>,
    /// Surfaces, the box's walls included.
    pub surfaces: Vec<Surface>,
    /// Walls of finite length.
    pub segments: Vec<Segment>,
    /// What carries pegs round.
    pub wheels: Vec<Wheel>,
    /// Boxes whose balls are counted.
    pub counters: Vec<Counter>,
    /// The balls, by id.
    pub bodies: Vec<Body>,
    /// The solver's memory of contacts that rub: none in a new world; keep it to continue a run to the same bits.
    pub slips: Vec<Slip>,
    /// What kinds of actors can do.
    pub characters: Vec<Character>,
    /// Which balls are driven, layered, frozen or carried, in the order of their ids.
    pub actors: Vec<Actor>,
}

impl World {
    /// Most balls a world may have.
    pub const MOST_BODIES: usize = 1 << 26;

    /// An empty box with four walls, no gravity and one material of restitution 0.35.
    pub fn new(min: Vec2, max: Vec2) -> Self {
        let walls = [(min, Vec2::X), (min, Vec2::Y), (max, Vec2::NEG_X), (max, Vec2::NEG_Y)];
        Self {
            model: Model::default(),
            min,
            max,
            gravity: Vec2::ZERO,
            drag_per_s: 0.0,
            materials: vec![Material::new("rubber", 0.35)],
            surfaces: walls.map(|(point, normal)| Surface::new(point, normal)).into(),
            segments: Vec::new(),
            wheels: Vec::new(),
            counters: Vec::new(),
            bodies: Vec::new(),
            slips: Vec::new(),
            characters: Vec::new(),
            actors: Vec::new(),
        }
    }

    /// The same world without walls.
    pub fn open(mut self) -> Self {
        self.surfaces.clear();
        self
    }

    /// The same world under gravity, px/s².
    pub fn with_gravity(mut self, gravity: Vec2) -> Self {
        self.gravity = gravity;
        self
    }

    /// The same world with `restitution` for its first material.
    pub fn with_restitution(mut self, restitution: f32) -> Self {
        self.materials[0].restitution = restitution;
        self
    }

    /// Adds a ball and returns its id.
    pub fn add(&mut self, body: Body) -> usize {
        self.bodies.push(body);
        self.bodies.len() - 1
    }

    /// Balls that there are: those that no edit has erased.
    pub fn balls(&self) -> usize {
        self.bodies.iter().filter(|body| !body.erased).count()
    }

    /// Actors that go where they are sent, if nothing stops them: those with a character.
    pub fn driven(&self) -> usize {
        self.actors.iter().filter(|actor| actor.character.is_some()).count()
    }

    /// The first ball whose place or motion is no longer finite, by its id.
    pub fn lost_ball(&self) -> Option<usize> {
        let is_lost = |body: &Body| {
            let turning = body.spin + body.angle;
            !(body.position.is_finite() && body.velocity.is_finite() && turning.is_finite())
        };
        self.bodies.iter().position(is_lost)
    }

    /// Whether a surface may be tilted.
    pub fn tilts(&self) -> bool {
        self.surfaces.iter().any(|surface| surface.tilt.is_some())
    }

    /// Movable balls in each of the counters. Actors that are frozen or carried don't count, as in an engine's readout;
    /// nor do there those in layers that it does not step, which a world by itself does not know.
    pub fn counts(&self) -> [u32; Counter::MOST] {
        let mut counts = [0; Counter::MOST];
        for (count, counter) in counts.iter_mut().zip(&self.counters) {
            let is_in = |(id, body): &(usize, &Body)| {
                body.is_movable() && counter.holds(body.position) && !self.is_stopped(*id)
            };
            *count = self.bodies.iter().enumerate().filter(is_in).count() as u32;
        }
        counts
    }

    /// Whether a ball is an actor that is frozen or carried.
    fn is_stopped(&self, ball: usize) -> bool {
        let found = self.actors.binary_search_by_key(&ball, |actor| actor.ball);
        found.is_ok_and(|index| self.actors[index].order == Order::Freeze || self.actors[index].parent.is_some())
    }

    /// Adds a character and returns its index.
    pub fn add_character(&mut self, character: Character) -> usize {
        self.characters.push(character);
        self.characters.len() - 1
    }

    /// What a renderer draws: the balls by id, then the pieces of the segments.
    pub fn records(&self) -> Vec<Record> {
        let mut records = self.ball_records();
        records.extend(pieces(&self.segments_in_reach(), |_| f32::MAX));
        records
    }

    /// The balls' records, by id.
    pub(crate) fn ball_records(&self) -> Vec<Record> {
        let mut records: Vec<Record> = self.bodies.iter().map(Record::from).collect();
        for actor in self.actors.iter().filter(|actor| actor.character.is_some()) {
            records[actor.ball] = records[actor.ball].driven();
        }
        records
    }

    /// Puts children where their parents are.
    pub(crate) fn place_children(&mut self) {
        for actor in &self.actors {
            if let Some(Parent { ball, offset }) = actor.parent {
                self.bodies[actor.ball].position = self.bodies[ball].position + offset;
            }
        }
    }

    /// The segments as far as they are within three times the world's box.
    pub(crate) fn segments_in_reach(&self) -> Vec<Segment> {
        let size = self.max - self.min;
        self.segments.iter().filter_map(|segment| segment.within(self.min - size, self.max + size)).collect()
    }

    /// The same world without its erased balls: those that are left move up, in their order, to the ids that are free.
    /// What an erased ball carried is carried no more.
    pub fn without_erased(&self) -> Self {
        let mut left = 0..;
        let ids: Vec<Option<usize>> =
            self.bodies.iter().map(|body| if body.erased { None } else { left.next() }).collect();
        let moved_up = |slip: &Slip| {
            let partner = match slip.partner {
                Partner::Ball(id) => Partner::Ball(ids[id]?),
                other => other,
            };
            Some(Slip { ball: ids[slip.ball]?, partner, px: slip.px })
        };
        let actor = |actor: &Actor| {
            let ball = ids[actor.ball]?;
            let parent = actor.parent.and_then(|parent| Some(Parent { ball: ids[parent.ball]?, ..parent }));
            Some(Actor { ball, parent, ..*actor })
        };
        let bodies = self.bodies.iter().filter(|body| !body.erased).copied().collect();
        let slips = self.slips.iter().filter_map(moved_up).collect();
        let actors = self.actors.iter().filter_map(actor).collect();
        Self { bodies, slips, actors, ..self.room() }
    }

    /// The same world without its balls, and without what is known of each of them.
    pub fn room(&self) -> Self {
        Self {
            model: self.model,
            min: self.min,
            max: self.max,
            gravity: self.gravity,
            drag_per_s: self.drag_per_s,
            materials: self.materials.clone(),
            surfaces: self.surfaces.clone(),
            segments: self.segments.clone(),
            wheels: self.wheels.clone(),
            counters: self.counters.clone(),
            bodies: Vec::new(),
            slips: Vec::new(),
            characters: self.characters.clone(),
            actors: Vec::new(),
        }
    }

    /// Whether a surface or an immovable ball moves, or a ball that is carried. It would meet sleepers that nothing has
    /// woken, so that no ball sleeps.
    pub(crate) fn is_restless(&self) -> bool {
        self.surfaces.iter().any(|surface| !surface.is_at_rest())
            || self.wheels.iter().any(|wheel| wheel.turn_rad_s != 0.0)
            || self.bodies.iter().any(|body| !body.is_movable() && body.velocity != Vec2::ZERO)
            || self.actors.iter().any(|actor| actor.parent.is_some())
    }

    /// Refuses what no engine can step: non-finite or huge values, indices that name nothing.
    ///
    /// # Errors
    /// [`Error::Value`] naming the first value that is wrong.
    pub fn validate(&self) -> Result<()> {
        for (name, v) in [("world min", self.min), ("world max", self.max)] {
            in_range(format!("{name} x"), v.x, -1e9, 1e9)?;
            in_range(format!("{name} y"), v.y, -1e9, 1e9)?;
        }
        let size = self.max - self.min;
        in_range("world width", size.x, 1.0, 1e9)?;
        in_range("world height", size.y, 1.0, 1e9)?;
        in_range("gravity x", self.gravity.x, -1e6, 1e6)?;
        in_range("gravity y", self.gravity.y, -1e6, 1e6)?;
        in_range("drag", self.drag_per_s, 0.0, 1e6)?;
        self.count("materials", self.materials.len(), 1, Material::MOST)?;
        self.count("surfaces", self.surfaces.len(), 0, Surface::MOST)?;
        self.count("balls", self.bodies.len(), 0, Self::MOST_BODIES)?;
        self.materials.iter().try_for_each(Material::validate)?;
        for (index, surface) in self.surfaces.iter().enumerate() {
            surface.validate(index)?;
            if let Some(material) = surface.material {
                self.count(&format!("material of surface {index}"), material, 0, self.materials.len() - 1)?;
            }
        }
        self.count("segments", self.segments.len(), 0, Segment::MOST)?;
        for (index, segment) in self.segments.iter().enumerate() {
            segment.validate(index, self.materials.len())?;
        }
        self.count("wheels", self.wheels.len(), 0, Wheel::MOST)?;
        self.wheels.iter().enumerate().try_for_each(|(index, wheel)| wheel.validate(index))?;
        self.count("counters", self.counters.len(), 0, Counter::MOST)?;
        self.counters.iter().enumerate().try_for_each(|(index, counter)| counter.validate(index))?;
        let counts = (self.materials.len(), self.wheels.len());
        for (id, body) in self.bodies.iter().enumerate() {
            body.validate(id, counts)?;
            if let Some(wheel) = body.wheel.map(|index| &self.wheels[index]) {
                let speed = wheel.turn_rad_s.abs() * body.position.distance(wheel.centre);
                in_range(format!("speed of ball {id} on its wheel"), speed, 0.0, 1e6)?;
            }
        }
        self.slips.iter().try_for_each(|slip| self.validate_slip(slip))?;
        self.count("characters", self.characters.len(), 0, Character::MOST)?;
        self.characters.iter().try_for_each(Character::validate)?;
        validate_all(&self.actors, &self.bodies, self.characters.len())
    }

    fn validate_slip(&self, slip: &Slip) -> Result<()> {
        let (partner, others) = match slip.partner {
            Partner::Ball(id) => (id, self.bodies.len()),
            Partner::Piece(index) => (index, Self::MOST_BODIES),
            Partner::Surface(index) => (index, self.surfaces.len()),
        };
        in_range(format!("slip of ball {}", slip.ball), slip.px, -1e9, 1e9)?;
        if slip.ball < self.bodies.len() && partner < others {
            return Ok(());
        }
        Err(Error::Value {
            name: "slip".into(),
            value: format!("that of ball {} on {:?}", slip.ball, slip.partner),
            accepted: "one of balls and surfaces that the world has".into(),
        })
    }

    fn count(&self, name: &str, value: usize, least: usize, most: usize) -> Result<()> {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        Err(Error::Value { name: name.into(), value: value.to_string(), accepted: format!("from {least} to {most}") })
    }
}
