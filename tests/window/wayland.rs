//! The window under a Wayland compositor without a screen, which is killed under it.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{fs, path::Path};

use ballpit::Snapshot;

use crate::desktop::{Owned, PATIENCE, is_installed, skip};

/// Waits until `ready`, or fails.
fn wait(what: &str, mut ready: impl FnMut() -> bool) {
    let start = Instant::now();
    while !ready() {
        assert!(start.elapsed() < 3 * PATIENCE, "{what} does not come");
        sleep(Duration::from_millis(50));
    }
}

/// Time for which a process has computed, in hundredths of a second.
fn computed(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Behind the name, which may hold blanks, the twelfth and the thirteenth field.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.filter_map(|field| field.parse::<u64>().ok()).sum()
}

fn compositor(folder: &Path) -> Owned {
    let mut command = Command::new("weston");
    command.args(["--backend=headless-backend.so", "--socket=ballpit-test", "--width=1280", "--height=800"]);
    command.env("XDG_RUNTIME_DIR", folder).stdout(Stdio::null()).stderr(Stdio::null());
    Owned(command.spawn().unwrap())
}

#[test]
fn a_wayland_compositor_that_is_killed_ends_it_and_the_world_is_saved() {
    if !is_installed("weston") {
        return skip("weston");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let mut weston = compositor(folder.path());
    wait("the compositor", || folder.path().join("ballpit-test").exists());
    let mut command = Command::new(env!("CARGO_BIN_EXE_ballpit"));
    command.arg("impulse").current_dir(folder.path()).env("XDG_RUNTIME_DIR", folder.path());
    command.env("WAYLAND_DISPLAY", "ballpit-test").env_remove("DISPLAY").env("BALLPIT_SECONDS", "240");
    let mut window = Owned(command.stderr(Stdio::piped()).spawn().unwrap());
    // It has come to draw once it has computed for some seconds.
    wait("a frame", || computed(window.0.id()) > 500 || window.0.try_wait().unwrap().is_some());

    weston.0.kill().unwrap();
    wait("the window's end", || window.0.try_wait().unwrap().is_some());
    let mut text = String::new();
    window.0.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(window.0.wait().unwrap().code(), Some(1), "{text}");
    assert!(text.contains("the display is gone") && !text.contains("panicked"), "{text}");
    let saved = Snapshot::read(folder.path().join("Impulse-1.ballpit")).expect("the last good state in a file");
    assert!(saved.steps > 0 && text.contains(&format!("saved the world of step {}", saved.steps)), "{text}");
}
