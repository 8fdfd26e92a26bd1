//! The panel: every control of the world, each with its unit and its consequence, in groups that fold.

mod look;
mod rows;
mod scene;
#[cfg(test)]
mod tests;
mod time;
mod tools;
mod tuning;

use ballpit::Scene;
use egui::{Align2, Area, CollapsingHeader, Id, Order, RichText, ScrollArea, Separator, Ui};

use super::keys::Action;
use super::sandbox::{Change, Sandbox};
use super::{card, theme};

/// What the panel asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wish {
    Act(Action),
    Change(Change),
}

/// The panel, and what is being typed into it.
pub(crate) struct Panel {
    scenes: Vec<(&'static str, String)>,
    balls: usize,
    seed: u64,
    path: String,
}

/// Width of the panel's contents, points.
const WIDTH: f32 = 306.0;
/// What of that the scroll bar has, points.
const BAR: f32 = 8.0;
/// Between the panel and the window's edge, points.
const GAP: f32 = 10.0;
/// Height of a window in which the groups that begin unfolded all fit, points.
const ROOMY: f32 = 790.0;
/// Width of a window that has room beside the panel for the world and what is written over it, points.
const WIDE: f32 = 640.0;
/// Above and below the contents, within the card, points.
const MARGIN: f32 = 26.0;

/// Whether the panel has no room beside the world, and lies over it.
pub(crate) fn is_narrow(context: &egui::Context) -> bool {
    context.content_rect().width() < WIDE
}

impl Panel {
    pub(crate) fn new() -> Self {
        Self { scenes: Scene::names().collect(), balls: 0, seed: 0, path: String::new() }
    }

    /// Shows the panel; answers with what it asks for and the width it takes, points.
    pub(crate) fn show(&mut self, context: &egui::Context, sandbox: &Sandbox) -> (Vec<Wish>, f32) {
        let mut wishes = Vec::new();
        let height = context.content_rect().height() - 2.0 * GAP - MARGIN;
        let area = Area::new(Id::unique("panel")).anchor(Align2::RIGHT_TOP, [-GAP, GAP]).order(Order::Middle);
        let shown = area.show(context, |ui| {
            // An area starts at a default height and then keeps the last one: both would cut the list short.
            ui.set_max_height(height + MARGIN);
            card::show(ui, |ui| {
                ui.set_width(WIDTH);
                ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                    ui.set_width(WIDTH - BAR);
                    ui.spacing_mut().item_spacing.y = 4.0;
                    ui.spacing_mut().interact_size.y = 20.0;
                    // Beside the longest label and the longest number with its unit, each row ends where the panel does.
                    ui.spacing_mut().slider_width = 98.0;
                    ui.spacing_mut().button_padding.x = 6.0;
                    self.groups(ui, sandbox, &mut wishes);
                });
            });
        });
        (wishes, shown.response.rect.width() + 2.0 * GAP)
    }

    fn groups(&mut self, ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
        self.scene(ui, sandbox, wishes);
        group(ui, "Tools", true, |ui| tools::show(ui, sandbox, wishes));
        group(ui, "Time", true, |ui| time::show(ui, sandbox, wishes));
        let mut tuning = sandbox.run.tuning.clone();
        // A window of a software adapter has no room for all that is wanted most.
        let roomy = ui.ctx().content_rect().height() >= ROOMY;
        group(ui, "World", roomy, |ui| tuning::world(ui, sandbox, &mut tuning));
        group(ui, "Materials", false, |ui| tuning::materials(ui, sandbox, &mut tuning));
        group(ui, "Solver", false, |ui| tuning::solver(ui, sandbox, &mut tuning, wishes));
        if tuning != sandbox.run.tuning {
            wishes.push(Wish::Change(Change::Tuning(Box::new(tuning))));
        }
        group(ui, "Look", true, |ui| look::show(ui, sandbox, wishes));
        look::window(ui, sandbox, wishes);
    }
}

/// Controls that belong together, under a title that folds them away.
fn group(ui: &mut Ui, title: &str, open: bool, contents: impl FnOnce(&mut Ui)) {
    ui.add(Separator::default().spacing(2.0));
    let header = CollapsingHeader::new(RichText::new(title).color(theme::BLUE).strong()).default_open(open);
    header.show_unindented(ui, contents);
}
