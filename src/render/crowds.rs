//! Crowds of small balls, against the same crowd drawn large and against the area of its balls.

use std::f32::consts::PI;

use glam::Vec2;

use super::offscreen::tests::{flat, gpu, rgb, world};
use super::sift::{DISC_BLOCK, DISC_PX, Sift};
use super::{ColourBy, Offscreen, Picture, View, picture};
use crate::{Gpu, World};

/// A side of the crowd, px of the world.
const SIDE: f32 = 64.0;
/// Pixels of a px of the world where the crowd is drawn large: each ball is a disc of six pixels and more.
const LARGE: u32 = 8;

/// Balls of radii from 0.75 to 1 px side by side, in five colours.
fn crowd() -> World {
    let places = (0..32u16).flat_map(|row| (0..32u16).map(move |column| (column, row)));
    let balls: Vec<_> = places
        .map(|(x, y)| (2.0 * f32::from(x) + 1.0, 2.0 * f32::from(y) + 1.0, 1.0 - f32::from((x * 7 + y * 5) % 6) * 0.05))
        .collect();
    world(&balls)
}

/// The crowd in a picture whose pixels show `px` px of the world each, moved to the right by `moved` pixels.
fn drawn(gpu: &Gpu, world: &World, px: f32, moved: f32) -> Picture {
    let side = (SIDE / px) as u32;
    let mut view = flat((side, side));
    view.camera.zoom = 1.0 / px;
    view.camera.centre = Vec2::splat(0.5 * SIDE) - Vec2::new(moved * px, 0.0);
    picture(gpu, world, &[], (side, side), &view).expect("it is drawn")
}

type Rows = Vec<Vec<[f32; 3]>>;

fn rows(picture: &Picture) -> Rows {
    (0..picture.height()).map(|y| (0..picture.width()).map(|x| rgb(picture, x, y)).collect()).collect()
}

/// A picture made smaller by `k`: each pixel the mean of those that it takes the place of.
fn averaged(large: &Picture, k: u32) -> Rows {
    let mean = |x: u32, y: u32| {
        let parts = (0..k * k).map(|i| rgb(large, k * x + i % k, k * y + i / k));
        parts.fold([0.0; 3], |sum: [f32; 3], part| std::array::from_fn(|c| sum[c] + part[c] / (k * k) as f32))
    };
    (0..large.height() / k).map(|y| (0..large.width() / k).map(|x| mean(x, y)).collect()).collect()
}

/// The negative twin: a picture made smaller by taking one pixel in place of so many.
fn sampled(large: &Picture, k: u32) -> Rows {
    let rows = 0..large.height() / k;
    // Near the left rim of a ball, at half of its height.
    rows.map(|y| (0..large.width() / k).map(|x| rgb(large, k * x + 1, k * y + LARGE - 1)).collect()).collect()
}

fn differences<'a>(a: &'a Rows, b: &'a Rows) -> impl Iterator<Item = f32> + 'a {
    a.iter().flatten().flatten().zip(b.iter().flatten().flatten()).map(|(a, b)| a - b)
}

fn greatest(a: &Rows, b: &Rows) -> f32 {
    differences(a, b).fold(0.0, |most, difference| most.max(difference.abs()))
}

fn mean(a: &Rows, b: &Rows) -> f32 {
    differences(a, b).sum::<f32>() / (3 * a.len() * a.len()) as f32
}

#[test]
fn a_crowd_far_away_is_the_mean_of_what_it_is_near() {
    let Some(gpu) = gpu() else { return };
    let world = crowd();
    let large = drawn(&gpu, &world, 1.0 / LARGE as f32, 0.0);
    // Pixels' px of the world; how much a pixel may differ, and their mean, of 255.
    for (px, each, all) in [(1u8, 8.0, 0.5), (2, 3.0, 0.5), (4, 3.0, 0.5), (8, 2.0, 0.5)] {
        let k = LARGE * u32::from(px);
        let small = rows(&drawn(&gpu, &world, f32::from(px), 0.0));
        let (expected, wrong) = (averaged(&large, k), sampled(&large, k));
        let (most, off) = (greatest(&small, &expected), mean(&small, &expected));
        assert!(most < each && off.abs() < all, "a pixel of {px} px differs by {most}, all by {off}");
        assert!(greatest(&wrong, &expected) > 4.0 * each, "samples pass for a mean: {}", greatest(&wrong, &expected));
    }
}

