//! Flat surfaces that bound the balls' room.

use glam::Vec2;

use crate::{Error, Result};

/// A half-plane: balls stay on the side its normal points to.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// A point on it, px.
    pub point: Vec2,
    /// Unit normal, out of the surface, toward the balls.
    pub normal: Vec2,
    /// Its material's index in the world; `None` bounces by the ball's own material.
    pub material: Option<usize>,
}

impl Surface {
    /// Most surfaces a world may have.
    pub const MOST: usize = 32;

    /// A surface through `point` with the direction of `normal`, which need not be of unit length.
    pub fn new(point: Vec2, normal: Vec2) -> Self {
        Self { point, normal: normal.normalize_or_zero(), material: None }
    }

    /// Refuses points that are too far or not finite, and normals that are not of unit length.
    ///
    /// # Errors
    /// [`Error::Value`].
    pub fn validate(&self, index: usize) -> Result<()> {
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
