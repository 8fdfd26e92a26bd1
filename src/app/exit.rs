//! What is left of a world whose window is taken away from under it.
//!
//! Where an X server dies, Xlib ends the program from within, by C's `exit`: nothing unwinds, and nobody is asked. What `exit`
//! does run are the functions that `atexit` was given. One of them writes the last good state, which lies in the host's
//! memory; no device and no window is asked for anything, since theirs may be what has died.

use std::path::Path;
use std::sync::{Arc, Mutex, Once};

use ballpit::Snapshot;

use super::names::{free_path, stem_of};
use crate::console::note;

/// What is to be saved if the program ends before its window is closed.
static LAST: Mutex<Option<Arc<Snapshot>>> = Mutex::new(None);

/// Has the state that was kept last saved should the program end. Called when the window is open: what was registered last is run
/// first, and a driver's own functions may end badly where its display is gone.
pub(crate) fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // Where it is refused, the state is lost as it would be without.
        let _ = shutdown_hooks::add_shutdown_hook(save_last);
    });
}

/// Keeps a state for the end.
pub(crate) fn keep(good: Option<&Arc<Snapshot>>) {
    let Ok(mut last) = LAST.lock() else { return };
    let is_other = match (good, &*last) {
        (Some(good), Some(last)) => !Arc::ptr_eq(good, last),
        (good, last) => good.is_some() != last.is_some(),
    };
    if is_other {
        *last = good.cloned();
    }
}

/// The window closes in order: nothing is left to save.
pub(crate) fn forget() {
    keep(None);
}

/// Called by `exit`, on whatever thread has died.
extern "C" fn save_last() {
    // Whoever holds the lock may be this very thread, and will never let go of it.
    let last = LAST.try_lock().ok().and_then(|mut last| last.take());
    if let Some(last) = last {
        note(save(&last, Path::new(".")));
    }
}

/// Saves a state into a folder; says where it lies, or why it does not.
pub(crate) fn save(state: &Snapshot, folder: &Path) -> String {
    let path = free_path(folder, &stem_of(&state.title), Snapshot::EXTENSION);
    match state.write(&path) {
        Ok(()) => format!("saved the world of step {} as {}", state.steps, path.display()),
        Err(error) => format!("the world could not be saved: {error}"),
    }
}
