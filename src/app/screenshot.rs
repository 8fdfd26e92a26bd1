//! Pictures of the world, as files.

use std::path::{Path, PathBuf};

use ballpit::render::{Balls, Offscreen, View};
use ballpit::{Gpu, Result};

/// Draws the view off screen and writes it into `folder` under a name that is not taken; answers with the file.
pub(crate) fn write(gpu: &Gpu, balls: &Balls, view: &View, folder: &Path) -> Result<PathBuf> {
    let size = (view.camera.viewport.x as u32, view.camera.viewport.y as u32);
    let picture = Offscreen::new(gpu, size)?.draw(balls, view)?;
    let path = free_path(folder);
    picture.write_png(&path)?;
    Ok(path)
}

fn free_path(folder: &Path) -> PathBuf {
    let numbered = (1..).map(|number: u64| folder.join(format!("ballpit-{number}.png")));
    let mut free = numbered.skip_while(|path| path.exists());
    free.next().expect("there are more numbers than files")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_takes_no_others_place() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(free_path(folder.path()), folder.path().join("ballpit-1.png"));
        std::fs::write(folder.path().join("ballpit-1.png"), "mine").unwrap();
        assert_eq!(free_path(folder.path()), folder.path().join("ballpit-2.png"));
    }
}
