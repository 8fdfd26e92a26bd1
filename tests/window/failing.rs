//! A window that is resized without end, covered, minimised, and taken away with its display.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use ballpit::{CpuEngine, Engine, Recording, Snapshot, state_hash};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ConfigureWindowAux, ConnectionExt, CreateWindowAux, PropMode, StackMode, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use crate::desktop::{Desktop, Start, with_window};
use crate::time::TO_AND_FRO;

#[test]
fn five_hundred_sizes_in_five_seconds_and_back() {
    with_window(&Start::File(TO_AND_FRO), |desktop| {
        let size = (desktop.size.0 as u32, desktop.size.1 as u32);
        let before = desktop.saved().steps;
        let begun = Instant::now();
        for k in 0..500u32 {
            // Down to a pixel, which is as small as a display lets it be.
            let small = (1 + k * 37 % size.0, 1 + k * 53 % size.1);
            desktop.resize(if k % 50 == 0 { (1, 1) } else { small });
            sleep((begun + Duration::from_millis(10) * k).saturating_duration_since(Instant::now()));
        }
        desktop.resize(size);
        desktop.wait("the whole window again", || (desktop.mode_text() > 300).then_some(()));
        desktop.wait("the ball", || (desktop.ball().0 > 0).then_some(()));
        let after = desktop.saved_until("more steps", |saved| saved.steps > before);
        assert_eq!(after.world.lost_ball(), None);
    });
}

/// Time that the window's process has had of all processors, s.
fn processor_s(desktop: &Desktop) -> f64 {
    let text = fs::read_to_string(format!("/proc/{}/stat", desktop.window.0.id())).unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks = |field: usize| fields[field].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / 100.0
}

#[test]
fn a_covered_window_rests_and_bursts_into_no_steps_when_it_is_seen_again() {
    with_window(&Start::File(TO_AND_FRO), |desktop| {
        let cover = desktop.connection.generate_id().unwrap();
        let depth = x11rb::COPY_DEPTH_FROM_PARENT;
        let aux = CreateWindowAux::new().override_redirect(1).background_pixel(0);
        let class = WindowClass::INPUT_OUTPUT;
        let connection = &desktop.connection;
        connection.create_window(depth, cover, desktop.root, 0, 0, 1280, 800, 0, class, 0, &aux).unwrap();
        connection.map_window(cover).unwrap();
        connection.configure_window(cover, &ConfigureWindowAux::new().stack_mode(StackMode::ABOVE)).unwrap();
        connection.flush().unwrap();
        sleep(Duration::from_secs(1));
        let before = desktop.saved().steps;
        rests(desktop);
        assert_eq!(desktop.saved().steps, before, "the world goes on unseen");
        connection.destroy_window(cover).unwrap();
        connection.flush().unwrap();
        bursts_into_no_steps(desktop, before, Instant::now());
    });
}

/// Sees to it that a window which nobody sees takes next to no processor time for ten seconds.
fn rests(desktop: &Desktop) {
    let before = processor_s(desktop);
    sleep(Duration::from_secs(10));
    let used = processor_s(desktop) - before;
    assert!(used < 1.0, "{used} s of processor time in 10 s");
}

/// Sees to it that the world goes on from the step it was at, and since a time no faster than time does.
fn bursts_into_no_steps(desktop: &Desktop, step: u64, since: Instant) {
    let after = desktop.saved_until("steps again", |saved| saved.steps > step);
    let (made, most) = (after.steps - step, 120.0 * (since.elapsed().as_secs_f64() + 1.0));
    assert!((made as f64) < most, "{made} steps, of {most} at most");
}

