//! Each stage by itself: from equal inputs, equal outputs on both engines.

use std::io::Write;

use glam::Vec2;

use super::*;
use crate::stage::apply_forces::find_calm;
use crate::stage::contact_pass::in_two;
use crate::stage::find_ground::GROUND;
use crate::stage::friction_pass::{GRIPS, Grip};
use crate::stage::list_contacts::Nearby;
use crate::stage::{Buffer, NONE, SLOTS, WORKGROUP, find_awake};
use crate::step::{Turn, turns};
use crate::{Actor, Body, Brush, Character, Edit, Motion, Order, Overrides, Scene, Segment, Stop, Surface};

/// The device as it runs every world by the kernels of one dialect, then by those of the other, if it has two.
fn gpus() -> Vec<Gpu> {
    match Gpu::open() {
        Err(error) if std::env::var("BALLPIT_GPU").is_ok_and(|value| value == "required") => panic!("{error}"),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "skipped on the GPU: {error}");
            Vec::new()
        }
        Ok(gpu) if gpu.software_from == u32::MAX => vec![gpu],
        Ok(gpu) => {
            let stepped = |software_from| {
                let mut gpu = gpu.clone();
                gpu.software_from = software_from;
                gpu
            };
            [0, u32::MAX].map(stepped).into()
        }
    }
}

/// Both engines after some steps of the CPU's, with equal states.
struct Bench {
    cpu: CpuEngine,
    gpu: GpuEngine,
}

impl Bench {
    fn new(gpu: &Gpu, world: &World, settings: &Settings, steps: u32) -> Self {
        let mut cpu = CpuEngine::new(world.clone(), settings.clone()).unwrap();
        cpu.step(steps, settings.step_s()).unwrap();
        // Surfaces have moved meanwhile.
        let moved = World { surfaces: cpu.surfaces().to_vec(), ..world.clone() };
        let mut gpu = GpuEngine::new(gpu, moved, settings.clone(), Arithmetic::Exact).unwrap();
        gpu.load(&cpu.slots());
        Self { cpu, gpu }
    }

    /// Sends the actors in a direction, if there are any.
    fn steer(&mut self, direction: Vec2) {
        self.cpu.steer(direction).unwrap();
        self.gpu.steer(direction).unwrap();
    }

    /// The turns of a step with every stage that the world has a use for.
    fn turns(&self, passes: u32) -> impl Iterator<Item = Turn> + use<> {
        turns(passes, true, true, self.cpu.course().traits())
    }

