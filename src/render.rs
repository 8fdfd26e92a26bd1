//! Drawing: the balls straight from an engine's GPU buffers, between their last two places, into a window or a picture.
//! Nothing is copied, waited for or allocated per frame. Knows no window system.
//!
//! First the balls are sifted (`sift.rs`): those outside the picture are left out, and small ones are added to the pixels
//! that they cover, each by the share that it covers, so that a million balls far away look like a density. Any other
//! ball is a triangle around it whose vertex shader reads the record; its fragments blend by the share of the pixel that the disc covers.
//! That share is right in sum for every size. Colours are the same on a target that encodes sRGB by itself and on one that stores what it is given; only
//! half-covered pixels differ, since the former blends light and the latter stored values. Window and pictures agree to
//! the bit if both are of the latter kind, as egui wants it.

mod camera;
mod colour;
#[cfg(test)]
mod crowds;
#[cfg(test)]
mod looks;
mod offscreen;
mod overlays;
mod picture;
mod shaders;
mod sift;
mod view;

use std::ops::Range;

use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry,
    BindingType, BlendState, Buffer, BufferBindingType, BufferUsages, ColorTargetState, ColorWrites, CommandEncoder,
    Device, FragmentState, PipelineLayoutDescriptor, PrimitiveState, PrimitiveTopology, Queue, RenderPass,
    RenderPipeline, RenderPipelineDescriptor, ShaderModuleDescriptor, ShaderSource, ShaderStages, TextureFormat,
    VertexState,
};

pub use crate::lattice::Lattice;
pub use camera::{Camera, Margins};
pub use colour::{ColourMap, palette, sleep_colours};
pub use offscreen::{Offscreen, picture};
pub use picture::Picture;
pub use view::{ColourBy, Show, View};

use crate::Gpu;
use overlays::Overlays;
use sift::Sift;
use view::{OUTLINE_EDGES, ViewParams};

/// The balls as an engine keeps them on the device.
#[derive(Clone, Copy, Debug)]
pub struct Balls<'a> {
    /// [`crate::Record`]s, by slot.
    pub bodies: &'a Buffer,
    /// [`crate::Home`]s of the same slots.
    pub homes: &'a Buffer,
    /// Two words: one more than the held ball's id, or 0; its slot.
    pub held: &'a Buffer,
    /// [`crate::Spin`]s of the same slots, where balls turn: each is then drawn with a spoke.
    pub spins: Option<&'a Buffer>,
    /// What presses on the balls of the same slots, px²/s²; without it, [`ColourBy::Load`] shows none.
    pub loads: Option<&'a Buffer>,
    /// Who is near to whom, where the view's lattice says how to read it: without it, neither grid nor contacts are
    /// drawn.
    pub neighbours: Option<Neighbours<'a>>,
    /// How many of the slots are balls.
    pub count: u32,
    /// How many slots hold pieces of segments; they follow the balls'.
    pub pieces: u32,
}

/// An engine's grid and its lists of candidates on the device, as a view's lattice says that they lie.
#[derive(Clone, Copy, Debug)]
pub struct Neighbours<'a> {
    /// First slot of each cell, and one past the last.
    pub cell_start: &'a Buffer,
    /// Slots of each ball's candidates.
    pub candidates: &'a Buffer,
    /// Two words a slot: how many candidates it has, listed or not, and a bit for each surface near it.
    pub nearby: &'a Buffer,
}

/// Draws frames on targets of one format.
#[derive(Debug)]
pub struct Renderer {
    device: Device,
    format: TextureFormat,
    layout: BindGroupLayout,
    edges: RenderPipeline,
    segments: RenderPipeline,
    circles: RenderPipeline,
    spoked: RenderPipeline,
    sift: Sift,
    overlays: Overlays,
    /// What is bound in place of what a world does not have.
    nothing: Buffer,
    spring: RenderPipeline,
    params: Buffer,
    /// The uniform's bytes, kept so that a frame allocates nothing.
    bytes: Vec<u8>,
    edges_drawn: Range<u32>,
    has_pointer: bool,
    /// Groups made so far, newest last, by the buffers they bind.
    groups: Vec<([Buffer; STORED], BindGroup)>,
}

