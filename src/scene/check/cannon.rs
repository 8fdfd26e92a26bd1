//! A scene's cannon.

use glam::Vec2;
use toml::Spanned;

use super::{Check, required};
use crate::scene::file::{CannonTable, Number};
use crate::scene::place;
use crate::{Body, Cannon, Result};

impl Check<'_> {
    pub(super) fn cannon(&self, table: &Spanned<CannonTable>) -> Result<Cannon> {
        let CannonTable { position, radius, speed, material, masses } = table.get_ref();
        let position = required(self.source, Some(table.span()), &place::CANNON_POSITION, position)?;
        let radius = required(self.source, Some(table.span()), &place::CANNON_RADIUS, radius)?;
        let speed = required(self.source, Some(table.span()), &place::CANNON_SPEED, speed)?;
        let usual = Body::ball(Vec2::ZERO, self.number(&place::CANNON_RADIUS, radius)? as f32);
        let masses = match masses {
            None => vec![self.multiple(&usual, (radius, 1.0))?],
            Some(masses) if !(1..=Cannon::MOST_MASSES).contains(&masses.get_ref().len()) => {
                let given = format_args!("a list of {}", masses.get_ref().len());
                return Err(self.source.refused(masses.span(), given, &place::CANNON_MASSES));
            }
            Some(masses) => {
                let mass = |mass| self.multiple(&usual, (mass, self.number(&place::CANNON_MASS, mass)? as f32));
                masses.get_ref().iter().map(mass).collect::<Result<_>>()?
            }
        };
        Ok(Cannon {
            place: self.pair(&place::CANNON_POSITION, position)?,
            radius: usual.radius,
            speed_px_s: self.number(&place::CANNON_SPEED, speed)? as f32,
            material: material.as_ref().map_or(Ok(0), |name| self.material_index(name))?,
            masses,
        })
    }

    /// A multiple of a ball's usual mass that gives it a mass that it may have.
    fn multiple(&self, usual: &Body, (given, multiple): (&Number, f32)) -> Result<f32> {
        let [least, most] = Body::INVERSE_MASSES;
        if (least..=most).contains(&(usual.inverse_mass / multiple)) {
            return Ok(multiple);
        }
        let (mass, range) = (usual.mass() * multiple, [1.0 / most, 1.0 / least]);
        let message = format!(
            "gives a ball of mass {mass:e}, radius² times masses; it must be from {:e} to {:e}",
            range[0], range[1]
        );
        Err(self.source.error(given.span(), message))
    }
}
