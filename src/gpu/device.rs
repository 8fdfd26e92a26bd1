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
use crate::stage::Words;
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
    compiled: Arc<Mutex<Compiled>>,
    /// The first fault of a device that was opened here, kept for the next call to report.
    fault: Arc<Mutex<Option<String>>>,
}

/// What is made once a device, for each arithmetic and for worlds with segments or without.
type Compiled = HashMap<(Arithmetic, bool), Arc<Pipelines>>;

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
        let wanted = if reads_word_by_word(&adapter.get_info()) { times | Features::SHADER_INT64 } else { times };
        let limits = adapter.limits();
        let descriptor = DeviceDescriptor {
            label: Some("ballpit"),
            required_features: adapter.features() & wanted,
            required_limits: Limits {
                max_buffer_size: limits.max_buffer_size,
                max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
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

    /// Takes a device that another program owns, and with it the handling of the device's faults. On lavapipe a step takes a
    /// quarter less time if the device has `SHADER_INT64`.
    pub fn from_device(device: Device, queue: Queue, info: AdapterInfo) -> Self {
        let groups_a_row = device.limits().max_compute_workgroups_per_dimension;
        let (info, compiled, fault) = (Arc::new(info), Arc::default(), Arc::default());
        Self { device, queue, info, groups_a_row, compiled, fault }
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
            let x = groups.min(self.groups_a_row);
            pass.dispatch_workgroups(x, groups.div_ceil(x), 1);
        }
    }

    pub(super) fn pipelines(&self, arithmetic: Arithmetic, traits: Traits) -> Arc<Pipelines> {
        let compile = || Arc::new(Pipelines::new(&self.device, arithmetic, traits, self.words()));
        match self.compiled.lock() {
            Ok(mut compiled) => Arc::clone(compiled.entry((arithmetic, traits.segments)).or_insert_with(compile)),
            // Another thread's panic has taken the store: go without.
            Err(_) => compile(),
        }
    }

    /// How its kernels are to read.
    fn words(&self) -> Words {
        let has_double_words = self.device.features().contains(Features::SHADER_INT64);
        if reads_word_by_word(&self.info) && has_double_words { Words::Double } else { Words::Single }
    }

    /// Whether the adapter is a program on the CPU.
    pub fn is_software(&self) -> bool {
        self.info().device_type == DeviceType::Cpu
    }
}

/// Whether what a kernel reads costs by words, not by bytes: so it does on lavapipe. (Other software adapters were not
/// measured.)
fn reads_word_by_word(info: &AdapterInfo) -> bool {
    info.device_type == DeviceType::Cpu && info.backend == Backend::Vulkan
}
