//! What the colours mean: a ramp with both its ends and their unit, or a swatch for each.

use egui::{Align2, Area, Color32, Id, Mesh, Order, Pos2, Rect, RichText, Shape, Ui, Vec2};

use ballpit::render::ColourMap;

use super::theme;
use crate::colours::Legend;

/// Height of a legend, points. The world leaves room for it even where there is none, so that it does not jump.
pub(crate) const HEIGHT: f32 = 20.0;
/// Size of a ramp's bar, points.
const BAR: Vec2 = Vec2::new(160.0, 9.0);
/// Stretches of one gradient that the bar is made of.
const STEPS: u32 = 32;

/// Shows the legend in the lower left corner, in some width and that far above the window's edge, points.
pub(crate) fn show(context: &egui::Context, (legend, map): (&Legend, ColourMap), (width, above): (f32, f32)) {
    if *legend == Legend::None {
        return;
    }
    let area = Area::new(Id::unique("legend")).anchor(Align2::LEFT_BOTTOM, [14.0, -above]).interactable(false);
    area.order(Order::Middle).show(context, |ui| ui.horizontal(|ui| contents(ui, legend, map, width)));
}

fn contents(ui: &mut Ui, legend: &Legend, map: ColourMap, width: f32) {
    match legend {
        Legend::None => {}
        Legend::Ramp { title, least, most } => {
            text(ui, title, theme::TEXT);
            text(ui, least, theme::SILVER);
            bar(ui, map, 0.25 * width);
            text(ui, most, theme::SILVER);
        }
        Legend::Swatches(swatches) => swatches.iter().for_each(|(colour, name)| {
            swatch(ui, rgb(*colour));
            text(ui, name, theme::SILVER);
            ui.add_space(6.0);
        }),
    }
}

fn text(ui: &mut Ui, text: &str, colour: Color32) {
    ui.label(RichText::new(text).color(colour));
}

fn swatch(ui: &mut Ui, colour: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(11.0), egui::Sense::hover());
    ui.painter().circle_filled(rect.center(), 5.5, colour);
}

/// A bar in the colours of a map, from little to much, no wider than `most` points.
pub(crate) fn bar(ui: &mut Ui, map: ColourMap, most: f32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::new(BAR.x.min(most), BAR.y), egui::Sense::hover());
    ui.painter().add(Shape::mesh(gradient(rect, map)));
}

fn gradient(rect: Rect, map: ColourMap) -> Mesh {
    let mut mesh = Mesh::default();
    for step in 0..=STEPS {
        let share = step as f32 / STEPS as f32;
        let x = rect.left() + share * rect.width();
        for y in [rect.top(), rect.bottom()] {
            mesh.colored_vertex(Pos2::new(x, y), rgb(map.at(share)));
        }
        if step > 0 {
            let last = 2 * step;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    mesh
}

fn rgb([red, green, blue]: [u8; 3]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}
