//! The pointer's tools on the running world: presses, drags, undo and redo, all as commands.

use ballpit::{Command, Edit};
use glam::Vec2;

use super::Sandbox;
use crate::app::tools::{Scenery, Spout, Tool, Tools};

impl Sandbox {
    /// Presses the pointer: the tool in hand begins.
    pub(crate) fn press(&mut self, pixel: Vec2) {
        let place = self.eye.camera.world_from_pixel(pixel);
        self.grip = Some(pixel);
        if self.tools.tool == Tool::Grab {
            self.command(Command::Press { place, alpha: self.alpha() });
        } else {
            self.work(|tools, scenery| tools.press(place, scenery));
        }
    }

    /// Moves the pressed pointer.
    pub(crate) fn drag(&mut self, pixel: Vec2) {
        if let Some(grip) = &mut self.grip {
            *grip = pixel;
            let place = self.eye.camera.world_from_pixel(pixel);
            self.work(|tools, scenery| tools.drag(place, scenery));
        }
    }

    /// Lets go.
    pub(crate) fn release(&mut self) {
        if self.grip.take().is_none() {
            return;
        }
        if self.tools.tool == Tool::Grab {
            self.command(Command::Release);
        }
        self.work(|tools, scenery| {
            tools.release(scenery);
            Vec::new()
        });
    }

    /// Takes a tool; what the one before was doing ends.
    pub(crate) fn take(&mut self, tool: Tool) {
        self.release();
        self.tools.tool = tool;
    }

    /// What turning the wheel does: a zoom at the pixel, or another size of the brush.
    pub(crate) fn wheel(&mut self, pixel: Vec2, factor: f32) {
        if self.tools.tool == Tool::Grab {
            self.eye.zoom_at(pixel, factor);
        } else {
            self.tools.set_radius(self.tools.radius_px() * factor);
        }
    }

    pub(crate) fn undo(&mut self) {
        self.work(|tools, _| tools.undo());
    }

    pub(crate) fn redo(&mut self) {
        self.work(|tools, _| tools.redo());
    }

    /// What the pressed pointer does in a frame whose steps make `seconds`.
    pub(super) fn hold(&mut self, seconds: f32) {
        let Some(pixel) = self.grip else { return };
        let place = self.eye.camera.world_from_pixel(pixel);
        if self.tools.tool == Tool::Grab {
            self.command(Command::Drag(place));
        } else {
            self.work(|tools, scenery| tools.work(place, seconds, scenery));
        }
    }

    /// The tools for a run that begins.
    pub(super) fn new_tools(&self) -> Tools {
        let run = &self.run;
        self.tools.renewed((run.room.max - run.room.min).min_element(), run.seed)
    }

    /// Lets the tools say what is to be edited, and does it.
    fn work(&mut self, ask: impl FnOnce(&mut Tools, &Scenery) -> Vec<Edit>) {
        let run = &self.run;
        let (radii_px, material) = run.scene.usual_ball();
        let surfaces = run.engine.get().surfaces();
        let spout = Spout { radii_px, material, gravity: run.tuning.gravity, surfaces };
        let segments = &run.room.segments;
        let scenery = Scenery { ids: run.ids, segments, spout: &spout, zoom: self.eye.camera.zoom };
        for edit in ask(&mut self.tools, &scenery) {
            self.command(Command::Edit(edit));
        }
    }
}
