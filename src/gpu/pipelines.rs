//! Compute pipelines: a layout and a pipeline for each kernel, from the kernel's own binding list.

use std::collections::HashMap;

use wgpu::{
    BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, BufferBindingType, ComputePipeline,
    ComputePipelineDescriptor, Device, PipelineLayoutDescriptor, ShaderModuleDescriptor, ShaderStages,
    StorageTextureAccess, TextureViewDimension,
};

use super::texels;
use crate::params::Traits;
use crate::stage::dialect::{Dialect, Element};
use crate::stage::kernel::Kernel;
use crate::stage::{Access, Arithmetic};

/// A kernel's pipeline and the layout of its bind group.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) compute: ComputePipeline,
    pub(super) layout: BindGroupLayout,
}

/// Every kernel's pipeline, in one arithmetic and for worlds of one kind.
#[derive(Debug)]
pub(super) struct Pipelines(HashMap<Kernel, Pipeline>);

impl Pipelines {
    pub(super) fn new(device: &Device, arithmetic: Arithmetic, traits: Traits, dialect: Dialect) -> Self {
        let build = |kernel: Kernel| {
            let types = kernel.bindings().iter().map(|&(buffer, access)| {
                dialect.texels_of((buffer, access)).map_or_else(|| type_of(access), type_of_texels)
            });
            (kernel, Pipeline::new(device, kernel.name(), types, kernel.wgsl(arithmetic, traits, dialect)))
        };
        Self(Kernel::all(dialect).map(build).collect())
    }

    pub(super) fn of(&self, kernel: Kernel) -> &Pipeline {
        &self.0[&kernel]
    }
}

impl Pipeline {
    /// Compiles `wgsl`, whose entry point is `name` and whose bindings are of the types listed.
    pub(super) fn new(device: &Device, name: &str, types: impl Iterator<Item = BindingType>, wgsl: String) -> Self {
        let visibility = ShaderStages::COMPUTE;
        let entries: Vec<BindGroupLayoutEntry> =
            types.zip(0..).map(|(ty, binding)| BindGroupLayoutEntry { binding, visibility, ty, count: None }).collect();
        let layout =
            device.create_bind_group_layout(&BindGroupLayoutDescriptor { label: Some(name), entries: &entries });
        let module = device.create_shader_module(ShaderModuleDescriptor {
            label: Some(name),
            source: wgpu::ShaderSource::Wgsl(wgsl.into()),
        });
        let pipeline_layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
            label: Some(name),
            bind_group_layouts: &[Some(&layout)],
            ..PipelineLayoutDescriptor::default()
        });
        let compute = device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: Some(name),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some(name),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Self { compute, layout }
    }
}

/// A texture of such elements.
fn type_of_texels(element: Element) -> BindingType {
    BindingType::StorageTexture {
        access: StorageTextureAccess::ReadOnly,
        format: texels::format(element),
        view_dimension: TextureViewDimension::D2,
    }
}

/// A buffer that is accessed so.
pub(super) fn type_of(access: Access) -> BindingType {
    let ty = match access {
        Access::Uniform | Access::PerTurn => BufferBindingType::Uniform,
        Access::Read | Access::Seldom => BufferBindingType::Storage { read_only: true },
        Access::Write | Access::Update => BufferBindingType::Storage { read_only: false },
    };
    BindingType::Buffer { ty, has_dynamic_offset: access == Access::PerTurn, min_binding_size: None }
}
