//! What to draw and how: the renderer's settings of one frame, and the uniform made of them.

use encase::ShaderType;
use glam::{DVec2, Vec2};

use super::colour::{ColourMap, ColourParams, RAMP};
use super::{Camera, Margins};
use crate::grid::LEVELS;
use crate::params::{LevelParams, shared_struct};
use crate::{Counter, Lattice, Material, Surface, World};

/// What the balls' colours mean. Immovable balls are grey in each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ColourBy {
    /// A palette's colours in turn, by id; of balls whose material has a colour, that.
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
    /// A material's own colour, or a palette's colours in turn.
    Material,
    /// What presses on the ball, from nothing to `most` and above: the bright lines of a heap are its force chains.
    Load {
        /// Load of the brightest colour, px²/s².
        most: f32,
    },
    /// How many balls share the ball's cell of the engine's grid; needs the view's lattice.
    Cells {
        /// Balls of the brightest colour.
        most: f32,
    },
    /// The id: who was where at the start, and how far they have mixed.
    Id {
        /// Id of the brightest colour.
        most: f32,
    },
    /// Awake or asleep.
    Sleep,
}

impl ColourBy {
    /// The shader's names of the variants; their numbers are their places here.
    pub(crate) const NAMES: [&str; 8] =
        ["BY_PALETTE", "BY_SPEED", "BY_MASS", "BY_MATERIAL", "BY_LOAD", "BY_CELLS", "BY_ID", "BY_SLEEP"];

    fn number(self) -> u32 {
        match self {
            Self::Palette => 0,
            Self::Speed { .. } => 1,
            Self::Mass { .. } => 2,
            Self::Material => 3,
            Self::Load { .. } => 4,
            Self::Cells { .. } => 5,
            Self::Id { .. } => 6,
            Self::Sleep => 7,
        }
    }

    /// Value of the ramp's darkest colour, and one over the way from there to its brightest.
    fn ramp(self) -> (f32, f32) {
        let (from, to) = match self {
            Self::Speed { most_px_s } => (0.0, most_px_s),
            Self::Mass { least, most } => (least.log2(), most.log2()),
            Self::Load { most } | Self::Id { most } => (0.0, most),
            Self::Cells { most } => (1.0, most),
            Self::Palette | Self::Material | Self::Sleep => (0.0, 1.0),
        };
        (from, 1.0 / (to - from).max(1e-6))
    }
}

/// What is drawn over the balls, from the engine's own buffers. What is off costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Show {
    /// The cells of the grid's levels that hold a ball, from the finest on, as far as they are not too small to see;
    /// needs the view's lattice.
    pub grid: bool,
    /// A line between the centres of balls that touch, and to surfaces; needs the view's lattice.
    pub contacts: bool,
    /// A line from each centre to where the ball would be after [`Show::VELOCITY_S`].
    pub velocities: bool,
    /// Arrows out of the surfaces.
    pub normals: bool,
}

impl Show {
    /// Time that a velocity's line is ahead, s.
    pub const VELOCITY_S: f32 = 0.05;
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
    /// The colours of what has more and less of something.
    pub map: ColourMap,
    /// What is drawn over the balls.
    pub show: Show,
    /// How the engine's lists lie, which the grid, the contacts and [`ColourBy::Cells`] are drawn from.
    pub lattice: Option<Lattice>,
    /// Strength of light, rims and marks, 0 (flat discs) to 1.
    pub shade: f32,
    /// Corners of a box to outline faintly.
    pub outline: Option<(Vec2, Vec2)>,
    /// What balls are made of, for the materials' own colours; at most [`Material::MOST`].
    pub materials: &'a [Material],
    /// Surfaces to draw, at most [`Surface::MOST`].
    pub surfaces: &'a [Surface],
    /// Counters, and what each has counted: a bar each, under the balls, as high as its share of the fullest; at most
    /// [`Counter::MOST`].
    pub counters: &'a [Counter],
    /// The counts of the same counters.
    pub counts: &'a [u32],
    /// Where the pressed pointer is in the world: a line is drawn to it from the ball it holds.
    pub pointer: Option<Vec2>,
}

impl<'a> View<'a> {
    /// The whole of a world in a picture of `size` physical pixels.
    pub fn of(world: &'a World, size: (u32, u32)) -> Self {
        let size = Vec2::new(size.0 as f32, size.1 as f32);
        let camera = Camera::fit(world.min, world.max, size, Margins::all(0.03 * size.min_element()));
        let outline = Some((world.min, world.max));
        let (materials, surfaces) = (&world.materials[..], &world.surfaces[..]);
        Self { shade: 1.0, outline, materials, surfaces, ..Self::plain(camera) }
    }

    /// The balls as flat discs where they are now, and nothing else.
    pub fn plain(camera: Camera) -> Self {
        Self {
            camera,
            alpha: 1.0,
            colour: ColourBy::Palette,
            map: ColourMap::default(),
            show: Show::default(),
            lattice: None,
            shade: 0.0,
            outline: None,
            materials: &[],
            surfaces: &[],
            counters: &[],
            counts: &[],
            pointer: None,
        }
    }

