//! One run, cut or threaded as it may be.

use ballpit::{
    Actor, Character, CpuEngine, Engine, Motion, Order, Settings, Snapshot, Stop, Surface, World, state_hash,
};
use glam::Vec2;
use rayon::ThreadPoolBuilder;

use crate::assert_same;
use crate::common::{cpu_engine, crowd, engines, scene, scene_of};

#[test]
fn one_thread_or_two_give_the_same_bits() {
    let (world, settings) = scene_of("pile", 3_000);
    let run = |threads: usize, world: &World| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            assert_eq!(rayon::current_num_threads(), threads);
            let mut engine = CpuEngine::new(world.clone(), settings.clone()).unwrap();
            engine.step(100, settings.step_s()).unwrap();
            (engine.world().unwrap(), engine.readout())
        })
    };
    let (alone, together) = (run(1, &world), run(2, &world));
    assert_same(&alone.0, &together.0);
    assert_eq!(alone.1, together.1);

    let mut aside = world.clone();
    aside.bodies[1_500].position.y = aside.bodies[1_500].position.y.next_up();
    assert_ne!(run(2, &aside).0.bodies, alone.0.bodies);
}

#[test]
fn a_run_continued_from_a_saved_world_is_the_same_run() {
    for (name, first) in [("impulse", 150), ("gas", 77), ("peg", 1)] {
        let (world, settings) = scene(name);
        for mut uninterrupted in engines(&world, &settings) {
            uninterrupted.step(first, settings.step_s()).unwrap();
            let saved = uninterrupted.world().unwrap();
            uninterrupted.step(100, settings.step_s()).unwrap();
            let whole = uninterrupted.world().unwrap();
            // On the same engine and on the other.
            for mut continued in engines(&saved, &settings) {
                continued.step(100, settings.step_s()).unwrap();
                assert_same(&whole, &continued.world().unwrap());
            }
        }
    }
}

/// What a run has to go on with: a pile that rubs, with and without turning; one that sleeps; one under a piston; wheels;
/// and actors.
fn remembering() -> [(World, Settings); 6] {
    let (mut rough, settings) = scene("impulse");
    rough.materials[0].friction = 0.5;
    let rolling = Settings { rotation: true, ..settings.clone() };
    let sleepy = Settings { sleep_after_s: 0.1, ..rolling.clone() };
    let mut pressed = rough.clone();
    let motion = Motion { velocity: Vec2::new(0.0, 60.0), turn_rad_s: 0.1, period_s: 1.3, elapsed_s: 0.0 };
    pressed.surfaces.push(Surface::new(Vec2::new(500.0, 90.0), Vec2::Y).moving(motion));
    [
        (rough.clone(), settings.clone()),
        (rough.clone(), rolling.clone()),
        (rough, sleepy),
        (pressed, rolling),
        scene_of("mixer", 300),
        (crew(), settings),
    ]
}

/// Balls of which some are actors, one is frozen, one goes its own way, and one carries another.
fn crew() -> World {
    let mut world = World::new(Vec2::splat(-200.0), Vec2::splat(200.0)).with_gravity(Vec2::new(0.0, 120.0));
    let (acceleration, top_speed) = (Vec2::new(1_500.0, 900.0), Vec2::new(260.0, 180.0));
    world.add_character(Character { acceleration, top_speed, stop: Stop::Glide(700.0), ..Character::default() });
    crowd(&mut world, 150, [3.0, 9.0], 190.0, 80.0);
    world.actors = (0..60).map(|ball| Actor { layer: ball as u32 % 3, ..Actor::new(ball).of(0) }).collect();
    world.actors[7].order = Order::Freeze;
    world.actors[9].order = Order::Go(Vec2::new(0.3, -0.7));
    world.actors.push(Actor::new(140).carried_by(3, Vec2::new(25.0, 0.0)));
    world
}

#[test]
fn a_file_goes_on_to_the_bits_of_the_run_that_was_not_interrupted() {
    for (world, settings) in remembering() {
        for mut uninterrupted in engines(&world, &settings) {
            let wander = [Vec2::new(1.0, -0.5), Vec2::ZERO];
            for direction in wander {
                uninterrupted.steer(direction).unwrap();
                uninterrupted.step(200, settings.step_s()).unwrap();
            }
            let (scene, title) = (String::new(), String::new());
            let state = uninterrupted.world().unwrap();
            let saved = Snapshot { title, seed: 1, steps: 400, scene, settings: settings.clone(), world: state };
            let bytes = saved.to_bytes().unwrap();
            uninterrupted.step(100, settings.step_s()).unwrap();
            let whole = uninterrupted.world().unwrap();
            let read = Snapshot::from_bytes(&bytes, "file").unwrap();
            let mut aside = read.clone();
            // The last is a ball in each of them; a peg of a wheel would be carried to the same place.
            let x = &mut aside.world.bodies.last_mut().unwrap().position.x;
            *x = x.next_up();
            for mut continued in engines(&read.world, &read.settings) {
                continued.step(100, settings.step_s()).unwrap();
                let world = continued.world().unwrap();
                assert_same(&whole, &world);
                assert_eq!(whole.surfaces, world.surfaces);
            }
            let mut elsewhere = cpu_engine(&aside.world, &aside.settings);
            elsewhere.step(100, settings.step_s()).unwrap();
            let hashes = [&elsewhere.world().unwrap(), &whole].map(state_hash);
            assert_ne!(hashes[0], hashes[1], "one unit in the last place does not show");
        }
    }
}

#[test]
fn the_solvers_memory_belongs_to_the_saved_world() {
    let (world, settings) = scene("impulse");
    for mut uninterrupted in engines(&world, &settings) {
        uninterrupted.step(300, settings.step_s()).unwrap();
        let mut forgetful = uninterrupted.world().unwrap();
        forgetful.bodies.iter_mut().for_each(|body| body.split = 1.0);
        uninterrupted.step(30, settings.step_s()).unwrap();
        for mut continued in engines(&forgetful, &settings) {
            continued.step(30, settings.step_s()).unwrap();
            assert_ne!(continued.world().unwrap().bodies, uninterrupted.world().unwrap().bodies);
        }
    }
}

#[test]
fn steps_asked_for_at_once_or_one_by_one_are_the_same() {
    let (world, settings) = scene("impulse");
    for (mut at_once, mut singly) in engines(&world, &settings).into_iter().zip(engines(&world, &settings)) {
        at_once.step(67, settings.step_s()).unwrap();
        (0..67).for_each(|_| singly.step(1, settings.step_s()).unwrap());
        assert_same(&at_once.world().unwrap(), &singly.world().unwrap());
        singly.step(1, settings.step_s()).unwrap();
        assert_ne!(at_once.world().unwrap().bodies, singly.world().unwrap().bodies);
    }
}
