//! Textures that hold what buffers hold, for an adapter that reads texels faster than words (`src/stage/dialect.rs`).

use std::collections::HashMap;

use wgpu::{
    Buffer as GpuBuffer, CommandEncoder, Extent3d, Origin3d, TexelCopyBufferInfo, TexelCopyBufferLayout,
    TexelCopyTextureInfo, Texture, TextureDescriptor, TextureDimension, TextureFormat, TextureUsages, TextureView,
};

use super::Gpu;
use crate::stage::Buffer;
use crate::stage::dialect::{Element, TEXELS_A_ROW};

/// A texture for each buffer that a kernel reads as one.
#[derive(Default)]
pub(super) struct Texels(HashMap<Buffer, (Texture, TextureView)>);

/// What is ready for the next kernel, a bit each: a buffer whose texture holds what it holds, or a list that is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ready(u64);

impl Ready {
    fn bit(buffer: Buffer) -> u64 {
        1 << buffer as u64
    }

    pub(super) fn has(self, buffer: Buffer) -> bool {
        self.0 & Self::bit(buffer) > 0
    }

    pub(super) fn add(&mut self, buffer: Buffer) {
        self.0 |= Self::bit(buffer);
    }

    pub(super) fn remove(&mut self, buffer: Buffer) {
        self.0 &= !Self::bit(buffer);
    }
}

pub(super) fn format(element: Element) -> TextureFormat {
    match element {
        Element::Record | Element::Home => TextureFormat::Rgba32Uint,
        Element::Pair => TextureFormat::Rg32Uint,
        Element::Word => TextureFormat::R32Uint,
    }
}

/// Bytes of a texel.
fn texel_bytes(format: TextureFormat) -> u64 {
    format.block_copy_size(None).expect("formats of one plane have texels of one size").into()
}

/// Words that the largest texture of the device holds, one a texel.
pub(super) fn most_words(gpu: &Gpu) -> u64 {
    u64::from(gpu.device.limits().max_texture_dimension_2d) * u64::from(TEXELS_A_ROW)
}

impl Texels {
    /// Textures as large as the buffers.
    pub(super) fn new<'a>(gpu: &Gpu, buffers: impl Iterator<Item = (Buffer, Element, &'a GpuBuffer)>) -> Self {
        let texture = |(buffer, element, words): (Buffer, Element, &GpuBuffer)| {
            let format = format(element);
            let texels = words.size().div_ceil(texel_bytes(format));
            let texture = gpu.device.create_texture(&TextureDescriptor {
                label: Some(&buffer.shader_name()),
                size: Extent3d {
                    width: TEXELS_A_ROW,
                    height: texels.div_ceil(u64::from(TEXELS_A_ROW)) as u32,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: TextureDimension::D2,
                format,
                usage: TextureUsages::STORAGE_BINDING | TextureUsages::COPY_DST,
                view_formats: &[],
            });
            let view = texture.create_view(&Default::default());
            (buffer, (texture, view))
        };
        Self(buffers.map(texture).collect())
    }

    pub(super) fn view(&self, buffer: Buffer) -> &TextureView {
        &self.0[&buffer].1
    }

    pub(super) fn bytes(&self) -> u64 {
        let texels = |texture: &Texture| u64::from(texture.width()) * u64::from(texture.height());
        self.0.values().map(|(texture, _)| texels(texture) * texel_bytes(texture.format())).sum()
    }

    /// Copies a buffer into its texture: its whole rows, then what is left.
    pub(super) fn copy(&self, encoder: &mut CommandEncoder, buffer: Buffer, words: &GpuBuffer) {
        let (texture, _) = &self.0[&buffer];
        let texel = texel_bytes(texture.format());
        let row = texel * u64::from(TEXELS_A_ROW);
        let rows = (words.size() / row) as u32;
        let left = (words.size() % row / texel) as u32;
        for (first, width, height) in [(0, TEXELS_A_ROW, rows), (rows, left, 1)] {
            if width == 0 || height == 0 {
                continue;
            }
            let layout = TexelCopyBufferLayout {
                offset: u64::from(first) * row,
                bytes_per_row: Some(row as u32),
                rows_per_image: None,
            };
            let origin = Origin3d { y: first, ..Origin3d::ZERO };
            encoder.copy_buffer_to_texture(
                TexelCopyBufferInfo { buffer: words, layout },
                TexelCopyTextureInfo { origin, ..texture.as_image_copy() },
                Extent3d { width, height, depth_or_array_layers: 1 },
            );
        }
    }
}
