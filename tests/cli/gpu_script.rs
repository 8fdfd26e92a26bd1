//! The script that asks a GPU everything in one call, on whatever adapter there is.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::*;

fn script(arguments: &[&str]) -> Command {
    let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/gpu.sh"));
    command.args(arguments);
    command
}

/// Runs it with few balls; its exit code, its folder and its summary.
fn ask(program: &Path, out: &Path) -> (i32, PathBuf, String) {
    let (out, program) = (out.to_str().unwrap(), program.to_str().unwrap());
    let (code, stdout, stderr) = run(script(&["--quick", "--commit", "0123abc", "--out", out, program]));
    let folder = PathBuf::from(stdout.lines().last().unwrap_or_else(|| panic!("it says nothing: {stderr}")));
    let summary = fs::read_to_string(folder.join("summary.md")).expect("it writes a summary");
    assert!(stdout.starts_with(&summary), "the summary is printed");
    (code, folder, summary)
}

/// The parts of the summary whose result begins with `result`.
fn parts<'a>(summary: &'a str, result: &str) -> Vec<&'a str> {
    let rows = summary.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    rows.filter(|(_, found)| found.starts_with(result)).map(|(part, _)| part).collect()
}

#[test]
fn the_script_asks_a_gpu_everything() {
    if !has_adapter() {
        return;
    }
    let out = tempfile::tempdir().unwrap();
    let (code, folder, summary) = ask(cargo_bin!("ballpit"), out.path());
    assert_eq!(code, 0, "{summary}");
    assert_eq!(parts(&summary, "done").len(), 9, "{summary}");
    assert!(
        summary.contains("commit: 0123abc") && summary.contains("self-test, exact arithmetic: bit-exact"),
        "{summary}"
    );
    for row in ["| 1k | exact | ", "| 5k | exact | ", "| 1k | plain | ", "| 5k | plain | "] {
        let line =
            summary.lines().find_map(|line| line.strip_prefix(row)).unwrap_or_else(|| panic!("{row}: {summary}"));
        let median: f64 = line.split(' ').next().unwrap().parse().expect("a time");
        assert!(median > 0.0, "{row}{line}");
    }
    assert!(fs::read(folder.join("pile.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_gpu_that_disagrees_fails_its_parts_and_the_others_are_asked() {
    if !has_adapter() {
        return;
    }
    let out = tempfile::tempdir().unwrap();
    let program = out.path().join("nudged");
    let ballpit = cargo_bin!("ballpit");
    let text = format!("#!/bin/sh\n[ $1 = compare ] && set -- \"$@\" --nudge 3\nexec '{}' \"$@\"\n", ballpit.display());
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let (code, _, summary) = ask(&program, out.path());
    assert_eq!(code, 1, "{summary}");
    let compared = ["compare-pile-exact", "compare-million-exact", "compare-pile-plain", "compare-million-plain"];
    assert_eq!(parts(&summary, "FAILED with exit code 1"), compared, "{summary}");
    assert_eq!(parts(&summary, "done").len(), 5, "{summary}");
}

#[test]
fn the_script_says_what_is_missing() {
    let message = fail(script(&["--quick", "/nonexistent/ballpit"]), 2);
    assert!(message.contains("/nonexistent/ballpit is no program; build it with cargo build --release"), "{message}");
    let (code, _, usage) = run(script(&["--slow"]));
    assert!(code == 2 && usage.contains("benches/gpu.sh [--quick]") && usage.contains("Exit codes"), "{code}: {usage}");
    let mut without_gpu = script(&["--quick", cargo_bin!("ballpit").to_str().unwrap()]);
    without_gpu.env("VK_ICD_FILENAMES", "/nonexistent").env("VK_DRIVER_FILES", "/nonexistent");
    let (code, _, message) = run(without_gpu);
    assert!(code == 2 && message.contains("the GPU engine does not run"), "{code}: {message}");
}
