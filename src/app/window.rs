//! The window and its surface: opened, resized, lost and found again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ballpit::{Error, Gpu, Result};
use wgpu::{
    Adapter, Device, Instance, InstanceDescriptor, Surface, SurfaceConfiguration, SurfaceTexture, TextureFormat,
};
use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window};

use crate::console::note;
use choice::Choice;
pub(crate) use frames::Acquired;
use frames::{Frames, Swapchain, told_apart};
use recovery::Asked;

mod choice;
mod frames;
mod recovery;

/// How soon a window that nobody sees looks again whether anybody does.
const HIDDEN: Duration = Duration::from_millis(250);

/// A window and what it is drawn on.
pub(crate) struct Screen {
    pub(crate) window: Arc<Window>,
    pub(crate) gpu: Gpu,
    /// What the user should know of the display, to be said once.
    pub(crate) notices: Vec<String>,
    frames: Frames<WindowSurface>,
    /// Whether frames come in step with the display.
    in_step: bool,
    /// Nobody sees it: minimised, or behind other windows.
    occluded: bool,
    /// Whether it has no area. Remembered, since winit panics when it asks a display for it that has just died.
    empty: bool,
    /// Whether the title says that no frame can be drawn.
    told: bool,
}

/// The surface of a window, and what it takes to make another.
struct WindowSurface {
    surface: Surface<'static>,
    window: Arc<Window>,
    instance: Instance,
    device: Device,
}

impl Swapchain for WindowSurface {
    type Frame = SurfaceTexture;

    fn configure(&self, configuration: &SurfaceConfiguration) {
        self.surface.configure(&self.device, configuration);
    }

    fn remake(&mut self) -> std::result::Result<(), String> {
        self.surface = self.instance.create_surface(self.window.clone()).map_err(|error| error.to_string())?;
        Ok(())
    }

    fn next(&self) -> (Asked, Option<SurfaceTexture>) {
        told_apart(self.surface.get_current_texture())
    }
}

impl Screen {
    /// Opens a window and the fastest adapter that can draw on it.
    pub(crate) fn open(event_loop: &ActiveEventLoop) -> Result<Self> {
        let no_display = |reason: String| Error::NoDisplay { reason };
        let attributes = Window::default_attributes()
            .with_title(TITLE)
            .with_inner_size(first_size(event_loop, WISHED))
            .with_visible(false)
            .with_min_inner_size(LogicalSize::new(360.0, 240.0));
        let window = event_loop.create_window(attributes).map_err(|error| no_display(error.to_string()))?;
        let window = Arc::new(window);
        let display = Box::new(event_loop.owned_display_handle());
        let instance = Instance::new(InstanceDescriptor::new_with_display_handle_from_env(display));
        let surface = instance.create_surface(window.clone()).map_err(|error| no_display(error.to_string()))?;
        let (adapter, gpu) = Gpu::open_for(&instance, Some(&surface))?;
        if gpu.is_software() {
            let _ = window.request_inner_size(first_size(event_loop, WISHED_OF_SOFTWARE));
        }
        window.set_visible(true);
        let choice = Choice::of(&surface.get_capabilities(&adapter)).map_err(|reason| no_surface(&gpu, reason))?;
        let configuration = configuration(&surface, &adapter, &choice, fitting(&gpu, window.inner_size()));
        let configuration = configuration.ok_or_else(|| no_surface(&gpu, "it offers nothing for the window"))?;
        let surface = WindowSurface { surface, window: window.clone(), instance, device: gpu.device.clone() };
        let (frames, in_step) = (Frames::new(surface, configuration), choice.is_in_step());
        Ok(Self { window, gpu, notices: choice.notices, frames, in_step, occluded: false, empty: false, told: false })
    }

    /// Says in the title what keeps the window from answering; nothing once it answers again.
    pub(crate) fn announce(&self, busy: &str) {
        self.window.set_title(if busy.is_empty() { TITLE } else { busy });
    }

    /// The format of its frames.
    pub(crate) fn format(&self) -> TextureFormat {
        self.frames.configuration.format
    }

    /// Width and height in physical pixels.
    pub(crate) fn size(&self) -> (u32, u32) {
        (self.frames.configuration.width, self.frames.configuration.height)
    }

