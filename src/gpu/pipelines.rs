//! Compute pipelines: a layout and a pipeline for each stage, from the stage's own binding list.

use std::collections::HashMap;

use wgpu::{
    BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, BufferBindingType, ComputePipeline,
    ComputePipelineDescriptor, Device, PipelineLayoutDescriptor, ShaderModuleDescriptor, ShaderStages,
};

use crate::Stage;
use crate::params::Traits;
use crate::stage::{Access, Arithmetic, Words};

/// A stage's pipeline and the layout of its bind group.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) compute: ComputePipeline,
    pub(super) layout: BindGroupLayout,
}

/// Every stage's pipeline, in one arithmetic and for worlds of one kind.
#[derive(Debug)]
pub(super) struct Pipelines(HashMap<Stage, Pipeline>);

impl Pipelines {
    pub(super) fn new(device: &Device, arithmetic: Arithmetic, traits: Traits, words: Words) -> Self {
        let build = |stage: Stage| {
            let accesses = stage.bindings().iter().map(|&(_, access)| access);
            (stage, Pipeline::new(device, stage.name(), accesses, stage.wgsl(arithmetic, traits, words)))
        };
        Self(Stage::ALL.iter().copied().map(build).collect())
    }

    pub(super) fn of(&self, stage: Stage) -> &Pipeline {
        &self.0[&stage]
    }
}

impl Pipeline {
    /// Compiles `wgsl`, whose entry point is `name` and whose bindings are accessed as listed.
    pub(super) fn new(device: &Device, name: &str, accesses: impl Iterator<Item = Access>, wgsl: String) -> Self {
        let entries: Vec<BindGroupLayoutEntry> =
            accesses.zip(0..).map(|(access, binding)| entry(binding, access)).collect();
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

fn entry(binding: u32, access: Access) -> BindGroupLayoutEntry {
    let ty = match access {
        Access::Uniform | Access::PerTurn => BufferBindingType::Uniform,
        Access::Read | Access::Seldom => BufferBindingType::Storage { read_only: true },
        Access::Write | Access::Update => BufferBindingType::Storage { read_only: false },
    };
    BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer { ty, has_dynamic_offset: access == Access::PerTurn, min_binding_size: None },
        count: None,
    }
}