/// Storage buffers that the shaders bind, behind the uniform: as many as every device takes.
const STORED: usize = 8;
/// Groups to keep: an engine swaps two buffers of bodies, two of homes and two of spins.
const MOST_GROUPS: usize = 8;

impl Renderer {
    /// Builds the pipelines for targets of `format`.
    pub fn new(gpu: &Gpu, format: TextureFormat) -> Self {
        let device = gpu.device.clone();
        let layout = layout(&device);
        let pipeline = |shader, topology| pipeline(&device, &[Some(&layout)], &Look { format, shader, topology });
        let line = |module, name| pipeline((module, name), PrimitiveTopology::TriangleStrip);
        let circle = |module| pipeline((module, "circle"), PrimitiveTopology::TriangleList);
        let circles = |spoked| module(&device, "circles", &shaders::circles(format.is_srgb(), spoked));
        let lines = module(&device, "lines", &shaders::lines(format.is_srgb()));
        let bytes = bytes_of(&ViewParams::default(), Vec::new());
        let params = device.create_buffer_init(&BufferInitDescriptor {
            label: Some("view"),
            contents: &bytes,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
        });
        Self {
            edges: line(&lines, "edge"),
            segments: line(&lines, "segment"),
            circles: circle(&circles(false)),
            spoked: circle(&circles(true)),
            sift: Sift::new(gpu, &layout, format),
            overlays: Overlays::default(),
            nothing: gpu.buffer("nothing", 0, BufferUsages::STORAGE),
            spring: line(&lines, "spring"),
            device,
            format,
            layout,
            params,
            bytes,
            edges_drawn: 0..0,
            has_pointer: false,
            groups: Vec::with_capacity(MOST_GROUPS),
        }
    }

    /// The format of the targets it draws on.
    pub fn format(&self) -> TextureFormat {
        self.format
    }

    /// The background, to clear the target with.
    pub fn background(&self) -> wgpu::Color {
        let colour = colour::BACKGROUND;
        let [r, g, b] = if self.format.is_srgb() { colour.linear() } else { colour.stored() };
        wgpu::Color { r, g, b, a: 1.0 }
    }

    /// Takes the next frame's view, and sifts its balls. Call it once before the frame's submission, to which the encoder
    /// belongs.
    pub fn prepare(&mut self, queue: &Queue, encoder: &mut CommandEncoder, balls: &Balls, view: &View) {
        let mut params = ViewParams::from(view);
        let pixels = u64::from(params.columns) * u64::from(params.rows);
        (params.drawn, params.disc_from) = (balls.count, self.sift.disc_px(pixels));
        self.bytes = bytes_of(&params, std::mem::take(&mut self.bytes));
        queue.write_buffer(&self.params, 0, &self.bytes);
        let outline = OUTLINE_EDGES as u32;
        self.edges_drawn = if view.outline.is_some() { 0 } else { outline }..outline + params.surface_count;
        self.has_pointer = view.pointer.is_some();
        self.overlays.prepare(&self.device, &self.layout, self.format, (view, &params));
        let group = self.group(balls);
        self.sift.encode(encoder, &self.groups[group].1, (balls.count, pixels));
    }

    /// Draws the frame over what the pass holds; clear it with [`Renderer::background`].
    pub fn draw(&mut self, pass: &mut RenderPass, balls: &Balls) {
        let group = self.group(balls);
        pass.set_bind_group(0, &self.groups[group].1, &[]);
        self.overlays.draw_below(pass, balls);
        pass.set_pipeline(&self.edges);
        pass.draw(0..4, self.edges_drawn.clone());
        pass.set_pipeline(&self.segments);
        pass.draw(0..4, balls.count..balls.count + balls.pieces);
        self.sift.draw_crowd(pass);
        pass.set_pipeline(if balls.spins.is_some() { &self.spoked } else { &self.circles });
        self.sift.draw_discs(pass);
        self.overlays.draw_above(pass, balls);
        if self.has_pointer {
            pass.set_pipeline(&self.spring);
            pass.draw(0..4, 0..1);
        }
    }

    /// Lets go of the buffers it drew from; call it after dropping an engine, whose memory stays taken otherwise.
    pub fn forget(&mut self) {
        self.groups.clear();
    }

