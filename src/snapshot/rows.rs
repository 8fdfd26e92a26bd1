//! Balls, segments and slips as rows of words.

use glam::Vec2;

use crate::{Body, Partner, Segment, Slip, World};

/// Words of a ball.
pub(super) const BODY: usize = 13;
/// Words of a segment.
pub(super) const SEGMENT: usize = 6;
/// Words of a slip.
pub(super) const SLIP: usize = 4;
/// Most slips that there may be: of each ball, as many as it keeps in mind.
pub(super) const MOST_SLIPS: usize = World::MOST_BODIES * crate::stage::friction_pass::GRIPS as usize;

/// Appends items as rows.
pub(super) fn put<T, const WORDS: usize>(bytes: &mut Vec<u8>, items: &[T], row: impl Fn(&T) -> [u32; WORDS]) {
    bytes.reserve(4 * WORDS * items.len());
    for word in items.iter().flat_map(row) {
        bytes.extend(word.to_le_bytes());
    }
}

/// Takes `count` rows off the bytes; `None` if there are fewer, or one that means nothing.
pub(super) fn take<T, const WORDS: usize>(
    bytes: &mut &[u8],
    count: usize,
    item: impl Fn([u32; WORDS]) -> Option<T>,
) -> Option<Vec<T>> {
    let (rows, left) = bytes.split_at_checked(4 * WORDS * count)?;
    *bytes = left;
    let (words, _) = rows.as_chunks::<4>();
    let (rows, _) = words.as_chunks::<WORDS>();
    rows.iter().map(|row| item(row.map(u32::from_le_bytes))).collect()
}

pub(super) fn of_body(body: &Body) -> [u32; BODY] {
    let Body { position, velocity, radius, inverse_mass, material, split, spin, angle, .. } = *body;
    let Body { asleep, erased, quiet_steps, wheel, .. } = *body;
    // 0 means none.
    let wheel = wheel.map_or(0, |wheel| wheel as u32 + 1);
    let state = u32::from(asleep) + 2 * u32::from(erased);
    let [x, y, vx, vy] = [position.x, position.y, velocity.x, velocity.y].map(f32::to_bits);
    let [radius, inverse_mass, split, spin, angle] = [radius, inverse_mass, split, spin, angle].map(f32::to_bits);
    [x, y, vx, vy, radius, inverse_mass, split, spin, angle, material as u32, quiet_steps, wheel, state]
}

pub(super) fn body(row: [u32; BODY]) -> Option<Body> {
    let [x, y, vx, vy, radius, inverse_mass, split, spin, angle, ..] = row.map(f32::from_bits);
    let [.., material, quiet_steps, wheel, state] = row;
    (state <= 3).then_some(Body {
        position: Vec2::new(x, y),
        velocity: Vec2::new(vx, vy),
        radius,
        inverse_mass,
        material: material as usize,
        split,
        spin,
        angle,
        asleep: state & 1 > 0,
        quiet_steps,
        wheel: wheel.checked_sub(1).map(|wheel| wheel as usize),
        erased: state & 2 > 0,
    })
}

pub(super) fn of_segment(segment: &Segment) -> [u32; SEGMENT] {
    let Segment { from, to, radius, material } = *segment;
    let [ax, ay, bx, by, radius] = [from.x, from.y, to.x, to.y, radius].map(f32::to_bits);
    [ax, ay, bx, by, radius, material as u32]
}

pub(super) fn segment(row: [u32; SEGMENT]) -> Option<Segment> {
    let [ax, ay, bx, by, radius, _] = row.map(f32::from_bits);
    let [.., material] = row;
    Some(Segment { from: Vec2::new(ax, ay), to: Vec2::new(bx, by), radius, material: material as usize })
}

pub(super) fn of_slip(slip: &Slip) -> [u32; SLIP] {
    let (kind, index) = match slip.partner {
        Partner::Ball(id) => (0, id),
        Partner::Piece(index) => (1, index),
        Partner::Surface(index) => (2, index),
    };
    [slip.ball as u32, kind, index as u32, slip.px.to_bits()]
}

pub(super) fn slip([ball, kind, index, px]: [u32; SLIP]) -> Option<Slip> {
    let index = index as usize;
    let partner = match kind {
        0 => Partner::Ball(index),
        1 => Partner::Piece(index),
        2 => Partner::Surface(index),
        _ => return None,
    };
    Some(Slip { ball: ball as usize, partner, px: f32::from_bits(px) })
}
