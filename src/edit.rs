//! What is done to a world while it runs: balls and walls that come and go, and pushes.

use std::ops::Range;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::{Body, Segment};

/// A change of a running world, made between two steps. Balls keep their ids for as long as the engine lives: who is erased
/// leaves the world and may come back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Adds balls and pegs; their ids follow the last one.
    Add(Vec<Body>),
    /// Draws balls toward the middle of a circle: `speed_px_s` at its rim, less further in, nothing in the middle.
    Attract(Brush),
    /// Drives balls out of a circle: `speed_px_s` in its middle, less further out, nothing at the rim.
    Repel(Brush),
    /// Erases the balls whose centre is in the circle, and those that its middle is on; under a stamp, for
    /// [`Edit::EraseStamped`] and [`Edit::RestoreStamped`].
    Erase {
        /// Middle of the circle, px.
        place: Vec2,
        /// Radius of the circle, px.
        radius: f32,
        /// What the erasure is called, above 0.
        stamp: u32,
    },
    /// Erases once more what was last erased under a stamp.
    EraseStamped(u32),
    /// Brings back what was last erased under a stamp, at rest where it was.
    RestoreStamped(u32),
    /// Erases the balls of these ids; their stamps stay as they are.
    EraseIds(Range<u32>),
    /// Brings back the balls of these ids, at rest where they were.
    RestoreIds(Range<u32>),
    /// Puts these segments in the place of all that there are.
    Segments(Vec<Segment>),
}

/// A push on the balls whose centre is in a circle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brush {
    /// Middle of the circle, px.
    pub place: Vec2,
    /// Radius of the circle, px.
    pub radius: f32,
    /// The most that the push adds to a velocity, px/s.
    pub speed_px_s: f32,
}
