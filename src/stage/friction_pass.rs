//! `friction_pass`: what a substep's contacts do along themselves, before `contact_pass` answers them across. It runs
//! in worlds where something rubs, and changes velocities and spins only. Every ball reads the state that the pass
//! before wrote and writes its own.
//!
//! With t the normal turned by a quarter, vt the partner's velocity along t as the ball's surface sees it (the spins'
//! share of it included), and L = push/k the impulse with which `contact_pass` will answer the contact, a *resting*
//! contact is a spring and a damper between the two surfaces, which Coulomb's law bounds:
//! T = clamp(−(ξ/hs + vt)/(2·k·R), ±µ·L). The *slip* ξ is how far the contact has been sheared, ∫ vt dt; where the bound
//! is met, the contact slides, and ξ is what the spring just bears. It belongs to the pair from step to step
//! (`carry_grips`), and is what holds a ball on a slope for ever; it is forgotten when the contact opens. An *impact* is
//! answered by the damper alone, in full: T = clamp(−vt/(k·R), ±µ·L), which stops a slide and never turns it.
//!
//! R = 1 + 2·q² with rotation (I = m·r²/2), 1 without. The levers q·r share the distance of the centres, so that
//! angular momentum is kept also where the contact is open or overlapping. v ← v − w·T·t; spin ← spin − 2·q·w·T/r.
//!
//! The coefficient of a pair of balls is the geometric mean of its two, so what is slippery is slippery to all; a surface
//! with a material of its own has its own, as for restitution. A crowded ball keeps no list and rubs on surfaces only.

use super::contact::Contact;
use super::contact_pass::{CALM_SPLIT, View, rebound};
use super::{Access, Bindings, Buffer, SLOTS};
use crate::exact::{max, min, recip, snap};
use crate::params::Params;
use crate::{Record, Spin};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Read),
    (Buffer::BodiesOut, Access::Write),
    (Buffer::Candidates, Access::Read),
    (Buffer::Nearby, Access::Read),
    (Buffer::Grips, Access::Write),
    (Buffer::Spins, Access::Read),
    (Buffer::SpinsOut, Access::Write),
];

/// Surfaces on which a ball can rub at once: those of the lowest indices near it.
pub(crate) const SURFACE_SLOTS: u32 = 4;
/// Grips of a ball: its candidates', then its surfaces'.
pub(crate) const GRIPS: u32 = SLOTS + SURFACE_SLOTS;

/// What a ball remembers of a contact: 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Grip {
    /// Id of the partner: a ball's, or that of a surface (`contact_pass::surface_id`).
    pub(crate) partner: u32,
    /// How far the contact is sheared along its tangent, px.
    pub(crate) slip: f32,
}

/// What a ball rubs on.
struct Partner {
    /// Velocity of the place where they touch, px/s, but for the ball's own turning.
    vx: f32,
    vy: f32,
    /// Speed of its surface by its turning, px/s.
    turning: f32,
    /// w·split.
    share: f32,
    is_movable: bool,
    /// Distance of the centres over the sum of the radii.
    lever: f32,
    /// Coulomb's coefficient.
    friction: f32,
}

/// A ball's velocities as its contacts change them.
struct Rubbed<'a> {
    params: &'a Params,
    body: &'a Record,
    /// Speed of its surface by its turning, px/s.
    turning: f32,
    vx: f32,
    vy: f32,
    /// Change of `turning`.
    turned: f32,
}

