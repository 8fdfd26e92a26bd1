use super::*;
use crate::stage::contact_pass::contact_pass;
use crate::{Body, Brush, Motion, Overrides, Scene, Segment};

/// Every instruction set that the processor has.
fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![best, Level::baseline()];
    #[cfg(target_arch = "x86_64")]
    {
        levels.extend(best.as_sse4_2().map(Level::Sse4_2));
        levels.extend(best.as_avx2().map(Level::Avx2));
    }
    levels
}

/// Balls of many sizes over one another, pegs and fast balls among them, and every sixteenth block without any.
fn jumble() -> World {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(900.0)).with_gravity(Vec2::new(50.0, 900.0));
    for i in 0..2_000 {
        let place = Vec2::new((i * 137 % 931) as f32 - 15.0, (i * 59 % 917) as f32 - 8.0);
        let radius = if i % 100 == 7 { 30.0 } else { 3.0 + (i % 5) as f32 };
        let velocity = Vec2::new((i * 31 % 400) as f32 - 200.0, (i * 17 % 400) as f32 - 200.0);
        let ball = Body::ball(place, radius).moving(if i % 97 == 1 { velocity * 100.0 } else { velocity });
        world.add(if i % 150 == 3 { Body::peg(place, radius) } else { ball });
    }
    world
}

/// The jumble among segments and a surface that moves.
fn walled_jumble() -> World {
    let mut world = jumble();
    for k in 0..200 {
        let place = |n: i32| Vec2::new((n * 137 % 900) as f32, (n * 59 % 897) as f32);
        world.segments.push(Segment { radius: (k % 3) as f32, ..Segment::new(place(k + 7), place(2 * k + 60)) });
    }
    let motion = Motion { velocity: Vec2::new(0.0, -50.0), turn_rad_s: 0.1, ..Motion::default() };
    world.surfaces.push(Surface::new(Vec2::new(450.0, 880.0), Vec2::new(0.1, -1.0)).moving(motion));
    world
}

#[test]
fn lanes_of_every_width_give_the_bits_of_a_ball_by_itself() {
    let pile = Scene::named("pile").unwrap().build(&Overrides { balls: Some(3_001), seed: None }).unwrap();
    for (world, steps) in [(jumble(), 2), (jumble(), 60), (walled_jumble(), 30), (pile.clone(), 40), (pile, 400)] {
        let mut engine = CpuEngine::new(world, Settings::default()).unwrap();
        engine.step(steps, 1.0 / 120.0).unwrap();
        let before_passes = engine.course.turns().take_while(|turn| turn.stage != Stage::ContactPass);
        before_passes.for_each(|turn| engine.run(turn));
        for substeps in 0..8 {
            let kick = engine.course.params().kick(substeps, false);
            let (view, pointer) = (engine.view(kick.elapsed_s), Pointer::default());
            let count = engine.balls.bodies.len();
            let alone: Vec<Record> = (0..count).map(|i| contact_pass(&view, &kick, &pointer, i)).collect();
            for level in levels() {
                let mut lanes = engine.balls.bodies_out.clone();
                contact_passes(level, &view, (&kick, &pointer), Moved { first: 0, bodies: &mut lanes });
                let differs = |i: &usize| bytemuck::bytes_of(&lanes[*i]) != bytemuck::bytes_of(&alone[*i]);
                let first = (0..count).find(differs);
                assert_eq!(first, None, "{level:?}, {steps} steps, {substeps} substeps: a ball differs");
            }
            engine.run(Turn { stage: Stage::ContactPass, substeps, is_last: false });
        }
    }
}

