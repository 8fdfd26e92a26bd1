//! Bytes to and from the device.

use bytemuck::Pod;
use encase::{ShaderType, UniformBuffer, internal::WriteInto};
use wgpu::{Buffer, BufferDescriptor, BufferUsages, CommandEncoderDescriptor, MapMode, PollType};

use super::Gpu;
use crate::{Error, Result};

/// The bytes of a uniform, laid out as WGSL wants.
pub(crate) fn uniform_bytes<T: ShaderType + WriteInto>(value: &T) -> Vec<u8> {
    let mut buffer = UniformBuffer::new(Vec::new());
    buffer.write(value).expect("a vector takes any number of bytes");
    buffer.into_inner()
}

impl Gpu {
    /// A buffer of `bytes` bytes, zeroed; never shorter than one element of any array.
    pub(crate) fn buffer(&self, label: &str, bytes: u64, usage: BufferUsages) -> Buffer {
        self.device.create_buffer(&BufferDescriptor {
            label: Some(label),
            // A shader may bind an array of none, but wants room for one: no element is larger.
            size: bytes.max(64),
            usage,
            mapped_at_creation: false,
        })
    }

    /// Waits until the device has done all that was asked of it.
    ///
    /// # Errors
    /// [`Error::Device`] if it is lost.
    pub fn wait(&self) -> Result<()> {
        self.device.poll(PollType::wait_indefinitely()).map_err(|error| Error::Device { reason: error.to_string() })?;
        self.check()
    }

    /// Reads the first `count` items of a buffer back, waiting for the device.
    ///
    /// # Errors
    /// [`Error::Device`] if it is lost.
    pub(crate) fn read<T: Pod>(&self, buffer: &Buffer, count: usize) -> Result<Vec<T>> {
        let bytes = (count * size_of::<T>()) as u64;
        if bytes == 0 {
            return Ok(Vec::new());
        }
        let staging = self.buffer("read back", bytes, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        let mut encoder = self.device.create_command_encoder(&CommandEncoderDescriptor { label: Some("read back") });
        encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, bytes);
        self.queue.submit([encoder.finish()]);
        staging.slice(..bytes).map_async(MapMode::Read, |_| {});
        self.wait()?;
        let mapped =
            staging.slice(..bytes).get_mapped_range().map_err(|error| Error::Device { reason: error.to_string() })?;
        Ok(bytemuck::pod_collect_to_vec(&mapped[..]))
    }
}
