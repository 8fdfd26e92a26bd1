//! Rows of the panel: a label, and a control beside it that both say what it does.

use egui::{Response, RichText, Ui};

use super::Wish;
use crate::app::keys::{Action, with_key};
use crate::app::theme;

/// A button for what a key does as well; its tip names the key.
pub(super) fn act(ui: &mut Ui, text: &str, action: Action, tip: &str, wishes: &mut Vec<Wish>) {
    if ui.button(text).on_hover_text(with_key(tip, action)).clicked() {
        wishes.push(Wish::Act(action));
    }
}

/// A labelled control.
pub(super) fn row(ui: &mut Ui, label: &str, tip: &str, widget: impl egui::Widget) -> Response {
    labelled(ui, label, tip, |ui, name| ui.add(widget).labelled_by(name).on_hover_text(tip))
}

/// A label with anything beside it, which is told the label's id.
pub(super) fn labelled<T>(ui: &mut Ui, label: &str, tip: &str, contents: impl FnOnce(&mut Ui, egui::Id) -> T) -> T {
    let row = ui.horizontal(|ui| {
        let size = egui::vec2(82.0, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let name = ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(size.x);
            let text = egui::Label::new(RichText::new(label).color(theme::SILVER)).truncate();
            ui.add(text).on_hover_text(tip).id
        });
        contents(ui, name.inner)
    });
    row.inner
}

/// Whether a value that rebuilds the world has been chosen: a drag has ended or a text been entered. Until then the draft
/// is the user's, and otherwise the world's.
pub(super) fn is_settled<T: PartialEq + Copy>(response: Response, draft: &mut T, now: T) -> bool {
    if response.drag_stopped() || response.lost_focus() {
        return *draft != now;
    }
    if !response.dragged() && !response.has_focus() {
        *draft = now;
    }
    false
}
