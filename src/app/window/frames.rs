//! Frames of a surface that may be outdated, lost or slow.

use std::time::{Duration, Instant};

use wgpu::{CurrentSurfaceTexture, SurfaceConfiguration};

use super::recovery::{Asked, Recovery, Remedy, Then};

/// What frames come from: a window's surface, or what a test puts in its place.
pub(crate) trait Swapchain {
    type Frame;
    /// Sets it up.
    fn configure(&self, configuration: &SurfaceConfiguration);
    /// Makes it anew; it has yet to be set up.
    ///
    /// # Errors
    /// What the system says.
    fn remake(&mut self) -> Result<(), String>;
    /// The next frame, or why there is none.
    fn next(&self) -> (Asked, Option<Self::Frame>);
}

/// A frame to draw on, or when to ask again.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Acquired<Frame> {
    Frame(Frame),
    /// At once.
    Again,
    /// After this time.
    Later(Duration),
}

/// The frames of a window.
pub(crate) struct Frames<S> {
    swapchain: S,
    pub(crate) configuration: SurfaceConfiguration,
    pub(crate) recovery: Recovery,
    /// What the system said when the surface was last made anew in vain.
    refused: Option<String>,
}

impl<S: Swapchain> Frames<S> {
    /// The frames of a surface, which is set up.
    pub(crate) fn new(swapchain: S, configuration: SurfaceConfiguration) -> Self {
        let frames = Self { swapchain, configuration, recovery: Recovery::default(), refused: None };
        frames.configure();
        frames
    }

    /// Takes another size, pixels.
    pub(crate) fn resize(&mut self, (width, height): (u32, u32)) {
        (self.configuration.width, self.configuration.height) = (width, height);
        self.configure();
    }

    /// The next frame.
    ///
    /// # Errors
    /// Why there will be none.
    pub(crate) fn acquire(&mut self, now: Instant) -> Result<Acquired<S::Frame>, String> {
        let (asked, frame) = self.swapchain.next();
        let (remedy, then) = self.recovery.meet(asked, now);
        if let (Then::Draw, Some(frame)) = (then, frame) {
            self.refused = None;
            return Ok(Acquired::Frame(frame));
        }
        // The frame is gone by here: a surface that has one out can't be set up.
        match remedy {
            Remedy::Nothing => {}
            Remedy::Configure => self.configure(),
            Remedy::Remake => self.remake(),
        }
        match then {
            Then::Draw | Then::Again => Ok(Acquired::Again),
            Then::Later(pause) => Ok(Acquired::Later(pause)),
            Then::GiveUp(reason) => {
                Err(self.refused.as_ref().map_or_else(|| reason.into(), |said| format!("{reason} ({said})")))
            }
        }
    }

    fn remake(&mut self) {
        self.refused = self.swapchain.remake().err();
        if self.refused.is_none() {
            self.configure();
        }
    }

    fn configure(&self) {
        self.swapchain.configure(&self.configuration);
    }
}

