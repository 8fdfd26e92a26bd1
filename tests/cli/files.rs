//! Files that the command line reads and writes: saved worlds, recordings, frames, traces.

use std::fs;
use std::path::Path;

use ballpit::{Command, CpuEngine, Engine, Overrides, Recorder, Scene, Settings, Snapshot, Start, Tuning, state_hash};
use serde_json::Value;

use super::{ballpit, fail, has_adapter, json, run, succeed};

/// A scratch folder, and names in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    fn name(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    fn count(&self) -> usize {
        fs::read_dir(self.0.path()).expect("the folder can be listed").count()
    }
}

fn hash(arguments: &[&str]) -> Value {
    json(&succeed(ballpit(&[&["simulate"], arguments, &["--json"]].concat())))["state_hash"].clone()
}

/// Friction, turning, sleep, and a surface that goes up and down.
const RICH: &str = "version = 1\ntitle = \"Rich: a/b\"\n[world]\nmin = [0, 0]\nmax = [400, 300]\ngravity = [0, 900]\n\
                    [step]\nrotation = true\nsleep_after = 0.1\n[material.rubber]\nfriction = 0.5\n\
                    [[surface]]\npoint = [200, 290]\nnormal = [0, -1]\nvelocity = [0, -30]\nperiod = 0.7\n\
                    [[spawn]]\nkind = \"scatter\"\ncount = 60\nradius = [5, 15]\nmin = [0, 0]\nmax = [400, 200]\n";

#[test]
fn a_saved_world_goes_on_to_the_bits_of_the_run_that_was_not_interrupted() {
    let folder = Folder::new();
    let (scene, saved) = (folder.name("rich.toml"), folder.name("rich.ballpit"));
    fs::write(&scene, RICH).expect("a file");
    let engines = if has_adapter() { &["cpu", "gpu"][..] } else { &["cpu"] };
    let whole = hash(&[&scene, "--seconds", "2", "--engine", "cpu"]);
    for (index, first) in engines.iter().enumerate() {
        let half = ["simulate", &scene, "--seconds", "1", "--engine", first, "--json", "--force", "--out", &saved];
        succeed(ballpit(&half));
        for second in engines {
            assert_eq!(hash(&[&saved, "--seconds", "1", "--engine", second]), whole, "{first}, then {second}");
        }
        assert_ne!(hash(&[&saved, "--seconds", "0.5", "--engine", "cpu"]), whole);
        assert_eq!(folder.count(), 2, "nothing else is left, {index}");
    }
    let text = succeed(ballpit(&["simulate", &saved, "--seconds", "0.1", "--engine", "cpu"]));
    assert!(text.starts_with("Rich: a/b: 60 balls, seed 1, after 120 steps"), "{text}");
    succeed(ballpit(&["profile", &saved, "--engine", "cpu", "--steps", "2", "--warmup", "1"]));
}

#[test]
fn a_damaged_saved_world_is_refused_with_code_2() {
    let folder = Folder::new();
    let saved = folder.name("impulse.ballpit");
    succeed(ballpit(&["simulate", "impulse", "--seconds", "0.1", "--engine", "cpu", "--json", "--out", &saved]));
    let bytes = fs::read(&saved).expect("the file is there");
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 4;
    for (bytes, said) in [(&bytes[..bytes.len() / 2], "it ends at byte"), (&flipped, "is a damaged saved world")] {
        fs::write(&saved, bytes).expect("a file");
        for command in [&["simulate", &*saved][..], &["compare", &saved], &["profile", &saved], &[&saved]] {
            let message = fail(ballpit(command), 2);
            assert!(message.contains("impulse.ballpit: ") && message.contains(said), "{message}");
        }
    }
}

/// Writes a recording of so many steps, after thirty of which there are four passes a step, and replays it to a saved world.
fn replayed_after_a_retune(folder: &Folder, steps: u32) -> (String, Value) {
    let [recording, saved] = ["retuned.recording", "retuned.ballpit"].map(|name| folder.name(name));
    let scene = Scene::named("impulse").expect("a named scene");
    let (world, settings) = (scene.build(&Overrides::default()).expect("a world"), scene.settings());
    let start = Start::of_scene(&scene, &Overrides::default(), &settings).expect("a start");
    let file = fs::File::create(&recording).expect("a file");
    let mut recorder = Recorder::begin(file, start).expect("a recording");
    let mut engine = CpuEngine::new(world.clone(), settings.clone()).expect("a valid world");
    recorder.length(0, settings.step_s()).expect("a line");
    engine.step(30, settings.step_s()).expect("steps");
    let retune = Command::Retune(Box::new(Tuning::of(&world, &Settings { passes: 4, ..settings.clone() })));
    retune.apply(&mut engine).expect("four passes");
    recorder.command(30, retune).expect("a line");
    engine.step(steps - 30, settings.step_s()).expect("steps");
    recorder.end(steps.into(), state_hash(&engine.world().expect("a world"))).expect("a line");
    let replay = ["--replay", &recording, "--engine", "cpu", "--force", "--out", &saved];
    let hash = hash(&replay);
    (saved, hash)
}

