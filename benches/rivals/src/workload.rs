//! What everybody steps: half a box of balls.

use ballpit::{Overrides, Scene, World};
use glam::Vec2;

use crate::Result;

/// Length of a step, s.
pub(crate) const STEP_S: f32 = 1.0 / 120.0;

/// Thickness of the rivals' walls, px: more than a ball that falls through the box makes in a step.
const WALL_PX: f32 = 500.0;

/// The world with so many balls, in Morton order of their places, so that neighbours are close in every engine's memory.
pub(crate) fn world(balls: usize) -> Result<World> {
    let scene = Scene::parse(include_str!("../scene.toml"), "scene.toml")?;
    let mut world = scene.build(&Overrides { balls: Some(balls), seed: None })?;
    let size = world.max - world.min;
    let corner = world.min;
    world.bodies.sort_by_key(|body| morton((body.position - corner) / size.max_element()));
    Ok(world)
}

/// A wall as a box.
pub(crate) struct Wall {
    pub(crate) centre: Vec2,
    pub(crate) half: Vec2,
}

/// The four walls about the world's box, for engines whose walls are bodies.
pub(crate) fn walls(world: &World) -> [Wall; 4] {
    let (centre, half) = ((world.min + world.max) / 2.0, (world.max - world.min) / 2.0);
    let beside = Vec2::new(WALL_PX / 2.0, half.y + WALL_PX);
    let below = Vec2::new(half.x + WALL_PX, WALL_PX / 2.0);
    let out = half + WALL_PX / 2.0;
    [(Vec2::NEG_X, beside), (Vec2::X, beside), (Vec2::NEG_Y, below), (Vec2::Y, below)]
        .map(|(side, half)| Wall { centre: centre + side * out, half })
}

/// The place's rank on a Z-order curve; both parts from 0 to 1.
fn morton(place: Vec2) -> u32 {
    let spread = |part: f32| {
        let bits = (part * 65_535.0) as u32;
        (0..16).fold(0, |spread, bit| spread | (bits >> bit & 1) << (2 * bit))
    };
    spread(place.x) | spread(place.y) << 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_the_list_are_neighbours_in_the_box() {
        let world = world(2_000).unwrap();
        let mean = |step: usize| {
            let pairs = world.bodies.iter().zip(world.bodies.iter().skip(step));
            pairs.map(|(a, b)| f64::from(a.position.distance(b.position))).sum::<f64>() / 2_000.0
        };
        let width = f64::from(world.max.x - world.min.x);
        assert!(mean(1) < 0.06 * width, "{} of {width}", mean(1));
        assert!(mean(700) > 0.2 * width, "balls far apart in the list are far apart in the box: {}", mean(700));
    }

    #[test]
    fn balls_cover_half_the_box() {
        let world = world(2_000).unwrap();
        let area: f32 = world.bodies.iter().map(|ball| std::f32::consts::PI * ball.radius * ball.radius).sum();
        let size = world.max - world.min;
        assert_eq!(world.bodies.len(), 2_000);
        assert!((area / (size.x * size.y) - 0.5).abs() < 0.02, "{}", area / (size.x * size.y));
        assert!((size.x / size.y - 1.6).abs() < 0.01, "{size}");
    }

    #[test]
    fn walls_stand_about_the_box() {
        let world = world(500).unwrap();
        let [left, right, above, below] = walls(&world);
        assert_eq!(left.centre.x + left.half.x, world.min.x);
        assert_eq!(right.centre.x - right.half.x, world.max.x);
        assert_eq!(above.centre.y + above.half.y, world.min.y);
        assert_eq!(below.centre.y - below.half.y, world.max.y);
    }
}