/// Does to the window what a window manager does to one that is minimised, or to one that comes back.
fn minimise(desktop: &Desktop, is_hidden: bool) {
    let Desktop { connection, id, .. } = desktop;
    let property = |name: &str, kind: u32, values: &[u32]| {
        connection.change_property32(PropMode::REPLACE, *id, desktop.atom(name), kind, values).unwrap();
    };
    let hidden = desktop.atom("_NET_WM_STATE_HIDDEN");
    property("_NET_WM_STATE", AtomEnum::ATOM.into(), if is_hidden { std::slice::from_ref(&hidden) } else { &[] });
    // Of the Inter-Client Communication Conventions Manual: 3 is iconic, 1 is normal; no icon's window.
    property("WM_STATE", desktop.atom("WM_STATE"), &[if is_hidden { 3 } else { 1 }, 0]);
    if is_hidden { connection.unmap_window(*id) } else { connection.map_window(*id) }.unwrap();
    connection.flush().unwrap();
}

#[test]
fn a_minimised_window_rests_and_bursts_into_no_steps_when_it_comes_back() {
    with_window(&Start::File(TO_AND_FRO), |desktop| {
        let before = desktop.saved_until("steps", |saved| saved.steps > 60).steps;
        minimise(desktop, true);
        sleep(Duration::from_secs(1));
        rests(desktop);
        let back = Instant::now();
        minimise(desktop, false);
        desktop.focus();
        // A second of steps was made before it was minimised, if that.
        bursts_into_no_steps(desktop, before, back - Duration::from_secs(1));
    });
}

#[test]
fn a_display_server_that_is_killed_ends_it_at_once_and_leaves_what_was_saved() {
    with_window(&Start::File(TO_AND_FRO), |desktop| {
        desktop.saved_until("a second of steps", |saved| saved.steps > 120);
        desktop.key("ctrl+s");
        let path = desktop.wait("a saved world", || desktop.files("ballpit").pop());
        let saved = Snapshot::read(&path).unwrap();
        // Long enough for another state to be kept.
        sleep(Duration::from_millis(1500));
        let (code, text) = desktop.killed_under_it();
        assert_eq!(code, Some(1), "{text}");
        // Xlib says it in one of two ways.
        let is_said = text.contains("X server") || text.contains("X connection");
        assert!(is_said && !text.contains("panicked"), "{text}");
        assert_eq!(Snapshot::read(&path).unwrap(), saved, "the saved world is as it was");

        let rescued =
            Snapshot::read(desktop.folder.path().join("Lone-2.ballpit")).expect("the last good state in a file");
        let told = format!("saved the world of step {} as ./Lone-2.ballpit", rescued.steps);
        assert!(text.contains(&told), "{text}");
        assert!(rescued.steps > saved.steps, "{} steps, and {} before", rescued.steps, saved.steps);
        // It is a state of this very run: what was saved comes to it, and both come to the same afterwards.
        let on = 120;
        let reached = went_on(&saved, rescued.steps - saved.steps + on);
        assert_eq!(went_on(&rescued, on), reached);
    });
}

/// The hash of what a saved world comes to after so many steps.
fn went_on(saved: &Snapshot, steps: u64) -> u64 {
    let mut engine = CpuEngine::new(saved.world.clone(), saved.settings.clone()).unwrap();
    engine.step(steps as u32, saved.settings.step_s()).unwrap();
    state_hash(&engine.world().unwrap())
}

#[test]
fn a_display_server_that_is_killed_leaves_what_was_recorded() {
    with_window(&Start::File(TO_AND_FRO), |desktop| {
        desktop.key("F9");
        let path = desktop.wait("a recording", || desktop.files("recording").pop());
        desktop.key("d");
        desktop.saved_until("other air", |saved| saved.world.drag_per_s == 3.0);
        let (_, text) = desktop.killed_under_it();
        assert!(fs::read_to_string(&path).unwrap().contains("\"retune\""), "{text}");
        Recording::read(&path).unwrap();
    });
}

#[test]
fn a_window_that_is_closed_saves_nothing_unasked() {
    with_window(&Start::File(TO_AND_FRO), |desktop| {
        desktop.saved_until("a second of steps", |saved| saved.steps > 120);
        desktop.key("Escape");
        let text = desktop.closed();
        assert!(!text.contains("saved"), "{text}");
        assert_eq!(desktop.files("ballpit"), Vec::<std::path::PathBuf>::new());
    });
}
