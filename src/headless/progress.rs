//! A progress bar, on a terminal only and for runs that last.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Runs shorter than this show no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// The bar on the terminal, so that Ctrl-C's thread can clear it too.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// How far a run is; cleared when dropped.
pub(super) struct Progress {
    started: Instant,
    total: u64,
    unit: &'static str,
}

impl Progress {
    /// A run of `total` units.
    pub(super) fn new(total: u64, unit: &'static str) -> Self {
        Self { started: Instant::now(), total, unit }
    }

    /// Shows that `done` units are done.
    pub(super) fn set(&self, done: u64) {
        if self.started.elapsed() < PATIENCE || !io::stderr().is_terminal() {
            return;
        }
        let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
        shown.get_or_insert_with(|| bar(self.total, self.unit)).set_position(done);
    }

    /// Writes something else to the terminal.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match shown {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Takes the bar off the terminal: what follows has no known length.
    pub(super) fn clear(&self) {
        clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        clear();
    }
}

fn bar(total: u64, unit: &str) -> ProgressBar {
    let template = format!("{{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}

/// Takes the bar off the terminal.
pub(super) fn clear() {
    if let Some(bar) = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take() {
        bar.finish_and_clear();
    }
}
