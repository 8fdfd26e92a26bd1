//! What a window's surface is set up with, out of what it offers.

use wgpu::{PresentMode, SurfaceCapabilities, TextureFormat};

/// Formats that show what a picture means, best first: those that store what they are given, as the interface wants it,
/// then those that encode it, which whoever draws allows for.
const FORMATS: [TextureFormat; 5] = [
    TextureFormat::Rgba8Unorm,
    TextureFormat::Bgra8Unorm,
    TextureFormat::Rgba8UnormSrgb,
    TextureFormat::Bgra8UnormSrgb,
    TextureFormat::Rgb10a2Unorm,
];

/// Ways to show frames, best first: the first two in step with the display, the last two as fast as frames come.
const MODES: [PresentMode; 4] =
    [PresentMode::FifoRelaxed, PresentMode::Fifo, PresentMode::Mailbox, PresentMode::Immediate];

/// What a surface is set up with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) format: TextureFormat,
    pub(crate) mode: PresentMode,
    /// What the user should know of it: what was wished for is not to be had.
    pub(crate) notices: Vec<String>,
}

impl Choice {
    /// The best of what is offered.
    ///
    /// # Errors
    /// Why nothing can be drawn on it.
    pub(crate) fn of(offered: &SurfaceCapabilities) -> Result<Self, &'static str> {
        let mut notices = Vec::new();
        let known = FORMATS.into_iter().find(|format| offered.formats.contains(format));
        let format = known.or(offered.formats.first().copied()).ok_or("it offers no format for the window's frames")?;
        if known.is_none() {
            notices
                .push(format!("the display takes frames as {format:?} only: colours may look other than they should"));
        }
        let mode = MODES.into_iter().find(|mode| offered.present_modes.contains(mode));
        let mode = mode.ok_or("it offers no way to show frames in the window")?;
        if !is_in_step(mode) {
            let flaw = if mode == PresentMode::Immediate { "pictures may tear" } else { "motion may be less even" };
            notices.push(format!("the display takes no frames in step with it (Fifo); {mode:?} instead: {flaw}"));
        }
        Ok(Self { format, mode, notices })
    }

    /// Whether whoever asks for a frame waits for the display.
    pub(crate) fn is_in_step(&self) -> bool {
        is_in_step(self.mode)
    }
}

fn is_in_step(mode: PresentMode) -> bool {
    matches!(mode, PresentMode::FifoRelaxed | PresentMode::Fifo)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(formats: &[TextureFormat], modes: &[PresentMode]) -> SurfaceCapabilities {
        SurfaceCapabilities { formats: formats.to_vec(), present_modes: modes.to_vec(), ..Default::default() }
    }

    #[test]
    fn a_present_mode_that_is_missing_falls_back_and_says_so() {
        use PresentMode::{Fifo, FifoRelaxed, Immediate, Mailbox};
        for (modes, taken, said) in [
            (&[Immediate, Mailbox, Fifo, FifoRelaxed][..], FifoRelaxed, None),
            (&[Fifo, Immediate], Fifo, None),
            (&[Immediate, Mailbox], Mailbox, Some("Mailbox instead")),
            (&[Immediate], Immediate, Some("Immediate instead: pictures may tear")),
        ] {
            let choice = Choice::of(&offered(&[TextureFormat::Bgra8Unorm], modes)).unwrap();
            assert_eq!((choice.mode, choice.is_in_step()), (taken, said.is_none()));
            assert_eq!(choice.notices.len(), usize::from(said.is_some()), "{:?}", choice.notices);
            assert!(choice.notices.iter().all(|notice| notice.contains(said.unwrap())), "{:?}", choice.notices);
        }
    }

    #[test]
    fn a_format_that_nobody_knows_is_taken_and_said_and_none_is_an_error() {
        use TextureFormat::{Bgra8Unorm, Bgra8UnormSrgb, Rgba16Float};
        let fifo = [PresentMode::Fifo];
        for (formats, taken, said) in [
            (&[Bgra8UnormSrgb, Rgba16Float, Bgra8Unorm][..], Bgra8Unorm, false),
            (&[Rgba16Float, Bgra8UnormSrgb], Bgra8UnormSrgb, false),
            (&[Rgba16Float], Rgba16Float, true),
        ] {
            let choice = Choice::of(&offered(formats, &fifo)).unwrap();
            assert_eq!((choice.format, !choice.notices.is_empty()), (taken, said));
            assert!(choice.notices.iter().all(|notice| notice.contains("Rgba16Float")), "{:?}", choice.notices);
        }
        assert!(Choice::of(&offered(&[], &fifo)).unwrap_err().contains("no format"));
        assert!(Choice::of(&offered(&[Bgra8Unorm], &[])).unwrap_err().contains("no way to show"));
    }
}
