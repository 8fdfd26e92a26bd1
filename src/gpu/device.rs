//! A device to compute and draw on: opened here, or handed in by a program that embeds the library.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use wgpu::{
    Adapter, AdapterInfo, Backend, ComputePass, Device, DeviceDescriptor, DeviceType, Features, Instance,
    InstanceDescriptor, Limits, Queue, RequestAdapterOptions, Surface,
};

use super::SelfTest;
use super::pipelines::Pipelines;
use crate::params::Traits;
use crate::stage::dialect::{Dialect, MOST_TEXTURES, TEXELS_A_ROW};
use crate::{Arithmetic, Error, Result};

/// A device and its queue, cheap to clone.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The device.
    pub device: Device,
    /// Its queue.
    pub queue: Queue,
    info: Arc<AdapterInfo>,
    /// Most workgroups along one axis of a dispatch.
    pub(super) groups_a_row: u32,
    /// So many slots and more are stepped by kernels of the software dialect; fewer take less time by hardware's, which need no
    /// copies.
    pub(crate) software_from: u32,
    compiled: Arc<Mutex<Compiled>>,
    /// The first fault of a device that was opened here, kept for the next call to report.
    fault: Arc<Mutex<Option<String>>>,
}

/// What is made once a device, for each arithmetic and dialect and for worlds with segments or without.
type Compiled = HashMap<(Arithmetic, bool, Dialect), Arc<Pipelines>>;

/// See [`Gpu::software_from`]. On lavapipe (others were not measured) a step of 70 balls takes twice as long in the software
/// dialect, of 700 a tenth less.
const SOFTWARE_FROM: u32 = 512;

impl Gpu {
    /// Opens the fastest adapter there is, without a window.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] without one, [`Error::Device`] if it gives no device.
    pub fn open() -> Result<Self> {
        let instance = Instance::new(InstanceDescriptor::new_without_display_handle_from_env());
        Ok(Self::open_for(&instance, None)?.1)
    }

