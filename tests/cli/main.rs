//! The command line as scripts meet it: flags, exit codes, JSON keys, files.

#[cfg(unix)]
mod failing;
mod files;
#[cfg(unix)]
mod gpu_script;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// The keys that users.md promises, in its order.
const KEYS: [&str; 22] = [
    "engine",
    "adapter",
    "balls",
    "seed",
    "steps",
    "time_s",
    "deepest_overlap_px",
    "overlap_ratio_max",
    "overlap_ratio_p99",
    "wander_px",
    "pile_height_px",
    "center_of_mass_px",
    "kinetic_energy",
    "momentum",
    "fastest_px_s",
    "rms_speed_px_s",
    "contacts_resolved",
    "deepest_below_floor_px",
    "asleep",
    "state_hash",
    "step_ms_median",
    "step_ms_p10",
];

fn ballpit(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("ballpit"));
    command.args(arguments).env("XDG_RUNTIME_DIR", std::env::temp_dir());
    command
}

/// The program on a machine without any adapter.
fn without_adapter(arguments: &[&str]) -> Command {
    let mut command = ballpit(arguments);
    command.env("VK_ICD_FILENAMES", "/nonexistent").env("VK_DRIVER_FILES", "/nonexistent");
    command
}

fn run(mut command: Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it writes UTF-8");
    (status.code().expect("it ends by itself"), text(stdout), text(stderr))
}

fn succeed(command: Command) -> String {
    let (code, stdout, stderr) = run(command);
    assert_eq!(code, 0, "{stdout}{stderr}");
    stdout
}

/// The message of a command that must fail with `code`: one line, and nothing on stdout.
fn fail(command: Command, code: i32) -> String {
    let (was, stdout, stderr) = run(command);
    assert_eq!((was, &*stdout), (code, ""), "{stderr}");
    stderr
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Whether the GPU commands can be tested here; `BALLPIT_GPU=required` makes a missing adapter a failure.
fn has_adapter() -> bool {
    let found = ballpit::Gpu::open();
    if let Err(error) = &found {
        assert_ne!(std::env::var("BALLPIT_GPU").as_deref(), Ok("required"), "{error}");
        eprintln!("skipped, {error}");
    }
    found.is_ok()
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).expect("the folder can be listed").next().is_none()
}

#[test]
fn help_and_version_are_printed() {
    for command in
        [&["--help"][..], &["run", "--help"], &["simulate", "--help"], &["compare", "-h"], &["profile", "--help"]]
    {
        assert!(succeed(ballpit(command)).contains("Examples:"), "{command:?}");
    }
    assert!(succeed(ballpit(&["--version"])).starts_with("ballpit "));
}

#[test]
fn scenes_are_listed_a_line_each() {
    let text = succeed(ballpit(&["scenes"]));
    assert_eq!(text.lines().count(), ballpit::Scene::names().count());
    assert!(text.starts_with("pile ") && text.contains("\nimpulse "), "{text}");
}

#[test]
fn o5_the_court_prints_the_same_ten_lines_and_none_below_the_floor() {
    let lines = |order: &str| -> Vec<String> {
        let text = succeed(ballpit(&["simulate", "court", "--seconds", "10", "--stages", order]));
        text.lines().skip_while(|line| !line.starts_with("   1.00")).take(10).map(str::to_owned).collect()
    };
    let column = |line: &String, column: usize| line.split_whitespace().nth(column).unwrap().parse::<f64>().unwrap();
    let right = lines("kcb");
    assert_eq!(right, lines("kcb"));
    assert!(right.iter().all(|line| column(line, 7) == 0.0), "{right:?}");
    assert!((1_400.0..1_650.0).contains(&column(&right[0], 5)) && column(&right[9], 5) > 9_000.0, "{right:?}");
    let wrong = lines("bck");
    assert!(column(&wrong[0], 7) > 5.0, "{wrong:?}");
}

#[test]
fn simulate_prints_a_line_a_second_and_a_summary() {
    let text = succeed(ballpit(&["simulate", "impulse", "--seconds", "3", "--engine", "cpu"]));
    for start in ["Impulse: 70 balls, seed 1", "\n   1.00 ", "\n   2.00 ", "\n   3.00 ", "\n360 steps, 3 s simulated"] {
        assert!(text.contains(start), "{start}: {text}");
    }
}

