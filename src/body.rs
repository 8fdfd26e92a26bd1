//! Balls, and the two records in which the stages keep them.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::exact::snap;
use crate::settings::in_range;
use crate::{Error, Material, Result, Settings};

/// A ball. Its index in [`crate::World::bodies`] is its id for as long as the world lives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Centre, px; y grows downward.
    pub position: Vec2,
    /// Velocity, px/s.
    pub velocity: Vec2,
    /// Radius, px, above 0.
    pub radius: f32,
    /// One over the mass; 0 means immovable. See [`Body::ball`] for the unit.
    pub inverse_mass: f32,
    /// Index of its material in the world.
    pub material: usize,
    /// The solver's memory: how crowded the ball was in the last pass, at least 1. A new ball has 1;
    /// keep it to continue a run to the same bits.
    pub split: f32,
    /// Turning speed, rad/s, from x toward y: clockwise on the screen. An engine without rotation gives 0.
    pub spin: f32,
    /// Angle that it has turned by, rad, less whole turns at each step's start. An engine without rotation gives 0.
    pub angle: f32,
    /// Whether it sleeps: it neither moves nor is stepped until something hits it.
    pub asleep: bool,
    /// Steps for which it has been slow enough to fall asleep.
    pub quiet_steps: u32,
    /// Of an immovable ball, the index of the world's wheel that carries it round.
    pub wheel: Option<usize>,
    /// Whether an edit has taken it out of the world: nothing meets, moves, counts or draws it until another brings it
    /// back.
    pub erased: bool,
}

impl Body {
    /// Least and greatest radius, px.
    pub(crate) const RADII: [f32; 2] = [1e-3, 1e6];
    /// What one over a mass may be. What is smaller divides to nothing that a float32 holds.
    pub(crate) const INVERSE_MASSES: [f32; 2] = [1e-12, 1e9];

    /// A ball at rest whose mass is its radius squared, as if cut from one sheet (figure C1).
    pub fn ball(position: Vec2, radius: f32) -> Self {
        Self {
            position,
            velocity: Vec2::ZERO,
            radius,
            inverse_mass: 1.0 / (radius * radius),
            material: 0,
            split: 1.0,
            spin: 0.0,
            angle: 0.0,
            asleep: false,
            quiet_steps: 0,
            wheel: None,
            erased: false,
        }
    }

    /// An immovable ball.
    pub fn peg(position: Vec2, radius: f32) -> Self {
        Self { inverse_mass: 0.0, ..Self::ball(position, radius) }
    }

    /// The same ball with a velocity.
    pub fn moving(self, velocity: Vec2) -> Self {
        Self { velocity, ..self }
    }

    /// Mass; infinite for an immovable ball.
    pub fn mass(&self) -> f32 {
        1.0 / self.inverse_mass
    }

    /// Whether contacts and forces move it.
    pub fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0 && !self.erased
    }

    /// Wakes it, if it sleeps.
    pub(crate) fn wake(&mut self) {
        if self.asleep {
            (self.asleep, self.quiet_steps) = (false, 0);
        }
    }

    /// Refuses values out of range; a world has so many materials and wheels.
    pub(crate) fn validate(&self, id: usize, (materials, wheels): (usize, usize)) -> Result<()> {
        let place = |what: &str| format!("{what} of ball {id}");
        for (what, v, most) in [("position", self.position, 1e9), ("velocity", self.velocity, 1e9)] {
            in_range(place(&format!("{what} x")), v.x, -most, most)?;
            in_range(place(&format!("{what} y")), v.y, -most, most)?;
        }
        let [least, most] = Self::RADII;
        in_range(place("radius"), self.radius, least, most)?;
        if self.inverse_mass != 0.0 {
            let [least, most] = Self::INVERSE_MASSES;
            in_range(place("inverse mass"), self.inverse_mass, least, most)?;
        }
        in_range(place("split"), self.split, 1.0, 1e6)?;
        in_range(place("quiet steps"), self.quiet_steps as f32, 0.0, Settings::MOST_QUIET_STEPS as f32)?;
        in_range(place("spin"), self.spin, -1e9, 1e9)?;
        in_range(place("angle"), self.angle, -1e10, 1e10)?;
        let refused = |what: &str, value: usize, accepted: String| {
            Err(Error::Value { name: place(what), value: value.to_string(), accepted })
        };
        if self.material >= materials {
            let accepted = format!("the index of one of the world's {materials} materials");
            return refused("material", self.material, accepted);
        }
        match self.wheel {
            Some(wheel) if self.is_movable() => {
                refused("wheel", wheel, "left out of a ball that is not immovable".into())
            }
            Some(wheel) if wheel >= wheels => {
                refused("wheel", wheel, format!("the index of one of the world's {wheels} wheels"))
            }
            _ => Ok(()),
        }
    }
}

