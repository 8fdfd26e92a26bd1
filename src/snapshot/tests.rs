use glam::Vec2;
use proptest::prelude::*;

use super::*;
use crate::{Body, Motion, Overrides, Partner, Slip, Solver};

/// A world with something of everything, numbers that decimals only approach among it.
fn rich() -> Snapshot {
    let mut world = World::new(Vec2::new(-1.0, 0.1), Vec2::new(200.3, 100.0)).with_gravity(Vec2::new(0.1, 900.7));
    world.drag_per_s = 1e-7;
    world.materials.push(Material { friction: 0.3, ..Material::new("\"slope\"\n", 0.2) });
    let motion = Motion { velocity: Vec2::new(0.3, -50.0), turn_rad_s: 0.1, period_s: 3.3, elapsed_s: 12.3 / 7.0 };
    world.surfaces.push(Surface { material: Some(1), ..Surface::new(Vec2::ONE, Vec2::new(0.1, -1.0)).moving(motion) });
    world.segments.push(Segment { material: 1, ..Segment::new(Vec2::ONE, Vec2::splat(50.1)) });
    let odd = Body { split: 1.7, spin: -0.3, angle: 6.2, quiet_steps: 77, ..Body::ball(Vec2::splat(30.1), 3.3) };
    world.bodies = vec![odd.moving(Vec2::new(-0.0, 1e-40)), Body { asleep: true, ..odd }, Body::peg(Vec2::ONE, 2.0)];
    world.bodies[1].erased = true;
    let slip = |partner| Slip { ball: 0, partner, px: 0.1 };
    world.slips = [Partner::Ball(1), Partner::Piece(2), Partner::Surface(4)].map(slip).into();
    let solver = Solver::Sequential("ckb".parse().unwrap());
    let settings = Settings { solver, relief: 0.7, rate_hz: 77, ..Settings::default() };
    Snapshot { title: "Rich".into(), seed: u64::MAX, steps: 1 << 60, scene: String::new(), settings, world }
}

fn message(bytes: &[u8]) -> String {
    Snapshot::from_bytes(bytes, "x.ballpit").unwrap_err().to_string()
}

#[test]
fn everything_reads_back_to_the_same_bits() {
    let (saved, bytes) = (rich(), rich().to_bytes().unwrap());
    let read = Snapshot::from_bytes(&bytes, "x").unwrap();
    assert_eq!(read, saved);
    assert!(read.world.bodies[0].velocity.x.is_sign_negative(), "equal numbers may have other bits");
    assert_eq!(read.to_bytes().unwrap(), bytes);
    let mut other = rich();
    other.world.slips[1].px = 0.1f32.next_up();
    assert_ne!(other.to_bytes().unwrap(), bytes);
}

#[test]
fn a_damaged_file_is_told_with_what_to_do() {
    let bytes = rich().to_bytes().unwrap();
    for (bytes, said) in [
        (&bytes[..bytes.len() - 1], "before 1 more; take another copy"),
        (&bytes[..100], "it ends at byte 100"),
        (&bytes[..3], "it ends at byte 3"),
        (b"version = 1", "is no saved world"),
        (&[&bytes[..], b"\n"].concat(), &format!("it goes on after byte {}", bytes.len())),
        (&[&MAGIC[..], &9u32.to_le_bytes()].concat(), "is of version 9; this program reads version 1"),
        (&[&MAGIC[..], &1u32.to_le_bytes(), &[255; 4]].concat(), "its header would have 4294967295 bytes"),
    ] {
        let message = message(bytes);
        assert!(message.starts_with("x.ballpit: ") && message.contains(said), "{message}");
    }
}

/// The file with its header's text changed, and the length and checksum of that.
fn with_header(from: &str, to: &str) -> Vec<u8> {
    let bytes = rich().to_bytes().unwrap();
    let end = 16 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let header = String::from_utf8(bytes[16..end].to_vec()).unwrap();
    assert!(header.contains(from), "{header}");
    let header = header.replace(from, to);
    let mut changed = [&bytes[..12], &(header.len() as u32).to_le_bytes(), header.as_bytes()].concat();
    changed.extend(&bytes[end..bytes.len() - 8]);
    changed.extend(fnv(&changed).to_le_bytes());
    changed
}