    /// Runs a stage on both engines and says what of its outputs differs.
    fn run(&mut self, turn: Turn) -> Vec<&'static str> {
        self.cpu.run(turn);
        self.gpu.run(turn);
        let ours = self.cpu.slots();
        let (bodies, homes) = self.gpu.read_slots().unwrap();
        let mut differing = Vec::new();
        let mut check = |name, same: bool| {
            if !same {
                differing.push(name);
            }
        };
        check("bodies", words_of(ours.bodies) == words_of(&bodies));
        check("homes", words_of(ours.homes) == words_of(&homes));
        if turn.stage == Stage::GridScan {
            let theirs = self.gpu.words(Buffer::CellStart, ours.cell_start.len());
            check("cell starts", ours.cell_start == theirs);
            let left = self.gpu.words(Buffer::CellCount, ours.cell_start.len());
            check("cell counts", left.iter().all(|&count| count == 0));
        }
        if turn.stage == Stage::ListContacts {
            let theirs = self.gpu.words(Buffer::Nearby, 2 * bodies.len());
            check("counts and surfaces", words_of(ours.nearby) == theirs);
            check("candidates", self.same_candidates());
        }
        if matches!(turn.stage, Stage::CarrySpins | Stage::FrictionPass) {
            check("spins", words_of(ours.spins) == words_of(&self.gpu.read_spins().unwrap()));
        }
        if matches!(turn.stage, Stage::CarryGrips | Stage::FrictionPass) {
            check("grips", known(ours.grips) == known(&self.gpu.read_grips().unwrap()));
        }
        if turn.stage == Stage::Steer {
            check("actors", words_of(ours.actors) == words_of(&self.gpu.read_actors().unwrap()));
        }
        if matches!(turn.stage, Stage::ListContacts | Stage::FindGround) {
            check("supporters", ours.supporter == self.gpu.words(Buffer::Supporter, bodies.len()));
        }
        differing
    }

    /// What of the balls' own differs between two steps.
    fn differing_balls(&self) -> Vec<&'static str> {
        let ours = self.cpu.slots();
        let (bodies, homes) = self.gpu.read_slots().unwrap();
        let spins = self.gpu.read_spins().unwrap();
        let wake = self.gpu.words(Buffer::Wake, ours.wake.len());
        let same = [
            ("bodies", words_of(ours.bodies) == words_of(&bodies)),
            ("homes", words_of(ours.homes) == words_of(&homes)),
            ("spins", words_of(ours.spins) == words_of(&spins)),
            ("wake", ours.wake == wake),
        ];
        same.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
    }

    /// Whether every list that is kept holds the same slots in the same order.
    fn same_candidates(&self) -> bool {
        let ours = self.cpu.slots();
        let count = ours.bodies.len();
        let theirs = self.gpu.words(Buffer::Candidates, count * SLOTS as usize);
        (0..count).all(|i| {
            let nearby = ours.nearby[i];
            let listed = if nearby.is_crowded() { 0 } else { nearby.candidates as usize };
            ours.lists.of(i).take(listed).enumerate().all(|(s, j)| j == theirs[s * count + i])
        })
    }

    /// Moves a ball on the GPU by one unit in the last place.
    fn nudge(&mut self, slot: usize) {
        let slots = self.cpu.slots();
        let mut bodies = slots.bodies.to_vec();
        bodies[slot].x = bodies[slot].x.next_up();
        self.gpu.load(&crate::engine::Slots { bodies: &bodies, ..slots });
    }

    /// Id + 1 and slot of what each engine's pointer holds, the CPU's first.
    fn held(&self) -> [[u32; 2]; 2] {
        let slot = self.cpu.held_slot();
        let ours = slot.map_or([0, 0], |slot| [self.cpu.homes()[slot].id + 1, slot as u32]);
        let theirs = self.gpu.words(Buffer::Held, 2);
        [ours, [theirs[0], theirs[1]]]
    }
}

/// Partners, and bits of the slips on them, as far as each list reaches.
fn known(grips: &[Grip]) -> Vec<(u32, u32)> {
    let lists = grips.chunks(GRIPS as usize).flat_map(|grips| {
        let (of_balls, of_surfaces) = grips.split_at(SLOTS as usize);
        [of_balls, of_surfaces]
    });
    let known = lists.flat_map(|list| list.iter().take_while(|grip| grip.partner != NONE));
    known.map(|grip| (grip.partner, canonical_bits(grip.slip))).collect()
}

/// The bits of records, both zeros as one.
fn words_of<T: bytemuck::Pod>(records: &[T]) -> Vec<u32> {
    let words: &[u32] = bytemuck::cast_slice(records);
    words.iter().map(|&word| if word == 1 << 31 { 0 } else { word }).collect()
}

fn pile() -> (World, Settings) {
    let scene = Scene::named("pile").unwrap();
    (scene.build(&Overrides { balls: Some(1_000), seed: None }).unwrap(), scene.settings())
}

/// Balls of 2 to 60 px over one another, pegs among them: several grid levels, and lists that overflow.
fn jumble() -> (World, Settings) {
    let mut world = World::new(Vec2::ZERO, Vec2::splat(400.0)).with_gravity(Vec2::new(50.0, 900.0));
    for i in 0..700 {
        let place = Vec2::new((i * 137 % 431) as f32 - 15.0, (i * 59 % 417) as f32 - 8.0);
        let radius = if i % 100 == 7 { 60.0 } else { 2.0 + (i % 5) as f32 };
        let velocity = Vec2::new((i * 31 % 200) as f32 - 100.0, (i * 17 % 200) as f32 - 100.0);
        world.add(if i % 50 == 3 { Body::peg(place, radius) } else { Body::ball(place, radius).moving(velocity) });
    }
    (world, Settings::default())
}

