//! The background of the panel and of the help: flat, opaque, and cheap.
//!
//! egui fills a shape by sampling its font texture at every pixel. A GPU does that for nothing; on a software adapter it
//! took half of the frame. So large areas are filled by a pipeline of their own that computes nothing.

use egui::{Color32, CornerRadius, Frame, Margin, PaintCallbackInfo, Pos2, Rect, Shape, Stroke, Ui};
use egui_wgpu::{Callback, CallbackResources, CallbackTrait};
use wgpu::{
    ColorTargetState, Device, FragmentState, PrimitiveState, RenderPass, RenderPipeline, RenderPipelineDescriptor,
    ShaderModuleDescriptor, ShaderSource, TextureFormat, VertexState,
};

use super::theme;

const RADIUS: u8 = 8;
const COLOUR: Color32 = theme::CARD;

/// Shows contents on a card.
pub(crate) fn show<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let behind = ui.painter().add(Shape::Noop);
    let frame = Frame::new()
        .stroke(Stroke::new(1.0, theme::LINE))
        .corner_radius(CornerRadius::same(RADIUS))
        .inner_margin(Margin::symmetric(14, 12));
    let shown = frame.show(ui, contents);
    ui.painter().set(behind, filled(shown.response.rect));
    shown.inner
}

/// The rectangle without its corners, and the corners as discs.
fn filled(rect: Rect) -> Shape {
    let radius = f32::from(RADIUS);
    let inner = rect.shrink(radius);
    let corners = [inner.left_top(), inner.right_top(), inner.left_bottom(), inner.right_bottom()];
    let discs = corners.map(|corner: Pos2| Shape::circle_filled(corner, radius, COLOUR));
    let bars = [rect.shrink2(egui::vec2(radius, 0.0)), rect.shrink2(egui::vec2(0.0, radius))];
    let bars = bars.map(|bar| Shape::Callback(Callback::new_paint_callback(bar, Fill)));
    Shape::Vec(discs.into_iter().chain(bars).collect())
}

/// Fills the viewport that egui sets for it.
struct Fill;

impl CallbackTrait for Fill {
    fn paint(&self, _: PaintCallbackInfo, pass: &mut RenderPass<'static>, resources: &CallbackResources) {
        if let Some(Filler(pipeline)) = resources.get() {
            pass.set_pipeline(pipeline);
            pass.draw(0..3, 0..1);
        }
    }
}

/// The pipeline of [`Fill`], kept among egui's resources.
pub(crate) struct Filler(RenderPipeline);

impl Filler {
    pub(crate) fn new(device: &Device, format: TextureFormat) -> Self {
        let [r, g, b] = [COLOUR.r(), COLOUR.g(), COLOUR.b()].map(|channel| f32::from(channel) / 255.0);
        let source = format!(
            "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {{\n\
                 return vec4(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);\n\
             }}\n\
             @fragment fn fragment() -> @location(0) vec4<f32> {{ return vec4({r:?}, {g:?}, {b:?}, 1.0); }}\n"
        );
        let descriptor = ShaderModuleDescriptor { label: Some("card"), source: ShaderSource::Wgsl(source.into()) };
        let module = &device.create_shader_module(descriptor);
        Self(device.create_render_pipeline(&RenderPipelineDescriptor {
            label: Some("card"),
            layout: None,
            vertex: VertexState {
                module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: PrimitiveState::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(FragmentState {
                module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(ColorTargetState::from(format))],
            }),
            multiview_mask: None,
            cache: None,
        }))
    }
}
