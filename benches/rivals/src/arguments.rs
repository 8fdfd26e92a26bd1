//! The arguments.

use clap::Parser;

/// How a race is run.
#[derive(Parser, Debug)]
#[command(name = "rivals", about = "ballpit's engines beside Box2D and Rapier2D: the same balls, in turn, in one run")]
pub(crate) struct Arguments {
    /// Numbers of balls
    #[arg(short = 'n', long, value_name = "N,…", value_delimiter = ',', default_value = "10k", value_parser = count)]
    pub(crate) balls: Vec<usize>,
    /// Numbers of threads; the first is the one that a GPU's time is compared with
    #[arg(short, long, value_name = "N,…", value_delimiter = ',', default_value = "1,2", value_parser = clap::value_parser!(u32).range(1..=32))]
    pub(crate) threads: Vec<u32>,
    /// Turns that each engine is timed for, falling and settled each
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) turns: u32,
    /// Steps of a turn
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) steps: u32,
    /// Simulated time until the balls must have come to rest, s
    #[arg(long, value_name = "S", default_value_t = 12.0, value_parser = seconds)]
    pub(crate) settle: f32,
    /// Leave the GPU engine out
    #[arg(long)]
    pub(crate) no_gpu: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

/// Reads the program's arguments. On a mistake or `--help`, prints and ends the program.
pub(crate) fn parse() -> Arguments {
    Arguments::parse()
}

/// A number of balls: `500`, `10k`.
fn count(text: &str) -> Result<usize, String> {
    let (digits, unit) = text.strip_suffix('k').map_or((text, 1), |digits| (digits, 1_000));
    let balls = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    balls
        .filter(|balls| (100..=1_000_000).contains(balls))
        .ok_or_else(|| "it must be a number from 100 to 1000000, like 500 or 10k".into())
}

/// A simulated time, s.
fn seconds(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|seconds| (1.0..=600.0).contains(seconds));
    number.ok_or_else(|| "it must be a number of seconds from 1 to 600".into())
}