/// The same world where everything rubs and turns.
fn rubbing((mut world, mut settings): (World, Settings)) -> (World, Settings) {
    world.materials[0].friction = 0.5;
    for (body, k) in world.bodies.iter_mut().zip(0..) {
        body.spin = (k * 37 % 41 - 20) as f32;
    }
    settings.rotation = true;
    (world, settings)
}

/// The same world among segments, with a surface that moves.
fn walled((mut world, settings): (World, Settings)) -> (World, Settings) {
    for k in 0..40 {
        let place = |n: i32| Vec2::new((n * 137 % 400) as f32, (n * 59 % 397) as f32);
        world.segments.push(Segment { radius: (k % 3) as f32, ..Segment::new(place(k + 7), place(2 * k + 60)) });
    }
    let motion = Motion { velocity: Vec2::new(0.0, -50.0), turn_rad_s: 0.1, ..Motion::default() };
    world.surfaces.push(Surface::new(Vec2::new(200.0, 390.0), Vec2::new(0.1, -1.0)).moving(motion));
    (world, settings)
}

/// The same world with actors of every kind and layer among its movable balls: driven, frozen, and some carried.
fn acting((mut world, mut settings): (World, Settings)) -> (World, Settings) {
    let character = |top_speed, drag_per_s, stop| Character {
        acceleration: Vec2::new(700.0, 1_100.0),
        top_speed,
        drag_per_s,
        stop,
        ..Character::default()
    };
    world.add_character(character(Vec2::new(200.0, 120.0), None, Stop::Dead));
    world.add_character(character(Vec2::new(90.0, 0.0), Some(1.8), Stop::Glide(300.0)));
    let movable = |ball: &usize| world.bodies[*ball].is_movable();
    for ball in (0..world.bodies.len()).filter(movable).step_by(3) {
        let order = match ball % 7 {
            0 => Order::Freeze,
            1 | 2 => Order::Go(Vec2::new(0.3 * (ball % 5) as f32 - 0.6, -0.8)),
            _ => Order::Follow,
        };
        let thrust = Vec2::new((ball % 300) as f32 - 150.0, 40.0);
        world.actors.push(Actor { layer: ball as u32 % 8, thrust, order, ..Actor::new(ball).of(ball % 2) });
    }
    let last = world.bodies.len() - 1;
    world.actors.retain(|actor| actor.ball + 2 < last);
    world.actors.push(Actor::new(last - 1).carried_by(world.actors[9].ball, Vec2::new(0.0, -30.0)));
    world.actors.push(Actor::new(last).carried_by(1, Vec2::new(15.0, 0.0)));
    settings.layers = !0b100;
    (world, settings)
}

#[test]
fn every_stage_gives_the_same_from_the_same() {
    for gpu in gpus() {
        for (world, settings) in [
            pile(),
            jumble(),
            rubbing(pile()),
            rubbing(jumble()),
            walled(rubbing(jumble())),
            acting(pile()),
            acting(walled(rubbing(jumble()))),
        ] {
            for steps in [0, 1, 40] {
                let mut bench = Bench::new(&gpu, &world, &settings, steps);
                bench.steer(Vec2::new(1.0, -0.4));
                for turn in bench.turns(settings.passes) {
                    assert_eq!(bench.run(turn), Vec::<&str>::new(), "{turn:?} after {steps} steps");
                }
                let nearby = bench.cpu.slots().nearby;
                assert!(nearby.iter().any(|nearby| nearby.candidates > 0), "no ball has a candidate");
                assert!(nearby.iter().any(|nearby| nearby.surfaces > 0), "no ball is near a surface");
                assert!(bench.cpu.slots().supporter.contains(&GROUND), "no ball stands on the ground");
                let slips = bench.cpu.world().unwrap().slips;
                assert!(!settings.rotation || steps < 40 || slips.len() > 100, "few slips where all rubs");
                assert!(settings.rotation || slips.is_empty(), "slips where nothing rubs");
            }
        }
    }
}

