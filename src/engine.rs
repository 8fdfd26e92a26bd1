//! What an engine is, whatever it runs on.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::actor::ActorRecord;
use crate::stage::friction_pass::Grip;
use crate::stage::list_contacts::Nearby;
use crate::stage::list_contacts::lists::Lists;
use crate::{Actor, Body, Edit, Error, Home, Order, Readout, Record, Result, Settings, Spin, Stage, Surface, World};

/// Steps a world. The two implementations give the same bits (on a device that passes the self-test).
pub trait Engine {
    /// `cpu` or `gpu`.
    fn name(&self) -> &'static str;

    /// The machine that runs it, in words.
    fn adapter(&self) -> String;

    /// Steps made since the engine was built.
    fn steps(&self) -> u64;

    /// Makes `count` steps of `step_s` seconds each; a step length that is not above 0 makes none.
    ///
    /// # Errors
    /// [`Error::Value`] for a step longer than a second; [`Error::Device`] if the device has failed, and with it
    /// the engine.
    fn step(&mut self, count: u32, step_s: f32) -> Result<()>;

    /// Makes one step and waits for it, to time its stages.
    ///
    /// # Errors
    /// As [`Engine::step`].
    fn time_step(&mut self, step_s: f32) -> Result<StageTimes>;

    /// The world as it is now, balls by id.
    ///
    /// # Errors
    /// [`Error::Device`] if it can't be read back, [`Error::Memory`] if the computer has no room for it.
    fn world(&mut self) -> Result<World>;

    /// The world's surfaces, as far as they have moved.
    fn surfaces(&self) -> &[Surface];

    /// Takes new forces, materials and settings; balls and surfaces stay.
    ///
    /// # Errors
    /// [`Error::Value`] for a value outside its range, [`Error::TooManyBalls`] if the device can't hold the balls with
    /// friction added; nothing has changed then.
    fn retune(&mut self, tuning: &Tuning) -> Result<()>;

    /// Adds, takes or pushes balls, or changes walls. Nobody waits for a GPU.
    ///
    /// # Errors
    /// [`Error::Value`] for a value outside its range, [`Error::TooManyBalls`] if the device can't hold the balls;
    /// nothing has changed then.
    fn edit(&mut self, edit: &Edit) -> Result<()>;

    /// Presses the pointer at `place`, px: the ball drawn there, `alpha` between its last two places, is held.
    fn press(&mut self, place: Vec2, alpha: f32);

    /// Moves the pressed pointer.
    fn drag(&mut self, place: Vec2);

    /// Lets go; the ball keeps its velocity.
    fn release(&mut self);

    /// Sends all actors whose order is to follow in a direction: each part from −1 to 1, and a length above 1 counts
    /// as 1. Surfaces that may be tilted turn by its x. It holds until another is given.
    ///
    /// # Errors
    /// [`Error::Value`] for a part outside its range; the direction stays as it was then.
    fn steer(&mut self, direction: Vec2) -> Result<()>;

    /// Tells each actor, in the order of [`World::actors`], what to do from now on.
    ///
    /// # Errors
    /// [`Error::Value`] for another number of orders than there are actors, or a direction outside its range; all
    /// orders stay as they were then.
    fn order(&mut self, orders: &[Order]) -> Result<()>;

    /// Asks `logic` about each actor and its ball as they are now, and gives the orders it answers with. Call it
    /// between steps. The world is read back for it: a single direction for all comes cheaper by [`Engine::steer`].
    ///
    /// # Errors
    /// The first that `logic` answers with, and those of [`Engine::world`] and [`Engine::order`]; no order is given
    /// then.
    fn direct(&mut self, logic: &mut dyn FnMut(&Actor, &Body) -> Result<Order>) -> Result<()> {
        let world = self.world()?;
        let orders: Result<Vec<Order>> =
            world.actors.iter().map(|actor| logic(actor, &world.bodies[actor.ball])).collect();
        self.order(&orders?)
    }