#[test]
fn json_has_the_promised_keys_without_any_adapter() {
    let simulate = ["simulate", "impulse", "--seconds", "1", "--engine", "cpu", "--json", "--seed", "7"];
    let (code, stdout, stderr) = run(without_adapter(&simulate));
    assert_eq!((code, &*stderr), (0, ""));
    let summary = json(&stdout);
    let mut keys: Vec<&str> = summary.as_object().expect("one object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    let mut promised = KEYS;
    promised.sort_unstable();
    assert_eq!(keys, promised);
    assert_eq!((&summary["engine"], &summary["balls"], &summary["seed"]), (&"cpu".into(), &70.into(), &7.into()));
    assert_eq!((&summary["steps"], &summary["time_s"]), (&120.into(), &1.0.into()));
    let hash = summary["state_hash"].as_str().expect("text");
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{hash}");
    assert_eq!(json(&succeed(without_adapter(&simulate)))["state_hash"], hash, "a run repeats itself");
}

#[test]
fn balls_take_units() {
    let text = succeed(ballpit(&["simulate", "pile", "--balls", "1k", "--seconds", "0.1", "--engine", "cpu"]));
    assert!(text.starts_with("Pile: 1,000 balls"), "{text}");
}

#[test]
fn auto_says_that_there_is_no_adapter() {
    let (code, _, stderr) = run(without_adapter(&["simulate", "impulse", "--seconds", "0.1"]));
    assert_eq!(code, 0);
    assert!(stderr.contains("no GPU adapter") && stderr.contains("CPU engine"), "{stderr}");
}

#[test]
fn without_a_display_the_headless_default_runs() {
    for arguments in [&["impulse"][..], &["run", "impulse"]] {
        let mut command = without_adapter(arguments);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        let (code, stdout, stderr) = run(command);
        assert_eq!(code, 0, "{stderr}");
        assert!(stderr.contains("no display"), "{stderr}");
        assert!(stdout.contains("Impulse: 70 balls") && stdout.contains("1,200 steps, 10 s simulated"), "{stdout}");
    }
}

#[test]
fn only_the_window_takes_fewer_balls_without_a_gpu() {
    let mut command = without_adapter(&["--rate", "10", "--passes", "1"]);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    assert!(succeed(command).starts_with("Pile: 5,000 balls"));
    assert!(succeed(without_adapter(&["simulate", "-t", "0.01"])).starts_with("Pile: 20,000 balls"));
}

#[test]
fn wrong_arguments_end_with_code_2_and_say_what_to_do() {
    for (arguments, said) in [
        (&["--frobnicate"][..], "--help"),
        (&["simulate", "impulse", "--balls", "many"], "like 70, 20_000, 10k or 1M"),
        (&["simulate", "impulse", "--seconds", "-1"], "a number of seconds above 0"),
        (&["simulate", "impulse", "--rate", "0"], "'0' for '--rate <HZ>': it must be a whole number from 1 to 10000"),
        (&["simulate", "impulse", "--passes", "65"], "it must be a whole number from 1 to 64"),
        (&["simulate", "impluse"], "did you mean 'impulse'?"),
        (&["impluse"], "did you mean 'impulse'?"),
        (&["simulat"], "did you mean the command `ballpit simulate`?"),
        (&["pile", "simulate"], "put the command first: ballpit simulate"),
        (&["pile", "gas"], "one scene too many: 'gas'"),
        (&["simulate", "--seed", "-1"], "it must be a whole number from 0 to 18446744073709551615"),
        (&["simulate", "."], "is a directory; give a .toml file"),
        (&["simulate", "--out", "same", "--png", "same"], "another file than that of --out"),
        (&["simulate", "--out", "new/"], "it must be a file's name"),
        (&["simulate", "nowhere.toml"], "ballpit scenes"),
        (&["simulate", "impulse", "--solver", "sequential", "--engine", "gpu"], "one after another"),
        (&["compare", "impulse", "--solver", "sequential"], "--solver jacobi"),
        (&["simulate", "court", "--engine", "gpu"], "take --solver jacobi"),
        (&["simulate", "court", "--rotation"], "leave --rotation out, or take --solver jacobi"),
        (&["simulate", "impulse", "--stages", "bck"], "--solver sequential"),
        (&["simulate", "impulse", "--stages", "bck"], "left out with the jacobi solver"),
        (&["simulate", "court", "--stages", "kxb"], "'x' is no stage"),
        (&["simulate", "impulse", "--balls", "60M", "--engine", "cpu"], "balls is 60000000; it must be at most "),
        (&["simulate", "impulse", "--arithmetic", "plain", "--engine", "cpu"], "--engine gpu"),
        (&["impulse", "--arithmetic", "plain"], "--engine gpu"),
        (&["profile", "--arithmetic", "plain", "--engine", "cpu"], "--engine gpu"),
        (&["profile", "court", "--engine", "cpu,gpu", "--steps", "1"], "take --solver jacobi"),
        (&["compare", "impulse", "--nudge", "70"], "one of the 70 balls"),
        (&["profile", "--json", "--csv"], "--help"),
    ] {
        let message = fail(ballpit(arguments), 2);
        assert!(message.starts_with("ballpit: error: ") && message.contains(said), "{arguments:?}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn a_path_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().expect("a scratch folder");
    let [scene, out] = [b"sc\xff".as_slice(), b"out\xff"].map(|name| folder.path().join(OsStr::from_bytes(name)));
    fs::copy("scenes/impulse.toml", &scene).expect("a copy");
    let mut command = ballpit(&["simulate", "--seconds", "0.1", "--engine", "cpu", "--out"]);
    command.arg(&out).arg(&scene);
    assert!(succeed(command).starts_with("Impulse: 70 balls"));
    assert!(out.is_file());
}

#[test]
fn a_name_that_the_system_refuses_is_found_before_the_run() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("a".repeat(300));
    let long = ["simulate", "pile", "--seconds", "100000", "--engine", "cpu", "--out", path.to_str().expect("UTF-8")];
    assert!(fail(ballpit(&long), 1).contains("aaa: "));
    assert!(is_empty(folder.path()));
}

#[test]
fn a_scene_that_places_each_ball_is_profiled_as_it_is() {
    let text = succeed(ballpit(&["profile", "cradle", "--engine", "cpu", "--steps", "2", "--warmup", "1", "--csv"]));
    assert!(text.lines().nth(1).is_some_and(|row| row.contains(",6,")), "{text}");
}

#[test]
fn a_profile_takes_the_numbers_that_fit_and_refuses_another_before_it_measures() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("small.toml");
    let small = "version = 1\ntitle = \"Small\"\n[world]\nmin = [0, 0]\nmax = [1000, 1000]\n\
                 [[spawn]]\nkind = \"scatter\"\ncount = 100\nradius = [10, 10]\nmin = [0, 0]\nmax = [1000, 1000]\n";
    fs::write(&path, small).expect("a file");
    let path = path.to_str().expect("UTF-8");
    let quick = ["profile", path, "--engine", "cpu", "--steps", "2", "--warmup", "1"];
    let usual = succeed(without_adapter(&quick));
    assert!(usual.contains("1,000 balls, cpu engine") && !usual.contains("10,000 balls"), "{usual}");
    let asked = without_adapter(&[&quick[..], &["--balls", "50,10k"]].concat()).output().expect("it runs");
    assert!(!asked.status.success() && asked.stdout.is_empty(), "{asked:?}");
    assert!(String::from_utf8_lossy(&asked.stderr).contains("balls is 10000"), "{asked:?}");
}

#[test]
fn a_wrong_scene_file_is_named_with_line_key_and_range() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("wrong.toml");
    fs::write(&path, "version = 1\ntitle = \"Wrong\"\n[world]\nmin = [0, 0]\nmax = [9, 9]\n[step]\nrate = 0\n")
        .expect("a file");
    let path = path.to_str().expect("UTF-8");
    for arguments in [&["simulate", path][..], &["compare", path], &["profile", path], &[path]] {
        let message = fail(ballpit(arguments), 2);
        assert!(message.contains(&format!("{path}:7: step.rate")) && message.contains("1 to 10000"), "{message}");
    }
}