#[test]
fn the_jumble_overflows_lists() {
    let (world, settings) = jumble();
    let mut engine = CpuEngine::new(world, settings.clone()).unwrap();
    engine.step(1, settings.step_s()).unwrap();
    let nearby = engine.slots().nearby;
    assert!(nearby.iter().any(Nearby::is_crowded) && !nearby.iter().all(Nearby::is_crowded));
}

#[test]
fn one_unit_in_the_last_place_shows_after_any_stage_that_writes_balls() {
    for gpu in gpus() {
        let (world, settings) = acting(rubbing(pile()));
        let settings = Settings { passes: 1, ..settings };
        let writes_balls = [
            Stage::Steer,
            Stage::ApplyForces,
            Stage::ListContacts,
            Stage::FrictionPass,
            Stage::ContactPass,
            Stage::Follow,
        ];
        let mut bench = Bench::new(&gpu, &world, &settings, 40);
        for turn in bench.turns(settings.passes) {
            if writes_balls.contains(&turn.stage) {
                bench.nudge(500);
                let slots = bench.cpu.slots();
                assert!(slots.bodies[500].x > 1.0, "a place at which a unit in the last place lasts");
                assert!(bench.run(turn).contains(&"bodies"), "{turn:?}");
                bench.gpu.load(&bench.cpu.slots());
            } else {
                assert_eq!(bench.run(turn), Vec::<&str>::new(), "{turn:?}");
            }
        }
    }
}

#[test]
fn a_press_holds_the_same_ball_and_the_next_step_finds_it_in_its_new_slot() {
    for gpu in gpus() {
        let (world, settings) = jumble();
        let mut bench = Bench::new(&gpu, &world, &settings, 3);
        let mut taken = 0;
        for k in 0..40 {
            let place = Vec2::new((k * 83 % 400) as f32, (k * 149 % 400) as f32);
            bench.cpu.press(place, 0.25 * (k % 5) as f32);
            bench.gpu.press(place, 0.25 * (k % 5) as f32);
            let [ours, theirs] = bench.held();
            assert_eq!(ours[0], theirs[0], "held at {place}");
            taken += u32::from(ours[0] > 0);
            bench.cpu.step(1, settings.step_s()).unwrap();
            bench.gpu.step(1, settings.step_s()).unwrap();
            let [ours, theirs] = bench.held();
            assert_eq!(ours[0], theirs[0]);
            assert!(ours[0] == 0 || ours == theirs, "slots {ours:?} and {theirs:?}");
        }
        assert!((5..40).contains(&taken), "{taken} of 40 presses take a ball");
        bench.cpu.release();
        bench.gpu.release();
        assert_eq!(bench.held().map(|held| held[0]), [0, 0]);
    }
}

#[test]
fn strokes_of_the_brush_are_the_same_and_a_wider_one_is_not() {
    for gpu in gpus() {
        let place = Vec2::new(200.0, 180.0);
        let brush = Brush { place, radius: 120.0, speed_px_s: 333.0 };
        let edits = [
            Edit::Attract(brush),
            Edit::Repel(brush),
            Edit::Erase { place, radius: 90.0, stamp: 4 },
            Edit::RestoreStamped(4),
            Edit::EraseStamped(4),
            Edit::EraseIds(100..140),
            Edit::RestoreIds(0..700),
        ];
        for (world, settings) in [rubbing(jumble()), (jumble().0, jumble().1.with_sleep())] {
            let mut bench = Bench::new(&gpu, &world, &settings, 200);
            let mut before = bench.cpu.slots().bodies.to_vec();
            for edit in &edits {
                bench.cpu.edit(edit).unwrap();
                bench.gpu.edit(edit).unwrap();
                assert_eq!(bench.differing_balls(), Vec::<&str>::new(), "{edit:?}");
                let after = bench.cpu.slots().bodies.to_vec();
                assert_ne!(words_of(&before), words_of(&after), "{edit:?} does nothing");
                before = after;
            }
            bench.cpu.edit(&Edit::Repel(brush)).unwrap();
            bench.gpu.edit(&Edit::Repel(Brush { radius: 121.0, ..brush })).unwrap();
            assert_eq!(bench.differing_balls(), ["bodies"]);
        }
    }
}

