//! A contact: the geometry of a pair of balls, or of a ball and a surface, and what kind of meeting it is.
//!
//! With n the unit vector from a ball toward its partner, s the gap between them (negative in overlap) and vn the
//! partner's velocity along n as the ball sees it, they touch within the substep if s + vn·hs < 0. It is an *impact* if
//! they approach faster than the threshold and were apart at most two substeps ago (s ≥ 2·vn·hs; under gravity only);
//! any other is a *resting* contact. Between movable balls, a gap that rounding can't tell from none counts as none:
//! balls that just touch press on nothing. Every expression is antisymmetric to the bit: seen from the partner, n and
//! the velocities change sign and nothing else changes, so momentum is kept.
//!
//! A *segment* is met as an immovable disc: about the point of an edge nearest to the ball, if the ball is beside the
//! edge, or in a corner, if it is beside none (see `src/segment.rs`).

use crate::Record;
use crate::exact::{max, min, recip, rsqrt, sqrt};
use crate::params::{Params, SurfaceParams};
use crate::segment::CORNER;

/// Squared distance, px², below which two centres count as one.
pub(crate) const COINCIDENT: f32 = 1e-8;

/// Share of the sum of radii below which a gap is rounding's. On what can't move, a ball rests at such a gap.
pub(crate) const TOUCHING: f32 = 1e-5;

/// Split of a segment's piece that is not met where the ball is.
pub(crate) const UNMET: f32 = -1.0;
/// Half extents from an edge's middle to where it ends: a little more than one, so that a ball falls between no two.
pub(crate) const EDGE_END: f32 = 1.001;

/// The normal of two balls whose centres coincide: these two in either order, with either sign.
pub(crate) const COINCIDENT_NORMAL: [f32; 2] = [0.923_879_5, 0.382_683_43];

/// A meeting within the substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contact {
    /// Unit normal toward the partner.
    pub(crate) nx: f32,
    /// Unit normal toward the partner.
    pub(crate) ny: f32,
    /// Gap, px; negative in overlap.
    pub(crate) gap: f32,
    /// Velocity of the partner along the normal, px/s; negative in approach.
    pub(crate) approach: f32,
    /// Restitution if it is an impact, −1 if it is a resting contact.
    pub(crate) bounce: f32,
}

impl Contact {
    pub(crate) fn is_impact(&self) -> bool {
        self.bounce >= 0.0
    }

    /// Time to the meeting at the present approach, s; negative in overlap.
    pub(crate) fn meeting_s(&self) -> f32 {
        self.gap * recip(-self.approach)
    }

    /// Speed change along the normal, px/s, that parts a resting contact; 0 if it parts by itself.
    pub(crate) fn push(&self, params: &Params) -> f32 {
        max(params.push_rate * self.gap - self.approach, 0.0)
    }
}

/// What the ball in slot a meets in slot b: a ball, or in place of a segment's piece a disc at rest, which on an edge
/// lies about the point nearest to the ball. It has the split [`UNMET`] where another piece is to be met instead.
#[inline(always)]
pub(crate) fn partner(params: &Params, bodies: &[Record], a: usize, b: usize) -> Record {
    if b < params.balls as usize { bodies[b] } else { disc_of_piece(&bodies[a], &bodies[b]) }
}

fn disc_of_piece(body: &Record, piece: &Record) -> Record {
    let (dx, dy) = (body.x - piece.x, body.y - piece.y);
    let (dot, squared) = (dx * piece.vx + dy * piece.vy, piece.vx * piece.vx + piece.vy * piece.vy);
    let (along, is_met) = if piece.split == CORNER {
        (0.0, dot >= sqrt(dx * dx + dy * dy) * squared)
    } else {
        let along = dot * recip(squared);
        (min(max(along, -1.0), 1.0), along.abs() <= EDGE_END)
    };
    Record {
        x: piece.x + piece.vx * along,
        y: piece.y + piece.vy * along,
        vx: 0.0,
        vy: 0.0,
        split: if is_met { 0.0 } else { UNMET },
        ..*piece
    }
}

/// Unit normal from the ball in slot a to its partner in slot b, and the distance of their centres.
#[inline(always)]
pub(crate) fn direction(from: &Record, to: &Record, (a, b): (usize, usize)) -> (f32, f32, f32) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let squared = dx * dx + dy * dy;
    if squared < COINCIDENT {
        let [nx, ny] = coincident(a as u32, b as u32);
        return (nx, ny, 0.0);
    }
    let inverse = rsqrt(squared);
    (dx * inverse, dy * inverse, squared * inverse)
}

