//! Every key, stated once: what the handler does and what the help overlay says are both made from this table.

use winit::keyboard::{Key, ModifiersState, NamedKey, PhysicalKey};

use super::tools::Tool;
use crate::colours::ColourMode;
use crate::look::Mark;
use Stroke::{Char, Ctrl, CtrlShift, Named, Shift};

/// What a key or a button of the panel asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Pause,
    StepOnce,
    SlowMotion,
    ToggleMode,
    ToggleRate,
    LagSpike,
    ToggleInterpolation,
    NewSeed,
    Restart,
    PreviousScene,
    NextScene,
    Bouncier,
    Duller,
    ToggleAir,
    NextFriction,
    /// Another tool for the pointer.
    Take(Tool),
    /// Another of the cannon's masses.
    Load(usize),
    Undo,
    Redo,
    NextColour,
    Colour(ColourMode),
    Show(Mark),
    ZoomIn,
    ZoomOut,
    Fit,
    Panel,
    Plots,
    Help,
    Fullscreen,
    Screenshot,
    Film,
    Save,
    SaveCsv,
    Open,
    Record,
    Quit,
}

impl Action {
    /// Whether holding the key down repeats it.
    pub(crate) fn repeats(self) -> bool {
        matches!(self, Self::StepOnce | Self::Bouncier | Self::Duller | Self::ZoomIn | Self::ZoomOut)
    }
}

/// A key as the keyboard's layout names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stroke {
    /// A character, in lower case.
    Char(char),
    /// A key without one.
    Named(NamedKey),
    /// A character with the control key.
    Ctrl(char),
    /// A character with the control and the shift key.
    CtrlShift(char),
    /// A key without a character, with the shift key.
    Shift(NamedKey),
}

impl Stroke {
    /// What the help overlay calls it.
    pub(crate) fn label(self) -> String {
        match self {
            Char(letter) => letter.to_uppercase().collect(),
            Ctrl(letter) => format!("Ctrl+{}", letter.to_uppercase()),
            CtrlShift(letter) => format!("Ctrl+Shift+{}", letter.to_uppercase()),
            Named(NamedKey::Escape) => "Esc".into(),
            Named(NamedKey::ArrowUp) => "Up".into(),
            Named(NamedKey::ArrowDown) => "Down".into(),
            Named(NamedKey::PageUp) => "Page Up".into(),
            Named(NamedKey::PageDown) => "Page Down".into(),
            Named(key) => format!("{key:?}"),
            Shift(key) => format!("Shift+{}", Named(key).label()),
        }
    }
}

/// Keys, what they do, and what the help overlay says of it.
pub(crate) struct Binding {
    pub(crate) keys: &'static [Stroke],
    pub(crate) action: Action,
    pub(crate) help: &'static str,
}

/// Bindings that belong together.
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) bindings: &'static [Binding],
}

const fn take(keys: &'static [Stroke], tool: Tool) -> Binding {
    bind(keys, Action::Take(tool), tool.help())
}

const fn bind(keys: &'static [Stroke], action: Action, help: &'static str) -> Binding {
    Binding { keys, action, help }
}