#[test]
fn a_retune_that_fails_changes_nothing() {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(900.0));
    world.add(Body::ball(Vec2::splat(450.0), 5.0));
    let settings = Settings::default();
    let mut engine = CpuEngine::new(world.clone(), settings.clone()).unwrap();
    // A ball that no world may hold, so that no engine can be made anew from it.
    engine.balls.bodies[0].radius = 0.0;
    let rolling = Settings { rotation: true, ..settings.clone() };
    let before = engine.world().unwrap();
    assert!(engine.retune(&Tuning::of(&world, &rolling)).is_err());
    assert_eq!(engine.world().unwrap(), before);
    assert_eq!(engine.course.settings(), &settings);
    // What needs no engine made anew is still taken.
    let slower = Settings { passes: 5, ..settings };
    engine.retune(&Tuning::of(&world, &slower)).unwrap();
    assert_eq!(engine.course.settings(), &slower);
}

#[test]
fn a_lost_ball_shows_in_the_readout_and_is_named() {
    let world = Scene::named("impulse").unwrap().build(&Overrides::default()).unwrap();
    let nan = f32::NAN;
    let losses: [fn(&mut Record, f32); 3] = [|body, x| body.x = x, |body, x| body.y = x, |body, x| body.vx = x];
    for loss in losses {
        for value in [nan, -nan, f32::INFINITY] {
            let mut engine = CpuEngine::new(world.clone(), Settings::default()).unwrap();
            engine.step(10, 1.0 / 120.0).unwrap();
            assert!(engine.readout_now().unwrap().fastest_px_s.is_finite());
            let id = engine.balls.homes[20].id as usize;
            loss(&mut engine.balls.bodies[20], value);
            assert!(!engine.readout_now().unwrap().fastest_px_s.is_finite());
            assert_eq!(engine.world().unwrap().lost_ball(), Some(id));
        }
    }
}

#[test]
fn a_run_has_the_same_bits_on_every_instruction_set() {
    let scene = Scene::named("pile").unwrap();
    let overrides = Overrides { balls: Some(1_500), seed: None };
    let mut world = scene.build(&overrides).unwrap();
    world.materials[0].friction = 0.5;
    let settings = Settings { rotation: true, sleep_after_s: 0.2, ..scene.settings() };
    let run = |level, nudge: f32| {
        let mut world = world.clone();
        world.bodies[700].position.x += nudge;
        let mut engine = CpuEngine::new(world, settings.clone()).unwrap();
        engine.level = level;
        engine.step(150, settings.step_s()).unwrap();
        crate::state_hash(&engine.world().unwrap())
    };
    let best = run(Level::new(), 0.0);
    for level in levels() {
        assert_eq!(run(level, 0.0), best, "{level:?}");
    }
    assert_ne!(run(Level::new(), 1e-3), best, "a ball that stands elsewhere shows");
}

/// An engine that does all anew in each step, as if it knew nothing of the step before.
fn step_forgetfully(engine: &mut CpuEngine, step_s: f32) {
    engine.calm.disturb_all();
    engine.cells = Cells::new(engine.balls.bodies.len(), engine.course.params().cells);
    engine.step(1, step_s).unwrap();
}

/// What an engine knows of its balls between two steps, as words.
fn known(engine: &CpuEngine) -> [Vec<u32>; 6] {
    let Balls { bodies, homes, nearby, supporter, wake, spins, .. } = &engine.balls;
    [
        bytemuck::cast_slice(bodies).to_vec(),
        bytemuck::cast_slice(homes).to_vec(),
        bytemuck::cast_slice(nearby).to_vec(),
        supporter.clone(),
        wake.clone(),
        bytemuck::cast_slice(spins).to_vec(),
    ]
}

/// Does to a heap whatever may be done to a world, each at a step of its own.
fn meddle(engine: &mut CpuEngine, step: u32) {
    let place = |engine: &mut CpuEngine, id: usize| engine.world().unwrap().bodies[id].position;
    let edit = match step {
        40 => Edit::Add(vec![Body::ball(Vec2::new(500.0, 20.0), 9.0)]),
        80 => Edit::EraseIds(900..940),
        100 => Edit::RestoreIds(900..930),
        120 => Edit::Repel(Brush { place: place(engine, 50), radius: 60.0, speed_px_s: 200.0 }),
        160 => Edit::Segments(vec![Segment::new(Vec2::new(0.0, 300.0), Vec2::new(400.0, 350.0))]),
        200 => Edit::Segments(Vec::new()),
        20 => {
            let place = place(engine, 777);
            return engine.press(place, 1.0);
        }
        30 => return engine.release(),
        240 => {
            let (world, settings) = (engine.world().unwrap(), engine.course().settings().clone());
            return engine.retune(&Tuning::of(&world, &Settings { passes: 1, ..settings })).unwrap();
        }
        _ => return,
    };
    engine.edit(&edit).unwrap();
}

