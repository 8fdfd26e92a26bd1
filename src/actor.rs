//! Actors: balls that are driven, and the record in which the stages keep how.
//!
//! An actor's velocity is the sum of two parts: its *thrust*, by which it goes where it is sent, and its *environment*,
//! which is all that gravity, air and other balls have made of it. Its character's top speeds bound the thrust alone:
//! an actor that falls, or that is hit, may be faster.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::exact::snap;
use crate::settings::in_range;
use crate::{Body, Error, Record, Result};

/// How a thrust ends along an axis on which an actor is sent nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Stop {
    /// At once.
    #[default]
    Dead,
    /// By so many px/s², 0 to 1e6.
    Glide(f32),
}

/// What a kind of actor can do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Character {
    /// The name that scene files use.
    pub name: String,
    /// What its thrust grows by along each axis, px/s², 0 to 1e6.
    pub acceleration: Vec2,
    /// Semi-axes of the ellipse that its thrust stays in, px/s, each 0 or 0.001 to 1e6; 0 allows no thrust along that
    /// axis.
    pub top_speed: Vec2,
    /// Drag on its environment part, 1/s, 0 to 1e6; none of its own is the world's.
    pub drag_per_s: Option<f32>,
    /// What happens when it is sent nowhere.
    pub stop: Stop,
}

impl Character {
    /// Most characters a world may have.
    pub const MOST: usize = 32;

    /// Refuses values outside their range.
    ///
    /// # Errors
    /// [`Error::Value`] with the character's name.
    pub fn validate(&self) -> Result<()> {
        let of = |what: &str| format!("{what} of character '{}'", self.name);
        for (axis, acceleration, top_speed) in
            [("x", self.acceleration.x, self.top_speed.x), ("y", self.acceleration.y, self.top_speed.y)]
        {
            in_range(of(&format!("acceleration {axis}")), acceleration, 0.0, 1e6)?;
            // What is smaller has no reciprocal worth the name.
            let least = if top_speed == 0.0 { 0.0 } else { 1e-3 };
            in_range(of(&format!("top speed {axis}")), top_speed, least, 1e6)?;
        }
        in_range(of("drag"), self.drag_per_s.unwrap_or(0.0), 0.0, 1e6)?;
        match self.stop {
            Stop::Dead => Ok(()),
            Stop::Glide(deceleration) => in_range(of("deceleration"), deceleration, 0.0, 1e6),
        }
    }
}

/// What an actor is told; it holds until it is told something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// To go where all are sent: see [`crate::Engine::steer`].
    #[default]
    Follow,
    /// To go its own way: each part of the direction from −1 to 1, and a length above 1 counts as 1.
    Go(Vec2),
    /// To be frozen: no gravity, no drag, no move. It then goes on as if no time had passed; meanwhile others meet it
    /// as an immovable ball.
    Freeze,
}

/// A ball that an actor moves with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parent {
    /// The ball, by id; no child itself.
    pub ball: usize,
    /// Where the child stands from its centre, px.
    pub offset: Vec2,
}

/// A ball that is driven, layered, frozen or carried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Actor {
    /// The ball, by id.
    pub ball: usize,
    /// Index of its character in the world; without one it has no thrust.
    pub character: Option<usize>,
    /// Its own part of the ball's velocity, px/s.
    pub thrust: Vec2,
    /// What gravity, air and other balls have made of its velocity, px/s, as the last step foresaw it: what the ball's
    /// velocity is beyond both parts, it was given since. A new actor has none of either; keep both to continue a run
    /// to the same bits.
    pub environment: Vec2,
    /// Its layer, 0 to 31: see [`crate::Settings::layers`].
    pub layer: u32,
    /// What it is told.
    pub order: Order,
    /// The ball that it is carried by: it stands at an offset from it, is not stepped, and is met as an immovable ball
    /// that moves.
    pub parent: Option<Parent>,
}

impl Actor {
    /// Most layers.
    pub const LAYERS: u32 = 32;