/// The table.
pub(crate) const GROUPS: [Group; 5] = [
    Group {
        title: "Time",
        bindings: &[
            bind(&[Char('p')], Action::Pause, "pause, go on"),
            bind(&[Char('.')], Action::StepOnce, "pause, and make one step"),
            bind(&[Char('s')], Action::SlowMotion, "slow motion: full, half, quarter, eighth speed"),
            bind(&[Named(NamedKey::Space)], Action::ToggleMode, "fixed steps, or one variable step a frame"),
            bind(&[Char('r')], Action::ToggleRate, "120 or 30 steps a second"),
            bind(&[Char('i')], Action::ToggleInterpolation, "draw between steps, or only whole steps"),
            bind(&[Char('l')], Action::LagSpike, "lag spike: one frame a fifth of a second long"),
        ],
    },
    Group {
        title: "World",
        bindings: &[
            bind(&[Named(NamedKey::Enter)], Action::NewSeed, "other places and sizes, from a new seed"),
            bind(&[Named(NamedKey::Backspace)], Action::Restart, "restart from the same seed"),
            bind(&[Named(NamedKey::ArrowUp)], Action::Bouncier, "bouncier"),
            bind(&[Named(NamedKey::ArrowDown)], Action::Duller, "less bouncy"),
            bind(&[Char('d')], Action::ToggleAir, "thin air (drag 0.15/s) or thick (3/s)"),
            bind(&[Char('f')], Action::NextFriction, "friction of all balls: none, 0.3, 0.6"),
            bind(&[Named(NamedKey::PageUp)], Action::PreviousScene, "previous scene"),
            bind(&[Named(NamedKey::PageDown)], Action::NextScene, "next scene"),
        ],
    },
    Group {
        title: "Tools",
        bindings: &[
            take(&[Char('q')], Tool::Grab),
            take(&[Char('w')], Tool::Pour),
            take(&[Char('e')], Tool::Attract),
            take(&[Char('t')], Tool::Repel),
            take(&[Char('x')], Tool::Explode),
            take(&[Char('b')], Tool::Wall),
            take(&[Char('n')], Tool::Peg),
            take(&[Char('z')], Tool::Erase),
            take(&[Char('m')], Tool::Fire),
            bind(&[Ctrl('z')], Action::Undo, "undo what was poured, drawn, set or erased"),
            bind(&[Ctrl('y')], Action::Redo, "do it again"),
            bind(&[CtrlShift('z')], Action::Redo, "the same"),
        ],
    },
    Group {
        title: "Window",
        bindings: &[
            bind(&[Named(NamedKey::Tab), Char('h')], Action::Panel, "show or hide the panel"),
            bind(&[Named(NamedKey::F10)], Action::Plots, "show or hide the plots of times"),
            bind(&[Named(NamedKey::F1), Char('?')], Action::Help, "this help"),
            bind(&[Named(NamedKey::F11)], Action::Fullscreen, "full screen"),
            bind(&[Named(NamedKey::F12)], Action::Screenshot, "take a picture, ./ballpit-1.png"),
            bind(&[Shift(NamedKey::F12)], Action::Film, "film the world, or end that"),
            bind(&[Ctrl('s')], Action::Save, "save the world in this folder"),
            bind(&[Ctrl('o')], Action::Open, "open a scene, world or recording"),
            bind(&[Named(NamedKey::F9)], Action::Record, "record what is done, or end that"),
            bind(&[Named(NamedKey::Escape)], Action::Quit, "close what is in front, or quit"),
        ],
    },
    Group {
        title: "Look",
        bindings: &[
            bind(&[Char('1')], Action::Colour(ColourMode::Palette), "colour by a palette in turn"),
            bind(&[Char('2')], Action::Colour(ColourMode::Speed), "colour by speed"),
            bind(&[Char('3')], Action::Colour(ColourMode::Mass), "colour by mass"),
            bind(&[Char('4')], Action::Colour(ColourMode::Material), "colour by material"),
            bind(&[Char('5')], Action::Colour(ColourMode::Load), "colour by load: force chains"),
            bind(&[Char('6')], Action::Colour(ColourMode::Cells), "colour by balls in the grid's cell"),
            bind(&[Char('7')], Action::Colour(ColourMode::Id), "colour by id"),
            bind(&[Char('8')], Action::Colour(ColourMode::Sleep), "colour by awake or asleep"),
            bind(&[Char('c')], Action::NextColour, "the next of them"),
            bind(&[Char('g')], Action::Show(Mark::Grid), "draw the grid"),
            bind(&[Char('k')], Action::Show(Mark::Contacts), "draw contacts"),
            bind(&[Char('v')], Action::Show(Mark::Velocities), "draw velocities"),
            bind(&[Char('j')], Action::Show(Mark::Normals), "draw the surfaces' normals"),
            bind(&[Char('+'), Char('=')], Action::ZoomIn, "zoom in"),
            bind(&[Char('-')], Action::ZoomOut, "zoom out"),
            bind(&[Char('0')], Action::Fit, "fit the world into the window"),
        ],
    },
];

