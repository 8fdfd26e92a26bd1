//! The textbook's solver: Gauss–Seidel passes over pairs in index order, on one thread.
//!
//! It is here to be compared with. A step adds gravity, moves every ball, then goes over every pair and every surface
//! `passes` times: an overlap is pushed out in full, shared by inverse mass, and a closing pair gets the
//! impulse j = −(1+e)·vn / (1/ma + 1/mb), and one along the contact, clamp(−vt / (1/ma + 1/mb), ±µ·j): friction that
//! slides but does not turn. A later contact of a pass sees what an earlier one did, which a GPU
//! can't repeat; and its piles sink with their height, which the jacobi solver's must not.

use std::time::Instant;

use glam::Vec2;

use crate::engine::{Engine, StageTimes, Tuning};
use crate::{Error, Readout, Result, Settings, Stage, Surface, World};

/// Steps a world as the textbook does.
///
/// ```
/// use ballpit::{Body, Engine, SequentialEngine, Settings, Solver, World};
/// use glam::Vec2;
///
/// // Figure C2: 1 kg at 4 m/s meets 3 kg at rest, and nothing is lost.
/// let mut world = World::new(Vec2::ZERO, Vec2::new(100.0, 100.0)).with_restitution(1.0);
/// let ball = |x, mass: f32| Body { inverse_mass: 1.0 / mass, ..Body::ball(Vec2::new(x, 50.0), 1.0) };
/// world.add(ball(10.0, 1.0).moving(Vec2::new(4.0, 0.0)));
/// world.add(ball(14.0, 3.0));
/// let mut engine = SequentialEngine::new(world, Settings { solver: Solver::Sequential, ..Settings::default() })?;
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
    pointer: Vec2,
    steps: u64,
    /// Contacts that the last pass answered.
    contacts: u32,
}

impl SequentialEngine {
    /// Most balls that it takes: it looks at every pair.
    pub const MOST_BALLS: usize = 5_000;

    /// Takes a world.
    ///
    /// # Errors
    /// [`Error::Value`] if the world or the settings hold a value that can't be stepped, or more than
    /// [`SequentialEngine::MOST_BALLS`] balls.
    pub fn new(world: World, settings: Settings) -> Result<Self> {
        world.validate()?;
        settings.validate()?;
        refuse_rotation(&settings)?;
        if world.bodies.len() > Self::MOST_BALLS {
            return Err(Error::Value {
                name: "balls of the sequential solver".into(),
                value: world.bodies.len().to_string(),
                accepted: format!(
                    "at most {}: it looks at every pair, so take --solver jacobi for more",
                    Self::MOST_BALLS
                ),
            });
        }
        let previous = world.bodies.iter().map(|body| body.position).collect();
        Ok(Self { world, previous, settings, held: None, pointer: Vec2::ZERO, steps: 0, contacts: 0 })
    }

    /// Where each ball stood before the last step, by id.
    pub fn previous(&self) -> &[Vec2] {
        &self.previous
    }

    /// Id of the ball on the pointer's spring.
    pub fn held(&self) -> Option<usize> {
        self.held
    }

    /// Forces, then semi-implicit Euler: the velocity first, then the place with the new velocity.
    fn integrate(&mut self, step_s: f32) {
        let air = (-self.world.drag_per_s * step_s).exp();
        let Settings { spring_stiffness, spring_damping, .. } = self.settings;
        for (id, body) in self.world.bodies.iter_mut().enumerate().filter(|(_, body)| body.is_movable()) {
            let mut acceleration = self.world.gravity;
            if self.held == Some(id) {
                let spring = (self.pointer - body.position) * spring_stiffness - body.velocity * spring_damping;
                acceleration += spring * body.inverse_mass;
            }
            body.velocity = body.velocity * air + acceleration * step_s;
        }
        for (body, previous) in self.world.bodies.iter_mut().zip(&mut self.previous) {
            *previous = body.position;
            body.position += body.velocity * step_s;
        }
    }

    /// One pass over every pair in index order, then over every ball against every surface; returns the contacts answered.
    fn contact_pass(&mut self) -> u32 {
        let mut contacts = 0;
        for a in 0..self.world.bodies.len() {
            for b in a + 1..self.world.bodies.len() {
                contacts += u32::from(self.answer_pair(a, b));
            }
        }
        for id in 0..self.world.bodies.len() {
            for surface in 0..self.world.surfaces.len() {
                contacts += u32::from(self.answer_surface(id, surface));
            }
        }
        contacts
    }

