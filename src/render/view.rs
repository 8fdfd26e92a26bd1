//! What to draw and how: the renderer's settings of one frame, and the uniform made of them.

use encase::ShaderType;
use glam::{DVec2, Vec2};

use super::{Camera, Margins};
use crate::params::shared_struct;
use crate::{Surface, World};

/// What the balls' colours mean. Immovable balls are grey in each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ColourBy {
    /// A palette's colours in turn, by id.
    #[default]
    Palette,
    /// Speed, from rest to `most_px_s` and above.
    Speed {
        /// Speed of the brightest colour, px/s.
        most_px_s: f32,
    },
    /// Mass, each doubling the same step, from `least` to `most`.
    Mass {
        /// Mass of the darkest colour.
        least: f32,
        /// Mass of the brightest colour.
        most: f32,
    },
    /// A palette's colours by material.
    Material,
    /// What presses on the ball, from nothing to `most` and above: the bright lines of a heap are its force chains.
    Load {
        /// Load of the brightest colour, px²/s².
        most: f32,
    },
}

impl ColourBy {
    /// The shader's names of the variants; their numbers are their places here.
    pub(crate) const NAMES: [&str; 5] = ["BY_PALETTE", "BY_SPEED", "BY_MASS", "BY_MATERIAL", "BY_LOAD"];

    fn number(self) -> u32 {
        match self {
            Self::Palette => 0,
            Self::Speed { .. } => 1,
            Self::Mass { .. } => 2,
            Self::Material => 3,
            Self::Load { .. } => 4,
        }
    }

    /// Value of the ramp's darkest colour, and one over the way from there to its brightest.
    fn ramp(self) -> (f32, f32) {
        let (from, to) = match self {
            Self::Speed { most_px_s } => (0.0, most_px_s),
            Self::Mass { least, most } => (least.log2(), most.log2()),
            Self::Load { most } => (0.0, most),
            Self::Palette | Self::Material => (0.0, 1.0),
        };
        (from, 1.0 / (to - from).max(1e-6))
    }
}

/// One frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View<'a> {
    /// What part of the world is seen, and how large the picture is.
    pub camera: Camera,
    /// Balls are drawn this share of the way from their last place to the current one, 0 to 1.
    pub alpha: f32,
    /// What the colours mean.
    pub colour: ColourBy,
    /// Strength of light, rims and marks, 0 (flat discs) to 1.
    pub shade: f32,
    /// Corners of a box to outline faintly.
    pub outline: Option<(Vec2, Vec2)>,
    /// Surfaces to draw, at most [`Surface::MOST`].
    pub surfaces: &'a [Surface],
    /// Where the pressed pointer is in the world: a line is drawn to it from the ball it holds.
    pub pointer: Option<Vec2>,
}

impl<'a> View<'a> {
    /// The whole of a world in a picture of `size` physical pixels.
    pub fn of(world: &'a World, size: (u32, u32)) -> Self {
        let size = Vec2::new(size.0 as f32, size.1 as f32);
        let camera = Camera::fit(world.min, world.max, size, Margins::all(0.03 * size.min_element()));
        Self {
            camera,
            alpha: 1.0,
            colour: ColourBy::Palette,
            shade: 1.0,
            outline: Some((world.min, world.max)),
            surfaces: &world.surfaces,
            pointer: None,
        }
    }
}

/// Width of edges and of the pointer's line, physical px.
pub(crate) const LINE_PX: f32 = 2.0;
/// Edges of the outline: the first ones that the shader numbers, the surfaces follow.
pub(crate) const OUTLINE_EDGES: usize = 4;

shared_struct! {
    /// A straight edge in pixels from the picture's middle: inside where normal · x ≥ offset.
    EdgeParams {
        /// Unit normal, inward.
        normal_x: f32 = "f32",
        /// Unit normal, inward.
        normal_y: f32 = "f32",
        /// normal · point, px.
        offset: f32 = "f32",
        /// Pads the array's stride to the 16 bytes that a uniform array wants.
        unused: f32 = "f32",
    }
}

