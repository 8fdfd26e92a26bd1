//! A world on its way: what both engines know of it, its balls aside.

use glam::Vec2;

use crate::actor::{ActorRecord, OrderRecord, direction_of};
use crate::engine::Tuning;
use crate::grid::{Grid, Sizes};
use crate::params::{Params, Steering, Stroke, Traits};
use crate::segment::pieces;
use crate::settings::in_range;
use crate::stage::carry_grips::{grips_of, slips_of};
use crate::stage::friction_pass::Grip;
use crate::stage::grid_reorder;
use crate::step::{Turn, turns};
use crate::{Body, Edit, Error, Home, Model, Order, Record, Result, Settings, Spin, Surface, World};

/// Longest step, s.
const LONGEST_STEP_S: f32 = 1.0;
/// Ids of pieces begin above those of all balls, so that they stay the same when balls are added.
const FIRST_PIECE: u32 = World::MOST_BODIES as u32;
/// What the id of a new first piece is below: so far from the ids of surfaces that all pieces fit between.
const LAST_PIECE: u32 = 1 << 31;

#[derive(Clone)]
pub(crate) struct Course {
    /// The world without its balls, which live in the engine's slots.
    world: World,
    settings: Settings,
    sizes: Sizes,
    grid: Grid,
    params: Params,
    steering: Steering,
    /// Where actors are sent that follow.
    direction: Vec2,
    /// Id of the first piece. Pieces cut anew get new ones, so that nobody takes them for those he remembers.
    first_piece: u32,
    traits: Traits,
    /// See [`World::is_restless`]; its balls are gone by now.
    is_restless: bool,
}

/// What an edit comes to, for an engine to carry out.
pub(crate) enum Change {
    /// Balls are pushed, erased or brought back.
    Stroke(Stroke),
    /// Balls are added, or there are other segments.
    Tail(Box<Tail>),
}

/// A world with more balls or other segments.
pub(crate) struct Tail {
    /// What there is from now on.
    pub(crate) course: Course,
    /// What lies behind the balls of before.
    pub(crate) slotted: Slotted,
    /// Whether sleepers may lean on what is there no more, or lie in what is there now.
    pub(crate) wakes: bool,
}

/// Balls in slots, by id, and the pieces of all segments after them.
pub(crate) struct Slotted {
    pub(crate) bodies: Vec<Record>,
    pub(crate) homes: Vec<Home>,
    /// Empty unless something rubs.
    pub(crate) spins: Vec<Spin>,
    /// Empty unless something rubs.
    pub(crate) grips: Vec<Grip>,
    /// By id, not by slot; empty unless there are actors.
    pub(crate) actors: Vec<ActorRecord>,
}

impl Course {
    /// Takes a world apart.
    ///
    /// # Errors
    /// [`crate::Error::Value`] if the world or the settings hold a value that can't be stepped.
    pub(crate) fn new(mut world: World, mut settings: Settings) -> Result<(Self, Slotted)> {
        world.validate()?;
        settings.validate()?;
        refuse_sequential(&settings)?;
        let is_restless = world.is_restless();
        if is_restless {
            settings = settings.without_sleep();
        }
        if !settings.sleeps() {
            world.bodies.iter_mut().for_each(Body::wake);
        }
        world.place_children();
        let (records, actors) = (world.ball_records(), actor_records(&world));
        let (balls, slips) = (std::mem::take(&mut world.bodies), std::mem::take(&mut world.slips));
        let sizes = Sizes::NONE.with(&balls);
        let grid = Grid::new(&world, &sizes);
        let traits = Traits::of(&world, &settings);
        let params = Params::new(&world, &settings, &grid, settings.step_s());
        let (direction, first_piece) = (Vec2::ZERO, FIRST_PIECE);
        let steering = Steering::new(&world, &settings, params.step_s, direction);
        let mut course =
            Self { world, settings, sizes, grid, params, steering, direction, first_piece, traits, is_restless };
        let mut slotted = Slotted { actors, ..course.slotted(&balls, records) };
        if traits.rubs {
            slotted.grips = grips_of(&slips, slotted.bodies.len(), first_piece);
        }
        course.params.capacity = course.params.count;
        Ok((course, slotted))
    }

    /// Adds balls behind those that there are, with the pieces of all segments behind them. None of them is an actor.
    fn slotted(&mut self, balls: &[Body], mut bodies: Vec<Record>) -> Slotted {
        let first = self.params.balls;
        bodies.extend(pieces(&self.world.segments_in_reach(), |segment| self.grid.longest_edge(segment)));
        self.params.balls = first + balls.len() as u32;
        self.params.count = first + bodies.len() as u32;
        let ids = (first..self.params.balls).chain(self.first_piece..);
        let homes = bodies.iter().zip(ids).map(|(body, id)| grid_reorder::home(&self.params, body, id)).collect();
        let (mut spins, mut grips) = (Vec::new(), Vec::new());
        if self.traits.rubs {
            spins.extend(balls.iter().map(Spin::from).filter(|_| self.traits.rolls));
            spins.resize(bodies.len(), Spin::default());
            grips = grips_of(&[], bodies.len(), self.first_piece);
        }
        let actors = vec![ActorRecord::default(); if self.traits.acts { balls.len() } else { 0 }];
        Slotted { bodies, homes, spins, grips, actors }
    }

