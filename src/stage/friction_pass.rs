//! `friction_pass`: what a substep's contacts do along themselves, before `contact_pass` answers them across. It runs
//! in worlds where something rubs, and changes velocities and spins only. Every ball reads the state that the pass
//! before wrote and writes its own.
//!
//! With t the normal turned by a quarter, vt the partner's velocity along t as the ball's surface sees it (the spins'
//! share of it included), and L = push/k the impulse with which `contact_pass` will answer the contact, a *resting*
//! contact is a spring and a damper between the two surfaces, which Coulomb's law bounds:
//! T = clamp(−(0.1·ξ/hs + 0.5·vt)/(k·R), ±µ·L). The *slip* ξ is how far the contact has been sheared, ∫ vt dt, and
//! never further than the spring has to bear beside the damper: beyond that, the contact slides, and a fast slide
//! leaves no spring drawn that could turn it. The slip belongs to the pair from step to step (`carry_grips`), and is
//! what holds a ball on a slope for ever; it is forgotten when the contact opens by 0.05 of the smaller radius. An
//! *impact* is answered by the damper alone, in full: T = clamp(−vt/(k·R), ±µ·L), which stops a slide and never turns
//! it.
//!
//! v ← v − w·T·t, and with rotation, of discs of even mass (I = m·r²/2), spin ← spin − 2·q·w·T/r; R = 1 + 2·q², or 1
//! without rotation. The levers q·r of two movable balls share the distance of their centres, so that angular momentum
//! is kept also where the contact is not closed yet; against all else q = 1.
//!
//! The coefficient of a pair of balls is the geometric mean of its two, so what is slippery is slippery to all; a
//! surface with a material of its own has its own, as for restitution. A crowded ball keeps no list and rubs on
//! surfaces only.

pub(crate) mod lanes;

use super::contact::{Contact, direction, gap_of, partner, surface_gap_after, surface_velocity};
use super::contact_pass::{View, rebound, surface_id};
use super::find_ground::NEAR;
use super::{Access, Bindings, Buffer, NONE, SLOTS};
use crate::exact::{max, min, recip, snap};
use crate::params::Params;
use crate::{Record, Spin};

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Kick, Access::PerTurn),
    (Buffer::Bodies, Access::Read),
    (Buffer::BodiesOut, Access::Write),
    (Buffer::Candidates, Access::Read),
    (Buffer::Nearby, Access::Read),
    (Buffer::Grips, Access::Update),
    (Buffer::Spins, Access::Read),
    (Buffer::SpinsOut, Access::Write),
];

/// Share of a slip that its spring takes back in a substep: a stiffer one makes a pile hum.
pub(crate) const SPRING: f32 = 0.1;
/// Share of the sliding that is damped in a substep.
pub(crate) const DAMPING: f32 = 0.5;
/// Surfaces on which a ball can rub in a step: of those that it may touch, those of the lowest indices.
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
    /// Share q of the ball's radius at which they touch.
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
        let impact = contact.is_impact();
        let amount = if impact { rebound(params, contact, !partner.is_movable) } else { contact.push(params) };
        let bound = partner.friction * amount;
        // The velocity that moved the ball is the one before the kick.
        let kick = params.kick_x * tx + params.kick_y * ty;
        let moved = if partner.is_movable { sliding } else { sliding + kick };
        let undamped = max(bound * give - DAMPING * sliding.abs(), 0.0);
        let bearable = undamped * params.slip_of_pull;
        let slip = min(max(slip + moved * params.substep_s, -bearable), bearable);
        let slip = if impact { 0.0 } else { slip };
        let damped = if impact { sliding } else { DAMPING * sliding };
        let pull = -(slip * params.pull_of_slip + damped);
        let held = min(max(pull * recip(give), -bound), bound);
        let speed = body.inverse_mass * (held * recip(k));
        self.vx -= speed * tx;
        self.vy -= speed * ty;
        self.turned -= (params.spin_share * partner.lever) * speed;
        slip
    }
}

/// The ball in slot `i` and its spin after the pass; its `grips` take what the next one needs.
#[inline(always)]
pub(crate) fn friction_pass(view: &View, spins: &[Spin], i: usize, grips: &mut [Grip]) -> (Record, Spin) {
    let (params, mut body, mut spin) = (view.params(), *view.body(i), spins[i]);
    // An immovable ball turns on; a sleeper does not.
    if body.is_asleep() {
        return (body, Spin { rate: 0.0, ..spin });
    }
    if body.is_movable() {
        let rubbed = rubbed(view, spins, i, grips);
        body.vx = snap(body.vx + rubbed.vx);
        body.vy = snap(body.vy + rubbed.vy);
        spin.rate = snap(spin.rate + rubbed.turned * recip(body.radius));
    }
    spin.angle += spin.rate * params.substep_s;
    (body, spin)
}

fn rubbed<'a>(view: &View<'a>, spins: &[Spin], i: usize, grips: &mut [Grip]) -> Rubbed<'a> {
    let (params, body) = (view.params(), view.body(i));
    let turning = spins[i].rate * body.radius;
    let mut rubbed = Rubbed { params, body, turning, vx: 0.0, vy: 0.0, turned: 0.0 };
    let roughness = params.materials[body.material()].roughness;
    let (of_balls, of_surfaces) = grips.split_at_mut(SLOTS as usize);
    for (j, grip) in view.listed(i).zip(of_balls) {
        let other = &partner(params, view.around.bodies, i, j);
        let reach = body.radius + other.radius;
        let Some(contact) = view.pair(i, j).filter(|_| !view.nearby[j].is_crowded()) else {
            let gap = gap_of(direction(body, other, (i, j)).2, reach, other);
            let is_segment = j >= params.balls as usize;
            grip.slip = kept(grip.slip, gap, if is_segment { body.radius } else { min(body.radius, other.radius) });
            continue;
        };
        let partner = Partner {
            vx: other.vx,
            vy: other.vy,
            turning: spins[j].rate * other.radius,
            share: other.inverse_mass * other.split,
            is_movable: other.is_movable(),
            lever: if other.is_movable() { (contact.gap + reach) * recip(reach) } else { 1.0 },
            friction: roughness * params.materials[other.material()].roughness,
        };
        grip.slip = rubbed.rub(&contact, &partner, grip.slip);
    }
    for grip in of_surfaces.iter_mut().take_while(|grip| grip.partner != NONE) {
        let index = (surface_id(0) - grip.partner) as usize;
        let surface = &params.surfaces[index];
        let Some(contact) = view.surface_contact(i, index) else {
            grip.slip = kept(grip.slip, surface_gap_after(body, surface, view.elapsed_s), body.radius);
            continue;
        };
        let (vx, vy) = surface_velocity(body, surface);
        let friction = if surface.friction >= 0.0 { surface.friction } else { roughness * roughness };
        let partner = Partner { vx, vy, turning: 0.0, share: 0.0, is_movable: false, lever: 1.0, friction };
        grip.slip = rubbed.rub(&contact, &partner, grip.slip);
    }
    rubbed
}

/// The slip of a contact that is open by `gap`: light contacts of a pile open and close all the time.
#[inline(always)]
fn kept(slip: f32, gap: f32, radius: f32) -> f32 {
    if gap < NEAR * radius { slip } else { 0.0 }
}
