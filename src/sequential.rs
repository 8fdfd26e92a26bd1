//! The textbook's solver: Gauss–Seidel passes over pairs in index order, on one thread.
//!
//! It is here to be compared with. A step runs its stages in the order given ([`crate::StageOrder`]): *kinematics* adds
//! gravity and moves every ball; *contacts* goes over every pair, pushes an overlap out in full, shared by inverse
//! mass, and gives a closing pair the impulse j = −(1+e)·vn / (1/ma + 1/mb), and along the contact clamp(−vt / (1/ma +
//! 1/mb), ±µ·j); *border* answers every ball against every surface alike. Contacts and border that stand side by side
//! are gone over `passes` times. A later contact of a pass sees what an earlier one did, which a GPU can't repeat; and
//! its piles sink with their height, which the jacobi solver's must not.
//!
//! *Sleep*: a ball that has been slower than the sleep speed for long enough sleeps: kinematics leaves it alone, to
//! others it is immovable, and two sleepers are no contact. Speed is what a step moves a ball by, place to place: in a
//! pile, the velocity that the last contact left says little of it. Gravity closes every resting contact anew in each
//! step, so that any impulse must not wake, or nothing would sleep beside a ball that is awake. A sleeper wakes when a
//! ball at four sleep speeds or more, or one that the pointer holds, touches it or will within a step; so it is awake
//! when it is hit.

mod contacts;
#[cfg(test)]
mod tests;

use std::time::Instant;

use glam::Vec2;

use crate::actor::direction_of;
use crate::engine::{Engine, StageTimes, Tuning};
use crate::order::Letter;
use crate::params::{Stroke, reachable};
use crate::stage::brush::brush;
use crate::{
    Body, Edit, Error, Model, Order, Readout, Record, Result, Settings, Solver, Stage, StageOrder, Surface, World,
};

/// Steps a world as the textbook does.
///
/// ```
/// use ballpit::{Body, Engine, SequentialEngine, Settings, Solver, StageOrder, World};
/// use glam::Vec2;
///
/// // Figure C2: 1 kg at 4 m/s meets 3 kg at rest, and nothing is lost.
/// let mut world = World::new(Vec2::ZERO, Vec2::new(100.0, 100.0)).with_restitution(1.0);
/// let ball = |x, mass: f32| Body { inverse_mass: 1.0 / mass, ..Body::ball(Vec2::new(x, 50.0), 1.0) };
/// world.add(ball(10.0, 1.0).moving(Vec2::new(4.0, 0.0)));
/// world.add(ball(14.0, 3.0));
/// let settings = Settings { solver: Solver::Sequential(StageOrder::default()), ..Settings::default() };
/// let mut engine = SequentialEngine::new(world, settings)?;
/// engine.step(120, 1.0 / 120.0)?;
/// let bodies = engine.world()?.bodies;
/// assert!((bodies[0].velocity.x + 2.0).abs() < 1e-4 && (bodies[1].velocity.x - 2.0).abs() < 1e-4);
/// # Ok::<(), ballpit::Error>(())
/// ```
pub struct SequentialEngine {
    world: World,
    /// Where each ball stood before the last step.
    previous: Vec<Vec2>,
    settings: Settings,
    held: Option<usize>,
    /// By id, the stamp under which the ball was last erased.
    stamps: Vec<u32>,
    pointer: Vec2,
    steps: u64,
    /// Pairs that have been answered since the engine was built.
    resolved: u64,
    /// Of them, those of the last step.
    contacts: u32,
}

impl SequentialEngine {
    /// Most balls that it takes: it looks at every pair.
    pub const MOST_BALLS: usize = 5_000;