    /// What an edit comes to.
    ///
    /// # Errors
    /// [`crate::Error::Value`] for a value outside its range.
    pub(crate) fn edited(&self, edit: &Edit) -> Result<Change> {
        let counts = (self.world.materials.len(), self.world.wheels.len());
        edit.validate(self.params.balls as usize, counts)?;
        if let Some(stroke) = Stroke::of(edit, self.sizes.largest()) {
            return Ok(Change::Stroke(stroke));
        }
        let mut course = self.clone();
        let mut added = Vec::new();
        match edit {
            Edit::Segments(segments) => course.world.segments.clone_from(segments),
            Edit::Add(balls) => added.clone_from(balls),
            _ => {}
        }
        if !self.sleeps() {
            added.iter_mut().for_each(Body::wake);
        }
        course.sizes = self.sizes.with(&added);
        course.grid = Grid::new(&course.world, &course.sizes);
        course.traits = Traits::of(&course.world, &course.settings);
        if course.world.segments != self.world.segments || course.grid.levels.last() != self.grid.levels.last() {
            course.first_piece = self.ids_of_new_pieces();
        }
        course.derive(self.params.step_s);
        let slotted = course.slotted(&added, added.iter().map(Record::from).collect());
        let wakes = added.iter().any(|body| !body.is_movable()) || course.world.segments != self.world.segments;
        Ok(Change::Tail(Box::new(Tail { course, slotted, wakes })))
    }

    /// The first of the ids that no piece has had yet; when they are used up, the first of all.
    fn ids_of_new_pieces(&self) -> u32 {
        let next = self.first_piece + (self.params.count - self.params.balls);
        if next < LAST_PIECE { next } else { FIRST_PIECE }
    }

    /// Says how many slots there is room for.
    pub(crate) fn make_room(&mut self, capacity: u32) {
        self.params.capacity = capacity;
    }

    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// What the world has that most have not.
    pub(crate) fn traits(&self) -> Traits {
        self.traits
    }

    /// Whether balls may sleep.
    pub(crate) fn sleeps(&self) -> bool {
        self.params.sleep_speed_squared > 0.0
    }

    /// Whether surfaces move, so that each step has other constants than the one before it.
    pub(crate) fn surfaces_move(&self) -> bool {
        self.world.model != Model::Null && self.world.surfaces.iter().any(Surface::is_moving)
    }

    /// The world's surfaces, as far as they have moved.
    pub(crate) fn surfaces(&self) -> &[Surface] {
        &self.world.surfaces
    }

    /// Takes the surfaces where a step of the present length brings them.
    pub(crate) fn move_surfaces(&mut self) {
        if self.surfaces_move() {
            for surface in &mut self.world.surfaces {
                surface.advance(self.params.step_s);
            }
            self.derive(self.params.step_s);
        }
    }

    /// The turns of one step; the null model's has none.
    pub(crate) fn turns(&self) -> impl Iterator<Item = Turn> + use<> {
        let traits = Traits { segments: self.traits.segments && self.settings.contacts, ..self.traits };
        let any = self.world.model != Model::Null;
        turns(self.settings.passes, self.sleeps(), self.params.relief > 0.0, traits).filter(move |_| any)
    }

    /// Where actors are sent.
    pub(crate) fn steering(&self) -> &Steering {
        &self.steering
    }

    /// The direction of actors that follow.
    pub(crate) fn direction(&self) -> Vec2 {
        self.direction
    }

    /// Sends actors that follow in a direction, and tilts surfaces by its x; whether there are any of these.
    ///
    /// # Errors
    /// [`crate::Error::Value`] for a part that is not from −1 to 1.
    pub(crate) fn steer(&mut self, direction: Vec2) -> Result<bool> {
        self.direction = direction_of(direction)?;
        (self.steering.x, self.steering.y) = (self.direction.x, self.direction.y);
        let tilts = self.world.surfaces.iter_mut().filter_map(|surface| surface.steer(self.direction.x).then_some(()));
        let any = tilts.count() > 0;
        if any {
            self.derive(self.params.step_s);
        }
        Ok(any)
    }

    /// Gives each actor an order.
    ///
    /// # Errors
    /// [`crate::Error::Value`] for another number of orders than there are actors, or a direction outside its range.
    pub(crate) fn order(&mut self, orders: &[Order]) -> Result<()> {
        let actors = self.world.actors.len();
        if orders.len() != actors {
            let (name, accepted) = ("orders".into(), format!("given for each of the world's {actors} actors"));
            return Err(Error::Value { name, value: format!("{} in number", orders.len()), accepted });
        }
        for order in orders {
            if let Order::Go(direction) = order {
                direction_of(*direction)?;
            }
        }
        for (actor, &order) in self.world.actors.iter_mut().zip(orders) {
            actor.order = order;
        }
        Ok(())
    }

