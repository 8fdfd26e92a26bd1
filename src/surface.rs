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
    /// How the one who steers may tilt it, beside its motion.
    pub tilt: Option<Tilt>,
}

/// How a surface is tilted about its point by [`crate::Engine::steer`]: right, clockwise as seen with y down; left,
/// back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tilt {
    /// Greatest angle either way, rad.
    pub most_rad: f32,
    /// How fast, rad/s.
    pub speed_rad_s: f32,
    /// Where it stands, rad.
    pub angle_rad: f64,
    /// Where it is sent: −1 to 1, the share of its speed.
    pub direction: f32,
}

impl Tilt {
    /// A tilt that stands level, and is sent nowhere.
    pub fn up_to(most_rad: f32, speed_rad_s: f32) -> Self {
        Self { most_rad, speed_rad_s, angle_rad: 0.0, direction: 0.0 }
    }

    /// The turn that it has now, rad/s; at its greatest angle it goes no further.
    fn turn_rad_s(&self) -> f32 {
        let is_spent = self.angle_rad * f64::from(self.direction) >= f64::from(self.most_rad * self.direction.abs());
        if is_spent { 0.0 } else { self.direction * self.speed_rad_s }
    }

    fn advance(&mut self, step_s: f64) {
        let most = f64::from(self.most_rad);
        self.angle_rad = (self.angle_rad + f64::from(self.turn_rad_s()) * step_s).clamp(-most, most);
    }
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
        Self { point, normal: normal.normalize_or_zero(), material: None, motion: Motion::default(), tilt: None }
    }

    /// The same surface with a motion.
    pub fn moving(self, motion: Motion) -> Self {
        Self { motion, ..self }
    }

    /// The same surface, to be tilted.
    pub fn tilting(self, tilt: Tilt) -> Self {
        Self { tilt: Some(tilt), ..self }
    }

    /// Whether it never moves, whoever steers.
    pub fn is_at_rest(&self) -> bool {
        self.motion.is_at_rest() && self.tilt.is_none()
    }

    /// Whether the next step moves it.
    pub(crate) fn is_moving(&self) -> bool {
        !self.motion.is_at_rest() || self.tilt.is_some_and(|tilt| tilt.turn_rad_s() != 0.0)
    }

    /// Takes it where it is after a step.
    pub(crate) fn advance(&mut self, step_s: f32) {
        self.motion.elapsed_s += f64::from(step_s);
        if let Some(tilt) = &mut self.tilt {
            tilt.advance(step_s.into());
        }
    }

    /// Sends its tilt, if it has one; whether it has.
    pub(crate) fn steer(&mut self, direction: f32) -> bool {
        if let Some(tilt) = &mut self.tilt {
            tilt.direction = direction;
        }
        self.tilt.is_some()
    }

    /// The surface as it is now: where it has got to, at the velocity and turn that it has there.
    pub fn now(&self) -> Self {
        if self.is_at_rest() {
            return self.clone();
        }
        let (travelled, direction) = self.motion.travelled();
        let (tilted, tilting) = self.tilt.map_or((0.0, 0.0), |tilt| (tilt.angle_rad, tilt.turn_rad_s()));
        let (cos, sin) = cos_sin(f64::from(self.motion.turn_rad_s) * travelled + tilted);
        let (point, normal) = (self.point.as_dvec2(), self.normal.as_dvec2());
        let motion = Motion {
            velocity: self.motion.velocity * direction,
            turn_rad_s: self.motion.turn_rad_s * direction + tilting,
            ..self.motion
        };
        Self {
            point: (point + self.motion.velocity.as_dvec2() * travelled).as_vec2(),
            normal: DVec2::new(cos * normal.x - sin * normal.y, sin * normal.x + cos * normal.y).as_vec2(),
            material: self.material,
            motion,
            tilt: self.tilt,
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
        if let Some(tilt) = self.tilt {
            in_range(format!("greatest tilt of surface {index}"), tilt.most_rad, 0.0, 1.6)?;
            in_range(format!("tilt's speed of surface {index}"), tilt.speed_rad_s, 0.0, 100.0)?;
            in_range(format!("tilt of surface {index}"), tilt.angle_rad as f32, -tilt.most_rad, tilt.most_rad)?;
            in_range(format!("tilt's direction of surface {index}"), tilt.direction, -1.0, 1.0)?;
        }
        // Not by the larger of both: of NaN and a number, that is the number.
        let is_within = self.point.to_array().iter().all(|part| part.abs() <= 1e9);
        if is_within && (self.normal.length() - 1.0).abs() < 1e-3 {
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
    fn a_tilt_goes_where_it_is_sent_and_no_further() {
        let mut ground = Surface::new(Vec2::ZERO, Vec2::NEG_Y).tilting(Tilt::up_to(0.4, 0.5));
        assert!(!ground.is_moving() && !ground.is_at_rest());
        ground.steer(1.0);
        ground.advance(0.2);
        let now = ground.now();
        assert!((now.normal - Vec2::new(0.1f32.sin(), -0.1f32.cos())).length() < 1e-6, "{now:?}");
        assert_eq!(now.motion.turn_rad_s, 0.5);
        (0..10).for_each(|_| ground.advance(0.2));
        assert_eq!(ground.tilt.unwrap().angle_rad, f64::from(0.4f32));
        assert!(!ground.is_moving() && ground.now().motion.turn_rad_s == 0.0);
        ground.steer(-1.0);
        assert!(ground.is_moving());
        (0..20).for_each(|_| ground.advance(0.2));
        assert_eq!(ground.tilt.unwrap().angle_rad, -f64::from(0.4f32));
        ground.validate(0).unwrap();
    }

    #[test]
    fn one_with_a_period_comes_back() {
        assert_eq!(after(3.0, 4.0).point, Vec2::new(15.0, 7.0));
        assert_eq!(after(3.0, 4.0).motion.velocity, Vec2::new(-10.0, 0.0));
        assert_eq!(after(4.0, 4.0).point, Vec2::new(5.0, 7.0));
        assert_eq!(after(1_000_001.0, 4.0).normal, after(1.0, 4.0).normal);
    }
}
