//! The program `ballpit`: parse, run, print one error, exit code.

mod app;
mod cli;
mod colours;
mod console;
mod csv;
mod engines;
mod headless;
mod launch;
mod look;
mod numbers;
mod uploads;

use std::process::ExitCode;

use ballpit::Error;
use cli::Request;
use console::note;
use headless::Stop;
use launch::Launch;

fn main() -> ExitCode {
    match run(cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => stop.report(),
    }
}

fn run(request: Request) -> Result<(), Stop> {
    match request {
        Request::Window(launch) => window(launch),
        Request::Simulate(launch, options) => headless::simulate(&launch, &options),
        Request::Compare(launch, options) => headless::compare(&launch, &options),
        Request::Profile(launch, options) => headless::profile(&launch, &options),
        Request::Scenes => headless::scenes(),
    }
}

/// Opens the window; where there is no display, runs the same world without one.
fn window(launch: Launch) -> Result<(), Stop> {
    launch.check_arithmetic()?;
    // A wrong scene is reported as such, display or not.
    launch.settings(&launch.scene().map_err(|error| hint_at_command(error, &launch))?)?;
    match app::run(launch.clone()) {
        Err(Error::NoDisplay { reason }) => {
            let seconds = headless::DEFAULT_SECONDS;
            note(format_args!("there is no display ({reason}); simulating {seconds} s without a window instead"));
            headless::simulate(&launch, &headless::SimulateOptions::default())
        }
        done => Ok(done?),
    }
}

/// A word without a command is a scene; an unknown one may be a command with a slip in it.
fn hint_at_command(error: Error, launch: &Launch) -> Error {
    match (error, launch.scene.as_deref().and_then(cli::slip_of_a_command)) {
        (Error::Scene { place, message }, Some(command)) => {
            Error::Scene { place, message: format!("{message}; or did you mean the command `ballpit {command}`?") }
        }
        (error, _) => error,
    }
}
