//! What the balls' colours mean and what is drawn over them, in the window and in pictures.

use std::f32::consts::{PI, TAU};

use ballpit::render::{ColourBy, Lattice, palette, sleep_colours};
use ballpit::{Cannon, Material, Solver, Srgb, World};
use glam::Vec2;

use crate::numbers::{grouped, short};

/// What the colours mean; the ranges come from the world. The keys 1 to 8 are their places here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ColourMode {
    /// A palette's colours in turn, or those that the scene gives its materials.
    #[default]
    Palette,
    /// Speed.
    Speed,
    /// Mass.
    Mass,
    /// The materials' own colours, or a palette's.
    Material,
    /// What presses on a ball: the bright lines of a heap are its force chains.
    Load,
    /// How many balls share the ball's cell of the grid.
    Cells,
    /// The id: who was where at the start.
    Id,
    /// Awake or asleep.
    Sleep,
}

impl ColourMode {
    pub(crate) const ALL: [Self; 8] =
        [Self::Palette, Self::Speed, Self::Mass, Self::Material, Self::Load, Self::Cells, Self::Id, Self::Sleep];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Palette => "palette",
            Self::Speed => "speed",
            Self::Mass => "mass",
            Self::Material => "material",
            Self::Load => "load",
            Self::Cells => "cells",
            Self::Id => "id",
            Self::Sleep => "sleep",
        }
    }

    /// What the colours tell, and in which unit.
    pub(crate) fn tip(self) -> &'static str {
        match self {
            Self::Palette => {
                "Five colours in turn, to follow single balls; a material that the scene gives a colour has that"
            }
            Self::Speed => "Speed, px/s",
            Self::Mass => "Mass, px²; each doubling is the same step",
            Self::Material => "A colour for each material",
            Self::Load => {
                "What presses on a ball, px²/s²: the bright lines of a heap are its force chains. Costs some time"
            }
            Self::Cells => "How many balls share the ball's cell of the grid: what the search for contacts costs there",
            Self::Id => "Order of birth: shows how far those who began side by side have mixed",
            Self::Sleep => "Awake, or asleep and dim",
        }
    }

    /// Whether its colours are a ramp's, from less to more.
    pub(crate) fn is_ramp(self) -> bool {
        !matches!(self, Self::Palette | Self::Material | Self::Sleep)
    }

    /// Why a solver has nothing to colour by, where it has not.
    pub(crate) fn refusal(self, solver: &Solver) -> Option<&'static str> {
        let is_refused = self == Self::Load && solver.is_sequential();
        is_refused.then_some("the sequential solver's pushes are no forces")
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
    pub(crate) most_in_cell: f32,
    pub(crate) last_id: f32,
}

/// Weights of a mean ball that the load of the brightest colour is.
const BRIGHTEST_WEIGHTS: f32 = 40.0;
/// Share of a cell that balls cover which lie as densely as they can.
const PACKED: f32 = 0.9;

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
            most_in_cell: most_in_cell(world),
            last_id: world.bodies.len().saturating_sub(1).max(1) as f32,
        }
    }

    /// The same for a world into which a cannon's balls may come.
    pub(crate) fn with_shots(self, cannon: Option<&Cannon>) -> Self {
        let masses = || {
            cannon.into_iter().flat_map(|cannon| (0..cannon.masses().len()).map(|n| cannon.shot(Vec2::ZERO, n).mass()))
        };
        Self {
            least_mass: masses().fold(self.least_mass, f32::min),
            most_mass: masses().fold(self.most_mass, f32::max),
            ..self
        }
    }

    pub(crate) fn colour(&self, mode: ColourMode) -> ColourBy {
        match mode {
            ColourMode::Palette => ColourBy::Palette,
            ColourMode::Speed => ColourBy::Speed { most_px_s: self.most_px_s },
            ColourMode::Mass => ColourBy::Mass { least: self.least_mass, most: self.most_mass },
            ColourMode::Material => ColourBy::Material,
            ColourMode::Load => ColourBy::Load { most: self.most_load },
            ColourMode::Cells => ColourBy::Cells { most: self.most_in_cell },
            ColourMode::Id => ColourBy::Id { most: self.last_id },
            ColourMode::Sleep => ColourBy::Sleep,
        }
    }
}

/// Twice the mean balls that a cell of the finest level holds where they lie densely, since some are small; at least
/// four.
fn most_in_cell(world: &World) -> f32 {
    let side = Lattice::finest_px(world);
    // A ball is in the finest level if twice its reach fits a cell.
    let small = || world.bodies.iter().map(|body| body.radius).filter(|radius| 2.0 * radius <= side);
    let mean_square = small().map(|radius| radius * radius).sum::<f32>() / small().count().max(1) as f32;
    let packed = PACKED * side * side / (PI * mean_square).max(1e-9);
    (2.0 * packed).min(world.bodies.len() as f32).ceil().max(4.0)
}

