//! Raw arguments → what to run. What a value means on its own is checked here; what it means to a scene, by the library.

mod mistake;
mod values;

use std::path::{Path, PathBuf};

use ballpit::{Arithmetic, Settings, Solver, StageOrder};
use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::headless::{CompareOptions, ProfileOptions, SimulateOptions};
use crate::launch::{EngineChoice, Launch};

/// What the arguments ask for.
pub(crate) enum Request {
    /// The window.
    Window(Launch),
    /// A run without a window.
    Simulate(Launch, SimulateOptions),
    /// Both engines, step by step.
    Compare(Launch, CompareOptions),
    /// The time of each stage.
    Profile(Launch, ProfileOptions),
    /// The list of scenes.
    Scenes,
}

/// Reads the program's arguments. On a mistake, `--help` or `--version`, prints and ends the program.
pub(crate) fn parse() -> Request {
    let cli = Cli::try_parse().unwrap_or_else(|error| mistake::report(&error));
    match cli.command.unwrap_or(Command::Run { world: cli.world }) {
        Command::Run { world } => Request::Window(world.launch()),
        Command::Simulate { world, options } => Request::Simulate(world.launch(), options),
        Command::Compare { balls, scene, options } => Request::Compare(scene.launch(balls, EngineChoice::Gpu), options),
        Command::Profile { scene, options } => Request::Profile(scene.launch(None, EngineChoice::Auto), options),
        Command::Scenes => Request::Scenes,
    }
}

#[derive(Parser)]
#[command(
    name = "ballpit",
    version,
    args_conflicts_with_subcommands = true,
    about = "A sandbox for very many balls, on the GPU or the CPU",
    long_about = "A sandbox for very many balls, on the GPU or the CPU.\n\nWithout a command it opens the window.",
    after_help = "\
Examples:
  ballpit                              the window with the default pile
  ballpit impulse                      the scene of the seventy balls
  ballpit --balls 100k --engine gpu    a larger pile, on the GPU
  ballpit simulate gas --seconds 10    without a window
  ballpit COMMAND --help               all about a command

Exit codes: 0 done, 1 failed, 2 wrong arguments or scene, 130 interrupted."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    world: WorldArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Open the window (what `ballpit` does without a command)
    #[command(after_help = "\
Examples:
  ballpit run
  ballpit run impulse --rate 30
  ballpit run my-scene.toml --seed 7
  ballpit run impulse --record my.recording
  ballpit run --replay my.recording")]
    Run {
        #[command(flatten)]
        world: WorldArgs,
    },
    /// Run a scene without a window, and measure it
    #[command(after_help = "\
Each line: simulated time, place (x, y; y grows downward) and velocity of ball 0, contacts resolved, deepest overlap, deepest below the floor, fastest ball. With the sequential solver, contacts are the pairs that it has answered since the line before, and the depth below the floor is that of any step since.

--json prints one object on standard output and nothing else. Its keys carry their unit. `contacts_resolved` \
counts the contacts that the last pass answered (of the sequential solver: those of the last line), `wander_px` is the median over the balls of the diagonal of the \
box that a ball stayed in during the last 2 s, and `state_hash` is FNV-1a over places, velocities and, where balls turn, spins and angles by id.

Step times: on the CPU every step is timed by itself; on the GPU up to 32 steps are sent at once, waited for and \
their time divided. Reading the state back and measuring it are not counted.

Examples:
  ballpit simulate pile --seconds 10
  ballpit simulate gas --balls 2000 --seconds 5 --every 0.5 --engine cpu
  ballpit simulate court --seconds 10 --stages bck
  ballpit simulate impulse --seconds 5 --json --out state.csv --png picture.png
  ballpit simulate pile --seconds 60 --out heap.ballpit    then: ballpit heap.ballpit
  ballpit simulate pile --frames film --fps 60 --size 1080x1080
  ballpit simulate --replay my.recording --engine gpu")]
    Simulate {
        #[command(flatten)]
        world: WorldArgs,
        #[command(flatten)]
        options: SimulateOptions,
    },
    /// Run both engines step by step; succeed only if they agree
    #[command(after_help = "\
Where the adapter passes the self-test, whole runs are compared to the last bit. Where it does not, each stage is \
given the same input on both engines and compared by itself. A difference ends the run with exit code 1 and the \
step, stage, ball and both values.

Examples:
  ballpit compare pile --balls 5000 --steps 600
  ballpit compare impulse --steps 600 --by-stage
  ballpit compare impulse --steps 600 --nudge 3    must fail: proves that it can")]
    Compare {
        /// Balls, instead of the scene's own number: 70, 20_000, 10k, 1M
        #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, value_parser = values::count)]
        balls: Option<usize>,
        #[command(flatten)]
        scene: SceneArgs,
        #[command(flatten)]
        options: CompareOptions,
    },
    /// Measure the time of each stage of a step
    #[command(after_help = "\
