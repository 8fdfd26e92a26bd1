//! How each ball is drawn, found out on the device before the picture is drawn.
//!
//! A ball outside the picture is not drawn at all. One of fewer than [`DISC_PX`] joins the *crowd*: it adds its colour to
//! the pixels that it covers, each by the share covered. Shares add up, as those of balls beside each other should,
//! where discs laid over each other would hide a part of what is there; whole numbers add up to the same in any order. The
//! other balls are discs: they are listed in the order of their slots, so that they are always laid over each other alike.

use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, Buffer, BufferUsages, CommandEncoder,
    ComputePassDescriptor, ComputePipeline, ComputePipelineDescriptor, IndexFormat, PipelineLayout,
    PipelineLayoutDescriptor, PrimitiveTopology, RenderPass, RenderPipeline, ShaderStages, TextureFormat,
};

use super::{Look, module, pipeline, shaders, storage_layout};
use crate::Gpu;
use crate::stage::{SCAN_WORKGROUP, WORKGROUP};

/// Radius from which on a ball is a disc, pixels: smaller ones have neither light nor marks.
pub(super) const DISC_PX: f32 = 1.5;
/// What the share of a whole pixel is counted as: a pixel holds a million balls that cover it, each to 1/4096.
pub(super) const SHARES: f32 = 4096.0;
/// Balls whose discs are counted together: those that a workgroup lists.
pub(super) const DISC_BLOCK: u32 = WORD * SCAN_WORKGROUP;
/// Balls that share a word of bits.
const WORD: u32 = 32;
/// Bytes of a pixel's sums.
const PIXEL_BYTES: u64 = 16;
/// Vertices of a disc.
pub(super) const CORNERS: u32 = 3;
/// Where what is drawn of the crowd lies, behind what is drawn of the discs; and its bytes.
const CROWD_DRAWN: u64 = 20;
const CROWD_BYTES: u64 = 16;

/// The kernels that sift balls, and what they find.
#[derive(Debug)]
pub(super) struct Sift {
    gpu: Gpu,
    kernels: Kernels,
    found: Found,
}

#[derive(Debug)]
struct Kernels {
    sift: ComputePipeline,
    list_discs: ComputePipeline,
    crowd: RenderPipeline,
}

/// What the kernels find, for so many balls and pixels.
#[derive(Debug)]
struct Found {
    balls: u32,
    pixels: u64,
    discs: Buffer,
    sifted: Buffer,
    vertices: Buffer,
    drawn: Buffer,
    sift: BindGroup,
    list_discs: BindGroup,
    crowd: BindGroup,
}

impl Sift {
    /// Builds the pipelines; `balls` is the layout of an engine's buffers.
    pub(super) fn new(gpu: &Gpu, balls: &BindGroupLayout, format: TextureFormat) -> Self {
        let kernels = Kernels::new(gpu, balls, format);
        Self { found: Found::new(gpu, &kernels, 1, 1), kernels, gpu: gpu.clone() }
    }

    /// The radius from which on balls are discs in a picture of that many pixels: all are where the device has no room
    /// for the sums of so many.
    pub(super) fn disc_px(&self, pixels: u64) -> f32 {
        let limits = self.gpu.device.limits();
        let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        if pixels * PIXEL_BYTES <= most { DISC_PX } else { 0.0 }
    }

    /// Sifts `count` balls, for a picture of that many pixels.
    pub(super) fn encode(&mut self, encoder: &mut CommandEncoder, balls: &BindGroup, (count, pixels): (u32, u64)) {
        let pixels = if self.disc_px(pixels) > 0.0 { pixels } else { 1 };
        if count > self.found.balls || pixels != self.found.pixels {
            let balls = count.checked_next_power_of_two().unwrap_or(count).max(self.found.balls);
            self.found = Found::new(&self.gpu, &self.kernels, balls, pixels);
        }
        let Self { gpu, kernels, found } = self;
        encoder.clear_buffer(&found.discs, 0, None);
        encoder.clear_buffer(&found.sifted, 0, None);
        let mut pass =
            encoder.begin_compute_pass(&ComputePassDescriptor { label: Some("sift"), timestamp_writes: None });
        pass.set_pipeline(&kernels.sift);
        pass.set_bind_group(0, balls, &[]);
        pass.set_bind_group(1, &found.sift, &[]);
        gpu.dispatch(&mut pass, count.div_ceil(WORKGROUP));
        pass.set_pipeline(&kernels.list_discs);
        pass.set_bind_group(0, &found.list_discs, &[]);
        gpu.dispatch(&mut pass, found.balls.div_ceil(DISC_BLOCK));
    }

