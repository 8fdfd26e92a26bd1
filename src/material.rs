//! What a ball or a surface is made of.

use serde::{Deserialize, Serialize};

use crate::{Result, Srgb, settings::in_range};

/// How a material answers a contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// The name that scene files use.
    pub name: String,
    /// Share of the approach speed that a bounce gives back, 0 to 2. A pair of balls takes the larger
    /// of its two; a surface with a material of its own takes the surface's. Above 1 a bumper kicks.
    pub restitution: f32,
    /// Coulomb friction coefficient, 0 to 10.
    pub friction: f32,
    /// What its balls look like where colours tell nothing else; the palette's without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Srgb>,
}

impl Material {
    /// Most materials a world may have.
    pub const MOST: usize = 32;

    /// A frictionless material of no colour of its own.
    pub fn new(name: impl Into<String>, restitution: f32) -> Self {
        Self { name: name.into(), restitution, friction: 0.0, colour: None }
    }

    /// Refuses values outside their range.
    ///
    /// # Errors
    /// [`crate::Error::Value`] with the material's name.
    pub fn validate(&self) -> Result<()> {
        in_range(format!("restitution of material '{}'", self.name), self.restitution, 0.0, 2.0)?;
        in_range(format!("friction of material '{}'", self.name), self.friction, 0.0, 10.0)
    }
}
