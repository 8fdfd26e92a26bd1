use std::sync::{Arc, Mutex};

use glam::Vec2;
use proptest::prelude::*;

use super::*;
use crate::mutation::{change, changed};
use crate::{CpuEngine, Engine, Tuning, state_hash};

/// A file that can be read while it is written.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

fn impulse() -> (Scene, World, Settings) {
    let scene = Scene::named("impulse").unwrap();
    let world = scene.build(&Overrides { balls: Some(30), seed: Some(7) }).unwrap();
    (scene.clone(), world, scene.settings())
}

/// What a hand may do, with the steps before it.
fn script(world: &World, settings: &Settings) -> Vec<(u64, Command)> {
    let mut tuning = Tuning::of(world, settings);
    tuning.gravity = Vec2::new(0.1, -333.3);
    let place = world.bodies[3].position;
    vec![
        (0, Command::Press { place, alpha: 0.3 }),
        (0, Command::Drag(place + Vec2::new(10.1, -70.7))),
        (20, Command::Drag(place + Vec2::new(100.1, -70.7))),
        (35, Command::Release),
        (50, Command::Retune(Box::new(tuning))),
    ]
}

/// Steps of changing length with the script between them: the recording, and the hash of the end.
fn recorded() -> (String, u64) {
    let (scene, world, settings) = impulse();
    let file = Shared::default();
    let overrides = Overrides { balls: Some(30), seed: Some(7) };
    let mut recorder = Recorder::begin(file.clone(), Start::of_scene(&scene, &overrides, &settings).unwrap()).unwrap();
    let mut engine = CpuEngine::new(world.clone(), settings.clone()).unwrap();
    let mut script = script(&world, &settings).into_iter().peekable();
    for step in 0..80 {
        while let Some((_, command)) = script.next_if(|&(at, _)| at == step) {
            command.apply(&mut engine).unwrap();
            recorder.command(step, command).unwrap();
        }
        let length_s = if step < 40 { settings.step_s() } else { 0.001 * (step % 7 + 1) as f32 };
        recorder.length(step, length_s).unwrap();
        engine.step(1, length_s).unwrap();
        if recorder.is_hash_due(step + 1, 25) {
            recorder.hash(step + 1, state_hash(&engine.world().unwrap())).unwrap();
        }
    }
    let hash = state_hash(&engine.world().unwrap());
    recorder.end(80, hash).unwrap();
    (file.text(), hash)
}

fn read(text: &str) -> Result<Recording> {
    Recording::read_from(text.as_bytes(), "x.recording")
}

/// The outcome of a replay, so many steps at a time.
fn replayed(text: &str, at_once: u32) -> Option<Outcome> {
    let mut player = Player::new(read(text).unwrap());
    let (_, world, settings) = player.begin().unwrap().unwrap();
    let mut engine = CpuEngine::new(world, settings).unwrap();
    while player.outcome().is_none() {
        player.step(&mut engine, at_once).unwrap();
    }
    assert!(player.begin().unwrap().is_none());
    player.outcome()
}

#[test]
fn a_replay_ends_in_the_same_state_at_any_pace() {
    let (text, hash) = recorded();
    for at_once in [1, 3, 1_000] {
        assert_eq!(replayed(&text, at_once), Some(Outcome::Same { hash }), "{at_once} steps at once");
    }
}

#[test]
fn a_replay_of_something_else_says_where_it_differs() {
    let (text, hash) = recorded();
    let x = format!("{}", f64::from(script(&impulse().1, &impulse().2)[0].1.place().unwrap().x));
    let moved = text.replacen(&x, "1.0", 1);
    assert_ne!(moved, text);
    assert!(matches!(replayed(&moved, 9), Some(Outcome::Other { step: 25, .. })), "the ball was not held");
    let other_end = text.replace(&format!("{hash:016x}"), "0123456789abcdef");
    let found = Outcome::Other { step: 80, recorded: 0x0123_4567_89ab_cdef, found: hash };
    assert_eq!(replayed(&other_end, 9), Some(found));
    let end = text.trim_end().rfind('\n').unwrap();
    assert_eq!(replayed(&text[..end], 9), Some(Outcome::Unknown));
}

