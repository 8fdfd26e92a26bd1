use std::f32::consts::PI;

use glam::Vec2;
use proptest::prelude::*;

use super::*;
use crate::{Actor, Body, Character, Measures, Model, Motion, Stop, Tilt, state_hash};

mod choices;
mod errors;
mod mutations;

fn built(name: &str, balls: Option<usize>, seed: Option<u64>) -> World {
    Scene::named(name).unwrap().build(&Overrides { balls, seed }).unwrap()
}

/// Nothing overlaps anything: what the spawners promise, judged by the measures' own grid.
fn assert_apart(world: &World) {
    let ulp = world.max.abs().max(world.min.abs()).max_element() * f32::EPSILON;
    let deepest = Measures::of(world).deepest_overlap_px;
    assert!(deepest <= f64::from(ulp), "{deepest} px deep in a world of ulp {ulp}");
}

fn assert_inside(world: &World) {
    let slack = world.max.abs().max(world.min.abs()).max_element() * f32::EPSILON;
    for (id, body) in world.bodies.iter().enumerate() {
        let (least, most) = (world.min + body.radius - slack, world.max - body.radius + slack);
        assert!(body.position.cmpge(least).all() && body.position.cmple(most).all(), "ball {id}: {body:?}");
    }
}

#[test]
fn every_named_scene_builds_and_is_valid() {
    for (name, description) in Scene::names() {
        let scene = Scene::named(name).unwrap();
        assert!(!description.is_empty() && !scene.title.is_empty(), "{name}");
        scene.settings().validate().unwrap();
        let world = scene.build(&Overrides::default()).unwrap();
        world.validate().unwrap();
        // The balls of a curve lie as they fall.
        if !name.starts_with("court") {
            assert_apart(&world);
        }
        assert_inside(&world);
        let movable = world.bodies.iter().filter(|body| body.is_movable()).count();
        assert_eq!(movable, scene.default_balls(), "{name}");
    }
    assert_eq!(Scene::names().next().unwrap().0, Scene::DEFAULT);
}

#[test]
fn the_pile_of_seed_1_is_golden() {
    let world = built("pile", None, Some(1));
    let bits: Vec<[u32; 2]> = world.bodies[..3].iter().map(|body| body.position.to_array().map(f32::to_bits)).collect();
    assert_eq!(bits, [[1_084_556_442, 1_083_664_587], [1_096_681_956, 1_085_689_233], [1_101_246_405, 1_084_997_293]]);
    assert_eq!(format!("{:016x}", state_hash(&world)), "087fa362d7b99457");
    assert_eq!(format!("{:016x}", state_hash(&built("impulse", None, Some(1)))), "d76c956654dd4768");
}

#[test]
fn how_to_step_is_read_from_the_file() {
    let settings =
        |step: &str| Scene::parse(&format!("{HEAD}[step]\n{step}\n"), "x.toml").map(|scene| scene.settings());
    let order = |text: &str| crate::Solver::Sequential(text.parse().unwrap());
    assert_eq!(settings("solver = \"sequential\"").unwrap().solver, order("kcb"));
    let ordered = settings("solver = \"sequential\"\nstages = \"bcks\"").unwrap();
    assert_eq!((ordered.solver, ordered.sleep_after_s), (order("bcks"), 1.0));
    let sleepy = settings("sleep_after = 0.5\nsleep_speed = 4").unwrap();
    assert_eq!((sleepy.sleep_after_s, sleepy.sleep_speed_px_s), (0.5, 4.0));
    let honest = settings("relief = 0\nbounce_speed = 60").unwrap();
    assert_eq!((honest.relief, honest.bounce_speed_px_s), (0.0, 60.0));
    for (step, wrong) in [
        (
            "stages = \"kcb\"",
            "x.toml:8: step.stages: the order of stages is given as kcb; it must be left out with the jacobi",
        ),
        (
            "solver = \"sequential\"\nstages = \"kzb\"",
            "x.toml:9: step.stages: the order of stages is 'kzb', in which 'z' is no",
        ),
        ("solver = \"gauss\"", "x.toml:8: step.solver: \"gauss\" is refused; it must be \"jacobi\" or \"sequential\""),
        ("sleep_after = 7", "x.toml:8: step.sleep_after: 7 is refused; it must be a number from 0 to 6"),
    ] {
        let error = settings(step).unwrap_err().to_string();
        assert!(error.starts_with(wrong), "{error}");
    }
}

