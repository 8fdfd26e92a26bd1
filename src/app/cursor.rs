//! The ring of the tool in hand, and the wall that it is drawing.

use egui::{Color32, Id, LayerId, Order, Painter, Pos2, Stroke};
use glam::Vec2;

use super::sandbox::Sandbox;
use super::theme;
use super::tools::Tool;

/// Shows the tool's ring about the pointer, which is at a pixel of the window, or the cannon that aims at it.
pub(crate) fn show(context: &egui::Context, sandbox: &Sandbox, pixel: Vec2) {
    let tools = &sandbox.tools;
    if tools.tool == Tool::Grab {
        return;
    }
    let scale = context.pixels_per_point();
    let point = |pixel: Vec2| Pos2::new(pixel.x / scale, pixel.y / scale);
    let painter = context.layer_painter(LayerId::new(Order::Background, Id::unique("brush")));
    let camera = &sandbox.eye.camera;
    if let (Tool::Fire, Some(cannon)) = (tools.tool, sandbox.run.scene.cannon()) {
        let muzzle = point(camera.pixel_from_world(cannon.place()));
        let line = [muzzle, muzzle + (point(pixel) - muzzle).normalized() * AIM_POINTS];
        painter.line_segment(line, Stroke::new(2.0, theme::AMBER));
        return ring(&painter, muzzle, cannon.radius() * camera.zoom / scale);
    }
    if let Some(end) = tools.wall_end() {
        let line = [point(camera.pixel_from_world(end)), point(pixel)];
        painter.line_segment(line, Stroke::new(2.0, theme::AMBER));
    }
    // A wall is as wide as it is, whatever the ring.
    let radius = if tools.tool == Tool::Wall { 3.0 } else { tools.radius_px() * camera.zoom / scale };
    ring(&painter, point(pixel), radius);
}

/// Length of the line that shows where a cannon aims, points.
const AIM_POINTS: f32 = 60.0;

/// Light within dark, so that it shows on balls and beside them.
fn ring(painter: &Painter, centre: Pos2, radius: f32) {
    painter.circle_stroke(centre, radius, Stroke::new(3.0, Color32::from_black_alpha(120)));
    painter.circle_stroke(centre, radius, Stroke::new(1.5, theme::TEXT));
}