/// The normal of two balls whose centres coincide: one of eight by their slots, opposite as seen from the other.
#[cold]
fn coincident(a: u32, b: u32) -> [f32; 2] {
    let (low, high) = (a.min(b), a.max(b));
    let hash = low.wrapping_mul(2_654_435_761) ^ high.wrapping_mul(2_246_822_519);
    let [mut x, mut y] = COINCIDENT_NORMAL;
    if hash & 0x2000 > 0 {
        (x, y) = (y, x);
    }
    let falling = hash & 0x4000 > 0;
    let turned = ((low ^ high) & 1 == 0) != (a < b);
    [if turned { -x } else { x }, if turned != falling { -y } else { y }]
}

/// The gap, px, to a partner at `distance`; between movable balls, what rounding can't tell from none is none.
#[inline(always)]
pub(crate) fn gap_of(distance: f32, reach: f32, partner: &Record) -> f32 {
    let gap = distance - reach;
    if partner.is_movable() && gap.abs() < TOUCHING * reach { 0.0 } else { gap }
}

/// The contact of the ball in slot a with that in slot b, if they touch within the substep.
#[inline(always)]
pub(crate) fn pair(params: &Params, bodies: &[Record], a: usize, b: usize) -> Option<Contact> {
    let slots = (a, b);
    let (a, b) = (&bodies[a], &partner(params, bodies, a, b));
    let (nx, ny, distance) = direction(a, b, slots);
    let reach = a.radius + b.radius;
    let gap = gap_of(distance, reach, b);
    let approach = (b.vx - a.vx) * nx + (b.vy - a.vy) * ny;
    if gap + approach * params.substep_s >= 0.0 || b.split == UNMET {
        return None;
    }
    let mut contact = Contact { nx, ny, gap, approach, bounce: -1.0 };
    if may_bounce(params, &contact) {
        let (a, b) = (&params.materials[a.material()], &params.materials[b.material()]);
        contact.bounce = max(a.restitution, b.restitution);
    }
    Some(contact)
}

/// Gap between a ball and a surface as the step began, px.
#[inline(always)]
pub(crate) fn surface_gap(body: &Record, surface: &SurfaceParams) -> f32 {
    ((surface.normal_x * body.x + surface.normal_y * body.y) - surface.offset) - body.radius
}

/// Velocity of a surface where a ball is, px/s.
#[inline(always)]
pub(crate) fn surface_velocity(body: &Record, surface: &SurfaceParams) -> (f32, f32) {
    (surface.drift_x - surface.turn * body.y, surface.drift_y + surface.turn * body.x)
}

/// Gap between a ball and a surface that has moved for `elapsed_s` since the step began, px.
#[inline(always)]
pub(crate) fn surface_gap_after(body: &Record, surface: &SurfaceParams, elapsed_s: f32) -> f32 {
    let (vx, vy) = surface_velocity(body, surface);
    surface_gap(body, surface) + (vx * -surface.normal_x + vy * -surface.normal_y) * elapsed_s
}

/// The contact of a ball with a surface, if they touch within the substep; the surface has moved for `elapsed_s` since
/// the step began.
#[inline(always)]
pub(crate) fn with_surface(params: &Params, body: &Record, surface: &SurfaceParams, elapsed_s: f32) -> Option<Contact> {
    let (nx, ny) = (-surface.normal_x, -surface.normal_y);
    let (vx, vy) = surface_velocity(body, surface);
    let gap = surface_gap_after(body, surface, elapsed_s);
    let approach = (vx - body.vx) * nx + (vy - body.vy) * ny;
    if gap + approach * params.substep_s >= 0.0 {
        return None;
    }
    let mut contact = Contact { nx, ny, gap, approach, bounce: -1.0 };
    if may_bounce(params, &contact) {
        contact.bounce = surface_restitution(params, body, surface);
    }
    Some(contact)
}

/// Restitution of a meeting with a surface: the surface's, or else the ball's own.
#[inline(always)]
pub(crate) fn surface_restitution(params: &Params, body: &Record, surface: &SurfaceParams) -> f32 {
    let own = params.materials[body.material()].restitution;
    if surface.restitution >= 0.0 { surface.restitution } else { own }
}

pub(super) fn may_bounce(params: &Params, contact: &Contact) -> bool {
    contact.approach < params.impact_speed && contact.gap >= params.impact_window_s * contact.approach
}