    /// Bars that are drawn.
    pub(crate) fn bars(&self) -> usize {
        self.counters.len().min(self.counts.len()).min(Counter::MOST)
    }

    /// Whether the picture shows what an engine's grid and lists say.
    pub(crate) fn shows_lists(&self) -> bool {
        self.show.grid || self.show.contacts || matches!(self.colour, ColourBy::Cells { .. })
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
        /// Place of the edge's own point along it, px.
        along: f32 = "f32",
    }
}

shared_struct! {
    /// A rectangle in pixels from the picture's middle.
    BarParams {
        /// Its left side.
        left: f32 = "f32",
        /// Its upper side.
        top: f32 = "f32",
        /// Its right side.
        right: f32 = "f32",
        /// Its lower side.
        bottom: f32 = "f32",
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
        /// Pixels a row of the picture.
        columns: u32 = "u32",
        /// Rows of the picture.
        rows: u32 = "u32",
        /// Slots of balls to draw.
        drawn: u32 = "u32",
        /// Radius from which on a ball is a disc, pixels; smaller ones are part of the crowd.
        disc_from: f32 = "f32",
        /// Number of the [`ColourBy`].
        colour_by: u32 = "u32",
        /// Surfaces in use.
        surface_count: u32 = "u32",
        /// Levels of the grid that balls are in; 0 without a lattice.
        level_count: u32 = "u32",
        /// Slots of balls, of the lattice.
        balls: u32 = "u32",
        /// Balls whose lists stand together: the first candidates of all before the second ones.
        block: u32 = "u32",
        /// The grid's corner, px of the world.
        origin_x: f32 = "f32",
        /// The grid's corner, px of the world.
        origin_y: f32 = "f32",
        /// The grid's corner in pixels from the picture's middle.
        corner_x: f32 = "f32",
        /// The grid's corner in pixels from the picture's middle.
        corner_y: f32 = "f32",
        /// The colour ramp, from the darkest to the brightest.
        ramp: [ColourParams; RAMP] = "array<ColourParams, RAMP>",
        /// The materials' own colours.
        materials: [ColourParams; Material::MOST] = "array<ColourParams, MATERIALS>",
        /// The grid's levels, finest first.
        levels: [LevelParams; LEVELS] = "array<LevelParams, LEVELS>",
        /// The counters' bars.
        bars: [BarParams; Counter::MOST] = "array<BarParams, BARS>",
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
            columns: camera.viewport.x.ceil() as u32,
            rows: camera.viewport.y.ceil() as u32,
            pointer_x: pointer.x,
            pointer_y: pointer.y,
            ramp_from,
            ramp_scale,
            shade: view.shade,
            colour_by: view.colour.number(),
            surface_count: view.surfaces.len().min(Surface::MOST) as u32,
            ramp: view.map.ramp(),
            ..Self::default()
        };
        params.set_bars(view);
        if let Some(lattice) = &view.lattice {
            params.set_lattice(camera, lattice);
        }
        if let Some((min, max)) = view.outline {
            let sides = [(min, Vec2::X), (min, Vec2::Y), (max, Vec2::NEG_X), (max, Vec2::NEG_Y)];
            params.outline = sides.map(|(point, normal)| EdgeParams::new(camera, point, normal));
        }
        for (slot, material) in params.materials.iter_mut().zip(view.materials) {
            *slot = ColourParams::from(material);
        }
        for (slot, surface) in params.surfaces.iter_mut().zip(view.surfaces) {
            let surface = surface.now();
            *slot = EdgeParams::new(camera, surface.point, surface.normal);
        }
        params
    }
}

impl ViewParams {
    fn set_bars(&mut self, view: &View<'_>) {
        let fullest = view.counts.iter().copied().max().unwrap_or(0).max(1) as f32;
        for (slot, (counter, &count)) in self.bars.iter_mut().zip(view.counters.iter().zip(view.counts)) {
            *slot = BarParams::new(&view.camera, counter, count as f32 / fullest);
        }
    }

    fn set_lattice(&mut self, camera: &Camera, lattice: &Lattice) {
        let Lattice { levels, balls, level_count, origin, block } = *lattice;
        (self.levels, self.level_count, self.balls) = (levels, level_count, balls);
        self.block = block;
        let corner = (origin.as_dvec2() - camera.centre.as_dvec2()) * f64::from(camera.zoom);
        (self.origin_x, self.origin_y) = (origin.x, origin.y);
        (self.corner_x, self.corner_y) = (corner.x as f32, corner.y as f32);
    }
}

impl BarParams {
    /// The lower part of a counter's box.
    fn new(camera: &Camera, counter: &Counter, share: f32) -> Self {
        let upper = Vec2::new(counter.min.x, counter.max.y + (counter.min.y - counter.max.y) * share);
        let [Vec2 { x: left, y: top }, Vec2 { x: right, y: bottom }] =
            [upper, counter.max].map(|corner| camera.pixel_from_world(corner) - 0.5 * camera.viewport);
        Self { left, top, right, bottom }
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
        let along = normal.perp().dot(away);
        Self { normal_x: x as f32, normal_y: y as f32, offset: offset as f32, along: along as f32 }
    }
}
