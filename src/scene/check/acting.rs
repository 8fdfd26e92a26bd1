//! What a file says of actors.

use glam::DVec2;
use toml::Spanned;

use super::super::file::{CharacterTable, File, Pair, StepTable, WorldTable};
use super::super::place;
use super::super::spawn::{CARRIED_SIZE, Radius};
use super::{Check, required};
use crate::error::shortened;
use crate::{Body, Character, Model, Result, Stop};

impl Check<'_> {
    pub(super) fn model(&self, world: &WorldTable) -> Result<Model> {
        let Some(name) = &world.model else { return Ok(Model::default()) };
        Model::named(name.get_ref()).map_err(|_| {
            let other = format!("\"{}\"", shortened(name.get_ref(), 60));
            self.source.refused(name.span(), other, &place::MODEL)
        })
    }

    /// A bit for each layer that is stepped.
    pub(super) fn layers(&self, step: &StepTable) -> Result<u32> {
        let Some(layers) = &step.layers else { return Ok(u32::MAX) };
        let bits = layers.get_ref().iter().map(|layer| Ok(1 << self.whole(&place::STEPPED, layer)?));
        Ok(bits.collect::<Result<Vec<u32>>>()?.into_iter().fold(0, |mask, bit| mask | bit))
    }

    pub(super) fn all_characters(&self, file: &File) -> Result<Vec<Character>> {
        let tables = self.characters.iter().map(|name| (name, &file.character[name]));
        if let Some((_, table)) = tables.clone().nth(Character::MOST) {
            return Err(self.source.refused(table.span(), "one more", &place::CHARACTERS));
        }
        tables.map(|(name, table)| self.character(name, table)).collect()
    }

    fn character(&self, name: &str, table: &Spanned<CharacterTable>) -> Result<Character> {
        let CharacterTable { acceleration, top_speed, drag, .. } = table.get_ref();
        let drag = drag.as_ref().map(|drag| self.number(&place::CHARACTER_DRAG, drag)).transpose()?;
        let character = Character {
            name: name.to_owned(),
            acceleration: self.pair_or_zero(&place::ACCELERATION, acceleration)?.as_vec2(),
            top_speed: self.pair_or_zero(&place::TOP_SPEED, top_speed)?.as_vec2(),
            drag_per_s: drag.map(|drag| drag as f32),
            stop: self.stop(table)?,
        };
        character.validate().map_err(|error| self.source.error(table.span(), error))?;
        Ok(character)
    }

    fn stop(&self, table: &Spanned<CharacterTable>) -> Result<Stop> {
        let CharacterTable { stop, deceleration, .. } = table.get_ref();
        match (stop.as_ref().map(|stop| stop.get_ref().as_str()), stop, deceleration) {
            (Some("glide"), ..) => {
                let deceleration = required(self.source, Some(table.span()), &place::DECELERATION, deceleration)?;
                Ok(Stop::Glide(self.number(&place::DECELERATION, deceleration)? as f32))
            }
            (None | Some("dead"), _, Some(deceleration)) => {
                let message = "has no meaning unless stop = \"glide\"; leave it out";
                Err(self.source.error(deceleration.span(), message))
            }
            (Some(other), Some(stop), _) if other != "dead" => {
                let other = format!("\"{}\"", shortened(other, 60));
                Err(self.source.refused(stop.span(), other, &place::STOP))
            }
            _ => Ok(Stop::Dead),
        }
    }

    /// Where what each ball, of one of these radii, carries stands from its centre.
    pub(super) fn carries(&self, offsets: &Spanned<Vec<Pair>>, radius: &Radius) -> Result<Vec<DVec2>> {
        if !(1..=32).contains(&offsets.get_ref().len()) {
            let given = format_args!("a list of {}", offsets.get_ref().len());
            return Err(self.source.refused(offsets.span(), given, &place::CARRIES));
        }
        let (carried, [smallest, _]) = (CARRIED_SIZE * radius.least as f32, Body::RADII);
        if carried < smallest {
            let message = format!(
                "makes balls of radius {carried}, {CARRIED_SIZE} of what carries them; the least is {smallest}"
            );
            return Err(self.source.error(offsets.span(), message));
        }
        // In float32, as the world is checked.
        let largest = radius.most as f32;
        let clear = largest + CARRIED_SIZE * largest;
        let checked = |offset: &Pair| {
            let at = self.pair(&place::CARRIED, offset)?;
            if at.as_vec2().length() > clear {
                return Ok(at);
            }
            let times = 1.0 + CARRIED_SIZE;
            let message = format!(
                "[{}, {}] is refused; it must be more than {clear} px from the centre, {times} of the largest radius",
                at.x, at.y
            );
            Err(self.source.error(offset.span(), message))
        };
        offsets.get_ref().iter().map(checked).collect()
    }
}