    /// The place of the balls' group among those made.
    fn group(&mut self, balls: &Balls) -> usize {
        let or_nothing = |buffer: Option<&Buffer>| buffer.unwrap_or(&self.nothing).clone();
        let (spins, loads) = (or_nothing(balls.spins), or_nothing(balls.loads));
        let lists = balls.neighbours.map(|lists| [lists.cell_start, lists.candidates, lists.nearby]);
        let [cells, candidates, nearby] = lists.unwrap_or([&self.nothing; 3]);
        let buffers = [balls.bodies, balls.homes, balls.held, &spins, &loads, cells, candidates, nearby];
        let known = self.groups.iter().position(|(bound, _)| bound.iter().eq(buffers));
        known.unwrap_or_else(|| {
            if self.groups.len() == MOST_GROUPS {
                self.groups.remove(0);
            }
            let entries: [BindGroupEntry; STORED + 1] = std::array::from_fn(|binding| BindGroupEntry {
                binding: binding as u32,
                resource: if binding == 0 { &self.params } else { buffers[binding - 1] }.as_entire_binding(),
            });
            let descriptor = BindGroupDescriptor { label: Some("balls"), layout: &self.layout, entries: &entries };
            self.groups.push((buffers.map(Buffer::clone), self.device.create_bind_group(&descriptor)));
            self.groups.len() - 1
        })
    }
}

/// What the kernel that sifts balls reads of them: bodies, homes, the held one, loads and cells, by binding.
const SIFTED: [u32; 5] = [1, 2, 3, 5, 6];

fn layout(device: &Device) -> BindGroupLayout {
    let entries: [BindGroupLayoutEntry; STORED + 1] = std::array::from_fn(|binding| match binding as u32 {
        0 => entry(0, ShaderStages::VERTEX_FRAGMENT | ShaderStages::COMPUTE, BufferBindingType::Uniform),
        binding => {
            let kernel = if SIFTED.contains(&binding) { ShaderStages::COMPUTE } else { ShaderStages::NONE };
            entry(binding, ShaderStages::VERTEX | kernel, BufferBindingType::Storage { read_only: true })
        }
    });
    device.create_bind_group_layout(&BindGroupLayoutDescriptor { label: Some("balls"), entries: &entries })
}

/// A layout of `count` buffers that shaders of a stage write.
fn storage_layout(device: &Device, stage: ShaderStages, count: u32) -> BindGroupLayout {
    let entries: Vec<BindGroupLayoutEntry> =
        (0..count).map(|binding| entry(binding, stage, BufferBindingType::Storage { read_only: false })).collect();
    device.create_bind_group_layout(&BindGroupLayoutDescriptor { label: Some("written"), entries: &entries })
}

fn entry(binding: u32, visibility: ShaderStages, ty: BufferBindingType) -> BindGroupLayoutEntry {
    let ty = BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
    BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn module(device: &Device, label: &str, source: &str) -> wgpu::ShaderModule {
    device
        .create_shader_module(ShaderModuleDescriptor { label: Some(label), source: ShaderSource::Wgsl(source.into()) })
}

/// What a pipeline draws, and on what.
struct Look<'a> {
    format: TextureFormat,
    /// The module, and the name whose entry points are `<name>_vertex` and `<name>_fragment`.
    shader: (&'a wgpu::ShaderModule, &'a str),
    topology: PrimitiveTopology,
}

fn pipeline(device: &Device, groups: &[Option<&BindGroupLayout>], look: &Look) -> RenderPipeline {
    let Look { format, shader: (module, name), topology } = *look;
    let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
        label: Some(name),
        bind_group_layouts: groups,
        immediate_size: 0,
    });
    let target = ColorTargetState {
        format,
        blend: Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        write_mask: ColorWrites::ALL,
    };
    device.create_render_pipeline(&RenderPipelineDescriptor {
        label: Some(name),
        layout: Some(&layout),
        vertex: VertexState {
            module,
            entry_point: Some(&format!("{name}_vertex")),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: PrimitiveState { topology, ..PrimitiveState::default() },
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(FragmentState {
            module,
            entry_point: Some(&format!("{name}_fragment")),
            compilation_options: Default::default(),
            targets: &[Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// The uniform's bytes, in the vector given.
fn bytes_of(params: &ViewParams, mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.clear();
    let mut buffer = encase::UniformBuffer::new(bytes);
    buffer.write(params).expect("a vector grows as it must");
    buffer.into_inner()
}
