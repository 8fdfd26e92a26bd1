//! The answer to one contact: of two balls, or of a ball and what can't move.

use glam::Vec2;

use super::SequentialEngine;
use crate::{Body, Surface};

impl SequentialEngine {
    /// Whether the two touch, and one of them can move.
    pub(super) fn answer_pair(&mut self, a: usize, b: usize) -> bool {
        let (low, high) = self.world.bodies.split_at_mut(b);
        let (a, b) = (&mut low[a], &mut high[0]);
        if a.erased || b.erased {
            return false;
        }
        let between = b.position - a.position;
        let (distance, reach) = (between.length(), a.radius + b.radius);
        // Centres in one place have no direction to be pushed in.
        if distance > reach || distance <= 1e-4 {
            return false;
        }
        let restitution = |material: usize| self.world.materials[material].restitution;
        let bounce = restitution(a.material).max(restitution(b.material));
        let friction = (self.world.materials[a.material].friction * self.world.materials[b.material].friction).sqrt();
        let weights = (free_weight(a), free_weight(b));
        let normal = between / distance;
        let passing = b.velocity - a.velocity;
        let Some(response) = Response::new(weights, reach - distance, passing.dot(normal), bounce) else {
            return false;
        };
        a.position -= normal * (response.push * weights.0);
        b.position += normal * (response.push * weights.1);
        a.velocity -= normal * (response.impulse * weights.0);
        b.velocity += normal * (response.impulse * weights.1);
        let along = rub(passing, normal, weights.0 + weights.1, friction * response.impulse);
        a.velocity -= along * weights.0;
        b.velocity += along * weights.1;
        true
    }

    /// `surface` as it is now.
    pub(super) fn answer_surface(&mut self, id: usize, surface: &Surface) {
        let body = &self.world.bodies[id];
        let away = body.position - surface.point;
        let material = &self.world.materials[surface.material.unwrap_or(body.material)];
        let velocity = surface.motion.velocity + away.perp() * surface.motion.turn_rad_s;
        let wall = Wall { velocity, bounce: material.restitution, friction: material.friction };
        self.answer_wall(id, surface.normal, body.radius - away.dot(surface.normal), &wall);
    }

    pub(super) fn answer_segment(&mut self, id: usize, index: usize) {
        let (body, segment) = (&self.world.bodies[id], &self.world.segments[index]);
        let away = body.position - segment.nearest_to(body.position);
        let distance = away.length();
        if distance > 1e-4 {
            let [own, other] = [body.material, segment.material].map(|index| &self.world.materials[index]);
            let bounce = own.restitution.max(other.restitution);
            let friction = (own.friction * other.friction).sqrt();
            let wall = Wall { velocity: Vec2::ZERO, bounce, friction };
            self.answer_wall(id, away / distance, body.radius + segment.radius - distance, &wall);
        }
    }

    /// A ball against something immovable that faces it with `normal` and is `depth` px in it.
    fn answer_wall(&mut self, id: usize, normal: Vec2, depth: f32, wall: &Wall) {
        if depth < 0.0 {
            return;
        }
        let body = &mut self.world.bodies[id];
        let passing = body.velocity - wall.velocity;
        let weights = (free_weight(body), 0.0);
        let Some(response) = Response::new(weights, depth, passing.dot(normal), wall.bounce) else { return };
        body.position += normal * (response.push * body.inverse_mass);
        body.velocity += normal * (response.impulse * body.inverse_mass);
        body.velocity += rub(passing, normal, weights.0, wall.friction * response.impulse) * weights.0;
    }
}

/// How a ball meets something immovable.
struct Wall {
    /// Of the wall where they touch, px/s.
    velocity: Vec2,
    bounce: f32,
    friction: f32,
}

/// The impulse of friction on what passes at `passing`, px/s: what stops it along the contact, or `most`.
fn rub(passing: Vec2, normal: Vec2, inverse_mass: f32, most: f32) -> Vec2 {
    let along = passing - normal * passing.dot(normal);
    (-along / inverse_mass).clamp_length_max(most)
}

/// One over the mass with which a ball takes part in a contact now.
fn free_weight(body: &Body) -> f32 {
    if body.asleep || body.erased { 0.0 } else { body.inverse_mass }
}

/// The answer to one contact, per unit of inverse mass.
struct Response {
    /// Push out of the overlap.
    push: f32,
    /// Impulse; 0 if the two part by themselves.
    impulse: f32,
}

impl Response {
    /// `None` if neither can move.
    fn new((a, b): (f32, f32), depth: f32, closing: f32, restitution: f32) -> Option<Self> {
        let sum = a + b;
        let impulse = if closing < 0.0 { -(1.0 + restitution) * closing / sum } else { 0.0 };
        (sum > 0.0).then(|| Self { push: depth / sum, impulse })
    }
}
