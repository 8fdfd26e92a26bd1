//! The window: the event loop, from which everything else is called.
//!
//! With `BALLPIT_SECONDS=10` in the environment the window closes after ten seconds and prints how many frames and steps
//! a second it made, to measure with.

use std::time::{Duration, Instant};

use ballpit::{Error, Result};
use winit::application::ApplicationHandler;
use winit::error::EventLoopError;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::WindowId;

use crate::launch::Launch;
use live::{Live, Next};

mod card;
mod counters;
mod cursor;
mod exit;
mod eye;
mod film;
mod helm;
mod help;
mod input;
mod keys;
mod legend;
mod live;
mod names;
mod open;
mod overlay;
mod panel;
mod path_field;
mod plots;
mod readout;
mod sandbox;
mod screenshot;
mod tally;
mod tape;
mod theme;
mod times;
mod tools;
mod window;

/// Opens the window and runs the world until the window is closed.
///
/// # Errors
/// [`Error::NoDisplay`] without a window system, [`Error::NoAdapter`] without anything to draw with, and whatever keeps
/// the scene from being built.
pub(crate) fn run(launch: Launch) -> Result<()> {
    let event_loop = EventLoop::new().map_err(no_display)?;
    let mut app = App {
        launch: Some(launch),
        live: None,
        outcome: Ok(()),
        is_over: false,
        limit: seconds_asked_for(),
        opened: None,
    };
    let ended = event_loop.run_app(&mut app);
    app.report();
    let was_open = app.opened.is_some();
    app.outcome.and(ended.map_err(|error| if was_open { display_gone(error) } else { no_display(error) }))
}

fn seconds_asked_for() -> Option<Duration> {
    let seconds: f64 = std::env::var("BALLPIT_SECONDS").ok()?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn no_display(error: EventLoopError) -> Error {
    Error::NoDisplay { reason: reason_of(error) }
}

/// What ends the event loop under an open window, as a Wayland compositor that dies: no reason to begin anew without one.
fn display_gone(error: EventLoopError) -> Error {
    Error::DisplayGone { reason: reason_of(error) }
}

fn reason_of(error: EventLoopError) -> String {
    if let EventLoopError::ExitFailure(code) = error {
        // The system's number of what went wrong on the connection.
        return std::io::Error::from_raw_os_error(code).to_string();
    }
    // The system's errors begin with the place in winit's source that met them.
    let text = error.to_string();
    text.rsplit(": ").next().unwrap_or(&text).trim_end_matches('.').to_owned()
}

struct App {
    /// What to run, until the window opens.
    launch: Option<Launch>,
    live: Option<Live>,
    outcome: Result<()>,
    /// Whether the window is to close: whatever else ends the event loop takes the window away.
    is_over: bool,
    /// How long the window stays open at most.
    limit: Option<Duration>,
    opened: Option<Instant>,
}

impl App {
    fn go_on(&mut self, event_loop: &ActiveEventLoop, next: Result<Next>) {
        let over = self.limit.zip(self.opened).is_some_and(|(limit, opened)| opened.elapsed() >= limit);
        let Some(live) = &self.live else { return };
        match next {
            Ok(_) if over => self.end(event_loop),
            Ok(Next::Draw) => {
                event_loop.set_control_flow(ControlFlow::Wait);
                live.request_redraw();
            }
            Ok(Next::Wait(time)) => event_loop.set_control_flow(ControlFlow::wait_duration(time)),
            Ok(Next::Quit) => self.end(event_loop),
            Err(error) => {
                self.outcome = Err(error);
                self.end(event_loop);
            }
        }
    }

    fn end(&mut self, event_loop: &ActiveEventLoop) {
        self.is_over = true;
        event_loop.exit();
    }

    fn report(&self) {
        let (Some(live), Some(opened), Some(_)) = (&self.live, self.opened, self.limit) else { return };
        let ((frames, steps), seconds) = (live.counts(), opened.elapsed().as_secs_f64());
        let rate = |count: u64| count as f64 / seconds;
        eprintln!("{seconds:.1} s: {:.1} frames a second, {:.1} steps a second", rate(frames), rate(steps));
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        // Desktops resume once; a second time the window is open already.
        let Some(launch) = self.launch.take() else { return };
        match Live::open(event_loop, launch) {
            Ok(live) => {
                live.request_redraw();
                (self.live, self.opened) = (Some(live), Some(Instant::now()));
            }
            Err(error) => {
                self.outcome = Err(error);
                self.end(event_loop);
            }
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if let (StartCause::ResumeTimeReached { .. }, Some(live)) = (cause, &self.live) {
            live.request_redraw();
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(live) = &mut self.live {
            live.close(self.outcome.is_err() || !self.is_over);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if let Some(live) = &mut self.live {
            let next = live.event(&event);
            self.go_on(event_loop, next);
        }
    }
}