    /// Opens the fastest adapter that can draw on `surface`.
    ///
    /// # Errors
    /// As [`Gpu::open`].
    pub fn open_for(instance: &Instance, surface: Option<&Surface>) -> Result<(Adapter, Self)> {
        let options = RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..RequestAdapterOptions::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))
            .map_err(|error| Error::NoAdapter { reason: error.to_string() })?;
        let times = Features::TIMESTAMP_QUERY | Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        let limits = adapter.limits();
        let descriptor = DeviceDescriptor {
            label: Some("ballpit"),
            required_features: adapter.features() & times,
            required_limits: Limits {
                max_buffer_size: limits.max_buffer_size,
                max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
                max_storage_textures_per_shader_stage: limits.max_storage_textures_per_shader_stage,
                ..Limits::default().using_resolution(limits)
            },
            ..DeviceDescriptor::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| Error::Device { reason: error.to_string() })?;
        let gpu = Self::from_device(device, queue, adapter.get_info());
        gpu.keep_faults();
        Ok((adapter, gpu))
    }

    /// Takes a device that another program owns, and with it the handling of the device's faults. On lavapipe a step takes
    /// a third of the time if the device's `max_storage_textures_per_shader_stage` is 6 or more and its
    /// `max_texture_dimension_2d` WebGPU's default, 8,192, or more.
    pub fn from_device(device: Device, queue: Queue, info: AdapterInfo) -> Self {
        let limits = device.limits();
        let groups_a_row = limits.max_compute_workgroups_per_dimension;
        let holds_textures = limits.max_texture_dimension_2d >= TEXELS_A_ROW
            && limits.max_storage_textures_per_shader_stage >= MOST_TEXTURES;
        let is_software_vulkan = info.device_type == DeviceType::Cpu && info.backend == Backend::Vulkan;
        let software_from = if is_software_vulkan && holds_textures { SOFTWARE_FROM } else { u32::MAX };
        let (info, compiled, fault) = (Arc::new(info), Arc::default(), Arc::default());
        Self { device, queue, info, groups_a_row, software_from, compiled, fault }
    }

    /// Keeps the first fault instead of the panic that is the device's own answer.
    fn keep_faults(&self) {
        let keep = |fault: Arc<Mutex<Option<String>>>| {
            move |reason: String| {
                if let Ok(mut first) = fault.lock() {
                    first.get_or_insert(reason);
                }
            }
        };
        let (on_error, on_loss) = (keep(Arc::clone(&self.fault)), keep(Arc::clone(&self.fault)));
        self.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| on_error(error.to_string())));
        // Who destroys the device loses it, too; when it is dropped, nobody asks any more.
        self.device.set_device_lost_callback(move |_, message| on_loss(message));
    }

    /// Whether the device has failed since it was opened: out of memory, lost, or misused.
    ///
    /// # Errors
    /// [`Error::Device`] with the first fault.
    pub fn check(&self) -> Result<()> {
        let fault = self.fault.lock().map_or_else(|_| Some("a fault's handler panicked".into()), |fault| fault.clone());
        fault.map_or(Ok(()), |reason| Err(Error::Device { reason }))
    }

    /// The adapter.
    pub fn info(&self) -> &AdapterInfo {
        &self.info
    }

    /// The adapter's name and driver, in words.
    pub fn describe(&self) -> String {
        let AdapterInfo { name, driver_info, backend, .. } = self.info();
        format!("{name} ({backend}{}{driver_info})", if driver_info.is_empty() { "" } else { ", " })
    }

    /// Runs the self-test: does the device give the CPU engine's bits in this arithmetic?
    ///
    /// # Errors
    /// [`Error::Device`] if the device is lost meanwhile.
    pub fn self_test(&self, arithmetic: Arithmetic) -> Result<SelfTest> {
        SelfTest::run(self, arithmetic)
    }

    /// Dispatches workgroups, in rows that are not too long: `group_index` in the shaders knows which is which.
    pub(crate) fn dispatch(&self, pass: &mut ComputePass, groups: u32) {
        if groups > 0 {
            let [x, y, z] = self.rows(groups);
            pass.dispatch_workgroups(x, y, z);
        }
    }

    /// So many workgroups and more in rows that are not too long.
    pub(super) fn rows(&self, groups: u32) -> [u32; 3] {
        let x = groups.clamp(1, self.groups_a_row);
        [x, groups.div_ceil(x), 1]
    }

    pub(super) fn pipelines(&self, arithmetic: Arithmetic, traits: Traits, dialect: Dialect) -> Arc<Pipelines> {
        let compile = || Arc::new(Pipelines::new(&self.device, arithmetic, traits, dialect));
        match self.compiled.lock() {
            Ok(mut compiled) => {
                Arc::clone(compiled.entry((arithmetic, traits.segments, dialect)).or_insert_with(compile))
            }
            // Another thread's panic has taken the store: go without.
            Err(_) => compile(),
        }
    }

    /// What the kernels of an engine are written in that has room for so many balls and pieces. Where balls sleep it is hardware's:
    /// it copies nothing for the sleepers.
    pub(super) fn dialect(&self, slots: u32, sleeps: bool) -> Dialect {
        if slots >= self.software_from && !sleeps { Dialect::Software } else { Dialect::Hardware }
    }

    /// Whether the adapter is a program on the CPU.
    pub fn is_software(&self) -> bool {
        self.info().device_type == DeviceType::Cpu
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_software_adapter_has_kernels_of_its_own_unless_a_device_reads_too_few_textures() {
        let gpu = match Gpu::open() {
            Ok(gpu) => gpu,
            Err(error) => {
                assert_ne!(std::env::var("BALLPIT_GPU").as_deref(), Ok("required"), "{error}");
                return;
            }
        };
        // What is opened here asks for as many textures as the adapter has.
        let own = gpu.is_software() && gpu.info().backend == Backend::Vulkan;
        let of_many = if own { Dialect::Software } else { Dialect::Hardware };
        assert_eq!([511, 512].map(|slots| gpu.dialect(slots, false)), [Dialect::Hardware, of_many]);
        assert_eq!(gpu.dialect(1 << 20, true), Dialect::Hardware);

        let instance = Instance::new(InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = pollster::block_on(instance.request_adapter(&RequestAdapterOptions::default())).unwrap();
        let few = Limits { max_storage_textures_per_shader_stage: MOST_TEXTURES - 1, ..Limits::default() };
        let descriptor = DeviceDescriptor { required_limits: few, ..DeviceDescriptor::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
        assert_eq!(Gpu::from_device(device, queue, adapter.get_info()).dialect(1 << 20, false), Dialect::Hardware);
    }
}