#[test]
fn a_replay_saves_a_world_that_goes_on_as_the_run_did() {
    let folder = Folder::new();
    let (_, whole) = replayed_after_a_retune(&folder, 180);
    let (saved, broken_off) = replayed_after_a_retune(&folder, 60);
    assert_ne!(broken_off, whole);
    assert_eq!(hash(&[&saved, "--engine", "cpu", "--seconds", "1"]), whole, "the passes are those that it has come to");
    assert_eq!(Snapshot::read(&saved).expect("a saved world").settings.passes, 4);
}

#[test]
fn a_recording_is_replayed_to_the_same_state_on_either_engine() {
    let folder = Folder::new();
    let (recording, saved) = (folder.name("run.recording"), folder.name("run.ballpit"));
    let simulate = ["simulate", "impulse", "--balls", "40", "--seed", "3", "--rate", "77", "--seconds", "2.5"];
    let record = [&simulate[..], &["--engine", "cpu", "--json", "--record", &recording, "--out", &saved]].concat();
    let recorded = json(&succeed(ballpit(&record)));
    let engines = if has_adapter() { &["cpu", "gpu"][..] } else { &["cpu"] };
    for engine in engines {
        let replay = ["simulate", "--replay", &recording, "--engine", engine];
        let replayed = json(&succeed(ballpit(&[&replay[..], &["--json"]].concat())));
        for key in ["state_hash", "steps", "balls", "seed"] {
            assert_eq!(replayed[key], recorded[key], "{key}");
        }
        assert!(succeed(ballpit(&replay)).ends_with("replay    ends in the state that was recorded\n"));
    }
    assert!(fail(ballpit(&record), 2).contains("--force"));
    let text = fs::read_to_string(&recording).expect("the recording is there");
    let end = recorded["state_hash"].as_str().expect("text");
    fs::write(&recording, text.replace(end, "0123456789abcdef")).expect("a file");
    let (code, _, stderr) = run(ballpit(&["simulate", "--replay", &recording, "--engine", "cpu"]));
    assert!(code == 1 && stderr.contains("another state after step 193"), "{code}: {stderr}");
    fs::write(&recording, &text[..text.len() / 2]).expect("a file");
    assert!(fail(ballpit(&["simulate", "--replay", &recording]), 2).contains("run.recording:1: "));
    fs::write(&recording, text.lines().next().expect("a line")).expect("a file");
    let (code, _, stderr) = run(ballpit(&["simulate", "--replay", &recording, "--engine", "cpu"]));
    assert!(code == 1 && stderr.contains("breaks off"), "{code}: {stderr}");

    // One that begins with a saved world.
    let recording = folder.name("on.recording");
    let on = ["simulate", &saved, "--seconds", "1", "--engine", "cpu", "--json", "--record", &recording];
    let recorded = json(&succeed(ballpit(&on)));
    assert_eq!(hash(&["--replay", &recording, "--engine", "cpu"]), recorded["state_hash"]);
}

#[test]
fn frames_have_the_size_the_rate_and_move() {
    if !has_adapter() {
        return;
    }
    let folder = Folder::new();
    let frames = folder.name("film");
    let simulate = ["simulate", "impulse", "--seconds", "0.5", "--json", "--engine", "cpu", "--rate", "30", "--frames"];
    let film = [&simulate[..], &[&frames, "--fps", "50", "--size", "161x90", "--colour", "speed"]].concat();
    succeed(ballpit(&film));
    assert_eq!(fs::read_dir(&frames).expect("a folder").count(), 25);
    let frame = |number: u32| fs::read(Path::new(&frames).join(format!("frame-{number:06}.png"))).expect("a frame");
    for number in 1..=25 {
        assert_eq!(frame(number)[16..24], [0, 0, 0, 161, 0, 0, 0, 90]);
    }
    // Drawn between steps: with 30 steps a second, every one of 50 frames is another picture, once the first is made.
    assert!(frame(1) == frame(2) && (3..=25).all(|number| frame(number) != frame(number - 1)));
    assert!(fail(ballpit(&film), 2).contains("--force"));
    succeed(ballpit(&[&film[..], &["--force"]].concat()));
    // A shorter film in its place keeps no tail of the longer one.
    succeed(ballpit(&[&simulate[..], &[&frames, "--fps", "20", "--size", "161x90", "--force"]].concat()));
    assert_eq!(fs::read_dir(&frames).expect("a folder").count(), 10);
    let file = folder.name("film/frame-000001.png");
    assert!(fail(ballpit(&[&simulate[..], &[&file]].concat()), 2).contains("a folder that can be read"));
}

