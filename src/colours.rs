//! What the balls' colours mean, in the window and in pictures.

use std::f32::consts::TAU;

use ballpit::World;
use ballpit::render::ColourBy;

/// What the colours mean; the ranges come from the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ColourMode {
    /// A palette's colours in turn.
    #[default]
    Palette,
    /// Speed.
    Speed,
    /// Mass.
    Mass,
    /// A palette's colours by material.
    Material,
    /// What presses on a ball: the bright lines of a heap are its force chains.
    Load,
}

impl ColourMode {
    pub(crate) const ALL: [Self; 5] = [Self::Palette, Self::Speed, Self::Mass, Self::Material, Self::Load];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Palette => "palette",
            Self::Speed => "speed",
            Self::Mass => "mass",
            Self::Material => "material",
            Self::Load => "load",
        }
    }

    pub(crate) fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }
}

/// Ends of the colour ramps of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ramps {
    pub(crate) most_px_s: f32,
    pub(crate) least_mass: f32,
    pub(crate) most_mass: f32,
    pub(crate) most_load: f32,
}

/// Weights of a mean ball that the load of the brightest colour is.
const BRIGHTEST_WEIGHTS: f32 = 40.0;

impl Ramps {
    pub(crate) fn of(world: &World) -> Self {
        let movable = || world.bodies.iter().filter(|body| body.is_movable());
        let masses = || movable().map(|body| body.mass());
        let fastest = movable().map(|body| body.velocity.length()).fold(0.0, f32::max);
        let pull = world.gravity.length();
        // A fall through half of the box's height.
        let fall = (pull * (world.max - world.min).y).sqrt();
        let sums = movable().fold((0.0, 0.0), |(mass, radius), body| (mass + body.mass(), radius + body.radius));
        let weight = if pull > 0.0 { pull } else { 1_000.0 } * sums.0 / (TAU * sums.1).max(1e-9);
        Self {
            most_px_s: fall.max(fastest).max(100.0),
            least_mass: masses().fold(f32::INFINITY, f32::min).min(1e9),
            most_mass: masses().fold(1e-9, f32::max),
            most_load: BRIGHTEST_WEIGHTS * weight,
        }
    }

    pub(crate) fn colour(&self, mode: ColourMode) -> ColourBy {
        match mode {
            ColourMode::Palette => ColourBy::Palette,
            ColourMode::Speed => ColourBy::Speed { most_px_s: self.most_px_s },
            ColourMode::Mass => ColourBy::Mass { least: self.least_mass, most: self.most_mass },
            ColourMode::Material => ColourBy::Material,
            ColourMode::Load => ColourBy::Load { most: self.most_load },
        }
    }
}
