//! The commands that need no window, and how they end.

mod canvas;
mod compare;
mod interrupt;
mod machine;
mod output;
mod profile;
mod progress;
mod scenes;
mod simulate;
mod trace;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use ballpit::Error;

use crate::console::{say, tame};

pub(crate) use compare::{CompareOptions, compare};
pub(crate) use profile::{ProfileOptions, profile};
pub(crate) use scenes::scenes;
pub(crate) use simulate::{DEFAULT_SECONDS, SimulateOptions, simulate};

/// Why a command ended before it was done.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It failed; nobody has said so yet.
    Failed(Error),
    /// The engines differ; the report is printed.
    Disagree,
    /// A replay came to something else than was recorded.
    Differs(String),
    /// Ctrl-C.
    Interrupted,
    /// Nobody reads the output any more.
    PipeClosed,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Stop {
    /// Says what there is to say and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Failed(error) => {
                say(format_args!("error: {error}"));
                ExitCode::from(if matches!(error, Error::Scene { .. } | Error::Value { .. }) { 2 } else { 1 })
            }
            Self::Disagree => ExitCode::from(1),
            Self::Differs(message) => {
                say(format_args!("error: {message}"));
                ExitCode::from(1)
            }
            Self::Interrupted => {
                say("interrupted");
                ExitCode::from(interrupt::EXIT_CODE)
            }
            Self::PipeClosed => ExitCode::SUCCESS,
        }
    }
}

/// A line on stdout.
fn print(text: impl Display) -> Result<(), Stop> {
    writeln!(io::stdout(), "{}", tame(text)).map_err(|source| match source.kind() {
        io::ErrorKind::BrokenPipe => Stop::PipeClosed,
        _ => Stop::Failed(Error::File { path: "standard output".into(), source }),
    })
}

/// What is printed beside what a command is for: that nobody reads it is no reason to end.
fn unheard(printed: Result<(), Stop>) -> Result<(), Stop> {
    match printed {
        Err(Stop::PipeClosed) => Ok(()),
        printed => printed,
    }
}

/// One JSON object on stdout.
fn print_json(value: &impl serde::Serialize) -> Result<(), Stop> {
    print(serde_json::to_string_pretty(value).expect("plain data has a JSON form"))
}
