//! What the pointer does.

use egui::{Slider, Ui};

use super::Wish;
use super::rows::{act, row};
use crate::app::keys::Action;
use crate::app::sandbox::{Change, Sandbox};
use crate::app::tools::Tool;

pub(super) fn show(ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for tool in Tool::ALL.into_iter().filter(|&tool| tool != Tool::Fire || sandbox.shots() > 0) {
            let action = Action::Take(tool);
            let tip = sandbox.tip(&format!("Left button: {}", tool.help()), action);
            if ui.selectable_label(sandbox.tools.tool == tool, tool.name()).on_hover_text(tip).clicked() {
                wishes.push(Wish::Act(action));
            }
        }
        ui.add_space(12.0);
        act(ui, "Undo", Action::Undo, "Takes back what was poured, drawn, set or erased", wishes);
        act(ui, "Redo", Action::Redo, "Does it again", wishes);
    });
    let (mut radius, [least, most]) = (sandbox.tools.radius_px(), sandbox.tools.bounds_px());
    let tip = "Radius of the tool's ring, px; the wheel changes it over the world";
    let slider = Slider::new(&mut radius, least..=most).logarithmic(true).fixed_decimals(0).suffix(" px");
    if row(ui, "Ring", tip, slider).changed() {
        wishes.push(Wish::Change(Change::Brush(radius)));
    }
}