/// What the colours on the screen mean.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Legend {
    /// Nothing in particular.
    None,
    /// A ramp from its least to its most.
    Ramp { title: &'static str, least: String, most: String },
    /// A colour each: red, green and blue as sRGB stores them.
    Swatches(Vec<([u8; 3], String)>),
}

impl Legend {
    /// The legend of a mode in a world of these materials.
    pub(crate) fn of(mode: ColourMode, ramps: &Ramps, world: &World) -> Self {
        let ramp = |title, least: f32, most: f32, unit: &str| Self::Ramp {
            title,
            least: short(least),
            most: format!("{} {unit}", short(most)).trim_end().to_owned(),
        };
        match mode {
            ColourMode::Palette => match Self::own_colours(world) {
                own if own.is_empty() => Self::None,
                own => Self::Swatches(own),
            },
            ColourMode::Speed => ramp("speed", 0.0, ramps.most_px_s, "px/s"),
            ColourMode::Mass => ramp("mass", ramps.least_mass.min(ramps.most_mass), ramps.most_mass, "px²"),
            ColourMode::Load => ramp("load", 0.0, ramps.most_load, "px²/s²"),
            ColourMode::Cells => ramp("in the cell", 1.0, ramps.most_in_cell, "balls"),
            ColourMode::Id => {
                let most = grouped(ramps.last_id as u64);
                Self::Ramp { title: "id", least: "0".into(), most }
            }
            ColourMode::Material => {
                let swatch = |(index, material): (usize, &Material)| {
                    (material.colour.map_or_else(|| palette(index), Srgb::bytes), material.name.clone())
                };
                Self::Swatches(world.materials.iter().enumerate().map(swatch).collect())
            }
            ColourMode::Sleep => {
                let [awake, asleep] = sleep_colours();
                Self::Swatches(vec![(awake, "awake".into()), (asleep, "asleep".into())])
            }
        }
    }

    /// The materials that the scene gives a colour.
    fn own_colours(world: &World) -> Vec<([u8; 3], String)> {
        let own = |material: &Material| Some((material.colour?.bytes(), material.name.clone()));
        world.materials.iter().filter_map(own).collect()
    }
}

#[cfg(test)]
mod tests {
    use ballpit::{Body, Scene};
    use glam::Vec2;

    use super::*;

    fn impulse() -> World {
        Scene::named("impulse").unwrap().build(&Default::default()).unwrap()
    }

    #[test]
    fn ramps_suit_the_world() {
        let world = impulse();
        let ramps = Ramps::of(&world);
        // √(900 · 550): half of the box is fallen through at that speed.
        assert!((ramps.most_px_s - 703.6).abs() < 0.1, "{ramps:?}");
        assert!(ramps.least_mass >= 144.0 && ramps.most_mass <= 784.0 && ramps.least_mass < ramps.most_mass);
        assert_eq!(ramps.last_id, 69.0);
        let mut fast = world.clone();
        fast.add(Body::ball(Vec2::new(500.0, 300.0), 40.0).moving(Vec2::new(5_000.0, 0.0)));
        let wider = Ramps::of(&fast);
        assert_eq!((wider.most_px_s, wider.most_mass.round()), (5_000.0, 1_600.0));
    }

    #[test]
    fn a_legend_names_both_ends_with_their_unit() {
        let world = impulse();
        let ramps = Ramps::of(&world);
        let legend = |mode| Legend::of(mode, &ramps, &world);
        let speed = Legend::Ramp { title: "speed", least: "0".into(), most: "704 px/s".into() };
        assert_eq!(legend(ColourMode::Speed), speed);
        assert_eq!(legend(ColourMode::Palette), Legend::None);
        assert!(matches!(legend(ColourMode::Load), Legend::Ramp { most, .. } if most.ends_with(" px²/s²")));
        assert!(matches!(legend(ColourMode::Material), Legend::Swatches(names) if names[0].1 == "rubber"));
    }

    #[test]
    fn a_legend_shows_the_colours_that_the_scene_gives_its_materials() {
        let mut world = Scene::named("court").unwrap().build(&Default::default()).unwrap();
        let legend = |mode, world: &World| Legend::of(mode, &Ramps::of(world), world);
        let names = ["small", "big", "first"].map(str::to_owned);
        let swatches = world.materials.iter().map(|material| material.colour.unwrap().bytes()).zip(names).collect();
        let own = Legend::Swatches(swatches);
        assert_eq!((legend(ColourMode::Palette, &world), legend(ColourMode::Material, &world)), (own.clone(), own));
        world.materials.iter_mut().for_each(|material| material.colour = None);
        assert_eq!(legend(ColourMode::Palette, &world), Legend::None);
        let Legend::Swatches(by_turns) = legend(ColourMode::Material, &world) else { panic!("no swatches") };
        assert_eq!(by_turns[1], (palette(1), "big".into()));
    }
}
