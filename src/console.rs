//! What the program tells whoever started it, beside what it was asked for.

use std::fmt::Display;
use std::io::{self, Write};

/// Tells the user something on stderr that is no error.
pub(crate) fn note(text: impl Display) {
    say(format_args!("note: {text}"));
}

/// A line on stderr; one that can't be written has no reader.
pub(crate) fn say(text: impl Display) {
    let _ = writeln!(io::stderr(), "ballpit: {text}");
}
