//! Segments: straight walls of finite length, solid on both sides.

use glam::Vec2;

use crate::settings::in_range;
use crate::{Error, Record, Result};

/// A wall from one point to another, with round ends. It never moves; balls meet it as they meet an immovable ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// One end, px.
    pub from: Vec2,
    /// The other end, px.
    pub to: Vec2,
    /// Half its thickness, px.
    pub radius: f32,
    /// Index of its material in the world.
    pub material: usize,
}

impl Segment {
    /// Most segments a world may have.
    pub const MOST: usize = 1 << 20;

    /// A wall 2 px thick.
    pub fn new(from: Vec2, to: Vec2) -> Self {
        Self { from, to, radius: 1.0, material: 0 }
    }

    /// Length, px.
    pub fn length(&self) -> f32 {
        self.from.distance(self.to)
    }

    /// Refuses ends that are too far or not finite, and segments of no length.
    ///
    /// # Errors
    /// [`Error::Value`].
    pub(crate) fn validate(&self, index: usize, materials: usize) -> Result<()> {
        let place = |what: &str| format!("{what} of segment {index}");
        for (what, end) in [("from", self.from), ("to", self.to)] {
            in_range(place(&format!("{what} x")), end.x, -1e9, 1e9)?;
            in_range(place(&format!("{what} y")), end.y, -1e9, 1e9)?;
        }
        in_range(place("length"), self.length(), 0.01, 1e9)?;
        in_range(place("radius"), self.radius, 0.0, 1e6)?;
        if self.material < materials {
            return Ok(());
        }
        Err(Error::Value {
            name: place("material"),
            value: self.material.to_string(),
            accepted: format!("the index of one of the world's {materials} materials"),
        })
    }

    /// The segment as the grid takes it: records of pieces no longer than `longest`, each with its middle for a place and
    /// half its extent for a velocity.
    pub(crate) fn pieces(&self, longest: f32) -> impl Iterator<Item = Record> + use<> {
        let Self { from, to, radius, material } = *self;
        let count = (self.length() / longest).ceil().max(1.0);
        let half = (to - from) / (2.0 * count);
        (0..count as u32).map(move |piece| {
            let middle = from + half * (2 * piece + 1) as f32;
            Record {
                x: middle.x,
                y: middle.y,
                vx: half.x,
                vy: half.y,
                radius,
                split: 1.0,
                inverse_mass: 0.0,
                flags: material as f32,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_segment_from_end_to_end() {
        let segment = Segment::new(Vec2::new(10.0, 20.0), Vec2::new(40.0, -20.0));
        for (longest, count) in [(1e9, 1), (50.0, 1), (49.0, 2), (7.0, 8)] {
            let pieces: Vec<Record> = segment.pieces(longest).collect();
            assert_eq!(pieces.len(), count);
            let mut at = segment.from;
            for piece in pieces {
                let (middle, half) = (Vec2::new(piece.x, piece.y), Vec2::new(piece.vx, piece.vy));
                assert!((middle - half - at).length() < 1e-4);
                at = middle + half;
            }
            assert!((at - segment.to).length() < 1e-4);
        }
    }
}
