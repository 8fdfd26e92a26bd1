//! The world's counters: a bar and a number each.

use egui::{Align2, Color32, Context, CornerRadius, FontId, LayerId, Pos2, Rect, Stroke, StrokeKind};
use glam::Vec2;

use super::sandbox::Sandbox;
use super::theme;

/// Opacity of a bar, of 255: what it stands on stays in sight.
const OPACITY: u8 = 70;

/// Draws the counters over the world: of each its box, filled from below by its share of the fullest, and its number.
pub(crate) fn show(context: &Context, sandbox: &Sandbox) {
    let counters = &sandbox.run.room.counters;
    let painter = context.layer_painter(LayerId::background());
    let point = |place: Vec2| {
        let pixel = sandbox.eye.camera.pixel_from_world(place) / context.pixels_per_point();
        Pos2::new(pixel.x, pixel.y)
    };
    let fullest = sandbox.gauges.counts.iter().copied().max().unwrap_or(0).max(1);
    let [r, g, b, _] = theme::BLUE.to_array();
    for (counter, &count) in counters.iter().zip(&sandbox.gauges.counts) {
        let frame = Rect::from_two_pos(point(counter.min), point(counter.max));
        let mut bar = frame;
        *bar.top_mut() = frame.bottom() - frame.height() * count as f32 / fullest as f32;
        painter.rect_filled(bar, CornerRadius::ZERO, Color32::from_rgba_unmultiplied(r, g, b, OPACITY));
        painter.rect_stroke(frame, CornerRadius::ZERO, Stroke::new(1.0, theme::LINE), StrokeKind::Inside);
        let above = Pos2::new(frame.center().x, frame.top() - 2.0);
        painter.text(above, Align2::CENTER_BOTTOM, count.to_string(), FontId::proportional(12.0), theme::TEXT);
    }
}
