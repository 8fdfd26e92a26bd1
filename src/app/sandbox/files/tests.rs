use ballpit::state_hash;
use glam::Vec2;

use super::*;
use crate::app::keys::Action;
use crate::app::sandbox::Change;
use crate::app::tools::Tool;
use crate::engines::Maker;

fn sandbox(launch: Launch) -> Sandbox {
    let mut sandbox = Sandbox::new(launch, Maker::cpu(), false).unwrap();
    sandbox.eye.resize(Vec2::new(1000.0, 700.0));
    sandbox
}

fn impulse() -> Launch {
    Launch { scene: Some("impulse".into()), ..Launch::default() }
}

fn frames(sandbox: &mut Sandbox, count: u32, ms: u64) {
    for _ in 0..count {
        sandbox.frame(Duration::from_millis(ms), None).unwrap();
    }
}

fn hash(sandbox: &mut Sandbox) -> u64 {
    state_hash(&sandbox.engine().world().unwrap())
}

/// Everything that a user does to a world, at an uneven pace.
fn play_about(sandbox: &mut Sandbox) {
    frames(sandbox, 40, 13);
    let ball = sandbox.engine().world().unwrap().bodies[5].position;
    let pixel = sandbox.eye.camera.pixel_from_world(ball);
    sandbox.press(pixel);
    for k in 0..10 {
        sandbox.drag(pixel + Vec2::new(10.0 * k as f32, -20.0 * k as f32));
        frames(sandbox, 1 + k % 3, 9);
    }
    sandbox.release();
    for (tool, place) in [
        (Tool::Pour, [500.0, 200.0]),
        (Tool::Wall, [300.0, 400.0]),
        (Tool::Erase, [500.0, 600.0]),
        (Tool::Attract, [600.0, 500.0]),
    ] {
        sandbox.act(Action::Take(tool));
        let pixel = sandbox.eye.camera.pixel_from_world(Vec2::from(place));
        sandbox.press(pixel);
        for k in 0..10 {
            sandbox.drag(pixel + Vec2::new(9.0 * k as f32, 3.0));
            frames(sandbox, 1, 11);
        }
        sandbox.release();
    }
    sandbox.act(Action::Undo);
    sandbox.act(Action::Take(Tool::Grab));
    sandbox.act(Action::Bouncier);
    sandbox.act(Action::ToggleRate);
    frames(sandbox, 30, 17);
    sandbox.act(Action::ToggleMode);
    (0..40).for_each(|k| frames(sandbox, 1, 5 + k % 11));
    sandbox.act(Action::Pause);
    sandbox.act(Action::ToggleAir);
    sandbox.act(Action::StepOnce);
    frames(sandbox, 3, 10);
    sandbox.act(Action::Pause);
    frames(sandbox, 10, 10);
}

/// Plays a recording to its end, in frames of so many ms; what is said of it.
fn replay(path: &Path, ms: u64) -> (Sandbox, Option<String>, Option<String>) {
    let mut player = sandbox(Launch { scene: Some("cradle".into()), ..Launch::default() });
    player.change(Change::Scene(path.to_owned()));
    assert!(player.tape.is_playing(), "{:?}", player.trouble);
    for _ in 0..10_000 {
        frames(&mut player, 1, ms);
        if !player.tape.is_playing() {
            break;
        }
    }
    assert!(player.clock.is_paused() && !player.tape.is_playing());
    let said = (player.news.take(), player.trouble.take());
    (player, said.0, said.1)
}

#[test]
fn what_is_recorded_is_played_to_the_same_state_at_any_frame_rate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.recording");
    let mut recorded = sandbox(Launch { record: Some(path.clone()), ..impulse() });
    play_about(&mut recorded);
    recorded.act(Action::NewSeed);
    frames(&mut recorded, 20, 10);
    recorded.change(Change::Balls(33));
    play_about(&mut recorded);
    recorded.end_recording();
    assert_eq!(recorded.trouble, None);
    let end = hash(&mut recorded);
    for ms in [3, 10, 50] {
        let (mut player, news, trouble) = replay(&path, ms);
        assert_eq!((hash(&mut player), trouble), (end, None), "frames of {ms} ms");
        assert!(news.unwrap().contains(&format!("{end:016x}")));
        assert_eq!(player.run.tuning, recorded.run.tuning);
        assert_eq!((player.run.ids, player.run.balls), (recorded.run.ids, recorded.run.balls));
        assert_eq!(player.run.room.segments, recorded.run.room.segments);
    }

    let text = fs::read_to_string(&path).unwrap();
    let without_drags: Vec<&str> = text.lines().filter(|line| !line.contains("\"drag\"")).collect();
    fs::write(&path, without_drags.join("\n")).unwrap();
    let (_, news, trouble) = replay(&path, 10);
    assert!(trouble.unwrap().contains("another state than the recording after step"), "{news:?}");
}

