//! How the window looks at the world.

use ballpit::render::{Camera, Margins};
use glam::Vec2;

use super::keys::Action;
use crate::look::Look;

/// What a press of + zooms by.
const ZOOM: f32 = 1.25;

/// The camera, and whether it follows the window's size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Eye {
    pub(crate) camera: Camera,
    pub(crate) look: Look,
    pub(crate) interpolate: bool,
    bounds: (Vec2, Vec2),
    margins: Margins,
    /// Until the user moves the camera, it shows the whole world whatever the window's size.
    fitted: bool,
}

impl Eye {
    /// An eye on the box from `bounds.0` to `bounds.1`.
    pub(crate) fn new(bounds: (Vec2, Vec2), viewport: Vec2) -> Self {
        let margins = Margins::default();
        let camera = Camera::fit(bounds.0, bounds.1, viewport, margins);
        Self { camera, look: Look::default(), interpolate: true, bounds, margins, fitted: true }
    }

    /// Does what a key asks of the camera and of what is drawn between steps; any other action is nothing to it.
    pub(crate) fn act(&mut self, action: Action) {
        match action {
            Action::ToggleInterpolation => self.interpolate = !self.interpolate,
            Action::ZoomIn => self.zoom(ZOOM),
            Action::ZoomOut => self.zoom(1.0 / ZOOM),
            Action::Fit => self.fit(),
            _ => {}
        }
    }

    /// Shows the whole world.
    pub(crate) fn fit(&mut self) {
        self.fitted = true;
        self.refit();
    }

    /// Takes another world's box; the camera turns to it if the boxes differ.
    pub(crate) fn look_at(&mut self, bounds: (Vec2, Vec2)) {
        if self.bounds != bounds {
            self.bounds = bounds;
            self.fit();
        }
    }

    pub(crate) fn resize(&mut self, viewport: Vec2) {
        self.camera.resize(viewport);
        self.refit();
    }

    /// Takes the room that the readout and the panel leave, physical pixels.
    pub(crate) fn set_margins(&mut self, margins: Margins) {
        if self.margins != margins {
            self.margins = margins;
            self.refit();
        }
    }

    pub(crate) fn pan(&mut self, delta: Vec2) {
        self.fitted = false;
        self.camera.pan(delta);
    }

    pub(crate) fn zoom_at(&mut self, pixel: Vec2, factor: f32) {
        self.fitted = false;
        self.camera.zoom_at(pixel, factor);
    }

    /// Zooms at the middle of what the margins leave.
    pub(crate) fn zoom(&mut self, factor: f32) {
        let Margins { left, top, right, bottom } = self.margins;
        let end = self.camera.viewport - Vec2::new(right, bottom);
        self.zoom_at(Vec2::new(left, top).midpoint(end), factor);
    }

    fn refit(&mut self) {
        if self.fitted {
            self.camera = Camera::fit(self.bounds.0, self.bounds.1, self.camera.viewport, self.margins);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fitted_eye_follows_the_window_and_a_moved_one_does_not() {
        let bounds = (Vec2::ZERO, Vec2::new(400.0, 300.0));
        let mut eye = Eye::new(bounds, Vec2::new(800.0, 600.0));
        assert_eq!(eye.camera.zoom, 2.0);
        eye.resize(Vec2::new(400.0, 300.0));
        assert_eq!(eye.camera.zoom, 1.0);
        eye.zoom(2.0);
        eye.resize(Vec2::new(800.0, 600.0));
        assert_eq!(eye.camera.zoom, 2.0);
        eye.resize(Vec2::new(1600.0, 1200.0));
        assert_eq!(eye.camera.zoom, 2.0, "the user chose it");
        eye.fit();
        assert_eq!(eye.camera.zoom, 4.0);
        eye.pan(Vec2::ONE);
        eye.look_at((Vec2::ZERO, Vec2::new(800.0, 600.0)));
        assert_eq!(eye.camera.zoom, 2.0, "another world is shown whole");
    }
}
