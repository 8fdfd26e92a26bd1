//! What the modes and the layers show, against facts of the world that is drawn.

use glam::Vec2;

use super::colour::sleep_colours;
use super::offscreen::tests::{flat, gpu, near, rgb, world};
use super::{Balls, ColourBy, ColourMap, Lattice, Neighbours, Offscreen, Picture, Show, View, picture};
use crate::{
    Arithmetic, Body, Counter, Engine, Gpu, GpuEngine, Material, Scene, Segment, Settings, Srgb, Surface, World,
};

const SIZE: (u32, u32) = (120, 60);
/// Two balls beside each other in pictures of that size.
const PAIR: [(f32, f32, f32); 2] = [(30.0, 30.0, 12.0), (90.0, 30.0, 12.0)];

fn drawn(gpu: &Gpu, world: &World, loads: &[f32], view: View) -> Picture {
    picture(gpu, world, loads, SIZE, &view).expect("it is drawn")
}

/// How much light the ball has whose middle lies there.
fn light(picture: &Picture, x: u32, y: u32) -> f32 {
    let [red, green, blue] = rgb(picture, x, y);
    0.3 * red + 0.6 * green + 0.1 * blue
}

/// Whether there is a line at a pixel or beside it: something white, which no ball is.
fn is_line(picture: &Picture, x: u32, y: u32) -> bool {
    let beside = (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y)));
    beside.map(|(x, y)| rgb(picture, x, y)).any(|colour| colour.iter().all(|&channel| channel > 130.0))
}

#[test]
fn more_of_something_is_brighter_in_every_map() {
    let Some(gpu) = gpu() else { return };
    let mut fast = world(&PAIR);
    fast.bodies[1].velocity = Vec2::new(300.0, 0.0);
    let mut heavy = world(&PAIR);
    heavy.bodies[1].inverse_mass *= 0.25;
    let least = heavy.bodies[0].mass();
    // Three in the cell of the one whose middle is looked at.
    let crowd = world(&[PAIR[0], PAIR[1], (90.0, 25.0, 3.0), (88.0, 34.0, 3.0)]);
    let cases = [
        (&fast, [0.0, 0.0], ColourBy::Speed { most_px_s: 400.0 }),
        (&heavy, [0.0, 0.0], ColourBy::Mass { least, most: 8.0 * least }),
        (&heavy, [1.0, 30.0], ColourBy::Load { most: 40.0 }),
        (&heavy, [0.0, 0.0], ColourBy::Id { most: 1.0 }),
        (&crowd, [0.0, 0.0], ColourBy::Cells { most: 4.0 }),
    ];
    for (world, loads, colour) in cases {
        for map in ColourMap::ALL {
            let picture = drawn(&gpu, world, &loads, View { colour, map, ..flat(SIZE) });
            let [less, more] = [light(&picture, 27, 30), light(&picture, 93, 30)];
            assert!(more > 1.15 * less && less > light(&picture, 60, 5), "{colour:?} in {map:?}: {less}, {more}");
        }
        // The negative twin: what is alike in both looks alike.
        let twin = Body { position: Vec2::new(PAIR[1].0, PAIR[1].1), ..world.bodies[0] };
        let alike = World { bodies: vec![world.bodies[0], twin], ..world.clone() };
        if !matches!(colour, ColourBy::Id { .. }) {
            let picture = drawn(&gpu, &alike, &[loads[0]; 2], View { colour, ..flat(SIZE) });
            assert!(near(rgb(&picture, 27, 30), rgb(&picture, 93, 30), 1.0), "{colour:?} tells what is alike apart");
        }
    }
}

