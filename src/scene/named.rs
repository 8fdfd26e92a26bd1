//! The scenes that come with the program, as TOML files embedded in it.

use crate::error::shortened;
use crate::{Error, Result};

macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../scenes/", $name, ".toml")))),*]
    };
}

/// Name and text of each, the default first.
pub(super) const SCENES: &[(&str, &str)] = scenes![
    "pile",
    "impulse",
    "bouncy",
    "cradle",
    "gas",
    "peg",
    "bumpers",
    "galton",
    "hourglass",
    "mixer",
    "court",
    "court-heavy",
    "siege",
    "boulder",
    "million",
    "swarm",
];

/// The text of the scene called `name`.
pub(super) fn text_of(name: &str) -> Result<&'static str> {
    let found = SCENES.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Error {
    let names: Vec<&str> = SCENES.iter().map(|(name, _)| *name).collect();
    let nearest = names.iter().min_by_key(|known| distance(name, known));
    let hint = match nearest {
        Some(known) if distance(name, known) <= 2 => format!("did you mean '{known}'? Or "),
        _ => String::new(),
    };
    Error::Scene {
        place: format!("scene '{}'", shortened(name, 60)),
        message: format!("there is none of this name; {hint}choose {} or give a .toml file", names.join(", ")),
    }
}

/// Letters to insert, remove or replace to make `a` of `b` (Levenshtein); of long names, their start.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(40).collect();
    let mut row: Vec<usize> = (0..=a.len()).collect();
    for (i, letter) in b.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..a.len() {
            let replaced = diagonal + usize::from(a[j] != letter);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[a.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_by_hand() {
        assert_eq!(distance("pile", "pile"), 0);
        assert_eq!(distance("pil", "pile"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "gas"), 3);
    }

    #[test]
    fn an_unknown_name_is_quoted_with_the_nearest_and_all() {
        let message = text_of("impluse").unwrap_err().to_string();
        assert!(message.contains("'impluse'") && message.contains("did you mean 'impulse'?"), "{message}");
        assert!(SCENES.iter().all(|(name, _)| message.contains(name)), "{message}");
        assert!(!text_of("zzzzzzzz").unwrap_err().to_string().contains("did you mean"));
    }

    #[test]
    fn names_match_whole() {
        assert!(text_of("pile").is_ok());
        assert!(text_of("pil").is_err() && text_of("piles").is_err() && text_of("").is_err());
    }
}
