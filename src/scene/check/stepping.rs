//! What a file says of how steps are made.

use std::ops::Range;

use toml::Spanned;

use super::super::file::{SpawnTable, StepTable};
use super::super::place;
use super::Check;
use crate::error::shortened;
use crate::{Error, Result, Settings, Solver, StageOrder};

impl Check<'_> {
    pub(super) fn settings(&self, step: &StepTable) -> Result<Settings> {
        let mut settings = Settings::default();
        if let Some(rate) = &step.rate {
            settings.rate_hz = self.whole(&place::RATE, rate)? as u32;
        }
        if let Some(passes) = &step.passes {
            settings.passes = self.whole(&place::PASSES, passes)? as u32;
        }
        settings.rotation = step.rotation.as_ref().is_some_and(|rotation| *rotation.get_ref());
        settings.solver = self.solver(step)?;
        if let Some(text) = &step.stages {
            let told = |error| self.source.error(text.span(), error);
            let order = shortened(text.get_ref(), 60).parse().map_err(told)?;
            settings.solver = settings.solver.in_order(order).map_err(told)?;
        }
        let sleeps = |solver: &Solver| matches!(solver, Solver::Sequential(order) if order.sleeps());
        let after = self.number_or(f64::from(sleeps(&settings.solver)), &place::SLEEP_AFTER, &step.sleep_after)?;
        settings.sleep_after_s = after as f32;
        let speed = self.number_or(settings.sleep_speed_px_s.into(), &place::SLEEP_SPEED, &step.sleep_speed)?;
        settings.sleep_speed_px_s = speed as f32;
        let bounce = self.number_or(settings.bounce_speed_px_s.into(), &place::BOUNCE_SPEED, &step.bounce_speed)?;
        settings.bounce_speed_px_s = bounce as f32;
        if let Some(relief) = &step.relief {
            settings.relief = self.number(&place::RELIEF, relief)? as f32;
        }
        if let Some(contacts) = &step.contacts {
            settings.contacts = *contacts.get_ref();
        }
        settings.layers = self.layers(step)?;
        if settings.solver.is_sequential() {
            self.refuse_jacobis(step)?;
        }
        Ok(if settings.sleeps() { settings.with_sleep() } else { settings })
    }

    fn solver(&self, step: &StepTable) -> Result<Solver> {
        let Some(name) = &step.solver else { return Ok(Solver::default()) };
        match name.get_ref().as_str() {
            "jacobi" => Ok(Solver::Jacobi),
            "sequential" => Ok(Solver::Sequential(StageOrder::default())),
            other => {
                let other = format!("\"{}\"", shortened(other, 60));
                Err(self.source.refused(name.span(), other, &place::SOLVER))
            }
        }
    }

    /// Refuses what the sequential solver can't do.
    fn refuse_jacobis(&self, step: &StepTable) -> Result<()> {
        let given = |value: &Option<Spanned<bool>>, refused| {
            value.as_ref().filter(|value| *value.get_ref() == refused).map(Spanned::span)
        };
        match (given(&step.rotation, true), given(&step.contacts, false)) {
            (Some(span), _) => Err(self.only_jacobi(span, "its balls slide and do not turn")),
            (_, Some(span)) => Err(self.only_jacobi(span, "it has a stage for contacts")),
            _ => Ok(()),
        }
    }

    /// Refuses actors, which the sequential solver knows nothing of.
    pub(super) fn refuse_actors(&self, tables: &[Spanned<SpawnTable>]) -> Result<()> {
        let actors = tables.iter().map(Spanned::get_ref).find_map(|spawn| {
            let SpawnTable { character, layer, carries, .. } = spawn;
            let character = character.as_ref().map(Spanned::span);
            character.or(layer.as_ref().map(Spanned::span)).or(carries.as_ref().map(Spanned::span))
        });
        actors.map_or(Ok(()), |span| Err(self.only_jacobi(span, "its balls go nowhere by themselves")))
    }

    fn only_jacobi(&self, span: Range<usize>, why: &str) -> Error {
        let message =
            format!("has no meaning for solver = \"sequential\", for {why}; leave it out, or take \"jacobi\"");
        self.source.error(span, message)
    }
}
