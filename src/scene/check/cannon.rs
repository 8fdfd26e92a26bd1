//! A scene's cannon.

use toml::Spanned;

use super::{Check, required};
use crate::scene::file::CannonTable;
use crate::scene::place;
use crate::{Cannon, Result};

impl Check<'_> {
    pub(super) fn cannon(&self, table: &Spanned<CannonTable>) -> Result<Cannon> {
        let CannonTable { position, radius, speed, material, masses } = table.get_ref();
        let position = required(self.source, Some(table.span()), &place::CANNON_POSITION, position)?;
        let radius = required(self.source, Some(table.span()), &place::CANNON_RADIUS, radius)?;
        let speed = required(self.source, Some(table.span()), &place::CANNON_SPEED, speed)?;
        let masses = match masses {
            None => vec![1.0],
            Some(masses) if !(1..=Cannon::MOST_MASSES).contains(&masses.get_ref().len()) => {
                let given = format_args!("a list of {}", masses.get_ref().len());
                return Err(self.source.refused(masses.span(), given, &place::CANNON_MASSES));
            }
            Some(masses) => {
                let mass = |mass| Ok(self.number(&place::CANNON_MASS, mass)? as f32);
                masses.get_ref().iter().map(mass).collect::<Result<_>>()?
            }
        };
        Ok(Cannon {
            place: self.pair(&place::CANNON_POSITION, position)?,
            radius: self.number(&place::CANNON_RADIUS, radius)? as f32,
            speed_px_s: self.number(&place::CANNON_SPEED, speed)? as f32,
            material: material.as_ref().map_or(Ok(0), |name| self.material_index(name))?,
            masses,
        })
    }
}
