//! A stream of balls: as dense as they fit in beside each other, the same from the same seed.

use ballpit::{Body, Surface};
use glam::Vec2;
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;

/// Speed at which balls are poured along gravity, px/s.
const SPEED_PX_S: f32 = 300.0;
/// Places tried a second for each ball that would fill the brush.
const TRIES_PER_S: f32 = 30.0;
/// Most places tried a frame.
const MOST_TRIES: f32 = 500.0;
/// Gap between two balls, as a share of the radius of one.
const GAP: f32 = 0.02;

/// What is poured, and into what.
pub(crate) struct Spout<'a> {
    /// Least and greatest radius, px.
    pub(crate) radii_px: [f32; 2],
    pub(crate) material: usize,
    pub(crate) gravity: Vec2,
    pub(crate) surfaces: &'a [Surface],
}

/// Balls on their way out of the brush, and the random numbers of the next.
pub(crate) struct Pour {
    random: Pcg64Mcg,
    falling: Vec<Body>,
}

impl Pour {
    pub(crate) fn new(seed: u64) -> Self {
        // The generator wants an odd state.
        Self { random: Pcg64Mcg::new(u128::from(seed) << 1 | 1), falling: Vec::new() }
    }

    /// The balls that a brush of a place and a radius pours in `seconds`.
    pub(crate) fn balls(&mut self, spout: &Spout, (place, radius): (Vec2, f32), seconds: f32) -> Vec<Body> {
        self.let_fall(spout.gravity, seconds);
        self.falling.retain(|ball| ball.position.distance(place) < radius + 3.0 * spout.radii_px[1]);
        let middling = spout.radii_px[0].midpoint(spout.radii_px[1]);
        let tries = (TRIES_PER_S * seconds * (radius / middling).powi(2)).clamp(1.0, MOST_TRIES);
        let first = self.falling.len();
        for _ in 0..tries as u32 {
            let ball = self.ball(spout, place, radius);
            if self.has_room(&ball) && is_inside(&ball, spout.surfaces) {
                self.falling.push(ball);
            }
        }
        self.falling[first..].to_vec()
    }

    fn let_fall(&mut self, gravity: Vec2, seconds: f32) {
        for ball in &mut self.falling {
            ball.position += ball.velocity * seconds + gravity * (0.5 * seconds * seconds);
            ball.velocity += gravity * seconds;
        }
    }

    fn ball(&mut self, spout: &Spout, place: Vec2, radius: f32) -> Body {
        let [least, most] = spout.radii_px;
        let ball_radius = least + (most - least) * self.unit();
        let within = self.in_disc() * (radius - ball_radius).max(0.0);
        let velocity = spout.gravity.try_normalize().map_or_else(|| within, |down| down * SPEED_PX_S);
        Body { material: spout.material, ..Body::ball(place + within, ball_radius) }.moving(velocity)
    }

    fn has_room(&self, ball: &Body) -> bool {
        let reach = |other: &Body| (ball.radius + other.radius) * (1.0 + GAP);
        self.falling.iter().all(|other| other.position.distance(ball.position) > reach(other))
    }

    /// Even over 0..1, in steps of 2⁻²⁴.
    fn unit(&mut self) -> f32 {
        (self.random.next_u64() >> 40) as f32 / (1 << 24) as f32
    }

    /// Even over the unit disc, by rejection.
    fn in_disc(&mut self) -> Vec2 {
        loop {
            let place = Vec2::new(self.unit(), self.unit()) * 2.0 - 1.0;
            if place.length_squared() <= 1.0 {
                return place;
            }
        }
    }
}

/// Whether no surface holds the ball back.
fn is_inside(ball: &Body, surfaces: &[Surface]) -> bool {
    let gap = |surface: Surface| (ball.position - surface.point).dot(surface.normal) - ball.radius;
    surfaces.iter().map(Surface::now).all(|surface| gap(surface) >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPOUT: Spout = Spout { radii_px: [4.0, 8.0], material: 0, gravity: Vec2::new(0.0, 900.0), surfaces: &[] };

    fn stream(seed: u64, radius: f32) -> Vec<Vec<Body>> {
        let mut pour = Pour::new(seed);
        (0..60).map(|_| pour.balls(&SPOUT, (Vec2::ZERO, radius), 1.0 / 60.0)).collect()
    }

    #[test]
    fn balls_poured_together_do_not_overlap_and_are_the_same_from_the_same_seed() {
        let frames = stream(7, 40.0);
        for balls in &frames {
            for (index, a) in balls.iter().enumerate() {
                assert!(a.position.length() + a.radius <= 40.001 && (4.0..=8.0).contains(&a.radius), "{a:?}");
                for b in &balls[..index] {
                    assert!(a.position.distance(b.position) > a.radius + b.radius, "{a:?} {b:?}");
                }
            }
        }
        assert_eq!(frames, stream(7, 40.0));
        assert_ne!(frames, stream(8, 40.0));
    }

    #[test]
    fn a_wider_brush_pours_more() {
        let [narrow, wide] = [20.0, 80.0].map(|radius| stream(1, radius).iter().map(Vec::len).sum::<usize>());
        assert!(narrow > 20 && wide > 3 * narrow, "{narrow} and {wide}");
    }

    #[test]
    fn nothing_is_poured_into_a_wall() {
        let walls = [Surface::new(Vec2::ZERO, Vec2::X)];
        let spout = Spout { surfaces: &walls, ..SPOUT };
        let balls = Pour::new(1).balls(&spout, (Vec2::ZERO, 60.0), 1.0);
        assert!(!balls.is_empty() && balls.iter().all(|ball| ball.position.x >= ball.radius));
    }
}
