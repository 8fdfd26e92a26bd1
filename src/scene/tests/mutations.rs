//! Scenes that were damaged at will.

use super::*;
use crate::mutation::{change, changed};

proptest! {
    #[test]
    fn a_scene_damaged_at_will_is_a_scene_or_an_error_with_a_line(
        which in 0..Scene::names().count(),
        changes in prop::collection::vec(change(), 1..6),
    ) {
        let (name, _) = Scene::names().nth(which).unwrap();
        let text = Scene::named(name).unwrap().text().to_owned();
        let bytes = changes.iter().fold(text.into_bytes(), changed);
        let text = String::from_utf8_lossy(&bytes);
        match Scene::parse(&text, "x.toml") {
            // Not one of millions, which only takes long.
            Ok(scene) => drop(scene.build(&Overrides { balls: Some(40), seed: Some(1) }).map_err(|error| error.to_string())),
            Err(error) => {
                let message = error.to_string();
                let line = message.strip_prefix("x.toml:").and_then(|rest| rest.split(':').next());
                prop_assert!(line.is_some_and(|line| line.parse::<usize>().is_ok()), "{message}");
                prop_assert!(message.len() < 2_000, "{message}");
            }
        }
    }
}