    fn answer_pair(&mut self, a: usize, b: usize) -> bool {
        let (low, high) = self.world.bodies.split_at_mut(b);
        let (a, b) = (&mut low[a], &mut high[0]);
        let between = b.position - a.position;
        let (distance, reach) = (between.length(), a.radius + b.radius);
        // Centres in one place have no direction to be pushed in.
        if distance > reach || distance <= 1e-4 {
            return false;
        }
        let restitution = |material: usize| self.world.materials[material].restitution;
        let bounce = restitution(a.material).max(restitution(b.material));
        let friction = |material: usize| self.world.materials[material].friction;
        let friction = (friction(a.material) * friction(b.material)).sqrt();
        let weights = (a.inverse_mass, b.inverse_mass);
        let normal = between / distance;
        let passing = b.velocity - a.velocity;
        let Some(response) = Response::new(weights, reach - distance, passing.dot(normal), bounce) else {
            return false;
        };
        a.position -= normal * (response.push * weights.0);
        b.position += normal * (response.push * weights.1);
        a.velocity -= normal * (response.impulse * weights.0);
        b.velocity += normal * (response.impulse * weights.1);
        let along = rub(passing, normal, weights.0 + weights.1, friction * response.impulse);
        a.velocity -= along * weights.0;
        b.velocity += along * weights.1;
        true
    }

    fn answer_surface(&mut self, id: usize, surface: usize) -> bool {
        let surface = &self.world.surfaces[surface];
        let body = &mut self.world.bodies[id];
        let depth = body.radius - (body.position - surface.point).dot(surface.normal);
        if depth < 0.0 {
            return false;
        }
        let material = &self.world.materials[surface.material.unwrap_or(body.material)];
        let (bounce, friction) = (material.restitution, material.friction);
        let closing = body.velocity.dot(surface.normal);
        let Some(response) = Response::new((body.inverse_mass, 0.0), depth, closing, bounce) else { return false };
        body.position += surface.normal * (response.push * body.inverse_mass);
        let along = rub(body.velocity, surface.normal, body.inverse_mass, friction * response.impulse);
        body.velocity += surface.normal * (response.impulse * body.inverse_mass);
        body.velocity += along * body.inverse_mass;
        true
    }
}

/// The impulse of friction on what passes at `passing`, px/s: what stops it along the contact, or `most`.
fn rub(passing: Vec2, normal: Vec2, inverse_mass: f32, most: f32) -> Vec2 {
    let along = passing - normal * passing.dot(normal);
    (-along / inverse_mass).clamp_length_max(most)
}

/// Refuses rotation, which this solver does not know.
fn refuse_rotation(settings: &Settings) -> Result<()> {
    if !settings.rotation {
        return Ok(());
    }
    Err(Error::Value {
        name: "rotation".into(),
        value: "true".into(),
        accepted: "false with the sequential solver, whose balls slide and do not turn".into(),
    })
}

/// The answer to one contact, per unit of inverse mass.
struct Response {
    /// Push out of the overlap.
    push: f32,
    /// Impulse; 0 if the two part by themselves.
    impulse: f32,
}