/// A surface's answer, told apart from the frame.
pub(crate) fn told_apart(answer: CurrentSurfaceTexture) -> (Asked, Option<wgpu::SurfaceTexture>) {
    match answer {
        CurrentSurfaceTexture::Success(frame) => (Asked::Good, Some(frame)),
        CurrentSurfaceTexture::Suboptimal(frame) => (Asked::Suboptimal, Some(frame)),
        CurrentSurfaceTexture::Timeout => (Asked::Timeout, None),
        CurrentSurfaceTexture::Occluded => (Asked::Occluded, None),
        CurrentSurfaceTexture::Outdated => (Asked::Outdated, None),
        CurrentSurfaceTexture::Lost => (Asked::Lost, None),
        CurrentSurfaceTexture::Validation => (Asked::Validation, None),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::collections::VecDeque;
    use std::rc::Rc;

    use wgpu::{CompositeAlphaMode, PresentMode, SurfaceColorSpace, TextureFormat, TextureUsages};

    use super::*;
    use crate::app::window::recovery::{PATIENCE, TELL};

    /// A frame that counts as out until it is dropped.
    #[derive(Debug)]
    struct Out(Rc<Cell<u32>>);

    impl Drop for Out {
        fn drop(&mut self) {
            self.0.set(self.0.get() - 1);
        }
    }

    /// Gives what it has been told to, and keeps in mind what is done to it.
    #[derive(Default)]
    struct Scripted {
        answers: RefCell<VecDeque<Asked>>,
        /// What comes when the script is at its end.
        then: Cell<Option<Asked>>,
        out: Rc<Cell<u32>>,
        sizes: RefCell<Vec<u32>>,
        remade: u32,
        refuses: bool,
    }

    impl Swapchain for Scripted {
        type Frame = Out;

        fn configure(&self, configuration: &SurfaceConfiguration) {
            assert_eq!(self.out.get(), 0, "a surface that has a frame out is not set up");
            self.sizes.borrow_mut().push(configuration.width);
        }

        fn remake(&mut self) -> Result<(), String> {
            self.remade += 1;
            if self.refuses { Err("no such window".into()) } else { Ok(()) }
        }

        fn next(&self) -> (Asked, Option<Out>) {
            let asked = self.answers.borrow_mut().pop_front().or(self.then.get()).unwrap_or(Asked::Good);
            let frame = matches!(asked, Asked::Good | Asked::Suboptimal).then(|| {
                self.out.set(self.out.get() + 1);
                Out(self.out.clone())
            });
            (asked, frame)
        }
    }

    fn frames(answers: &[Asked]) -> Frames<Scripted> {
        let answers = RefCell::new(answers.iter().copied().collect());
        Frames::new(Scripted { answers, ..Scripted::default() }, configuration())
    }

    fn configuration() -> SurfaceConfiguration {
        SurfaceConfiguration {
            usage: TextureUsages::RENDER_ATTACHMENT,
            format: TextureFormat::Rgba8Unorm,
            color_space: SurfaceColorSpace::Auto,
            width: 640,
            height: 480,
            desired_maximum_frame_latency: 2,
            present_mode: PresentMode::Fifo,
            alpha_mode: CompositeAlphaMode::Auto,
            view_formats: Vec::new(),
        }
    }

    /// Goes on as the event loop does until there is a frame; answers with how often it asked, and how long that took.
    fn until_drawn(frames: &mut Frames<Scripted>) -> Result<(u32, Duration), String> {
        let begun = Instant::now();
        let (mut now, mut asked) = (begun, 0);
        loop {
            asked += 1;
            assert!(asked < 1_000, "a busy loop");
            match frames.acquire(now)? {
                Acquired::Frame(_) => return Ok((asked, now - begun)),
                Acquired::Again => {}
                Acquired::Later(pause) => now += pause,
            }
        }
    }

    #[test]
    fn an_outdated_surface_is_set_up_anew_and_gives_a_frame_at_once() {
        for asked in [Asked::Outdated, Asked::Suboptimal] {
            let mut frames = frames(&[asked]);
            assert_eq!(until_drawn(&mut frames), Ok((2, Duration::ZERO)), "{asked:?}");
            assert_eq!((frames.swapchain.sizes.borrow().len(), frames.swapchain.remade), (2, 0), "{asked:?}");
        }
    }

    #[test]
    fn a_lost_surface_is_made_anew_and_set_up() {
        let mut frames = frames(&[Asked::Lost, Asked::Lost]);
        frames.resize((800, 600));
        assert_eq!(until_drawn(&mut frames), Ok((3, Duration::ZERO)));
        assert_eq!((&*frames.swapchain.sizes.borrow(), frames.swapchain.remade), (&vec![640, 800, 800, 800], 2));
    }

    #[test]
    fn a_surface_that_stays_lost_ends_in_one_message() {
        let mut frames = frames(&[]);
        frames.swapchain.then.set(Some(Asked::Lost));
        frames.swapchain.refuses = true;
        let said = until_drawn(&mut frames).unwrap_err();
        assert_eq!(said, "its surface is lost, and so is every new one (no such window)");
        assert_eq!(frames.swapchain.sizes.borrow().len(), 1, "what could not be made is not set up");
        assert!((50..70).contains(&frames.swapchain.remade), "{} times", frames.swapchain.remade);
    }

    #[test]
    fn a_surface_that_comes_back_late_is_drawn_on() {
        let late = vec![Asked::Lost; 30];
        let (asked, waited) = until_drawn(&mut frames(&late)).unwrap();
        assert_eq!(asked, 31);
        assert!(waited > TELL && waited < PATIENCE, "{waited:?}");
    }

    #[test]
    fn frames_that_time_out_are_waited_for_without_touching_the_surface() {
        let mut frames = frames(&[Asked::Timeout; 100]);
        let (asked, waited) = until_drawn(&mut frames).unwrap();
        assert_eq!((asked, waited), (101, Duration::from_secs(25)));
        assert_eq!((frames.swapchain.sizes.borrow().len(), frames.swapchain.remade), (1, 0));
    }
}
