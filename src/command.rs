//! Everything that a user may do to a running world, as data: a run is its world, its steps, and these between them.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::{Edit, Engine, Order, Result, Tuning};

/// A change that is made between two steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Presses the pointer: see [`Engine::press`].
    Press {
        /// Where, px.
        place: Vec2,
        /// Share of the way from their last place to the current one at which balls are drawn.
        alpha: f32,
    },
    /// Moves the pressed pointer, px.
    Drag(Vec2),
    /// Lets go.
    Release,
    /// Takes new forces, materials and settings.
    Retune(Box<Tuning>),
    /// Sends the actors that follow in a direction: see [`Engine::steer`].
    Steer(Vec2),
    /// Tells each actor what to do: see [`Engine::order`].
    Order(Vec<Order>),
    /// Adds, takes or pushes balls, or changes walls.
    Edit(Edit),
}

impl Command {
    /// Does to an engine what the command says.
    ///
    /// # Errors
    /// Those of [`Engine::retune`], [`Engine::steer`], [`Engine::order`] and [`Engine::edit`]; nothing has changed
    /// then.
    pub fn apply(&self, engine: &mut dyn Engine) -> Result<()> {
        match self {
            Self::Press { place, alpha } => engine.press(*place, *alpha),
            Self::Drag(place) => engine.drag(*place),
            Self::Release => engine.release(),
            Self::Retune(tuning) => return engine.retune(tuning),
            Self::Steer(direction) => return engine.steer(*direction),
            Self::Order(orders) => return engine.order(orders),
            Self::Edit(edit) => return engine.edit(edit),
        }
        Ok(())
    }
}
