//! Balls that differ from each other in a scene: the court's, and radii to choose from.

use super::*;

#[test]
fn the_court_is_that_of_the_source() {
    let world = built("court", None, None);
    assert_eq!((world.bodies.len(), world.max.y, world.min.y), (100, 166.0, 14.0));
    let step = Scene::named("court").unwrap().settings().step_s();
    assert!(((-world.drag_per_s * step).exp() - 0.99).abs() < 1e-6);
    assert!(world.bodies.iter().all(|ball| ball.inverse_mass == 1.0 / 16.0 && [4.0, 6.0].contains(&ball.radius)));
    assert!(world.bodies.iter().all(|ball| ball.velocity.abs().max_element() <= 60.0));
    let large = world.bodies.iter().filter(|ball| ball.radius == 6.0).count();
    assert!((13..=38).contains(&large), "{large} of a quarter");
    // Half way along the curve: (20 + 3·100 + 3·220 + 300) / 8, (60 + 3·30 + 3·90 + 40) / 8.
    let middle = world.bodies[48..52].iter().map(|ball| ball.position).sum::<Vec2>() / 4.0;
    assert!(middle.distance(Vec2::new(160.0, 57.5)) < 8.0, "{middle}");
    assert!(world.bodies[0].position.distance(Vec2::new(20.0, 60.0)) < 16.0);
    assert!(world.bodies[99].position.distance(Vec2::new(300.0, 40.0)) < 16.0);
}

#[test]
fn the_court_is_white_and_gold_and_its_first_ball_blue() {
    let world = built("court", None, None);
    let colour = |ball: &Body| world.materials[ball.material].colour.unwrap().bytes();
    let [red, green, blue] = colour(&world.bodies[0]);
    assert!(blue > 2 * green.min(red) && blue > green, "ball 0 is blue");
    for ball in &world.bodies[1..] {
        let [red, green, blue] = colour(ball);
        assert_eq!(blue < 64 && red > 200 && green > 150, ball.radius == 6.0, "big balls are gold, and no other is");
        assert_eq!(red.min(green).min(blue) > 220, ball.radius == 4.0, "small balls are white, and no other is");
    }
    assert!(world.materials.iter().all(|material| (material.restitution, material.friction) == (0.8, 0.0)));
}

#[test]
fn the_heavy_court_is_the_court_but_for_the_mass_of_its_big_balls() {
    let [light, heavy] = ["court", "court-heavy"].map(|name| Scene::named(name).unwrap());
    let [world, heavier] = [&light, &heavy].map(|scene| scene.build(&Overrides::default()).unwrap());
    assert_eq!(light.settings(), heavy.settings());
    let mass_of = |ball: &Body| if ball.radius == 6.0 { 2.0 * ball.mass() } else { ball.mass() };
    let bodies = world.bodies.iter().map(|ball| Body { inverse_mass: 1.0 / mass_of(ball), ..*ball }).collect();
    assert_eq!(heavier, World { bodies, ..world.clone() });
    assert_ne!(heavier, world);
}

#[test]
fn radii_to_choose_from_bring_their_own_mass_and_material() {
    let kinds = [
        "kind = \"scatter\"\nmin = [0, 0]\nmax = [100, 100]",
        "kind = \"grid\"\nmin = [0, 0]\nmax = [100, 100]",
        "kind = \"stack\"\nmin = [0, 0]\nmax = [100, 100]",
        "kind = \"curve\"\npoints = [[0, 0], [30, 30], [60, 60], [99, 99]]",
    ];
    let materials = "[material.wood]\n[material.iron]\ncolour = \"#808890\"\n[material.marked]\n";
    for kind in kinds {
        let spawn = format!("{materials}[[spawn]]\n{kind}\ncount = 60\nmass = 5\n");
        let world = world_of(&format!("{spawn}radii = [[2, 1], {{ radius = 3, material = \"iron\", mass = 40 }}]\n"));
        let of = |ball: &Body| (ball.radius, ball.material, ball.mass().round());
        let (small, large) = ((2.0, 0, 5.0), (3.0, 1, 40.0));
        assert!(world.bodies.iter().all(|ball| [small, large].contains(&of(ball))), "{kind}");
        assert!([small, large].iter().all(|sort| world.bodies.iter().any(|ball| of(ball) == *sort)), "{kind}");
        // The same places and sizes as without: only what they are made of differs.
        let plain = world_of(&format!("{spawn}radii = [[2, 1], [3, 1]]\nfirst_material = \"marked\"\n"));
        assert_eq!(plain.bodies[0].material, 2);
        assert!(plain.bodies[1..].iter().all(|ball| (ball.material, ball.mass().round()) == (0, 5.0)), "{kind}");
        let shape = |world: &World| world.bodies.iter().map(|ball| (ball.position, ball.radius)).collect::<Vec<_>>();
        assert_eq!(shape(&world), shape(&plain), "{kind}");
    }
}

#[test]
fn few_large_balls_among_many_small_ones_find_their_places() {
    // Room for thirteen of the largest side by side, and for far more of what is drawn.
    let spawned = |radii: &str, count: usize| {
        let spawn = format!("kind = \"scatter\"\ncount = {count}\n{radii}\nmin = [20, 0]\nmax = [880, 250]\n");
        let text =
            format!("version = 1\ntitle = \"Mixed\"\n[world]\nmin = [0, 0]\nmax = [900, 600]\n[[spawn]]\n{spawn}");
        Scene::parse(&text, "mixed").unwrap().build(&Overrides::default())
    };
    for (radii, count) in [("radii = [[2, 10], [20, 1], [60, 0.1]]", 100), ("radius = [2, 60]", 30)] {
        let world = spawned(radii, count).unwrap();
        assert_eq!(world.bodies.len(), count);
        for (i, a) in world.bodies.iter().enumerate() {
            let clear = |b: &Body| a.position.distance(b.position) >= a.radius + b.radius;
            assert!(world.bodies[..i].iter().all(clear), "ball {i} lies in another");
        }
    }
    assert!(spawned("radius = 60", 100).is_err(), "a hundred of the largest do not fit");
}
