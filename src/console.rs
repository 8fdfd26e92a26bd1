//! What the program tells whoever started it, beside what it was asked for.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};

/// Tells the user something on stderr that is no error.
pub(crate) fn note(text: impl Display) {
    say(format_args!("note: {text}"));
}

/// A line on stderr; one that can't be written has no reader.
pub(crate) fn say(text: impl Display) {
    let _ = writeln!(io::stderr(), "ballpit: {}", tame(text));
}

/// A text that does nothing to a terminal but stand there: names come from files of anybody's. What would move the cursor or
/// turn the direction of writing is written as JSON has it.
pub(crate) fn tame(text: impl Display) -> String {
    let text = text.to_string();
    if !text.contains(is_wild) {
        return text;
    }
    let mut tamed = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            letter if is_wild(letter) => _ = write!(tamed, "\\u{:04x}", u32::from(letter)),
            letter => tamed.push(letter),
        }
    }
    tamed
}

fn is_wild(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || letter.is_control() && !matches!(letter, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_moves_no_cursor_and_turns_no_writing() {
        for (name, told) in [
            ("Größe 3 µm\t→ „פּ“\n", "Größe 3 µm\t→ „פּ“\n"),
            ("\u{1b}[2Jgone", "\\u001b[2Jgone"),
            ("safe\u{202e}lmot.exe\r", "safe\\u202elmot.exe\\u000d"),
            ("\u{9b}31m\u{7f}\u{2066}\u{200f}", "\\u009b31m\\u007f\\u2066\\u200f"),
        ] {
            assert_eq!(tame(name), told);
        }
        let title = "a\u{202e}b\u{9b}";
        let json = tame(serde_json::to_string(title).unwrap());
        assert!(json.is_ascii());
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), title);
    }
}
