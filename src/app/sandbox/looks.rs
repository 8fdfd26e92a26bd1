//! How the running world is looked at, as far as its solver has anything to show.

use super::Sandbox;
use crate::app::helm::shot_of;
use crate::app::keys::{self, Action};
use crate::colours::ColourMode;
use crate::look::{Look, Mark};

impl Sandbox {
    /// Why a colour means nothing here, where it does not.
    pub(crate) fn colour_refusal(&self, colour: ColourMode) -> Option<&'static str> {
        let refusal = colour.refusal(&self.run.tuning.settings.solver);
        refusal.or(self.list_refusal(&Look { colour, ..Look::default() }))
    }

    /// Why there is nothing of this to be drawn here, where there is not.
    pub(crate) fn mark_refusal(&self, mark: Mark) -> Option<&'static str> {
        self.list_refusal(&Look { show: Mark::shown(&[mark]), ..Look::default() })
    }

    fn list_refusal(&self, look: &Look) -> Option<&'static str> {
        let is_refused = look.shows_lists() && self.run.engine.lattice().is_none();
        is_refused.then_some("the sequential solver keeps no grid and no lists of neighbours")
    }

    /// What is said of an action, with its key unless this world has another meaning for it.
    pub(crate) fn tip(&self, text: &str, action: Action) -> String {
        let (steered, shots) = (self.steered(), self.shots());
        keys::with_free_key(text, action, |key| steered.takes(key) || shot_of(key, shots).is_some())
    }

    /// Colours by something, or says why it means nothing here.
    pub(super) fn colour_by(&mut self, colour: ColourMode) {
        match self.colour_refusal(colour) {
            None => self.eye.look.colour = colour,
            Some(reason) => self.trouble = Some(format!("no colours by {}: {reason}", colour.name())),
        }
    }

    /// Turns to the next of the colours that mean something here.
    pub(super) fn next_colour(&mut self) {
        let mut colour = self.eye.look.colour.next();
        while self.colour_refusal(colour).is_some() {
            colour = colour.next();
        }
        self.eye.look.colour = colour;
    }

    /// Draws something over the balls or no more, or says why there is nothing of it here.
    pub(super) fn toggle(&mut self, mark: Mark) {
        let refusal = self.mark_refusal(mark);
        let switch = mark.switch(&mut self.eye.look.show);
        match refusal {
            Some(reason) if !*switch => self.trouble = Some(format!("no {} to draw: {reason}", mark.name())),
            _ => *switch = !*switch,
        }
    }

    /// Leaves what has no meaning in a run that begins, and says so.
    pub(super) fn look_again(&mut self) {
        let colour = self.eye.look.colour;
        let refused = self.colour_refusal(colour).map(|reason| format!("no colours by {}: {reason}", colour.name()));
        if refused.is_some() {
            self.eye.look.colour = ColourMode::default();
        }
        let is_idle = |mark: &Mark| *mark.switch(&mut self.eye.look.show.clone()) && self.mark_refusal(*mark).is_some();
        let idle: Vec<Mark> = Mark::ALL.into_iter().filter(is_idle).collect();
        let reason = idle.first().and_then(|&mark| self.mark_refusal(mark));
        idle.iter().for_each(|mark| *mark.switch(&mut self.eye.look.show) = false);
        let names: Vec<&str> = idle.into_iter().map(Mark::name).collect();
        let undrawn = reason.map(|reason| format!("no {} to draw: {reason}", names.join(", no ")));
        let said: Vec<String> = refused.into_iter().chain(undrawn).collect();
        if !said.is_empty() {
            self.news = Some(said.join("; "));
        }
    }
}
