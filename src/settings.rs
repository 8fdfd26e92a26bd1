//! Every tunable of a step: its unit, its range and what it costs to change it.

use serde::{Deserialize, Serialize};

use crate::{Error, Result, StageOrder};

/// Which solver answers contacts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Solver {
    /// Gathering passes that read only what the pass before wrote: both engines, any size.
    #[default]
    Jacobi,
    /// Textbook Gauss–Seidel passes in index order, the step's stages in an order of choice: CPU engine only, for
    /// comparison.
    Sequential(StageOrder),
}

impl Solver {
    /// Whether one contact is answered after the other.
    pub fn is_sequential(&self) -> bool {
        matches!(self, Self::Sequential(_))
    }

    /// The same solver with another order of stages.
    ///
    /// # Errors
    /// [`Error::Value`] for the jacobi solver, which has no such stages.
    pub fn in_order(self, order: StageOrder) -> Result<Self> {
        match self {
            Self::Sequential(_) => Ok(Self::Sequential(order)),
            Self::Jacobi => Err(Error::Value {
                name: "the order of stages".into(),
                value: format!("given as {order}"),
                accepted:
                    "left out with the jacobi solver, or --solver sequential be given: jacobi's contacts and surfaces \
                           act at once, so that there is nothing to put in order"
                        .into(),
            }),
        }
    }
}

/// Rules of the jacobi solver that have no size to choose: one is left out only to show what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Only a ball that stands on the ground is relieved of load. Without it, a pile whose floor vanishes loses
    /// momentum.
    pub ground: bool,
    /// The overlaps that a step begins with count in the first pass's split. Without it, balls spawned in one place
    /// burst.
    pub presplit: bool,
    /// A ball in several impacts answers the earliest first. Without it, elastic collisions lose energy.
    pub first_impact: bool,
    /// Under gravity, only what was apart two passes ago bounces. Without it, what is squashed bounces out.
    pub impact_window: bool,
    /// A bounce off an immovable partner counts half the coming kick of gravity. Without it, elastic bounces gain
    /// height.
    pub half_kick: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self { ground: true, presplit: true, first_impact: true, impact_window: true, half_kick: true }
    }
}

/// How a step is made. The defaults are what the figures of the README were measured with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Steps a second, 1 to 10,000. Fewer are faster and let balls sink deeper into each other.
    pub rate_hz: u32,
    /// Contact passes a step, 1 to 64; each is a substep. Fewer are faster and softer.
    pub passes: u32,
    /// Who answers contacts.
    pub solver: Solver,
    /// Meetings slower than this do not bounce but come to rest, px/s, 0 to 10,000, only under gravity. Higher ends a
    /// row of ever smaller bounces sooner.
    pub bounce_speed_px_s: f32,
    /// Share of an overlap that one step pushes out where there is no gravity, 0.01 to 64 (under gravity each pass
    /// pushes out all of it). A harder push turns overlaps of a gas into energy.
    pub soft_push: f32,
    /// Share of the load from above that a grounded ball is relieved of over a step, 0 to 2, only under gravity. It is
    /// what lets a pile stand at any depth, at the price of contact forces that are no longer the true load; 0 switches
    /// it off.
    pub relief: f32,
    /// Vertical drag on a ball that is relieved, 1/s, 0 to 1,000; never more than its relief. Lower lets a pile boil
    /// and throws balls up after a landing, higher lets it rise more slowly out of being squashed.
    pub relief_drag_per_s: f32,
    /// Greatest speed that the pushes of resting contacts may give a ball under gravity, px/s, 1 to 1e6. Lower calms a
    /// heap spawned in one place and lets it stay squashed for longer.
    pub push_speed_px_s: f32,
    /// Greatest speed of a ball, px/s, 1 to 1e6: where a restitution above 1 adds energy without end, it ends here.
    pub most_speed_px_s: f32,
    /// Whether friction turns balls, as discs of even mass; without it they only slide. Costs some time.
    pub rotation: bool,
    /// Whether balls meet each other and surfaces; without it they only fly.
    pub contacts: bool,
    /// A bit for each layer whose actors are stepped, the lowest for layer 0; balls that are no actors always are. What
    /// is not stepped stands still, and is met as an immovable ball.
    pub layers: u32,
    /// Stiffness of the pointer's spring, in (mass unit)/s², 0 to 1e8.
    pub spring_stiffness: f32,
    /// Damping of the pointer's spring, in (mass unit)/s, 0 to 1e7.
    pub spring_damping: f32,
    /// Time for which a ball must be slower than `sleep_speed_px_s` to fall asleep, s, up to 6; 0 means never. Shorter
    /// saves more work and may catch a ball on its way.
    pub sleep_after_s: f32,
    /// Speed below which a ball counts as at rest, px/s, 0.01 to 100. Higher puts heaps to sleep that still settle.
    pub sleep_speed_px_s: f32,
    /// Rules in use: all of them, unless one is left out to be tried.
    pub rules: Rules,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rate_hz: 120,
            passes: 8,
            solver: Solver::Jacobi,
            bounce_speed_px_s: 30.0,
            soft_push: 0.15,
            relief: 0.8,
            relief_drag_per_s: 80.0,
            push_speed_px_s: 300.0,
            most_speed_px_s: 1e6,
            rotation: false,
            contacts: true,
            layers: u32::MAX,
            spring_stiffness: 40_000.0,
            spring_damping: 3_000.0,
            sleep_after_s: 0.0,
            sleep_speed_px_s: 2.0,
            rules: Rules::default(),
        }
    }
}

