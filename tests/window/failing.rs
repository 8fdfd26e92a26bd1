//! A display that is resized without end, covered, and taken away.

use std::thread::sleep;
use std::time::{Duration, Instant};

use ballpit::Snapshot;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConfigureWindowAux, ConnectionExt, CreateWindowAux, StackMode, WindowClass};

use crate::desktop::{Desktop, Start, with_window};
use crate::time::TO_AND_FRO;

/// Gives the window another size, pixels.
fn resize(desktop: &Desktop, (width, height): (u32, u32)) {
    let size = ConfigureWindowAux::new().width(width).height(height);
    desktop.connection.configure_window(desktop.id, &size).unwrap();
    desktop.connection.flush().unwrap();
}

#[test]
fn five_hundred_sizes_in_five_seconds_and_back() {
    with_window(&Start::File(TO_AND_FRO), |desktop| {
        let size = (desktop.size.0 as u32, desktop.size.1 as u32);
        let before = desktop.saved().steps;
        let begun = Instant::now();
        for k in 0..500u32 {
            // Down to a pixel, which is as small as a display lets it be.
            let small = (1 + k * 37 % size.0, 1 + k * 53 % size.1);
            resize(desktop, if k % 50 == 0 { (1, 1) } else { small });
            sleep((begun + Duration::from_millis(10) * k).saturating_duration_since(Instant::now()));
        }
        resize(desktop, size);
        desktop.wait("the whole window again", || (desktop.mode_text() > 300).then_some(()));
        desktop.wait("the ball", || (desktop.ball().0 > 0).then_some(()));
        let after = desktop.saved_until("more steps", |saved| saved.steps > before);
        assert_eq!(after.world.lost_ball(), None);
    });
}

/// Time that the window's process has had of all processors, s.
fn processor_s(desktop: &Desktop) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", desktop.window.0.id())).unwrap();
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
        let (steps, used) = (desktop.saved().steps, processor_s(desktop));
        sleep(Duration::from_secs(10));
        let used = processor_s(desktop) - used;
        assert!(used < 1.0, "{used} s of processor time in 10 s");
        connection.destroy_window(cover).unwrap();
        connection.flush().unwrap();
        let seen = Instant::now();
        let after = desktop.saved_until("steps again", |saved| saved.steps > steps);
        let most = 120.0 * (seen.elapsed().as_secs_f64() + 1.0);
        assert!(((after.steps - steps) as f64) < most, "{} steps, of {most} at most", after.steps - steps);
    });
}

#[test]
fn a_display_server_that_is_killed_ends_it_at_once_and_leaves_what_was_saved() {
    with_window(&Start::File(TO_AND_FRO), |desktop| {
        desktop.saved_until("a second of steps", |saved| saved.steps > 120);
        desktop.key("ctrl+s");
        let path = desktop.wait("a saved world", || desktop.files("ballpit").pop());
        let (code, text) = desktop.killed_under_it();
        assert_eq!(code, Some(1), "{text}");
        // Xlib says it in one of two ways.
        let is_said = text.contains("X server") || text.contains("X connection");
        assert!(is_said && !text.contains("panicked"), "{text}");
        assert!(Snapshot::read(path).unwrap().steps > 120);
    });
}