#[test]
fn a_seed_means_one_world() {
    for name in ["pile", "impulse", "gas"] {
        let world = built(name, Some(70), Some(7));
        assert_eq!(world, built(name, Some(70), Some(7)), "{name}");
        assert_ne!(state_hash(&world), state_hash(&built(name, Some(70), Some(8))), "{name}");
    }
}

#[test]
fn the_default_seed_and_number_are_the_scene_s() {
    let scene = Scene::named("impulse").unwrap();
    let explicit = Overrides { balls: Some(scene.default_balls()), seed: Some(scene.seed) };
    assert_eq!(scene.build(&explicit).unwrap(), scene.build(&Overrides::default()).unwrap());
}

#[test]
fn the_pile_holds_its_fill_at_any_number_of_balls() {
    for balls in [1, 2, 3, 70, 5_000, 20_000, 200_000] {
        let world = built("pile", Some(balls), None);
        assert_eq!(world.bodies.len(), balls);
        assert_apart(&world);
        assert_inside(&world);
        let area: f64 = world.bodies.iter().map(|body| std::f64::consts::PI * f64::from(body.radius).powi(2)).sum();
        let size = (world.max - world.min).as_dvec2();
        let fill = area / size.element_product();
        assert!((size.x / size.y - 1.6).abs() < 1e-4, "{size}");
        if balls >= 70 {
            assert!((0.42..0.58).contains(&fill), "{balls} balls fill {fill}");
        }
    }
}

#[test]
fn a_pile_starts_spread_over_its_box() {
    let world = built("pile", None, None);
    let size = world.max - world.min;
    let mut quarters = [0; 16];
    for body in &world.bodies {
        let cell = ((body.position - world.min) / size * 4.0).as_uvec2();
        quarters[(cell.y * 4 + cell.x) as usize] += 1;
    }
    assert!(quarters.iter().all(|balls| (1_000..1_500).contains(balls)), "{quarters:?}");
}

#[test]
fn a_small_pile_is_never_too_many() {
    for balls in (1..100).chain((100..1_000).step_by(37)) {
        for seed in 0..3 {
            assert_apart(&built("pile", Some(balls), Some(seed)));
            assert_apart(&built("gas", Some(balls), Some(seed)));
        }
    }
}

#[test]
fn impulse_is_the_seventy_of_the_source() {
    for seed in 1..=20 {
        let world = built("impulse", None, Some(seed));
        assert_eq!((world.min, world.max), (Vec2::new(60.0, 90.0), Vec2::new(940.0, 640.0)));
        assert_eq!((world.gravity, world.bodies.len()), (Vec2::new(0.0, 900.0), 70));
        for body in &world.bodies {
            assert!((12.0..=28.0).contains(&body.radius) && body.position.y <= 380.0);
            assert_eq!(body.inverse_mass, 1.0 / (body.radius * body.radius));
        }
        assert_inside(&world);
        let mut padded = world;
        padded.surfaces.clear();
        padded.bodies.iter_mut().for_each(|body| body.radius += 0.999);
        assert_apart(&padded);
    }
}

#[test]
fn impulse_keeps_its_box_and_says_how_many_fit() {
    let world = built("impulse", Some(30), None);
    assert_eq!(world.max, Vec2::new(940.0, 640.0));
    let scene = Scene::named("impulse").unwrap();
    let error = scene.build(&Overrides { balls: Some(100_000), seed: None }).unwrap_err().to_string();
    // The user's number is wrong, and not the scene's file.
    let most = error.strip_prefix("balls is 100000; it must be at most ").expect(&error);
    let fit: usize = most.split(':').next().unwrap().parse().unwrap();
    assert!(fit >= 70);
    let full = scene.build(&Overrides { balls: Some(fit), seed: None }).unwrap();
    assert_eq!(full.bodies.len(), fit);
    assert_apart(&full);
}

