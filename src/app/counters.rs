//! The world's counters: a frame and a number each. Their bars lie under the balls, and are the picture's own.

use egui::{Align2, Context, CornerRadius, FontId, LayerId, Pos2, Rect, Stroke, StrokeKind};
use glam::Vec2;

use super::sandbox::Sandbox;
use super::theme;

/// Draws of each counter its box, and its number above that.
pub(crate) fn show(context: &Context, sandbox: &Sandbox) {
    let counters = &sandbox.run.room.counters;
    let painter = context.layer_painter(LayerId::background());
    let point = |place: Vec2| {
        let pixel = sandbox.eye.camera.pixel_from_world(place) / context.pixels_per_point();
        Pos2::new(pixel.x, pixel.y)
    };
    for (counter, &count) in counters.iter().zip(&sandbox.gauges.counts) {
        let frame = Rect::from_two_pos(point(counter.min), point(counter.max));
        painter.rect_stroke(frame, CornerRadius::ZERO, Stroke::new(1.0, theme::LINE), StrokeKind::Inside);
        let above = Pos2::new(frame.center().x, frame.top() - 2.0);
        painter.text(above, Align2::CENTER_BOTTOM, count.to_string(), FontId::proportional(12.0), theme::TEXT);
    }
}
