//! The grid and the lists hold every pair that may meet, and no other: against all pairs, one by one.

use std::collections::BTreeSet;

use glam::Vec2;
use proptest::prelude::*;

use super::*;
use crate::grid::{Grid, Sizes};
use crate::stage::lanes::SHARE;
use crate::{Body, CpuEngine, Settings, Stage, World};

/// A ball of radius 1 to 100 in a box of 600 px or up to 300 px outside; one in eight cannot move.
fn ball() -> impl Strategy<Value = Body> {
    let place = || -300f32..900.0;
    let radius = prop_oneof![3 => 1f32..10.0, 1 => 1f32..=100.0];
    let speed = || prop_oneof![3 => -100f32..100.0, 1 => -1e5f32..1e5];
    (place(), place(), radius, speed(), speed(), 0..8).prop_map(|(x, y, radius, vx, vy, kind)| {
        let place = Vec2::new(x, y);
        if kind == 0 { Body::peg(place, radius) } else { Body::ball(place, radius).moving(Vec2::new(vx, vy)) }
    })
}

fn worlds() -> impl Strategy<Value = World> {
    prop::collection::vec(ball(), 0..150).prop_map(|bodies| World {
        bodies,
        ..World::new(Vec2::ZERO, Vec2::splat(600.0)).with_gravity(Vec2::new(0.0, 900.0))
    })
}

/// Slots whose reach overlaps that of slot `i`, by trying all.
fn near(i: usize, homes: &[Home]) -> BTreeSet<usize> {
    let may_meet = |j: usize| {
        let (dx, dy) = (homes[j].x - homes[i].x, homes[j].y - homes[i].y);
        let reaches = homes[i].reach + homes[j].reach;
        j != i && dx * dx + dy * dy < reaches * reaches
    };
    (0..homes.len()).filter(|&j| may_meet(j)).collect()
}

/// Worlds of more than a share, whose last share ends amid a block.
fn larger_worlds() -> impl Strategy<Value = World> {
    let some = prop::collection::vec(ball(), SHARE + 1..2 * SHARE + 40);
    some.prop_map(|bodies| World { bodies, ..World::new(Vec2::ZERO, Vec2::splat(600.0)) })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_pair_closer_than_its_reaches_is_listed_or_walked(world in prop_oneof![8 => worlds(), 1 => larger_worlds()]) {
        let settings = Settings::default();
        let params = Params::new(&world, &settings, &Grid::new(&world, &Sizes::NONE.with(&world.bodies)), settings.step_s());
        let mut engine = CpuEngine::new(world, settings).unwrap();
        let before_passes = engine.course().turns().take_while(|turn| turn.stage != Stage::ContactPass);
        before_passes.for_each(|turn| engine.run(turn));

        let slots = engine.slots();
        let around =
            Neighbourhood { params: &params, homes: slots.homes, bodies: slots.bodies, cell_start: slots.cell_start };
        for i in 0..slots.bodies.len() {
            let expected = near(i, slots.homes);
            let mut walked = Vec::new();
            around.walk(i, |j| walked.push(j));
            prop_assert_eq!(walked.len(), expected.len(), "none twice");
            prop_assert_eq!(&walked.iter().copied().collect::<BTreeSet<_>>(), &expected);

            let count = slots.nearby[i].candidates as usize;
            if slots.bodies[i].inverse_mass == 0.0 {
                prop_assert_eq!(count, 0, "an immovable ball needs no list");
                continue;
            }
            prop_assert_eq!(count, expected.len());
            let listed = slots.lists.of(i).take(count).map(|j| j as usize);
            prop_assert!(listed.zip(&walked).all(|(listed, walked)| listed == *walked));
        }
    }

    #[test]
    fn a_balls_reach_covers_its_way_through_a_step(body in ball()) {
        let world = World::new(Vec2::ZERO, Vec2::splat(600.0)).with_gravity(Vec2::new(0.0, 900.0));
        let settings = Settings::default();
        let params = Params::new(&world, &settings, &Grid::new(&world, &Sizes::NONE.with(&world.bodies)), settings.step_s());
        let reach = crate::stage::grid_count::reach(&params, &Record::from(&body));
        let way = (body.velocity.length() + 900.0 * settings.step_s()) * settings.step_s();
        prop_assert!(reach >= body.radius + way.min(5.0 * body.radius) * 0.999_99, "{} px of {}", reach, way);
        prop_assert!(reach <= 6.0 * body.radius * 1.000_01);
    }
}