#[test]
fn the_peg_stands_where_it_stands() {
    let world = built("peg", None, None);
    assert_eq!(world.bodies[0], Body { material: 0, ..Body::peg(Vec2::new(500.0, 365.0), 40.0) });
    assert_eq!(world.bodies.len(), 71);
    assert_eq!(built("peg", Some(10), None).bodies.len(), 11);
}

#[test]
fn the_cradle_is_one_against_five() {
    let world = built("cradle", None, None);
    assert_eq!(world.bodies.len(), 6);
    assert_eq!(world.bodies[0].velocity, Vec2::new(200.0, 0.0));
    assert!(world.bodies[1..].iter().all(|body| body.velocity == Vec2::ZERO && body.radius == 10.0));
    assert_eq!((world.gravity, world.materials[0].restitution), (Vec2::ZERO, 1.0));
}

#[test]
fn the_usual_ball_is_that_of_which_there_are_most() {
    let usual = |name| Scene::named(name).unwrap().usual_ball().0;
    assert_eq!(usual("boulder"), [2.0, 4.0], "and not the boulder, which comes first");
    assert_eq!(usual("swarm"), [3.0, 5.0]);
    assert_eq!(usual("mixer"), [2.0, 4.67]);
}

#[test]
fn balls_out_of_range_are_refused_with_the_range() {
    let error = |name, balls| {
        let overrides = Overrides { balls: Some(balls), seed: None };
        Scene::named(name).unwrap().build(&overrides).unwrap_err().to_string()
    };
    assert_eq!(error("pile", 0), "balls is 0; it must be from 1 to 67108864");
    assert!(error("pile", usize::MAX).contains("from 1 to 67108864"));
    // What each ball carries takes room as well.
    let laden = scene_of(
        "[[spawn]]\nkind = \"scatter\"\ncount = 1\nradius = 1\nmin = [0, 0]\nmax = [100, 100]\ncarries = [[3, 0]]\n",
    );
    let overrides = Overrides { balls: Some(World::MOST_BODIES), seed: None };
    let message = laden.build(&overrides).unwrap_err().to_string();
    assert!(message.contains(&format!("from 1 to {}", World::MOST_BODIES / 2)), "{message}");
    assert!(error("cradle", 9).contains("places each ball by hand"));
}

const HEAD: &str = "version = 1\ntitle = \"t\"\nseed = 3\n[world]\nmin = [0, 0]\nmax = [100, 100]\n";

fn scene_of(rest: &str) -> Scene {
    Scene::parse(&format!("{HEAD}{rest}"), "test.toml").unwrap()
}

fn world_of(rest: &str) -> World {
    scene_of(rest).build(&Overrides::default()).unwrap()
}

/// Why a scene is not read, or not built.
fn scene_error(rest: &str) -> String {
    let parsed = Scene::parse(&format!("{HEAD}{rest}"), "test.toml");
    parsed.and_then(|scene| scene.build(&Overrides::default())).unwrap_err().to_string()
}

