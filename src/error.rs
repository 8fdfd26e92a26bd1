//! The one error type of the library. A message names the place and the remedy; the caller prints it.

use std::path::PathBuf;

/// What can go wrong, each with a message that says what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A scene file or a scene's name is wrong. `place` is a file, with line and key where known.
    #[error("{place}: {message}")]
    Scene {
        /// File, line and key.
        place: String,
        /// What is wrong there, and the accepted range.
        message: String,
    },
    /// A value given to the library is outside its range.
    #[error("{name} is {value}; it must be {accepted}")]
    Value {
        /// The value's name, with the body or surface it belongs to.
        name: String,
        /// The value that was refused.
        value: String,
        /// What is accepted.
        accepted: String,
    },
    /// No adapter answers.
    #[error(
        "no GPU adapter was found ({}); install a Vulkan driver (on Debian: apt-get install mesa-vulkan-drivers), or do \
         without: --engine cpu runs, but draws and compares nothing",
        first_clause(reason)
    )]
    NoAdapter {
        /// What the loader said.
        reason: String,
    },
    /// The adapter refused a device, or a call on the device failed.
    #[error("the GPU device failed: {reason}; take the CPU engine (--engine cpu)")]
    Device {
        /// What the driver said.
        reason: String,
    },
    /// The world is larger than the adapter's limits allow.
    #[error("{balls} balls need more than {adapter} allows; it can hold {most}: ask for fewer, or take --engine cpu")]
    TooManyBalls {
        /// Balls asked for.
        balls: usize,
        /// The adapter's name.
        adapter: String,
        /// The most it can hold.
        most: usize,
    },
    /// The world is larger than the computer's memory.
    #[error(
        "{balls} balls need another {gigabytes:.1} GB of memory, which the system does not give; ask for fewer (-n), or \
         end other programs"
    )]
    Memory {
        /// Balls asked for.
        balls: usize,
        /// What they need beyond what is taken, GB.
        gigabytes: f64,
    },
    /// A body became infinite or NaN during a run.
    #[error("ball {id} is no longer finite after step {step}; lower the speeds, or raise --rate or --passes")]
    NotFinite {
        /// The body's id.
        id: usize,
        /// Steps made when it was found.
        step: u64,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// An adapter can't draw on the window.
    #[error(
        "{adapter} can't draw on the window: {reason}; update its driver, take another one (Vulkan's loader reads \
         VK_DRIVER_FILES), or do without a window: `ballpit simulate pile --seconds 10`"
    )]
    NoSurface {
        /// The adapter's name and driver.
        adapter: String,
        /// What is the matter.
        reason: String,
    },
    /// The window system ended under an open window.
    #[error("the display is gone ({reason}); open the window again where there is one")]
    DisplayGone {
        /// What the window system said.
        reason: String,
    },
    /// The window could not be opened.
    #[error("no window can be opened ({reason}); run `ballpit simulate pile --seconds 10` to run without one")]
    NoDisplay {
        /// What the window system said.
        reason: String,
    },
}

/// What the loader says first; the rest lists the back ends that were not built.
fn first_clause(reason: &str) -> &str {
    reason.split(';').next().unwrap_or_default()
}

/// At most `most` characters of a text from outside, with control characters made visible.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let visible = |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.into() };
    let mut short: String = text.chars().take(most).map(visible).collect();
    if text.chars().nth(most).is_some() {
        short.push('…');
    }
    short
}

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_is_cut_and_made_visible() {
        assert_eq!(shortened("a\u{1b}[31m", 60), "a\\u{1b}[31m");
        assert_eq!(shortened(&"x".repeat(1_000), 60).chars().count(), 61);
    }
}