    /// A ball without character, parent or order.
    pub fn new(ball: usize) -> Self {
        let (thrust, environment) = (Vec2::ZERO, Vec2::ZERO);
        Self { ball, character: None, thrust, environment, layer: 0, order: Order::Follow, parent: None }
    }

    /// The same actor with a character.
    pub fn of(self, character: usize) -> Self {
        Self { character: Some(character), ..self }
    }

    /// The same actor carried by ball `ball` at an offset, px.
    pub fn carried_by(self, ball: usize, offset: Vec2) -> Self {
        Self { parent: Some(Parent { ball, offset }), ..self }
    }

    pub(crate) fn validate(&self, bodies: &[Body], characters: usize) -> Result<()> {
        let of = |what: &str| format!("{what} of actor {}", self.ball);
        let refused = |what: &str, value: String, accepted: &str| {
            Err(Error::Value { name: of(what), value, accepted: accepted.into() })
        };
        let is_ball = |id: usize| id < bodies.len();
        if !is_ball(self.ball) {
            return refused("ball", self.ball.to_string(), "the id of one of the world's balls");
        }
        if self.character.is_some_and(|index| index >= characters) {
            return refused("character", format!("{:?}", self.character), "the index of one of the world's characters");
        }
        if self.character.is_some() && bodies[self.ball].inverse_mass == 0.0 {
            return refused("character", "given".into(), "left out: the ball is immovable");
        }
        if let Some(Parent { ball, offset }) = self.parent {
            if !is_ball(ball) || ball == self.ball {
                return refused("parent", ball.to_string(), "the id of another of the world's balls");
            }
            let clear = bodies[ball].radius + bodies[self.ball].radius;
            if offset.length() <= clear {
                let accepted = format!("longer than {clear} px: a parent meets its child as it meets any other ball");
                return refused("offset", format!("{} px long", offset.length()), &accepted);
            }
        }
        in_range(of("layer"), self.layer as f32, 0.0, (Self::LAYERS - 1) as f32)?;
        let offset = self.parent.map_or(Vec2::ZERO, |parent| parent.offset);
        for (what, v) in [("thrust", self.thrust), ("environment", self.environment), ("offset", offset)] {
            in_range(of(&format!("{what} x")), v.x, -1e9, 1e9)?;
            in_range(of(&format!("{what} y")), v.y, -1e9, 1e9)?;
        }
        if let Order::Go(direction) = self.order { direction_of(direction).map(|_| ()) } else { Ok(()) }
    }
}

/// Refuses actors that share a ball, and children of children.
pub(crate) fn validate_all(actors: &[Actor], bodies: &[Body], characters: usize) -> Result<()> {
    actors.iter().try_for_each(|actor| actor.validate(bodies, characters))?;
    let ascend = actors.windows(2).all(|pair| pair[0].ball < pair[1].ball);
    if !ascend {
        let (name, accepted) = ("actors".into(), "in the order of their balls, one a ball".into());
        return Err(Error::Value { name, value: "out of order".into(), accepted });
    }
    let is_child = |ball: usize| {
        let found = actors.binary_search_by_key(&ball, |actor| actor.ball);
        found.is_ok_and(|index| actors[index].parent.is_some())
    };
    match actors.iter().find(|actor| actor.parent.is_some_and(|parent| is_child(parent.ball))) {
        None => Ok(()),
        Some(actor) => Err(Error::Value {
            name: format!("parent of actor {}", actor.ball),
            value: "a child itself".into(),
            accepted: "a ball that nobody carries".into(),
        }),
    }
}

/// A direction as the stages want it, no longer than 1.
///
/// # Errors
/// [`Error::Value`] for a part that is not from −1 to 1.
pub(crate) fn direction_of(direction: Vec2) -> Result<Vec2> {
    in_range("direction x", direction.x, -1.0, 1.0)?;
    in_range("direction y", direction.y, -1.0, 1.0)?;
    Ok(direction.clamp_length_max(1.0))
}