#[test]
fn every_key_reaches_the_world() {
    let world = world_of(
        "gravity = [1, 2]\ndrag = 0.5\nwalls = false\n\
         [material.wood]\nrestitution = 0.2\nfriction = 0.6\n[material.bumper]\nrestitution = 1.5\n\
         [[surface]]\npoint = [50, 90]\nnormal = [0, -2]\nmaterial = \"bumper\"\n\
         [[surface]]\npoint = [1, 2]\nnormal = [1, 0]\nvelocity = [5, 6]\nturn = 180\nperiod = 4\ntilt = 90\n\
         [[segment]]\npoints = [[1, 2], [3, 4], [5, 2]]\nthickness = 3\nmaterial = \"bumper\"\n\
         [[spawn]]\nkind = \"single\"\nradius = 2\nposition = [10, 20]\nvelocity = [3, 4]\nmass = 8\n\
         material = \"bumper\"\n",
    );
    assert_eq!((world.gravity, world.drag_per_s), (Vec2::new(1.0, 2.0), 0.5));
    let names: Vec<&str> = world.materials.iter().map(|material| material.name.as_str()).collect();
    assert_eq!(names, ["wood", "bumper"]);
    assert_eq!((world.materials[0].restitution, world.materials[0].friction), (0.2, 0.6));
    let surface = Surface { material: Some(1), ..Surface::new(Vec2::new(50.0, 90.0), Vec2::NEG_Y) };
    let tilt = Tilt::up_to(90f32.to_radians(), 20f32.to_radians());
    let motion = Motion { velocity: Vec2::new(5.0, 6.0), turn_rad_s: PI, period_s: 4.0, elapsed_s: 0.0 };
    assert_eq!(world.surfaces, [surface, Surface::new(Vec2::new(1.0, 2.0), Vec2::X).moving(motion).tilting(tilt)]);
    let [a, b, c] = [[1.0, 2.0], [3.0, 4.0], [5.0, 2.0]].map(Vec2::from_array);
    let segment = |from, to| Segment { radius: 1.5, material: 1, ..Segment::new(from, to) };
    assert_eq!(world.segments, [segment(a, b), segment(b, c)]);
    let ball = Body::ball(Vec2::new(10.0, 20.0), 2.0).moving(Vec2::new(3.0, 4.0));
    assert_eq!(world.bodies, [Body { inverse_mass: 0.125, material: 1, ..ball }]);
}

#[test]
fn the_example_of_the_documentation_is_a_scene() {
    let page = include_str!("../../docs/scene-format.md");
    let example = page.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let scene = Scene::parse(example, "docs/scene-format.md").unwrap();
    assert_eq!(scene.build(&Overrides::default()).unwrap().bodies.len(), 30);
    let second = page.split("```toml").nth(2).and_then(|rest| rest.split("```").next()).unwrap();
    let second = Scene::parse(second, "docs/scene-format.md").unwrap().build(&Overrides::default()).unwrap();
    assert_eq!((second.bodies.len(), second.wheels.len(), second.counters.len()), (221, 1, 1));
    // Every key that the reader knows is in the page.
    for key in place::known_keys() {
        assert!(page.contains(&format!("`{key}")) || page.contains(&format!("[{key}")), "{key} is not explained");
    }
}

#[test]
fn steps_are_those_of_the_file_or_the_defaults() {
    assert_eq!(scene_of("").settings(), Settings::default());
    let settings = scene_of("[step]\nrate = 30\npasses = 4\nrotation = true\n").settings();
    assert_eq!((settings.rate_hz, settings.passes, settings.rotation), (30, 4, true));
}

#[test]
fn actors_are_the_balls_of_their_spawner_and_what_these_carry() {
    let world = world_of(
        "[step]\nlayers = [0, 3]\ncontacts = false\n[character.still]\n[character.runner]\nacceleration = [300, 200]\n\
         top_speed = [90, 0]\ndrag = 2\nstop = \"glide\"\ndeceleration = 50\n\
         [[spawn]]\nkind = \"single\"\nradius = 2\nposition = [90, 90]\n\
         [[spawn]]\nkind = \"grid\"\ncount = 2\nradius = 4\nspacing = 20\nmin = [0, 0]\nmax = [100, 100]\n\
         character = \"runner\"\nlayer = 3\ncarries = [[0, 10]]\n",
    );
    let Character { acceleration, top_speed, drag_per_s, stop, .. } = world.characters[1].clone();
    assert_eq!((acceleration, top_speed), (Vec2::new(300.0, 200.0), Vec2::new(90.0, 0.0)));
    assert_eq!((drag_per_s, stop), (Some(2.0), Stop::Glide(50.0)));
    let driven = |ball| Actor { layer: 3, ..Actor::new(ball).of(1) };
    let child = |ball, parent| Actor { layer: 3, ..Actor::new(ball).carried_by(parent, Vec2::new(0.0, 10.0)) };
    assert_eq!(world.actors, [driven(1), driven(2), child(3, 1), child(4, 2)]);
    let places: Vec<Vec2> = world.bodies.iter().map(|body| body.position).collect();
    assert_eq!(places[3..], [Vec2::new(4.0, 14.0), Vec2::new(24.0, 14.0)]);
    assert_eq!(world.bodies[3].radius, 2.0);
    assert_eq!(scene_of("[step]\nlayers = [0, 3]\ncontacts = false\n").settings().layers, 9);
    assert!(!scene_of("[step]\ncontacts = false\n").settings().contacts);
    assert_eq!(scene_of("model = \"null\"\n").build(&Overrides::default()).unwrap().model, Model::Null);
}