#[test]
fn what_a_header_may_not_say_is_refused_before_memory_is_taken() {
    Snapshot::from_bytes(&with_header("77", "78"), "x").unwrap();
    for (from, to, said) in [
        ("\"bodies\":3", "\"bodies\":67108865", "67108865 rows where there may be 67108864"),
        ("\"bodies\":3", "\"bodies\":67108864", "it ends at byte"),
        ("\"bodies\":3", "\"bodies\":18446744073709551615", "rows where there may be"),
        ("\"bodies\":3", "\"bodies\":-3", "header: invalid value"),
        ("\"bodies\":3", "\"bodies\":2", "checksum"),
        ("\"seed\"", "\"sead\"", "unknown field `sead`"),
        ("\"rate_hz\":77", "\"rate_hz\":0", "rate is 0"),
        ("\"sequential\":\"ckb\"", "\"sequential\":\"cxb\"", "'x' is no stage"),
        ("\"material\":1", "\"material\":7", "material of surface 4"),
    ] {
        let message = message(&with_header(from, to));
        assert!(message.contains(said), "{to}: {message}");
    }
}

#[test]
fn what_a_header_says_is_quoted_in_part() {
    let message = message(&with_header("\"seed\"", &format!("\"{}\"", "x".repeat(100_000))));
    assert!(message.contains("unknown field `xxx") && message.len() < 1_000, "{} bytes", message.len());
}

#[test]
fn a_scene_that_is_none_in_a_saved_world_is_told_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.ballpit");
    Snapshot { title: "t".repeat(100_000), scene: "version = 1\nnone".into(), ..rich() }.write(&path).unwrap();
    let message = Scene::read(&path).unwrap_err().to_string();
    let begun = format!("{}: the scene in the saved world 'ttt", path.display());
    assert!(
        message.starts_with(&begun) && message.contains(":2: ") && message.len() < 1_000,
        "{} bytes",
        message.len()
    );
}

#[test]
fn a_world_that_cannot_be_gone_on_with_is_not_saved() {
    let mut lost = rich();
    lost.world.bodies[1].position.x = f32::NAN;
    assert!(lost.to_bytes().unwrap_err().to_string().contains("position x of ball 1"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.ballpit");
    assert!(lost.write(&path).is_err() && !path.exists());
    rich().write(&path).unwrap();
    assert!(lost.write(&path).is_err());
    assert_eq!(Snapshot::read(&path).unwrap(), rich(), "the old file is left");
}

#[test]
fn a_saved_world_is_a_scene_that_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no-ending");
    let scene = Scene::named("impulse").unwrap();
    let mut world = scene.build(&Overrides::default()).unwrap();
    world.bodies[3].position.x += 1.0;
    let settings = Settings { rate_hz: 77, ..scene.settings() };
    Snapshot::of(&scene, settings.clone(), world.clone(), 12).write(&path).unwrap();
    let saved = Scene::open(&path).unwrap();
    assert_eq!(saved.build(&Overrides::default()).unwrap(), world);
    assert_eq!((saved.settings(), saved.steps(), saved.default_balls()), (settings.clone(), 12, 70));
    assert_eq!(Snapshot::of(&saved, settings.clone(), world.clone(), 5).steps, 17);
    let other = Overrides { balls: Some(20), seed: Some(5) };
    assert_eq!(saved.build(&other).unwrap(), scene.build(&other).unwrap());

    let bare = Snapshot { scene: String::new(), ..Snapshot::of(&scene, settings, world.clone(), 0) };
    let bare = Scene::of_snapshot(bare).unwrap();
    assert_eq!(bare.build(&Overrides::default()).unwrap(), world);
    assert!(bare.build(&other).unwrap_err().to_string().contains("saved without the scene"));
}

proptest! {
    #[test]
    fn no_damage_goes_unseen(at in 0.0..1.0f64, change in 1..=255u8) {
        let mut bytes = rich().to_bytes().unwrap();
        let at = (at * bytes.len() as f64) as usize;
        bytes[at] ^= change;
        prop_assert!(Snapshot::from_bytes(&bytes, "x").is_err());
        prop_assert!(Snapshot::from_bytes(&bytes[..at], "x").is_err());
    }

    #[test]
    fn floats_of_the_header_read_back_to_the_last_bit(bits in any::<[u32; 2]>()) {
        let [x, y] = bits.map(|bits| f32::from_bits(bits & 0x807f_ffff | (bits >> 1 & 0x3f00_0000)));
        let mut saved = rich();
        saved.world.gravity = Vec2::new(x, y).clamp(Vec2::splat(-1e6), Vec2::splat(1e6));
        let read = Snapshot::from_bytes(&saved.to_bytes().unwrap(), "x").unwrap();
        prop_assert_eq!(read.world.gravity.to_array().map(f32::to_bits), saved.world.gravity.to_array().map(f32::to_bits));
    }
}