#[test]
fn a_recording_from_the_middle_begins_with_the_state_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorded = sandbox(impulse());
    play_about(&mut recorded);
    recorded.toggle_recording(folder.path());
    assert!(recorded.tape.is_recording(), "{:?}", recorded.trouble);
    play_about(&mut recorded);
    recorded.toggle_recording(folder.path());
    let path = folder.path().join("Impulse-1.recording");
    assert!(recorded.news.take().unwrap().contains("Impulse-1.recording") && path.exists());
    let (mut player, _, trouble) = replay(&path, 7);
    assert_eq!((hash(&mut player), trouble), (hash(&mut recorded), None));
}

#[test]
fn a_replay_takes_no_hand_and_is_left_by_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.recording");
    let mut recorded = sandbox(Launch { record: Some(path.clone()), ..impulse() });
    frames(&mut recorded, 50, 10);
    recorded.end_recording();
    let mut player = sandbox(Launch { replay: Some(path), ..Launch::default() });
    assert!(player.tape.is_playing());
    frames(&mut player, 5, 10);
    player.act(Action::Bouncier);
    assert!(player.trouble.take().unwrap().contains("[Backspace]"));
    player.act(Action::Restart);
    assert!(!player.tape.is_playing() && player.trouble.is_none());
    player.act(Action::Bouncier);
    assert_eq!(player.trouble, None);
}

/// What happened in a recording of a scene, written to a file in the folder.
fn recorded(folder: &Path, scene: &str, play: impl FnOnce(&mut Sandbox)) -> PathBuf {
    let path = folder.join(format!("{scene}.recording"));
    let record = Some(path.clone());
    let mut sandbox = sandbox(Launch { record, scene: Some(scene.into()), ..Launch::default() });
    play(&mut sandbox);
    sandbox.end_recording();
    assert_eq!(sandbox.trouble, None);
    path
}

#[test]
fn an_erasure_after_a_replay_is_undone_alone() {
    let erase = |sandbox: &mut Sandbox| {
        sandbox.act(Action::Take(Tool::Erase));
        let bodies = sandbox.engine().world().unwrap().bodies;
        let place = bodies.iter().find(|body| !body.erased).unwrap().position;
        sandbox.press(sandbox.eye.camera.pixel_from_world(place));
        frames(sandbox, 5, 10);
        sandbox.release();
    };
    let erased = |sandbox: &mut Sandbox| sandbox.engine().world().unwrap().bodies.iter().filter(|b| b.erased).count();
    let folder = tempfile::tempdir().unwrap();
    let path = recorded(folder.path(), "impulse", |sandbox| {
        frames(sandbox, 100, 10);
        erase(sandbox);
    });
    let (mut player, ..) = replay(&path, 10);
    let before = erased(&mut player);
    erase(&mut player);
    assert!(before > 0 && erased(&mut player) > before, "{before}");
    player.act(Action::Undo);
    assert_eq!(erased(&mut player), before);
}

#[test]
fn who_is_steered_by_a_recording_stops_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = recorded(folder.path(), "swarm", |sandbox| {
        frames(sandbox, 2, 10);
        sandbox.steer(Vec2::X);
        frames(sandbox, 20, 10);
    });
    let (mut player, ..) = replay(&path, 10);
    assert_eq!(player.run.direction, Vec2::ZERO);
    player.play(&path);
    player.clock.pause(false);
    frames(&mut player, 10, 10);
    assert!(player.tape.is_playing() && player.run.direction == Vec2::X);
    player.let_go();
    assert_eq!((player.trouble.take(), player.run.direction), (None, Vec2::X), "that is the recording's affair");
    player.change(Change::Scene("swarm".into()));
    assert_eq!((player.trouble, player.run.direction), (None, Vec2::ZERO));
}

#[test]
fn a_next_run_that_cannot_be_built_ends_the_replay_and_not_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = recorded(folder.path(), "impulse", |sandbox| {
        frames(sandbox, 20, 10);
        sandbox.act(Action::NewSeed);
        frames(sandbox, 20, 10);
    });
    let text = fs::read_to_string(&path).unwrap();
    let second = text.rfind("{\"start\"").unwrap();
    let wrong = [&text[..second], &text[second..].replace("version = 1", "version = 99")].concat();
    assert_ne!(wrong, text);
    fs::write(&path, wrong).unwrap();
    let mut player = sandbox(impulse());
    player.play(&path);
    frames(&mut player, 100, 10);
    assert!(!player.tape.is_playing());
    assert!(player.trouble.as_ref().unwrap().contains("impulse.recording"), "{:?}", player.trouble);
}

#[test]
fn steps_of_next_to_no_time_do_not_hold_up_a_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = recorded(folder.path(), "cradle", |sandbox| frames(sandbox, 20, 10));
    let text = fs::read_to_string(&path).unwrap();
    let lengths = text.lines().map(|line| match line {
        line if line.contains("\"length_s\"") => "{\"step\": 0, \"length_s\": 1e-30}".to_owned(),
        line if line.contains("\"end\"") => line.replace("\"step\":24", "\"step\":1000000000"),
        line => line.to_owned(),
    });
    fs::write(&path, lengths.collect::<Vec<_>>().join("\n")).unwrap();
    let mut player = sandbox(impulse());
    player.play(&path);
    assert_eq!(player.trouble, None);
    frames(&mut player, 2, 10);
    assert_eq!((player.run.engine.get().steps(), player.tape.is_playing()), (2_000, true));
}

