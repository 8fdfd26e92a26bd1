//! What is drawn over the balls, or under them, where it is asked for: a pipeline each, made when it first is.

use std::ops::Range;

use wgpu::{BindGroupLayout, Device, PrimitiveTopology, RenderPass, RenderPipeline, ShaderModule, TextureFormat};

use super::view::{Show, View, ViewParams};
use super::{Balls, Look, module, pipeline, shaders};
use crate::stage::SLOTS;

/// Share of their radii that two bodies may be apart and still show a contact: what a resting pair opens by in a step.
pub(super) const TOUCHING: f32 = 2e-3;
/// Links that a ball may show: to the bodies in its list, and to two surfaces.
pub(super) const LINKS: u32 = SLOTS + 2;
/// Arrows of a surface at most.
pub(super) const ARROWS: u32 = 64;
/// From one arrow of a surface to the next, px.
pub(super) const ARROW_GAP_PX: f32 = 90.0;

/// Vertices of a quad of two triangles.
const SIX: u32 = 6;

/// What may be drawn over the balls and under them.
#[derive(Debug, Default)]
pub(super) struct Overlays {
    module: Option<ShaderModule>,
    bars: Option<RenderPipeline>,
    grid: Option<RenderPipeline>,
    contacts: Option<RenderPipeline>,
    velocities: Option<RenderPipeline>,
    normals: Option<RenderPipeline>,
    show: Show,
    bars_drawn: u32,
    levels: u32,
    surfaces: u32,
}

impl Overlays {
    /// Takes what the next frame shows, and makes the pipelines that it needs and that are not there yet.
    pub(super) fn prepare(
        &mut self,
        device: &Device,
        layout: &BindGroupLayout,
        format: TextureFormat,
        (view, params): (&View, &ViewParams),
    ) {
        let show = view.show;
        self.bars_drawn = view.bars() as u32;
        (self.show, self.levels, self.surfaces) = (show, params.level_count, params.surface_count);
        if show == Show::default() && self.bars_drawn == 0 {
            return;
        }
        let made = || module(device, "overlays", &shaders::overlays(format.is_srgb()));
        let module = &*self.module.get_or_insert_with(made);
        let wanted = [
            (self.bars_drawn > 0, &mut self.bars, "bar", PrimitiveTopology::TriangleStrip),
            (show.grid, &mut self.grid, "grid", PrimitiveTopology::TriangleStrip),
            (show.contacts, &mut self.contacts, "contact", PrimitiveTopology::TriangleList),
            (show.velocities, &mut self.velocities, "velocity", PrimitiveTopology::TriangleList),
            (show.normals, &mut self.normals, "normal", PrimitiveTopology::TriangleStrip),
        ];
        for (_, kept, name, topology) in wanted.into_iter().filter(|(wanted, ..)| *wanted) {
            kept.get_or_insert_with(|| {
                let look = Look { format, shader: (module, name), topology };
                pipeline(device, &[Some(layout)], &look)
            });
        }
    }

    /// Draws what lies under the balls: the bars, and the grid, where its cells are known.
    pub(super) fn draw_below(&self, pass: &mut RenderPass, balls: &Balls) {
        if self.bars_drawn > 0 {
            draw(pass, &self.bars, 0..4, 0..self.bars_drawn);
        }
        if self.show.grid && balls.neighbours.is_some() {
            draw(pass, &self.grid, 0..4, 0..self.levels);
        }
    }

    /// Draws what lies over them.
    pub(super) fn draw_above(&self, pass: &mut RenderPass, balls: &Balls) {
        if self.show.contacts && balls.neighbours.is_some() {
            draw(pass, &self.contacts, 0..SIX * balls.count, 0..LINKS);
        }
        if self.show.velocities {
            draw(pass, &self.velocities, 0..SIX * balls.count, 0..1);
        }
        if self.show.normals {
            draw(pass, &self.normals, 0..4, 0..ARROWS * self.surfaces);
        }
    }
}

fn draw(pass: &mut RenderPass, pipeline: &Option<RenderPipeline>, vertices: Range<u32>, instances: Range<u32>) {
    if let Some(pipeline) = pipeline {
        pass.set_pipeline(pipeline);
        pass.draw(vertices, instances);
    }
}
