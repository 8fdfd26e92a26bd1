//! What a time is worth: one measure for the balls of every engine, from their places, velocities and radii alone.

use ballpit::{Measures, World};
use serde::Serialize;

use crate::Result;
use crate::contestant::Motion;

/// Energy that an engine may add to a falling world, as a share of what it had: rounding, and pushes out of overlaps.
const GAIN: f64 = 0.001;
/// Greatest root mean square of the speeds of balls that count as at rest, px/s.
const REST_PX_S: f64 = 25.0;

/// How the balls of an engine lie.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Quality {
    /// Overlap of two balls, or of a ball and a wall, over the smaller radius, at the 99th percentile.
    pub(crate) overlap_ratio_p99: f64,
    /// The greatest.
    pub(crate) overlap_ratio_max: f64,
    /// Root of the mean square of the speeds, px/s.
    pub(crate) rms_speed_px_s: f64,
    /// Kinetic and potential, above the floor, in mass units times (px/s)².
    #[serde(skip)]
    pub(crate) energy: f64,
}

impl Quality {
    /// Measures the balls of `start` where they are now.
    ///
    /// # Errors
    /// If a ball is not finite, or its centre not in the box.
    pub(crate) fn of(start: &World, motions: &[Motion]) -> Result<Self> {
        let mut world = start.clone();
        for (id, (ball, motion)) in world.bodies.iter_mut().zip(motions).enumerate() {
            (ball.position, ball.velocity) = (motion.place, motion.velocity);
            let is_inside = ball.position.cmpge(start.min).all() && ball.position.cmple(start.max).all();
            if !is_inside || !ball.velocity.is_finite() {
                return Err(
                    format!("ball {id} is lost: it is at {} px with {} px/s", motion.place, motion.velocity).into()
                );
            }
        }
        let measures = Measures::of(&world);
        Ok(Self {
            overlap_ratio_p99: measures.overlap_ratio_p99,
            overlap_ratio_max: measures.overlap_ratio_max,
            rms_speed_px_s: measures.rms_speed_px_s,
            energy: measures.kinetic_energy + potential_energy(&world),
        })
    }

    /// Whether the energy is no more than that of `start`.
    ///
    /// # Errors
    /// If it is.
    pub(crate) fn check_energy(&self, start: &Self) -> Result<()> {
        if self.energy <= start.energy * (1.0 + GAIN) {
            return Ok(());
        }
        Err(format!("its balls have gained energy: {:e}, from {:e} at the start", self.energy, start.energy).into())
    }

    /// Whether the balls have come to rest.
    ///
    /// # Errors
    /// If they have not.
    pub(crate) fn check_rest(&self) -> Result<()> {
        if self.rms_speed_px_s <= REST_PX_S {
            return Ok(());
        }
        let speed = self.rms_speed_px_s;
        Err(format!("its balls have not come to rest ({speed:.1} px/s): give them longer with --settle").into())
    }
}

/// Above the floor.
fn potential_energy(world: &World) -> f64 {
    let height = |y: f32| f64::from(world.max.y - y);
    let of_ball =
        |ball: &ballpit::Body| f64::from(world.gravity.y) * height(ball.position.y) / f64::from(ball.inverse_mass);
    world.bodies.iter().map(of_ball).sum()
}

#[cfg(test)]
mod tests {
    use ballpit::Body;
    use glam::Vec2;

    use super::*;

    /// Two balls of radii 10 and 20, `apart` px between their centres, on no wall.
    fn pair(apart: f32) -> (World, Vec<Motion>) {
        let mut world = World::new(Vec2::ZERO, Vec2::splat(200.0)).with_gravity(Vec2::new(0.0, 900.0));
        world.add(Body::ball(Vec2::splat(50.0), 10.0));
        world.add(Body::ball(Vec2::splat(150.0), 20.0));
        let motions =
            [Vec2::splat(100.0), Vec2::new(100.0 + apart, 100.0)].map(|place| Motion { place, velocity: Vec2::ZERO });
        (world, motions.into())
    }

    #[test]
    fn an_overlap_is_a_share_of_the_smaller_radius() {
        let (world, motions) = pair(28.0);
        let quality = Quality::of(&world, &motions).unwrap();
        assert!((quality.overlap_ratio_max - 0.2).abs() < 1e-6, "{quality:?}");
        assert_eq!(quality.overlap_ratio_p99, quality.overlap_ratio_max);
        // A hair closer, and it must show; apart, and there is none.
        let (world, closer) = pair(27.9);
        assert!(Quality::of(&world, &closer).unwrap().overlap_ratio_max > quality.overlap_ratio_max + 0.005);
        let (world, apart) = pair(30.5);
        assert_eq!(Quality::of(&world, &apart).unwrap().overlap_ratio_max, 0.0);
    }

    #[test]
    fn an_overlap_with_a_wall_counts() {
        let (world, mut motions) = pair(60.0);
        assert_eq!(Quality::of(&world, &motions).unwrap().overlap_ratio_max, 0.0);
        motions[0].place.y = 195.0;
        assert!((Quality::of(&world, &motions).unwrap().overlap_ratio_max - 0.5).abs() < 1e-6);
    }

    #[test]
    fn a_ball_that_is_lost_is_an_error() {
        for place in [Vec2::new(f32::NAN, 100.0), Vec2::new(100.0, 200.5)] {
            let (world, mut motions) = pair(60.0);
            assert!(Quality::of(&world, &motions).is_ok());
            motions[1].place = place;
            let message = Quality::of(&world, &motions).unwrap_err().to_string();
            assert!(message.contains("ball 1 is lost"), "{message}");
        }
    }

    #[test]
    fn energy_may_be_lost_but_not_gained() {
        let (world, mut motions) = pair(60.0);
        let start = Quality::of(&world, &motions).unwrap();
        // Fallen by 50 px without a gain in speed, then with all of it, then with a tenth more.
        let fallen = (2.0_f32 * 900.0 * 50.0).sqrt();
        for (share, is_right) in [(0.0, true), (1.0, true), (1.1, false)] {
            for motion in &mut motions {
                *motion = Motion { place: Vec2::new(motion.place.x, 150.0), velocity: Vec2::new(0.0, share * fallen) };
            }
            let quality = Quality::of(&world, &motions).unwrap();
            assert_eq!(quality.check_energy(&start).is_ok(), is_right, "{share}: {quality:?} from {start:?}");
            assert_eq!(quality.check_rest().is_ok(), share == 0.0);
        }
    }
}