#[test]
fn the_blocks_that_are_awake_are_those_with_a_ball_awake() {
    for gpu in gpus() {
        let (world, settings) = pile();
        let settings = Settings { sleep_after_s: 0.05, sleep_speed_px_s: 60.0, ..settings };
        let mut bench = Bench::new(&gpu, &world, &settings, 400);
        // Who is held is awake.
        let place = bench.cpu.world().unwrap().bodies[500].position;
        bench.cpu.press(place, 1.0);
        bench.gpu.press(place, 1.0);
        for turn in bench.turns(settings.passes) {
            assert_eq!(bench.run(turn), Vec::<&str>::new(), "{turn:?}");
        }
        let slots = bench.cpu.slots();
        let blocks = slots.bodies.chunks(WORKGROUP as usize);
        let is_awake: Vec<bool> = blocks.map(|block| block.iter().any(|body| !body.is_asleep())).collect();
        let words = bench.gpu.words(Buffer::AwakeBlocks, find_awake::words(slots.bodies.len() as u64) as usize);
        let mut listed: Vec<usize> =
            words[find_awake::BLOCKS as usize..].iter().step_by(2).map(|&block| block as usize).collect();
        listed.truncate(words[find_awake::LISTED as usize] as usize);
        listed.sort_unstable();
        let awake: Vec<usize> = (0..is_awake.len()).filter(|&block| is_awake[block]).collect();
        assert_eq!(listed, awake);
        assert_eq!(words[..3], [awake.len() as u32, 1, 1], "the dispatch");
        assert!(!awake.is_empty() && awake.len() < is_awake.len(), "{} of {} blocks", awake.len(), is_awake.len());
    }
}

#[test]
fn a_world_in_which_all_sleep_is_passed_over_until_something_stirs() {
    for gpu in gpus() {
        let (world, settings) = pile();
        let settings = Settings { sleep_after_s: 0.05, sleep_speed_px_s: 60.0, ..settings };
        let mut bench = Bench::new(&gpu, &world, &settings, 900);
        assert!(bench.cpu.slots().bodies.iter().all(Record::is_asleep), "not all sleep");
        let step = |bench: &mut Bench| -> Vec<u32> {
            bench.cpu.step(1, settings.step_s()).unwrap();
            bench.gpu.step(1, settings.step_s()).unwrap();
            assert_eq!(bench.differing_balls(), Vec::<&str>::new());
            bench.gpu.words(Buffer::Calm, find_calm::WORDS as usize)
        };
        let full = [16, 1, 1];
        for (calm, dispatched) in [(1, full), (2, full), (3, [0; 3]), (3, [0; 3]), (3, [0; 3])] {
            let words = step(&mut bench);
            assert_eq!((words[find_calm::CALM_STEPS as usize], &words[..3]), (calm, &dispatched[..]));
            assert_eq!(words[4] > 0, calm < 3, "{words:?}");
        }
        let place = bench.cpu.world().unwrap().bodies[500].position;
        bench.cpu.press(place, 1.0);
        bench.gpu.press(place, 1.0);
        let words = step(&mut bench);
        assert_eq!((words[find_calm::CALM_STEPS as usize], &words[..3]), (0, &full[..]));
    }
}

