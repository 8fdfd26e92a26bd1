//! Measures of a world, on the CPU and in float64: what the tests judge both engines by.

use glam::DVec2;
use rayon::prelude::*;
use serde::Serialize;

use crate::{Body, Segment, Surface, World};

mod grid;
mod hash;
#[cfg(test)]
mod tests;
mod wander;

use grid::Grid;
pub(crate) use hash::fnv;
pub use hash::state_hash;
pub use wander::Wander;

/// What a world's state amounts to. Erased balls count in nothing. Immovable balls count as what others touch, and in
/// nothing else.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measures {
    /// Deepest overlap of two balls, or of a ball and a surface or a segment, px.
    pub deepest_overlap_px: f64,
    /// Largest overlap as a share of the smaller radius.
    pub overlap_ratio_max: f64,
    /// The same share at the 99th percentile of all contacts that overlap.
    pub overlap_ratio_p99: f64,
    /// Contacts that overlap or just touch.
    pub touching: usize,
    /// From the floor, the larger y of the world's box, up to the top edge of the ball that 99.5 % of
    /// the balls lie below, px: a few balls in flight are no pile. Of fewer than 200 balls, the highest.
    pub pile_height_px: f64,
    /// Centre of mass, px.
    pub center_of_mass_px: [f64; 2],
    /// Kinetic energy, in mass units times (px/s)².
    pub kinetic_energy: f64,
    /// Momentum, in mass units times px/s.
    pub momentum: [f64; 2],
    /// Largest speed, px/s.
    pub fastest_px_s: f64,
    /// Root of the mean square of the speeds, px/s.
    pub rms_speed_px_s: f64,
    /// How far the lowest edge of a ball lies below the floor, px; 0 if none does.
    pub deepest_below_floor_px: f64,
}

impl Measures {
    /// Measures `world`: sums in id order, so that equal worlds measure equal to the last bit.
    pub fn of(world: &World) -> Self {
        if world.bodies.iter().any(|body| body.erased) {
            return Self::of(&world.without_erased());
        }
        let mut measures = Self::default();
        measures.add_contacts(world);
        measures.add_motion(world);
        measures.add_heights(world);
        measures
    }

    fn add_contacts(&mut self, world: &World) {
        let mut overlaps = overlaps(world);
        self.touching = overlaps.len();
        // One that just touches is a contact, but no overlap.
        overlaps.retain(|overlap| overlap.depth_px > 0.0);
        self.deepest_overlap_px = overlaps.iter().map(|overlap| overlap.depth_px).fold(0.0, f64::max);
        let ratios: Vec<f64> = overlaps.iter().map(|overlap| overlap.ratio).collect();
        self.overlap_ratio_max = ratios.iter().copied().fold(0.0, f64::max);
        self.overlap_ratio_p99 = percentile(ratios, 0.99);
    }

    fn add_motion(&mut self, world: &World) {
        let (mut mass, mut moment, mut momentum) = (0.0, DVec2::ZERO, DVec2::ZERO);
        let (mut count, mut squares) = (0.0, 0.0);
        for body in movable(world) {
            let ball_mass = 1.0 / f64::from(body.inverse_mass);
            let velocity = body.velocity.as_dvec2();
            let square = velocity.length_squared();
            mass += ball_mass;
            moment += ball_mass * body.position.as_dvec2();
            momentum += ball_mass * velocity;
            self.kinetic_energy += 0.5 * ball_mass * square;
            self.fastest_px_s = self.fastest_px_s.max(square.sqrt());
            squares += square;
            count += 1.0;
        }
        self.momentum = momentum.into();
        if count > 0.0 {
            self.center_of_mass_px = (moment / mass).into();
            self.rms_speed_px_s = f64::sqrt(squares / count);
        }
    }

