//! What a picture's colours mean, written below its world.

use ab_glyph::{Font, FontRef, PxScaleFont, ScaleFont, point};
use ballpit::render::{ColourMap, Picture, View};
use ballpit::{Error, Result, World};

use crate::colours::Legend;

/// Height of the letters over that of the picture; a smaller picture's letters are as high as can still be read, pixels.
const LETTER_SHARE: f32 = 1.0 / 40.0;
const LEAST_LETTER_PX: f32 = 15.0;
/// Height of the strip below the world over that of its letters.
const STRIP: f32 = 1.8;
/// The least picture that has room for a legend and a world, pixels.
pub(super) const LEAST_SIZE: (u32, u32) = (240, 120);

/// What is said first.
const TITLE: [u8; 3] = [235, 238, 242];
/// What is said second.
const ENDS: [u8; 3] = [168, 176, 188];

/// The whole of a world in a picture of `size` pixels, above the strip of a legend.
pub(super) fn view_above(world: &World, size: (u32, u32)) -> View<'_> {
    let strip = (STRIP * letter_px(size)) as u32;
    let mut view = View::of(world, (size.0, size.1.saturating_sub(strip).max(1)));
    view.camera.viewport.y = size.1 as f32;
    view.camera.centre.y += 0.5 * strip as f32 / view.camera.zoom;
    view
}

/// A picture with its legend in the strip below the world, as much of it as fits.
///
/// # Errors
/// [`Error::Device`] if the letters that come with the program are no font.
pub(super) fn written(picture: &Picture, legend: &Legend, map: ColourMap) -> Result<Picture> {
    let mut pen = Pen::at_the_foot_of(picture)?;
    match legend {
        Legend::None => {}
        Legend::Ramp { title, least, most } => {
            pen.text(title, TITLE);
            pen.text(least, ENDS);
            pen.bar(map);
            pen.text(most, ENDS);
        }
        Legend::Swatches(swatches) => swatches.iter().for_each(|(colour, name)| {
            pen.swatch(*colour);
            pen.text(name, ENDS);
            pen.x += 0.5 * pen.letter_px;
        }),
    }
    Picture::new(picture.width(), picture.height(), pen.rgba)
}

fn letter_px((_, height): (u32, u32)) -> f32 {
    (LETTER_SHARE * height as f32).max(LEAST_LETTER_PX).round()
}

/// What writes from left to right on a picture's bytes.
struct Pen {
    rgba: Vec<u8>,
    width: u32,
    height: u32,
    font: PxScaleFont<FontRef<'static>>,
    letter_px: f32,
    /// Where it goes on, pixels.
    x: f32,
    /// The middle of its line, pixels.
    middle: f32,
}

