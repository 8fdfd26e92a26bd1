//! The product's own comparison: it finds no difference where there is none, and names the ball where there is.

use ballpit::{Arithmetic, Comparison, Difference, Method, Settings, World};

use crate::common::{gpu, scene, scene_of, skipped};

/// A comparison of both engines, by stages if asked; nothing without an adapter.
fn comparison(world: &World, settings: &Settings, arithmetic: Arithmetic) -> Option<Comparison> {
    Some(Comparison::new(gpu()?, world.clone(), settings, arithmetic).unwrap())
}

/// The first difference within `steps` steps.
fn first_difference(comparison: &mut Comparison, steps: u32) -> Option<Difference> {
    (0..steps).find_map(|_| comparison.step().unwrap())
}

#[test]
fn whole_steps_agree_and_a_nudge_of_one_unit_is_named() {
    let (world, settings) = scene("impulse");
    let Some(mut comparison) = comparison(&world, &settings, Arithmetic::Exact) else { return };
    assert_eq!(comparison.method(), Method::Exact);
    assert_eq!(first_difference(&mut comparison, 60), None);
    let (cpu, gpu) = comparison.worlds().unwrap();
    crate::assert_same(&cpu, &gpu);

    // In the air no other ball takes the difference on in the same step.
    for id in [0, 42, 69] {
        let mut comparison = self::comparison(&world, &settings, Arithmetic::Exact).unwrap();
        assert_eq!(first_difference(&mut comparison, 3), None);
        comparison.nudge(id);
        let difference = comparison.step().unwrap().expect("a nudge shows");
        let Difference { step, stage, quantity, differing, .. } = difference;
        assert_eq!((step, stage, difference.id, quantity, differing), (4, None, id, "x", 1), "{difference}");
        assert_eq!(difference.gpu, difference.cpu.next_up());
    }
}

#[test]
fn worlds_with_erased_balls_are_compared_like_others() {
    let (mut world, settings) = scene("impulse");
    for id in [0, 7, 69] {
        world.bodies[id].erased = true;
    }
    for by_stage in [false, true] {
        let Some(mut comparison) = comparison(&world, &settings, Arithmetic::Exact) else { return };
        if by_stage {
            comparison.by_stage();
        }
        assert_eq!(first_difference(&mut comparison, 20), None);
        let (cpu, gpu) = comparison.worlds().unwrap();
        crate::assert_same(&cpu, &gpu);
        assert_eq!(cpu.bodies.iter().filter(|body| body.erased).count(), 3);
        comparison.nudge(42);
        assert_eq!(comparison.step().unwrap().expect("a nudge shows").id, 42);
    }
}

#[test]
fn stages_agree_in_exact_arithmetic_and_a_nudge_is_named() {
    let (world, settings) = scene("impulse");
    let Some(mut comparison) = comparison(&world, &settings, Arithmetic::Exact) else { return };
    comparison.by_stage();
    assert_eq!(first_difference(&mut comparison, 30), None);
    comparison.nudge(42);
    let difference = comparison.step().unwrap().expect("a nudge shows");
    assert_eq!((difference.id, difference.quantity, difference.step), (42, "x", 31), "{difference}");
    assert!(difference.stage.is_some());
}

#[test]
fn plain_arithmetic_is_compared_by_stages() {
    let (world, settings) = scene_of("pile", 2_000);
    let Some(mut comparison) = comparison(&world, &settings, Arithmetic::Plain) else { return };
    if comparison.self_test().is_exact() {
        skipped("this device rounds like the CPU even in plain arithmetic");
        return;
    }
    assert!(comparison.self_test().to_string().contains("no: "), "{}", comparison.self_test());
    assert_eq!(comparison.method(), Method::Stages);
    let difference = first_difference(&mut comparison, 20);
    assert!(difference.is_none(), "{}", difference.unwrap());

    comparison.nudge(1_234);
    let difference = comparison.step().unwrap().expect("a nudge shows");
    assert_eq!((difference.id, difference.quantity), (1_234, "x"), "{difference}");
}