    fn add_heights(&mut self, world: &World) {
        let floor = f64::from(world.max.y);
        let edges = |side: f64| {
            movable(world).map(move |body| f64::from(body.position.y) + side * f64::from(body.radius) - floor)
        };
        let heights = edges(-1.0).map(|top| -top).collect();
        self.pile_height_px = percentile(heights, 0.995);
        self.deepest_below_floor_px = edges(1.0).fold(0.0, f64::max);
    }
}

fn movable(world: &World) -> impl Iterator<Item = &Body> {
    world.bodies.iter().filter(|body| body.is_movable())
}

/// A contact whose bodies overlap or just touch.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Overlap {
    depth_px: f64,
    ratio: f64,
}

impl Overlap {
    fn of_pair(a: &Body, b: &Body) -> Option<Self> {
        let distance = (a.position.as_dvec2() - b.position.as_dvec2()).length();
        let [a, b] = [f64::from(a.radius), f64::from(b.radius)];
        Self::of_depth(a + b - distance, a.min(b))
    }

    fn of_depth(depth_px: f64, radius: f64) -> Option<Self> {
        (depth_px >= 0.0).then_some(Self { depth_px, ratio: depth_px / radius })
    }
}

/// Every touching pair and surface contact that can move, in an order that the threads do not change.
fn overlaps(world: &World) -> Vec<Overlap> {
    let grid = Grid::new(&world.bodies);
    let of_ball = |id: usize| {
        let body = &world.bodies[id];
        let mut found = Vec::new();
        grid.for_each_candidate(&world.bodies, id, |other| {
            let other = &world.bodies[other];
            if body.is_movable() || other.is_movable() {
                found.extend(Overlap::of_pair(body, other));
            }
        });
        if body.is_movable() {
            found.extend(surface_overlaps(world, body));
        }
        found
    };
    let mut overlaps: Vec<Overlap> = grid.ids().flat_map_iter(of_ball).collect();
    overlaps.extend(segment_overlaps(world));
    overlaps
}

/// Every ball that touches a segment: of those whose x is within its reach, each is tried.
fn segment_overlaps(world: &World) -> Vec<Overlap> {
    let mut balls: Vec<&Body> = movable(world).collect();
    balls.sort_by(|a, b| a.position.x.total_cmp(&b.position.x));
    let largest = balls.iter().map(|ball| ball.radius).fold(0.0, f32::max);
    let of_segment = |segment: &Segment| {
        let reach = largest + segment.radius + 1.0;
        let (least, most) = (segment.from.x.min(segment.to.x) - reach, segment.from.x.max(segment.to.x) + reach);
        let first = balls.partition_point(|ball| ball.position.x < least);
        let near = balls[first..].iter().take_while(|ball| ball.position.x <= most);
        let overlap = |ball: &&Body| {
            let radius = f64::from(ball.radius);
            let distance = distance_to_segment(ball.position.as_dvec2(), segment);
            Overlap::of_depth(radius + f64::from(segment.radius) - distance, radius)
        };
        near.filter_map(overlap).collect::<Vec<_>>()
    };
    world.segments.par_iter().flat_map_iter(of_segment).collect()
}

fn distance_to_segment(place: DVec2, segment: &Segment) -> f64 {
    let (from, way) = (segment.from.as_dvec2(), (segment.to - segment.from).as_dvec2());
    let share = ((place - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
    place.distance(from + way * share)
}

fn surface_overlaps(world: &World, body: &Body) -> impl Iterator<Item = Overlap> {
    let (place, radius) = (body.position.as_dvec2(), f64::from(body.radius));
    world.surfaces.iter().map(Surface::now).filter_map(move |surface| {
        let height = (place - surface.point.as_dvec2()).dot(surface.normal.as_dvec2());
        Overlap::of_depth(radius - height, radius)
    })
}

/// The value that `share` of the values, 0 to 1, lie at or below: the nearest rank. 0 without values.
pub fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let rank = (share * values.len() as f64).ceil() as usize;
    let index = rank.saturating_sub(1).min(values.len() - 1);
    *values.select_nth_unstable_by(index, f64::total_cmp).1
}
