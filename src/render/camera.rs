//! What part of the world is seen: y grows downward in the world and in the window alike.

use glam::{Affine2, Vec2};

/// Pixels between the picture's edges and what [`Camera::fit`] shows, physical.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margins {
    /// At the left.
    pub left: f32,
    /// At the top.
    pub top: f32,
    /// At the right.
    pub right: f32,
    /// At the bottom.
    pub bottom: f32,
}

impl Margins {
    /// The same on all four sides.
    pub fn all(px: f32) -> Self {
        Self { left: px, top: px, right: px, bottom: px }
    }
}

/// A camera over the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The place in the world that the picture's middle shows, px of the world.
    pub centre: Vec2,
    /// Physical pixels that one px of the world takes.
    pub zoom: f32,
    /// Size of the picture in physical pixels.
    pub viewport: Vec2,
}

impl Camera {
    /// Least zoom: a world of a billion px is a thousand wide.
    pub const LEAST_ZOOM: f32 = 1e-6;
    /// Greatest zoom.
    pub const MOST_ZOOM: f32 = 1e3;

    /// The camera that shows the box from `min` to `max` whole and in the middle of what the margins leave.
    pub fn fit(min: Vec2, max: Vec2, viewport: Vec2, margins: Margins) -> Self {
        let viewport = viewport.max(Vec2::ONE);
        let start = Vec2::new(margins.left, margins.top);
        let end = viewport - Vec2::new(margins.right, margins.bottom);
        // A window smaller than its margins still shows something.
        let room = (end - start).max(Vec2::ONE);
        let zoom = bounded((room / (max - min).max(Vec2::splat(f32::MIN_POSITIVE))).min_element());
        let centre = min.midpoint(max) + (0.5 * viewport - start.midpoint(end)) / zoom;
        Self { centre, zoom, viewport }
    }

    /// Zooms by `factor`, within bounds; the point of the world under `pixel` stays there.
    pub fn zoom_at(&mut self, pixel: Vec2, factor: f32) {
        let under = self.world_from_pixel(pixel);
        let zoom = bounded(self.zoom * factor);
        // A factor that is not a number changes nothing.
        if zoom.is_finite() {
            self.zoom = zoom;
            self.centre = under - (pixel - 0.5 * self.viewport) / zoom;
        }
    }

    /// Moves the picture by `delta` pixels, as a hand drags a sheet.
    pub fn pan(&mut self, delta: Vec2) {
        self.centre -= delta / self.zoom;
    }

    /// Takes a new window size; the centre stays.
    pub fn resize(&mut self, viewport: Vec2) {
        self.viewport = viewport.max(Vec2::ONE);
    }

    /// The place in the world that a pixel shows; pixels count from the upper left corner.
    pub fn world_from_pixel(&self, pixel: Vec2) -> Vec2 {
        self.centre + (pixel - 0.5 * self.viewport) / self.zoom
    }

    /// The pixel that shows a place in the world.
    pub fn pixel_from_world(&self, place: Vec2) -> Vec2 {
        (place - self.centre) * self.zoom + 0.5 * self.viewport
    }

    /// Clip space from the world: x and y from −1 to 1, y up.
    pub fn clip_from_world(&self) -> Affine2 {
        let scale = Vec2::new(2.0, -2.0) * self.zoom / self.viewport;
        Affine2::from_scale(scale) * Affine2::from_translation(-self.centre)
    }
}

fn bounded(zoom: f32) -> f32 {
    zoom.clamp(Camera::LEAST_ZOOM, Camera::MOST_ZOOM)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIN: Vec2 = Vec2::new(60.0, 90.0);
    const MAX: Vec2 = Vec2::new(940.0, 640.0);

    fn close(a: Vec2, b: Vec2, within: f32) {
        assert!((a - b).length() <= within, "{a} is not {b}");
    }

    fn camera() -> Camera {
        Camera::fit(MIN, MAX, Vec2::new(1280.0, 721.0), Margins { left: 300.0, ..Margins::all(10.0) })
    }

    #[test]
    fn fit_shows_the_box_whole_within_its_margins() {
        let camera = camera();
        let (min, max) = (camera.pixel_from_world(MIN), camera.pixel_from_world(MAX));
        assert!(min.x >= 300.0 - 1e-3 && min.y >= 10.0 - 1e-3, "{min}");
        assert!(max.x <= 1270.0 + 1e-3 && max.y <= 711.0 + 1e-3, "{max}");
        close(min.midpoint(max), Vec2::new(785.0, 360.5), 1e-3);
        let tight = ((max.x - min.x) - 970.0).abs() < 1e-2 || ((max.y - min.y) - 701.0).abs() < 1e-2;
        assert!(tight, "the box fills neither the width nor the height");
    }

    #[test]
    fn fit_survives_windows_smaller_than_their_margins_and_empty_boxes() {
        for camera in [
            Camera::fit(MIN, MAX, Vec2::ZERO, Margins::all(50.0)),
            Camera::fit(MIN, MIN, Vec2::new(100.0, 100.0), Margins::default()),
        ] {
            assert!(camera.zoom.is_finite() && camera.zoom > 0.0 && camera.centre.is_finite(), "{camera:?}");
        }
    }

    #[test]
    fn pixel_and_world_are_each_others_inverse() {
        let camera = camera();
        for pixel in [Vec2::ZERO, Vec2::new(3.5, 700.25), camera.viewport] {
            close(camera.pixel_from_world(camera.world_from_pixel(pixel)), pixel, 1e-2);
        }
    }

    #[test]
    fn zooming_keeps_the_point_under_the_cursor_and_stays_within_bounds() {
        let pixel = Vec2::new(900.0, 123.0);
        for factor in [1.25, 0.4, 7.0] {
            let mut camera = camera();
            let under = camera.world_from_pixel(pixel);
            camera.zoom_at(pixel, factor);
            close(camera.pixel_from_world(under), pixel, 0.05);
        }
        let mut camera = camera();
        (0..200).for_each(|_| camera.zoom_at(pixel, 2.0));
        assert_eq!(camera.zoom, Camera::MOST_ZOOM);
        (0..200).for_each(|_| camera.zoom_at(pixel, 0.5));
        assert_eq!(camera.zoom, Camera::LEAST_ZOOM);
        let before = camera;
        camera.zoom_at(pixel, f32::NAN);
        assert_eq!(camera, before);
    }

    #[test]
    fn panning_moves_the_picture_and_resizing_keeps_its_centre() {
        let mut camera = camera();
        let (place, delta) = (Vec2::new(100.0, 100.0), Vec2::new(-30.0, 12.0));
        let before = camera.pixel_from_world(place);
        camera.pan(delta);
        close(camera.pixel_from_world(place), before + delta, 1e-2);
        let centre = camera.centre;
        camera.resize(Vec2::new(333.0, 777.0));
        close(camera.pixel_from_world(centre), Vec2::new(166.5, 388.5), 1e-3);
    }

    #[test]
    fn clip_space_spans_the_picture_with_y_up() {
        let camera = camera();
        let clip = |pixel| camera.clip_from_world().transform_point2(camera.world_from_pixel(pixel));
        close(clip(Vec2::ZERO), Vec2::new(-1.0, 1.0), 1e-4);
        close(clip(camera.viewport), Vec2::new(1.0, -1.0), 1e-4);
    }
}