#[test]
fn what_is_passed_over_and_mended_is_as_if_all_were_done_anew() {
    let scene = Scene::named("pile").unwrap();
    let mut world = scene.build(&Overrides { balls: Some(4_000), seed: None }).unwrap();
    world.materials[0].friction = 0.3;
    let settings = Settings { rotation: true, sleep_after_s: 0.1, sleep_speed_px_s: 20.0, ..scene.settings() };
    let mut engine = CpuEngine::new(world, settings.clone()).unwrap();
    engine.step(600, settings.step_s()).unwrap();
    let mut start = engine.world().unwrap();
    let thrown = start.bodies.iter_mut().step_by(200);
    thrown.for_each(|body| (body.asleep, body.velocity) = (false, Vec2::new(300.0, -900.0)));
    // One whose turns are not all dropped at once.
    start.bodies[7].angle = 9.9e9;
    let [mut knowing, mut forgetful] = [(); 2].map(|()| CpuEngine::new(start.clone(), settings.clone()).unwrap());
    let (mut calm, mut mended) = (0, 0);
    for step in 0..320 {
        meddle(&mut knowing, step);
        meddle(&mut forgetful, step);
        let step_s = if step < 280 { settings.step_s() } else { 0.01 };
        knowing.step(1, step_s).unwrap();
        step_forgetfully(&mut forgetful, step_s);
        assert!(known(&knowing) == known(&forgetful), "step {step}");
        calm += knowing.calm.shares().iter().filter(|rest| !rest.is_unsettled()).count();
        mended += usize::from(knowing.cells.is_mended());
    }
    assert_eq!(knowing.balls.grips, forgetful.balls.grips);
    assert!(calm > 300 && mended > 30, "{calm} shares were passed over, {mended} orders mended: that tests nothing");
    // A sleeper that is moved behind the back of one of them shows: that one does not look at it.
    let calm_share = |engine: &CpuEngine| engine.calm.shares().iter().position(|rest| !rest.is_unsettled());
    let mut patience = 400;
    while calm_share(&knowing).is_none() {
        patience -= 1;
        assert!(patience > 0, "nobody falls asleep again");
        knowing.step(1, 0.01).unwrap();
        step_forgetfully(&mut forgetful, 0.01);
    }
    let sleeper = calm_share(&knowing).unwrap() * SHARE + 100;
    for engine in [&mut knowing, &mut forgetful] {
        engine.balls.bodies[sleeper].x += 300.0;
    }
    knowing.step(1, 0.01).unwrap();
    step_forgetfully(&mut forgetful, 0.01);
    assert!(known(&knowing) != known(&forgetful));
}

#[test]
fn however_many_are_erased_few_share_a_cell() {
    let world = Scene::named("pile").unwrap().build(&Overrides { balls: Some(3_000), seed: None }).unwrap();
    let mut engine = CpuEngine::new(world.clone(), Settings::default()).unwrap();
    engine.edit(&Edit::Erase { place: world.bodies[0].position, radius: 1e4, stamp: 1 }).unwrap();
    engine.step(2, 1.0 / 120.0).unwrap();
    let slots = engine.slots();
    assert!(slots.bodies.iter().all(Record::is_erased));
    assert!(slots.homes.iter().map(|home| home.id).eq(0..3_000), "in the order of their ids");
    let most = slots.cell_start.windows(2).map(|cell| cell[1] - cell[0]).max();
    assert_eq!(most, Some(crate::grid::LIMBO_IDS), "a GPU compares each with all of its cell");
}
