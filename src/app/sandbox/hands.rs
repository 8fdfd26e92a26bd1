//! The pointer's tools on the running world: presses, drags, undo and redo, all as commands.

use ballpit::{Command, Edit};
use glam::Vec2;

use super::Sandbox;
use crate::app::keys::{Action, key_of};
use crate::app::tools::{Scenery, Spout, Tool, Tools};
use crate::colours::ColourMode;

impl Sandbox {
    /// Presses the pointer: the tool in hand begins.
    pub(crate) fn press(&mut self, pixel: Vec2) {
        let place = self.eye.camera.world_from_pixel(pixel);
        self.grip = Some(pixel);
        if self.clock.is_paused() && self.tools.tool.takes_time() {
            let (tool, key) = (self.tools.tool.name(), key_of(Action::Pause));
            self.news = Some(format!("time stands still: to {tool}, let it go on with [{key}]"));
        }
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
        if tool == Tool::Fire && self.run.scene.cannon().is_none() {
            self.trouble = Some("this scene has no cannon; siege has one".into());
            return;
        }
        self.release();
        self.tools.tool = tool;
    }

    /// What turning the wheel does: a zoom at the pixel, or another size of the brush.
    pub(crate) fn wheel(&mut self, pixel: Vec2, factor: f32) {
        if self.tools.tool.has_ring() {
            self.tools.set_radius(self.tools.radius_px() * factor);
        } else {
            self.eye.zoom_at(pixel, factor);
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

    /// Takes up the tools for a run that begins. Of another scene than before, a cannon's is in hand from the start, and
    /// colours show the mass of what it fires; where there is no cannon, nobody has it in hand.
    pub(super) fn arm(&mut self, is_other: bool) {
        let run = &self.run;
        let ([_, largest], _) = run.scene.usual_ball();
        self.tools = self.tools.renewed((run.room.max - run.room.min).min_element(), largest, run.seed);
        match run.scene.cannon() {
            Some(_) if is_other => {
                (self.tools.tool, self.tools.shot) = (Tool::Fire, 0);
                self.eye.look.colour = ColourMode::Mass;
            }
            // Its file may have fewer masses by now.
            Some(cannon) => self.tools.shot = self.tools.shot.min(cannon.masses().len() - 1),
            None if self.tools.tool == Tool::Fire => self.tools.tool = Tool::Grab,
            None => {}
        }
    }

    /// How many masses there are to choose from for what is fired.
    pub(crate) fn shots(&self) -> usize {
        self.run.scene.cannon().map_or(0, |cannon| cannon.masses().len())
    }

    /// Chooses what is fired.
    pub(crate) fn load(&mut self, shot: usize) {
        self.tools.shot = shot;
    }

    /// Lets the tools say what is to be edited, and does it.
    fn work(&mut self, ask: impl FnOnce(&mut Tools, &Scenery) -> Vec<Edit>) {
        let run = &self.run;
        let (radii_px, material) = run.scene.usual_ball();
        let surfaces = run.engine.get().surfaces();
        let spout = Spout { radii_px, material, gravity: run.tuning.gravity, surfaces };
        let segments = &run.room.segments;
        let (cannon, zoom) = (run.scene.cannon(), self.eye.camera.zoom);
        let most_px_s = run.tuning.settings.most_speed_px_s;
        let scenery = Scenery { ids: run.ids, segments, spout: &spout, cannon, zoom, most_px_s };
        for edit in ask(&mut self.tools, &scenery) {
            self.command(Command::Edit(edit));
        }
    }
}
