//! The CPU engine: the stages over slices, on rayon's threads. It is the reference, and the engine of a machine
//! without a GPU. Its bits do not depend on the number of threads: every ball writes its own record only.

use std::time::Instant;

use fearless_simd::Level;
use glam::Vec2;
use rayon::prelude::*;

use crate::actor::{ActorRecord, OrderRecord};
use crate::course::{Course, Slotted};
use crate::engine::{Engine, Slots, StageTimes, Tuning};
use crate::params::{Kick, Pointer, Stroke, Traits};
use crate::stage::apply_forces::lanes::{Roused, apply_forces_to};
use crate::stage::contact_pass::View;
use crate::stage::contact_pass::lanes::{Moved, contact_passes};
use crate::stage::friction_pass::Grip;
use crate::stage::grid_reorder::lanes::Places;
use crate::stage::lanes::SHARE;
use crate::stage::list_contacts::lists::Lists;
use crate::stage::list_contacts::{Nearby, Neighbourhood};
use crate::stage::measure::{Readout, WORDS, measure, merge};
use crate::stage::{NONE, pick, sweep, weigh};
use crate::step::Turn;
use crate::{Edit, Home, Order, Record, Result, Settings, Spin, Stage, Surface, World, memory};

use calm::Calm;
use cells::Cells;

mod acting;
mod calm;
mod cells;
mod edit;
mod lists;
mod ordering;
mod rubbing;
#[cfg(test)]
mod tests;

/// Steps a world on the CPU.
///
/// ```
/// use ballpit::{Body, CpuEngine, Engine, Settings, World};
/// use glam::Vec2;
///
/// let mut world = World::new(Vec2::ZERO, Vec2::new(100.0, 100.0)).with_gravity(Vec2::new(0.0, 900.0));
/// world.add(Body::ball(Vec2::new(50.0, 20.0), 5.0));
/// let mut engine = CpuEngine::new(world, Settings::default())?;
/// engine.step(240, 1.0 / 120.0)?;
/// assert!((engine.world()?.bodies[0].position.y - 95.0).abs() < 0.1, "it lies on the floor");
/// # Ok::<(), ballpit::Error>(())
/// ```
pub struct CpuEngine {
    course: Course,
    pointer: Pointer,
    stroke: Stroke,
    /// Id + 1 of the ball on the pointer's spring, or 0.
    held: u32,
    steps: u64,
    /// The processor's instruction set; the bits are the same on each.
    level: Level,
    balls: Balls,
    cells: Cells,
    calm: Calm,
}

/// The balls, in the slots of the last step's cell order.
struct Balls {
    bodies: Vec<Record>,
    bodies_out: Vec<Record>,
    homes: Vec<Home>,
    places: Places,
    lists: Lists,
    nearby: Vec<Nearby>,
    supporter: Vec<u32>,
    supporter_out: Vec<u32>,
    /// From each ball to where it stands.
    hops: Vec<u32>,
    /// 1 for a sleeper that wakes as the next step begins.
    wake: Vec<u32>,
    grips: Vec<Grip>,
    grips_out: Vec<Grip>,
    spins: Vec<Spin>,
    spins_out: Vec<Spin>,
    /// By id, the stamp under which the ball was last erased.
    stamps: Vec<u32>,
    /// Empty until something is weighed.
    loads: Vec<f32>,
    /// By id, as are the next two; empty unless there are actors.
    actors: Vec<ActorRecord>,
    orders: Vec<OrderRecord>,
    slot_of: Vec<u32>,
}

