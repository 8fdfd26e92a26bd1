//! The ring of the tool in hand, and the wall that it is drawing.

use egui::{Color32, Id, LayerId, Order, Painter, Pos2, Stroke};
use glam::Vec2;

use super::sandbox::Sandbox;
use super::theme;
use super::tools::Tool;

/// Shows the tool's ring about the pointer, which is at a pixel of the window.
pub(crate) fn show(context: &egui::Context, sandbox: &Sandbox, pixel: Vec2) {
    let tools = &sandbox.tools;
    if matches!(tools.tool, Tool::Grab | Tool::Fire) {
        return;
    }
    let scale = context.pixels_per_point();
    let point = |pixel: Vec2| Pos2::new(pixel.x / scale, pixel.y / scale);
    let painter = context.layer_painter(LayerId::new(Order::Background, Id::unique("brush")));
    let camera = &sandbox.eye.camera;
    if let Some(end) = tools.wall_end() {
        let line = [point(camera.pixel_from_world(end)), point(pixel)];
        painter.line_segment(line, Stroke::new(2.0, theme::AMBER));
    }
    // A wall is as wide as it is, whatever the ring.
    let radius = if tools.tool == Tool::Wall { 3.0 } else { tools.radius_px() * camera.zoom / scale };
    ring(&painter, point(pixel), radius);
}

/// Light within dark, so that it shows on balls and beside them.
fn ring(painter: &Painter, centre: Pos2, radius: f32) {
    painter.circle_stroke(centre, radius, Stroke::new(3.0, Color32::from_black_alpha(120)));
    painter.circle_stroke(centre, radius, Stroke::new(1.5, theme::TEXT));
}
