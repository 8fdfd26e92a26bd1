//! Whether the computer has the memory that a world takes, asked before it is taken: a program that is refused some on the
//! way is ended by Rust, without a word of what would help.

use std::hint::black_box;

use crate::{Error, Result};

/// Bytes that a ball takes while a world is made, and in the copy of it that an engine takes.
pub(crate) const OF_A_WORLD: usize = 300;
/// Bytes that a ball takes in a CPU engine, and in what is read back and measured.
pub(crate) const OF_A_CPU_ENGINE: usize = 400;
/// Bytes that a ball takes in what is read back from a device, and measured.
pub(crate) const OF_A_COPY: usize = 250;
/// What balls that rub take beside in either, for what they remember.
const OF_RUBBING: usize = 400;
/// Addresses that a thread's own heap takes at most beside, as glibc has it; they are no memory until they are used.
const OF_A_THREAD: usize = 64 << 20;
/// No machine is asked for more of them, however many threads it runs.
const OF_ALL_THREADS: usize = 1 << 30;
/// Balls that nobody asks about: so many fit wherever the program itself does.
const FEW: usize = 100_000;

/// Bytes that a ball takes, if it takes `bytes` where nothing rubs.
pub(crate) fn of_a_ball(bytes: usize, rubs: bool) -> usize {
    bytes + if rubs { OF_RUBBING } else { 0 }
}

/// Refuses so many balls of so many bytes each where the system says that it does not have them.
///
/// # Errors
/// [`Error::Memory`].
pub(crate) fn refuse_beyond_memory(balls: usize, bytes: usize) -> Result<()> {
    let bytes = balls.saturating_mul(bytes);
    if balls <= FEW || (available().is_none_or(|available| bytes <= available) && is_granted(bytes)) {
        return Ok(());
    }
    Err(Error::Memory { balls, gigabytes: bytes as f64 * 1e-9 })
}

/// Whether the system promises so many bytes, beside those of the threads. It may promise more than it has, but nothing
/// above a limit of the process. They are given back untouched.
fn is_granted(bytes: usize) -> bool {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut probe: Vec<u8> = Vec::new();
    let of_threads = (threads * OF_A_THREAD).min(OF_ALL_THREADS);
    let granted = probe.try_reserve_exact(bytes.saturating_add(of_threads)).is_ok();
    // Unlooked at, it would not be asked for at all.
    black_box(&probe);
    granted
}

/// Bytes that can be had without taking them from others; `None` where the system does not tell.
fn available() -> Option<usize> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kib = |name: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse::<usize>().ok()
    };
    Some((kib("MemAvailable")? + kib("SwapFree")?) << 10)
}
