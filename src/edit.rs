//! What is done to a world while it runs: balls and walls that come and go, and pushes.

use std::ops::Range;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::settings::in_range;
use crate::{Body, Error, Result, Segment, World};

/// A change of a running world, made between two steps. Balls keep their ids for as long as the engine lives: who is
/// erased leaves the world and may come back.
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

impl Edit {
    /// Refuses what no engine can take in, in a world of so many balls, and so many materials and wheels.
    ///
    /// # Errors
    /// [`Error::Value`].
    pub(crate) fn validate(&self, balls: usize, counts: (usize, usize)) -> Result<()> {
        match self {
            Self::Add(added) => {
                refuse_more("balls", balls + added.len(), World::MOST_BODIES)?;
                added.iter().zip(balls..).try_for_each(|(body, id)| {
                    body.validate(id, counts)?;
                    refuse_moving_peg(body, id)
                })
            }
            Self::Attract(brush) | Self::Repel(brush) => {
                in_range("speed of a brush", brush.speed_px_s, 0.0, 1e6)?;
                validate_circle(brush.place, brush.radius)
            }
            Self::Erase { place, radius, stamp } => {
                validate_stamp(*stamp)?;
                validate_circle(*place, *radius)
            }
            Self::EraseStamped(stamp) | Self::RestoreStamped(stamp) => validate_stamp(*stamp),
            Self::EraseIds(_) | Self::RestoreIds(_) => Ok(()),
            Self::Segments(segments) => {
                refuse_more("segments", segments.len(), Segment::MOST)?;
                segments.iter().enumerate().try_for_each(|(index, segment)| segment.validate(index, counts.0))
            }
        }
    }
}

fn validate_circle(place: Vec2, radius: f32) -> Result<()> {
    in_range("x of a brush", place.x, -1e9, 1e9)?;
    in_range("y of a brush", place.y, -1e9, 1e9)?;
    in_range("radius of a brush", radius, 1e-3, 1e6)
}

/// Nothing erased yet has the stamp 0.
fn validate_stamp(stamp: u32) -> Result<()> {
    refused_unless(stamp > 0, "stamp of an erasure", stamp, "above 0")
}

/// It would meet sleepers that nothing wakes.
fn refuse_moving_peg(body: &Body, id: usize) -> Result<()> {
    let may_be = body.inverse_mass > 0.0 || body.velocity == Vec2::ZERO;
    refused_unless(may_be, &format!("velocity of ball {id}"), body.velocity, "0 of an immovable ball that is added")
}

fn refuse_more(name: &str, count: usize, most: usize) -> Result<()> {
    refused_unless(count <= most, name, count, &format!("at most {most}"))
}

fn refused_unless(is_good: bool, name: &str, value: impl ToString, accepted: &str) -> Result<()> {
    if is_good {
        return Ok(());
    }
    Err(Error::Value { name: name.into(), value: value.to_string(), accepted: accepted.into() })
}