impl Settings {
    /// Most steps a second.
    pub const MOST_RATE_HZ: u32 = 10_000;
    /// Most passes a step.
    pub const MOST_PASSES: u32 = 64;

    /// Most quiet steps that a ball counts: a float32 holds them, and its flags, exactly.
    pub(crate) const MOST_QUIET_STEPS: u32 = 60_000;

    /// Length of a fixed step in seconds.
    pub fn step_s(&self) -> f32 {
        1.0 / self.rate_hz as f32
    }

    /// The same settings with sleep switched on: after a second, if nothing else was said.
    pub fn with_sleep(mut self) -> Self {
        if self.sleep_after_s == 0.0 {
            self.sleep_after_s = 1.0;
        }
        if let Solver::Sequential(order) = self.solver {
            self.solver = Solver::Sequential(order.with_sleep());
        }
        self
    }

    /// Whether balls may fall asleep.
    pub fn sleeps(&self) -> bool {
        self.sleep_after_s > 0.0
    }

    /// The same settings with sleep switched off.
    pub fn without_sleep(self) -> Self {
        Self { sleep_after_s: 0.0, ..self }
    }

    /// Speed above which a ball wakes the sleepers that it touches, px/s: well above what a ball that lies awake on
    /// them has.
    pub(crate) fn wake_speed_px_s(&self) -> f32 {
        4.0 * self.sleep_speed_px_s
    }

    /// Quiet steps of `step_s` seconds after which a ball sleeps; more than it can count if it never does.
    pub(crate) fn quiet_steps_of(&self, step_s: f32) -> u32 {
        let steps = (self.sleep_after_s / step_s).ceil().clamp(1.0, Self::MOST_QUIET_STEPS as f32) as u32;
        if self.sleeps() { steps } else { u32::MAX }
    }

    /// Refuses a value outside its range.
    ///
    /// # Errors
    /// [`Error::Value`] with the setting's name and its range.
    pub fn validate(&self) -> Result<()> {
        in_range("rate", self.rate_hz as f32, 1.0, Self::MOST_RATE_HZ as f32)?;
        in_range("passes", self.passes as f32, 1.0, Self::MOST_PASSES as f32)?;
        in_range("bounce_speed", self.bounce_speed_px_s, 0.0, 10_000.0)?;
        in_range("soft_push", self.soft_push, 0.01, 64.0)?;
        in_range("relief", self.relief, 0.0, 2.0)?;
        in_range("relief_drag", self.relief_drag_per_s, 0.0, 1_000.0)?;
        in_range("push_speed", self.push_speed_px_s, 1.0, 1e6)?;
        in_range("sleep_after", self.sleep_after_s, 0.0, 6.0)?;
        in_range("sleep_speed", self.sleep_speed_px_s, 0.01, 100.0)?;
        in_range("most_speed", self.most_speed_px_s, 1.0, 1e6)?;
        in_range("spring_stiffness", self.spring_stiffness, 0.0, 1e8)?;
        in_range("spring_damping", self.spring_damping, 0.0, 1e7)?;
        let refused = |name: &str, value: &str, accepted: &str| {
            Err(Error::Value { name: name.into(), value: value.into(), accepted: accepted.into() })
        };
        match self.solver.is_sequential() {
            true if self.rotation => {
                let accepted = "false with the sequential solver, whose balls slide and do not turn: leave --rotation out, \
                                or take --solver jacobi";
                refused("rotation", "true", accepted)
            }
            true if !self.contacts => {
                refused("contacts", "false", "true with the sequential solver, which has a stage for them")
            }
            _ => Ok(()),
        }
    }
}

/// Refuses `value` unless it lies in `least..=most`; NaN never does.
///
/// # Errors
/// [`Error::Value`] with `name` and the range.
pub(crate) fn in_range(name: impl Into<String>, value: f32, least: f32, most: f32) -> Result<()> {
    if value >= least && value <= most {
        return Ok(());
    }
    Err(Error::Value { name: name.into(), value: value.to_string(), accepted: format!("from {least} to {most}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_valid_and_what_is_out_of_range_is_named() {
        Settings::default().validate().unwrap();
        type Field = fn(&mut Settings) -> &mut f32;
        let fields: [(&str, Field); 10] = [
            ("bounce_speed", |settings| &mut settings.bounce_speed_px_s),
            ("soft_push", |settings| &mut settings.soft_push),
            ("relief", |settings| &mut settings.relief),
            ("relief_drag", |settings| &mut settings.relief_drag_per_s),
            ("push_speed", |settings| &mut settings.push_speed_px_s),
            ("most_speed", |settings| &mut settings.most_speed_px_s),
            ("spring_stiffness", |settings| &mut settings.spring_stiffness),
            ("spring_damping", |settings| &mut settings.spring_damping),
            ("sleep_after", |settings| &mut settings.sleep_after_s),
            ("sleep_speed", |settings| &mut settings.sleep_speed_px_s),
        ];
        for (name, field) in fields {
            for value in [f32::NAN, -1.0, 1e9, f32::INFINITY] {
                let mut bad = Settings::default();
                *field(&mut bad) = value;
                let message = bad.validate().unwrap_err().to_string();
                assert!(message.contains(&format!("{name} is {value}")), "{message}");
            }
        }
    }
}
