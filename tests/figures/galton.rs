//! The Galton board.

use ballpit::{Body, Engine, Segment, Settings, World};
use glam::Vec2;

use crate::common::{Random, bodies, cpu_engine, engines, run};

/// Distance of pegs in a row, and width of a slot, px.
const PITCH: f32 = 40.0;
const ROW_PX: f32 = 36.0;
const ROWS: usize = 12;
const SLOTS: usize = 13;
/// Boards side by side, each with its own column of balls, and their distance, px.
const BOARDS: usize = 40;
const BOARD_PX: f32 = 800.0;
const BALLS_A_BOARD: usize = 50;
/// Where the slots begin, px below the first row.
const SLOTS_Y: f32 = ROWS as f32 * ROW_PX;

/// Forty boards of twelve staggered rows of pegs, and two thousand balls of radius 6 above their middles.
fn boards(gravity: Vec2) -> World {
    let mut world = World::new(Vec2::new(-400.0, -2_600.0), Vec2::new(BOARDS as f32 * BOARD_PX, 1_200.0)).open();
    world.gravity = gravity;
    // So that those that come from higher up are no faster.
    world.drag_per_s = 3.0;
    world.materials[0].restitution = 0.5;
    let mut random = Random::new(10);
    for board in 0..BOARDS {
        let middle = board as f32 * BOARD_PX;
        for row in 0..ROWS {
            // As far as half a pitch a row takes a ball, and three more, alike on both sides.
            let odd = row as i32 % 2;
            let reach = (row as i32 + odd) / 2 + 3;
            for peg in -reach..=reach - odd {
                let x = (peg as f32 + 0.5 * (row % 2) as f32) * PITCH;
                world.add(Body::peg(Vec2::new(middle + x, row as f32 * ROW_PX), 5.0));
            }
        }
        for edge in 0..=SLOTS {
            let x = middle + (edge as f32 - 0.5 * SLOTS as f32) * PITCH;
            world.segments.push(Segment::new(Vec2::new(x, SLOTS_Y), Vec2::new(x, SLOTS_Y + 700.0)));
        }
        for ball in 0..BALLS_A_BOARD {
            let place = Vec2::new(middle + random.within(-3.0, 3.0), -50.0 - PITCH * ball as f32);
            world.add(Body::ball(place, 6.0));
        }
    }
    world
}

/// Balls in each slot, of all boards, once they have come down; one in a thousand may come to balance on an edge.
fn fallen(mut engine: Box<dyn Engine>) -> [u32; SLOTS] {
    let mut slots = [0; SLOTS];
    let mut is_counted = vec![false; bodies(&mut *engine).len()];
    for _ in 0..220 {
        run(&mut *engine, &Settings::default(), 0.1);
        for (body, is_counted) in bodies(&mut *engine).iter().zip(&mut is_counted) {
            if *is_counted || body.position.y < SLOTS_Y + 50.0 {
                continue;
            }
            *is_counted = true;
            let board = (body.position.x / BOARD_PX).round();
            let slot = (body.position.x - board * BOARD_PX) / PITCH + 0.5 * SLOTS as f32;
            slots[(slot as usize).min(SLOTS - 1)] += 1;
        }
        if slots.iter().sum::<u32>() as usize >= BOARDS * BALLS_A_BOARD - 2 {
            return slots;
        }
    }
    panic!("{slots:?}: too few have come down");
}

/// Chi-squared of the slots against their own mirror image; 6 degrees of freedom.
fn asymmetry(slots: &[u32; SLOTS]) -> f64 {
    let pair = |k: usize| (f64::from(slots[k]), f64::from(slots[SLOTS - 1 - k]));
    let pairs = (0..SLOTS / 2).map(pair).filter(|(a, b)| a + b > 0.0);
    pairs.map(|(a, b)| (a - b) * (a - b) / (a + b)).sum()
}

/// What chi-squared of 6 degrees of freedom exceeds in one of a hundred cases.
const ONE_IN_A_HUNDRED: f64 = 16.81;

#[test]
fn s10_a_galton_board_fills_its_slots_as_a_symmetric_bell() {
    let gravity = Vec2::new(0.0, 900.0);
    let settings = Settings::default();
    let upright: Vec<[u32; SLOTS]> = engines(&boards(gravity), &settings).into_iter().map(fallen).collect();
    for slots in &upright {
        assert!(asymmetry(slots) < ONE_IN_A_HUNDRED, "chi-squared of {slots:?} is {}", asymmetry(slots));
        let middle = SLOTS / 2;
        for k in 1..=middle {
            let both = |k: usize| slots[middle - k] + slots[middle + k];
            assert!(both(k) <= if k == 1 { 2 * slots[middle] } else { both(k - 1) } + 20, "no bell: {slots:?}");
        }
    }
    assert!(upright.iter().all(|slots| *slots == upright[0]), "the engines differ");
    // A board that leans by a degree shows.
    let leaning = boards(Vec2::from_angle(-1f32.to_radians()).rotate(gravity));
    let leaning = fallen(cpu_engine(&leaning, &settings));
    assert!(asymmetry(&leaning) > ONE_IN_A_HUNDRED, "{leaning:?}");
}
