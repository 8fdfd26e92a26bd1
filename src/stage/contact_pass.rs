//! `contact_pass`: one substep. Every ball reads the state that the pass before wrote and writes its own.
//!
//! A *resting* contact changes the ball's velocity by −w·L·n, where L = push/k and k = w_i·split_i + w_j·split_j. The
//! push is what parts the overlap (or lets the gap close and no more) within a substep. As all contacts of a ball act
//! at once, each would be answered as if alone, and a ball between several would be pushed too far. The *spectral
//! split* bounds that: the largest eigenvalue of Σ n·nᵀ over the ball's contacts, which is 1 for a lone pair, so
//! two-body collisions stay exact. It is the last pass's; a hurried ball, which meets others in every pass, keeps its
//! greatest.
//!
//! An *impact* is answered by L = −(1+e)·vn/k. Where neither ball rests on anything, a ball in several impacts answers
//! only the earliest, exactly (k = w_i + w_j), and only if its partner's earliest is the same; the others wait a pass.
//! That keeps the energy of elastic collisions. Against an immovable partner, the approach is taken half a kick later,
//! as if the meeting fell in the middle of the substep. A crowded ball counts as resting.
//!
//! *Push speed*: under gravity the pushes of resting contacts may not raise a ball's speed above a cap, or a heap
//! spawned in one place would burst.
//!
//! *Relief*: a ball that stands on the ground is relieved of a share of the load between it and its partners,
//! P = Σ c²·½(w_i + w_j)·L with c = n·ĝ: v ← v − clamp(α·P + γ·hs·(v·ĝ), 0, 2·α·P)·ĝ. The load then does not grow with
//! depth, and a deep pile stands. The mean of both inverse masses makes P a measure of how deep the contacts overlap,
//! whoever is the heavier: a boulder among small balls is relieved as they are, and does not sink through them. The
//! term in γ is a drag, no more than the relief: whatever sinks is relieved of more, whatever rises of less. Its rate
//! does not grow with the load, so what was squashed in a landing rises as fast as its load demands.
//!
//! Then the ball moves, and takes the next substep's forces with it. As meetings of one pass do not know of each other,
//! a blow from one may outdo the answer of a surface: a ball whose centre has come outside is set back on the surface.

pub(crate) mod in_two;
pub(crate) mod lanes;

use arrayvec::ArrayVec;

use super::apply_forces::{is_hurried, kicked};
use super::contact::{self, Contact, surface_gap_after, surface_restitution, surface_velocity};
use super::find_ground::GROUND;
use super::list_contacts::lists::Lists;
use super::list_contacts::{Nearby, Neighbourhood, bits};
use super::{Access, Bindings, Buffer, NONE, SLOTS};
use crate::Record;
use crate::exact::{max, min, recip, rsqrt, snap, sqrt};
use crate::params::{Kick, Params, Pointer};

/// What every kernel of a substep binds, and what it binds besides.
macro_rules! substep_bindings {
    ($($besides:expr),*) => {
        &[
            (Buffer::Params, Access::Uniform),
            (Buffer::Kick, Access::PerTurn),
            (Buffer::Pointer, Access::Uniform),
            (Buffer::Bodies, Access::Read),
            (Buffer::BodiesOut, Access::Write),
            (Buffer::Homes, Access::Seldom),
            (Buffer::CellStart, Access::Seldom),
            (Buffer::Candidates, Access::Read),
            (Buffer::Nearby, Access::Read),
            (Buffer::Supporter, Access::Read),
            $($besides,)*
        ]
    };
}
use substep_bindings;

pub(crate) const BINDINGS: Bindings = substep_bindings![(Buffer::AwakeBlocks, Access::Read)];

/// Σ n·nᵀ over a ball's contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Crowd {
    xx: f32,
    xy: f32,
    yy: f32,
}

impl Crowd {
    #[inline(always)]
    pub(crate) fn add(&mut self, nx: f32, ny: f32) {
        self.xx += nx * nx;
        self.xy += nx * ny;
        self.yy += ny * ny;
    }