    /// Whether whoever asks for a frame waits for the display.
    pub(crate) fn is_in_step(&self) -> bool {
        self.in_step
    }

    /// Takes a new size. A window without any area keeps the last one, and is not drawn on.
    pub(crate) fn resize(&mut self, size: PhysicalSize<u32>) {
        self.empty = size.width == 0 || size.height == 0;
        if !self.empty {
            self.frames.resize(fitting(&self.gpu, size));
        }
    }

    pub(crate) fn set_occluded(&mut self, occluded: bool) {
        self.occluded = occluded;
    }

    /// The next frame. A surface that no longer fits its window is set up anew, one that is lost is made anew; one that is
    /// long in coming is told in the title.
    ///
    /// # Errors
    /// [`Error::NoSurface`] when none will come, or [`Error::Device`] where the device says why.
    pub(crate) fn acquire(&mut self) -> Result<Acquired<SurfaceTexture>> {
        if self.is_hidden() {
            self.frames.recovery.rest();
            return Ok(Acquired::Later(HIDDEN));
        }
        let acquired = self.frames.acquire(Instant::now()).map_err(|reason| {
            // A device that was misused says more.
            self.gpu.check().err().unwrap_or_else(|| no_surface(&self.gpu, &reason))
        });
        // The answer may have taken its time.
        self.tell(self.frames.recovery.is_to_be_told(Instant::now()));
        acquired
    }

    fn is_hidden(&self) -> bool {
        self.occluded || self.empty || self.window.is_minimized() == Some(true)
    }

    /// Says that no frame comes, or takes it back.
    fn tell(&mut self, is_waiting: bool) {
        if std::mem::replace(&mut self.told, is_waiting) == is_waiting {
            return;
        }
        self.announce(if is_waiting { WAITING } else { "" });
        if is_waiting {
            note("the display takes no frames; the world waits for it");
        }
    }

    /// Shows a frame that has been drawn.
    pub(crate) fn present(&self, frame: SurfaceTexture) {
        self.window.pre_present_notify();
        self.gpu.queue.present(frame);
    }

    pub(crate) fn toggle_fullscreen(&self) {
        let is_full = self.window.fullscreen().is_some();
        self.window.set_fullscreen((!is_full).then_some(Fullscreen::Borderless(None)));
    }
}

const TITLE: &str = "ballpit";
/// The title while no frame comes.
const WAITING: &str = "ballpit: waiting for the display…";

/// Size of a new window, which shows the panel beside the world.
const WISHED: LogicalSize<f64> = LogicalSize::new(1280.0, 800.0);
/// The same on a software adapter, which pays for every pixel: this size leaves it 30 frames a second with 5,000 balls.
const WISHED_OF_SOFTWARE: LogicalSize<f64> = LogicalSize::new(1024.0, 690.0);

/// The wished size, where the display has room for it.
fn first_size(event_loop: &ActiveEventLoop, wished: LogicalSize<f64>) -> Size {
    let Some(monitor) = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next()) else {
        return wished.into();
    };
    let size: PhysicalSize<u32> = wished.to_physical(monitor.scale_factor());
    let most = monitor.size();
    let fits = most.width > 0 && most.height > 0;
    let size = PhysicalSize::new(size.width.min(most.width), size.height.min(most.height));
    if fits { size.into() } else { wished.into() }
}

/// A size that a surface of the device can have, pixels.
fn fitting(gpu: &Gpu, size: PhysicalSize<u32>) -> (u32, u32) {
    let most = gpu.device.limits().max_texture_dimension_2d;
    (size.width.clamp(1, most), size.height.clamp(1, most))
}

/// What a surface is set up with; none where it offers nothing.
fn configuration(
    surface: &Surface,
    adapter: &Adapter,
    choice: &Choice,
    (width, height): (u32, u32),
) -> Option<SurfaceConfiguration> {
    let offered = surface.get_default_config(adapter, width, height)?;
    Some(SurfaceConfiguration { format: choice.format, present_mode: choice.mode, ..offered })
}

fn no_surface(gpu: &Gpu, reason: &str) -> Error {
    Error::NoSurface { adapter: gpu.describe(), reason: reason.into() }
}
