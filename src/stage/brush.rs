//! `brush`: a push on the balls in a circle, or balls erased and brought back. It runs when asked, between two steps.
//!
//! A push adds (s/d − c)·d⃗ to the velocity of a ball at d⃗ from the middle. Repelling has c = s/radius: all of s in
//! the middle, nothing at the rim. Attracting has s = 0: a pull that grows with the distance, in which balls come to
//! rest.
//!
//! An erased ball keeps slot, id and place; its record is that of an immovable ball in a cell where nobody looks
//! (`grid_count`). What a circle erases is stamped, by id, so that it can be brought back, and erased again, without
//! the host having to know who it was. Sleepers near what has changed wake.

use super::contact::COINCIDENT;
use super::{Access, Bindings, Buffer};
use crate::exact::{rsqrt, snap};
use crate::params::Stroke;
use crate::{Brush, Edit, Record};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Stroke, Access::Uniform),
    (Buffer::Bodies, Access::Update),
    (Buffer::Homes, Access::Read),
    (Buffer::Spins, Access::Update),
    (Buffer::Wake, Access::Write),
    (Buffer::Stamps, Access::Update),
];

/// Pushes what is in the circle.
pub(crate) const PUSH: u32 = 0;
/// Erases what is in the circle, under a stamp.
pub(crate) const ERASE: u32 = 1;
/// Erases what has the stamp.
pub(crate) const ERASE_STAMPED: u32 = 2;
/// Brings back what has the stamp.
pub(crate) const RESTORE_STAMPED: u32 = 3;
/// Erases ids.
pub(crate) const ERASE_IDS: u32 = 4;
/// Brings ids back.
pub(crate) const RESTORE_IDS: u32 = 5;

impl Stroke {
    /// The stroke of an edit, if it is one, in a world whose largest ball has the radius `largest`, px.
    pub(crate) fn of(edit: &Edit, largest: f32) -> Option<Self> {
        // Who leaned on what is gone may be anywhere.
        let everywhere = Self { wake_squared: f32::MAX, ..Self::default() };
        Some(match *edit {
            Edit::Attract(brush) => Self { rate: brush.speed_px_s / brush.radius, ..Self::push(&brush) },
            Edit::Repel(brush) => {
                let (speed, rate) = (brush.speed_px_s, brush.speed_px_s / brush.radius);
                Self { speed, rate, ..Self::push(&brush) }
            }
            Edit::Erase { place, radius, stamp } => {
                // As far as a neighbour of the outermost, which need be in the circle with its centre only.
                let wake = radius.max(largest) + 2.0 * largest;
                let circle = Self { x: place.x, y: place.y, radius_squared: radius * radius, ..Self::default() };
                Self { kind: ERASE, stamp, wake_squared: wake * wake, ..circle }
            }
            Edit::EraseStamped(stamp) => Self { kind: ERASE_STAMPED, stamp, ..everywhere },
            Edit::RestoreStamped(stamp) => Self { kind: RESTORE_STAMPED, stamp, ..everywhere },
            Edit::EraseIds(ref ids) => Self { kind: ERASE_IDS, first: ids.start, end: ids.end, ..everywhere },
            Edit::RestoreIds(ref ids) => Self { kind: RESTORE_IDS, first: ids.start, end: ids.end, ..everywhere },
            Edit::Add(_) | Edit::Segments(_) => return None,
        })
    }

    fn push(brush: &Brush) -> Self {
        let Brush { place, radius, .. } = *brush;
        Self { kind: PUSH, x: place.x, y: place.y, radius_squared: radius * radius, ..Self::default() }
    }

    /// Whether it takes balls out of the world.
    pub(crate) fn erases(&self) -> bool {
        matches!(self.kind, ERASE | ERASE_STAMPED | ERASE_IDS)
    }

    fn has_id(&self, id: u32) -> bool {
        self.first <= id && id < self.end
    }
}

/// What a stroke makes of a ball.
pub(crate) struct Brushed {
    pub(crate) body: Record,
    /// The stamp of the erasure that it was last part of.
    pub(crate) stamp: u32,
    /// Whether it is a sleeper that wakes as the next step begins.
    pub(crate) wakes: bool,
    /// Whether it was just erased: it turns no more.
    pub(crate) stops: bool,
}

/// The ball of an id after the stroke, `stamp` being that of the erasure that it was last part of.
pub(crate) fn brush(stroke: &Stroke, id: u32, stamp: u32, body: &Record) -> Brushed {
    let (dx, dy) = (body.x - stroke.x, body.y - stroke.y);
    let squared = dx * dx + dy * dy;
    let is_in = squared < stroke.radius_squared;
    let mut out = Brushed { body: *body, stamp, wakes: false, stops: false };
    if body.is_erased() {
        let is_stamped = stroke.kind == RESTORE_STAMPED && stamp == stroke.stamp;
        if is_stamped || (stroke.kind == RESTORE_IDS && stroke.has_id(id)) {
            out.body = body.restored();
        }
        return out;
    }
    let is_under = stroke.kind == ERASE && (is_in || squared < body.radius * body.radius);
    let is_stamped = stroke.kind == ERASE_STAMPED && stamp == stroke.stamp;
    if is_under || is_stamped || (stroke.kind == ERASE_IDS && stroke.has_id(id)) {
        out.body = body.erased();
        out.stamp = if is_under { stroke.stamp } else { stamp };
        out.stops = true;
        return out;
    }
    out.wakes = body.is_asleep() && squared < stroke.wake_squared;
    if stroke.kind == PUSH && is_in && (body.is_movable() || body.is_asleep()) {
        out.body = pushed(stroke, if body.is_asleep() { body.awake() } else { *body });
    }
    out
}

fn pushed(stroke: &Stroke, mut body: Record) -> Record {
    let (dx, dy) = (body.x - stroke.x, body.y - stroke.y);
    let squared = dx * dx + dy * dy;
    // In the middle there is no direction.
    if squared >= COINCIDENT {
        let factor = stroke.speed * rsqrt(squared) - stroke.rate;
        body.vx = snap(body.vx + dx * factor);
        body.vy = snap(body.vy + dy * factor);
    }
    body
}