#[test]
fn failures_without_an_adapter_say_what_to_do() {
    for arguments in [
        &["simulate", "impulse", "--engine", "gpu"][..],
        &["compare", "impulse"],
        &["profile", "--engine", "gpu"],
        &["simulate", "impulse", "--engine", "cpu", "--png", "never.png"],
    ] {
        let message = fail(without_adapter(arguments), 1);
        assert!(message.contains("no GPU adapter was found") && message.contains("--engine cpu"), "{message}");
    }
}

#[test]
fn the_csv_reads_back_and_is_not_replaced_unasked() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("state.csv");
    let out = path.to_str().expect("UTF-8");
    let simulate = ["simulate", "impulse", "--seconds", "2", "--engine", "cpu", "--json", "--out", out];
    let summary = json(&succeed(ballpit(&simulate)));
    let text = fs::read_to_string(&path).expect("the file is there");
    let mut world = ballpit::World::new(glam::Vec2::ZERO, glam::Vec2::ONE);
    for (id, line) in text.lines().skip(1).enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |index: usize| fields[index].parse::<f32>().expect("a number");
        assert_eq!((fields.len(), fields[0]), (13, &*id.to_string()));
        let ball = ballpit::Body::ball(glam::Vec2::new(number(1), number(2)), number(5));
        world.add(ball.moving(glam::Vec2::new(number(3), number(4))));
    }
    assert_eq!(
        text.lines().next(),
        Some("id,x,y,vx,vy,radius,inverse_mass,split,material,spin,angle,asleep,quiet_steps")
    );
    assert_eq!(summary["state_hash"], format!("{:016x}", ballpit::state_hash(&world)), "the same bits");

    let message = fail(ballpit(&simulate), 2);
    assert!(message.contains("--force"), "{message}");
    succeed(ballpit(&[&simulate[..], &["--force"]].concat()));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing else is left");
}