    /// Takes a world.
    ///
    /// # Errors
    /// [`Error::Value`] if the world or the settings hold a value that can't be stepped, another solver, or more than
    /// [`SequentialEngine::MOST_BALLS`] balls.
    pub fn new(mut world: World, settings: Settings) -> Result<Self> {
        world.validate()?;
        settings.validate()?;
        let order = order_of(&settings)?;
        if !world.actors.is_empty() {
            return Err(no_actors(world.actors.len()));
        }
        refuse_too_many(world.bodies.len())?;
        if !order.sleeps() || world.is_restless() {
            world.bodies.iter_mut().for_each(Body::wake);
        }
        world.slips.clear();
        for body in &mut world.bodies {
            (body.spin, body.angle) = (0.0, 0.0);
        }
        let previous: Vec<Vec2> = world.bodies.iter().map(|body| body.position).collect();
        let stamps = vec![0; previous.len()];
        Ok(Self {
            world,
            previous,
            settings,
            held: None,
            stamps,
            pointer: Vec2::ZERO,
            steps: 0,
            resolved: 0,
            contacts: 0,
        })
    }

    /// Where each ball stood before the last step, by id.
    pub fn previous(&self) -> &[Vec2] {
        &self.previous
    }

    /// Id of the ball on the pointer's spring.
    pub fn held(&self) -> Option<usize> {
        self.held
    }

    fn add(&mut self, balls: &[Body]) {
        let flat = balls.iter().map(|body| Body { spin: 0.0, angle: 0.0, ..*body });
        self.world.bodies.extend(flat);
        self.previous.extend(balls.iter().map(|body| body.position));
        self.stamps.resize(self.world.bodies.len(), 0);
    }

    /// Pushes, erases or brings back as the other engines' stage does.
    fn strike(&mut self, edit: &Edit) {
        // All wake afterwards, whoever leaned on what is gone.
        let Some(stroke) = Stroke::of(edit, 0.0) else { return };
        if stroke.erases() {
            self.release();
        }
        for ((body, stamp), id) in self.world.bodies.iter_mut().zip(&mut self.stamps).zip(0..) {
            let brushed = brush(&stroke, id, *stamp, &Record::from(&*body));
            (*body, *stamp) = (Body::from(&brushed.body), brushed.stamp);
        }
    }

    /// Makes a step, stage by stage.
    fn make_step(&mut self, step_s: f32) -> StageTimes {
        let mut times = StageTimes::default();
        self.contacts = 0;
        if self.world.model == Model::Null {
            self.steps += 1;
            return times;
        }
        let order = order_of(&self.settings).cloned().unwrap_or_default();
        for stretch in order.stretches() {
            let passes = if stretch[0].is_of_a_pass() { self.settings.passes } else { 1 };
            for stage in (0..passes).flat_map(|_| stretch) {
                let start = Instant::now();
                self.run(*stage, step_s);
                let timed = if stage.is_of_a_pass() { Stage::ContactPass } else { Stage::ApplyForces };
                times.add(timed, start.elapsed().as_secs_f64() * 1e3);
            }
        }
        // A push by another ball may have taken one across.
        self.hold_at_segments();
        self.resolved += u64::from(self.contacts);
        self.steps += 1;
        times
    }

    fn run(&mut self, stage: Letter, step_s: f32) {
        match stage {
            Letter::Kinematics => self.integrate(step_s),
            Letter::Contacts => self.contacts += self.answer_pairs(),
            Letter::Border => self.answer_surfaces(),
            Letter::Sleep => {
                self.fall_asleep(step_s);
                self.wake_up(step_s);
            }
        }
    }

    /// Forces, then semi-implicit Euler: the velocity first, then the place with the new velocity.
    fn integrate(&mut self, step_s: f32) {
        let air = (-self.world.drag_per_s * step_s).exp();
        let Settings { spring_stiffness, spring_damping, .. } = self.settings;
        for (id, body) in self.world.bodies.iter_mut().enumerate().filter(|(_, body)| is_free(body)) {
            let mut acceleration = self.world.gravity;
            if self.held == Some(id) {
                let spring = (self.pointer - body.position) * spring_stiffness - body.velocity * spring_damping;
                acceleration += spring * body.inverse_mass;
            }
            body.velocity = body.velocity * air + acceleration * step_s;
        }
        for (body, previous) in self.world.bodies.iter_mut().zip(&mut self.previous) {
            *previous = body.position;
            if let Some(wheel) = body.wheel.map(|index| self.world.wheels[index]) {
                let (carry, away) = (wheel.carry(step_s).as_vec2(), body.position - wheel.centre);
                body.velocity = carry.rotate(away);
            }
            body.position += body.velocity * step_s;
        }
        self.hold_at_segments();
        for surface in &mut self.world.surfaces {
            surface.advance(step_s);
        }
    }