    /// What presses on each ball, by id: the forces of its resting contacts over its circumference, px²/s². None from
    /// the sequential solver, whose pushes are no forces.
    ///
    /// # Errors
    /// [`Error::Device`] if it can't be read back.
    fn loads(&mut self) -> Result<Option<Vec<f32>>>;

    /// Deepest overlap, fastest ball and contacts: the newest known. A GPU answers with those of an earlier call, so
    /// that nobody waits for it.
    fn readout(&mut self) -> Readout;

    /// The readout of the state as it is now; a GPU is waited for.
    ///
    /// # Errors
    /// [`Error::Device`] if it can't be read back.
    fn readout_now(&mut self) -> Result<Readout> {
        Ok(self.readout())
    }

    /// Pairs answered since the engine was built, where that is counted: the sequential engine does.
    fn resolved(&self) -> Option<u64> {
        None
    }
}

/// Time of each stage of one step, in the order run; the passes add up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageTimes(pub Vec<(Stage, f64)>);

impl StageTimes {
    /// Adds `ms` milliseconds to a stage.
    pub(crate) fn add(&mut self, stage: Stage, ms: f64) {
        match self.0.iter_mut().find(|(known, _)| *known == stage) {
            Some((_, total)) => *total += ms,
            None => self.0.push((stage, ms)),
        }
    }
}

/// The CPU engine's state between two stages, in slot order.
#[derive(Clone, Copy)]
pub(crate) struct Slots<'a> {
    pub(crate) bodies: &'a [Record],
    pub(crate) homes: &'a [Home],
    pub(crate) cell_start: &'a [u32],
    pub(crate) lists: &'a Lists,
    pub(crate) nearby: &'a [Nearby],
    pub(crate) supporter: &'a [u32],
    pub(crate) wake: &'a [u32],
    pub(crate) grips: &'a [Grip],
    pub(crate) spins: &'a [Spin],
    pub(crate) actors: &'a [ActorRecord],
}

/// What may change while a world runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    /// Gravity, px/s².
    pub gravity: Vec2,
    /// Drag, 1/s.
    pub drag_per_s: f32,
    /// Restitution of each material.
    pub restitution: Vec<f32>,
    /// Friction of each material.
    pub friction: Vec<f32>,
    /// How a step is made.
    pub settings: Settings,
}

impl Tuning {
    /// What a world and its settings say now.
    pub fn of(world: &World, settings: &Settings) -> Self {
        Self {
            gravity: world.gravity,
            drag_per_s: world.drag_per_s,
            restitution: world.materials.iter().map(|material| material.restitution).collect(),
            friction: world.materials.iter().map(|material| material.friction).collect(),
            settings: settings.clone(),
        }
    }

    /// Writes the tuning into a world's copy and checks both.
    ///
    /// # Errors
    /// [`Error::Value`] for a value outside its range.
    pub(crate) fn apply(&self, world: &mut World) -> Result<()> {
        self.settings.validate()?;
        for (name, given) in [("restitution", &self.restitution), ("friction", &self.friction)] {
            if given.len() != world.materials.len() {
                return Err(Error::Value {
                    name: name.into(),
                    value: format!("given for {} materials", given.len()),
                    accepted: format!("given for each of the world's {}", world.materials.len()),
                });
            }
        }
        let mut tuned = world.room();
        tuned.gravity = self.gravity;
        tuned.drag_per_s = self.drag_per_s;
        let given = self.restitution.iter().zip(&self.friction);
        for (material, (&restitution, &friction)) in tuned.materials.iter_mut().zip(given) {
            (material.restitution, material.friction) = (restitution, friction);
        }
        tuned.validate()?;
        tuned.bodies = std::mem::take(&mut world.bodies);
        tuned.slips = std::mem::take(&mut world.slips);
        tuned.actors = std::mem::take(&mut world.actors);
        *world = tuned;
        Ok(())
    }
}
