//! Saved worlds as scenes: they begin where they were saved.

use super::{Overrides, Scene};
use crate::error::shortened;
use crate::{Error, Result, Settings, Snapshot, World};

/// The state that a scene begins with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Saved {
    pub(super) world: World,
    /// Steps made before.
    steps: u64,
}

/// The scene of a world that was saved without one.
const BARE: &str = "version = 1\ntitle = \"Saved world\"\n[world]\nmin = [0, 0]\nmax = [1, 1]\n";

impl Scene {
    /// The scene that goes on from a saved state, stepped as it was.
    ///
    /// # Errors
    /// [`Error::Scene`] if the scene that it came from is none.
    pub fn of_snapshot(snapshot: Snapshot) -> Result<Self> {
        let Snapshot { title, seed, steps, scene, settings, world } = snapshot;
        let text = if scene.is_empty() { BARE } else { &scene };
        let origin = Self::parse(text, &format!("the scene in the saved world '{}'", shortened(&title, 60)))?;
        let saved = Some(Box::new(Saved { world, steps }));
        Ok(Self { title, seed, settings, text: scene, saved, ..origin })
    }

    /// The same of a file; errors call it `place`.
    pub(crate) fn of_saved(snapshot: Snapshot, place: &str) -> Result<Self> {
        Self::of_snapshot(snapshot).map_err(|error| Error::Scene { place: place.into(), message: error.to_string() })
    }

    /// The scene that a saved world came from, if it is known; any other scene is itself.
    pub fn anew(self) -> Self {
        let saved = self.saved.filter(|_| self.text.is_empty());
        Self { saved, ..self }
    }

    /// Steps that a saved world had made before; 0 of any other scene.
    pub fn steps(&self) -> u64 {
        self.saved.as_ref().map_or(0, |saved| saved.steps)
    }

    /// The state that it begins with, of a saved world.
    pub(crate) fn snapshot(&self, settings: &Settings) -> Option<Snapshot> {
        let saved = self.saved.as_ref()?;
        Some(Snapshot::of(self, settings.clone(), saved.world.clone(), 0))
    }

    /// The saved world, or where it is to have other balls or another seed, a new one of the scene it came from.
    pub(super) fn build_saved(&self, saved: &Saved, overrides: &Overrides) -> Result<World> {
        if *overrides == Overrides::default() {
            return Ok(saved.world.clone());
        }
        if self.text.is_empty() {
            return Err(Error::Value {
                name: "seed or number of balls".into(),
                value: "given".into(),
                accepted: "left out: this world was saved without the scene that it came from".into(),
            });
        }
        self.clone().anew().build(overrides)
    }
}
