//! A world on its way: what both engines know of it, its balls aside.

use crate::engine::Tuning;
use crate::grid::Grid;
use crate::params::{Params, Traits};
use crate::settings::in_range;
use crate::stage::carry_grips::{grips_of, slips_of};
use crate::stage::friction_pass::Grip;
use crate::stage::grid_reorder;
use crate::step::{Turn, turns};
use crate::{Body, Error, Home, Record, Result, Settings, Solver, Spin, World};

/// Longest step, s.
const LONGEST_STEP_S: f32 = 1.0;

pub(crate) struct Course {
    /// The world without its balls, which live in the engine's slots.
    world: World,
    settings: Settings,
    grid: Grid,
    params: Params,
}

/// The balls of a world in slots, by id.
pub(crate) struct Slotted {
    pub(crate) bodies: Vec<Record>,
    pub(crate) homes: Vec<Home>,
    /// Empty unless something rubs.
    pub(crate) spins: Vec<Spin>,
    /// Empty unless something rubs.
    pub(crate) grips: Vec<Grip>,
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
        let params = Params::new(&world, &settings, &grid, settings.step_s());
        let traits = Traits::of(&world, &settings);
        let (balls, slips) = (std::mem::take(&mut world.bodies), std::mem::take(&mut world.slips));
        let bodies: Vec<Record> = balls.iter().map(Record::from).collect();
        let homes = bodies.iter().zip(0..).map(|(body, id)| grid_reorder::home(&params, body, id)).collect();
        let spin = |body: &Body| if traits.rolls { Spin::from(body) } else { Spin::default() };
        let spins = balls.iter().filter(|_| traits.rubs).map(spin).collect();
        let grips = if traits.rubs { grips_of(&slips, &balls) } else { Vec::new() };
        Ok((Self { world, settings, grid, params }, Slotted { bodies, homes, spins, grips }))
    }

    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// What the world needs that most do not.
    pub(crate) fn traits(&self) -> Traits {
        Traits::of(&self.world, &self.settings)
    }

    /// The turns of one step.
    pub(crate) fn turns(&self) -> impl Iterator<Item = Turn> + use<> {
        turns(self.settings.passes, self.params.relief > 0.0, self.traits())
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
        let count = self.params.count;
        self.params = Params { count, ..Params::new(&self.world, &self.settings, &self.grid, step_s) };
    }

    /// The world with the balls of an engine's slots, by id.
    pub(crate) fn world_of(&self, slotted: &Slotted) -> World {
        let Slotted { bodies, homes, spins, grips } = slotted;
        let mut by_id = vec![Body::from(&Record::default()); bodies.len()];
        for (body, home) in bodies.iter().zip(homes) {
            by_id[home.id as usize] = body.into();
        }
        for (spin, home) in spins.iter().zip(homes) {
            let body = &mut by_id[home.id as usize];
            (body.spin, body.angle) = (spin.rate, spin.angle);
        }
        World { slips: slips_of(grips, homes, &by_id), bodies: by_id, ..self.world.clone() }
    }
}

/// Refuses the sequential solver, which answers contacts one after another: no stage does.
fn refuse_sequential(settings: &Settings) -> Result<()> {
    if settings.solver == Solver::Jacobi {
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