impl Response {
    /// `None` if neither can move.
    fn new((a, b): (f32, f32), depth: f32, closing: f32, restitution: f32) -> Option<Self> {
        let sum = a + b;
        let impulse = if closing < 0.0 { -(1.0 + restitution) * closing / sum } else { 0.0 };
        (sum > 0.0).then(|| Self { push: depth / sum, impulse })
    }
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
            self.integrate(step_s);
            self.contacts = (0..self.settings.passes).map(|_| self.contact_pass()).last().unwrap_or(0);
            self.steps += 1;
        }
        Ok(())
    }

    fn time_step(&mut self, step_s: f32) -> Result<StageTimes> {
        let mut times = StageTimes::default();
        let start = Instant::now();
        self.integrate(step_s);
        times.add(Stage::ApplyForces, start.elapsed().as_secs_f64() * 1e3);
        let start = Instant::now();
        self.contacts = (0..self.settings.passes).map(|_| self.contact_pass()).last().unwrap_or(0);
        times.add(Stage::ContactPass, start.elapsed().as_secs_f64() * 1e3);
        self.steps += 1;
        Ok(times)
    }

    fn world(&mut self) -> Result<World> {
        Ok(self.world.clone())
    }

    fn surfaces(&self) -> &[Surface] {
        &self.world.surfaces
    }

    fn retune(&mut self, tuning: &Tuning) -> Result<()> {
        refuse_rotation(&tuning.settings)?;
        tuning.apply(&mut self.world)?;
        self.settings = tuning.settings.clone();
        Ok(())
    }

    fn press(&mut self, place: Vec2, alpha: f32) {
        self.pointer = place;
        let drawn = |id: usize, body: &crate::Body| self.previous[id].lerp(body.position, alpha);
        let bodies = self.world.bodies.iter().enumerate();
        let picked = bodies.filter(|(id, body)| body.is_movable() && drawn(*id, body).distance(place) <= body.radius);
        self.held = picked.map(|(id, _)| id).next_back();
    }

    fn drag(&mut self, place: Vec2) {
        self.pointer = place;
    }

    fn release(&mut self) {
        self.held = None;
    }

    fn readout(&mut self) -> Readout {
        let measures = crate::Measures::of(&self.world);
        Readout {
            deepest_overlap_px: measures.deepest_overlap_px as f32,
            overlap_ratio: measures.overlap_ratio_max as f32,
            fastest_px_s: measures.fastest_px_s as f32,
            contacts: self.contacts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Clock, Measures, Mode, Overrides, Scene, Solver};
    use std::time::Duration;

    fn sequential(passes: u32) -> Settings {
        Settings { solver: Solver::Sequential, passes, ..Settings::default() }
    }

    #[test]
    fn c5_overlap_and_approach_are_answered_as_in_the_table() {
        let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0)).with_restitution(0.8);
        let pair = [(100.0, 60.0), (107.0, -60.0)];
        for (x, vx) in pair {
            world.add(Body { inverse_mass: 1.0, ..Body::ball(Vec2::new(x, 100.0), 4.0) }.moving(Vec2::new(vx, 0.0)));
        }
        let mut engine = SequentialEngine::new(world, sequential(1)).unwrap();
        assert_eq!(engine.contact_pass(), 1);
        let [a, b] = [&engine.world.bodies[0], &engine.world.bodies[1]];
        assert_eq!((a.position.x, b.position.x), (99.5, 107.5));
        assert!((a.velocity.x + 48.0).abs() < 1e-4 && (b.velocity.x - 48.0).abs() < 1e-4);
    }

    fn settled_pile() -> (SequentialEngine, Clock) {
        let world = Scene::named("impulse").unwrap().build(&Overrides::default()).unwrap();
        let mut engine = SequentialEngine::new(world, sequential(4)).unwrap();
        engine.step(9 * 120, 1.0 / 120.0).unwrap();
        (engine, Clock::new(120))
    }

    fn after_spike(mode: Mode) -> (Measures, f32) {
        let (mut engine, mut clock) = settled_pile();
        let before = engine.world.bodies.clone();
        clock.set_mode(mode);
        clock.lag_spike();
        let tick = clock.frame(Duration::from_millis(16));
        engine.step(tick.steps, tick.step_s).unwrap();
        let moved = engine.world.bodies.iter().zip(&before).map(|(a, b)| a.position.distance(b.position));
        (Measures::of(&engine.world), moved.fold(0.0, f32::max))
    }

    #[test]
    fn t5_a_spike_of_fixed_steps_moves_no_settled_ball() {
        let (_, moved) = after_spike(Mode::Fixed);
        assert!(moved < 1.0 / 3.0, "a ball moved {moved} px");
    }

    #[test]
    fn t6_a_spike_in_one_variable_step_crushes_the_pile() {
        let (measures, moved) = after_spike(Mode::Variable);
        assert!((17.0..=26.0).contains(&measures.deepest_overlap_px), "{measures:?}");
        assert!(moved > 1.0 / 3.0, "no ball moved more than {moved} px");
    }

    #[test]
    fn more_balls_than_it_can_pair_are_refused() {
        let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0));
        world.bodies = vec![Body::ball(Vec2::splat(500.0), 1.0); SequentialEngine::MOST_BALLS + 1];
        let error = SequentialEngine::new(world, sequential(1)).err().unwrap().to_string();
        assert!(error.contains("at most 5000"), "{error}");
    }

    #[test]
    fn friction_stops_a_slide_and_holds_a_slope_up_to_its_angle() {
        for (gravity, speed, slides) in
            [((0.0, 900.0), 200.0, 0.0), ((260.0, 900.0), 0.0, 0.0), ((280.0, 900.0), 0.0, 10.0)]
        {
            let mut world = World::new(Vec2::ZERO, Vec2::splat(1000.0)).with_gravity(Vec2::from(gravity));
            world.materials[0].friction = 0.3;
            world.add(Body::ball(Vec2::new(500.0, 990.0), 10.0).moving(Vec2::new(speed, 0.0)));
            let mut engine = SequentialEngine::new(world, sequential(4)).unwrap();
            engine.step(120, 1.0 / 120.0).unwrap();
            let velocity = engine.world.bodies[0].velocity.x;
            assert!((velocity - slides).abs() < 0.2 * slides + 1e-3, "{velocity} px/s under {gravity:?}");
        }
    }

    #[test]
    fn rotation_is_refused_with_the_reason() {
        let world = World::new(Vec2::ZERO, Vec2::splat(1000.0));
        let settings = Settings { rotation: true, ..sequential(1) };
        let error = SequentialEngine::new(world, settings).err().unwrap().to_string();
        assert!(error.contains("do not turn"), "{error}");
    }
}