#[test]
fn sleepers_are_dim_and_materials_told_apart() {
    let Some(gpu) = gpu() else { return };
    let mut world = world(&PAIR);
    world.materials.push(Material::new("ice", 0.1));
    world.bodies[1].material = 1;
    world.bodies[1].asleep = true;
    let sleep = drawn(&gpu, &world, &[], View { colour: ColourBy::Sleep, ..flat(SIZE) });
    assert!(light(&sleep, 27, 30) > 2.0 * light(&sleep, 93, 30));
    for (x, colour) in [(27, sleep_colours()[0]), (93, sleep_colours()[1])] {
        assert!(near(rgb(&sleep, x, 30), colour.map(f32::from), 2.0), "{:?} is not the legend's", rgb(&sleep, x, 30));
    }
    // Those that rest have the darkest colour of a map.
    let speed = drawn(&gpu, &world, &[], View { colour: ColourBy::Speed { most_px_s: 400.0 }, ..flat(SIZE) });
    let [asleep, ground] = [93, 60].map(|x| light(&speed, x, 30));
    assert!(asleep > 1.3 * ground, "asleep {asleep}, the background {ground}");
    world.bodies[1].asleep = false;
    let material = drawn(&gpu, &world, &[], View { colour: ColourBy::Material, ..flat(SIZE) });
    assert!(!near(rgb(&material, 27, 30), rgb(&material, 93, 30), 40.0));
}

#[test]
fn a_materials_own_colour_takes_the_palettes_place() {
    let Some(gpu) = gpu() else { return };
    let mut world = world(&PAIR);
    world.materials.push(Material { colour: Some(Srgb(0xe6b422)), ..Material::new("gold", 0.1) });
    let modes = [ColourBy::Palette, ColourBy::Material];
    let without = modes.map(|colour| drawn(&gpu, &world, &[], View { colour, ..flat(SIZE) }));
    world.bodies[1].material = 1;
    for (colour, without) in modes.into_iter().zip(without) {
        let picture = drawn(&gpu, &world, &[], View { colour, materials: &world.materials, ..flat(SIZE) });
        assert!(near(rgb(&picture, 93, 30), [230.0, 180.0, 34.0], 2.0), "{:?}", rgb(&picture, 93, 30));
        assert_eq!(rgb(&picture, 27, 30), rgb(&without, 27, 30), "a ball without a colour of its own looks as before");
    }
    let speed = View { colour: ColourBy::Speed { most_px_s: 1.0 }, materials: &world.materials, ..flat(SIZE) };
    let speed = drawn(&gpu, &world, &[], speed);
    assert!(near(rgb(&speed, 27, 30), rgb(&speed, 93, 30), 1.0), "colours that tell a speed tell nothing else");
}

const CONTACTS: Show = Show { grid: false, contacts: true, velocities: false, normals: false };

#[test]
fn a_contact_is_a_line_between_balls_that_touch_and_between_no_others() {
    let Some(gpu) = gpu() else { return };
    let view = View { show: CONTACTS, ..flat(SIZE) };
    for gap in [-0.5, 0.0, 1.0, 6.0] {
        let world = world(&[(30.0, 30.0, 12.0), (54.0 + gap, 30.0, 12.0), (95.0, 30.0, 8.0)]);
        let picture = drawn(&gpu, &world, &[], view);
        assert_eq!(is_line(&picture, 42, 30), gap <= 0.0, "the balls are {gap} px apart");
        assert!(!is_line(&picture, 80, 30), "a line to a ball far away");
        assert!(!is_line(&drawn(&gpu, &world, &[], flat(SIZE)), 42, 30), "contacts that nobody asked for");
    }
}

