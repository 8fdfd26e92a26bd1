use super::*;

const SPOUT: Spout = Spout { radii_px: [4.0, 8.0], material: 0, gravity: Vec2::new(0.0, 900.0), surfaces: &[] };

fn scenery(ids: u32, segments: &[Segment]) -> Scenery<'_> {
    Scenery { ids, segments, spout: &SPOUT, cannon: None, zoom: 1.0, most_px_s: 1e6 }
}

fn tools(tool: Tool) -> Tools {
    Tools { tool, ..Tools::new(1_000.0, 8.0, 1) }
}

#[test]
fn a_wall_grows_along_the_way_and_is_undone_whole() {
    let mut tools = tools(Tool::Wall);
    let mut walls = Vec::new();
    tools.press(Vec2::ZERO, &scenery(0, &walls));
    for x in [2.0, 10.0, 12.0, 30.0] {
        for edit in tools.drag(Vec2::new(x, 0.0), &scenery(0, &walls)) {
            let Edit::Segments(segments) = edit else { panic!("{edit:?}") };
            walls = segments;
        }
    }
    assert_eq!(walls.iter().map(|wall| (wall.from.x, wall.to.x)).collect::<Vec<_>>(), [(0.0, 10.0), (10.0, 30.0)]);
    assert_eq!(tools.undo(), [], "a stroke is under way");
    tools.release(&scenery(0, &walls));
    assert_eq!(tools.undo(), [Edit::Segments(Vec::new())]);
    assert_eq!(tools.redo(), [Edit::Segments(walls)]);
}

#[test]
fn each_erasure_has_a_stamp_of_its_own_and_takes_the_walls_that_it_touches() {
    let walls = [Segment::new(Vec2::ZERO, Vec2::X), Segment::new(Vec2::splat(400.0), Vec2::splat(500.0))];
    let mut tools = tools(Tool::Erase);
    for stamp in 1..3 {
        let edits = tools.press(Vec2::ZERO, &scenery(5, &walls));
        let erase = Edit::Erase { place: Vec2::ZERO, radius: 50.0, stamp };
        assert_eq!(edits, [erase, Edit::Segments(vec![walls[1]])]);
        assert_eq!(tools.work(Vec2::ZERO, 0.0, &scenery(5, &walls)), [], "nothing has moved");
        tools.release(&scenery(5, &walls[1..]));
    }
    assert_eq!(tools.undo(), [Edit::RestoreStamped(2), Edit::Segments(walls.to_vec())]);
}

#[test]
fn an_eraser_misses_nothing_on_its_way_however_fast_it_is_moved() {
    let mut tools = tools(Tool::Erase);
    let wall = [Segment::new(Vec2::new(300.0, -100.0), Vec2::new(300.0, 100.0))];
    tools.press(Vec2::ZERO, &scenery(5, &wall));
    assert_eq!(tools.drag(Vec2::new(10.0, 0.0), &scenery(5, &wall)), [], "within the ring");
    let places = |edits: &[Edit]| -> Vec<f32> {
        let place = |edit: &Edit| if let Edit::Erase { place, .. } = edit { Some(place.x) } else { None };
        edits.iter().filter_map(place).collect()
    };
    let edits = tools.drag(Vec2::new(600.0, 0.0), &scenery(5, &wall));
    let steps: Vec<f32> = [0.0].into_iter().chain(places(&edits)).collect();
    assert!(steps.windows(2).all(|pair| pair[1] - pair[0] <= 50.0) && steps.last() == Some(&600.0), "{steps:?}");
    assert_eq!(edits.last(), Some(&Edit::Segments(Vec::new())), "the wall was on its way");
    assert_eq!(places(&tools.work(Vec2::new(620.0, 0.0), 0.0, &scenery(5, &[]))), [620.0]);
    // From one end of a vast world to the other, it stays at a bounded number of edits.
    assert_eq!(tools.drag(Vec2::new(1e6, 0.0), &scenery(5, &[])).len(), 32);
}

#[test]
fn pushes_go_by_the_time_and_are_not_undone() {
    for (tool, speed_px_s) in [(Tool::Attract, 400.0), (Tool::Repel, 2_000.0)] {
        let mut tools = tools(tool);
        assert_eq!(tools.work(Vec2::ONE, 0.1, &scenery(0, &[])), [], "the button is up");
        tools.press(Vec2::ONE, &scenery(0, &[]));
        assert_eq!(tools.work(Vec2::ONE, 0.0, &scenery(0, &[])), [], "time stands still");
        let brush = Brush { place: Vec2::ONE, radius: 50.0, speed_px_s };
        let push = if tool == Tool::Attract { Edit::Attract(brush) } else { Edit::Repel(brush) };
        assert_eq!(tools.work(Vec2::ONE, 0.1, &scenery(0, &[])), [push]);
        tools.release(&scenery(0, &[]));
        assert_eq!(tools.undo(), []);
    }
    let mut tools = tools(Tool::Explode);
    assert!(matches!(tools.press(Vec2::ONE, &scenery(0, &[]))[..], [Edit::Repel(_)]));
    assert_eq!(tools.work(Vec2::ONE, 0.1, &scenery(0, &[])), [], "once a click");
    let slow = Scenery { most_px_s: 70.0, ..scenery(0, &[]) };
    for tool in [Tool::Explode, Tool::Repel] {
        tools.tool = tool;
        let edits = [tools.press(Vec2::ONE, &slow), tools.work(Vec2::ONE, 0.1, &slow)].concat();
        assert!(matches!(edits[..], [Edit::Repel(brush)] if brush.speed_px_s == 70.0), "no faster than any ball gets");
    }
}

#[test]
fn a_peg_is_as_large_as_the_ring_and_what_was_poured_is_undone_by_its_ids() {
    let mut tools = tools(Tool::Peg);
    let [Edit::Add(pegs)] = &tools.press(Vec2::ONE, &scenery(9, &[]))[..] else { panic!("no peg") };
    assert_eq!(pegs[..], [Body::peg(Vec2::ONE, 50.0)]);
    tools.release(&scenery(10, &[]));
    assert_eq!(tools.undo(), [Edit::EraseIds(9..10)]);
    tools.tool = Tool::Pour;
    tools.press(Vec2::ONE, &scenery(10, &[]));
    let [Edit::Add(balls)] = &tools.work(Vec2::ONE, 0.1, &scenery(10, &[]))[..] else { panic!("no ball") };
    let ids = 10..10 + balls.len() as u32;
    tools.release(&scenery(ids.end, &[]));
    assert_eq!(tools.undo(), [Edit::EraseIds(ids)]);
}

#[test]
fn the_ring_stays_within_its_bounds() {
    let mut tools = tools(Tool::Pour);
    for (wanted, got) in [(1e9, 500.0), (0.0, 2.0), (60.0, 60.0), (f32::NAN, 60.0)] {
        tools.set_radius(wanted);
        assert_eq!(tools.radius_px(), got);
    }
    assert_eq!(tools.renewed(1_000.0, 8.0, 2).radius_px(), 60.0);
    let new = |largest| Tools::new(1_000.0, largest, 1).radius_px();
    assert_eq!([new(8.0), new(20.0), new(500.0)], [50.0, 60.0, 150.0], "three large balls, but not half of the world");
    assert_eq!(tools.renewed(500.0, 8.0, 2).radius_px(), 25.0, "another world has a ring of its own");
    assert_eq!(tools.renewed(1e9, 8.0, 2).bounds_px(), [1e6; 2], "no edit takes a larger one");
}