#[test]
fn a_grid_stands_in_rows() {
    let world =
        world_of("[[spawn]]\nkind = \"grid\"\ncount = 12\nradius = 5\nspacing = 20\nmin = [0, 0]\nmax = [100, 100]\n");
    let places: Vec<Vec2> = world.bodies.iter().map(|body| body.position).collect();
    assert_eq!(places[..2], [Vec2::new(5.0, 5.0), Vec2::new(25.0, 5.0)]);
    assert_eq!(places[5], Vec2::new(5.0, 25.0));
    assert!(world.bodies.iter().all(|body| body.velocity == Vec2::ZERO));
}

#[test]
fn a_staggered_grid_has_every_other_row_half_a_spacing_further() {
    let grid = "[[spawn]]\nkind = \"grid\"\nradius = 5\nspacing = 40\nrow_spacing = 30\nstagger = true\n";
    let world = world_of(&format!("{grid}count = 5\nmin = [5, 5]\nmax = [85, 95]\n"));
    let places: Vec<Vec2> = world.bodies.iter().map(|body| body.position).collect();
    let expected = [(5.0, 5.0), (45.0, 5.0), (85.0, 5.0), (25.0, 35.0), (65.0, 35.0)].map(Vec2::from);
    assert_eq!(places, expected);
    let error = |keys: &str| scene_error(&format!("{grid}{keys}min = [5, 5]\nmax = [85, 95]\n"));
    assert!(error("count = 11\n").contains("11 balls do not fit, 10 do"), "{}", error("count = 11\n"));
    let close = grid.replace("row_spacing = 30", "row_spacing = 1").replace("spacing = 40", "spacing = 12");
    let close = scene_error(&format!("{close}count = 2\nmin = [5, 5]\nmax = [85, 95]\n"));
    assert!(close.contains("lets balls overlap"), "{close}");
}

#[test]
fn wheels_carry_pegs_and_nothing_else() {
    let wheel = "[wheel.left]\ncentre = [50, 50]\nturn = 90\n";
    let peg = "[[spawn]]\nkind = \"single\"\nradius = 5\nposition = [70, 50]\nwheel = \"left\"\n";
    let world = world_of(&format!("{wheel}{peg}fixed = true\n"));
    assert_eq!(world.bodies[0].wheel, Some(0));
    assert_eq!(world.wheels[0].turn_rad_s, 90f32.to_radians());
    let ball = scene_error(&format!("{wheel}{peg}"));
    assert!(ball.contains("spawn[0].wheel") && ball.contains("fixed = true"), "{ball}");
    let unknown = scene_error(&format!("{peg}fixed = true\n"));
    assert!(unknown.contains("no [wheel.left]"), "{unknown}");
    let fast = scene_error(&wheel.replace("90", "1e9"));
    assert!(fast.contains("wheel.left.turn") && fast.contains("from -3600 to 3600"), "{fast}");
}

#[test]
fn a_triangle_of_28_stands_in_seven_layers() {
    let world = world_of(
        "[[spawn]]\nkind = \"stack\"\nshape = \"triangle\"\ncount = 28\nradius = 5\nmin = [0, 0]\nmax = [100, 100]\n",
    );
    let on_floor = world.bodies.iter().filter(|body| body.position.y == 95.0).count();
    assert_eq!((world.bodies.len(), on_floor), (28, 7));
    assert_eq!(world.bodies[27].position.x, 50.0);
    assert!((world.bodies[27].position.y - (95.0 - 6.0 * 10.0 * 0.75f32.sqrt())).abs() < 1e-4);
    assert_apart(&world);
}