#[test]
fn a_legend_and_a_map_change_pictures_and_frames() {
    if !has_adapter() {
        return;
    }
    let folder = Folder::new();
    let drawn = |name: &str, more: &[&str]| {
        let (png, film) = (folder.name(&format!("{name}.png")), folder.name(name));
        let simulate =
            ["simulate", "impulse", "--seconds", "0.1", "--engine", "cpu", "--colour", "speed", "--fps", "10"];
        let files = ["--size", "320x200", "--png", &png, "--frames", &film];
        succeed(ballpit(&[&simulate[..], &files, more].concat()));
        [png, film + "/frame-000001.png"].map(|path| fs::read(path).expect("a picture"))
    };
    let looks = [drawn("plain", &[]), drawn("map", &["--map", "magma"]), drawn("legend", &["--legend"])];
    for kind in [0, 1] {
        let [plain, map, legend] = looks.each_ref().map(|look| &look[kind]);
        assert!(plain != map && plain != legend && map != legend);
    }
    assert_eq!(looks[0], drawn("again", &["--map", "viridis"]), "the map that is taken without");
}

#[test]
fn a_trace_has_a_lane_for_each_engine_and_the_stages_as_slices() {
    let folder = Folder::new();
    let (profiled, simulated) = (folder.name("profile.json"), folder.name("simulate.json"));
    let engines = if has_adapter() { "cpu,gpu" } else { "cpu" };
    let profile = ["profile", "impulse", "--balls", "50", "--steps", "3", "--warmup", "1", "--engine", engines];
    succeed(ballpit(&[&profile[..], &["--trace", &profiled]].concat()));
    succeed(ballpit(&["simulate", "impulse", "--seconds", "0.1", "--engine", "cpu", "--trace", &simulated]));
    for (path, lanes, steps) in [(&profiled, engines.split(',').count(), 3), (&simulated, 1, 12)] {
        let trace = json(&fs::read_to_string(path).expect("the trace is there"));
        let events = trace["traceEvents"].as_array().expect("a list");
        let count = |name: &str| events.iter().filter(|event| event["name"] == name).count();
        assert_eq!((count("thread_name"), count("step")), (lanes, lanes * steps));
        assert!(count("contact_pass") >= steps, "{path}");
    }
    assert!(fail(ballpit(&[&profile[..], &["--trace", &profiled]].concat()), 2).contains("--force"));
}

#[test]
fn what_does_not_go_together_is_said() {
    for (arguments, said) in [
        (&["simulate", "--replay", "x", "impulse"][..], "cannot be used with"),
        (&["simulate", "--replay", "x", "--seconds", "3"], "cannot be used with"),
        (&["simulate", "--replay", "x", "--record", "y"], "cannot be used with"),
        (&["--replay", "nowhere.recording"], "nowhere.recording: can't be read"),
        (&["simulate", "--replay", "Cargo.toml"], "Cargo.toml:1: is no recording"),
        (&["simulate", "--colour", "speed"], "--png"),
        (&["simulate", "--map", "magma"], "--png"),
        (&["simulate", "--legend"], "--png"),
        (
            &["simulate", "impulse", "-e", "cpu", "--png", "x.png", "--legend"],
            "--legend is given; it must be left out with",
        ),
        (
            &[
                "simulate", "impulse", "-e", "cpu", "--png", "x.png", "--legend", "--colour", "speed", "--size",
                "100x100",
            ],
            "at least 240x120 with a legend",
        ),
        (
            &["simulate", "impulse", "-e", "cpu", "--png", "x.png", "--colour", "sleep", "--map", "magma"],
            "--map is magma; it must be left out with --colour sleep",
        ),
        (&["simulate", "--png", "x.png", "--map", "jet"], "viridis, cividis, magma, grey"),
        (&["simulate", "--fps", "3"], "--frames"),
        (&["simulate", "--out", "a", "--out", "a"], "another file than that of --out"),
        (&["simulate", "--record", "new/"], "it must be a file's name"),
        (&["simulate", "--out", "x.png"], "--png draws a picture"),
        (&["simulate", "--out", "x.txt"], "ends in .csv for a table, or in .ballpit"),
        (&["simulate", "--png", "x.jpg"], "a name that ends in .png"),
        (&["simulate", "--png", "x"], "a name that ends in .png"),
        (&["simulate", "--trace", "x.csv"], "a name that ends in .json"),
        (&["profile", "--trace", "x.csv"], "a name that ends in .json"),
        (&["simulate", "--record", "x.toml"], "a name that ends in .recording"),
        (&["profile", "--force"], "--trace"),
    ] {
        let message = fail(ballpit(arguments), 2);
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_half_of_a_file() {
    // A device that is always full stands for the disk; it is no plain file, and refused before the run.
    let message = fail(ballpit(&["simulate", "impulse", "--out", "/dev/full"]), 2);
    assert!(message.contains("no plain file"), "{message}");
}