impl CpuEngine {
    /// Takes a world.
    ///
    /// # Errors
    /// [`crate::Error::Value`] if the world or the settings hold a value that can't be stepped, [`crate::Error::Memory`]
    /// if the computer has no room for it.
    pub fn new(world: World, settings: Settings) -> Result<Self> {
        let bytes = memory::of_a_ball(memory::OF_A_CPU_ENGINE, Traits::of(&world, &settings).rubs);
        memory::refuse_beyond_memory(world.bodies.len(), bytes)?;
        let (course, Slotted { bodies, homes, spins, grips, actors }) = Course::new(world, settings)?;
        let (count, cells) = (bodies.len(), course.params().cells);
        let orders = course.orders();
        let stamps = vec![0; course.params().balls as usize];
        Ok(Self {
            course,
            pointer: Pointer::default(),
            stroke: Stroke::default(),
            held: 0,
            steps: 0,
            level: Level::new(),
            balls: Balls {
                bodies_out: bodies.clone(),
                bodies,
                homes,
                places: Places::new(count),
                lists: Lists::new(count),
                nearby: vec![Nearby::default(); count],
                supporter: vec![NONE; count],
                supporter_out: vec![NONE; count],
                hops: Vec::new(),
                wake: vec![0; count],
                grips_out: grips.clone(),
                grips,
                spins_out: spins.clone(),
                spins,
                stamps,
                loads: Vec::new(),
                slot_of: vec![0; actors.len()],
                actors,
                orders,
            },
            cells: Cells::new(count, cells),
            calm: Calm::none(count),
        })
    }

    /// How many of the slots are balls; pieces of segments follow them.
    pub fn balls(&self) -> u32 {
        self.course.params().balls
    }

    /// Records in slot order, as a renderer draws them.
    pub fn bodies(&self) -> &[Record] {
        &self.balls.bodies
    }

    /// Homes in slot order, as a renderer draws them.
    pub fn homes(&self) -> &[Home] {
        &self.balls.homes
    }

    /// How balls turn, in slot order, where they do.
    pub fn spins(&self) -> Option<&[Spin]> {
        self.course.traits().rolls.then_some(&self.balls.spins)
    }

    /// What presses on the balls as [`Engine::loads`] says, in slot order, as a renderer draws it.
    pub fn loads_by_slot(&mut self) -> &[f32] {
        self.run(Turn::of(Stage::Weigh));
        &self.balls.loads
    }

    /// Slot of the ball on the pointer's spring.
    pub fn held_slot(&self) -> Option<usize> {
        (self.held > 0).then(|| self.balls.homes.iter().position(|home| home.id + 1 == self.held))?
    }

