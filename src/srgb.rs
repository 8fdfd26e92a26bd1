//! Colours as a style sheet writes them: `#d4a017`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A colour as sRGB stores it: red, green and blue, a byte each from the highest of three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Srgb(pub u32);

impl Srgb {
    /// What is accepted as a colour, in words.
    pub(crate) const ACCEPTED: &str = "a colour like \"#d4a017\": red, green and blue, two hexadecimal digits each";

    /// Red, green and blue.
    pub fn bytes(self) -> [u8; 3] {
        [16, 8, 0].map(|shift| (self.0 >> shift & 255) as u8)
    }

    /// Red, green and blue from 0 to 1, as stored.
    pub(crate) fn stored(self) -> [f64; 3] {
        self.bytes().map(|byte| f64::from(byte) / 255.0)
    }

    /// Red, green and blue from 0 to 1, in proportion to light.
    pub(crate) fn linear(self) -> [f64; 3] {
        self.stored().map(|v| if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) })
    }
}

impl fmt::Display for Srgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:06x}", self.0 & 0xff_ffff)
    }
}

impl FromStr for Srgb {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let colour = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        colour.map(Self).ok_or_else(|| format!("must be {}", Self::ACCEPTED))
    }
}

impl From<Srgb> for String {
    fn from(colour: Srgb) -> Self {
        colour.to_string()
    }
}

impl TryFrom<String> for Srgb {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
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

    #[test]
    fn a_colour_is_read_as_it_is_written_and_nothing_else_is_one() {
        let gold: Srgb = "#d4A017".parse().unwrap();
        assert_eq!((gold.bytes(), gold.to_string()), ([0xd4, 0xa0, 0x17], "#d4a017".into()));
        assert_eq!(Srgb(0xff_d4a017).to_string().parse(), Ok(gold), "a fourth byte is none of its three");
        for text in ["", "#", "gold", "d4a017", "#d4a01", "#d4a0170", "#+4a017", "#é4a0"] {
            assert!(text.parse::<Srgb>().is_err(), "{text}");
        }
    }
}
