//! A machine that fails the program while it runs: a full disk, a folder that takes nothing, a power cut, no memory.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;

use super::{ballpit, fail, has_adapter, succeed};

/// The program started by a shell that first limits what it may have.
fn limited(limits: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")]).arg(cargo_bin!("ballpit")).args(arguments);
    command.env("XDG_RUNTIME_DIR", std::env::temp_dir());
    command
}

fn names(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("the folder can be listed").map(|entry| entry.expect("a name").path()).collect()
}

#[test]
fn a_disk_that_fills_up_leaves_the_old_file_and_says_so() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    // A file may have one block, of 512 or 1024 bytes; seventy balls take more, as a table and as a recording.
    let full = "trap '' XFSZ; ulimit -f 1";
    for (flag, name) in [("--out", "state.csv"), ("--record", "run.recording")] {
        let path = folder.path().join(name);
        fs::write(&path, "old").expect("a file");
        let simulate = [
            "simulate",
            "impulse",
            "--rate",
            "1000",
            "--seconds",
            "10",
            "--engine",
            "cpu",
            "--json",
            "--force",
            flag,
            path.to_str().expect("UTF-8"),
        ];
        let message = fail(limited(full, &simulate), 1);
        assert!(message.contains(name) && message.contains("File too large"), "{message}");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "old");
    }
    assert_eq!(names(folder.path()).len(), 2, "half a file is left");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_nothing_is_found_before_the_run() {
    // Nobody may make a file there, not even root.
    let started = Instant::now();
    for path in ["/proc/state.csv", "/sys/state.csv"] {
        let simulate = ["simulate", "pile", "--seconds", "100000", "--engine", "cpu", "--out", path];
        assert!(fail(ballpit(&simulate), 1).contains(&format!("{path}: ")));
    }
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_power_cut_in_the_middle_of_a_file_leaves_the_old_one() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("state.csv");
    fs::write(&path, "old").expect("a file");
    let simulate = ["simulate", "pile", "--balls", "200k", "--seconds", "0.01", "--engine", "cpu", "--json", "--force"];
    let mut child = ballpit(&[&simulate[..], &["--out", path.to_str().expect("UTF-8")]].concat())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    let is_under_way = || {
        let parts = names(folder.path()).into_iter().filter(|name| *name != path);
        parts.filter_map(|part| fs::metadata(part).ok()).any(|part| part.len() > 0)
    };
    let started = Instant::now();
    while !is_under_way() {
        assert!(started.elapsed() < Duration::from_secs(60), "no file is written");
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended before it was seen to write");
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let text = fs::read_to_string(&path).expect("it is there");
    assert!(text == "old" || text.lines().count() == 200_001, "{} bytes of neither", text.len());
    // The next run is not in its way.
    succeed(ballpit(&[
        "simulate",
        "impulse",
        "--seconds",
        "0.1",
        "--engine",
        "cpu",
        "--force",
        "--out",
        path.to_str().unwrap(),
    ]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_memory_is_said_and_not_a_crash() {
    if !has_adapter() {
        return;
    }
    // A software device takes its memory from the address space. With too little of it the world is refused; with more, the
    // device is the first to have none left.
    for kib in (1_300_000..=2_700_000).step_by(50_000) {
        let simulate = ["simulate", "pile", "--balls", "2M", "--seconds", "0.01", "--engine", "gpu"];
        let output = limited(&format!("ulimit -v {kib}"), &simulate).output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("the GPU device failed: ") {
            assert!(output.status.code() == Some(1) && said.contains("--engine cpu"), "{kib} KiB: {said}");
            return;
        }
        assert!(said.contains(" GB of memory, which the system does not give"), "{kib} KiB, {}: {said}", output.status);
    }
    panic!("the device has memory enough");
}

#[test]
fn ctrl_c_in_a_recording_leaves_no_half_of_a_file() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let recording = folder.path().join("run.recording");
    let simulate = ["simulate", "impulse", "--seconds", "100000", "--engine", "cpu", "--json", "--record"];
    let mut child =
        ballpit(&simulate).arg(&recording).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(1));
    let asked = Instant::now();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    assert_eq!(names(folder.path()), Vec::<PathBuf>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_on_a_terminal_leaves_it_as_it_was() {
    // `script` of util-linux is a terminal without a window; what is typed into it goes through the system's own keys.
    let typed =
        format!("{} simulate impulse --seconds 100000 --every 9000 --engine cpu", cargo_bin!("ballpit").display());
    let spawned = Command::new("script")
        .args(["--quiet", "--return", "--command", &typed, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut terminal) = spawned else {
        let _ = writeln!(std::io::stderr(), "skipped: no terminal can be had without `script` of util-linux");
        return;
    };
    let mut shown = terminal.stdout.take().expect("piped");
    let mut text = Vec::new();
    while !String::from_utf8_lossy(&text).contains(" steps, ") {
        let mut bytes = [0; 4096];
        let count = shown.read(&mut bytes).expect("it shows its progress");
        assert!(count > 0, "{}", String::from_utf8_lossy(&text));
        text.extend(&bytes[..count]);
    }
    let asked = Instant::now();
    terminal.stdin.as_mut().expect("piped").write_all(b"\x03").expect("Ctrl-C is typed");
    shown.read_to_end(&mut text).expect("it shows its end");
    assert_eq!(terminal.wait().expect("it ends").code(), Some(130));
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    let text = String::from_utf8(text).expect("it writes UTF-8");
    // The bar's line is cleared, the cursor is where it can be seen, and the screen is the one that it was.
    assert!(text.ends_with("\r\x1b[2Kballpit: interrupted\r\n"), "{:?}", &text[text.len().saturating_sub(200)..]);
    assert_eq!(text.matches("\x1b[?25l").count(), text.matches("\x1b[?25h").count());
    assert!(!text.contains("\x1b[?1049h"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_computer_without_memory_for_so_many_balls_is_said_and_not_a_crash() {
    // From less than the world takes to more than its engine does, MiB; the last holds all.
    let (mut refused, mut done) = (0, 0);
    for mib in [100, 200, 240, 280, 16_000] {
        let limits = format!("ulimit -v {}", mib << 10);
        let simulate = ["simulate", "million", "-n", "150k", "--engine", "cpu", "--seconds", "0.02"];
        let output = limited(&limits, &simulate).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => done += 1,
            Some(1) => {
                refused += 1;
                let is_told = said.contains("150000 balls need another 0.") && said.contains("ask for fewer (-n)");
                assert!(is_told && said.lines().count() == 1, "{mib} MiB: {said}");
            }
            code => panic!("{code:?} with {mib} MiB: {said}"),
        }
    }
    assert!(refused >= 2 && done >= 1, "{refused} were refused, {done} ran");
}