impl Pen {
    fn at_the_foot_of(picture: &Picture) -> Result<Self> {
        let (width, height) = (picture.width(), picture.height());
        let letter_px = letter_px((width, height));
        let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT);
        let font = font.map_err(|error| Error::Device { reason: error.to_string() })?.into_scaled(letter_px);
        let middle = (height as f32 - 0.5 * STRIP * letter_px).round();
        Ok(Self { rgba: picture.rgba().to_vec(), width, height, font, letter_px, x: letter_px, middle })
    }

    /// Words, and the gap after them.
    fn text(&mut self, text: &str, colour: [u8; 3]) {
        let baseline = (self.middle + 0.5 * (self.font.ascent() + self.font.descent())).round();
        let mut before = None;
        for letter in text.chars() {
            let id = self.font.glyph_id(letter);
            self.x += before.map_or(0.0, |before| self.font.kern(before, id));
            let glyph = id.with_scale_and_position(self.font.scale(), point(self.x, baseline));
            if let Some(outline) = self.font.outline_glyph(glyph) {
                let corner = outline.px_bounds().min;
                outline.draw(|x, y, covered| self.blend([corner.x + x as f32, corner.y + y as f32], colour, covered));
            }
            self.x += self.font.h_advance(id);
            before = Some(id);
        }
        self.x += 0.6 * self.letter_px;
    }

    /// A disc of a colour.
    fn swatch(&mut self, colour: [u8; 3]) {
        let radius = (0.4 * self.letter_px).round();
        let centre = self.x + radius;
        self.fill(2.0 * radius, radius, |x, y| (colour, radius + 0.5 - (x + 0.5 - radius).hypot(y + 0.5 - radius)));
        self.x = centre + radius + 0.4 * self.letter_px;
    }

    /// The colours of a map, from little to much.
    fn bar(&mut self, map: ColourMap) {
        let length = (10.0 * self.letter_px).min(0.25 * self.width as f32).round();
        self.fill(length, (0.3 * self.letter_px).round(), |x, _| (map.at(x / (length - 1.0)), 1.0));
        self.x += length + 0.6 * self.letter_px;
    }

    /// Fills a rectangle about the line, so many pixels long and to each side, with colours and their coverage.
    fn fill(&mut self, length: f32, half_height: f32, colour: impl Fn(f32, f32) -> ([u8; 3], f32)) {
        let left = self.x.round();
        for y in 0..(2.0 * half_height) as u32 {
            for x in 0..length as u32 {
                let (x, y) = (x as f32, y as f32);
                let (colour, covered) = colour(x, y);
                self.blend([left + x, self.middle - half_height + y], colour, covered);
            }
        }
    }

    /// Lays a colour over the pixel at a place, if it is in the picture.
    fn blend(&mut self, [x, y]: [f32; 2], colour: [u8; 3], covered: f32) {
        if !(0.0..self.width as f32).contains(&x) || !(0.0..self.height as f32).contains(&y) {
            return;
        }
        let first = 4 * (y as usize * self.width as usize + x as usize);
        for (stored, channel) in self.rgba[first..first + 3].iter_mut().zip(colour) {
            let (below, above) = (f32::from(*stored), f32::from(channel));
            *stored = (below + (above - below) * covered.clamp(0.0, 1.0)).round() as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use ballpit::Scene;

    use super::*;

    const SIZE: (u32, u32) = (400, 200);

    fn blank() -> Picture {
        Picture::new(SIZE.0, SIZE.1, [17, 20, 26, 255].repeat((SIZE.0 * SIZE.1) as usize)).unwrap()
    }

    /// Columns and rows in which two pictures differ, from the first to the last.
    fn changed(a: &Picture, b: &Picture) -> Option<[std::ops::RangeInclusive<u32>; 2]> {
        let differs = |x, y| a.pixel(x, y) != b.pixel(x, y);
        let columns: Vec<u32> = (0..SIZE.0).filter(|&x| (0..SIZE.1).any(|y| differs(x, y))).collect();
        let rows: Vec<u32> = (0..SIZE.1).filter(|&y| (0..SIZE.0).any(|x| differs(x, y))).collect();
        Some([*columns.first()?..=*columns.last()?, *rows.first()?..=*rows.last()?])
    }

    fn ramp(most: &str) -> Legend {
        Legend::Ramp { title: "speed", least: "0".into(), most: most.into() }
    }

    #[test]
    fn a_ramp_is_written_below_the_world_with_both_its_ends() {
        let scene = Scene::named("impulse").unwrap();
        let world = scene.build(&Default::default()).unwrap();
        let camera = view_above(&world, SIZE).camera;
        let floor = camera.pixel_from_world(world.max).y;
        let picture = written(&blank(), &ramp("704 px/s"), ColourMap::Cividis).unwrap();
        let [columns, rows] = changed(&blank(), &picture).unwrap();
        assert!(f32::from(*rows.start() as u16) > floor, "{rows:?} reach into the world, which ends at {floor}");
        assert!(
            *rows.end() < SIZE.1 - 1 && *columns.start() >= 10 && *columns.end() < SIZE.0 - 10,
            "{columns:?} {rows:?}"
        );
        for share in [0.0, 1.0] {
            let [red, green, blue] = ColourMap::Cividis.at(share);
            assert!(
                picture.rgba().chunks(4).any(|pixel| pixel == [red, green, blue, 255]),
                "an end of the bar is missing"
            );
        }
        // The world lies as it would in a smaller picture, whole.
        assert!(camera.pixel_from_world(world.min).cmpgt(glam::Vec2::ZERO).all());
        // Other words are another picture, and no legend is none.
        assert!(changed(&picture, &written(&blank(), &ramp("705 px/s"), ColourMap::Cividis).unwrap()).is_some());
        assert_eq!(changed(&blank(), &written(&blank(), &Legend::None, ColourMap::Cividis).unwrap()), None);
    }

    #[test]
    fn swatches_have_their_colours_and_stop_at_the_edge() {
        let swatches = |count: usize| Legend::Swatches(vec![([10, 200, 30], "small".into()); count]);
        let pixels = |legend| {
            let picture = written(&blank(), &legend, ColourMap::Grey).unwrap();
            picture.rgba().chunks(4).filter(|pixel| **pixel == [10, 200, 30, 255]).count()
        };
        let one = pixels(swatches(1));
        assert!((60..160).contains(&one), "{one} pixels of a disc of radius 6");
        assert_eq!(pixels(swatches(2)), 2 * one);
        assert!(pixels(swatches(32)) < 32 * one);
    }

    #[test]
    fn every_letter_of_every_unit_is_in_the_font() {
        let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).unwrap();
        let has = |letter: char| font.glyph_id(letter).0 != 0;
        assert!("speed mass load in the cell balls id px²/s² 0123456789.,-−+".chars().all(has));
        assert!(!has('\u{4e00}'), "a letter that it does not have is told apart");
    }
}