    /// The state between two stages.
    pub(crate) fn slots(&self) -> Slots<'_> {
        Slots {
            bodies: &self.balls.bodies,
            homes: &self.balls.homes,
            cell_start: &self.cells.start,
            lists: &self.balls.lists,
            nearby: &self.balls.nearby,
            supporter: &self.balls.supporter,
            wake: &self.balls.wake,
            grips: &self.balls.grips,
            spins: &self.balls.spins,
            actors: &self.balls.actors,
        }
    }

    /// Counts a step whose stages have run, and lets the surfaces go along.
    pub(crate) fn count_step(&mut self) {
        self.steps += 1;
        self.course.move_surfaces();
    }

    /// What steps are made with.
    pub(crate) fn course(&self) -> &Course {
        &self.course
    }

    /// Whether the coming steps of `step_s` are any.
    fn takes_steps_of(&mut self, step_s: f32) -> Result<bool> {
        let before = self.course.params().step_s;
        let any = self.course.takes_steps_of(step_s)?;
        if self.course.params().step_s != before {
            // The longer the step, the farther all reach.
            self.calm.disturb_all();
        }
        Ok(any)
    }

    /// Runs one stage on the state as it is.
    pub(crate) fn run(&mut self, turn: Turn) {
        let kick = self.course.params().kick(turn.substeps, turn.is_last);
        match turn.stage {
            Stage::Steer => self.steer_actors(),
            Stage::ApplyForces => self.apply_forces(&kick),
            Stage::GridCount => self.grid_count(),
            Stage::GridSums => {}
            Stage::GridScan => self.cells.scan(),
            Stage::GridScatter => self.cells.scatter(&self.balls.homes, &mut self.calm),
            Stage::GridReorder => self.grid_reorder(),
            Stage::FindAwake => self.find_awake(),
            Stage::ListContacts => self.list_contacts(),
            Stage::WakeUp => self.wake_up(),
            Stage::FindGround => self.find_ground(),
            Stage::CarrySpins => self.carry_spins(),
            Stage::CarryGrips => self.carry_grips(),
            Stage::FrictionPass => self.friction_pass(&kick),
            Stage::ContactPass => self.contact_pass(&kick),
            Stage::Sweep => self.sweep(),
            Stage::NoteSlots => self.note_slots(),
            Stage::Follow => self.follow(),
            Stage::Pick => self.pick(),
            Stage::Brush => self.brush(),
            Stage::Measure => {}
            Stage::Weigh => self.weigh(),
        }
    }

    fn apply_forces(&mut self, kick: &Kick) {
        let held = self.held_slot();
        held.into_iter().for_each(|slot| self.calm.disturb(slot));
        let (level, params, forces) = (self.level, self.course.params(), (kick, &self.pointer));
        let shares = self.balls.bodies.par_chunks_mut(SHARE).zip(self.balls.wake.par_chunks_mut(SHARE));
        let busy = shares.zip(self.calm.shares()).enumerate().filter(|(_, (_, rest))| rest.is_busy());
        busy.for_each(|(share, ((bodies, wake), _))| {
            let held = held.and_then(|slot| slot.checked_sub(share * SHARE));
            apply_forces_to(level, params, forces, Roused { held, wake }, bodies);
        });
    }

    fn contact_pass(&mut self, kick: &Kick) {
        let mut out = std::mem::take(&mut self.balls.bodies_out);
        let (view, pointer) = (self.view(kick.elapsed_s), &self.pointer);
        let busy =
            out.par_chunks_mut(SHARE).zip(self.calm.shares()).enumerate().filter(|(_, (_, rest))| rest.is_busy());
        busy.for_each(|(share, (bodies, _))| {
            let out = Moved { first: share * SHARE, bodies };
            contact_passes(self.level, &view, (kick, pointer), out);
        });
        self.balls.bodies_out = out;
        self.balls.swap();
    }

    fn sweep(&mut self) {
        let (params, cell_start) = (self.course.params(), &self.cells.start);
        let (balls, pieces) = self.balls.bodies.split_at_mut(params.balls as usize);
        let shares = balls.par_chunks_mut(SHARE).zip(self.balls.homes.par_chunks(SHARE)).zip(self.calm.shares());
        let busy = shares.filter(|(_, rest)| rest.is_busy());
        busy.for_each(|((balls, homes), _)| {
            let balls = balls.iter_mut().zip(homes);
            balls.for_each(|(body, home)| *body = sweep::sweep(params, cell_start, pieces, (body, home)));
        });
    }

    fn weigh(&mut self) {
        let mut loads = std::mem::take(&mut self.balls.loads);
        loads.resize(self.balls.bodies.len(), 0.0);
        let view = self.view(0.0);
        loads.par_iter_mut().enumerate().with_min_len(SHARE).for_each(|(i, load)| *load = weigh::weigh(&view, i));
        self.balls.loads = loads;
    }

    fn pick(&mut self) {
        let balls = self.balls.bodies.iter().zip(&self.balls.homes);
        let picked = balls.filter(|(body, home)| pick::is_picked(&self.pointer, body, home));
        self.held = picked.map(|(_, home)| home.id + 1).max().unwrap_or(0);
    }

    /// What a pass reads that comes `elapsed_s` after the step began.
    fn view(&self, elapsed_s: f32) -> View<'_> {
        View {
            around: Neighbourhood {
                params: self.course.params(),
                homes: &self.balls.homes,
                bodies: &self.balls.bodies,
                cell_start: &self.cells.start,
            },
            lists: &self.balls.lists,
            nearby: &self.balls.nearby,
            supporter: &self.balls.supporter,
            elapsed_s,
        }
    }
}

