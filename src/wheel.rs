//! Wheels: what carries pegs round.

use glam::{DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::portable::cos_sin;
use crate::settings::in_range;

/// A point about which pegs turn: the immovable balls that name it ([`crate::Body::wheel`]).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// Where its pegs turn about, px.
    pub centre: Vec2,
    /// How fast, rad/s, clockwise as seen with y down.
    pub turn_rad_s: f32,
}

impl Wheel {
    /// Most wheels a world may have.
    pub const MOST: usize = 16;

    /// What makes the velocity of a peg from its place d about the centre: along · d + across · d turned by a right
    /// angle, 1/s. A step of `step_s` at that velocity ends on the circle.
    pub(crate) fn carry(&self, step_s: f32) -> DVec2 {
        let (cos, sin) = cos_sin(f64::from(self.turn_rad_s) * f64::from(step_s));
        DVec2::new(cos - 1.0, sin) / f64::from(step_s)
    }

    /// Refuses a centre that is too far or not finite, and a turn out of range.
    ///
    /// # Errors
    /// [`crate::Error::Value`].
    pub fn validate(&self, index: usize) -> Result<()> {
        in_range(format!("centre x of wheel {index}"), self.centre.x, -1e9, 1e9)?;
        in_range(format!("centre y of wheel {index}"), self.centre.y, -1e9, 1e9)?;
        in_range(format!("turn of wheel {index}"), self.turn_rad_s, -100.0, 100.0)
    }
}
