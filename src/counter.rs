//! Counters: boxes of a world that tell how many balls are in them.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::settings::in_range;
use crate::{Error, Result};

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

    /// Whether no place can be in it.
    pub(crate) fn is_empty(&self) -> bool {
        !self.min.cmplt(self.max).all()
    }

    /// Refuses corners that are too far or not finite, and a box without room.
    ///
    /// # Errors
    /// [`crate::Error::Value`].
    pub fn validate(&self, index: usize) -> Result<()> {
        for (name, corner) in [("min", self.min), ("max", self.max)] {
            in_range(format!("{name} x of counter {index}"), corner.x, -1e9, 1e9)?;
            in_range(format!("{name} y of counter {index}"), corner.y, -1e9, 1e9)?;
        }
        if !self.is_empty() {
            return Ok(());
        }
        let value = format!("{} by {}", self.max.x - self.min.x, self.max.y - self.min.y);
        Err(Error::Value { name: format!("size of counter {index}"), value, accepted: "above 0 each way".into() })
    }
}
