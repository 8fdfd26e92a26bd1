//! What must hold of a reader, whatever it is given. The fuzzer's targets ask it of what they make up, and the tests of
//! every file in `corpus`.
#![allow(dead_code, reason = "each target asks one reader")]

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

use ballpit::{
    Command, CpuEngine, Engine, Error, Outcome, Overrides, Player, Recorder, Recording, Result, Scene,
    SequentialEngine, Settings, Snapshot, Solver, Start, World, state_hash,
};

/// Balls of the largest world that is built: more only take long.
const MOST_BALLS: usize = 300;
/// Steps of a world that is stepped.
const MOST_STEPS: u64 = 8;
/// The file's name in errors.
const NAME: &str = "x.file";

/// A scene, or an error that names its line. A scene is read again to the same, it makes the same world twice, or the
/// same error, and its world is stepped.
pub(crate) fn scene(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let scene = match Scene::parse(&text, NAME) {
        Ok(scene) => scene,
        Err(error) => return has_line(&error),
    };
    assert!(Scene::parse(scene.text(), NAME).is_ok_and(|again| again == scene), "it is read otherwise the second time");
    for overrides in [Overrides::default(), Overrides { balls: Some(40), seed: Some(1) }] {
        if balls_of(&text, overrides.balls) > MOST_BALLS {
            continue;
        }
        match (scene.build(&overrides), scene.build(&overrides)) {
            (Ok(world), Ok(again)) => {
                assert_eq!(world, again);
                stepped(world, scene.settings());
            }
            (Err(error), Err(again)) => {
                is_told(&error);
                assert_eq!(error.to_string(), again.to_string());
            }
            (first, second) => panic!("{first:?}, then {second:?}"),
        }
    }
}

/// A recording that is played, or an error that names its line. What is played and recorded again on the way is played
/// to the same state.
pub(crate) fn recording(bytes: &[u8]) {
    let recording = match Recording::read_from(bytes, NAME) {
        Ok(recording) => recording,
        Err(error) => return is_told(&error),
    };
    if bytes.split(|&byte| byte == b'\n').any(|line| balls_of_start(line) > MOST_BALLS) {
        return;
    }
    let mut player = Player::new(recording);
    while let Some(begun) = told(player.begin()).flatten() {
        let Some((again, hash)) = told(recorded_again(&mut player, begun)) else { return };
        let mut player = Player::new(Recording::read_from(&*again, NAME).expect("what is recorded is read"));
        let (_, world, settings) = player.begin().expect("it begins").expect("it has a run");
        let mut engine = engine_of(world, settings).expect("it was stepped before");
        player.step(&mut *engine, u32::MAX).expect("it was played before");
        assert_eq!(player.outcome(), Some(Outcome::Same { hash }), "{}", String::from_utf8_lossy(&again));
    }
}

/// A saved world, or an error that names the file: of the bytes as they are, and of these as what a file's frame holds,
/// so that no length and no checksum keeps the fuzzer out. A saved world is saved again to bytes that are read to the
/// same, and gone on with.
pub(crate) fn saved(bytes: &[u8]) {
    for bytes in [bytes, &framed(bytes)] {
        let Some(snapshot) = told(Snapshot::from_bytes(bytes, NAME)) else { continue };
        let again = snapshot.to_bytes().expect("what is read is sound");
        assert_eq!(Snapshot::from_bytes(&again, NAME).expect("what is saved is read"), snapshot);
        if snapshot.world.bodies.len() <= MOST_BALLS {
            stepped(snapshot.world.clone(), snapshot.settings.clone());
        }
        match Scene::of_snapshot(snapshot.clone()) {
            Ok(scene) => assert_eq!(scene.build(&Overrides::default()).expect("it is built as it is"), snapshot.world),
            Err(error) => {
                let message = error.to_string();
                assert!(message.starts_with("the scene in the saved world '") && message.len() < 2_000, "{message}");
            }
        }
    }
}

/// A header on its first line and rows after it, in a saved world's frame: what it begins with, its format's version,
/// the header's length, and a checksum.
pub(crate) fn framed(bytes: &[u8]) -> Vec<u8> {
    let line = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (header, rows) = (&bytes[..line], bytes.get(line + 1..).unwrap_or_default());
    let mut file = [b"BALLPIT\n", &1u32.to_le_bytes()[..], &(line as u32).to_le_bytes(), header, rows].concat();
    // FNV-1a.
    let sum = file
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum: u64, &byte| (sum ^ u64::from(byte)).wrapping_mul(1_099_511_628_211));
    file.extend(sum.to_le_bytes());
    file
}

