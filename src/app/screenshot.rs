//! Pictures of the world, as files.

use std::path::{Path, PathBuf};

use ballpit::render::{Balls, Offscreen, View};
use ballpit::{Gpu, Result};

use super::names::free_path;

/// Draws the view off screen and writes it into `folder` under a name that is not taken; answers with the file.
pub(crate) fn write(gpu: &Gpu, balls: &Balls, view: &View, folder: &Path) -> Result<PathBuf> {
    let size = (view.camera.viewport.x as u32, view.camera.viewport.y as u32);
    let picture = Offscreen::new(gpu, size)?.draw(balls, view)?;
    let path = free_path(folder, "ballpit", "png");
    picture.write_png(&path)?;
    Ok(path)
}