    /// Stops balls short of the first segment that their centres would cross.
    fn hold_at_segments(&mut self) {
        for (body, &previous) in self.world.bodies.iter_mut().zip(&self.previous) {
            let way = body.position - previous;
            let segments = &self.world.segments;
            let first =
                |way| segments.iter().filter_map(|segment| segment.share_before(previous, way)).min_by(f32::total_cmp);
            if let Some(share) = first(way) {
                let short = way * (0.999 * share);
                // So short of it that rounding decides: it stays where it was.
                let is_clear = first(previous + short - previous).is_none();
                body.position = if is_clear { previous + short } else { previous };
            }
        }
    }

    /// Every pair in index order; returns how many were answered.
    fn answer_pairs(&mut self) -> u32 {
        let mut contacts = 0;
        for a in 0..self.world.bodies.len() {
            for b in a + 1..self.world.bodies.len() {
                contacts += u32::from(self.answer_pair(a, b));
            }
        }
        contacts
    }

    /// Every ball against every surface and segment.
    fn answer_surfaces(&mut self) {
        let surfaces: Vec<Surface> = self.world.surfaces.iter().map(Surface::now).collect();
        for id in 0..self.world.bodies.len() {
            for surface in &surfaces {
                self.answer_surface(id, surface);
            }
            for index in 0..self.world.segments.len() {
                self.answer_segment(id, index);
            }
        }
    }

    /// Puts balls to sleep that have been slow for long enough.
    fn fall_asleep(&mut self, step_s: f32) {
        if self.world.is_restless() {
            return;
        }
        let wanted = self.settings.quiet_steps_of(step_s);
        let least_px = self.settings.sleep_speed_px_s * step_s;
        for (id, body) in self.world.bodies.iter_mut().enumerate().filter(|(_, body)| is_free(body)) {
            let is_quiet = body.position.distance(self.previous[id]) < least_px && self.held != Some(id);
            body.quiet_steps = if is_quiet { body.quiet_steps + 1 } else { 0 };
            if body.quiet_steps >= wanted {
                (body.asleep, body.velocity) = (true, Vec2::ZERO);
            }
        }
    }

    /// Wakes the sleepers that a ball on the move touches, or will within a step.
    fn wake_up(&mut self, step_s: f32) {
        let fall_px = self.world.gravity.length() * step_s * step_s;
        for id in 0..self.world.bodies.len() {
            let Body { position, radius, asleep, .. } = self.world.bodies[id];
            let moved_px = position.distance(self.previous[id]);
            if asleep || (moved_px < self.settings.wake_speed_px_s() * step_s && self.held != Some(id)) {
                continue;
            }
            let is_near =
                |other: &&mut Body| other.position.distance(position) <= radius + other.radius + moved_px + fall_px;
            self.world.bodies.iter_mut().filter(|other| other.asleep).filter(is_near).for_each(Body::wake);
        }
    }
}

fn no_actors(given: usize) -> Error {
    Error::Value {
        name: "actors of the sequential solver".into(),
        value: format!("{given} in number"),
        accepted: "none: its balls go nowhere by themselves; take the jacobi solver".into(),
    }
}

fn refuse_too_many(balls: usize) -> Result<()> {
    const MOST: usize = SequentialEngine::MOST_BALLS;
    if balls <= MOST {
        return Ok(());
    }
    Err(Error::Value {
        name: "balls of the sequential solver".into(),
        value: balls.to_string(),
        accepted: format!("at most {MOST}: it looks at every pair, so take --solver jacobi for more"),
    })
}

