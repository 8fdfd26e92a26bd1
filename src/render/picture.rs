//! A picture in memory, and as a PNG file.

use std::path::Path;

use crate::whole::write_whole;
use crate::{Error, Result};

/// Rows of pixels from the top, four bytes each: red, green, blue, alpha as sRGB stores them.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl Picture {
    /// A picture of bytes that are there already.
    ///
    /// # Errors
    /// [`Error::Value`] if a side is 0 or the bytes are not four a pixel.
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Result<Self> {
        let pixels = u64::from(width) * u64::from(height);
        if pixels > 0 && rgba.len() as u64 == 4 * pixels {
            return Ok(Self { width, height, rgba });
        }
        Err(Error::Value {
            name: "picture".into(),
            value: format!("{width} × {height} with {} bytes", rgba.len()),
            accepted: "at least one pixel, with four bytes for each".into(),
        })
    }

    /// Pixels a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The bytes.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// A pixel; `None` outside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let first = 4 * (y as usize * self.width as usize + x as usize);
        let bytes = self.rgba.get(first..first + 4)?;
        (x < self.width).then(|| [bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    /// The picture as a PNG file's bytes.
    pub fn encode_png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&self.rgba));
        written.expect("a picture has pixels, four bytes each, and a vector takes them all");
        bytes
    }

    /// Writes a PNG file, whole or not at all.
    ///
    /// # Errors
    /// [`Error::File`] if the system refuses.
    pub fn write_png(&self, path: &Path) -> Result<()> {
        write_whole(path, &self.encode_png())
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Picture({} × {})", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io};

    use super::*;

    fn chequers() -> Picture {
        let rgba = (0..3 * 5u8).flat_map(|i| [i * 16, 255 - i, i % 2 * 255, 255]).collect();
        Picture::new(3, 5, rgba).expect("the bytes fit")
    }

    #[test]
    fn png_holds_the_same_pixels() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("picture.png");
        let picture = chequers();
        picture.write_png(&path).expect("it can be written");
        picture.write_png(&path).expect("it can be replaced");
        let file = io::BufReader::new(fs::File::open(&path).expect("it is there"));
        let mut reader = png::Decoder::new(file).read_info().expect("it is a PNG");
        let mut rgba = vec![0; reader.output_buffer_size().expect("it fits")];
        let info = reader.next_frame(&mut rgba).expect("it has a frame");
        assert_eq!((info.width, info.height), (3, 5));
        assert_eq!(rgba, picture.rgba());
        assert_eq!(fs::read_dir(folder.path()).expect("it can be listed").count(), 1, "a temporary file is left");
    }

    #[test]
    fn a_refusal_names_the_file() {
        for path in ["/nowhere/at/all.png", "/"] {
            let error = chequers().write_png(Path::new(path)).expect_err("there is no such folder");
            assert!(matches!(&error, Error::File { .. }) && error.to_string().starts_with(path), "{error}");
        }
    }

    #[test]
    fn bytes_must_fit_the_size() {
        assert!(Picture::new(0, 5, vec![]).is_err());
        assert!(Picture::new(2, 2, vec![0; 15]).is_err());
        assert_eq!(chequers().pixel(3, 0), None);
        assert_eq!(chequers().pixel(0, 5), None);
        assert_eq!(chequers().pixel(2, 4), Some([224, 241, 0, 255]));
    }
}