    /// The largest eigenvalue, at least 1.
    #[inline(always)]
    pub(crate) fn split(&self) -> f32 {
        let trace = self.xx + self.yy;
        let difference = self.xx - self.yy;
        let twice = self.xy + self.xy;
        max(0.5 * (trace + sqrt(difference * difference + twice * twice)), 1.0)
    }
}

/// Whom a ball meets first, and whether it rests on anything.
#[derive(Clone, Copy, Debug)]
struct Meetings {
    resting: bool,
    impacts: bool,
    earliest_s: f32,
    /// Slot of the ball, or NONE − 1 − the surface's index.
    partner: u32,
}

impl Meetings {
    const NONE: Self = Self { resting: false, impacts: false, earliest_s: f32::MAX, partner: NONE };

    /// Of impacts at the same time the one with the lesser pair of slots counts as the first.
    #[inline(always)]
    fn impact_of_balls(&mut self, contact: &Contact, own: usize, other: usize) {
        self.impacts = true;
        let time = contact.meeting_s();
        let (own, other) = (own as u32, other as u32);
        let order = |slot: u32| (own.min(slot), own.max(slot));
        if time < self.earliest_s || (time == self.earliest_s && order(other) < order(self.partner)) {
            self.earliest_s = time;
            self.partner = other;
        }
    }

    #[inline(always)]
    fn impact_of_surface(&mut self, contact: &Contact, index: usize) {
        self.impacts = true;
        let time = contact.meeting_s();
        if time < self.earliest_s {
            self.earliest_s = time;
            self.partner = surface_id(index);
        }
    }
}

pub(crate) fn surface_id(index: usize) -> u32 {
    NONE - 1 - index as u32
}

/// What a pass reads.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) around: Neighbourhood<'a>,
    pub(crate) lists: &'a Lists,
    pub(crate) nearby: &'a [Nearby],
    pub(crate) supporter: &'a [u32],
    /// Time since the step began, s.
    pub(crate) elapsed_s: f32,
}

impl<'a> View<'a> {
    #[inline(always)]
    pub(crate) fn params(&self) -> &'a Params {
        self.around.params
    }

    #[inline(always)]
    pub(crate) fn body(&self, i: usize) -> &'a Record {
        &self.around.bodies[i]
    }

    /// The candidates of a ball; none of one that is crowded.
    #[inline(always)]
    pub(crate) fn listed(&self, i: usize) -> impl Iterator<Item = usize> {
        let count = if self.nearby[i].is_crowded() { 0 } else { self.nearby[i].candidates as usize };
        self.lists.of(i).take(count).map(|j| j as usize)
    }

    /// Calls `visit` with the slot of each candidate of the ball in slot `i`, in order.
    #[inline(always)]
    pub(crate) fn for_each_candidate(&self, i: usize, mut visit: impl FnMut(usize)) {
        if self.nearby[i].is_crowded() {
            self.around.walk(i, visit);
        } else {
            self.listed(i).for_each(&mut visit);
        }
    }

    #[inline(always)]
    pub(crate) fn pair(&self, i: usize, j: usize) -> Option<Contact> {
        contact::pair(self.params(), self.around.bodies, i, j)
    }

    /// The contact of ball i with a surface.
    #[inline(always)]
    pub(super) fn surface_contact(&self, i: usize, index: usize) -> Option<Contact> {
        contact::with_surface(self.params(), self.body(i), &self.params().surfaces[index], self.elapsed_s)
    }

    /// The indices of the surfaces that `body`, of slot i, may come to touch.
    #[inline(always)]
    fn surfaces_of(&self, i: usize, body: &Record) -> impl Iterator<Item = usize> + use<> {
        bits(if body.is_hurried() { self.params().all_surfaces } else { self.nearby[i].surfaces })
    }

    /// The contacts of ball i with surfaces, and the index of each.
    #[inline(always)]
    pub(crate) fn surface_contacts(&self, i: usize) -> impl Iterator<Item = (usize, Contact)> {
        let surfaces = self.surfaces_of(i, self.body(i));
        surfaces.filter_map(move |index| Some((index, self.surface_contact(i, index)?)))
    }

    /// The ball of slot `i` after it has moved: back on a surface, and rebounding no faster than it came, if several
    /// meetings of one pass have sent its centre through.
    #[inline(always)]
    fn kept_in(&self, i: usize, mut body: Record) -> Record {
        let params = self.params();
        for index in self.surfaces_of(i, &body) {
            let surface = &params.surfaces[index];
            let gap = surface_gap_after(&body, surface, self.elapsed_s + params.substep_s);
            if gap < 0.0 - body.radius {
                let (vx, vy) = surface_velocity(&body, surface);
                let leaving = min((body.vx - vx) * surface.normal_x + (body.vy - vy) * surface.normal_y, 0.0);
                body.x -= gap * surface.normal_x;
                body.y -= gap * surface.normal_y;
                let change = (1.0 + min(surface_restitution(params, &body, surface), 1.0)) * leaving;
                body.vx = snap(body.vx - change * surface.normal_x);
                body.vy = snap(body.vy - change * surface.normal_y);
            }
        }
        body
    }

    /// Whom ball j, which is not crowded, meets first; `None` if it rests on anything.
    fn first_met(&self, j: usize) -> Option<u32> {
        let mut meetings = Meetings::NONE;
        for m in self.listed(j) {
            let Some(contact) = self.pair(j, m) else { continue };
            if contact.is_impact() {
                meetings.impact_of_balls(&contact, j, m);
            } else if contact.push(self.params()) > 0.0 {
                return None;
            }
        }
        for (index, contact) in self.surface_contacts(j) {
            if contact.is_impact() {
                meetings.impact_of_surface(&contact, index);
            } else if contact.push(self.params()) > 0.0 {
                return None;
            }
        }
        Some(meetings.partner)
    }
}