/// What the help calls the first key of an action; nothing of one that no key asks for.
pub(crate) fn key_of(action: Action) -> String {
    let mut bindings = GROUPS.iter().flat_map(|group| group.bindings);
    let found = bindings.find(|binding| binding.action == action);
    found.map_or_else(String::new, |binding| binding.keys[0].label())
}

/// What is said of an action, with its key.
pub(crate) fn with_key(text: &str, action: Action) -> String {
    with_free_key(text, action, |_| false)
}

/// What is said of an action, with the first of its keys that nothing else has taken.
pub(crate) fn with_free_key(text: &str, action: Action, is_taken: impl Fn(Stroke) -> bool) -> String {
    let mut bindings = GROUPS.iter().flat_map(|group| group.bindings);
    let keys = bindings.find(|binding| binding.action == action).map_or(&[][..], |binding| binding.keys);
    match keys.iter().find(|&&key| !is_taken(key)) {
        None => text.into(),
        Some(key) => format!("{text} ({})", key.label()),
    }
}

/// What the pointer does, for the help overlay.
pub(crate) const POINTER: [(&str, &str); 6] = [
    ("Left drag", "what the tool does: hold a ball and throw it, pour, draw a wall"),
    ("Right drag", "move the picture"),
    ("Wheel", "zoom at the pointer; with a tool that has a ring, its size"),
    ("Ctrl+wheel", "zoom with any tool"),
    ("Pinch", "zoom with any tool"),
    ("Drop a file", "open a scene, a saved world or a recording"),
];

/// What a key asks for.
pub(crate) fn action_of(logical: &Key, physical: PhysicalKey, modifiers: ModifiersState) -> Option<Action> {
    let found = |stroke| {
        let mut bindings = GROUPS.iter().flat_map(|group| group.bindings);
        bindings.find(|binding| binding.keys.contains(&stroke)).map(|binding| binding.action)
    };
    let (control, shift) = (modifiers.control_key(), modifiers.shift_key());
    match stroke_of(logical, physical)? {
        Char(letter) if control && shift => found(CtrlShift(letter)),
        Char(letter) if control => found(Ctrl(letter)),
        _ if control => None,
        Named(key) if shift => found(Shift(key)).or(found(Named(key))),
        stroke => found(stroke),
    }
}

/// A key as the table has it. Where the layout writes no Latin letters, the key's place on the keyboard counts.
pub(crate) fn stroke_of(logical: &Key, physical: PhysicalKey) -> Option<Stroke> {
    match logical {
        Key::Named(named) => Some(Named(*named)),
        Key::Character(text) => {
            let letter = text.chars().next()?.to_lowercase().next()?;
            Some(Char(if letter.is_ascii() { letter } else { latin(physical).unwrap_or(letter) }))
        }
        _ => None,
    }
}

/// The letter on that place of a Latin keyboard.
fn latin(physical: PhysicalKey) -> Option<char> {
    let PhysicalKey::Code(code) = physical else { return None };
    // The codes of the letters are called KeyA to KeyZ.
    let name = format!("{code:?}");
    let letter = name.strip_prefix("Key")?.to_ascii_lowercase();
    letter.chars().next().filter(|_| letter.len() == 1)
}

#[cfg(test)]
mod tests {
    use winit::keyboard::{KeyCode, SmolStr};

    use super::*;

    fn press(text: &str, code: KeyCode) -> Option<Action> {
        action_of(&Key::Character(SmolStr::new(text)), PhysicalKey::Code(code), ModifiersState::empty())
    }

