//! Segments: straight walls of finite length, solid on both sides, and the pieces that the grid takes them as.

use std::collections::BTreeMap;

use glam::{DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::settings::in_range;
use crate::{Error, Record, Result};

/// A wall from one point to another, with round ends. It never moves; balls meet it as they meet an immovable ball.
/// What is farther from the world's box than the box is wide or high is not there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// One end, px.
    pub from: Vec2,
    /// The other end, px.
    pub to: Vec2,
    /// Half its thickness, px.
    pub radius: f32,
    /// Index of its material in the world.
    pub material: usize,
}

impl Segment {
    /// Shortest that a segment may be, px.
    pub const SHORTEST_PX: f32 = 0.01;
    /// Longest that a segment may be, px.
    pub const LONGEST_PX: f32 = 1e9;
    /// Most segments a world may have.
    pub const MOST: usize = 1 << 20;

    /// A wall 2 px thick.
    pub fn new(from: Vec2, to: Vec2) -> Self {
        Self { from, to, radius: 1.0, material: 0 }
    }

    /// Length, px.
    pub fn length(&self) -> f32 {
        self.from.distance(self.to)
    }

    /// The part of it within a box, if there is one.
    pub(crate) fn within(&self, min: Vec2, max: Vec2) -> Option<Self> {
        let way = self.to - self.from;
        let (mut first, mut last) = (0f32, 1f32);
        for axis in 0..2 {
            let (from, way) = (self.from[axis], way[axis]);
            if way == 0.0 {
                if from < min[axis] || from > max[axis] {
                    return None;
                }
                continue;
            }
            let (a, b) = ((min[axis] - from) / way, (max[axis] - from) / way);
            (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
        }
        let place = |share: f32, end| if share == 0.0 || share == 1.0 { end } else { self.from + way * share };
        let part = Self { from: place(first, self.from), to: place(last, self.to), ..*self };
        (first < last && part.length() >= Self::SHORTEST_PX).then_some(part)
    }

    /// The point of it that is nearest to a place.
    pub fn nearest_to(&self, place: Vec2) -> Vec2 {
        let way = self.to - self.from;
        self.from + way * ((place - self.from).dot(way) / way.length_squared()).clamp(0.0, 1.0)
    }

    /// The share of a way from a place after which it crosses the segment, if it does.
    pub(crate) fn share_before(&self, place: Vec2, way: Vec2) -> Option<f32> {
        let along = self.to - self.from;
        let (before, after) = (along.perp_dot(place - self.from), along.perp_dot(place + way - self.from));
        let share = before / (before - after);
        let crossed = (place + way * share - self.from).dot(along) / along.length_squared();
        // A way that ends on the line has no side to end on.
        let changes_side = (before < 0.0) != (after < 0.0) || after == 0.0;
        (changes_side && (0.0..=1.0).contains(&crossed)).then_some(share)
    }

    /// Refuses ends that are too far or not finite, and segments of no length.
    ///
    /// # Errors
    /// [`Error::Value`].
    pub(crate) fn validate(&self, index: usize, materials: usize) -> Result<()> {
        let place = |what: &str| format!("{what} of segment {index}");
        for (what, end) in [("from", self.from), ("to", self.to)] {
            in_range(place(&format!("{what} x")), end.x, -1e9, 1e9)?;
            in_range(place(&format!("{what} y")), end.y, -1e9, 1e9)?;
        }
        in_range(place("length"), self.length(), Self::SHORTEST_PX, Self::LONGEST_PX)?;
        in_range(place("radius"), self.radius, 0.0, 1e6)?;
        if self.material < materials {
            return Ok(());
        }
        Err(Error::Value {
            name: place("material"),
            value: self.material.to_string(),
            accepted: format!("the index of one of the world's {materials} materials"),
        })
    }

    /// Edge pieces no longer than `longest`, px.
    fn edges(&self, longest: f32) -> impl Iterator<Item = Record> + use<> {
        let Self { from, to, radius, material } = *self;
        let count = (self.length() / longest).ceil().max(1.0);
        let half = (to - from) / (2.0 * count);
        (0..count as u32).map(move |edge| piece(from + half * (2 * edge + 1) as f32, half, radius, (EDGE, material)))
    }
}

/// Split of an edge piece.
const EDGE: f32 = 1.0;
/// Split of a corner piece.
pub(crate) const CORNER: f32 = 0.0;
/// Least cosine of a corner's half angle: that of a free end, so that its cone keeps a direction.
pub(crate) const LEAST_COSINE: f64 = 0.01;

fn piece(place: Vec2, extent: Vec2, radius: f32, (kind, material): (f32, usize)) -> Record {
    Record {
        x: place.x,
        y: place.y,
        vx: extent.x,
        vy: extent.y,
        radius,
        split: kind,
        inverse_mass: 0.0,
        flags: material as f32,
    }
}

/// Segments as the grid takes them: records of *edges* no longer than `longest` says and of *corners*.
///
/// An edge is met by balls right beside it; it has its middle for a place and half its extent for a velocity. A corner
/// is met by balls in the cone that lies beside none of its edges, so that a ball that slides along from one edge to
/// the next does not bump into the corner between them; for a velocity it has the cone's axis, as long as the cosine of
/// half the cone's angle. Corners where edges go straight on, or which have edges all around, are met by nobody and
/// left out.
pub(crate) fn pieces(segments: &[Segment], longest: impl Fn(&Segment) -> f32) -> Vec<Record> {
    let mut pieces: Vec<Record> = segments.iter().flat_map(|segment| segment.edges(longest(segment))).collect();
    let mut corners: BTreeMap<[u32; 3], Corner> = BTreeMap::new();
    for segment in segments {
        for (end, other) in [(segment.from, segment.to), (segment.to, segment.from)] {
            // Both zeros are one place.
            let place = end + Vec2::ZERO;
            let key = [place.x, place.y, segment.radius].map(f32::to_bits);
            let corner = corners.entry(key).or_default();
            corner.toward.push((other - end).as_dvec2().normalize());
            corner.material = segment.material;
        }
    }
    pieces.extend(corners.into_iter().filter_map(|(key, corner)| {
        let [x, y, radius] = key.map(f32::from_bits);
        Some(piece(Vec2::new(x, y), corner.cone()?, radius, (CORNER, corner.material)))
    }));
    pieces
}

/// Where segments of one thickness end: a thicker one's round end sticks out of a thinner one's.
#[derive(Default)]
struct Corner {
    /// Unit vectors along the edges, away from the corner.
    toward: Vec<DVec2>,
    /// One edge's.
    material: usize,
}

impl Corner {
    /// Axis of the cone that lies beside no edge, as long as the cosine of half its angle.
    ///
    /// A place at d from the corner lies beside an edge along a if d·a > 0. Where all edges lie within half a turn, the
    /// places beside none lie opposite to the middle of the outermost two, up to a right angle from each of them.
    fn cone(&self) -> Option<Vec2> {
        let outermost = self.toward.iter().flat_map(|&a| self.toward.iter().map(move |&b| (a, b)));
        let (a, b) = outermost.min_by(|(a, b), (c, d)| a.dot(*b).total_cmp(&c.dot(*d)))?;
        let middle = a + b;
        // Straight on, or edges all around.
        if middle.length() < 1e-5 || self.toward.iter().any(|edge| edge.dot(middle) <= 0.0) {
            return None;
        }
        let axis = -middle.normalize();
        // The cone's border is at a right angle to the edges a and b.
        let cosine = f64::max((1.0 - axis.dot(a).powi(2)).max(0.0).sqrt(), LEAST_COSINE);
        Some((axis * cosine).as_vec2())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_outside_is_cut_off() {
        let (min, max) = (Vec2::ZERO, Vec2::splat(10.0));
        let segment = |from: [f32; 2], to: [f32; 2]| Segment::new(from.into(), to.into());
        assert_eq!(segment([1.0, 2.0], [9.0, 3.0]).within(min, max), Some(segment([1.0, 2.0], [9.0, 3.0])));
        assert_eq!(segment([-90.0, 5.0], [110.0, 5.0]).within(min, max), Some(segment([0.0, 5.0], [10.0, 5.0])));
        assert_eq!(segment([5.0, 5.0], [5.0, 95.0]).within(min, max), Some(segment([5.0, 5.0], [5.0, 10.0])));
        for (from, to) in [([-5.0, 11.0], [15.0, 11.0]), ([-5.0, 4.0], [4.0, -6.0]), ([20.0, 0.0], [30.0, 9.0])] {
            assert_eq!(segment(from, to).within(min, max), None, "from {from:?} to {to:?}");
        }
    }

    #[test]
    fn edges_cover_the_segment_from_end_to_end() {
        let segment = Segment::new(Vec2::new(10.0, 20.0), Vec2::new(40.0, -20.0));
        for (longest, count) in [(1e9, 1), (50.0, 1), (49.0, 2), (7.0, 8)] {
            let edges: Vec<Record> = segment.edges(longest).collect();
            assert_eq!(edges.len(), count);
            let mut at = segment.from;
            for edge in edges {
                let (middle, half) = (Vec2::new(edge.x, edge.y), Vec2::new(edge.vx, edge.vy));
                assert!((middle - half - at).length() < 1e-4);
                at = middle + half;
            }
            assert!((at - segment.to).length() < 1e-4);
        }
    }

    /// The corner pieces of walls from the origin toward some points.
    fn corner_at_origin(toward: &[Vec2]) -> Option<Record> {
        let segments: Vec<Segment> = toward.iter().map(|&to| Segment::new(Vec2::ZERO, to)).collect();
        pieces(&segments, |_| 1e9).into_iter().find(|piece| piece.split == CORNER && piece.x == 0.0 && piece.y == 0.0)
    }

    /// Whether the corner is met from a direction.
    fn is_met(corner: &Record, from: Vec2) -> bool {
        let cone = Vec2::new(corner.vx, corner.vy);
        from.dot(cone) >= from.length() * cone.length_squared()
    }

    #[test]
    fn a_corner_is_met_from_where_no_edge_is_beside() {
        for toward in [vec![Vec2::X], vec![Vec2::X, Vec2::Y], vec![Vec2::X, Vec2::new(3.0, 1.0), Vec2::new(2.0, 5.0)]] {
            let corner = corner_at_origin(&toward).unwrap();
            for k in 0..360 {
                let from = Vec2::from_angle((k as f32 + 0.5).to_radians());
                let beside = toward.iter().map(|edge| from.dot(edge.normalize())).fold(-1.0, f32::max);
                if beside.abs() > 0.02 {
                    assert_eq!(is_met(&corner, from), beside < 0.0, "from {from} with edges toward {toward:?}");
                }
            }
        }
    }

    #[test]
    fn a_corner_on_a_straight_wall_or_amid_walls_is_met_by_nobody() {
        assert!(corner_at_origin(&[Vec2::X, Vec2::NEG_X]).is_none());
        assert!(corner_at_origin(&[Vec2::X, Vec2::new(-1.0, 2.0), Vec2::new(-1.0, -2.0)]).is_none());
        let thick = Segment { radius: 5.0, ..Segment::new(Vec2::ZERO, Vec2::NEG_X) };
        let step = pieces(&[Segment::new(Vec2::ZERO, Vec2::X), thick], |_| 1e9);
        assert_eq!(step.iter().filter(|piece| piece.split == CORNER && piece.x == 0.0).count(), 2, "both ends show");
        let ends = pieces(&[Segment::new(Vec2::ZERO, Vec2::X), Segment::new(Vec2::X, Vec2::Y)], |_| 1e9);
        assert_eq!(ends.iter().filter(|piece| piece.split == CORNER).count(), 3);
    }
}