/// Does steps on one of rayon's threads, where stages begin at once: from any other, each wakes a thread and is waited for.
fn on_a_worker(steps: impl FnOnce() + Send) {
    rayon::scope(|_| steps());
}

impl Balls {
    fn swap(&mut self) {
        std::mem::swap(&mut self.bodies, &mut self.bodies_out);
    }
}

impl Engine for CpuEngine {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn adapter(&self) -> String {
        format!("CPU, {} threads", rayon::current_num_threads())
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn step(&mut self, count: u32, step_s: f32) -> Result<()> {
        if !self.takes_steps_of(step_s)? {
            return Ok(());
        }
        on_a_worker(|| {
            for _ in 0..count {
                self.course.turns().for_each(|turn| self.run(turn));
                self.count_step();
            }
        });
        Ok(())
    }

    fn time_step(&mut self, step_s: f32) -> Result<StageTimes> {
        let mut times = StageTimes::default();
        if !self.takes_steps_of(step_s)? {
            return Ok(times);
        }
        on_a_worker(|| {
            for turn in self.course.turns() {
                let start = Instant::now();
                self.run(turn);
                times.add(turn.stage, start.elapsed().as_secs_f64() * 1e3);
            }
        });
        self.count_step();
        Ok(times)
    }

    fn world(&mut self) -> Result<World> {
        let Balls { bodies, homes, spins, grips, actors, wake, .. } = &self.balls;
        let slotted = Slotted {
            bodies: bodies.clone(),
            homes: homes.clone(),
            spins: spins.clone(),
            grips: grips.clone(),
            actors: actors.clone(),
        };
        Ok(self.course.world_of(&slotted, wake))
    }

    fn surfaces(&self) -> &[Surface] {
        self.course.surfaces()
    }

    fn retune(&mut self, tuning: &Tuning) -> Result<()> {
        let before = self.course.clone();
        if self.course.retune(tuning)? {
            let anew = self.world().and_then(|world| Self::new(world, self.course.settings().clone()));
            let mut anew = anew.inspect_err(|_| self.course = before)?;
            anew.steer(self.course.direction())?;
            std::mem::swap(&mut anew.balls.stamps, &mut self.balls.stamps);
            let Self { pointer, held, steps, level, .. } = *self;
            *self = Self { pointer, held, steps, level, ..anew };
        }
        self.balls.wake.fill(1);
        self.calm.disturb_all();
        Ok(())
    }

    fn edit(&mut self, edit: &Edit) -> Result<()> {
        let change = self.course.edited(edit)?;
        self.make(change);
        Ok(())
    }

    fn press(&mut self, place: Vec2, alpha: f32) {
        self.pointer = Pointer::at(place, alpha);
        self.run(Turn::of(Stage::Pick));
    }

    fn drag(&mut self, place: Vec2) {
        self.pointer = self.pointer.moved_to(place);
    }

    fn release(&mut self) {
        self.held = 0;
    }

    fn steer(&mut self, direction: Vec2) -> Result<()> {
        self.course.steer(direction).map(|_| ())
    }

    fn order(&mut self, orders: &[Order]) -> Result<()> {
        self.course.order(orders)?;
        self.balls.orders = self.course.orders();
        Ok(())
    }

    fn loads(&mut self) -> Result<Option<Vec<f32>>> {
        self.run(Turn::of(Stage::Weigh));
        Ok(Some(self.course.by_id(&self.balls.loads, &self.balls.homes)))
    }

    fn readout(&mut self) -> Readout {
        let view = self.view(0.0);
        let balls = (0..self.balls.bodies.len()).into_par_iter().with_min_len(SHARE);
        balls.map(|i| measure(&view, i)).reduce(|| [0; WORDS], merge).into()
    }
}
