//! ballpit's engines beside Box2D and Rapier2D: the same balls, in turn, in one run.
//!
//! Every engine gets the same world, once for each number of threads. They step in turn, a few steps at a time, so that
//! whatever else the machine does hits them alike; first while the balls fall, then when they have come to rest. Overlaps
//! are measured by one function for all.

mod arguments;
mod contestant;
mod machine;
mod quality;
mod race;
mod report;
mod workload;

use std::error::Error;
use std::process::ExitCode;

use arguments::Arguments;
use ballpit::Gpu;
use machine::Machine;
use report::{Report, Row};

/// What this program answers with; its errors are read by people only.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    match run(&arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    machine::check_build()?;
    let gpu = if arguments.no_gpu { None } else { Some(open_gpu()?) };
    let machine = Machine::now(gpu.as_ref())?;
    let mut rows: Vec<Row> = Vec::new();
    for &balls in &arguments.balls {
        rows.extend(race::run(balls, arguments, gpu.as_ref())?);
    }
    Report { machine, rows }.print(arguments.json)
}

fn open_gpu() -> Result<Gpu> {
    Gpu::open().map_err(|error| format!("the GPU engine can't run; leave it out with --no-gpu. {error}").into())
}