/// A ball as the contact passes read it: 32 bytes, two loads of four floats.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Record {
    /// Centre, px.
    pub x: f32,
    /// Centre, px.
    pub y: f32,
    /// Velocity, px/s.
    pub vx: f32,
    /// Velocity, px/s.
    pub vy: f32,
    /// Radius, px.
    pub radius: f32,
    /// Spectral split of the last pass; 0 of a ball that sleeps; of one that is erased, one over its mass.
    pub split: f32,
    /// One over the mass; minus that of a ball that sleeps; 0 of one that is erased.
    pub inverse_mass: f32,
    /// Whole number: the material's index, plus [`Record::HELD`], [`Record::HURRIED`] and [`Record::DRIVEN`], plus
    /// [`Record::QUIET`] for each step that the ball has been slow enough to fall asleep; of an immovable ball, for
    /// each wheel up to its own; of one that is erased, −1 less what it was.
    pub flags: f32,
}

impl Record {
    /// Added to `flags` while the pointer's spring holds the ball.
    pub const HELD: u32 = Material::MOST as u32;
    /// Added to `flags` while the ball is so fast that a surface not near it when the step began may be by now.
    pub const HURRIED: u32 = 2 * Self::HELD;
    /// Added to `flags` of an actor with a character: its drag is not the world's.
    pub const DRIVEN: u32 = 4 * Self::HELD;
    /// Added to `flags` for each quiet step.
    pub const QUIET: u32 = 8 * Self::HELD;

    pub(crate) fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0
    }

    pub(crate) fn is_asleep(&self) -> bool {
        self.inverse_mass < 0.0
    }

    /// The same ball asleep.
    pub(crate) fn asleep(self) -> Self {
        let flags = (self.flags as u32 & (Self::DRIVEN | (Self::HELD - 1))) as f32;
        Self { vx: 0.0, vy: 0.0, split: 0.0, inverse_mass: -self.inverse_mass, flags, ..self }
    }

    /// The same ball, which slept, awake.
    pub(crate) fn awake(self) -> Self {
        Self { split: 1.0, inverse_mass: -self.inverse_mass, ..self }
    }

    pub(crate) fn is_erased(&self) -> bool {
        self.flags < 0.0
    }

    /// The same ball erased: an immovable ball at rest, which the grid keeps where nobody looks.
    pub(crate) fn erased(self) -> Self {
        // A peg keeps its wheel.
        let calm = if self.inverse_mass == 0.0 { self } else { self.quiet_for(0) };
        let kept = calm.flagged(false, false).flags;
        Self { vx: 0.0, vy: 0.0, split: self.inverse_mass.abs(), inverse_mass: 0.0, flags: -1.0 - kept, ..self }
    }

    /// The same ball, which was erased, back at rest.
    pub(crate) fn restored(self) -> Self {
        Self { split: 1.0, inverse_mass: self.split, flags: -1.0 - self.flags, ..self }
    }

    /// Steps for which it has been slow enough to fall asleep.
    pub(crate) fn quiet_steps(&self) -> u32 {
        self.flags as u32 / Self::QUIET
    }

    /// Index of the wheel that carries the ball, which is immovable; an erased one goes round with it unseen.
    pub(crate) fn wheel(&self) -> Option<usize> {
        let flags = if self.is_erased() { -1.0 - self.flags } else { self.flags };
        (flags as usize / Self::QUIET as usize).checked_sub(1)
    }

    /// The same record with another number of quiet steps.
    pub(crate) fn quiet_for(self, steps: u32) -> Self {
        Self { flags: (self.flags as u32 % Self::QUIET + steps * Self::QUIET) as f32, ..self }
    }

    /// The same record as an actor with a character has it.
    pub(crate) fn driven(self) -> Self {
        if self.is_erased() {
            return self.restored().driven().erased();
        }
        Self { flags: (self.flags as u32 | Self::DRIVEN) as f32, ..self }
    }

    pub(crate) fn is_driven(&self) -> bool {
        self.flags as u32 & Self::DRIVEN > 0
    }

    pub(crate) fn material(&self) -> usize {
        (self.flags as u32 & (Self::HELD - 1)) as usize
    }

    /// The same record with its flags as they are for a ball that is held or not, and hurried or not.
    pub(crate) fn flagged(self, held: bool, hurried: bool) -> Self {
        let others = self.flags as u32 & !(Self::HELD | Self::HURRIED);
        let flags = others + Self::HELD * u32::from(held) + Self::HURRIED * u32::from(hurried);
        Self { flags: flags as f32, ..self }
    }

    pub(crate) fn is_hurried(&self) -> bool {
        self.flags as u32 & Self::HURRIED > 0
    }

    pub(crate) fn is_held(&self) -> bool {
        self.flags as u32 & Self::HELD > 0
    }
}

