//! The invariants of ARCHITECTURE.md that can be read off the source.

use std::fs;
use std::path::{Path, PathBuf};

use ballpit::{CpuEngine, Engine, Overrides, Scene, Stage};

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
            let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap().trim_end()).collect();
            found.push((inside, code.join("\n")));
        }
    }
    found
}

/// Code without the items that only tests compile, and the names of the modules among these that have files of their
/// own. By the layout that `cargo fmt` keeps: an item ends in a line as far in as its first.
fn without_tests(code: &str) -> (String, Vec<&str>) {
    let (mut product, mut modules) = (String::new(), Vec::new());
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            product.extend([line, "\n"]);
            continue;
        }
        let margin = line.len() - line.trim_start().len();
        for line in lines.by_ref().filter(|line| line.len() - line.trim_start().len() == margin) {
            modules.extend(line.trim_start().strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')));
            if line.ends_with([';', '}', ',']) {
                break;
            }
        }
    }
    (product, modules)
}

/// Every Rust file of the product, stripped of comments and tests.
fn product() -> Vec<(PathBuf, String)> {
    let (mut files, mut tests) = (Vec::new(), Vec::new());
    for (path, code) in sources("src") {
        let (product, modules) = without_tests(&code);
        let is_root = [Path::new("src/lib.rs"), Path::new("src/main.rs")].contains(&&*path);
        let folder = if is_root { PathBuf::from("src") } else { path.with_extension("") };
        tests.extend(modules.into_iter().map(|module| folder.join(module)));
        files.push((path, product));
    }
    files.retain(|(path, _)| !tests.iter().any(|module| is_in(path, module)));
    files
}

/// Whether a file is that of a module or of one below it.
fn is_in(file: &Path, module: impl AsRef<Path>) -> bool {
    file.with_extension("").starts_with(module)
}

/// Whether code mentions a word that starts with `start`.
fn has_word(code: &str, start: &str) -> bool {
    code.match_indices(start).any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Files of the product that mention a word.
fn mentions(word: &str) -> Vec<PathBuf> {
    product().into_iter().filter(|(_, code)| has_word(code, word)).map(|(path, _)| path).collect()
}

/// Fails if one of the modules mentions one of the words.
#[track_caller]
fn nowhere(modules: &[&str], words: &[&str]) {
    for word in words {
        let mut files = mentions(word);
        files.retain(|file| modules.iter().any(|module| is_in(file, module)));
        assert!(files.is_empty(), "{word} must not be in {files:?}");
    }
}

/// Fails if a module other than these mentions one of the words.
#[track_caller]
fn nowhere_but(modules: &[&str], words: &[&str]) {
    for word in words {
        let mut files = mentions(word);
        files.retain(|file| !modules.iter().any(|module| is_in(file, module)));
        assert!(files.is_empty(), "{word} must not be in {files:?}");
    }
}

// Words that name an engine, whether by a path from the crate's root, from a list of imports or from beside.
const CPU: [&str; 3] = ["crate::cpu", "cpu::", "CpuEngine"];
const GPU: [&str; 5] = ["crate::gpu", "gpu::", "GpuEngine", "Gpu", "wgpu"];

#[test]
fn engines_do_not_know_each_other() {
    nowhere(&["src/cpu"], &GPU);
    nowhere(&["src/gpu"], &CPU);
}

#[test]
fn stages_and_the_step_know_no_gpu() {
    let modules = ["src/stage", "src/step", "src/grid", "src/params", "src/exact"];
    nowhere(&modules, &GPU);
    nowhere(&modules, &CPU);
}

#[test]
fn the_foundation_knows_no_engine() {
    let foundation = [
        "settings", "order", "error", "portable", "body", "material", "surface", "segment", "slip", "actor", "model",
        "world", "clock", "scene", "snapshot",
    ]
    .map(|name| format!("src/{name}"));
    let foundation = foundation.each_ref().map(String::as_str);
    nowhere(&foundation, &GPU);
    nowhere(&foundation, &CPU);
    nowhere(&foundation, &["crate::render", "render::", "crate::step", "step::"]);
}

#[test]
fn only_the_app_knows_the_window() {
    nowhere_but(&["src/app"], &["winit", "egui"]);
    // The words are those that the app uses.
    for word in ["winit::", "egui::", "egui_wgpu::", "egui_winit::"] {
        assert!(mentions(word).iter().any(|file| is_in(file, "src/app")), "{word} is nowhere in the app");
    }
}

#[test]
fn the_window_and_the_commands_do_not_know_each_other() {
    nowhere(&["src/app"], &["headless"]);
    nowhere(&["src/headless"], &["app::"]);
    let both = |word: &str| mentions(word) == [PathBuf::from("src/main.rs")];
    assert!(both("headless::simulate") && both("app::run"), "only the program knows both");
}

#[test]
fn the_library_never_prints() {
    let words = ["println!", "eprintln!", "print!", "eprint!", "dbg!", "stdout()", "stderr()", "process::exit"];
    nowhere_but(&["src/build", "src/main", "src/cli", "src/console", "src/headless", "src/app", "src/launch"], &words);
}

#[test]
fn what_only_tests_compile_is_left_out_and_nothing_else() {
    let code = r#"use crate::Body;
#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "elsewhere.rs"]
mod parity;
println!("this");
impl Body {
    #[cfg(test)]
    fn probe(
        &self,
    ) -> CpuEngine {
        CpuEngine::new();
    }
    fn seen(&self) -> GpuEngine {}
    #[cfg(test)]
    probed: u32,
}
#[cfg(test)]
mod inline {
    use std::process;
}
fn last(wgpu: u8) {}
"#;
    let (kept, modules) = without_tests(code);
    assert_eq!(modules, ["tests", "parity"]);
    for seen in ["Body", "println!", "GpuEngine", "seen", "last", "wgpu"] {
        assert!(has_word(&kept, seen), "{seen} is overlooked in:\n{kept}");
    }
    for unseen in ["CpuEngine", "probe", "probed", "process", "inline", "cfg"] {
        assert!(!has_word(&kept, unseen), "{unseen} is seen in:\n{kept}");
    }
    // The files of test modules, by the modules that declare them.
    let files: Vec<PathBuf> = product().into_iter().map(|(path, _)| path).collect();
    assert!(files.contains(&"src/clock.rs".into()) && files.contains(&"src/gpu/engine.rs".into()), "{files:?}");
    for test in ["src/clock/tests.rs", "src/scene/tests.rs", "src/scene/tests/errors.rs", "src/compare/parity.rs"] {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(test).exists() && !files.contains(&test.into()), "{test}");
    }
}

