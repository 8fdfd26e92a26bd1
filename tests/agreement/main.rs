//! Both engines give the same bits: over scenes, hard paths of the grid and the solver, and whatever is done to a world
//! while it runs. Every agreement is asserted together with its opposite, a world with one ball moved by one unit in the
//! last place: a comparison that does not see that compares nothing.

#[path = "../common/mod.rs"]
mod common;
#[path = "../fuzz/readers.rs"]
mod readers;

mod actors;
mod comparison;
mod continuation;
mod devices;
mod edits;
mod friction;
mod hard_paths;
mod hostile;
mod rows;
mod scenes;
mod scripts;
mod segments;
mod sleep;
mod times;
mod wheels;

use ballpit::{Body, Engine, Gpu, Readout, Settings, World, state_hash};

use common::{cpu_engine, gpu, gpu_engine};

/// Runs `script` on both engines and fails unless they end in the same bits; then with ball `nudged` one unit in the last
/// place aside, and fails unless that shows.
#[track_caller]
fn agree(world: &World, settings: &Settings, nudged: usize, script: impl Fn(&mut dyn Engine)) {
    agree_on(gpu(), world, settings, nudged, script);
}

/// The same with a device other than the one that there is.
#[track_caller]
fn agree_on(gpu: Option<&Gpu>, world: &World, settings: &Settings, nudged: usize, script: impl Fn(&mut dyn Engine)) {
    let mut cpu = cpu_engine(world, settings);
    script(&mut *cpu);
    let on_cpu = cpu.world().unwrap();
    assert_ne!(on_cpu.bodies, world.bodies, "the script does nothing");

    let mut aside = world.clone();
    let x = &mut aside.bodies[nudged].position.x;
    *x = x.next_up();
    let mut elsewhere = cpu_engine(&aside, settings);
    script(&mut *elsewhere);
    assert_ne!(
        state_hash(&elsewhere.world().unwrap()),
        state_hash(&on_cpu),
        "one unit in the last place does not show"
    );

    let Some(gpu) = gpu else { return };
    let mut gpu = gpu_engine(gpu, world, settings);
    script(&mut *gpu);
    assert_same(&on_cpu, &gpu.world().unwrap());
    assert_eq!(readout(&mut *cpu), readout(&mut *gpu));
    assert_eq!(cpu.steps(), gpu.steps());
}

/// Steps of the settings' own length.
fn steps(count: u32, settings: &Settings) -> impl Fn(&mut dyn Engine) + use<> {
    let step_s = settings.step_s();
    move |engine| engine.step(count, step_s).unwrap()
}

#[track_caller]
fn assert_same(a: &World, b: &World) {
    let bits = |body: &Body| {
        let Body { position: p, velocity: v, radius, inverse_mass, split, spin, angle, .. } = *body;
        // Both zeros are one: no result of a step rests on a zero's sign.
        [p.x, p.y, v.x, v.y, radius, inverse_mass, split, spin, angle].map(|value| (value + 0.0).to_bits())
    };
    assert_eq!(a.bodies.len(), b.bodies.len());
    let kind = |body: &Body| (body.material, body.asleep, body.quiet_steps, body.erased);
    let same = |(a, b): &(&Body, &Body)| bits(a) == bits(b) && kind(a) == kind(b);
    let pairs: Vec<_> = a.bodies.iter().zip(&b.bodies).collect();
    let differing = pairs.iter().filter(|pair| !same(pair)).count();
    if let Some(id) = pairs.iter().position(|pair| !same(pair)) {
        panic!("ball {id} is the first of {differing} that differ:\n{:?}\n{:?}", pairs[id].0, pairs[id].1);
    }
    assert_eq!(state_hash(a), state_hash(b));
    let differing = a.slips.iter().zip(&b.slips).find(|(a, b)| a != b);
    assert_eq!((differing, a.slips.len()), (None, b.slips.len()));
}

fn readout(engine: &mut dyn Engine) -> Readout {
    engine.readout_now().unwrap()
}
