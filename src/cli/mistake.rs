//! Mistakes on the command line, told as all errors are: `ballpit: error: …`, and what to do.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};

use crate::console::say;

/// Prints what was asked for (help, version) or what is wrong, and ends the program.
pub(super) fn report(error: &Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    match late_command(error) {
        Some(message) => say(format_args!("error: {message}")),
        None => say(error.render().to_string().trim_end()),
    }
    std::process::exit(error.exit_code());
}

/// What stands after a scene or a flag and is read as a command: one that comes too late, or none at all.
fn late_command(error: &Error) -> Option<String> {
    let (ErrorKind::ArgumentConflict, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    else {
        return None;
    };
    let is_command = super::Cli::command().get_subcommands().any(|command| command.get_name() == word);
    Some(match is_command {
        true => format!("'{word}' comes too late; put the command first: ballpit {word} [SCENE] [OPTIONS]"),
        false => format!("there is one scene too many: '{word}'; give one scene, or see `ballpit --help`"),
    })
}

/// Whether a word is a command's name but for a letter or two, or its beginning.
pub(super) fn is_slip(word: &str, command: &str) -> bool {
    let same = |a: &mut dyn Iterator<Item = (u8, u8)>| a.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    let start = same(&mut word.bytes().zip(command.bytes()));
    let end = same(&mut word.bytes().rev().zip(command.bytes().rev()));
    let longer = word.len().max(command.len());
    word.len() > 2 && (start == word.len() || start + end + 2 >= longer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_near_and_scenes_are_not() {
        for (word, command) in [
            ("simulat", "simulate"),
            ("sim", "simulate"),
            ("comapre", "compare"),
            ("Profile", "profile"),
            ("scene", "scenes"),
        ] {
            assert!(is_slip(word, command), "{word}");
        }
        for word in ["pile", "my-scene", "", "s", "gas"] {
            assert!(
                ["run", "simulate", "compare", "profile", "scenes"].iter().all(|known| !is_slip(word, known)),
                "{word}"
            );
        }
    }
}