shared_struct! {
    /// One frame, as the shaders read it.
    ViewParams {
        /// Place in the world in the picture's middle, px.
        centre_x: f32 = "f32",
        /// Place in the world in the picture's middle, px.
        centre_y: f32 = "f32",
        /// Pixels a px of the world.
        zoom: f32 = "f32",
        /// Share of the way from the last place to the current one.
        alpha: f32 = "f32",
        /// Half of the picture's width, pixels.
        half_width: f32 = "f32",
        /// Half of the picture's height, pixels.
        half_height: f32 = "f32",
        /// The pointer in pixels from the picture's middle.
        pointer_x: f32 = "f32",
        /// The pointer in pixels from the picture's middle.
        pointer_y: f32 = "f32",
        /// Value of the colour ramp's darkest colour.
        ramp_from: f32 = "f32",
        /// One over the way from there to the brightest.
        ramp_scale: f32 = "f32",
        /// Strength of light, rims and marks.
        shade: f32 = "f32",
        /// Number of the [`ColourBy`].
        colour_by: u32 = "u32",
        /// Surfaces in use.
        surface_count: u32 = "u32",
        /// Pads to the 16 bytes on which a uniform array begins.
        unused_x: u32 = "u32",
        /// See `unused_x`.
        unused_y: u32 = "u32",
        /// See `unused_x`.
        unused_z: u32 = "u32",
        /// Edges of the outlined box.
        outline: [EdgeParams; OUTLINE_EDGES] = "array<EdgeParams, OUTLINE_EDGES>",
        /// The surfaces.
        surfaces: [EdgeParams; Surface::MOST] = "array<EdgeParams, SURFACES>",
    }
}

impl From<&View<'_>> for ViewParams {
    fn from(view: &View) -> Self {
        let camera = &view.camera;
        let half = 0.5 * camera.viewport;
        let pointer = camera.pixel_from_world(view.pointer.unwrap_or(camera.centre)) - half;
        let (ramp_from, ramp_scale) = view.colour.ramp();
        let mut params = Self {
            centre_x: camera.centre.x,
            centre_y: camera.centre.y,
            zoom: camera.zoom,
            alpha: view.alpha,
            half_width: half.x,
            half_height: half.y,
            pointer_x: pointer.x,
            pointer_y: pointer.y,
            ramp_from,
            ramp_scale,
            shade: view.shade,
            colour_by: view.colour.number(),
            surface_count: view.surfaces.len().min(Surface::MOST) as u32,
            ..Self::default()
        };
        if let Some((min, max)) = view.outline {
            let sides = [(min, Vec2::X), (min, Vec2::Y), (max, Vec2::NEG_X), (max, Vec2::NEG_Y)];
            params.outline = sides.map(|(point, normal)| EdgeParams::new(camera, point, normal));
        }
        for (slot, surface) in params.surfaces.iter_mut().zip(view.surfaces) {
            let surface = surface.now();
            *slot = EdgeParams::new(camera, surface.point, surface.normal);
        }
        params
    }
}

impl EdgeParams {
    /// The edge through `point` of the world. One that is upright or level falls between two pixels, so that it is
    /// crisp at any zoom.
    fn new(camera: &Camera, point: Vec2, normal: Vec2) -> Self {
        let away = (point.as_dvec2() - camera.centre.as_dvec2()) * f64::from(camera.zoom);
        let half = 0.5 * camera.viewport.as_dvec2();
        let snapped = (away + half).round() - half;
        let normal = normal.as_dvec2();
        let offset = if normal.abs().min_element() < 1e-6 { normal.dot(snapped) } else { normal.dot(away) };
        let normal = if normal.abs().min_element() < 1e-6 { normal.round() } else { normal };
        let DVec2 { x, y } = normal;
        Self { normal_x: x as f32, normal_y: y as f32, offset: offset as f32, unused: 0.0 }
    }
}