/// Change of velocity gathered over a ball's contacts.
#[derive(Clone, Copy, Default)]
struct Change {
    vx: f32,
    vy: f32,
    /// Σ c²·(w_i + w_j)·L over resting contacts with movable partners, px/s.
    load: f32,
}

impl Change {
    /// The impulse L = `amount`/`k` of a contact on a ball of inverse mass `w`; returns L.
    #[inline(always)]
    fn apply(&mut self, contact: &Contact, w: f32, amount: f32, k: f32) -> f32 {
        let impulse = amount * recip(k);
        let speed = w * impulse;
        self.vx -= speed * contact.nx;
        self.vy -= speed * contact.ny;
        impulse
    }

    /// Counts a push that parts two movable balls at `speed` as load.
    #[inline(always)]
    fn bear(&mut self, params: &Params, contact: &Contact, speed: f32) {
        let steepness = contact.nx * params.down_x + contact.ny * params.down_y;
        self.load += (steepness * steepness) * speed;
    }

    /// Keeps the pushes from raising the ball's speed above the cap.
    #[inline(always)]
    fn cap(&mut self, params: &Params, body: &Record) {
        let (vx, vy) = (body.vx + self.vx, body.vy + self.vy);
        let squared = vx * vx + vy * vy;
        let allowed = max(body.vx * body.vx + body.vy * body.vy, params.push_speed_squared);
        if squared > allowed {
            let factor = sqrt(allowed) * rsqrt(squared);
            self.vx = vx * factor - body.vx;
            self.vy = vy * factor - body.vy;
        }
    }
}

