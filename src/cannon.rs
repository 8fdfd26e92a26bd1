//! Cannons: what a scene lets its user fire at something.

use glam::{DVec2, Vec2};

use crate::Body;

/// A place from which balls are fired, of one radius and a choice of masses.
#[derive(Clone, Debug, PartialEq)]
pub struct Cannon {
    /// Where its balls start, px.
    pub(crate) place: DVec2,
    /// How fast, px/s.
    pub(crate) speed_px_s: f32,
    /// Their radius, px.
    pub(crate) radius: f32,
    /// Index of their material.
    pub(crate) material: usize,
    /// The masses to choose from, as multiples of the radius squared.
    pub(crate) masses: Vec<f32>,
}

impl Cannon {
    /// Most masses that a cannon has to choose from: a key each.
    pub const MOST_MASSES: usize = 9;

    /// Where its balls start, px.
    pub fn place(&self) -> Vec2 {
        self.place.as_vec2()
    }

    /// Their radius, px.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The masses to choose from, as multiples of the radius squared.
    pub fn masses(&self) -> &[f32] {
        &self.masses
    }

    /// The ball that is fired toward a place, of the mass of an index of [`Cannon::masses`], or the last.
    pub fn shot(&self, toward: Vec2, mass: usize) -> Body {
        let place = self.place();
        let direction = (toward - place).try_normalize().unwrap_or(Vec2::X);
        let ball = Body::ball(place, self.radius);
        let times = self.masses[mass.min(self.masses.len() - 1)];
        let ball = Body { material: self.material, inverse_mass: ball.inverse_mass / times, ..ball };
        ball.moving(direction * self.speed_px_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shot_flies_toward_the_place_and_weighs_what_was_chosen() {
        let masses = vec![1.0, 10.0];
        let cannon = Cannon { place: DVec2::new(10.0, 20.0), speed_px_s: 500.0, radius: 4.0, material: 0, masses };
        let shot = cannon.shot(Vec2::new(13.0, 24.0), 1);
        assert_eq!((shot.position, shot.velocity), (Vec2::new(10.0, 20.0), Vec2::new(300.0, 400.0)));
        assert!((shot.mass() - 160.0).abs() < 1e-3);
        assert_eq!(cannon.shot(Vec2::ZERO, 7).mass(), shot.mass());
        assert_eq!(cannon.shot(Vec2::new(10.0, 20.0), 0).velocity, Vec2::new(500.0, 0.0));
    }
}
