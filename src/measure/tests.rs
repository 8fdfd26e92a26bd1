use glam::Vec2;
use proptest::prelude::*;

use super::*;

fn box_of(side: f32) -> World {
    World::new(Vec2::ZERO, Vec2::splat(side))
}

/// Every pair against every other.
fn brute_force(world: &World) -> Vec<Overlap> {
    let mut found = Vec::new();
    for (i, a) in world.bodies.iter().enumerate() {
        let others = world.bodies[i + 1..].iter().filter(|b| a.is_movable() || b.is_movable());
        found.extend(others.filter_map(|b| Overlap::of_pair(a, b)));
        for surface in world.surfaces.iter().filter(|_| a.is_movable()) {
            let height = (a.position.as_dvec2() - surface.point.as_dvec2()).dot(surface.normal.as_dvec2());
            found.extend(Overlap::of_depth(f64::from(a.radius) - height, f64::from(a.radius)));
        }
        for segment in world.segments.iter().filter(|_| a.is_movable()) {
            // The nearest of many points, 0.05 px apart: no formula of the measures' own.
            let points = (0..=10_000).map(|k| segment.from.as_dvec2().lerp(segment.to.as_dvec2(), f64::from(k) / 1e4));
            let nearest = points.map(|point| point.distance(a.position.as_dvec2())).fold(f64::MAX, f64::min);
            found.extend(Overlap::of_depth(f64::from(a.radius + segment.radius) - nearest, f64::from(a.radius)));
        }
    }
    found
}

fn sorted(mut overlaps: Vec<Overlap>) -> Vec<f64> {
    overlaps.sort_by(|a, b| a.depth_px.total_cmp(&b.depth_px));
    overlaps.into_iter().map(|overlap| overlap.depth_px).collect()
}

#[test]
fn an_empty_world_measures_zero() {
    assert_eq!(Measures::of(&box_of(10.0)), Measures::default());
}

#[test]
fn overlaps_by_hand() {
    let mut world = box_of(1_000.0);
    world.add(Body::ball(Vec2::new(100.0, 500.0), 4.0));
    world.add(Body::ball(Vec2::new(107.0, 500.0), 5.0));
    world.add(Body::ball(Vec2::new(500.0, 991.0), 10.0));
    world.add(Body::ball(Vec2::new(520.0, 500.0), 10.0));
    world.add(Body::ball(Vec2::new(540.0, 500.0), 10.0));
    let measures = Measures::of(&world);
    assert_eq!(measures.deepest_overlap_px, 2.0);
    assert_eq!(measures.overlap_ratio_max, 0.5);
    assert_eq!(measures.overlap_ratio_p99, 0.5);
    // The pair, the ball on the floor, and the two that just touch.
    assert_eq!(measures.touching, 3);
    assert_eq!(measures.deepest_below_floor_px, 1.0);
    assert_eq!(measures.pile_height_px, 510.0);
}

#[test]
fn overlaps_with_segments_are_those_of_the_nearest_of_many_points() {
    let mut world = box_of(400.0).open();
    for k in 0..60 {
        let place = |n: i32| Vec2::new((n * 137 % 400) as f32, (n * 59 % 397) as f32);
        world.add(Body::ball(place(k), 3.0 + (k % 9) as f32));
        world.segments.push(Segment { radius: (k % 3) as f32, ..Segment::new(place(k + 7), place(2 * k + 60)) });
    }
    let (found, expected) = (sorted(overlaps(&world)), sorted(brute_force(&world)));
    assert_eq!(found.len(), expected.len());
    assert!(found.len() > 100 && found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 0.03));
}

#[test]
fn two_immovable_balls_do_not_count_as_overlapping() {
    let mut world = box_of(100.0);
    world.add(Body::peg(Vec2::splat(50.0), 5.0));
    world.add(Body::peg(Vec2::splat(50.0), 5.0));
    assert_eq!(Measures::of(&world), Measures::default());
    world.bodies[1].inverse_mass = 0.04;
    assert_eq!(Measures::of(&world).deepest_overlap_px, 10.0);
}