// The flags' low bits hold a material's index.
const _: () = assert!(Material::MOST.is_power_of_two());

impl From<&Body> for Record {
    fn from(body: &Body) -> Self {
        let record = Self {
            x: snap(body.position.x),
            y: snap(body.position.y),
            vx: snap(body.velocity.x),
            vy: snap(body.velocity.y),
            radius: body.radius,
            split: body.split,
            inverse_mass: body.inverse_mass,
            flags: body.material as f32,
        };
        let is_movable = body.is_movable();
        let record = match body.wheel {
            _ if is_movable && body.asleep && !body.erased => record.asleep(),
            _ if is_movable => record.quiet_for(body.quiet_steps),
            wheel => record.quiet_for(wheel.map_or(0, |index| index as u32 + 1)),
        };
        if body.erased { record.erased() } else { record }
    }
}

impl From<&Record> for Body {
    fn from(record: &Record) -> Self {
        let (asleep, erased) = (record.is_asleep(), record.is_erased());
        let awake = if asleep { record.awake() } else { *record };
        let awake = if erased { record.restored() } else { awake };
        let is_peg = awake.inverse_mass == 0.0;
        Self {
            position: Vec2::new(record.x, record.y),
            velocity: Vec2::new(record.vx, record.vy),
            radius: record.radius,
            inverse_mass: awake.inverse_mass,
            material: awake.material(),
            split: awake.split,
            spin: 0.0,
            angle: 0.0,
            asleep,
            quiet_steps: if is_peg { 0 } else { awake.quiet_steps() },
            wheel: awake.wheel().filter(|_| is_peg),
            erased,
        }
    }
}

/// How a ball turns: 12 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Spin {
    /// Turning speed, rad/s, from x toward y.
    pub rate: f32,
    /// Angle, rad.
    pub angle: f32,
    /// Angle at the start of the step, rad.
    pub home: f32,
}

impl From<&Body> for Spin {
    fn from(body: &Body) -> Self {
        Self { rate: snap(body.spin), angle: body.angle, home: body.angle }
    }
}

/// Where a ball stood when the step began, how far it may reach in it, and who it is: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Home {
    /// Centre at the start of the step, px.
    pub x: f32,
    /// Centre at the start of the step, px.
    pub y: f32,
    /// Radius plus margin, px: two balls can meet in the step only if their reaches overlap.
    pub reach: f32,
    /// The ball's id.
    pub id: u32,
}
