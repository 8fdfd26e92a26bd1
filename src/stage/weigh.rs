//! `weigh`: how hard a ball's contacts press on it, to be seen. Runs when a picture wants it.
//!
//! Over the contacts that rest, the sum of the forces L/hs with which a substep parts them, over the ball's
//! circumference: a pressure, in mass units a second squared (px²/s²). The brightest lines of a heap are its force
//! chains. Where relief is on, deep balls show what it leaves of their load.

use super::contact::Contact;
use super::contact_pass::View;
use super::{Access, Bindings, Buffer};
use crate::exact::recip;

pub(crate) const BINDINGS: Bindings = &[
    (Buffer::Params, Access::Uniform),
    (Buffer::Bodies, Access::Read),
    (Buffer::Homes, Access::Read),
    (Buffer::CellStart, Access::Read),
    (Buffer::Candidates, Access::Read),
    (Buffer::Nearby, Access::Read),
    (Buffer::Load, Access::Write),
];

/// The load on the ball in slot `i`; none on an immovable one.
pub(crate) fn weigh(view: &View, i: usize) -> f32 {
    let (params, body) = (view.params(), view.body(i));
    if !body.is_movable() {
        return 0.0;
    }
    let own_share = body.inverse_mass * body.split;
    let mut impulse = 0.0;
    view.for_each_candidate(i, |j| {
        let other = view.body(j);
        // Lists may be from before an edit.
        let presses = |contact: &Contact| !contact.is_impact() && !other.is_erased();
        if let Some(contact) = view.pair(i, j).filter(presses) {
            impulse += contact.push(params) * recip(own_share + other.inverse_mass * other.split);
        }
    });
    for (_, contact) in view.surface_contacts(i).filter(|(_, contact)| !contact.is_impact()) {
        impulse += contact.push(params) * recip(own_share);
    }
    impulse * recip((params.circumference * body.radius) * params.substep_s)
}
