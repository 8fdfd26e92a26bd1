//! The colours, as sRGB stores them: their one home. The shaders get them as constants, and a ramp's as a table.

use encase::ShaderType;

use crate::params::shared_struct;
use crate::{Material, Srgb};

/// Behind everything.
pub(crate) const BACKGROUND: Srgb = Srgb(0x11141a);

/// Five of Okabe and Ito's colours, told apart whatever the eye: blue, green, red, amber, violet take turns by id.
pub(crate) const PALETTE: [Srgb; 5] = [Srgb(0x56b4e9), Srgb(0x009e73), Srgb(0xd55e00), Srgb(0xe69f00), Srgb(0xcc79a7)];

/// A ball awake, where colours tell who sleeps.
const AWAKE: Srgb = PALETTE[3];
/// A ball asleep, before it is dimmed.
const ASLEEP: Srgb = PALETTE[0];

/// Colours with a name in the shaders.
const NAMED: [(&str, Srgb); 12] = [
    // The yellow of the same eight, which the palette leaves to the actors.
    ("ACTOR", Srgb(0xf0e442)),
    ("PEG", Srgb(0x6b7382)),
    ("PEG_RING", Srgb(0xc3c9d4)),
    ("HIGHLIGHT", Srgb(0xf6f7f9)),
    ("OUTLINE", Srgb(0x2c323d)),
    ("SURFACE", Srgb(0x8791a3)),
    ("HALO", BACKGROUND),
    // A quarter of the palette's blue over the background.
    ("BAR", Srgb(0x22404f)),
    ("GRID", Srgb(0x5b7fb0)),
    ("NORMAL", Srgb(0xf0ac34)),
    ("AWAKE", AWAKE),
    ("ASLEEP", ASLEEP),
];

/// Colours of a ramp that the shaders get; between two of them they mix.
pub(crate) const RAMP: usize = 32;

/// Colours from dark for little to bright for much, each as good for colour-blind eyes and in grey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourMap {
    /// Violet over green to yellow.
    #[default]
    Viridis,
    /// Blue over grey to yellow: the same to all eyes.
    Cividis,
    /// Violet over red to pale yellow.
    Magma,
    /// Grey to white.
    Grey,
}

impl ColourMap {
    /// Every map.
    pub const ALL: [Self; 4] = [Self::Viridis, Self::Cividis, Self::Magma, Self::Grey];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viridis => "viridis",
            Self::Cividis => "cividis",
            Self::Magma => "magma",
            Self::Grey => "grey",
        }
    }

    /// Its colour at `share` of the way from the least to the most: red, green and blue, as sRGB stores them.
    pub fn at(self, share: f32) -> [u8; 3] {
        let share = f64::from(share.clamp(0.0, 1.0));
        // Without its darkest part: the background is dark.
        let from = |start: f64| start + (1.0 - start) * share;
        let colour = match self {
            Self::Viridis => colorous::VIRIDIS.eval_continuous(from(0.15)),
            Self::Cividis => colorous::CIVIDIS.eval_continuous(from(0.2)),
            Self::Magma => colorous::MAGMA.eval_continuous(from(0.25)),
            Self::Grey => return [(from(0.22) * 255.0).round() as u8; 3],
        };
        [colour.r, colour.g, colour.b]
    }

    /// The ramp as the shaders take it.
    pub(crate) fn ramp(self) -> [ColourParams; RAMP] {
        std::array::from_fn(|step| {
            let [red, green, blue] = self.at(step as f32 / (RAMP - 1) as f32).map(|stored| f32::from(stored) / 255.0);
            ColourParams { red, green, blue, opacity: 1.0 }
        })
    }
}

shared_struct! {
    /// A colour from 0 to 1, as sRGB stores it.
    ColourParams {
        /// Red.
        red: f32 = "f32",
        /// Green.
        green: f32 = "f32",
        /// Blue.
        blue: f32 = "f32",
        /// How much it hides what it is laid over: 0 is no colour at all.
        opacity: f32 = "f32",
    }
}

impl From<&Material> for ColourParams {
    fn from(material: &Material) -> Self {
        let Some(colour) = material.colour else { return Self::default() };
        let [red, green, blue] = colour.stored().map(|stored| stored as f32);
        Self { red, green, blue, opacity: 1.0 }
    }
}

/// A palette's colour for the number of a ball or of a material: red, green and blue, as sRGB stores them.
pub fn palette(number: usize) -> [u8; 3] {
    PALETTE[number % PALETTE.len()].bytes()
}

/// The colours of balls awake and asleep where colours tell who sleeps.
pub fn sleep_colours() -> [[u8; 3]; 2] {
    [AWAKE.bytes(), dimmed(ASLEEP.bytes())]
}

/// The colour of a sleeper that would have this one if it were awake.
fn dimmed(colour: [u8; 3]) -> [u8; 3] {
    colour.map(|stored| (f32::from(stored) * DIM + DIM_GREY * 255.0).round() as u8)
}

/// Share of its colour that a sleeper keeps.
const DIM: f32 = 0.35;
/// The grey that it has besides, so that the darkest colours do not sink into the background; a colour darker than 0.14
/// it makes brighter.
const DIM_GREY: f32 = 0.09;

fn wgsl_of(colour: Srgb) -> String {
    let [r, g, b] = colour.stored();
    format!("vec3<f32>({r:.6}, {g:.6}, {b:.6})")
}

/// The colours as constants of the shaders.
pub(crate) fn wgsl() -> String {
    let palette: Vec<String> = PALETTE.iter().map(|colour| wgsl_of(*colour)).collect();
    let mut source: String =
        NAMED.iter().map(|(name, colour)| format!("const {name} = {};\n", wgsl_of(*colour))).collect();
    source += &format!("const DIM: f32 = {DIM:?};\nconst DIM_GREY: f32 = {DIM_GREY:?};\n");
    source += &format!("const RAMP = {RAMP}u;\nconst PALETTE_SIZE = {}u;\n", PALETTE.len());
    source + &format!("const PALETTE = array<vec3<f32>, {}>({});\n", PALETTE.len(), palette.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How bright a colour is to the eye, 0 to 1 (CIE's Y of sRGB).
    fn brightness(colour: [u8; 3]) -> f64 {
        let [r, g, b] = Srgb(u32::from_be_bytes([0, colour[0], colour[1], colour[2]])).linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    #[test]
    fn every_map_brightens_all_the_way_and_begins_above_the_background_asleep_as_well() {
        for map in ColourMap::ALL {
            let steps: Vec<f64> = (0..=100).map(|step| brightness(map.at(step as f32 / 100.0))).collect();
            // Eight bits a channel round: over three steps the eye must gain.
            assert!(steps.windows(4).all(|steps| steps[3] > steps[0]), "{map:?} does not brighten: {steps:?}");
            let background = brightness(BACKGROUND.bytes());
            assert!(steps[0] > 1.5 * background, "{map:?} begins as dark as the background");
            assert!(brightness(dimmed(map.at(0.0))) > 1.5 * background, "{map:?} begins as dark, asleep");
            let asleep = |step: usize| brightness(dimmed(map.at(step as f32 / 100.0)));
            assert!((0..=100).all(|step| asleep(step) < steps[step]), "a sleeper may be brighter than awake: {map:?}");
        }
        // A rainbow, which goes up and down, would be noticed.
        let hues: Vec<f64> = [[255, 0, 0], [255, 255, 0], [0, 255, 0], [0, 0, 255]].map(brightness).into();
        assert!(!hues.windows(2).all(|pair| pair[1] > pair[0]));
    }
}
