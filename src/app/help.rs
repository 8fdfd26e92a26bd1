//! The help overlay: every key and what the pointer does, from the one table.

use egui::{Align2, Area, Grid, Id, Order, RichText, ScrollArea, Ui};

use super::helm::{Steered, shot_of};
use super::keys::{Action, Binding, GROUPS, Group, POINTER, Stroke};
use super::tools::Tool;
use super::{card, theme};

/// Shows the overlay, with the keys of the helm; answers whether its button closes it.
pub(crate) fn show(context: &egui::Context, taken: (Steered, usize)) -> bool {
    let mut closed = false;
    let screen = context.content_rect();
    let height = screen.height() - 60.0;
    let area = Area::new(Id::unique("help")).anchor(Align2::CENTER_CENTER, [0.0, 0.0]).order(Order::Foreground);
    area.show(context, |ui| {
        // An area starts at a default size and then keeps the last one: both would cut the list short.
        ui.set_max_size(egui::vec2(screen.width() - 40.0, height + 26.0));
        card::show(ui, |ui| {
            ScrollArea::vertical().max_height(height).show(ui, |ui| closed = contents(ui, screen.width(), taken));
        });
    });
    closed
}

fn contents(ui: &mut Ui, width: f32, taken: (Steered, usize)) -> bool {
    let mut closed = false;
    // On a narrow window the columns stand below each other.
    let wide = width > 840.0;
    ui.set_width(if wide { 780.0 } else { width.min(440.0) - 60.0 });
    ui.spacing_mut().interact_size.y = 17.0;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Keys and pointer").heading().color(theme::TEXT));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            closed = ui.button("Close").clicked();
        });
    });
    ui.add_space(4.0);
    if !wide {
        helm(ui, taken);
        GROUPS.iter().for_each(|group| keys(ui, group, taken));
        pointer(ui);
        return closed;
    }
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            helm(ui, taken);
            GROUPS[..3].iter().for_each(|group| keys(ui, group, taken));
        });
        ui.add_space(24.0);
        ui.vertical(|ui| {
            GROUPS[3..].iter().for_each(|group| keys(ui, group, taken));
            pointer(ui);
        });
    });
    closed
}

/// Keys that only a world has in which something is steered.
fn helm(ui: &mut Ui, (steered, shots): (Steered, usize)) {
    if shots > 0 {
        section(ui, "Cannon", |ui| row(ui, &format!("1 to {shots}"), "how heavy the ball is that a click fires"));
    }
    if let Some((title, rows)) = steered.help() {
        section(ui, title, |ui| rows.iter().for_each(|(what, help)| row(ui, what, help)));
    }
}

fn keys(ui: &mut Ui, group: &Group, (steered, shots): (Steered, usize)) {
    // What the helm takes means nothing else.
    let is_taken = |key: Stroke| steered.takes(key) || shot_of(key, shots).is_some();
    let is_idle = |binding: &&Binding| shots == 0 && binding.action == Action::Take(Tool::Fire);
    let taken = |binding: &&Binding| binding.keys.iter().all(|&key| is_taken(key));
    section(ui, group.title, |ui| {
        for binding in group.bindings.iter().filter(|binding| !taken(binding) && !is_idle(binding)) {
            let keys: Vec<String> = binding.keys.iter().map(|key| key.label()).collect();
            row(ui, &keys.join(" or "), binding.help);
        }
    });
}

fn pointer(ui: &mut Ui) {
    section(ui, "Pointer", |ui| POINTER.iter().for_each(|(what, help)| row(ui, what, help)));
}

fn section(ui: &mut Ui, title: &str, rows: impl FnOnce(&mut Ui)) {
    ui.add_space(6.0);
    ui.label(RichText::new(title).color(theme::BLUE).strong());
    Grid::new(title).num_columns(2).min_col_width(92.0).spacing([12.0, 4.0]).show(ui, rows);
}

fn row(ui: &mut Ui, what: &str, help: &str) {
    ui.label(RichText::new(what).monospace().color(theme::TEXT));
    ui.label(RichText::new(help).color(theme::SILVER));
    ui.end_row();
}