#[test]
fn layers_fill_the_width_and_lie_in_each_others_gaps() {
    let world = world_of("[[spawn]]\nkind = \"stack\"\ncount = 21\nradius = 5\nmin = [0, 0]\nmax = [100, 100]\n");
    assert_eq!(world.bodies[9].position, Vec2::new(95.0, 95.0));
    assert_eq!(world.bodies[10].position.x, 10.0);
    assert_eq!(world.bodies[19].position.x, 5.0);
    assert_apart(&world);
}

#[test]
fn an_error_of_a_full_stack_or_grid_names_how_many_fit() {
    for (kind, fit) in [("stack", 105), ("grid", 100)] {
        let text =
            format!("{HEAD}[[spawn]]\nkind = \"{kind}\"\ncount = 1000\nradius = 5\nmin = [0, 0]\nmax = [100, 100]\n");
        let error = Scene::parse(&text, "x").unwrap().build(&Overrides::default()).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("x:7: spawn[0].count: 1000 balls do not fit, {fit} do; ask for fewer, or enlarge min and max")
        );
    }
}

#[test]
fn open_takes_a_name_or_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, HEAD).unwrap();
    assert_eq!(Scene::open(path.to_str().unwrap()).unwrap(), scene_of(""));
    let bare = folder.path().join("bare");
    std::fs::write(&bare, HEAD).unwrap();
    assert_eq!(Scene::open(bare.to_str().unwrap()).unwrap().seed, 3);
    assert_eq!(Scene::open("gas").unwrap(), Scene::named("gas").unwrap());
    let error = |path: &std::path::Path| Scene::open(path).unwrap_err().to_string();
    assert!(error(folder.path()).ends_with("is a directory; give a .toml file"));
    assert!(matches!(Scene::open(folder.path().join("none")), Err(Error::File { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn scattered_balls_are_apart_and_inside_or_refused(
        count in 1usize..600,
        least in 1.0f64..6.0,
        spread in 0.0f64..6.0,
        clearance in 0.0f64..3.0,
        peg in 0u8..2,
        seed: u64,
    ) {
        let peg = if peg == 1 {
            "[[spawn]]\nkind = \"single\"\nfixed = true\nradius = 15\nposition = [60, 50]\n"
        } else {
            ""
        };
        let scene = scene_of(&format!(
            "{peg}[[spawn]]\nkind = \"scatter\"\ncount = {count}\nradius = [{least}, {}]\nclearance = {clearance}\n\
             min = [0, 10]\nmax = [100, 80]\n",
            least + spread
        ));
        match scene.build(&Overrides { balls: None, seed: Some(seed) }) {
            Ok(world) => {
                assert_apart(&world);
                assert_inside(&world);
                let mut padded = world.open();
                padded.bodies.iter_mut().for_each(|body| body.radius += 0.499 * clearance as f32);
                assert_apart(&padded);
            }
            Err(error) => {
                // What a lattice of the largest balls would hold must never be refused.
                let pitch = 2.0 * (least + spread) + clearance;
                prop_assert!(!peg.is_empty() || count as f64 * pitch * pitch > 0.5 * 100.0 * 70.0, "{error}");
            }
        }
    }

    #[test]
    fn grids_are_apart_and_inside_or_refused(
        count in 1usize..200,
        radius in 1.0f64..6.0,
        jitter in 0.0f64..3.0,
        extra in 0.0f64..3.0,
        seed: u64,
    ) {
        let scene = scene_of(&format!(
            "[[spawn]]\nkind = \"grid\"\ncount = {count}\nradius = [1, {radius}]\njitter = {jitter}\n\
             spacing = {}\nspeed = 50\nmin = [0, 0]\nmax = [100, 100]\n",
            2.0 * (radius + jitter) + extra
        ));
        if let Ok(world) = scene.build(&Overrides { balls: None, seed: Some(seed) }) {
            prop_assert_eq!(world.bodies.len(), count);
            assert_apart(&world);
            assert_inside(&world);
            prop_assert!(world.bodies.iter().all(|body| body.velocity.length() <= 50.001));
        }
    }
}