/// An actor as the stages read it, by the id of its ball: 40 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct ActorRecord {
    /// Thrust, px/s.
    pub(crate) tx: f32,
    /// Thrust, px/s.
    pub(crate) ty: f32,
    /// Environment, px/s.
    pub(crate) ex: f32,
    /// Environment, px/s.
    pub(crate) ey: f32,
    /// Offset from the parent, px.
    pub(crate) offset_x: f32,
    /// Offset from the parent, px.
    pub(crate) offset_y: f32,
    /// One over the ball's mass, as its record had it when it was stopped.
    pub(crate) inverse_mass: f32,
    /// The parent's id, or [`ActorRecord::NO_PARENT`].
    pub(crate) parent: u32,
    /// The character's index, plus [`ActorRecord::LAYER`] times the layer, plus what else it is; 0 of a ball that is
    /// none.
    pub(crate) flags: u32,
    /// Pads to the 8 bytes that two floats are aligned to.
    pub(crate) unused: u32,
}

impl ActorRecord {
    /// Factor of the layer in `flags`.
    pub(crate) const LAYER: u32 = Character::MOST as u32;
    /// Added to `flags` while its ball's record is that of an immovable one.
    pub(crate) const STOPPED: u32 = Self::LAYER * Actor::LAYERS;
    /// Added to `flags` of every actor.
    pub(crate) const PRESENT: u32 = 2 * Self::STOPPED;
    /// Parent of an actor that nobody carries.
    pub(crate) const NO_PARENT: u32 = u32::MAX;

    pub(crate) fn new(actor: &Actor) -> Self {
        let parent = actor.parent.unwrap_or(Parent { ball: 0, offset: Vec2::ZERO });
        Self {
            tx: snap(actor.thrust.x),
            ty: snap(actor.thrust.y),
            ex: snap(actor.environment.x),
            ey: snap(actor.environment.y),
            offset_x: parent.offset.x,
            offset_y: parent.offset.y,
            inverse_mass: 0.0,
            parent: actor.parent.map_or(Self::NO_PARENT, |parent| parent.ball as u32),
            flags: actor.character.unwrap_or(0) as u32 + Self::LAYER * actor.layer + Self::PRESENT,
            unused: 0,
        }
    }

    pub(crate) fn is_present(&self) -> bool {
        self.flags > 0
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.flags & Self::STOPPED > 0
    }

    pub(crate) fn is_child(&self) -> bool {
        self.parent != Self::NO_PARENT
    }

    pub(crate) fn character(&self) -> usize {
        self.flags as usize % Character::MOST
    }

    pub(crate) fn layer(&self) -> u32 {
        self.flags / Self::LAYER % Actor::LAYERS
    }

    /// The record that a stopped actor's ball has when it goes on.
    pub(crate) fn gone_on(&self, body: Record) -> Record {
        let body = Record { inverse_mass: self.inverse_mass, ..body };
        // A child moves with its parent, whatever it was about.
        if self.is_child() { body } else { Record { vx: self.ex + self.tx, vy: self.ey + self.ty, ..body } }
    }
}

/// An order as the stages read it, by the id of the actor's ball: 12 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct OrderRecord {
    /// Direction, if it is its own.
    pub(crate) x: f32,
    /// See `x`.
    pub(crate) y: f32,
    /// 0, [`OrderRecord::GO`] or [`OrderRecord::FREEZE`].
    pub(crate) kind: u32,
}

impl OrderRecord {
    /// The direction is the actor's own.
    pub(crate) const GO: u32 = 1;
    /// The actor is frozen.
    pub(crate) const FREEZE: u32 = 2;

    pub(crate) fn new(order: Order) -> Self {
        match order {
            Order::Follow => Self::default(),
            Order::Go(direction) => {
                let Vec2 { x, y } = direction.clamp_length_max(1.0);
                Self { x, y, kind: Self::GO }
            }
            Order::Freeze => Self { kind: Self::FREEZE, ..Self::default() },
        }
    }
}
