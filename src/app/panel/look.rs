//! What the picture shows, and the window itself.

use ballpit::render::ColourMap;
use egui::{Button, ComboBox, Separator, Ui};

use super::Wish;
use super::rows::labelled;
use crate::app::keys::{Action, with_key};
use crate::app::legend;
use crate::app::sandbox::{Change, Sandbox};
use crate::colours::ColourMode;
use crate::look::Mark;

pub(super) fn show(ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
    let tip = with_key("What a ball's colour means", Action::NextColour);
    for (row, modes) in ColourMode::ALL.chunks(4).enumerate() {
        labelled(ui, if row == 0 { "Colour" } else { "" }, &tip, |ui, _| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.spacing_mut().button_padding.x = 4.0;
            modes.iter().for_each(|&mode| colour(ui, sandbox, mode, wishes));
        });
    }
    let tip = "Colours from little to much, each safe for colour-blind eyes; for what has more and less of something";
    labelled(ui, "Ramp", tip, |ui, label| {
        let chosen = sandbox.eye.look.map;
        let list = ComboBox::from_id_salt("ramp").selected_text(chosen.name()).width(90.0);
        let shown = list.show_ui(ui, |ui| {
            for map in ColourMap::ALL {
                let row = ui.horizontal(|ui| {
                    legend::bar(ui, map, 90.0);
                    ui.selectable_label(map == chosen, map.name())
                });
                if row.inner.clicked() {
                    wishes.push(Wish::Change(Change::Map(map)));
                }
            }
        });
        shown.response.labelled_by(label).on_hover_text(tip);
    });
    labelled(ui, "Draw", "Over the balls; what is off costs nothing", |ui, _| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.spacing_mut().button_padding.x = 3.0;
        let mut show = sandbox.eye.look.show;
        for mark in Mark::ALL {
            let (chosen, tip) = (*mark.switch(&mut show), with_key(mark.tip(), Action::Show(mark)));
            let refusal = sandbox.mark_refusal(mark).filter(|_| !chosen);
            if choice(ui, (chosen, mark.name()), &tip, refusal) {
                wishes.push(Wish::Act(Action::Show(mark)));
            }
        }
    });
}

fn colour(ui: &mut Ui, sandbox: &Sandbox, mode: ColourMode, wishes: &mut Vec<Wish>) {
    let (chosen, tip) = (sandbox.eye.look.colour == mode, sandbox.tip(mode.tip(), Action::Colour(mode)));
    if choice(ui, (chosen, mode.name()), &tip, sandbox.colour_refusal(mode)) {
        wishes.push(Wish::Act(Action::Colour(mode)));
    }
}

/// A name to choose, or one that can't be chosen and says why; whether it is pressed.
fn choice(ui: &mut Ui, (chosen, name): (bool, &str), tip: &str, refusal: Option<&str>) -> bool {
    let button = Button::selectable(chosen, name);
    let shown = ui.add_enabled(refusal.is_none(), button).on_hover_text(tip);
    shown.on_disabled_hover_text(refusal.unwrap_or_default()).clicked()
}

/// The window's own buttons.
pub(super) fn window(ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
    ui.add(Separator::default().spacing(2.0));
    ui.horizontal(|ui| {
        ui.spacing_mut().button_padding.x = 5.0;
        ui.spacing_mut().item_spacing.x = 5.0;
        let buttons = [
            ("Fit", Action::Fit, "Shows the whole world; the wheel zooms, the right button moves"),
            ("Plots", Action::Plots, "Times of frames, steps and stages. Timing the stages slows a step down"),
            ("Picture", Action::Screenshot, "Writes the world as it is seen to ./ballpit-1.png and on"),
            ("Film", Action::Film, "Writes 60 pictures for a second of the world into ./TITLE-1.frames; again ends it"),
            ("Full screen", Action::Fullscreen, "Fills the screen, or goes back"),
            ("Keys", Action::Help, "Every key"),
        ];
        for (text, action, tip) in buttons {
            let button = Button::new(text).selected(action == Action::Film && sandbox.pace.is_some());
            if ui.add(button).on_hover_text(with_key(tip, action)).clicked() {
                wishes.push(Wish::Act(action));
            }
        }
    });
}
