//! What the kernels are told of actors.

use encase::ShaderType;
use glam::Vec2;

use super::{air, array};
use crate::exact::snap;
use crate::{Character, Settings, Stop, World};

shared_struct! {
    /// A character in a step, as the kernels read it.
    CharacterParams {
        /// Top speed, px/s.
        top_x: f32 = "f32",
        /// Top speed, px/s.
        top_y: f32 = "f32",
        /// One over the top speed, s/px; 0 where that is 0.
        inverse_top_x: f32 = "f32",
        /// See `inverse_top_x`.
        inverse_top_y: f32 = "f32",
        /// What the thrust grows by in the step, px/s.
        gain_x: f32 = "f32",
        /// See `gain_x`.
        gain_y: f32 = "f32",
        /// What the thrust loses in the step along an axis on which the actor is sent nowhere, px/s.
        glide: f32 = "f32",
        /// exp(−drag·h).
        drag_factor: f32 = "f32",
        /// What gravity adds over the step in the character's air, px/s, beyond what it adds in the world's.
        lift_x: f32 = "f32",
        /// See `lift_x`.
        lift_y: f32 = "f32",
        /// What gravity adds over the step in the character's air, px/s.
        fall_x: f32 = "f32",
        /// See `fall_x`.
        fall_y: f32 = "f32",
    }
}

shared_struct! {
    /// Where actors are sent.
    Steering {
        /// Characters of the world.
        characters: [CharacterParams; Character::MOST] = "array<CharacterParams, CHARACTERS>",
        /// The common direction, no longer than 1.
        x: f32 = "f32",
        /// See `x`.
        y: f32 = "f32",
        /// A bit for each layer that is stepped.
        layers: u32 = "u32",
    }
}

impl CharacterParams {
    /// What a character can do in a step of `step_s` seconds.
    fn new(world: &World, character: &Character, step_s: f32) -> Self {
        let Character { acceleration, top_speed, .. } = *character;
        let inverse = |speed: f32| if speed > 0.0 { 1.0 / speed } else { 0.0 };
        let (_, in_worlds_air) = air(world.drag_per_s, step_s);
        let (drag_factor, in_air) = air(character.drag_per_s.unwrap_or(world.drag_per_s), step_s);
        let gravity_step = world.gravity * step_s;
        let (lift, fall) = (gravity_step * (in_air - in_worlds_air), gravity_step * in_air);
        Self {
            top_x: top_speed.x,
            top_y: top_speed.y,
            inverse_top_x: inverse(top_speed.x),
            inverse_top_y: inverse(top_speed.y),
            gain_x: snap(acceleration.x * step_s),
            gain_y: snap(acceleration.y * step_s),
            glide: match character.stop {
                Stop::Dead => f32::MAX,
                Stop::Glide(deceleration) => snap(deceleration * step_s),
            },
            drag_factor,
            lift_x: snap(lift.x),
            lift_y: snap(lift.y),
            fall_x: snap(fall.x),
            fall_y: snap(fall.y),
        }
    }
}

impl Steering {
    /// Where actors are sent in a step of `step_s` seconds.
    pub(crate) fn new(world: &World, settings: &Settings, step_s: f32, direction: Vec2) -> Self {
        let characters = world.characters.iter().map(|character| CharacterParams::new(world, character, step_s));
        Self { characters: array(characters), x: direction.x, y: direction.y, layers: settings.layers }
    }
}
