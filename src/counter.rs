//! Counters: boxes of a world that tell how many balls are in them.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::settings::in_range;

/// A box whose balls are counted, by their centres; pegs do not count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// Smaller corner, px; it belongs to the box.
    pub min: Vec2,
    /// Larger corner, px; it does not.
    pub max: Vec2,
}

impl Counter {
    /// Most counters a world may have.
    pub const MOST: usize = 32;

    /// Whether a place is in the box.
    pub fn holds(&self, place: Vec2) -> bool {
        place.cmpge(self.min).all() && place.cmplt(self.max).all()
    }

    /// Refuses corners that are too far or not finite.
    ///
    /// # Errors
    /// [`crate::Error::Value`].
    pub fn validate(&self, index: usize) -> Result<()> {
        for (name, corner) in [("min", self.min), ("max", self.max)] {
            in_range(format!("{name} x of counter {index}"), corner.x, -1e9, 1e9)?;
            in_range(format!("{name} y of counter {index}"), corner.y, -1e9, 1e9)?;
        }
        Ok(())
    }
}