#[test]
fn a_file_that_takes_no_more_ends_the_recording_and_not_the_world() {
    let folder = tempfile::tempdir().unwrap();
    let mut full = sandbox(impulse());
    let start = full.start_of(&full.launch, &full.run).unwrap();
    let existing = folder.path().join("mine");
    fs::write(&existing, "mine").unwrap();
    assert!(Tape::record(existing.clone(), start).is_err());
    assert_eq!(fs::read_to_string(existing).unwrap(), "mine");
    let missing = folder.path().join("no such folder");
    full.toggle_recording(&missing);
    assert!(full.trouble.take().unwrap().contains("no such folder") && !full.tape.is_recording());
    frames(&mut full, 10, 10);
}

#[test]
fn a_saved_world_is_opened_where_it_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let mut saved = sandbox(impulse());
    play_about(&mut saved);
    saved.act(Action::ToggleMode);
    saved.save(folder.path());
    saved.save_csv(folder.path());
    let bodies = saved.engine().world().unwrap().bodies;
    let there = bodies.iter().filter(|body| !body.erased).count();
    assert!(there > 70, "nothing was poured");
    let path = folder.path().join("Impulse-1.ballpit");
    let mut opened = sandbox(impulse());
    opened.change(Change::Scene(path.clone()));
    assert_eq!((opened.trouble.take(), hash(&mut opened)), (None, hash(&mut saved)));
    assert_eq!(opened.run.tuning, saved.run.tuning);
    saved.clock = ballpit::Clock::new(30);
    for sandbox in [&mut saved, &mut opened] {
        frames(sandbox, 30, 40);
    }
    assert_eq!(hash(&mut opened), hash(&mut saved));
    let state = saved.run.engine.get().steps();
    saved.act(Action::Restart);
    assert!(state > 0 && hash(&mut saved) != hash(&mut opened));
    opened.act(Action::Restart);
    opened.act(Action::NewSeed);
    assert_eq!(opened.trouble, None);
    let balls = fs::read_to_string(folder.path().join("Impulse-1.csv")).unwrap().lines().count() - 1;
    assert_eq!(balls, there);

    fs::write(&path, "BALLPIT\nrubbish").unwrap();
    let before = hash(&mut opened);
    opened.change(Change::Scene(path));
    assert!(opened.trouble.take().unwrap().contains("Impulse-1.ballpit"));
    assert_eq!(hash(&mut opened), before);
}

const LONE: &str = "version = 1\ntitle = \"Lone\"\n[world]\nmin = [0, 0]\nmax = [400, 300]\n[[spawn]]\nkind = \"single\"\n\
                    radius = 50\nposition = [200, 150]\n";

#[test]
fn a_scene_file_that_changes_is_read_again_and_a_wrong_one_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lone.toml");
    fs::write(&path, LONE).unwrap();
    let mut sandbox = sandbox(Launch { scene: Some(path.clone()), ..Launch::default() });
    let x = |sandbox: &mut Sandbox| sandbox.engine().world().unwrap().bodies[0].position.x;
    let look = |sandbox: &mut Sandbox| {
        sandbox.look_at_file(Duration::from_millis(499));
        sandbox.look_at_file(Duration::from_millis(1));
        (sandbox.news.take().is_some(), sandbox.trouble.take())
    };
    assert_eq!(look(&mut sandbox), (false, None));
    let moved = LONE.replace("[200, 150]", "[100.5, 150]");
    fs::write(&path, &moved).unwrap();
    assert_eq!((look(&mut sandbox), x(&mut sandbox)), ((true, None), 100.5));
    // Half of a file, as one that is being written.
    fs::write(&path, &LONE[..60]).unwrap();
    let (_, trouble) = look(&mut sandbox);
    assert!(trouble.unwrap().contains("lone.toml:"));
    assert_eq!((look(&mut sandbox), x(&mut sandbox)), ((false, None), 100.5));
    fs::write(&path, LONE).unwrap();
    assert_eq!((look(&mut sandbox), x(&mut sandbox)), ((true, None), 200.0));
    fs::remove_file(&path).unwrap();
    assert!(look(&mut sandbox).1.unwrap().contains("is gone"));
    frames(&mut sandbox, 10, 10);
    sandbox.act(Action::Restart);
    assert_eq!((sandbox.trouble.take(), x(&mut sandbox), sandbox.run.engine.get().steps()), (None, 200.0, 0));
    sandbox.change(Change::Scene(path.clone()));
    assert!(sandbox.trouble.take().unwrap().contains("can't be read"), "opened, it is a file that is not there");
    assert_eq!((look(&mut sandbox), x(&mut sandbox)), ((false, None), 200.0));
    fs::write(&path, &moved).unwrap();
    assert_eq!((look(&mut sandbox), x(&mut sandbox)), ((true, None), 100.5));
}
