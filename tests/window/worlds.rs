//! Keys that change the world, turn to another, or send and fire what is in it.

use std::thread::sleep;
use std::time::Duration;

use ballpit::Snapshot;

use crate::desktop::{Start, with_window};

/// Degrees by which the ground of a saved world is tilted.
fn tilt(saved: &Snapshot) -> f64 {
    let tilts = saved.world.surfaces.iter().filter_map(|surface| surface.tilt);
    tilts.map(|tilt| tilt.angle_rad.to_degrees()).next().unwrap()
}

#[test]
fn keys_tilt_the_ground_and_change_bounce_air_and_friction() {
    with_window(&Start::Named("bouncy"), |desktop| {
        for (key, sign) in [("Right", 1.0), ("Left", -1.0)] {
            desktop.held(key, || {
                desktop.saved_until("the ground to tilt", |saved| sign * tilt(saved) > 5.0);
            });
        }
        let left = tilt(&desktop.saved());
        sleep(Duration::from_millis(300));
        assert_eq!(tilt(&desktop.saved()), left, "let go, the ground stays as it is");

        let bounce = |saved: &Snapshot| saved.world.materials[0].restitution;
        let before = bounce(&desktop.saved());
        desktop.key("Up");
        desktop.saved_until("more bounce", |saved| (bounce(saved) - before - 0.05).abs() < 1e-5);
        for _ in 0..2 {
            desktop.key("Down");
        }
        desktop.saved_until("less bounce", |saved| (bounce(saved) - before + 0.05).abs() < 1e-5);

        for drag_per_s in [3.0, 0.15] {
            desktop.key("d");
            desktop.saved_until("other air", |saved| saved.world.drag_per_s == drag_per_s);
        }
        for friction in [0.6, 0.0, 0.3] {
            desktop.key("f");
            desktop.saved_until("other friction", |saved| saved.world.materials[0].friction == friction);
        }
    });
}

#[test]
fn keys_start_again_and_turn_to_other_scenes() {
    with_window(&Start::Named("bouncy"), |desktop| {
        let first = desktop.saved_until("the first second", |saved| saved.steps > 120);
        desktop.key("BackSpace");
        let again = desktop.saved_until("a restart", |saved| saved.steps < first.steps);
        assert_eq!((again.seed, &again.title), (first.seed, &first.title));
        desktop.key("Return");
        let other = desktop.saved_until("another seed", |saved| saved.seed != first.seed);
        assert_eq!((&other.title, other.world.balls()), (&first.title, first.world.balls()));
        desktop.key("BackSpace");
        let again = desktop.saved_until("a restart of that", |saved| saved.steps < 120);
        assert_eq!(again.seed, other.seed, "the new seed stays");
        for (key, title) in [("Next", "Cradle"), ("Prior", "Bouncy"), ("Prior", "Impulse"), ("Next", "Bouncy")] {
            desktop.key(key);
            desktop.saved_until(title, |saved| saved.title == title);
        }
    });
}

#[test]
fn letters_and_arrows_send_the_actors_of_swarm() {
    with_window(&Start::Named("swarm --balls 3100"), |desktop| {
        // What the actors do of their own: their mean thrust.
        let thrust = |saved: &Snapshot| {
            let sum: glam::Vec2 = saved.world.actors.iter().map(|actor| actor.thrust).sum();
            sum / saved.world.actors.len() as f32
        };
        let resting = desktop.saved();
        assert_eq!((resting.world.actors.len(), thrust(&resting)), (3_000, glam::Vec2::ZERO));
        let ways = [("d", 1, 0), ("a", -1, 0), ("s", 0, 1), ("w", 0, -1)];
        let arrows = [("Right", 1, 0), ("Left", -1, 0), ("Down", 0, 1), ("Up", 0, -1)];
        for (key, x, y) in ways.into_iter().chain(arrows) {
            let way = glam::Vec2::new(x as f32, y as f32);
            // Looked at while they glide: with a letter held, the same letter saves nothing.
            desktop.wait(key, || {
                desktop.held(key, || sleep(Duration::from_millis(400)));
                let thrust = thrust(&desktop.saved());
                (thrust.dot(way) > 20.0 && thrust.dot(way) > 0.9 * thrust.length()).then_some(())
            });
        }
        desktop.saved_until("them to glide to rest", |saved| thrust(saved).length() < 1.0);
    });
}

#[test]
fn the_cannon_of_siege_fires_what_its_keys_choose() {
    with_window(&Start::Named("siege"), |desktop| {
        let tower = desktop.saved();
        let mass = tower.world.bodies[0].mass();
        let aim = [0.8 * desktop.world.x.1 as f64, desktop.world.y.0 as f64 + 60.0];
        let mut balls = tower.world.balls();
        let fired = |balls: usize| {
            desktop.click(aim);
            let saved = desktop.saved_until("a shot", |saved| saved.world.balls() == balls);
            saved.world.bodies.last().unwrap().mass() / mass
        };
        for (key, times) in [("2", 10.0), ("3", 100.0), ("1", 1.0)] {
            balls += 1;
            desktop.key(key);
            sleep(Duration::from_millis(200));
            let shot = fired(balls);
            assert!((shot / times - 1.0).abs() < 1e-3, "key {key} fired {shot} times the mass");
        }
        // Another tool in hand fires nothing.
        desktop.key("q");
        desktop.click(aim);
        sleep(Duration::from_millis(400));
        assert_eq!(desktop.saved().world.balls(), balls);
        desktop.key("m");
        sleep(Duration::from_millis(200));
        assert!((fired(balls + 1) - 1.0).abs() < 1e-3);
    });
}
