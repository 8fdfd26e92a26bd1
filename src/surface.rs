//! Flat surfaces that bound the balls' room.

use glam::{DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::portable::cos_sin;
use crate::settings::in_range;
use crate::{Error, Result};

/// A half-plane: balls stay on the side its normal points to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// A point on it, px.
    pub point: Vec2,
    /// Unit normal, out of the surface, toward the balls.
    pub normal: Vec2,
    /// Its material's index in the world; `None` bounces and rubs by the ball's own material.
    pub material: Option<usize>,
    /// How it moves away from point and normal as they are given.
    pub motion: Motion,
}

/// How a surface moves: at a steady velocity and turn, there only, or there and back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// Velocity of the surface's point, px/s.
    pub velocity: Vec2,
    /// Turn about the surface's point, rad/s, clockwise as seen with y down.
    pub turn_rad_s: f32,
    /// Seconds in which it goes there and back; 0 goes on for ever.
    pub period_s: f32,
    /// Seconds that it has been moving.
    pub elapsed_s: f64,
}

impl Motion {
    fn is_at_rest(&self) -> bool {
        self.velocity == Vec2::ZERO && self.turn_rad_s == 0.0
    }

    /// Seconds of steady motion that have brought it where it is, and whether it goes there (1) or back (−1).
    fn travelled(&self) -> (f64, f32) {
        let period = f64::from(self.period_s);
        if period <= 0.0 {
            return (self.elapsed_s, 1.0);
        }
        let phase = self.elapsed_s % period;
        if phase < 0.5 * period { (phase, 1.0) } else { (period - phase, -1.0) }
    }
}

impl Surface {
    /// Most surfaces a world may have.
    pub const MOST: usize = 32;

    /// A surface at rest through `point` with the direction of `normal`, which need not be of unit length.
    pub fn new(point: Vec2, normal: Vec2) -> Self {
        Self { point, normal: normal.normalize_or_zero(), material: None, motion: Motion::default() }
    }

    /// The same surface with a motion.
    pub fn moving(self, motion: Motion) -> Self {
        Self { motion, ..self }
    }

    /// Whether it ever moves.
    pub fn is_at_rest(&self) -> bool {
        self.motion.is_at_rest()
    }

    /// The surface as it is now: where it has got to, at the velocity and turn that it has there.
    pub fn now(&self) -> Self {
        if self.is_at_rest() {
            return self.clone();
        }
        let (travelled, direction) = self.motion.travelled();
        let (cos, sin) = cos_sin(f64::from(self.motion.turn_rad_s) * travelled);
        let (point, normal) = (self.point.as_dvec2(), self.normal.as_dvec2());
        let motion = Motion {
            velocity: self.motion.velocity * direction,
            turn_rad_s: self.motion.turn_rad_s * direction,
            ..self.motion
        };
        Self {
            point: (point + self.motion.velocity.as_dvec2() * travelled).as_vec2(),
            normal: DVec2::new(cos * normal.x - sin * normal.y, sin * normal.x + cos * normal.y).as_vec2(),
            material: self.material,
            motion,
        }
    }

    /// Refuses points that are too far or not finite, normals that are not of unit length, and motions out of range.
    ///
    /// # Errors
    /// [`Error::Value`].
    pub fn validate(&self, index: usize) -> Result<()> {
        let Motion { velocity, turn_rad_s, period_s, elapsed_s } = self.motion;
        in_range(format!("velocity x of surface {index}"), velocity.x, -1e6, 1e6)?;
        in_range(format!("velocity y of surface {index}"), velocity.y, -1e6, 1e6)?;
        in_range(format!("turn of surface {index}"), turn_rad_s, -100.0, 100.0)?;
        in_range(format!("period of surface {index}"), period_s, 0.0, 1e6)?;
        in_range(format!("elapsed time of surface {index}"), elapsed_s as f32, 0.0, 1e9)?;
        if self.point.abs().max_element() <= 1e9 && (self.normal.length() - 1.0).abs() < 1e-3 {
            return Ok(());
        }
        Err(Error::Value {
            name: format!("surface {index}"),
            value: format!("at {} facing {}", self.point, self.normal),
            accepted: "a point within 1e9 px and a normal other than zero".into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(elapsed_s: f64, period_s: f32) -> Surface {
        let motion = Motion { velocity: Vec2::new(10.0, 0.0), turn_rad_s: 0.5, period_s, elapsed_s };
        Surface::new(Vec2::new(5.0, 7.0), Vec2::NEG_Y).moving(motion).now()
    }

    #[test]
    fn a_surface_goes_on_and_turns_clockwise() {
        let now = after(2.0, 0.0);
        assert_eq!(now.point, Vec2::new(25.0, 7.0));
        assert!((now.normal - Vec2::new(1f32.sin(), -1f32.cos())).length() < 1e-6, "{now:?}");
    }

    #[test]
    fn one_with_a_period_comes_back() {
        assert_eq!(after(3.0, 4.0).point, Vec2::new(15.0, 7.0));
        assert_eq!(after(3.0, 4.0).motion.velocity, Vec2::new(-10.0, 0.0));
        assert_eq!(after(4.0, 4.0).point, Vec2::new(5.0, 7.0));
        assert_eq!(after(1_000_001.0, 4.0).normal, after(1.0, 4.0).normal);
    }
}
