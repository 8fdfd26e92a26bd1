//! The window's surface: opened, resized, lost and found again.

use std::sync::Arc;

use ballpit::{Error, Gpu, Result};
use wgpu::{
    Adapter, CurrentSurfaceTexture, Instance, InstanceDescriptor, PresentMode, Surface, SurfaceConfiguration,
    SurfaceTexture, TextureFormat,
};
use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window};

/// A window and what it is drawn on.
pub(crate) struct Screen {
    pub(crate) window: Arc<Window>,
    pub(crate) gpu: Gpu,
    instance: Instance,
    surface: Surface<'static>,
    configuration: SurfaceConfiguration,
    /// Nobody sees it: minimised, or behind other windows.
    occluded: bool,
}

/// A frame to draw on, or why there is none.
pub(crate) enum Acquired {
    Frame(SurfaceTexture),
    /// The surface was set up anew: try again at once.
    Again,
    /// Nobody sees the window: try again later.
    Hidden,
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
        let configuration = configuration(&surface, &adapter, window.inner_size())?;
        let mut screen = Self { window, gpu, instance, surface, configuration, occluded: false };
        screen.resize(screen.window.inner_size());
        Ok(screen)
    }

    /// Says in the title what keeps the window from answering; nothing once it answers again.
    pub(crate) fn announce(&self, busy: &str) {
        self.window.set_title(if busy.is_empty() { TITLE } else { busy });
    }

    /// The format of its frames.
    pub(crate) fn format(&self) -> TextureFormat {
        self.configuration.format
    }

    /// Width and height in physical pixels.
    pub(crate) fn size(&self) -> (u32, u32) {
        (self.configuration.width, self.configuration.height)
    }

    /// Takes a new size. A window without any area keeps the last one, and is not drawn on.
    pub(crate) fn resize(&mut self, size: PhysicalSize<u32>) {
        if size.width == 0 || size.height == 0 {
            return;
        }
        let most = self.gpu.device.limits().max_texture_dimension_2d;
        self.configuration.width = size.width.min(most);
        self.configuration.height = size.height.min(most);
        self.configure();
    }

    pub(crate) fn set_occluded(&mut self, occluded: bool) {
        self.occluded = occluded;
    }

    /// The next frame. A surface that no longer fits its window is set up anew, one that is lost is made anew.
    pub(crate) fn acquire(&mut self) -> Acquired {
        let PhysicalSize { width, height } = self.window.inner_size();
        if self.occluded || width == 0 || height == 0 || self.window.is_minimized() == Some(true) {
            return Acquired::Hidden;
        }
        match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(frame) => Acquired::Frame(frame),
            CurrentSurfaceTexture::Suboptimal(frame) => {
                drop(frame);
                self.configure();
                Acquired::Again
            }
            CurrentSurfaceTexture::Outdated => {
                self.configure();
                Acquired::Again
            }
            CurrentSurfaceTexture::Lost => {
                if let Ok(surface) = self.instance.create_surface(self.window.clone()) {
                    self.surface = surface;
                    self.configure();
                }
                Acquired::Hidden
            }
            CurrentSurfaceTexture::Timeout | CurrentSurfaceTexture::Occluded | CurrentSurfaceTexture::Validation => {
                Acquired::Hidden
            }
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

    fn configure(&self) {
        self.surface.configure(&self.gpu.device, &self.configuration);
    }
}

const TITLE: &str = "ballpit";

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

/// Frames in step with the display, of a format that stores what it is given, as the interface and pictures want it.
fn configuration(surface: &Surface, adapter: &Adapter, size: PhysicalSize<u32>) -> Result<SurfaceConfiguration> {
    let refused = || Error::NoAdapter { reason: "the adapter can't draw on this window".into() };
    let (width, height) = (size.width.max(1), size.height.max(1));
    let mut configuration = surface.get_default_config(adapter, width, height).ok_or_else(refused)?;
    let formats = surface.get_capabilities(adapter).formats;
    let plain = [TextureFormat::Rgba8Unorm, TextureFormat::Bgra8Unorm].into_iter().find(|f| formats.contains(f));
    configuration.format = plain.unwrap_or(configuration.format);
    configuration.present_mode = PresentMode::AutoVsync;
    Ok(configuration)
}