#[test]
fn a_missing_folder_is_found_before_the_run() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for flag in ["--out", "--png"] {
        let file = folder.path().join("missing").join("file");
        let started = Instant::now();
        let simulate =
            ["simulate", "pile", "--seconds", "100000", "--engine", "cpu", flag, file.to_str().expect("UTF-8")];
        let message = fail(ballpit(&simulate), 2);
        assert!(message.contains(flag) && message.contains("folder that exists"), "{message}");
        assert!(started.elapsed() < Duration::from_secs(5));
    }
    assert!(is_empty(folder.path()));
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let simulate = ["simulate", "impulse", "--seconds", "100000", "--every", "0.1", "--engine", "cpu"];
    assert_eq!(with_a_closed_pipe(&simulate), (Some(0), String::new()));
}

/// Runs a command whose output is closed after its first line.
fn with_a_closed_pipe(arguments: &[&str]) -> (Option<i32>, String) {
    let mut child = ballpit(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_closed_pipe_loses_no_file_and_no_verdict() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (out, record) = (path("state.csv"), path("run.recording"));
    let simulate = ["simulate", "impulse", "--seconds", "3", "--every", "0.01", "--engine", "cpu"];
    let files = ["--out", &out, "--record", &record];
    assert_eq!(with_a_closed_pipe(&[&simulate[..], &files].concat()), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(&out).expect("the state").lines().count(), 71);
    assert!(fs::metadata(&record).expect("the recording").len() > 0);
    if has_adapter() {
        assert_eq!(with_a_closed_pipe(&["compare", "impulse", "--steps", "30", "--nudge", "3"]).0, Some(1));
        assert_eq!(with_a_closed_pipe(&["compare", "impulse", "--steps", "30"]).0, Some(0));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_within_a_second_and_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let out = folder.path().join("state.csv");
    let out = out.to_str().expect("UTF-8");
    let simulate = ["simulate", "impulse", "--seconds", "100000", "--engine", "cpu", "--out", out];
    let mut child = ballpit(&simulate).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    // Once it prints places, it is on its way.
    lines.nth(4).expect("a line").expect("UTF-8");
    let drain = std::thread::spawn(move || lines.count());
    let asked = Instant::now();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    drain.join().expect("the pipe closes");
    assert!(is_empty(folder.path()));
}

#[test]
fn profile_gives_a_table_csv_and_json() {
    let arguments = |format: &'static str| {
        let mut all = vec!["profile", "--balls", "200,1k", "--engine", "cpu", "--steps", "5", "--warmup", "2"];
        all.extend((!format.is_empty()).then_some(format));
        all
    };
    let table = succeed(without_adapter(&arguments("")));
    assert!(table.contains("1,000 balls, cpu engine") && table.contains("contact_pass"), "{table}");
    let csv = succeed(without_adapter(&arguments("--csv")));
    let columns = csv.lines().next().expect("a head").split(',').count();
    assert!(columns == 15 && csv.contains(",step,") && !csv.contains(",frame,"), "{csv}");
    let report = json(&succeed(without_adapter(&arguments("--json"))));
    let profiles = report["profiles"].as_array().expect("a list");
    assert_eq!(profiles.iter().map(|profile| profile["balls"].as_u64()).collect::<Vec<_>>(), [Some(200), Some(1_000)]);
    assert!(profiles[0]["step"]["median_ms"].as_f64() > Some(0.0) && profiles[0]["device_bytes"].is_null());
    assert!(profiles[0]["commit"].as_str().is_some_and(|commit| commit.len() >= 7) && profiles[0]["drawing"].is_null());
}

#[test]
fn a_profile_holds_what_stages_move_and_what_a_frame_takes() {
    if !has_adapter() {
        return;
    }
    let arguments = ["profile", "--balls", "1k", "--engine", "cpu,gpu", "--steps", "3", "--warmup", "2", "--json"];
    for profile in json(&succeed(ballpit(&arguments)))["profiles"].as_array().expect("a list") {
        let [step, drawing, frame] = ["step", "drawing", "frame"].map(|part| profile[part]["p95_ms"].as_f64().unwrap());
        assert!(step > 0.0 && drawing > 0.0 && frame >= drawing, "{profile}");
        let passes = profile["stages"].as_array().unwrap().iter().find(|stage| stage["stage"] == "contact_pass");
        // Two records, the ball's two words and where it stands, in each of eight passes; and a list.
        let bytes = passes.unwrap()["bytes_a_ball"].as_f64().unwrap();
        assert!((8.0 * 76.0..8.0 * 140.0).contains(&bytes), "{bytes} bytes a ball");
    }
}

#[test]
fn engines_agree_and_a_nudged_ball_is_found() {
    if !has_adapter() {
        return;
    }
    let compare = ["compare", "impulse", "--steps", "30"];
    assert!(succeed(ballpit(&compare)).contains("agree after 30 steps"));
    for method in [&[][..], &["--by-stage"]] {
        let nudged = [&compare[..], &["--nudge", "3"], method].concat();
        let (code, stdout, stderr) = run(ballpit(&nudged));
        assert_eq!((code, &*stderr), (1, ""));
        assert!(stdout.contains("DIFFER at step 1") && stdout.contains("ball 3"), "{stdout}");
    }
    let (code, stdout, _) = run(ballpit(&[&compare[..], &["--nudge", "3", "--by-stage", "--json"]].concat()));
    let report = json(&stdout);
    assert_eq!((code, &report["agree"], &report["difference"]["id"]), (1, &false.into(), &3.into()));
    assert!(report["difference"]["stage"].is_string());
}

#[test]
fn the_gpu_simulates_to_the_same_hash_and_draws() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().expect("a scratch folder");
    let png = folder.path().join("picture.png");
    let png = png.to_str().expect("UTF-8");
    let simulate = ["simulate", "impulse", "--seconds", "3", "--json", "--engine"];
    let on_cpu = json(&succeed(ballpit(&[&simulate[..], &["cpu"]].concat())));
    let drawn = ["gpu", "--png", png, "--size", "320x180"];
    let on_gpu = json(&succeed(ballpit(&[&simulate[..], &drawn].concat())));
    assert_eq!((&on_gpu["engine"], &on_gpu["steps"]), (&"gpu".into(), &on_cpu["steps"]));
    let exact = ballpit::Gpu::open().and_then(|gpu| gpu.self_test(ballpit::Arithmetic::Exact)).expect("an adapter");
    if exact.is_exact() {
        assert_eq!(on_gpu["state_hash"], on_cpu["state_hash"]);
        assert_eq!(on_gpu["contacts_resolved"], on_cpu["contacts_resolved"]);
    }
    let bytes = fs::read(png).expect("the picture is there");
    assert_eq!((&bytes[..8], &bytes[16..24]), (&b"\x89PNG\r\n\x1a\n"[..], &[0, 0, 1, 64, 0, 0, 0, 180][..]));
}