#[test]
fn a_crowded_ball_shows_all_its_contacts() {
    let Some(gpu) = gpu() else { return };
    let places: Vec<Vec2> =
        (0..20).map(|i| Vec2::new(60.0, 30.0) + 23.95 * Vec2::from_angle(0.314 * i as f32)).collect();
    let mut balls = vec![(60.0, 30.0, 21.0)];
    balls.extend(places.iter().map(|place| (place.x, place.y, 3.0)));
    // Four times as large, since small balls have fine lines.
    let mut view = View { show: CONTACTS, ..flat((480, 240)) };
    (view.camera.zoom, view.camera.centre) = (4.0, Vec2::new(60.0, 30.0));
    let picture = picture(&gpu, &world(&balls), &[], (480, 240), &view).expect("it is drawn");
    for place in places {
        let along = 4.0 * Vec2::new(60.0, 30.0).lerp(place, 0.7);
        assert!(is_line(&picture, along.x as u32, along.y as u32), "no line toward {place}");
    }
    let between = 4.0 * (Vec2::new(60.0, 30.0) + 15.0 * Vec2::from_angle(0.157));
    assert!(!is_line(&picture, between.x as u32, between.y as u32), "a line between two contacts");
}

#[test]
fn contacts_with_surfaces_and_segments_are_lines_too() {
    let Some(gpu) = gpu() else { return };
    for gap in [0.0, 4.0] {
        let mut world = world(&[(30.0, 38.0 - gap, 12.0), (90.0, 26.0 - gap, 12.0)]);
        world.surfaces = vec![Surface::new(Vec2::new(0.0, 50.0), Vec2::NEG_Y)];
        world.segments = vec![Segment { radius: 2.0, ..Segment::new(Vec2::new(70.0, 40.0), Vec2::new(110.0, 40.0)) }];
        let surfaces = world.surfaces.clone();
        let picture = drawn(&gpu, &world, &[], View { show: CONTACTS, surfaces: &surfaces, ..flat(SIZE) });
        assert_eq!(is_line(&picture, 30, 45), gap == 0.0, "on the surface, {gap} px above");
        assert_eq!(is_line(&picture, 90, 33), gap == 0.0, "on the segment, {gap} px above");
    }
}

#[test]
fn a_velocity_is_a_line_to_where_the_ball_will_be() {
    let Some(gpu) = gpu() else { return };
    let mut world = world(&[(30.0, 30.5, 5.0), (30.0, 50.0, 5.0)]);
    world.bodies[0].velocity = Vec2::new(60.0 / Show::VELOCITY_S, 0.0);
    let picture = drawn(&gpu, &world, &[], View { show: Show { velocities: true, ..Show::default() }, ..flat(SIZE) });
    assert!(is_line(&picture, 50, 30), "no line toward where it goes");
    assert!(!is_line(&picture, 15, 30) && !is_line(&picture, 97, 30), "the line begins behind or goes on too far");
    assert!(!is_line(&picture, 45, 50), "a ball at rest has a line");
}

#[test]
fn a_counters_bar_is_its_share_of_the_fullest_and_hides_no_ball() {
    let Some(gpu) = gpu() else { return };
    let world = world(&PAIR);
    let counter = |min: Vec2, max: Vec2| Counter { min, max };
    let counters = [counter(Vec2::ZERO, Vec2::new(60.0, 60.0)), counter(Vec2::new(60.0, 0.0), Vec2::new(120.0, 60.0))];
    let without = drawn(&gpu, &world, &[], flat(SIZE));
    let with = |counts: &[u32]| drawn(&gpu, &world, &[], View { counters: &counters, counts, ..flat(SIZE) });
    let picture = with(&[8, 4]);
    let is_bar = |picture: &Picture, x, y| !near(rgb(picture, x, y), rgb(&without, x, y), 8.0);
    for y in [5, 25, 35, 55] {
        assert!(is_bar(&picture, 5, y), "the fullest is filled at {y}");
        assert_eq!(is_bar(&picture, 115, y), y > 30, "half of the fullest is filled from below at {y}");
    }
    assert_eq!([27, 93].map(|x| rgb(&picture, x, 30)), [27, 93].map(|x| rgb(&without, x, 30)), "balls lie over it");
    assert_eq!(with(&[0, 0]).rgba(), without.rgba(), "nothing counted is no bar");
    assert_eq!(with(&[]).rgba(), without.rgba());
}