For each number of balls and each engine: median, 10th and 95th percentile of every stage (\"n/a\" where the device \
has no timestamps; the passes of a step add up) and of a whole step, in ms. A stage's time is taken on the device, \
a step's on the wall clock, in runs of their own: timing the stages slows a step down.

Examples:
  ballpit profile
  ballpit profile pile --balls 1k,10k --engine cpu,gpu --steps 200
  ballpit profile --balls 1M --engine gpu --csv > times.csv
  ballpit profile --balls 10k --trace trace.json      for ui.perfetto.dev")]
    Profile {
        #[command(flatten)]
        scene: SceneArgs,
        #[command(flatten)]
        options: ProfileOptions,
    },
    /// List the scenes that come with the program
    Scenes,
}

/// Most steps a second, and most passes a step.
const RATES: u64 = Settings::MOST_RATE_HZ as u64;
const PASSES: u64 = Settings::MOST_PASSES as u64;

/// A scene and how to step it.
#[derive(Args)]
struct SceneArgs {
    /// A scene's name (see `ballpit scenes`), a TOML file, or a saved world [default: pile]
    scene: Option<PathBuf>,
    /// Seed of the scene's random places, instead of its own
    #[arg(short, long, value_name = "S", allow_negative_numbers = true, value_parser = whole::<u64, 0, { u64::MAX }>)]
    seed: Option<u64>,
    /// Steps per simulated second, 1 to 10000, instead of the scene's own
    #[arg(short, long, value_name = "HZ", allow_negative_numbers = true, value_parser = whole::<u32, 1, RATES>)]
    rate: Option<u32>,
    /// Contact passes per step, 1 to 64, instead of the scene's own; fewer are faster and softer
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32, 1, PASSES>)]
    passes: Option<u32>,
    /// Let friction turn balls, whatever the scene says
    #[arg(long)]
    rotation: bool,
    /// Who answers contacts, instead of the scene's own [jacobi if it says nothing]: sequential is the textbook's solver, CPU engine only, at most 5000 balls
    #[arg(long, value_parser = values::solver())]
    solver: Option<Solver>,
    /// Order of the sequential solver's stages: k kinematics, c contacts, b border, s sleep; kcb is the right one
    #[arg(long, value_name = "ORDER")]
    stages: Option<StageOrder>,
    /// Let balls that rest for a second fall asleep until they are hit: they then cost next to nothing
    #[arg(long)]
    sleep: bool,
    /// How the GPU engine computes: exact gives the CPU engine's bits, plain lets its compiler fuse
    #[arg(long, default_value = "exact", value_parser = values::arithmetic())]
    arithmetic: Arithmetic,
}

/// A scene, how many balls, and on which engine.
#[derive(Args)]
struct WorldArgs {
    /// Balls, instead of the scene's own number: 70, 20_000, 10k, 1M
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true, value_parser = values::count)]
    balls: Option<usize>,
    /// Where to compute
    #[arg(short, long, value_enum, default_value_t = EngineChoice::Auto)]
    engine: EngineChoice,
    #[command(flatten)]
    scene: SceneArgs,
    /// Write the start and everything that is done to the world, to be played again with --replay
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Play a recording in a scene's place, and check that it ends in the state that was recorded
    #[arg(long, value_name = "FILE", conflicts_with_all = REPLAYED, conflicts_with = "record")]
    replay: Option<PathBuf>,
}

/// What a recording says itself.
const REPLAYED: [&str; 9] = ["scene", "balls", "seed", "rate", "passes", "rotation", "solver", "stages", "sleep"];

impl WorldArgs {
    fn launch(self) -> Launch {
        let Self { balls, engine, scene, record, replay } = self;
        Launch { record, replay, ..scene.launch(balls, engine) }
    }
}

impl SceneArgs {
    fn launch(self, balls: Option<usize>, engine: EngineChoice) -> Launch {
        let Self { scene, seed, rate: rate_hz, passes, rotation, solver, stages, sleep, arithmetic } = self;
        let launch = Launch { scene, balls, seed, rate_hz, passes, rotation, solver, stages, ..Launch::default() };
        Launch { sleep, engine, arithmetic, ..launch }
    }
}

/// The command that a scene's name may be a slip of: `simulat`.
pub(crate) fn slip_of_a_command(scene: &Path) -> Option<String> {
    let name = scene.to_str()?;
    let commands = Cli::command();
    let found =
        commands.get_subcommands().map(|command| command.get_name()).find(|known| mistake::is_slip(name, known));
    found.map(str::to_owned)
}

pub(crate) use values::{colour_map, count, direction, picture_size, seconds, whole};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_scene_needs_no_command() {
        let cli = Cli::try_parse_from(["ballpit", "impulse", "--balls", "10k"]).unwrap();
        assert!(cli.command.is_none());
        assert_eq!((cli.world.scene.scene.as_deref(), cli.world.balls), (Some(Path::new("impulse")), Some(10_000)));
        let cli = Cli::try_parse_from(["ballpit", "run", "impulse"]).unwrap();
        assert!(
            matches!(cli.command, Some(Command::Run { world }) if world.scene.scene.as_deref() == Some(Path::new("impulse")))
        );
    }
}