impl Command {
    fn place(&self) -> Option<Vec2> {
        match self {
            Self::Press { place, .. } | Self::Drag(place) => Some(*place),
            _ => None,
        }
    }
}

#[test]
fn a_recording_may_begin_with_a_state_and_hold_several_runs() {
    let (scene, world, settings) = impulse();
    let file = Shared::default();
    let mut engine = CpuEngine::new(world, settings.clone()).unwrap();
    engine.step(50, settings.step_s()).unwrap();
    let saved = Snapshot::of(&scene, settings.clone(), engine.world().unwrap(), 50);
    let mut recorder = Recorder::begin(file.clone(), Start::of_snapshot(&saved).unwrap()).unwrap();
    recorder.length(0, settings.step_s()).unwrap();
    recorder.hash(0, state_hash(&saved.world)).unwrap();
    let whole = Start::of_scene(&scene, &Overrides::default(), &settings).unwrap();
    recorder.start(whole).unwrap();
    let hash = state_hash(&scene.build(&Overrides::default()).unwrap());
    recorder.end(0, hash).unwrap();

    let mut player = Player::new(read(&file.text()).unwrap());
    let (first, world, _) = player.begin().unwrap().unwrap();
    assert_eq!((first.steps(), &world), (50, &saved.world));
    player.step(&mut CpuEngine::new(world, settings.clone()).unwrap(), 9).unwrap();
    assert_eq!(player.outcome(), Some(Outcome::Unknown), "a restart ends a run without a last hash");
    let (_, world, _) = player.begin().unwrap().unwrap();
    assert_eq!(world.bodies.len(), 70);
    player.step(&mut CpuEngine::new(world, settings).unwrap(), 9).unwrap();
    assert_eq!(player.outcome(), Some(Outcome::Same { hash }));
}

#[test]
fn what_is_malformed_is_told_with_its_line() {
    let text = recorded().0;
    let start = text.lines().next().unwrap();
    for (second, said) in [
        ("{", "x.recording:2: EOF while parsing"),
        ("{\"step\":1}", "one of length_s, do, hash and end"),
        ("{\"step\":1,\"length_s\":0.1,\"hash\":\"0123456789abcdef\"}", "one of length_s, do, hash and end"),
        ("{\"step\":1,\"lenght_s\":0.1}", "unknown field `lenght_s`"),
        ("{\"step\":-1,\"length_s\":0.1}", "invalid value"),
        ("{\"step\":1,\"length_s\":0}", "above 0 and at most 1 s"),
        ("{\"step\":1,\"length_s\":1e40}", "x.recording:2: number out of range at column 25"),
        ("{\"step\":1,\"hash\":\"123\"}", "16 hexadecimal digits"),
        ("{\"step\":1,\"do\":{\"drag\":[1e300,0]}}", "number out of range"),
        ("{\"step\":1,\"do\":{\"press\":{\"place\":[1,0],\"alpha\":2}}}", "an alpha from 0 to 1"),
        ("{\"step\":1,\"do\":\"jump\"}", "unknown variant `jump`"),
        (
            "{\"step\":1,\"end\":\"0123456789abcdef\"}\n{\"step\":1,\"length_s\":0.1}",
            "x.recording:3: something happens",
        ),
        ("{\"step\":2,\"length_s\":0.1}\n{\"step\":1,\"length_s\":0.1}", "x.recording:3: steps do not go back"),
        ("{\"step\":4294967297,\"length_s\":0.1}", "x.recording:2: a run has at most 4,294,967,296 steps"),
        ("\u{fffd}", "x.recording:2: "),
        ("", "x.recording:2: EOF"),
    ] {
        let message = read(&format!("{start}\n{second}\n")).unwrap_err().to_string();
        assert!(message.contains(said) && message.starts_with("x.recording:"), "{second}: {message}");
    }
    for (text, said) in [
        (String::new(), "x.recording: is no recording; give a file that --record"),
        ("version = 1\n".into(), "x.recording:1: is no recording ("),
        ("{\"step\":1,\"length_s\":0.1}".into(), "after one a step"),
        (start.replace("\"version\":1}", "\"version\":2}"), "is of version 2; this program reads version 1"),
    ] {
        let message = read(&text).unwrap_err().to_string();
        assert!(message.contains(said), "{said}: {message}");
    }
}

