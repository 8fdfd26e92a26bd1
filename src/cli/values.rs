//! The forms that values take on the command line.

use glam::Vec2;

use ballpit::render::ColourMap;
use ballpit::{Arithmetic, Solver, StageOrder, World};
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A number of balls: `70`, `20_000`, `10k`, `1M`.
pub(crate) fn count(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1_000),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1_000_000),
        _ => (text, 1),
    };
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit());
    let number = is_number.then(|| digits.replace('_', "").parse::<usize>().ok()).flatten();
    let balls = number.and_then(|number| number.checked_mul(unit));
    balls
        .filter(|balls| (1..=World::MOST_BODIES).contains(balls))
        .ok_or_else(|| format!("it must be a number from 1 to {}, like 70, 20_000, 10k or 1M", World::MOST_BODIES))
}

/// A whole number of a range.
pub(crate) fn whole<T: TryFrom<u64>, const LEAST: u64, const MOST: u64>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("it must be a whole number from {LEAST} to {MOST}"))
}

/// A length of simulated time, s.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= MOST_SECONDS);
    number.ok_or_else(|| format!("it must be a number of seconds above 0 and up to {MOST_SECONDS}"))
}

/// Longest run: eleven days.
const MOST_SECONDS: f64 = 1e6;

/// A picture's width and height, pixels: `1280x720`.
pub(crate) fn picture_size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.parse().ok().filter(|&side: &u32| (1..=16_384).contains(&side));
    let size = text.split_once(['x', 'X', '×']).and_then(|(width, height)| Some((side(width)?, side(height)?)));
    size.ok_or_else(|| "it must be WIDTHxHEIGHT in pixels, 1 to 16384 each, like 1280x720".into())
}

/// A direction: `1,0`, `-0.5,1`.
pub(crate) fn direction(text: &str) -> Result<Vec2, String> {
    let part = |text: &str| text.trim().parse().ok().filter(|part: &f32| (-1.0..=1.0).contains(part));
    let direction = text.split_once(',').and_then(|(x, y)| Some(Vec2::new(part(x)?, part(y)?)));
    direction.ok_or_else(|| "it must be X,Y, each from -1 to 1, y downward, like 1,0 or -0.5,1".into())
}

pub(super) fn solver() -> impl TypedValueParser<Value = Solver> {
    PossibleValuesParser::new(["jacobi", "sequential"]).map(|name| match name.as_str() {
        "sequential" => Solver::Sequential(StageOrder::default()),
        _ => Solver::Jacobi,
    })
}

/// The colours of what has more and less of something.
pub(crate) fn colour_map() -> impl TypedValueParser<Value = ColourMap> {
    let named = |name: String| ColourMap::ALL.into_iter().find(|map| map.name() == name).unwrap_or_default();
    PossibleValuesParser::new(ColourMap::ALL.map(ColourMap::name)).map(named)
}

pub(super) fn arithmetic() -> impl TypedValueParser<Value = Arithmetic> {
    PossibleValuesParser::new(["exact", "plain"]).map(|name| match name.as_str() {
        "plain" => Arithmetic::Plain,
        _ => Arithmetic::Exact,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_take_units_and_underscores() {
        for (text, balls) in [("70", 70), ("10k", 10_000), ("1M", 1_000_000), ("20_000", 20_000), ("2m", 2_000_000)] {
            assert_eq!(count(text), Ok(balls), "{text}");
        }
        for text in ["", "k", "-3", "+3", "_1", "1.5k", "10kk", "0", "99999999999999999999", "1000M", "ten", "1 k", "é"]
        {
            assert!(count(text).unwrap_err().contains("from 1 to"), "{text}");
        }
    }

    #[test]
    fn whole_numbers_keep_to_their_range() {
        assert_eq!(whole::<u32, 1, 64>("64"), Ok(64));
        assert_eq!(whole::<u64, 0, { u64::MAX }>("18446744073709551615"), Ok(u64::MAX));
        for text in ["0", "65", "-1", "1.5", "", "eight", "18446744073709551616"] {
            assert_eq!(whole::<u32, 1, 64>(text).unwrap_err(), "it must be a whole number from 1 to 64", "{text}");
        }
    }

    #[test]
    fn seconds_are_above_zero_and_finite() {
        assert_eq!(seconds("0.5"), Ok(0.5));
        for text in ["0", "-1", "NaN", "inf", "1e7", "", "5s"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_direction_has_two_parts_of_at_most_1() {
        assert_eq!(direction("1,-0.5"), Ok(Vec2::new(1.0, -0.5)));
        for text in ["1", "1,", "2,0", "0,-1.5", "NaN,0", "inf,0", "1,0,0", ""] {
            assert!(direction(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_picture_has_two_sides() {
        assert_eq!(picture_size("1280x720"), Ok((1280, 720)));
        for text in ["1280", "0x720", "1280x", "1280x720x3", "99999x1"] {
            assert!(picture_size(text).is_err(), "{text}");
        }
    }
}
