//! How far balls that should lie still wander.

use glam::DVec2;

use crate::World;

/// The boxes that the movable balls' centres stay in while worlds are pushed. For the figure "wander over
/// the last 2 s", start a new one 2 s before the end and push the world after every step.
#[derive(Clone, Debug, Default)]
pub struct Wander {
    boxes: Vec<[DVec2; 2]>,
}

impl Wander {
    /// No worlds yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the places of a world. One with another number of movable balls starts afresh.
    pub fn push(&mut self, world: &World) {
        let places = || super::movable(world).map(|body| body.position.as_dvec2());
        if places().count() != self.boxes.len() {
            self.boxes = places().map(|place| [place, place]).collect();
        }
        for ([min, max], place) in self.boxes.iter_mut().zip(places()) {
            *min = min.min(place);
            *max = max.max(place);
        }
    }

    /// Median over the balls of the diagonal of their box, px; 0 without balls.
    pub fn median_px(&self) -> f64 {
        let diagonals = self.diagonals();
        let middle = diagonals.len() / 2;
        match diagonals.len() {
            0 => 0.0,
            n if n % 2 == 1 => diagonals[middle],
            _ => 0.5 * (diagonals[middle - 1] + diagonals[middle]),
        }
    }

    /// Its 99th percentile, px; 0 without balls.
    pub fn p99_px(&self) -> f64 {
        super::percentile(self.diagonals(), 0.99)
    }

    /// The diagonals of the boxes, ascending.
    fn diagonals(&self) -> Vec<f64> {
        let mut diagonals: Vec<f64> = self.boxes.iter().map(|[min, max]| (max - min).length()).collect();
        diagonals.sort_unstable_by(f64::total_cmp);
        diagonals
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::Body;

    fn world(places: &[(f32, f32)]) -> World {
        let mut world = World::new(Vec2::ZERO, Vec2::splat(100.0));
        for &(x, y) in places {
            world.add(Body::ball(Vec2::new(x, y), 1.0));
        }
        world
    }

    #[test]
    fn the_median_of_the_diagonals_by_hand() {
        let mut wander = Wander::new();
        assert_eq!(wander.median_px(), 0.0);
        wander.push(&world(&[(0.0, 0.0), (50.0, 50.0), (9.0, 9.0)]));
        assert_eq!(wander.median_px(), 0.0);
        wander.push(&world(&[(3.0, 4.0), (50.0, 50.0), (9.0, 8.0)]));
        wander.push(&world(&[(0.0, 0.0), (50.0, 50.0), (9.0, 9.0)]));
        assert_eq!(wander.median_px(), 1.0);
    }

    #[test]
    fn an_even_number_takes_the_mean_of_the_middle_two() {
        let mut wander = Wander::new();
        wander.push(&world(&[(0.0, 0.0), (0.0, 0.0)]));
        wander.push(&world(&[(1.0, 0.0), (0.0, 3.0)]));
        assert_eq!(wander.median_px(), 2.0);
    }

    #[test]
    fn immovable_balls_do_not_count_and_new_balls_start_afresh() {
        let mut wander = Wander::new();
        let mut moved = world(&[(5.0, 0.0)]);
        moved.add(Body::peg(Vec2::ONE, 1.0));
        wander.push(&world(&[(0.0, 0.0)]));
        wander.push(&moved);
        assert_eq!(wander.median_px(), 5.0);
        wander.push(&world(&[(0.0, 0.0), (1.0, 1.0)]));
        assert_eq!(wander.median_px(), 0.0);
    }
}