#[test]
fn a_crowd_that_moves_does_not_shimmer() {
    let Some(gpu) = gpu() else { return };
    let world = crowd();
    // A tenth of a pixel; how much a pixel may change by it, of 255. The crowd's edge moves by a tenth of its light.
    for (px, most) in [2u8, 4, 8].map(|px| (px, 15.0)) {
        let [before, after] = [0.0, 0.1].map(|moved| rows(&drawn(&gpu, &world, f32::from(px), moved)));
        let change = greatest(&before, &after);
        assert!(change < most, "pixels of {px} px change by {change}");
        let k = LARGE * u32::from(px);
        let moved = 0.1 * k as f32;
        let [before, after] = [0.0, moved].map(|moved| sampled(&drawn(&gpu, &world, 1.0 / LARGE as f32, moved), k));
        assert!(greatest(&before, &after) > 3.0 * most, "samples do not shimmer: {}", greatest(&before, &after));
    }
}

#[test]
fn balls_too_faint_for_eight_bits_add_up() {
    let Some(gpu) = gpu() else { return };
    let balls: Vec<_> = (0..60_000u32)
        .map(|i| ((i as f32 * 0.754_877_7).fract() * 60.0 + 2.0, (i as f32 * 0.569_840_3).fract() * 60.0 + 2.0, 0.03))
        .collect();
    let drawn = |count: usize| {
        let view = View { colour: ColourBy::Material, ..flat((64, 64)) };
        let drawn = picture(&gpu, &world(&balls[..count]), &[], (64, 64), &view).expect("it is drawn");
        // How far green is on its way from the background's 20 to blue's 180.
        rows(&drawn).iter().flatten().map(|[_, green, _]| (green - 20.0) / 160.0).sum::<f32>()
    };
    let area = 60_000.0 * PI * 0.03 * 0.03;
    assert!((drawn(60_000) - area).abs() < 0.03 * area, "{} pixels are covered, not {area}", drawn(60_000));
    assert!((drawn(54_000) - area).abs() > 0.05 * area, "a tenth of them is not missed");
}

#[test]
fn discs_lie_over_each_other_by_slot_and_none_is_lost() {
    let Some(gpu) = gpu() else { return };
    let far = (1e6, 1e6, 4.0);
    let [below, above] = [(20.0, 20.0, 10.0), (26.0, 20.0, 10.0)];
    // Slots in one word, in two words, and in two blocks of those that are listed together.
    for between in [0, 40, DISC_BLOCK as usize, 3 * DISC_BLOCK as usize] {
        let mut balls = vec![far; between + 2];
        (balls[0], balls[between + 1]) = (below, above);
        let drawn = |world: &World| {
            picture(&gpu, world, &[], (48, 40), &View { colour: ColourBy::Id { most: 1.0 }, ..flat((48, 40)) })
        };
        let both = drawn(&world(&balls)).expect("it is drawn");
        assert_eq!(rgb(&both, 23, 20), rgb(&both, 33, 20), "the second lies above, {between} between them");
        assert_ne!(rgb(&both, 23, 20), rgb(&both, 13, 20), "the first is there, {between} between them");
        balls.swap(0, between + 1);
        let turned = drawn(&world(&balls)).expect("it is drawn");
        assert_eq!(rgb(&turned, 23, 20), rgb(&turned, 13, 20), "now the other one lies above");
    }
}

#[test]
fn a_picture_is_whole_whatever_was_drawn_before_it() {
    let Some(gpu) = gpu() else { return };
    // A small picture and few balls after large and many: nothing is left of them.
    let few = world(&[(8.0, 8.0, 1.0), (20.0, 12.0, 5.0)]);
    let alone = picture(&gpu, &few, &[], (32, 32), &flat((32, 32))).expect("it is drawn");
    let mut target = Offscreen::new(&gpu, (32, 32)).expect("the size is fine");
    let again: Vec<Picture> =
        [&crowd(), &few, &crowd(), &few].map(|world| target.of(world, &flat((32, 32))).expect("it is drawn")).into();
    assert_eq!(again[1].rgba(), alone.rgba());
    assert_eq!(again[3].rgba(), alone.rgba());
    assert_ne!(again[2].rgba(), alone.rgba());
}

#[test]
fn a_picture_too_large_for_sums_is_drawn_of_discs() {
    let Some(gpu) = gpu() else { return };
    let target = Offscreen::new(&gpu, (8, 8)).expect("the size is fine");
    let sift: &Sift = target.sift();
    assert_eq!(sift.disc_px(1280 * 720), DISC_PX);
    assert_eq!(sift.disc_px(1 << 50), 0.0);
}
