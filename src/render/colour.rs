//! The colours, as sRGB stores them: their one home. The shaders get them as constants.

/// A colour as a style sheet writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Srgb(pub(crate) u32);

/// Behind everything.
pub(crate) const BACKGROUND: Srgb = Srgb(0x11141a);

/// Five of Okabe and Ito's colours, told apart whatever the eye: blue, green, red, amber, violet take turns by id.
pub(crate) const PALETTE: [Srgb; 5] = [Srgb(0x56b4e9), Srgb(0x009e73), Srgb(0xd55e00), Srgb(0xe69f00), Srgb(0xcc79a7)];

/// Colours with a name in the shaders.
const NAMED: [(&str, Srgb); 6] = [
    // The yellow of the same eight, which the palette leaves to the actors.
    ("ACTOR", Srgb(0xf0e442)),
    ("PEG", Srgb(0x6b7382)),
    ("PEG_RING", Srgb(0xc3c9d4)),
    ("HIGHLIGHT", Srgb(0xf6f7f9)),
    ("OUTLINE", Srgb(0x2c323d)),
    ("SURFACE", Srgb(0x8791a3)),
];

impl Srgb {
    /// Red, green and blue from 0 to 1, as stored.
    pub(crate) fn stored(self) -> [f64; 3] {
        [16, 8, 0].map(|shift| f64::from(self.0 >> shift & 255) / 255.0)
    }

    /// Red, green and blue from 0 to 1, in proportion to light.
    pub(crate) fn linear(self) -> [f64; 3] {
        self.stored().map(|v| if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) })
    }

    fn wgsl(self) -> String {
        let [r, g, b] = self.stored();
        format!("vec3<f32>({r:.6}, {g:.6}, {b:.6})")
    }
}

/// The colours as constants of the shaders.
pub(crate) fn wgsl() -> String {
    let palette: Vec<String> = PALETTE.iter().map(|colour| colour.wgsl()).collect();
    let mut source: String =
        NAMED.iter().map(|(name, colour)| format!("const {name} = {};\n", colour.wgsl())).collect();
    source += &format!("const PALETTE_SIZE = {}u;\n", PALETTE.len());
    source + &format!("const PALETTE = array<vec3<f32>, {}>({});\n", PALETTE.len(), palette.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_is_srgbs_own() {
        assert_eq!(Srgb(0xff00ff).linear(), [1.0, 0.0, 1.0]);
        // Half of the light is stored as 188.
        assert!((Srgb(0xbcbcbc).linear()[0] - 0.5029).abs() < 1e-3);
        assert!((Srgb(0x0a0a0a).linear()[0] - 10.0 / 255.0 / 12.92).abs() < 1e-9);
    }
}