#[test]
fn normals_point_to_where_balls_may_be() {
    let Some(gpu) = gpu() else { return };
    let surfaces = [Surface::new(Vec2::new(60.0, 45.0), Vec2::NEG_Y)];
    let view = View { surfaces: &surfaces, show: Show { normals: true, ..Show::default() }, ..flat(SIZE) };
    let picture = drawn(&gpu, &world(&[]), &[], view);
    let amber = |y: u32| (0..SIZE.0).any(|x| near(rgb(&picture, x, y), [240.0, 172.0, 52.0], 90.0));
    assert!(amber(20) && amber(35), "no arrow above the floor");
    assert!(!amber(10) && !amber(52), "an arrow under the floor, or too long");
}

#[test]
fn the_grid_is_drawn_where_its_cells_end_until_they_are_too_small() {
    let Some(gpu) = gpu() else { return };
    let world = world(&[(5.0, 5.0, 4.0)]);
    let side = Lattice::finest_px(&world);
    let show = Show { grid: true, ..Show::default() };
    let picture = drawn(&gpu, &world, &[], View { show, ..flat(SIZE) });
    let at = |cells: f32| light(&picture, (cells * side) as u32, (2.5 * side) as u32);
    for line in [2.0, 3.0] {
        assert!(at(line) > at(line - 0.5) + 8.0, "no line {line} cells from the corner: {side}");
    }
    assert!(at(2.5) < 25.0, "a line amid a cell");
    let mut far = View { show, ..flat(SIZE) };
    far.camera.zoom = 3.0 / side;
    let without = View { show: Show::default(), ..far };
    assert_eq!(drawn(&gpu, &world, &[], far).rgba(), drawn(&gpu, &world, &[], without).rgba());
}

/// The picture of a GPU engine's own buffers.
fn of_engine(gpu: &Gpu, engine: &GpuEngine, view: &View) -> Picture {
    let (cell_start, candidates, nearby) = (engine.cell_start(), engine.candidates(), engine.nearby());
    let balls = Balls {
        bodies: engine.bodies(),
        homes: engine.homes(),
        held: engine.held(),
        spins: None,
        loads: None,
        neighbours: Some(Neighbours { cell_start, candidates, nearby }),
        count: engine.balls(),
        pieces: engine.pieces(),
    };
    let size = (view.camera.viewport.x as u32, view.camera.viewport.y as u32);
    Offscreen::new(gpu, size).and_then(|mut target| target.draw(&balls, view)).expect("it is drawn")
}

#[test]
fn an_empty_world_is_drawn_from_an_engines_own_buffers() {
    let Some(gpu) = gpu() else { return };
    for segments in [Vec::new(), vec![Segment::new(Vec2::new(10.0, 30.0), Vec2::new(110.0, 30.0))]] {
        let mut empty = world(&[]);
        empty.segments = segments;
        let mut engine = GpuEngine::new(&gpu, empty.clone(), Settings::default(), Arithmetic::Exact).unwrap();
        engine.step(2, 1.0 / 120.0).unwrap();
        let view = View { show: CONTACTS, lattice: Some(engine.lattice()), ..flat(SIZE) };
        let plain = drawn(&gpu, &empty, &[], flat(SIZE));
        assert_eq!(of_engine(&gpu, &engine, &view).rgba(), plain.rgba());
    }
}