    /// The orders as the stages read them, by id; none without actors.
    pub(crate) fn orders(&self) -> Vec<OrderRecord> {
        let mut orders = vec![OrderRecord::default(); if self.traits.acts { self.params.balls as usize } else { 0 }];
        for actor in &self.world.actors {
            orders[actor.ball] = OrderRecord::new(actor.order);
        }
        orders
    }

    /// Makes the coming steps `step_s` seconds long; whether there are any: a length that is not above 0 makes none.
    ///
    /// # Errors
    /// [`crate::Error::Value`] for a step longer than a second.
    pub(crate) fn takes_steps_of(&mut self, step_s: f32) -> Result<bool> {
        if step_s.is_nan() || step_s <= 0.0 {
            return Ok(false);
        }
        in_range("the length of a step", step_s, 0.0, LONGEST_STEP_S)?;
        if self.params.step_s != step_s {
            self.derive(step_s);
        }
        Ok(true)
    }

    /// Takes new forces, materials and settings; whether the world is now of another kind, and the engine with its
    /// buffers must be made anew from it.
    ///
    /// # Errors
    /// [`crate::Error::Value`] for a value outside its range; nothing has changed then.
    pub(crate) fn retune(&mut self, tuning: &Tuning) -> Result<bool> {
        refuse_sequential(&tuning.settings)?;
        tuning.apply(&mut self.world)?;
        self.settings = tuning.settings.clone();
        if self.is_restless {
            self.settings = self.settings.clone().without_sleep();
        }
        self.derive(self.params.step_s);
        Ok(self.traits != Traits::of(&self.world, &self.settings))
    }

    /// How a step is made.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    fn derive(&mut self, step_s: f32) {
        let Params { count, balls, capacity, .. } = self.params;
        self.params = Params { count, balls, capacity, ..Params::new(&self.world, &self.settings, &self.grid, step_s) };
        self.steering = Steering::new(&self.world, &self.settings, step_s, self.direction);
    }

    /// What is known of the balls by slot, by id.
    pub(crate) fn by_id(&self, by_slot: &[f32], homes: &[Home]) -> Vec<f32> {
        let balls = self.params.balls as usize;
        let mut by_id = vec![0.0; balls];
        for (&value, home) in by_slot.iter().zip(homes).take(balls) {
            by_id[home.id as usize] = value;
        }
        by_id
    }

    /// The world with the balls of an engine's slots, by id; `wake` is not 0 for sleepers that are about to wake.
    pub(crate) fn world_of(&self, slotted: &Slotted, wake: &[u32]) -> World {
        let Slotted { bodies, homes, spins, grips, actors } = slotted;
        let balls = self.params.balls as usize;
        let mut by_id = vec![Body::from(&Record::default()); balls];
        for ((body, home), &wake) in bodies.iter().zip(homes).zip(wake).take(balls) {
            // What a stopped actor's record can't hold, the actor does.
            let stopped = actors.get(home.id as usize).filter(|actor| actor.is_stopped());
            let mut body = match stopped {
                Some(actor) if body.is_erased() => Body { inverse_mass: actor.inverse_mass, ..Body::from(body) },
                Some(actor) => Body::from(&actor.gone_on(*body)),
                None => Body::from(body),
            };
            if wake > 0 {
                body.wake();
            }
            by_id[home.id as usize] = body;
        }
        for (spin, home) in spins.iter().zip(homes).take(balls) {
            let body = &mut by_id[home.id as usize];
            (body.spin, body.angle) = (spin.rate, spin.angle);
        }
        let pieces = self.first_piece..self.first_piece + (self.params.count - self.params.balls);
        let slips = slips_of(grips, &homes[..balls], pieces);
        let mut world = World { slips, bodies: by_id, ..self.world.clone() };
        for actor in &mut world.actors {
            let ActorRecord { tx, ty, ex, ey, .. } = actors[actor.ball];
            (actor.thrust, actor.environment) = (Vec2::new(tx, ty), Vec2::new(ex, ey));
        }
        world
    }
}

/// A world's actors as the stages read them, by id; none without actors.
fn actor_records(world: &World) -> Vec<ActorRecord> {
    let balls = if world.actors.is_empty() { 0 } else { world.bodies.len() };
    let mut records = vec![ActorRecord::default(); balls];
    for actor in &world.actors {
        records[actor.ball] = ActorRecord::new(actor);
    }
    records
}

/// Refuses the sequential solver, which answers contacts one after another: no stage does.
fn refuse_sequential(settings: &Settings) -> Result<()> {
    if !settings.solver.is_sequential() {
        return Ok(());
    }
    Err(Error::Value {
        name: "solver".into(),
        value: "sequential".into(),
        accepted: "jacobi on this engine: a sequential pass answers contacts one after another, which only \
                   the sequential engine does; take --solver jacobi"
            .into(),
    })
}
