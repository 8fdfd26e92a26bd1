//! Tells the program which commit it was built from: a profile names it.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=.git/HEAD");
    println!("cargo:rerun-if-changed=.git/logs/HEAD");
    let described = Command::new("git").args(["describe", "--always", "--dirty", "--abbrev=12"]).output();
    let commit = described.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    let commit = commit.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| "unknown".into());
    println!("cargo:rustc-env=BALLPIT_COMMIT={}", commit.trim());
}
