//! Keys that send actors where they are to go, or tilt the ground, for as long as they are held. In a world with actors, or
//! with surfaces that tilt, they are the helm's, whatever they mean elsewhere.

use glam::Vec2;
use winit::event::{ElementState, KeyEvent};
use winit::keyboard::NamedKey;

use super::keys::{self, Stroke};
use Stroke::{Char, Named};

/// Keys and where each sends the actors; y grows downward.
const KEYS: [([Stroke; 2], Vec2); 4] = [
    ([Char('w'), Named(NamedKey::ArrowUp)], Vec2::NEG_Y),
    ([Char('a'), Named(NamedKey::ArrowLeft)], Vec2::NEG_X),
    ([Char('s'), Named(NamedKey::ArrowDown)], Vec2::Y),
    ([Char('d'), Named(NamedKey::ArrowRight)], Vec2::X),
];

/// What of a world is steered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Steered {
    /// Nothing: the helm has no keys.
    #[default]
    Nothing,
    /// Surfaces that tilt, by Left and Right.
    Slopes,
    /// Actors, by all of the helm's keys.
    Actors,
}

impl Steered {
    /// Whether the helm takes a key.
    pub(crate) fn takes(self, stroke: Stroke) -> bool {
        match self {
            Self::Nothing => false,
            Self::Slopes => matches!(stroke, Named(NamedKey::ArrowLeft | NamedKey::ArrowRight)),
            Self::Actors => place_of(stroke).is_some(),
        }
    }

    /// What is steered and by which keys, for the help overlay.
    pub(crate) fn help(self) -> Option<(&'static str, &'static [(&'static str, &'static str)])> {
        match self {
            Self::Nothing => None,
            Self::Slopes => Some(("Tilt", &[("Left, Right", "tilt the ground; let go to leave it so")])),
            Self::Actors => Some((
                "Actors",
                &[("W A S D", "send the actors up, left, down, right"), ("Arrows", "the same; let go to stop them")],
            )),
        }
    }
}

/// Which of a cannon's `shots` masses a digit chooses.
pub(crate) fn shot_of(stroke: Stroke, shots: usize) -> Option<usize> {
    let Char(letter) = stroke else { return None };
    let digit = letter.to_digit(10)? as usize;
    (1..=shots).contains(&digit).then(|| digit - 1)
}

/// Which of its keys are held.
#[derive(Debug, Default)]
pub(crate) struct Helm {
    held: [[bool; 2]; KEYS.len()],
}

impl Helm {
    /// The direction after a key's event; nothing if the key is not the helm's. A key is known again when it is released
    /// even if the interface has the keyboard by then.
    pub(crate) fn turn(&mut self, steered: Steered, event: &KeyEvent, shielded: bool) -> Option<Vec2> {
        let stroke = keys::stroke_of(&event.logical_key, event.physical_key)?;
        if steered.takes(stroke) { self.set(stroke, event.state, shielded) } else { None }
    }

    fn set(&mut self, stroke: Stroke, state: ElementState, shielded: bool) -> Option<Vec2> {
        let (axis, key) = place_of(stroke)?;
        let pressed = state == ElementState::Pressed;
        if pressed && shielded {
            return None;
        }
        self.held[axis][key] = pressed;
        Some(self.direction())
    }

    /// Lets go of all keys; whether any was held.
    pub(crate) fn let_go(&mut self) -> bool {
        std::mem::take(&mut self.held).iter().flatten().any(|&held| held)
    }

    fn direction(&self) -> Vec2 {
        let held = KEYS.iter().zip(&self.held).filter(|(_, held)| held.contains(&true));
        held.map(|((_, direction), _)| *direction).sum()
    }
}

fn place_of(stroke: Stroke) -> Option<(usize, usize)> {
    KEYS.iter().enumerate().find_map(|(axis, (keys, _))| Some((axis, keys.iter().position(|&key| key == stroke)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRESSED: ElementState = ElementState::Pressed;
    const RELEASED: ElementState = ElementState::Released;

    #[test]
    fn two_keys_make_a_diagonal_and_opposite_ones_cancel() {
        let mut helm = Helm::default();
        assert_eq!(helm.set(Char('d'), PRESSED, false), Some(Vec2::X));
        assert_eq!(helm.set(Named(NamedKey::ArrowUp), PRESSED, false), Some(Vec2::new(1.0, -1.0)));
        assert_eq!(helm.set(Char('a'), PRESSED, false), Some(Vec2::NEG_Y));
        assert_eq!(helm.set(Char('w'), PRESSED, false), Some(Vec2::NEG_Y), "two keys for one way are one");
        assert_eq!(helm.set(Named(NamedKey::ArrowUp), RELEASED, false), Some(Vec2::NEG_Y));
        assert!(helm.let_go() && !helm.let_go());
        assert_eq!(helm.set(Char('k'), PRESSED, false), None);
    }

    #[test]
    fn slopes_leave_up_and_down_to_others() {
        assert!(Steered::Slopes.takes(Named(NamedKey::ArrowLeft)) && !Steered::Slopes.takes(Named(NamedKey::ArrowUp)));
        assert!(Steered::Actors.takes(Char('d')) && !Steered::Slopes.takes(Char('d')));
        assert!(!Steered::Nothing.takes(Named(NamedKey::ArrowLeft)));
    }

    #[test]
    fn letters_that_are_typed_steer_nobody() {
        let mut helm = Helm::default();
        assert_eq!(helm.set(Char('d'), PRESSED, true), None);
        assert_eq!(helm.set(Char('d'), PRESSED, false), Some(Vec2::X));
        assert_eq!(helm.set(Char('d'), RELEASED, true), Some(Vec2::ZERO), "let go in a text field");
    }
}
