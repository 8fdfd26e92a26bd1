//! What the race is run on, and how it was built.

use std::fmt;
use std::fs;

use ballpit::Gpu;
use serde::Serialize;

use crate::Result;
use crate::contestant::box2d;

/// The machine, as it was when the race began.
#[derive(Serialize)]
pub(crate) struct Machine {
    processor: String,
    /// Threads that it runs at once.
    threads: usize,
    /// Programs that wanted to run, averaged over the last minute: above 0, others take part of the machine.
    load: Option<f64>,
    gpu: Option<String>,
    /// Instruction set that Rapier and the rest of the Rust code were built for.
    rust_built_for: &'static str,
    box2d: String,
}

impl Machine {
    /// # Errors
    /// If Box2D does not tell its version.
    pub(crate) fn now(gpu: Option<&Gpu>) -> Result<Self> {
        Ok(Self {
            processor: processor().unwrap_or_else(|| std::env::consts::ARCH.into()),
            threads: std::thread::available_parallelism().map_or(1, Into::into),
            load: load(),
            gpu: gpu.map(Gpu::describe),
            rust_built_for: instructions(),
            box2d: box2d::version()?,
        })
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}, {} threads, load {}", self.processor, self.threads, or_none(self.load))?;
        writeln!(f, "GPU: {}", self.gpu.as_deref().unwrap_or("left out"))?;
        write!(f, "Box2D {} with AVX2; Rust built for {}", self.box2d, self.rust_built_for)
    }
}

fn or_none(figure: Option<f64>) -> String {
    figure.map_or("n/a".into(), |figure| format!("{figure:.1}"))
}

/// Refuses a build that would be unfair to a rival.
///
/// # Errors
/// If Box2D was built with its assertions.
pub(crate) fn check_build() -> Result<()> {
    if option_env!("CFLAGS").is_some_and(|flags| flags.contains("-DNDEBUG")) && !cfg!(debug_assertions) {
        return Ok(());
    }
    Err("Box2D was built with its assertions, which cost it time: run `cargo run --release` in benches/rivals, whose \
         .cargo/config.toml leaves them out"
        .into())
}

fn instructions() -> &'static str {
    if cfg!(target_feature = "avx512f") {
        "AVX-512"
    } else if cfg!(target_feature = "avx2") {
        "AVX2"
    } else {
        "the target's baseline"
    }
}

/// The processor's name, where Linux tells it.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().into())
}

fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// Time that all threads of this program have run on a processor, ms, where Linux tells it. Unlike time on the wall, it
/// holds nothing of what other programs do.
pub(crate) fn processor_ms() -> Option<f64> {
    let of_thread = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    };
    // The kernel books a thread's time when it leaves the processor, and this one is on it.
    std::thread::yield_now();
    let ns: u64 = fs::read_dir("/proc/self/task").ok()?.flatten().filter_map(of_thread).sum();
    (ns > 0).then_some(ns as f64 / 1e6)
}