impl Rubbed<'_> {
    /// Rubs on a partner of old slip `slip`; returns the new one.
    #[inline(always)]
    fn rub(&mut self, contact: &Contact, partner: &Partner, slip: f32) -> f32 {
        let (params, body) = (self.params, self.body);
        let (tx, ty) = (-contact.ny, contact.nx);
        let sliding = (partner.vx - body.vx) * tx + (partner.vy - body.vy) * ty;
        let sliding = sliding - partner.lever * (self.turning + partner.turning);
        let k = body.inverse_mass * body.split + partner.share;
        let give = 1.0 + params.spin_share * (partner.lever * partner.lever);
        let (pull, amount) = if contact.is_impact() {
            (-sliding, rebound(params, contact, !partner.is_movable))
        } else {
            // The velocity that moved the ball is the one before the kick.
            let kick = params.kick_x * tx + params.kick_y * ty;
            let moved = if partner.is_movable { sliding } else { sliding + kick };
            (-0.5 * ((slip * params.substep_rate + moved) + sliding), contact.push(params))
        };
        let bound = partner.friction * amount;
        let free = pull * recip(give);
        let held = min(max(free, -bound), bound);
        let speed = body.inverse_mass * (held * recip(k));
        self.vx -= speed * tx;
        self.vy -= speed * ty;
        self.turned -= (params.spin_share * partner.lever) * speed;
        if contact.is_impact() { 0.0 } else { -(2.0 * (held * give) + sliding) * params.substep_s }
    }
}

/// The ball in slot `i` and its spin after the pass; its `grips` take what the next one needs.
#[inline(always)]
pub(crate) fn friction_pass(view: &View, spins: &[Spin], i: usize, grips: &mut [Grip]) -> (Record, Spin) {
    let (params, mut body, mut spin) = (view.params(), *view.body(i), spins[i]);
    if body.is_movable() {
        let rubbed = rubbed(view, spins, i, grips);
        let speed_squared = body.vx * body.vx + body.vy * body.vy;
        let calm = body.split > CALM_SPLIT && speed_squared < params.rest_speed_squared;
        let factor = if calm { params.rest_factor } else { 1.0 };
        body.vx = snap(body.vx + rubbed.vx);
        body.vy = snap(body.vy + rubbed.vy);
        spin.rate = snap((spin.rate + rubbed.turned * recip(body.radius)) * factor);
    }
    spin.angle += spin.rate * params.substep_s;
    (body, spin)
}

fn rubbed<'a>(view: &View<'a>, spins: &[Spin], i: usize, grips: &mut [Grip]) -> Rubbed<'a> {
    let (params, body, nearby) = (view.params(), view.body(i), view.nearby[i]);
    let turning = spins[i].rate * body.radius;
    let mut rubbed = Rubbed { params, body, turning, vx: 0.0, vy: 0.0, turned: 0.0 };
    let roughness = params.materials[body.material()].roughness;
    let (of_balls, of_surfaces) = grips.split_at_mut(SLOTS as usize);
    if !nearby.is_crowded() {
        for (j, grip) in view.listed(i).zip(of_balls) {
            let contact = if view.nearby[j].is_crowded() { None } else { view.pair(i, j) };
            grip.slip = contact.map_or(0.0, |contact| {
                let other = view.body(j);
                let reach = body.radius + other.radius;
                let partner = Partner {
                    vx: other.vx,
                    vy: other.vy,
                    turning: spins[j].rate * other.radius,
                    share: other.inverse_mass * other.split,
                    is_movable: other.is_movable(),
                    lever: (contact.gap + reach) * recip(reach),
                    friction: roughness * params.materials[other.material()].roughness,
                };
                rubbed.rub(&contact, &partner, grip.slip)
            });
        }
    }
    for (index, grip) in bits(nearby.surfaces).zip(of_surfaces) {
        grip.slip = view.surface_contact(i, index).map_or(0.0, |contact| {
            let own = params.surfaces[index].friction;
            let partner = Partner {
                vx: 0.0,
                vy: 0.0,
                turning: 0.0,
                share: 0.0,
                is_movable: false,
                lever: (contact.gap + body.radius) * recip(body.radius),
                friction: if own >= 0.0 { own } else { roughness * roughness },
            };
            rubbed.rub(&contact, &partner, grip.slip)
        });
    }
    rubbed
}

/// The indices of the bits that are set, ascending.
pub(crate) fn bits(mut left: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = (left > 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        index
    })
}