    /// Draws the crowd.
    pub(super) fn draw_crowd(&self, pass: &mut RenderPass) {
        pass.set_pipeline(&self.kernels.crowd);
        pass.set_bind_group(1, &self.found.crowd, &[]);
        pass.draw_indirect(&self.found.drawn, CROWD_DRAWN);
    }

    /// Draws the discs by the pipeline that is set.
    pub(super) fn draw_discs(&self, pass: &mut RenderPass) {
        pass.set_index_buffer(self.found.vertices.slice(..), IndexFormat::Uint32);
        pass.draw_indexed_indirect(&self.found.drawn, 0);
    }
}

impl Kernels {
    fn new(gpu: &Gpu, balls: &BindGroupLayout, format: TextureFormat) -> Self {
        let device = &gpu.device;
        let found = storage_layout(device, ShaderStages::COMPUTE, 3);
        let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
            label: Some("sift"),
            bind_group_layouts: &[Some(balls), Some(&found)],
            immediate_size: 0,
        });
        let kernel = |name, source: &str, layout: Option<&PipelineLayout>| {
            device.create_compute_pipeline(&ComputePipelineDescriptor {
                label: Some(name),
                layout,
                module: &module(device, name, source),
                entry_point: Some(name),
                compilation_options: Default::default(),
                cache: None,
            })
        };
        let source = module(device, "crowd", &shaders::crowd(format.is_srgb()));
        let sums = storage_layout(device, ShaderStages::FRAGMENT, 1);
        let look = Look { format, shader: (&source, "crowd"), topology: PrimitiveTopology::TriangleList };
        Self {
            sift: kernel("sift", &shaders::sift(), Some(&layout)),
            list_discs: kernel("list_discs", &shaders::list_discs(), None),
            crowd: pipeline(device, &[Some(balls), Some(&sums)], &look),
        }
    }
}

impl Found {
    fn new(gpu: &Gpu, kernels: &Kernels, balls: u32, pixels: u64) -> Self {
        let words = |name, words: u32, usage| gpu.buffer(name, 4 * u64::from(words), BufferUsages::STORAGE | usage);
        let sums = gpu.buffer("crowd", pixels * PIXEL_BYTES, BufferUsages::STORAGE);
        let discs = words("discs", balls.div_ceil(WORD), BufferUsages::COPY_DST);
        let sifted = words("sifted", 1 + balls.div_ceil(DISC_BLOCK), BufferUsages::COPY_DST);
        let vertices = words("vertices", balls * CORNERS, BufferUsages::INDEX);
        let drawn = gpu.buffer("drawn", CROWD_DRAWN + CROWD_BYTES, BufferUsages::STORAGE | BufferUsages::INDIRECT);
        let group = |layout, buffers: &[&Buffer]| {
            let resources = buffers.iter().map(|buffer| buffer.as_entire_binding());
            let entries: Vec<BindGroupEntry> =
                (0..).zip(resources).map(|(binding, resource)| BindGroupEntry { binding, resource }).collect();
            gpu.device.create_bind_group(&BindGroupDescriptor { label: Some("sift"), layout, entries: &entries })
        };
        Self {
            balls,
            pixels,
            sift: group(&kernels.sift.get_bind_group_layout(1), &[&sums, &discs, &sifted]),
            list_discs: group(&kernels.list_discs.get_bind_group_layout(0), &[&discs, &sifted, &vertices, &drawn]),
            crowd: group(&kernels.crowd.get_bind_group_layout(1), &[&sums]),
            discs,
            sifted,
            vertices,
            drawn,
        }
    }
}