    #[test]
    fn no_key_has_two_meanings_and_each_says_what_it_does() {
        let bindings: Vec<&Binding> = GROUPS.iter().flat_map(|group| group.bindings).collect();
        let keys: Vec<Stroke> = bindings.iter().flat_map(|binding| binding.keys).copied().collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{} has two meanings", key.label());
        }
        assert!(bindings.iter().all(|binding| !binding.help.is_empty() && !binding.keys.is_empty()));
    }

    /// What `xdotool` calls a key.
    fn pressed(key: Stroke) -> String {
        match key {
            Char('.') => "period".into(),
            Char('+') => "plus".into(),
            Char('=') => "equal".into(),
            Char('-') => "minus".into(),
            Char('?') => "question".into(),
            Char(letter) => letter.into(),
            Ctrl(letter) => format!("ctrl+{letter}"),
            CtrlShift(letter) => format!("ctrl+shift+{letter}"),
            Shift(key) => format!("shift+{}", pressed(Named(key))),
            Named(NamedKey::Space) => "space".into(),
            Named(NamedKey::Enter) => "Return".into(),
            Named(NamedKey::Backspace) => "BackSpace".into(),
            Named(NamedKey::PageUp) => "Prior".into(),
            Named(NamedKey::PageDown) => "Next".into(),
            Named(key) => Named(key).label().replace("Esc", "Escape"),
        }
    }

    #[test]
    fn every_key_is_pressed_in_the_window_tests() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()));
        let tests: String = files.map(Result::unwrap).collect();
        let is_pressed = |key: &str| tests.contains(&format!("\"{key}\""));
        for key in GROUPS.iter().flat_map(|group| group.bindings).flat_map(|binding| binding.keys) {
            assert!(is_pressed(&pressed(*key)), "no test of the window presses {}", pressed(*key));
        }
        assert!(!is_pressed("F8") && !is_pressed("ctrl+q"), "what no key is bound to is not pressed");
    }

    #[test]
    fn keys_of_the_contract_do_what_it_says() {
        let named = |key| action_of(&Key::Named(key), PhysicalKey::Code(KeyCode::F35), ModifiersState::empty());
        assert_eq!(named(NamedKey::Space), Some(Action::ToggleMode));
        assert_eq!(named(NamedKey::Enter), Some(Action::NewSeed));
        assert_eq!(named(NamedKey::F1), Some(Action::Help));
        assert_eq!(press("?", KeyCode::Slash), Some(Action::Help));
        assert_eq!(press("R", KeyCode::KeyR), Some(Action::ToggleRate));
        assert_eq!(press("l", KeyCode::KeyL), Some(Action::LagSpike));
    }

    #[test]
    fn control_and_shift_make_another_key() {
        let with =
            |modifiers| action_of(&Key::Character(SmolStr::new("z")), PhysicalKey::Code(KeyCode::KeyZ), modifiers);
        assert_eq!(with(ModifiersState::empty()), Some(Action::Take(Tool::Erase)));
        assert_eq!(with(ModifiersState::CONTROL), Some(Action::Undo));
        assert_eq!(with(ModifiersState::CONTROL | ModifiersState::SHIFT), Some(Action::Redo));
        let named = |key, modifiers| action_of(&Key::Named(key), PhysicalKey::Code(KeyCode::F35), modifiers);
        assert_eq!(named(NamedKey::F12, ModifiersState::empty()), Some(Action::Screenshot));
        assert_eq!(named(NamedKey::F12, ModifiersState::SHIFT), Some(Action::Film));
        assert_eq!(named(NamedKey::Tab, ModifiersState::SHIFT), Some(Action::Panel), "shift alone makes no other key");
        let space = Key::Named(NamedKey::Space);
        assert_eq!(action_of(&space, PhysicalKey::Code(KeyCode::Space), ModifiersState::CONTROL), None);
    }

    #[test]
    fn a_foreign_layout_counts_by_place_and_a_latin_one_by_letter() {
        assert_eq!(press("к", KeyCode::KeyR), Some(Action::ToggleRate));
        // On an AZERTY keyboard the key at QWERTY's Q writes an A, which means nothing.
        assert_eq!(press("a", KeyCode::KeyQ), None);
        // Dvorak writes an L where QWERTY has its P.
        assert_eq!(press("l", KeyCode::KeyP), Some(Action::LagSpike));
    }
}
