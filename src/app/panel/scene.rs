//! Which world is built, and how large.

use std::borrow::Cow;
use std::path::Path;

use egui::{ComboBox, DragValue, RichText, Ui};

use super::rows::{act, is_settled, labelled};
use super::{Panel, Wish};
use crate::app::keys::Action;
use crate::app::sandbox::{Change, Sandbox};
use crate::app::{path_field, theme};
use crate::numbers::grouped;

impl Panel {
    pub(super) fn scene(&mut self, ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
        self.choice(ui, sandbox.shown_name(), wishes);
        if !sandbox.run.scene.description.is_empty() {
            ui.label(RichText::new(&sandbox.run.scene.description).color(theme::GREY));
        }
        let (_, path) = path_field::show(ui, &mut self.path, "a file, or drop one here");
        wishes.extend(path.map(|path| Wish::Change(Change::Scene(path))));
        files(ui, sandbox, wishes);
        self.size(ui, sandbox, wishes);
        ui.horizontal(|ui| {
            act(ui, "Restart", Action::Restart, "The same balls in the same places", wishes);
            act(ui, "New seed", Action::NewSeed, "Other places and sizes, from a new seed", wishes);
        });
    }

    fn choice(&self, ui: &mut Ui, here: &Path, wishes: &mut Vec<Wish>) {
        ui.horizontal(|ui| {
            let name = ui.label(RichText::new("Scene").color(theme::BLUE).strong()).id;
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                act(ui, ">", Action::NextScene, "The next scene", wishes);
                act(ui, "<", Action::PreviousScene, "The scene before", wishes);
                let list = ComboBox::from_id_salt("scene").selected_text(&*short(here)).width(ui.available_width());
                // As long as all names need, where the window is.
                let list = list.height(ui.ctx().content_rect().height() - 80.0);
                let shown = list.show_ui(ui, |ui| {
                    for (name, description) in &self.scenes {
                        let choice = ui.selectable_label(Path::new(name) == here, *name).on_hover_text(description);
                        if choice.clicked() {
                            wishes.push(Wish::Change(Change::Scene(name.into())));
                        }
                    }
                });
                shown.response.labelled_by(name);
            });
        });
    }

    fn size(&mut self, ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
        let now = sandbox.balls();
        let range = now.min(1)..=now.max(10_000_000);
        let balls = DragValue::new(&mut self.balls).range(range).speed((0.01 * now as f64).max(0.01));
        let balls = balls.custom_formatter(|number, _| grouped(number as u64));
        let balls = balls.custom_parser(|text| text.replace(',', "").parse().ok());
        let tip = "How many balls; another number builds the scene anew. A step's time grows with it.";
        let (balls, seed) = labelled(ui, "Balls", tip, |ui, name| {
            let balls = ui.add(balls).labelled_by(name).on_hover_text(tip);
            let tip = "Places and sizes follow from it: the same seed makes the same world. Builds the scene anew.";
            ui.add_space(12.0);
            let name = ui.label(RichText::new("Seed").color(theme::SILVER)).on_hover_text(tip).id;
            let seed = ui.add(DragValue::new(&mut self.seed).speed(0.2)).labelled_by(name).on_hover_text(tip);
            (balls, seed)
        });
        if is_settled(balls, &mut self.balls, now) {
            wishes.push(Wish::Change(Change::Balls(self.balls)));
        }
        if is_settled(seed, &mut self.seed, sandbox.run.seed) {
            wishes.push(Wish::Change(Change::Seed(self.seed)));
        }
    }
}

fn files(ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
    ui.horizontal(|ui| {
        act(ui, "Files", Action::Open, "Lists what this folder has to open", wishes);
        act(ui, "Save", Action::Save, "Saves the world as ./TITLE-1.ballpit and on", wishes);
        let tip = "Writes the balls as ./TITLE-1.csv and on, numbers to the last bit";
        act(ui, "CSV", Action::SaveCsv, tip, wishes);
        let record = if sandbox.tape.is_recording() { "End recording" } else { "Record" };
        act(ui, record, Action::Record, "Writes down what is done, to be played again", wishes);
    });
}

/// A name or a path's end, short enough for the panel.
fn short(name: &Path) -> Cow<'_, str> {
    name.file_name().unwrap_or(name.as_os_str()).to_string_lossy()
}