/// The order of stages; an error for another solver.
fn order_of(settings: &Settings) -> Result<&StageOrder> {
    match &settings.solver {
        Solver::Sequential(order) => Ok(order),
        Solver::Jacobi => Err(Error::Value {
            name: "solver".into(),
            value: "jacobi".into(),
            accepted: "sequential on this engine".into(),
        }),
    }
}

/// Whether forces and contacts move a ball now.
fn is_free(body: &Body) -> bool {
    body.is_movable() && !body.asleep
}

impl Engine for SequentialEngine {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn adapter(&self) -> String {
        "CPU, 1 thread".into()
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn step(&mut self, count: u32, step_s: f32) -> Result<()> {
        if !(step_s > 0.0 && step_s.is_finite()) {
            return Ok(());
        }
        for _ in 0..count {
            self.make_step(step_s);
        }
        Ok(())
    }

    fn time_step(&mut self, step_s: f32) -> Result<StageTimes> {
        Ok(self.make_step(step_s))
    }

    fn world(&mut self) -> Result<World> {
        Ok(self.world.clone())
    }

    fn surfaces(&self) -> &[Surface] {
        &self.world.surfaces
    }

    fn retune(&mut self, tuning: &Tuning) -> Result<()> {
        order_of(&tuning.settings)?;
        tuning.apply(&mut self.world)?;
        self.settings = tuning.settings.clone();
        self.world.bodies.iter_mut().for_each(Body::wake);
        Ok(())
    }

    fn edit(&mut self, edit: &Edit) -> Result<()> {
        edit.validate(self.world.bodies.len(), (self.world.materials.len(), self.world.wheels.len()))?;
        match edit {
            Edit::Add(balls) => {
                refuse_too_many(self.world.bodies.len() + balls.len())?;
                self.add(balls);
            }
            Edit::Segments(segments) => self.world.segments.clone_from(segments),
            _ => self.strike(edit),
        }
        self.world.bodies.iter_mut().for_each(Body::wake);
        Ok(())
    }

    fn press(&mut self, place: Vec2, alpha: f32) {
        self.pointer = reachable(place).unwrap_or(place);
        let drawn = |id: usize, body: &Body| self.previous[id].lerp(body.position, alpha);
        let bodies = self.world.bodies.iter().enumerate();
        let picked = bodies.filter(|(id, body)| body.is_movable() && drawn(*id, body).distance(place) <= body.radius);
        self.held = picked.map(|(id, _)| id).next_back();
        if let Some(id) = self.held {
            self.world.bodies[id].wake();
        }
    }

    fn drag(&mut self, place: Vec2) {
        self.pointer = reachable(place).unwrap_or(self.pointer);
    }

    fn release(&mut self) {
        self.held = None;
    }

    fn steer(&mut self, direction: Vec2) -> Result<()> {
        // It has no actors that would go anywhere.
        let direction = direction_of(direction)?;
        self.world.surfaces.iter_mut().for_each(|surface| _ = surface.steer(direction.x));
        Ok(())
    }

    fn order(&mut self, orders: &[Order]) -> Result<()> {
        if orders.is_empty() { Ok(()) } else { Err(no_actors(orders.len())) }
    }

    fn loads(&mut self) -> Result<Option<Vec<f32>>> {
        Ok(None)
    }

    fn readout(&mut self) -> Readout {
        let measures = crate::Measures::of(&self.world);
        Readout {
            deepest_overlap_px: measures.deepest_overlap_px as f32,
            overlap_ratio: measures.overlap_ratio_max as f32,
            fastest_px_s: measures.fastest_px_s as f32,
            contacts: self.contacts,
            asleep: self.world.bodies.iter().filter(|body| body.asleep).count() as u32,
            erased: self.world.bodies.iter().filter(|body| body.erased && body.inverse_mass > 0.0).count() as u32,
            counts: self.world.counts(),
        }
    }

    fn resolved(&self) -> Option<u64> {
        Some(self.resolved)
    }
}