#[test]
fn loads_are_the_same() {
    for gpu in gpus() {
        for (world, settings) in [pile(), jumble()] {
            let mut bench = Bench::new(&gpu, &world, &settings, 60);
            for turn in bench.turns(settings.passes) {
                bench.run(turn);
            }
            bench.gpu.run(Turn::of(Stage::Weigh));
            let ours = bench.cpu.loads_by_slot().to_vec();
            let theirs = bench.gpu.words(Buffer::Load, ours.len());
            assert!(ours.iter().filter(|&&load| load > 0.0).count() > ours.len() / 4, "few balls bear a load");
            assert_eq!(words_of(&ours), theirs);
        }
    }
}

#[test]
fn measures_are_the_same() {
    for gpu in gpus() {
        for (world, settings) in [pile(), jumble()] {
            let mut bench = Bench::new(&gpu, &world, &settings, 60);
            for turn in bench.turns(settings.passes) {
                bench.run(turn);
            }
            bench.gpu.readout();
            bench.gpu.world().unwrap();
            let (ours, theirs) = (bench.cpu.readout(), bench.gpu.readout());
            assert_eq!(ours, theirs);
            assert!(ours.contacts > 0 && ours.fastest_px_s > 0.0 && ours.deepest_overlap_px > 0.0, "{ours:?}");
        }
    }
}

#[test]
fn only_who_is_crowded_or_in_an_impact_is_left_to_the_second_kernel() {
    for gpu in gpus().into_iter().filter(|gpu| gpu.software_from == 0) {
        let mut world = World::new(Vec2::ZERO, Vec2::splat(2_000.0)).with_gravity(Vec2::ZERO);
        let radius = 4.0;
        let place = |pair: usize| Vec2::new(100.0 + (pair % 20) as f32 * 90.0, 100.0 + (pair / 20) as f32 * 40.0);
        // Of a hundred pairs that overlap at rest, every fourth is two balls that are about to meet in place of that.
        for pair in 0..100 {
            let (apart, speed) = if usize::is_multiple_of(pair, 4) { (0.1, 300.0) } else { (-0.1, 0.0) };
            let across = Vec2::new(2.0 * radius + apart, 0.0);
            world.add(Body::ball(place(pair), radius).moving(Vec2::new(speed, 0.0)));
            world.add(Body::ball(place(pair) + across, radius).moving(Vec2::new(-speed, 0.0)));
        }
        // Each has more candidates than a list holds.
        for k in 0..30 {
            world.add(Body::ball(Vec2::new(1_000.0 + 0.3 * k as f32, 1_500.0), radius));
        }
        let settings = Settings::default();
        let mut bench = Bench::new(&gpu, &world, &settings, 0);
        let mut passes = 0;
        for turn in bench.turns(settings.passes) {
            assert_eq!(bench.run(turn), Vec::<&str>::new(), "{turn:?}");
            if turn.stage != Stage::ContactPass {
                continue;
            }
            let words =
                bench.gpu.words(Buffer::Deferred, in_two::words(bench.cpu.slots().bodies.len() as u64) as usize);
            let waiting = words[in_two::WAITING as usize] as usize;
            let (_, homes) = bench.gpu.read_slots().unwrap();
            let list = words[in_two::DEFERRED as usize..][..waiting].iter();
            let mut ids: Vec<u32> = list.map(|&slot| homes[slot as usize].id).collect();
            ids.sort_unstable();
            let is_meeting = |id: &u32| passes == 0 && *id < 200 && (id / 2).is_multiple_of(4);
            let expected: Vec<u32> = (0..230).filter(|id| is_meeting(id) || *id >= 200).collect();
            assert_eq!(ids, expected, "after {passes} passes");
            assert_eq!(words[..3], [waiting.div_ceil(WORKGROUP as usize) as u32, 1, 1], "the dispatch");
            passes += 1;
        }
        assert_eq!(passes, settings.passes);
    }
}