/// Plays the present run, or its first steps, and records it from its first state on: the recording, and the last
/// state's hash.
fn recorded_again(player: &mut Player, (scene, world, settings): (Scene, World, Settings)) -> Result<(Vec<u8>, u64)> {
    let file = Shared::default();
    let start = Start::of_snapshot(&Snapshot::of(&scene, settings.clone(), world.clone(), 0))?;
    let mut engine = engine_of(world, settings)?;
    let mut recorder = Recorder::begin(file.clone(), start).expect("memory takes it");
    let mut made = 0;
    loop {
        let mut done = Vec::new();
        // The first time without a step: then what is done is done after those made so far.
        player.step_seen(&mut *engine, made, &mut |command: &Command| done.push(command.clone()))?;
        let step = engine.steps();
        for command in done {
            recorder.command(step, command).expect("memory takes it");
        }
        if player.outcome().is_some() || step == MOST_STEPS {
            let hash = state_hash(&engine.world()?);
            recorder.end(step, hash).expect("memory takes it");
            return Ok((file.0.take(), hash));
        }
        if player.length_s() > 0.0 {
            recorder.length(step, player.length_s()).expect("memory takes it");
        }
        made = 1;
    }
}

/// A file that is read while its writer is still there.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn engine_of(world: World, settings: Settings) -> Result<Box<dyn Engine>> {
    Ok(match settings.solver {
        Solver::Jacobi => Box::new(CpuEngine::new(world, settings)?),
        Solver::Sequential(_) => Box::new(SequentialEngine::new(world, settings)?),
    })
}

/// Two steps of a world, which lose no ball.
fn stepped(world: World, settings: Settings) {
    let step_s = settings.step_s();
    let Some(mut engine) = told(engine_of(world, settings)) else { return };
    if told(engine.step(2, step_s)).is_some() {
        assert_eq!(told(engine.world()).and_then(|world| world.lost_ball()), None);
    }
}

/// Balls that a scene's text asks for, pegs and what is carried among them, in place of the first spawner's own perhaps
/// others; none if it is no scene.
fn balls_of(text: &str, others: Option<usize>) -> usize {
    let table: toml::Table = text.parse().unwrap_or_default();
    let spawners = table.get("spawn").and_then(|spawn| spawn.as_array()).cloned().unwrap_or_default();
    let number = |spawner: &toml::Value| {
        let count = spawner.get("count").and_then(|count| count.as_integer()).unwrap_or(1);
        let carried = spawner.get("carries").and_then(|carries| carries.as_array()).map_or(0, Vec::len);
        (usize::try_from(count).unwrap_or_default().max(others.unwrap_or(0))).saturating_mul(1 + carried)
    };
    spawners.iter().map(number).fold(0, usize::saturating_add)
}

/// The same of a recording's line.
fn balls_of_start(line: &[u8]) -> usize {
    let line: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
    let start = &line["start"];
    let balls = start["balls"].as_u64().map(|balls| balls as usize);
    balls_of(start["scene"].as_str().unwrap_or_default(), balls)
}

/// What came of it, unless it is an error, which must be told.
#[track_caller]
fn told<T>(result: Result<T>) -> Option<T> {
    result.map_err(|error| is_told(&error)).ok()
}

/// An error names its place or what was refused, in few words.
#[track_caller]
fn is_told(error: &Error) {
    let message = error.to_string();
    assert!(message.len() < 2_000, "{} bytes: {message}", message.len());
    match error {
        Error::Scene { place, message } => assert!(place.starts_with(NAME) && !message.is_empty(), "{error}"),
        Error::Value { name, accepted, .. } => assert!(!name.is_empty() && !accepted.is_empty(), "{error}"),
        other => panic!("{other} says nothing of the file"),
    }
}

/// The same of an error that a scene's reader gives, which names its line.
#[track_caller]
fn has_line(error: &Error) {
    is_told(error);
    let message = error.to_string();
    let line = message.strip_prefix(NAME).and_then(|rest| rest.strip_prefix(':')?.split(':').next());
    assert!(line.is_some_and(|line| line.parse::<usize>().is_ok()), "{message}");
}