#[test]
fn a_field_that_nobody_knows_is_quoted_in_part() {
    let start = recorded().0.lines().next().unwrap().to_owned();
    let long = format!("{start}\n{{\"{}\":1}}\n", "\\u001b".repeat(100_000));
    let message = read(&long).unwrap_err().to_string();
    assert!(message.starts_with("x.recording:2: unknown field `\\u{1b}"), "{}", &message[..100]);
    assert!(
        message.len() < 4_000 && message.ends_with("take another copy of the recording"),
        "{} bytes",
        message.len()
    );
}

#[test]
fn an_edit_that_is_refused_is_told_with_its_own_line() {
    let text = recorded().0;
    let start = text.lines().next().unwrap();
    let edit = "{\"step\":3,\"do\":{\"edit\":{\"erase\":{\"place\":[1,1],\"radius\":-2,\"stamp\":1}}}}";
    let text = format!("{start}\n{{\"step\":0,\"length_s\":0.01}}\n{{\"step\":1,\"do\":\"release\"}}\n{edit}\n");
    let mut player = Player::new(read(&text).unwrap());
    let (_, world, settings) = player.begin().unwrap().unwrap();
    let message = player.step(&mut CpuEngine::new(world, settings).unwrap(), 9).unwrap_err().to_string();
    let said = "x.recording:4: what was done after step 3 is refused: radius of a brush is -2";
    assert!(message.starts_with(said), "{message}");
}

#[test]
fn a_start_that_cannot_be_built_is_told_with_its_line() {
    let text = recorded().0;
    let begun = |text: &str| Player::new(read(text).unwrap()).begin().unwrap_err().to_string();
    let message = begun(&text.replace("kind = \\\"scatter\\\"", "kind = \\\"scotter\\\""));
    assert!(message.starts_with("x.recording:1:") && message.contains("scotter"), "{message}");
    let relief = begun(&text.replace("\"relief\":", "\"relief\":1"));
    assert!(relief.starts_with("x.recording:1: ") && relief.contains("relief is 10.8"), "{relief}");
    assert!(begun(&text.replace("\"scene\":", "\"saved\":")).contains("saved: Invalid"));
}

proptest! {
    #[test]
    fn a_recording_damaged_at_will_is_played_or_refused(changes in prop::collection::vec(change(), 1..4)) {
        let bytes = changes.iter().fold(recorded().0.into_bytes(), changed);
        // Balls and steps that are many only take long.
        let played = |recording| {
            let mut player = Player::new(recording);
            while let Some((_, world, settings)) = player.begin()?.filter(|(_, world, _)| world.bodies.len() < 1_000) {
                let mut engine = CpuEngine::new(world, settings)?;
                for _ in 0..100 {
                    player.step(&mut engine, 1)?;
                }
                assert_eq!(engine.world()?.lost_ball(), None);
            }
            Ok::<(), Error>(())
        };
        let said = Recording::read_from(&bytes[..], "x.recording").and_then(played).map_err(|error| error.to_string());
        prop_assert!(said.as_ref().err().is_none_or(|message| message.len() < 2_000), "{said:?}");
    }

    #[test]
    fn damage_never_panics(at in 0.0..1.0f64, change in 1..=255u8) {
        let mut bytes = recorded().0.into_bytes();
        let at = (at * bytes.len() as f64) as usize;
        bytes[at] ^= change;
        for bytes in [&bytes[..], &bytes[..at]] {
            if let Ok(recording) = Recording::read_from(bytes, "x") {
                let _ = Player::new(recording).begin();
            }
        }
    }
}
