//! The invariants of ARCHITECTURE.md that can be read off the source.

use std::fs;
use std::path::{Path, PathBuf};

/// Every Rust file below `folder`, stripped of comments.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let inside = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().to_path_buf();
        if path.is_dir() {
            found.extend(sources(inside.to_str().unwrap()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
            found.push((inside, code.join("\n")));
        }
    }
    found
}

/// Files under `src` whose path starts with one of `places` and whose code, its tests aside, mentions `word`.
fn mentions(places: &[&str], word: &str) -> Vec<PathBuf> {
    let within =
        |path: &Path| places.iter().any(|place| path.starts_with(place) || path == Path::new(&format!("{place}.rs")));
    let files = sources("src")
        .into_iter()
        .filter(|(path, code)| within(path) && code.split("#[cfg(test)]").next().unwrap().contains(word));
    files.map(|(path, _)| path).collect()
}

fn nowhere(places: &[&str], words: &[&str]) {
    for word in words {
        assert_eq!(mentions(places, word), Vec::<PathBuf>::new(), "'{word}' must not be in {places:?}");
    }
}

const FOUNDATION: [&str; 8] =
    ["src/settings", "src/error", "src/body", "src/material", "src/surface", "src/world", "src/clock", "src/scene"];

#[test]
fn engines_do_not_know_each_other() {
    nowhere(&["src/cpu"], &["crate::gpu", "GpuEngine", "wgpu"]);
    nowhere(&["src/gpu"], &["crate::cpu", "CpuEngine"]);
}

#[test]
fn stages_and_the_step_know_no_gpu() {
    nowhere(&["src/stage", "src/step", "src/grid", "src/params", "src/exact"], &["wgpu", "crate::gpu", "crate::cpu"]);
}

#[test]
fn the_foundation_knows_no_engine() {
    nowhere(&FOUNDATION, &["wgpu", "crate::gpu", "crate::cpu", "crate::render", "crate::step"]);
}

#[test]
fn only_the_app_knows_the_window() {
    for word in ["winit::", "egui::", "egui_wgpu", "egui_winit"] {
        let files = mentions(&["src"], word);
        let outside: Vec<_> =
            files.iter().filter(|path| !path.starts_with("src/app") && *path != Path::new("src/app.rs")).collect();
        assert!(outside.is_empty(), "{word} in {outside:?}");
        assert!(!files.is_empty() || word == "egui_winit", "{word} is nowhere: the test looks for the wrong word");
    }
}

#[test]
fn the_library_never_prints() {
    let binary = ["src/main.rs", "src/cli", "src/headless", "src/app", "src/launch.rs"];
    for word in ["println!", "eprintln!", "print!(", "process::exit"] {
        let files = mentions(&["src"], word);
        let outside: Vec<_> = files
            .into_iter()
            .filter(|path| !binary.iter().any(|place| path.to_str().unwrap().starts_with(place)))
            .collect();
        assert_eq!(outside, Vec::<PathBuf>::new(), "{word}");
    }
}

#[test]
fn every_stage_has_its_file_and_its_shader_of_one_name() {
    for &stage in ballpit::Stage::ALL {
        for path in [format!("src/stage/{}.rs", stage.name()), format!("shaders/{}.wgsl", stage.name())] {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path).exists(), "{path}");
        }
    }
}

#[test]
fn the_order_of_stages_is_stated_once() {
    let files = mentions(&["src"], "Stage::GridScatter,");
    assert_eq!(files, [Path::new("src/step.rs")], "the order of the stages");
}

#[test]
fn invariants_of_the_document_are_all_here() {
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    let tested: Vec<&str> = document.lines().filter(|line| line.starts_with("Invariant:")).collect();
    assert!(tested.len() >= 8, "{tested:?}");
    let tests: String = ["tests", "src"].into_iter().flat_map(sources).map(|(_, code)| code).collect();
    for line in tested {
        let name = line.rsplit('`').nth(1).unwrap_or_else(|| panic!("no test is named in: {line}"));
        assert!(tests.contains(&format!("fn {name}(")), "no test {name}, named in: {line}");
    }
}