#[test]
fn actors_are_sent_without_a_window() {
    let arguments = ["simulate", "swarm", "--balls", "3100", "--seconds", "0.5", "--json", "--engine", "cpu"];
    let hash = |more: &[&str]| json(&succeed(ballpit(&[&arguments[..], more].concat())))["state_hash"].clone();
    let (resting, sent) = (hash(&[]), hash(&["--steer", "1,-0.5"]));
    assert_ne!(resting, sent);
    assert_ne!(sent, hash(&["--steer", "-1,0"]));
    if has_adapter() {
        let compared = ["compare", "swarm", "--balls", "3100", "--steps", "60", "--steer", "1,-0.5"];
        let out = succeed(ballpit(&compared));
        assert!(out.contains(&format!("agree after 60 steps: state {}", sent.as_str().unwrap())), "{out}");
        let (code, out, _) = run(ballpit(&[&compared[..], &["--nudge", "3"]].concat()));
        assert!(code == 1 && out.contains("DIFFER"), "{out}");
    }
    let message = fail(ballpit(&["simulate", "gas", "--steer", "1,0"]), 2);
    assert!(message.contains("--steer is 1,0; it must be left out: this scene has no actors"), "{message}");
    assert!(fail(ballpit(&["simulate", "swarm", "--steer", "1,2"]), 2).contains("each from -1 to 1"));
}
