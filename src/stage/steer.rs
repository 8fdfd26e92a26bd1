//! `steer`: actors go where they are sent. The step's first stage, and only where there are actors.
//!
//! An actor's velocity is thrust + environment. First both parts take in what the ball has met since: the thrust is no
//! more than what is left of it, t ← clamp(v − e, 0, t), and the rest is the environment's, e ← v − t. So an actor that
//! runs into a wall has no thrust in store, and one that is pushed from behind goes faster than it could by itself.
//!
//! Then, along each axis, the thrust nears direction × top speed by acceleration × h, or 0 by the deceleration of a
//! glide where it is sent nowhere, at once if it stops dead; and if Σ(t/s)² exceeds 1, t ← t/√Σ, which keeps its
//! direction. An axis of top speed 0 has no thrust and no part in the sum.
//!
//! Drag and gravity act on the environment: e ← e·exp(−drag·h), and `apply_forces` leaves drag to this stage for actors
//! ([`Record::DRIVEN`]). What a step adds of gravity is less in thicker air: the *lift* is the difference between what
//! it adds in the character's air and in the world's.
//!
//! An actor that is frozen, carried, or in a layer that is not stepped is *stopped*: its record is that of an immovable
//! ball, so that no stage has to know of it, and what that record can't hold stays with the actor until it goes on.

use super::{Access, Bindings, Buffer};
use crate::Record;
use crate::actor::{ActorRecord, OrderRecord};
use crate::exact::{max, min, rsqrt, snap};
use crate::params::{CharacterParams, Steering};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Steering, Access::Uniform),
    (Buffer::Bodies, Access::Update),
    (Buffer::Homes, Access::Read),
    (Buffer::Orders, Access::Read),
    (Buffer::Actors, Access::Update),
];

/// An actor and its ball as they enter the step.
pub(crate) fn steer(
    steering: &Steering,
    order: &OrderRecord,
    (mut actor, mut body): (ActorRecord, Record),
) -> (ActorRecord, Record) {
    if body.is_erased() {
        return rested(actor, body);
    }
    if !actor.is_stopped() && !actor.is_child() {
        (actor.tx, actor.ex) = parts(actor.tx, actor.ex, body.vx);
        (actor.ty, actor.ey) = parts(actor.ty, actor.ey, body.vy);
    }
    let is_stepped = steering.layers >> actor.layer() & 1 > 0;
    if actor.is_child() || order.kind == OrderRecord::FREEZE || !is_stepped {
        return if actor.is_stopped() { (actor, body) } else { stopped(actor, body) };
    }
    if actor.is_stopped() {
        body = actor.gone_on(body);
        actor.flags -= ActorRecord::STOPPED;
    }
    if !body.is_driven() {
        return (actor, body);
    }
    let own = order.kind == OrderRecord::GO;
    let direction = if own { [order.x, order.y] } else { [steering.x, steering.y] };
    driven(&steering.characters[actor.character()], direction, (actor, body))
}

/// An actor whose ball is erased: at rest when it comes back, and no longer stopped.
fn rested(actor: ActorRecord, mut body: Record) -> (ActorRecord, Record) {
    if actor.is_stopped() {
        body.split = actor.inverse_mass.abs();
    }
    let flags = actor.flags & !ActorRecord::STOPPED;
    (ActorRecord { tx: 0.0, ty: 0.0, ex: 0.0, ey: 0.0, flags, ..actor }, body)
}

/// What is left of a thrust, and the environment's part, along one axis of a velocity.
fn parts(thrust: f32, environment: f32, velocity: f32) -> (f32, f32) {
    if velocity == environment + thrust {
        return (thrust, environment);
    }
    let left = min(max(velocity - environment, min(thrust, 0.0)), max(thrust, 0.0));
    (left, velocity - left)
}

/// An actor that stops, and its ball, immovable.
fn stopped(actor: ActorRecord, body: Record) -> (ActorRecord, Record) {
    let kept = ActorRecord { inverse_mass: body.inverse_mass, flags: actor.flags + ActorRecord::STOPPED, ..actor };
    // An immovable ball that counts quiet steps would name a wheel.
    let body = Record { inverse_mass: 0.0, ..body.quiet_for(0) };
    (kept, if actor.is_child() { body } else { Record { vx: 0.0, vy: 0.0, ..body } })
}

/// An actor that is sent in a direction.
fn driven(
    character: &CharacterParams,
    [x, y]: [f32; 2],
    (mut actor, mut body): (ActorRecord, Record),
) -> (ActorRecord, Record) {
    let target = [snap(x * character.top_x), snap(y * character.top_y)];
    if target != [0.0, 0.0] {
        if body.is_asleep() {
            body = body.awake();
        }
        body = body.quiet_for(0);
    } else if body.is_asleep() {
        return (ActorRecord { tx: 0.0, ty: 0.0, ex: 0.0, ey: 0.0, ..actor }, body);
    }
    let tx = toward(actor.tx, target[0], if x == 0.0 { character.glide } else { character.gain_x });
    let ty = toward(actor.ty, target[1], if y == 0.0 { character.glide } else { character.gain_y });
    (actor.tx, actor.ty) = within(character, tx, ty);
    let (ex, ey) = (snap(actor.ex * character.drag_factor), snap(actor.ey * character.drag_factor));
    body.vx = snap((ex + character.lift_x) + actor.tx);
    body.vy = snap((ey + character.lift_y) + actor.ty);
    (actor.ex, actor.ey) = (ex + character.fall_x, ey + character.fall_y);
    (actor, body)
}

/// A thrust along an axis, nearer its target by `by`.
fn toward(thrust: f32, target: f32, by: f32) -> f32 {
    let left = target - thrust;
    if left.abs() <= by {
        return target;
    }
    snap(thrust + if left > 0.0 { by } else { -by })
}

/// A thrust within the ellipse of the top speeds.
fn within(character: &CharacterParams, tx: f32, ty: f32) -> (f32, f32) {
    let tx = if character.top_x > 0.0 { tx } else { 0.0 };
    let ty = if character.top_y > 0.0 { ty } else { 0.0 };
    let (share_x, share_y) = (tx * character.inverse_top_x, ty * character.inverse_top_y);
    let squared = share_x * share_x + share_y * share_y;
    if squared <= 1.0 {
        return (tx, ty);
    }
    let factor = rsqrt(squared);
    (snap(tx * factor), snap(ty * factor))
}
