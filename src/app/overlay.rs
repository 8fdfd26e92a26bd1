//! The user interface over the world: egui's input, layout and drawing.

use std::time::Duration;

use egui::{ClippedPrimitive, TexturesDelta, ViewportId};
use egui_wgpu::ScreenDescriptor;
use wgpu::{CommandEncoder, RenderPass};
use winit::event::WindowEvent;

use super::card::Filler;
use super::input::Shield;
use super::theme;
use super::window::Screen;

/// egui, bound to a window.
pub(crate) struct Overlay {
    pub(crate) context: egui::Context,
    state: egui_winit::State,
    renderer: egui_wgpu::Renderer,
    /// Pixels a point, as the last event had it.
    scale: f64,
}

/// What of the interface lies in the way at a point.
pub(crate) fn shield(context: &egui::Context, point: egui::Pos2) -> Shield {
    let over = context.layer_id_at(point).is_some_and(|layer| layer.order != egui::Order::Background);
    Shield { pointer: over || context.egui_is_using_pointer(), keys: context.text_edit_focused() }
}

/// A frame of the interface, laid out and ready to be drawn.
pub(crate) struct Painted {
    primitives: Vec<ClippedPrimitive>,
    textures: TexturesDelta,
    descriptor: ScreenDescriptor,
    /// When the interface wants to be drawn again if nothing happens.
    pub(crate) again_in: Duration,
}

impl Overlay {
    pub(crate) fn new(screen: &Screen) -> Self {
        let context = egui::Context::default();
        theme::dress(&context);
        let device = &screen.gpu.device;
        let most = device.limits().max_texture_dimension_2d as usize;
        let scale = screen.window.scale_factor();
        let (root, window) = (ViewportId::ROOT, &screen.window);
        let state = egui_winit::State::new(context.clone(), root, window, Some(scale as f32), None, Some(most));
        // Flat colours need no dithering, which a software adapter pays for dearly.
        let options = egui_wgpu::RendererOptions { dithering: false, ..Default::default() };
        let mut renderer = egui_wgpu::Renderer::new(device, screen.format(), options);
        renderer.callback_resources.insert(Filler::new(device, screen.format()));
        Self { context, state, renderer, scale }
    }

    /// What of the interface lies in the way of an event at a pixel. Asked of the layout as it is now, and not of the
    /// last frame's pointer: a press may follow a move within one frame.
    pub(crate) fn shield(&self, pixel: glam::Vec2) -> Shield {
        shield(&self.context, egui::pos2(pixel.x, pixel.y) / self.context.pixels_per_point())
    }

    /// Hands an event to the interface. Keys are the world's unless a text field has the focus, so that Tab or Space
    /// press no button.
    pub(crate) fn event(&mut self, screen: &Screen, event: &WindowEvent, shield: Shield) {
        if shield.keys || !matches!(event, WindowEvent::KeyboardInput { .. }) {
            let _ = self.state.on_window_event(&screen.window, event);
        }
    }

    /// Takes another number of pixels a point; whether it is another.
    pub(crate) fn rescale(&mut self, scale: f64) -> bool {
        std::mem::replace(&mut self.scale, scale) != scale
    }

    /// Lays out a frame.
    pub(crate) fn lay_out(&mut self, screen: &Screen, contents: impl FnMut(&egui::Context)) -> Painted {
        let mut contents = contents;
        // X11's window goes on to have the scale factor from before its event until a window manager has moved it.
        self.context.set_zoom_factor((self.scale / screen.window.scale_factor()) as f32);
        let input = self.state.take_egui_input(&screen.window);
        let output = self.context.run_ui(input, |ui| contents(ui.ctx()));
        self.state.handle_platform_output(&screen.window, output.platform_output);
        let viewport = output.viewport_output.get(&ViewportId::ROOT);
        let (width, height) = screen.size();
        Painted {
            primitives: self.context.tessellate(output.shapes, output.pixels_per_point),
            textures: output.textures_delta,
            descriptor: ScreenDescriptor { size_in_pixels: [width, height], pixels_per_point: output.pixels_per_point },
            again_in: viewport.map_or(Duration::MAX, |viewport| viewport.repaint_delay),
        }
    }

    /// Sends a frame's textures and shapes to the device.
    pub(crate) fn upload(&mut self, screen: &Screen, encoder: &mut CommandEncoder, painted: &Painted) {
        let (device, queue) = (&screen.gpu.device, &screen.gpu.queue);
        for (id, deltas) in &painted.textures.set {
            deltas.iter().for_each(|delta| self.renderer.update_texture(device, queue, *id, delta));
        }
        // Only paint callbacks make command buffers of their own, and there are none.
        let _ = self.renderer.update_buffers(device, queue, encoder, &painted.primitives, &painted.descriptor);
    }

    /// Draws a frame over what the pass holds.
    pub(crate) fn paint(&self, pass: &mut RenderPass<'static>, painted: &Painted) {
        self.renderer.render(pass, &painted.primitives, &painted.descriptor);
    }

    /// Lets go of the textures that a frame was the last to use; call it after the frame's submission.
    pub(crate) fn free(&mut self, painted: &Painted) {
        painted.textures.free.iter().for_each(|id| self.renderer.free_texture(id));
    }
}
