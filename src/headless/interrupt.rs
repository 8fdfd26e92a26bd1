//! Ctrl-C: the run ends between two steps; if a step takes too long for that, the program ends anyway.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Stop, progress};

/// What a shell expects of a program that Ctrl-C ended.
pub(super) const EXIT_CODE: u8 = 130;

/// How long a step may keep the user waiting.
const PATIENCE: Duration = Duration::from_millis(700);

static ASKED: AtomicBool = AtomicBool::new(false);

/// Takes over Ctrl-C.
pub(super) fn listen() {
    let handler = || {
        ASKED.store(true, Ordering::Relaxed);
        std::thread::sleep(PATIENCE);
        progress::clear();
        super::say("interrupted");
        std::process::exit(EXIT_CODE.into());
    };
    // Without a handler Ctrl-C ends the program at once, which is what was asked for.
    let _ = ctrlc::set_handler(handler);
}

/// Ends the run if Ctrl-C was pressed.
pub(super) fn check() -> Result<(), Stop> {
    if ASKED.load(Ordering::Relaxed) { Err(Stop::Interrupted) } else { Ok(()) }
}