#[test]
fn c2_motion_by_hand() {
    let mut world = box_of(100.0).open();
    let ball = |x: f32, mass: f32| Body { inverse_mass: 1.0 / mass, ..Body::ball(Vec2::new(x, 8.0), 2.0) };
    world.add(ball(10.0, 1.0).moving(Vec2::new(4.0, 0.0)));
    world.add(ball(50.0, 4.0));
    world.add(Body::peg(Vec2::splat(90.0), 5.0).moving(Vec2::splat(1e3)));
    let measures = Measures::of(&world);
    assert_eq!(measures.kinetic_energy, 8.0);
    assert_eq!(measures.momentum, [4.0, 0.0]);
    assert_eq!(measures.center_of_mass_px, [42.0, 8.0]);
    assert_eq!(measures.fastest_px_s, 4.0);
    assert_eq!(measures.rms_speed_px_s, 8f64.sqrt());
}

#[test]
fn a_ball_in_flight_is_not_the_pile() {
    let mut world = box_of(10_000.0);
    for k in 0..399 {
        world.add(Body::ball(Vec2::new(20.0 * k as f32 + 10.0, 9_995.0), 5.0));
    }
    world.add(Body::ball(Vec2::new(5_000.0, 100.0), 5.0));
    assert_eq!(Measures::of(&world).pile_height_px, 10.0);
}

#[test]
fn a_wide_world_with_a_boulder_costs_what_its_balls_cost() {
    let mut world = World::new(Vec2::splat(-1e9), Vec2::splat(1e9));
    world.add(Body::ball(Vec2::ZERO, 1e6));
    for k in 0..50_000 {
        world.add(Body::ball(Vec2::new(2e6 + 10.0 * (k % 250) as f32, 10.0 * (k / 250) as f32), 2.0));
    }
    world.add(Body::ball(Vec2::new(-1e9, 1e9), 1e-3));
    let measures = Measures::of(&world);
    // The last ball lies in the corner of two walls.
    assert_eq!(measures.touching, 2);
    assert_eq!(measures.overlap_ratio_max, 1.0);
}

#[test]
fn json_keys_are_the_documented_ones() {
    let json = serde_json::to_value(Measures::default()).unwrap();
    let mut keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let documented = [
        "center_of_mass_px",
        "deepest_below_floor_px",
        "deepest_overlap_px",
        "fastest_px_s",
        "kinetic_energy",
        "momentum",
        "overlap_ratio_max",
        "overlap_ratio_p99",
        "pile_height_px",
        "rms_speed_px_s",
        "touching",
    ];
    assert_eq!(keys, documented);
}

#[test]
fn moving_one_ball_changes_the_measures() {
    let mut world = box_of(100.0);
    world.add(Body::ball(Vec2::new(50.0, 96.0), 5.0));
    let before = Measures::of(&world);
    world.bodies[0].position.y = world.bodies[0].position.y.next_up();
    assert_ne!(Measures::of(&world), before);
}

proptest! {
    #[test]
    fn the_grid_finds_what_brute_force_finds(
        balls in prop::collection::vec((0.0f32..300.0, 0.0f32..300.0, 1.0f32..50.0, 0u32..5), 0..120),
        spread in 0u32..4,
    ) {
        let mut world = box_of(300.0);
        for (x, y, radius, kind) in balls {
            // Radii of up to 50 : 1, more of the small ones the larger `spread`.
            let radius = (radius / (1 + spread * kind) as f32).max(1.0);
            let ball = if kind == 4 { Body::peg } else { Body::ball };
            world.add(ball(Vec2::new(x, y), radius));
        }
        prop_assert_eq!(sorted(overlaps(&world)), sorted(brute_force(&world)));
    }
}

#[test]
fn percentiles_by_hand() {
    let values = vec![5.0, 1.0, 4.0, 2.0, 3.0];
    let shares = [0.0, 0.1, 0.5, 0.95, 1.0];
    assert_eq!(shares.map(|share| percentile(values.clone(), share)), [1.0, 1.0, 3.0, 5.0, 5.0]);
    assert_eq!(percentile(Vec::new(), 0.5), 0.0);
}