/// The ball in slot `i` after the pass.
#[inline(always)]
pub(crate) fn contact_pass(view: &View, kick: &Kick, pointer: &Pointer, i: usize) -> Record {
    let (params, mut body) = (view.params(), *view.body(i));
    if body.is_asleep() {
        return body;
    }
    if !body.is_movable() {
        let is_ball = i < params.balls as usize;
        return if is_ball { moved(params, body) } else { body };
    }
    let crowded = view.nearby[i].is_crowded();
    let w = body.inverse_mass;
    let own_share = w * body.split;
    let (mut change, mut crowd, mut meetings) = (Change::default(), Crowd::default(), Meetings::NONE);
    let mut impacts = Impacts::new();
    view.for_each_candidate(i, |j| {
        let Some(contact) = view.pair(i, j) else { return };
        crowd.add(contact.nx, contact.ny);
        let other = view.body(j);
        let k = own_share + other.inverse_mass * other.split;
        if !contact.is_impact() {
            let push = contact.push(params);
            meetings.resting |= push > 0.0;
            let impulse = change.apply(&contact, w, push, k);
            if other.is_movable() {
                change.bear(params, &contact, (w + other.inverse_mass) * impulse);
            }
        } else if crowded {
            change.apply(&contact, w, rebound(params, &contact, !other.is_movable()), k);
        } else {
            meetings.impact_of_balls(&contact, i, j);
            impacts.push((j, contact));
        }
    });
    for (index, contact) in view.surface_contacts(i) {
        crowd.add(contact.nx, contact.ny);
        if !contact.is_impact() {
            let push = contact.push(params);
            meetings.resting |= push > 0.0;
            change.apply(&contact, w, push, own_share);
        } else if crowded {
            change.apply(&contact, w, rebound(params, &contact, true), own_share);
        } else {
            meetings.impact_of_surface(&contact, index);
        }
    }
    change.cap(params, &body);
    if meetings.impacts {
        answer_impacts(view, i, (&meetings, &impacts), &mut change);
    }

    body.split = if body.is_hurried() { max(body.split, crowd.split()) } else { crowd.split() };
    let relief = if view.supporter[i] == GROUND { relief(params, &body, change.load) } else { 0.0 };
    body.vx = (body.vx + change.vx) - relief * params.down_x;
    body.vy = (body.vy + change.vy) - relief * params.down_y;
    let speed_squared = body.vx * body.vx + body.vy * body.vy;
    if speed_squared > params.most_speed_squared {
        let factor = sqrt(params.most_speed_squared) * rsqrt(speed_squared);
        body.vx *= factor;
        body.vy *= factor;
    }
    body.vx = snap(body.vx);
    body.vy = snap(body.vy);
    body = moved(params, body.flagged(body.is_held(), is_hurried(params, &body)));
    kicked(params, kick, pointer, view.kept_in(i, body))
}

/// Speed against gravity, px/s, that a grounded ball under `load` is given.
#[inline(always)]
fn relief(params: &Params, body: &Record, load: f32) -> f32 {
    let sinking = (body.vx * params.down_x + body.vy * params.down_y) - params.gravity_kick;
    let relief = params.relief * load;
    min(max(relief + params.relief_drag * sinking, 0.0), relief + relief)
}

#[inline(always)]
fn moved(params: &Params, mut body: Record) -> Record {
    body.x += body.vx * params.substep_s;
    body.y += body.vy * params.substep_s;
    body
}

/// The impacts of a ball that is not crowded with others, and their slots.
type Impacts = ArrayVec<(usize, Contact), { SLOTS as usize }>;

/// Speed change along the normal, px/s, of an impact.
pub(super) fn rebound(params: &Params, contact: &Contact, immovable: bool) -> f32 {
    let half_kick = params.half_kick_x * contact.nx + params.half_kick_y * contact.ny;
    let approach = if immovable { contact.approach + half_kick } else { contact.approach };
    -(1.0 + contact.bounce) * approach
}

/// Adds the impacts of ball i, which is not crowded, that are answered in this pass.
#[cold]
fn answer_impacts(view: &View, i: usize, (meetings, impacts): (&Meetings, &Impacts), change: &mut Change) {
    let (params, body) = (view.params(), view.body(i));
    let w = body.inverse_mass;
    let own_share = w * body.split;
    let waits = params.first_impact > 0 && !meetings.resting;
    for &(j, ref contact) in impacts {
        let other = view.body(j);
        let immovable = !other.is_movable();
        let mut k = own_share + other.inverse_mass * other.split;
        if waits && !view.nearby[j].is_crowded() {
            let theirs = if immovable { Some(i as u32) } else { view.first_met(j) };
            if let Some(theirs) = theirs {
                if meetings.partner != j as u32 || theirs != i as u32 {
                    continue;
                }
                k = w + max(other.inverse_mass, 0.0);
            }
        }
        change.apply(contact, w, rebound(params, contact, immovable), k);
    }
    for (index, contact) in view.surface_contacts(i) {
        if contact.is_impact() && (!waits || meetings.partner == surface_id(index)) {
            let k = if waits { w } else { own_share };
            change.apply(&contact, w, rebound(params, &contact, true), k);
        }
    }
}
