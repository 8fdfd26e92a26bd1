//! What a world does with time.

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The physics of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// None: every call is accepted and changes no ball.
    Null,
    /// Forces, contacts, and actors that go where they are sent. A world of which nothing is asked is as with
    /// [`Model::Null`].
    #[default]
    Arcade,
}

impl Model {
    /// The names that [`Model::named`] knows, in words.
    pub(crate) const ACCEPTED: &str = "\"null\" or \"arcade\"";

    /// The model of a name, which must match whole.
    ///
    /// # Errors
    /// [`Error::Value`] that quotes any other name.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "null" => Ok(Self::Null),
            "arcade" => Ok(Self::Arcade),
            other => Err(Error::Value {
                name: "model".into(),
                value: format!("\"{}\"", other.escape_default()),
                accepted: Self::ACCEPTED.into(),
            }),
        }
    }
}
