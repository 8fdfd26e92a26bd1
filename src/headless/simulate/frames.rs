//! A run as a row of pictures, to make a film of.

use std::fs;
use std::path::{Path, PathBuf};

use ballpit::render::Offscreen;
use ballpit::{Error, Gpu, World};

use super::legend;
use crate::colours::{Legend, Ramps};
use crate::headless::canvas::{self, Canvas};
use crate::headless::machine::Machine;
use crate::headless::{Stop, output};
use crate::look::Look;
use crate::numbers::frame_name;

/// Share of a step that times may be off by.
const ROUNDING: f64 = 1e-4;

/// Draws frames as their times come, between the balls' last two places as the window does.
pub(super) struct Frames {
    folder: PathBuf,
    fps: u32,
    /// Frames drawn.
    drawn: u64,
    /// Of them, those of earlier runs.
    earlier: u64,
    canvas: Canvas,
    /// What is written below the world, if anything.
    legend: Option<Legend>,
}

/// How frames are to be.
pub(super) struct Film {
    pub(super) size: (u32, u32),
    pub(super) fps: u32,
    pub(super) look: Look,
    pub(super) legend: bool,
}

impl Frames {
    /// A camera on a world.
    ///
    /// # Errors
    /// [`Error::Value`] for a size that the device can't draw on, [`Error::File`] if the folder can't be made.
    pub(super) fn new(gpu: &Gpu, folder: &Path, film: &Film, world: &World) -> Result<Self, Error> {
        let failed = |source| Error::File { path: folder.into(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        // A longer film that was there before would be this one's tail.
        let old = (1..).map(|number| folder.join(frame_name(number))).take_while(|path| path.exists());
        old.into_iter().try_for_each(fs::remove_file).map_err(failed)?;
        Ok(Self {
            folder: folder.into(),
            fps: film.fps,
            drawn: 0,
            earlier: 0,
            canvas: Canvas::new(gpu, film.size, film.look, world)?,
            legend: film.legend.then(|| legend_of(&film.look, world)),
        })
    }

    /// Turns to a world whose time begins anew.
    pub(super) fn turn_to(&mut self, world: &World) {
        self.canvas.turn_to(world);
        self.earlier = self.drawn;
        self.legend = self.legend.take().map(|_| legend_of(self.canvas.look(), world));
    }

    /// Draws the frames whose time comes before a step of `length_s` seconds that begins at `time_s` ends.
    pub(super) fn draw(&mut self, machine: &mut Machine, time_s: f64, length_s: f32) -> Result<(), Stop> {
        loop {
            let share = ((self.drawn - self.earlier) as f64 / f64::from(self.fps) - time_s) / f64::from(length_s);
            // What is due at the step's end is drawn after it: there it is the same picture.
            if share > 1.0 - ROUNDING {
                return Ok(());
            }
            self.shoot(machine, share.max(0.0) as f32)?;
        }
    }

    fn shoot(&mut self, machine: &mut Machine, alpha: f32) -> Result<(), Stop> {
        let stand = if self.legend.is_some() { legend::view_above } else { canvas::alone };
        let mut picture = self.canvas.draw(machine, alpha, stand, Offscreen::draw)?;
        if let Some(legend) = &self.legend {
            picture = legend::written(&picture, legend, self.canvas.look().map)?;
        }
        self.drawn += 1;
        let path = self.folder.join(frame_name(self.drawn));
        output::write_whole(&path, &picture.encode_png())
    }
}

fn legend_of(look: &Look, world: &World) -> Legend {
    Legend::of(look.colour, &Ramps::of(world), world)
}