#[test]
fn every_stage_has_its_file_and_its_shader_of_one_name() {
    for &stage in Stage::ALL {
        for path in [format!("src/stage/{}.rs", stage.name()), format!("shaders/{}.wgsl", stage.name())] {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path).exists(), "{path}");
        }
    }
}

/// Whether code lists three stages after one another in an order that they have in `step`.
fn states_order(code: &str, step: &[String]) -> bool {
    let code: String = code.split_whitespace().collect();
    // An element of a list: its path's last name, before a comma or the list's end.
    let last_name = |element: &str| element.trim_end_matches([']', ')']).rsplit("::").next().unwrap().to_string();
    let names = code.split([',', ';']).filter(|element| element.contains("::")).map(last_name);
    let turns: Vec<usize> = names.filter_map(|name| step.iter().position(|stage| *stage == name)).collect();
    turns.windows(3).any(|turns| turns[1] == turns[0] + 1 && turns[2] == turns[1] + 1)
}

#[test]
fn the_order_of_stages_is_stated_once() {
    let scene = Scene::named("impulse").unwrap();
    let world = scene.build(&Overrides::default()).unwrap();
    let times = CpuEngine::new(world, scene.settings()).unwrap().time_step(scene.settings().step_s()).unwrap();
    let step: Vec<String> = times.0.iter().map(|(stage, _)| format!("{stage:?}")).collect();
    assert_eq!(step.len(), 9, "{step:?}");
    let files = product().into_iter().filter(|(_, code)| states_order(code, &step)).map(|(path, _)| path);
    assert_eq!(files.collect::<Vec<_>>(), [Path::new("src/step.rs")], "the order of the stages");
    // Whatever the path and wherever in the step; but neither another order nor a match.
    assert!(states_order(
        "const ALL: [Self; 3] = [\n    Self::GridScan,\n    Self::GridScatter,\n    Self::GridReorder];",
        &step
    ));
    assert!(!states_order("[Stage::GridScan, Stage::GridReorder, Stage::GridScatter]", &step));
    assert!(!states_order("Self::GridSums => 1,\nSelf::GridScan => 2,\nSelf::GridScatter => 3,", &step));
}

/// Every file of the tests and the program in one.
fn all_code() -> String {
    ["tests", "src"].into_iter().flat_map(sources).map(|(_, code)| code).collect()
}

#[test]
fn every_test_of_the_page_on_robustness_is_there() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/robustness.md")).unwrap();
    let code = all_code();
    // The soak's table holds figures, and names no tests.
    let sections = page.split("\n## ").filter(|section| !section.starts_with("Soak\n"));
    let lines = sections.flat_map(str::lines).filter(|line| line.starts_with("| "));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split('|').collect()).collect();
    let rows: Vec<_> = rows.iter().filter(|cells| !["What happens", "---"].contains(&cells[1].trim())).collect();
    assert!(rows.len() >= 50, "{} rows", rows.len());
    for cells in rows {
        let names: Vec<&str> = cells[3].split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test is named for:{}", cells[1]);
        for name in names {
            assert!(code.contains(&format!("fn {name}(")), "no test {name}, named for:{}", cells[1]);
        }
        let was = cells[4].trim();
        assert!(["right", "older"].contains(&was) || was.starts_with("failed: "), "{was} of:{}", cells[1]);
    }
}

#[test]
fn invariants_of_the_document_are_all_here() {
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    let tested: Vec<&str> = document.lines().filter(|line| line.starts_with("Invariant:")).collect();
    assert!(tested.len() >= 8, "{tested:?}");
    let tests = all_code();
    for line in tested {
        let name = line.rsplit('`').nth(1).unwrap_or_else(|| panic!("no test is named in: {line}"));
        assert!(tests.contains(&format!("fn {name}(")), "no test {name}, named in: {line}");
    }
}

/// Where the links and pictures of a Markdown text lead to, of those that lead to files.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    files.map(|target| target.split('#').next().unwrap_or(target).to_owned()).collect()
}

#[test]
fn every_link_of_the_pages_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.chain(["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|name| root.join(name)));
    let mut followed = 0;
    for page in pages.filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        for target in links(&fs::read_to_string(&page).unwrap()) {
            assert!(page.parent().unwrap().join(&target).exists(), "{} leads to {target}", page.display());
            followed += 1;
        }
    }
    assert!(followed > 20, "{followed} links");
    assert_eq!(links("[a](b.md#c) ![d](e.png) [f](https://g)"), ["b.md", "e.png"]);
}

#[test]
fn every_scene_has_its_picture_and_the_command_that_drew_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/scenes.md")).unwrap();
    for (name, _) in ballpit::Scene::names() {
        let parts = [format!("\n## {name}\n"), format!("(scenes/{name}.png)"), format!("`ballpit simulate {name} ")];
        assert!(parts.iter().all(|part| page.contains(part)), "docs/scenes.md says too little of {name}");
    }
}
