//! Whether the computer has the memory that a world takes, asked before it is taken: a program that is refused some on the
//! way is ended by Rust, without a word of what would help.

use std::fs;
use std::hint::black_box;
use std::path::Path;

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
    [free(), left_by_groups()].into_iter().flatten().min()
}

/// What Linux says that programs may take without swapping.
fn free() -> Option<usize> {
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    let kib = |name: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse::<usize>().ok()
    };
    Some((kib("MemAvailable")? + kib("SwapFree")?) << 10)
}

/// What the control groups that the process is in leave of their limits: of the second kind, which containers have.
fn left_by_groups() -> Option<usize> {
    let told = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = told.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let root = Path::new("/sys/fs/cgroup");
    root.join(path).ancestors().take_while(|folder| folder.starts_with(root)).filter_map(left_by_group).min()
}

/// What one of them leaves; `None` without a limit.
fn left_by_group(folder: &Path) -> Option<usize> {
    let told = |file| fs::read_to_string(folder.join(file)).ok();
    let bytes = |text: &str| text.trim().parse::<usize>().ok();
    let (limit, used) = (bytes(&told("memory.max")?)?, bytes(&told("memory.current")?)?);
    // Files that lie in memory only to be read again count as used.
    let given_up = told("memory.stat")?.lines().find_map(|line| bytes(line.strip_prefix("inactive_file ")?));
    Some(limit.saturating_sub(used.saturating_sub(given_up.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_group_leaves_what_its_limit_is_above_what_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
        assert_eq!(left_by_group(folder.path()), None, "it says nothing");
        write("memory.current", "700\n");
        write("memory.stat", "anon 400\ninactive_file 200\nactive_file 100\n");
        write("memory.max", "max\n");
        assert_eq!(left_by_group(folder.path()), None, "it has no limit");
        write("memory.max", "1000\n");
        assert_eq!(left_by_group(folder.path()), Some(500));
        write("memory.max", "300\n");
        assert_eq!(left_by_group(folder.path()), Some(0));
    }
}
