//! How time runs.

use ballpit::{Mode, SlowMotion};
use egui::Ui;

use super::Wish;
use super::rows::{act, labelled};
use crate::app::keys::{Action, with_key};
use crate::app::sandbox::{Change, Sandbox};

pub(super) fn show(ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
    let clock = &sandbox.clock;
    ui.horizontal(|ui| {
        let pause = if clock.is_paused() { "Go on" } else { "Pause" };
        act(ui, pause, Action::Pause, "Stops time; dragging waits too", wishes);
        act(ui, "One step", Action::StepOnce, "Pauses, and makes one step of the fixed length", wishes);
        act(ui, "Lag spike", Action::LagSpike, "Makes one frame a fifth of a second long, as if stalled", wishes);
    });
    labelled(ui, "Speed", &sandbox.tip("Slow motion: the same steps, only rarer", Action::SlowMotion), |ui, _| {
        for (speed, name) in SlowMotion::ALL.into_iter().zip(["1", "1/2", "1/4", "1/8"]) {
            if ui.selectable_label(clock.slow_motion() == speed, name).clicked() {
                wishes.push(Wish::Change(Change::SlowMotion(speed)));
            }
        }
    });
    let tip = "Fixed steps give the same world whatever the frame rate; one variable step a frame does not";
    let tip = with_key(tip, Action::ToggleMode);
    labelled(ui, "Steps", &tip, |ui, _| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for (mode, name) in [(Mode::Fixed, "fixed"), (Mode::Variable, "variable")] {
            if ui.selectable_label(clock.mode() == mode, name).clicked() && clock.mode() != mode {
                wishes.push(Wish::Act(Action::ToggleMode));
            }
        }
        let mut interpolate = sandbox.eye.interpolate;
        let tip = "Draws balls between their last two places: smooth at any rate, one step late";
        let tip = with_key(tip, Action::ToggleInterpolation);
        if ui.checkbox(&mut interpolate, "interpolate").on_hover_text(tip).changed() {
            wishes.push(Wish::Act(Action::ToggleInterpolation));
        }
    });
}
