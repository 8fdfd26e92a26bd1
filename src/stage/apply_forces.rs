//! `apply_forces`: what acts on a ball whatever it touches.
//!
//! Once a step, v ← v·exp(−drag·h), so that no drag however large turns a velocity round. Then, as at the end of
//! every pass but the last, the *kick* of the coming substep: v ← v + g·hs, and for the ball on the pointer's
//! spring the implicit step of m·a = k·(p − x) − c·v, which is stable for any mass:
//! v ← (v + hs·(k/m)·(p − x)) / (1 + hs·(c/m) + hs²·(k/m)). At rest it hangs m·g/k below the pointer.
//!
//! A peg that a wheel carries takes the velocity along the chord of its way in the step: v = along·d + across·d⊥, with
//! d its place about the wheel's centre, so that the step ends on the circle.
//!
//! Here balls fall asleep and wake: see `wake_up`. Of actors, `steer` has taken the drag before.

pub(crate) mod find_calm;
pub(crate) mod lanes;

use super::{Access, Bindings, Buffer};
use crate::Record;
use crate::exact::{recip, snap};
use crate::params::{Kick, Params, Pointer};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Kick, Access::PerTurn),
    (Buffer::Pointer, Access::Uniform),
    (Buffer::Bodies, Access::Update),
    (Buffer::Homes, Access::Read),
    (Buffer::Held, Access::Read),
    (Buffer::Wake, Access::Update),
    (Buffer::AwakeBlocks, Access::Write),
    (Buffer::Calm, Access::Write),
];

/// The ball's record as it enters the step; it may be held, and woken if it slept.
pub(crate) fn apply_forces(
    params: &Params,
    (kick, pointer): (&Kick, &Pointer),
    (held, woken): (bool, bool),
    body: &Record,
) -> Record {
    let mut body = *body;
    if body.is_asleep() && (held || woken) {
        body = body.awake();
    }
    if !body.is_movable() {
        return carried(params, body);
    }
    let is_slow = body.vx * body.vx + body.vy * body.vy < params.sleep_speed_squared;
    let quiet_steps = if is_slow && !held { body.quiet_steps() + 1 } else { 0 };
    if quiet_steps > params.quiet_steps {
        return body.asleep();
    }
    body = body.quiet_for(quiet_steps).flagged(held, is_hurried(params, &body));
    let drag_factor = if body.is_driven() { 1.0 } else { params.drag_factor };
    body.vx = snap(body.vx * drag_factor);
    body.vy = snap(body.vy * drag_factor);
    kicked(params, kick, pointer, body)
}

/// A ball that does not move by itself, with the velocity that its wheel gives it, if it has one.
fn carried(params: &Params, body: Record) -> Record {
    let Some(wheel) = body.wheel().map(|index| &params.wheels[index]) else { return body };
    let (dx, dy) = (body.x - wheel.centre_x, body.y - wheel.centre_y);
    let (vx, vy) = (wheel.along * dx - wheel.across * dy, wheel.across * dx + wheel.along * dy);
    Record { vx: snap(vx), vy: snap(vy), ..body }
}

/// Whether a ball is so fast that the step's lists can't be counted on.
#[inline(always)]
pub(crate) fn is_hurried(params: &Params, body: &Record) -> bool {
    let limit = body.radius * params.hurry_rate;
    body.vx * body.vx + body.vy * body.vy > limit * limit
}

/// A movable ball with the coming substep's forces in its velocity.
#[inline(always)]
pub(crate) fn kicked(params: &Params, kick: &Kick, pointer: &Pointer, mut body: Record) -> Record {
    body.vx += kick.x;
    body.vy += kick.y;
    if body.is_held() && kick.spring_s > 0.0 {
        let pull = (params.spring_stiffness * body.inverse_mass) * kick.spring_s;
        let brake = (params.spring_damping * body.inverse_mass) * kick.spring_s;
        let inverse = recip((1.0 + brake) + pull * kick.spring_s);
        body.vx = (body.vx + pull * (pointer.x - body.x)) * inverse;
        body.vy = (body.vy + pull * (pointer.y - body.y)) * inverse;
    }
    body
}
