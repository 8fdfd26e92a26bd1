//! A film of the world as it is seen: pictures of even times, written while the window goes on.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ballpit::render::{Balls, Camera, Offscreen, Picture, View};
use ballpit::{Error, Gpu, Result};
use glam::UVec2;

use crate::numbers::frame_name;

/// Pictures that may wait for the writer. With more the window waits: no frame is left out, and memory is bounded.
const QUEUE: usize = 4;

/// A film under way.
pub(crate) struct Film {
    folder: PathBuf,
    /// Size of every picture, pixels: the window's when the film began.
    size: UVec2,
    target: Offscreen,
    frames: u64,
    pictures: SyncSender<Picture>,
    writer: JoinHandle<Result<()>>,
}

impl Film {
    /// Ending of the folder's name.
    pub(crate) const EXTENSION: &'static str = "frames";

    /// Begins a film in a new folder, of pictures of that many pixels.
    ///
    /// # Errors
    /// [`Error::Value`] for a size that the device can't draw on, [`Error::File`] if the folder can't be made.
    pub(crate) fn begin(gpu: &Gpu, folder: PathBuf, size: (u32, u32)) -> Result<Self> {
        let target = Offscreen::new(gpu, size)?;
        fs::create_dir(&folder).map_err(|source| Error::File { path: folder.clone(), source })?;
        let (pictures, queue) = sync_channel(QUEUE);
        let writer = thread::spawn({
            let folder = folder.clone();
            move || write(&folder, &queue)
        });
        Ok(Self { folder, size: size.into(), target, frames: 0, pictures, writer })
    }

    /// Where its pictures are.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Pictures drawn so far.
    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    /// Lets go of the buffers of an engine that is gone.
    pub(crate) fn forget(&mut self) {
        self.target.forget();
    }

    /// Draws the next picture and hands it to the writer; answers whether that still writes.
    ///
    /// # Errors
    /// [`Error::Device`] if the device fails.
    pub(crate) fn shoot(&mut self, balls: &Balls, view: &View) -> Result<bool> {
        // The window may have another size by now, the pictures may not.
        let camera = Camera { viewport: self.size.as_vec2(), ..view.camera };
        let picture = self.target.draw(balls, &View { camera, ..*view })?;
        self.frames += 1;
        Ok(self.pictures.send(picture).is_ok())
    }

    /// Ends the film once its last pictures are written; answers with what is to be said of it.
    ///
    /// # Errors
    /// [`Error::File`] if a picture could not be written.
    pub(crate) fn end(self) -> Result<String> {
        let Self { folder, frames, pictures, writer, .. } = self;
        drop(pictures);
        writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(format!("filmed {frames} frames into {}", folder.display()))
    }
}

/// Writes pictures until no more come, or the system refuses one.
fn write(folder: &Path, pictures: &Receiver<Picture>) -> Result<()> {
    pictures.iter().zip(1..).try_for_each(|(picture, number)| picture.write_png(&folder.join(frame_name(number))))
}

/// Hands time out to the world while a film is made: a picture's whole time or none, and never faster than the watch. A
/// window too slow for its pictures shows slow motion, and the film does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pace {
    saved: Duration,
    is_due: bool,
}

impl Pace {
    /// From one picture to the next, to the nearest ns: a sixtieth of a second.
    const PICTURE: Duration = Duration::from_nanos(16_666_667);

    /// The time that passes in the world with a frame that came `since` after the one before.
    pub(crate) fn frame(&mut self, since: Duration) -> Duration {
        self.saved = (self.saved + since).min(2 * Self::PICTURE);
        self.is_due = self.saved >= Self::PICTURE;
        let time = if self.is_due { Self::PICTURE } else { Duration::ZERO };
        self.saved -= time;
        time
    }

    /// Whether the last frame is a picture's.
    pub(crate) fn is_due(&self) -> bool {
        self.is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pictures of a second of frames of one length.
    fn pictures(frame: Duration) -> usize {
        let mut pace = Pace::default();
        let frames = (1.0 / frame.as_secs_f64()).round() as usize;
        (0..frames)
            .filter(|_| {
                let time = pace.frame(frame);
                assert_eq!(time, if pace.is_due() { Pace::PICTURE } else { Duration::ZERO });
                pace.is_due()
            })
            .count()
    }

    #[test]
    fn a_picture_is_a_sixtieth_of_a_second_whatever_the_frame_rate() {
        for (hz, least) in [(60, 59), (144, 58), (1_000, 59)] {
            let pictures = pictures(Duration::from_secs(1) / hz);
            assert!((least..=60).contains(&pictures), "{pictures} pictures at {hz} Hz");
        }
        // Every frame of a slow window is one, and nothing is made up for.
        assert_eq!(pictures(Duration::from_millis(50)), 20);
    }

    #[test]
    fn what_cannot_be_written_ends_the_writer_and_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        let (pictures, queue) = sync_channel(2);
        for _ in 0..2 {
            pictures.send(Picture::new(1, 1, vec![255; 4]).unwrap()).unwrap();
        }
        assert!(matches!(write(&gone, &queue), Err(Error::File { .. })));
        drop(pictures);
        let (pictures, queue) = sync_channel(2);
        pictures.send(Picture::new(1, 1, vec![255; 4]).unwrap()).unwrap();
        drop(pictures);
        write(folder.path(), &queue).unwrap();
        assert!(folder.path().join("frame-000001.png").is_file());
    }
}
