//! A world on its way: what both engines know of it, its balls aside.

use crate::engine::Tuning;
use crate::grid::Grid;
use crate::params::{Params, Traits};
use crate::segment::pieces;
use crate::settings::in_range;
use crate::stage::grid_reorder;
use crate::step::{Turn, turns};
use crate::{Body, Error, Home, Record, Result, Settings, Surface, World};

/// Longest step, s.
const LONGEST_STEP_S: f32 = 1.0;

pub(crate) struct Course {
    /// The world without its balls, which live in the engine's slots.
    world: World,
    settings: Settings,
    grid: Grid,
    params: Params,
    traits: Traits,
}

/// The balls of a world in slots, by id, and the pieces of its segments after them.
pub(crate) struct Slotted {
    pub(crate) bodies: Vec<Record>,
    pub(crate) homes: Vec<Home>,
}

impl Course {
    /// Takes a world apart.
    ///
    /// # Errors
    /// [`crate::Error::Value`] if the world or the settings hold a value that can't be stepped.
    pub(crate) fn new(mut world: World, settings: Settings) -> Result<(Self, Slotted)> {
        world.validate()?;
        settings.validate()?;
        refuse_sequential(&settings)?;
        let grid = Grid::new(&world);
        let traits = Traits::of(&world);
        let mut params = Params::new(&world, &settings, &grid, settings.step_s());
        let mut bodies: Vec<Record> = std::mem::take(&mut world.bodies).iter().map(Record::from).collect();
        bodies.extend(pieces(&world.segments, |segment| grid.longest_edge(segment)));
        params.count = bodies.len() as u32;
        let homes = bodies.iter().zip(0..).map(|(body, id)| grid_reorder::home(&params, body, id)).collect();
        Ok((Self { world, settings, grid, params, traits }, Slotted { bodies, homes }))
    }

    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// What the world has that most have not.
    pub(crate) fn traits(&self) -> Traits {
        self.traits
    }

    /// Whether surfaces move, so that each step has other constants than the one before it.
    pub(crate) fn surfaces_move(&self) -> bool {
        self.world.surfaces.iter().any(|surface| !surface.is_at_rest())
    }

    /// The world's surfaces, as far as they have moved.
    pub(crate) fn surfaces(&self) -> &[Surface] {
        &self.world.surfaces
    }

    /// Takes the surfaces where a step of the present length brings them.
    pub(crate) fn move_surfaces(&mut self) {
        if self.surfaces_move() {
            for surface in &mut self.world.surfaces {
                surface.motion.elapsed_s += f64::from(self.params.step_s);
            }
            self.derive(self.params.step_s);
        }
    }

    /// The turns of one step.
    pub(crate) fn turns(&self) -> impl Iterator<Item = Turn> + use<> {
        turns(self.settings.passes, self.params.relief > 0.0, self.traits)
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

    /// Takes new forces, materials and settings.
    ///
    /// # Errors
    /// [`crate::Error::Value`] for a value outside its range; nothing has changed then.
    pub(crate) fn retune(&mut self, tuning: &Tuning) -> Result<()> {
        refuse_sequential(&tuning.settings)?;
        tuning.apply(&mut self.world)?;
        self.settings = tuning.settings.clone();
        self.derive(self.params.step_s);
        Ok(())
    }

    fn derive(&mut self, step_s: f32) {
        let Params { count, balls, .. } = self.params;
        self.params = Params { count, balls, ..Params::new(&self.world, &self.settings, &self.grid, step_s) };
    }

    /// The world with the balls of an engine's slots, by id.
    pub(crate) fn world_of(&self, bodies: &[Record], homes: &[Home]) -> World {
        let balls = self.params.balls as usize;
        let mut by_id = vec![Body::from(&Record::default()); balls];
        for (body, home) in bodies.iter().zip(homes).take(balls) {
            by_id[home.id as usize] = body.into();
        }
        World { bodies: by_id, ..self.world.clone() }
    }
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
                   the sequential engine does"
            .into(),
    })
}