#[test]
fn the_lists_of_both_engines_show_the_contacts_that_a_world_has() {
    let Some(gpu) = gpu() else { return };
    let scene = Scene::named("impulse").unwrap();
    let world = scene.build(&Default::default()).unwrap();
    let mut engine = GpuEngine::new(&gpu, world, Settings::default(), Arithmetic::Exact).unwrap();
    engine.step(360, 1.0 / 120.0).unwrap();
    let world = engine.world().unwrap();
    let view = View { show: CONTACTS, lattice: Some(engine.lattice()), ..View::of(&world, (900, 600)) };
    let of_world = View { lattice: None, ..view };
    let by_cpu_engine = picture(&gpu, &world, &[], (900, 600), &of_world).expect("it is drawn");
    for picture in [of_engine(&gpu, &engine, &view), by_cpu_engine] {
        shows_contacts(&picture, &world, &view);
    }
    let off = of_engine(&gpu, &engine, &View { show: Show::default(), ..view });
    assert_ne!(off.rgba(), of_engine(&gpu, &engine, &view).rgba());
}

/// Fails unless a heap of seventy has a line in its picture for each contact, and none for who stands apart.
fn shows_contacts(picture: &Picture, world: &World, view: &View) {
    let place = |id: usize| view.camera.pixel_from_world(world.bodies[id].position);
    let pairs = (0..70).flat_map(|a| (0..a).map(move |b| (a, b)));
    let mut lines = 0;
    for (a, b) in pairs {
        let reach = world.bodies[a].radius + world.bodies[b].radius;
        let apart = (world.bodies[a].position - world.bodies[b].position).length();
        let middle = place(a).lerp(place(b), 0.5).as_uvec2();
        if apart < reach {
            assert!(is_line(picture, middle.x, middle.y), "balls {a} and {b} touch");
            lines += 1;
        } else if apart < 1.15 * reach && apart > 1.05 * reach {
            assert!(!is_line(picture, middle.x, middle.y), "balls {a} and {b} do not touch");
        }
    }
    assert!(lines > 60, "only {lines} contacts in a heap of seventy");
}

#[test]
fn a_segment_in_pieces_looks_like_one_in_one_piece() {
    let Some(gpu) = gpu() else { return };
    // Small balls, so that the grid's cells are small and the pieces many.
    let mut world = world(&[(116.0, 3.0, 0.5), (118.0, 3.0, 0.5)]);
    let points = [Vec2::new(12.0, 12.0), Vec2::new(60.3, 47.1), Vec2::new(104.0, 22.0)];
    world.segments = points.windows(2).map(|p| Segment { radius: 4.7, ..Segment::new(p[0], p[1]) }).collect();
    let whole = drawn(&gpu, &world, &[], flat(SIZE));
    let cut = drawn(&gpu, &world, &[], View { show: CONTACTS, ..flat(SIZE) });
    let (mut inside, mut farthest) = (0, 0f32);
    for (x, y) in (0..SIZE.0 - 9).flat_map(|x| (0..SIZE.1).map(move |y| (x, y))) {
        farthest = farthest.max((light(&whole, x, y) - light(&cut, x, y)).abs());
        inside += u32::from(light(&cut, x, y) > 82.0);
    }
    assert!(farthest < 6.0, "a seam stands out by {farthest}");
    // Both edges, 59.7 and 50.4 px long, and round ends: nothing is left out.
    let area = 9.4 * (59.7 + 50.4) + 69.4;
    assert!((f64::from(inside) - area).abs() < 0.03 * area, "{inside} pixels are inside, not {area}");
}

#[test]
fn a_thick_segment_has_no_seam_where_its_round_ends_begin() {
    let Some(gpu) = gpu() else { return };
    let mut world = world(&[(116.0, 3.0, 0.5)]);
    let (from, to, radius) = (Vec2::new(40.3, 30.2), Vec2::new(75.1, 38.4), 24.0);
    world.segments = vec![Segment { radius, ..Segment::new(from, to) }];
    let picture = drawn(&gpu, &world, &[], flat(SIZE));
    for (x, y) in (0..SIZE.0).flat_map(|x| (0..SIZE.1).map(move |y| (x, y))) {
        let place = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
        let along = ((place - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
        let away = place.distance(from.lerp(to, along));
        assert!(away > radius - 1.0 || light(&picture, x, y) > 120.0, "a hole at {place}, {away} px inside");
    }
}
