use super::*;
use crate::app::tools::Tool;
use crate::colours::ColourMode;
use crate::look::Mark;

fn sandbox() -> Sandbox {
    let launch = Launch { scene: Some("impulse".into()), ..Launch::default() };
    let mut sandbox = Sandbox::new(launch, Maker::cpu(), false).unwrap();
    sandbox.eye.resize(Vec2::new(1000.0, 700.0));
    sandbox
}

fn frames(sandbox: &mut Sandbox, count: u32) {
    for _ in 0..count {
        sandbox.frame(Duration::from_millis(10), None).unwrap();
    }
}

fn places(sandbox: &mut Sandbox) -> Vec<Vec2> {
    sandbox.engine().world().unwrap().bodies.iter().map(|body| body.position).collect()
}

/// A scene of one ball of radius 50 in the middle of a box of 400 × 300 without gravity.
fn lone_ball(folder: &tempfile::TempDir) -> Sandbox {
    let path = folder.path().join("lone.toml");
    let text = "version = 1\ntitle = \"Lone\"\nseed = 1\n[world]\nmin = [0, 0]\nmax = [400, 300]\ngravity = [0, 0]\n\
                [[spawn]]\nkind = \"single\"\nradius = 50\nposition = [200, 150]\n";
    std::fs::write(&path, text).unwrap();
    let launch = Launch { scene: Some(path.clone()), ..Launch::default() };
    let mut sandbox = Sandbox::new(launch, Maker::cpu(), false).unwrap();
    sandbox.eye.resize(Vec2::new(800.0, 600.0));
    sandbox
}

#[test]
fn frames_make_the_clocks_steps() {
    let mut sandbox = sandbox();
    frames(&mut sandbox, 100);
    assert_eq!(sandbox.run.engine.get().steps(), 120);
    assert_eq!((sandbox.tally.frames, sandbox.tally.steps), (100, 120));
    assert!(sandbox.gauges.fastest_px_s > 0.0);
}

#[test]
fn a_drag_moves_the_ball_under_it_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut sandbox = lone_ball(&folder);
    let drag = |sandbox: &mut Sandbox, from: Vec2| {
        sandbox.press(from);
        sandbox.drag(from + Vec2::new(100.0, 0.0));
        frames(sandbox, 60);
        sandbox.release();
        places(sandbox)[0]
    };
    assert_eq!(drag(&mut sandbox, Vec2::new(100.0, 300.0)), Vec2::new(200.0, 150.0), "nothing lies there");
    let moved = drag(&mut sandbox, Vec2::new(380.0, 300.0));
    assert!(moved.x > 220.0 && (moved.y - 150.0).abs() < 1.0, "{moved}");
}

#[test]
fn the_pointers_place_is_the_worlds_also_after_a_zoom() {
    let folder = tempfile::tempdir().unwrap();
    let mut sandbox = lone_ball(&folder);
    sandbox.eye.zoom_at(Vec2::ZERO, 0.5);
    // The ball's middle is now at a quarter of the window.
    sandbox.press(Vec2::new(200.0, 150.0));
    sandbox.drag(Vec2::new(240.0, 150.0));
    frames(&mut sandbox, 100);
    assert!(places(&mut sandbox)[0].x > 205.0);
}

#[test]
fn restart_gives_the_same_world_and_a_new_pile_another() {
    let mut sandbox = sandbox();
    let before = places(&mut sandbox);
    frames(&mut sandbox, 30);
    assert_ne!(places(&mut sandbox), before);
    sandbox.act(Action::Restart);
    assert_eq!(places(&mut sandbox), before);
    sandbox.act(Action::NewSeed);
    assert_ne!(places(&mut sandbox), before);
    let seed = sandbox.run.seed;
    sandbox.act(Action::Restart);
    assert_eq!(sandbox.run.seed, seed);
}

#[test]
fn a_restart_in_a_frame_without_a_step_draws_no_ball_on_its_way_from_the_old_place() {
    let mut sandbox = sandbox();
    sandbox.frame(Duration::from_millis(7), None).unwrap();
    frames(&mut sandbox, 50);
    sandbox.act(Action::Restart);
    assert_eq!(sandbox.alpha(), 0.0, "time saved up from before");
    // Less than a step.
    sandbox.frame(Duration::from_millis(5), None).unwrap();
    assert!(sandbox.alpha() > 0.0 && sandbox.run.engine.get().steps() == 0);
    let AnyEngine::Cpu(engine) = &sandbox.run.engine else { panic!("it runs on the CPU") };
    let pairs = engine.homes().iter().zip(engine.bodies());
    assert!(pairs.clone().count() == 70 && pairs.clone().all(|(home, body)| (home.x, home.y) == (body.x, body.y)));
}

#[test]
fn tuning_survives_a_restart_and_not_another_scene() {
    let mut sandbox = sandbox();
    sandbox.act(Action::ToggleRate);
    sandbox.act(Action::ToggleAir);
    sandbox.act(Action::Bouncier);
    sandbox.act(Action::NewSeed);
    assert_eq!(sandbox.clock.rate_hz(), 30);
    assert_eq!((sandbox.run.tuning.drag_per_s, sandbox.run.tuning.restitution[0]), (3.0, 0.4));
    sandbox.change(Change::Scene("impulse".into()));
    assert_eq!((sandbox.clock.rate_hz(), sandbox.run.tuning.restitution[0]), (120, 0.35));
}

#[test]
fn what_cannot_be_built_says_why_and_the_world_goes_on() {
    let mut sandbox = sandbox();
    frames(&mut sandbox, 10);
    let steps = sandbox.run.engine.get().steps();
    for change in [Change::Scene("no-such-scene".into()), Change::Balls(1_000_000)] {
        sandbox.change(change);
        assert!(sandbox.trouble.take().is_some());
        assert_eq!((sandbox.scene_name(), sandbox.run.engine.get().steps()), (Path::new("impulse"), steps));
    }
    let mut bad = sandbox.run.tuning.clone();
    bad.gravity.y = f32::NAN;
    sandbox.change(Change::Tuning(Box::new(bad)));
    assert!(sandbox.trouble.as_ref().is_some_and(|trouble| trouble.contains("gravity y")));
    assert_eq!(sandbox.run.tuning.gravity.y, 900.0);
}

#[test]
fn interpolation_off_or_variable_steps_draw_whole_steps() {
    let mut sandbox = sandbox();
    frames(&mut sandbox, 1);
    assert!(sandbox.alpha() < 1.0);
    sandbox.act(Action::ToggleInterpolation);
    assert_eq!(sandbox.alpha(), 1.0);
    sandbox.act(Action::ToggleInterpolation);
    sandbox.act(Action::ToggleMode);
    frames(&mut sandbox, 1);
    assert_eq!(sandbox.alpha(), 1.0);
}

#[test]
fn a_pause_stops_the_world_and_single_steps_go_on() {
    let mut sandbox = sandbox();
    sandbox.act(Action::Pause);
    frames(&mut sandbox, 10);
    assert_eq!(sandbox.run.engine.get().steps(), 0);
    sandbox.act(Action::StepOnce);
    frames(&mut sandbox, 10);
    assert_eq!(sandbox.run.engine.get().steps(), 1);
}

#[test]
fn a_films_pictures_are_even_whatever_the_frames_are() {
    let mut sandbox = sandbox();
    sandbox.pace = Some(Pace::default());
    let mut steps = |millis, count: u32| {
        let before = sandbox.run.engine.get().steps();
        for _ in 0..count {
            sandbox.frame(Duration::from_millis(millis), None).unwrap();
        }
        sandbox.run.engine.get().steps() - before
    };
    assert_eq!(steps(40, 10), 20, "two steps of 1/120 s for each picture, and no time made up for");
    assert!((20..=26).contains(&steps(5, 40)), "twelve or thirteen pictures in a fifth of a second");
}

#[test]
fn another_scene_begins_with_an_empty_readout() {
    let mut sandbox = sandbox();
    sandbox.act(Action::Plots);
    frames(&mut sandbox, 100);
    assert!(sandbox.tally.steps > 0 && sandbox.gauges.fastest_px_s > 0.0);
    assert!(sandbox.times.as_ref().is_some_and(|times| times.steps.typical().is_some()));
    sandbox.act(Action::NextScene);
    assert_eq!((&sandbox.tally, &sandbox.gauges), (&Tally::default(), &Readout::default()));
    assert_eq!(sandbox.times, Some(Times::default()), "the plots stay, without the times of the world before");
}

#[test]
fn scenes_turn_round() {
    let mut sandbox = sandbox();
    let count = Scene::names().count();
    for _ in 0..count {
        sandbox.act(Action::NextScene);
        assert_eq!(sandbox.trouble, None);
    }
    assert_eq!(sandbox.scene_name(), Path::new("impulse"));
    sandbox.act(Action::NextScene);
    sandbox.act(Action::PreviousScene);
    assert_eq!(sandbox.scene_name(), Path::new("impulse"));
}

#[test]
fn bounciness_stays_within_its_range() {
    let mut sandbox = sandbox();
    (0..50).for_each(|_| sandbox.act(Action::Bouncier));
    assert_eq!(sandbox.run.tuning.restitution[0], 1.0);
    (0..50).for_each(|_| sandbox.act(Action::Duller));
    assert_eq!(sandbox.run.tuning.restitution[0], 0.0);
}

#[test]
fn what_is_poured_counts_and_is_undone_and_done_again() {
    let mut sandbox = sandbox();
    sandbox.act(Action::Take(Tool::Pour));
    sandbox.press(sandbox.eye.camera.pixel_from_world(Vec2::new(500.0, 120.0)));
    frames(&mut sandbox, 60);
    sandbox.release();
    let poured = sandbox.balls();
    assert!(poured > 75 && places(&mut sandbox).len() == poured, "{poured}");
    let erased = |sandbox: &mut Sandbox| sandbox.engine().world().unwrap().bodies.iter().filter(|b| b.erased).count();
    sandbox.act(Action::Undo);
    assert_eq!(erased(&mut sandbox), poured - 70);
    frames(&mut sandbox, 60);
    assert_eq!(sandbox.balls(), 70);
    sandbox.act(Action::Redo);
    assert_eq!(erased(&mut sandbox), 0);
    sandbox.act(Action::Restart);
    assert_eq!((sandbox.balls(), sandbox.tools.tool), (70, Tool::Pour));
    sandbox.act(Action::Undo);
    assert_eq!(places(&mut sandbox).len(), 70, "the old run's strokes are gone");
}

#[test]
fn a_drawn_wall_is_there_and_the_eraser_takes_it() {
    let mut sandbox = sandbox();
    let pixel = |sandbox: &Sandbox, x: f32| sandbox.eye.camera.pixel_from_world(Vec2::new(x, 300.0));
    sandbox.act(Action::Take(Tool::Wall));
    sandbox.press(pixel(&sandbox, 200.0));
    for x in [300.0, 400.0, 500.0] {
        sandbox.drag(pixel(&sandbox, x));
    }
    sandbox.release();
    assert_eq!(sandbox.engine().world().unwrap().segments.len(), 3);
    sandbox.act(Action::Take(Tool::Erase));
    sandbox.tools.set_radius(30.0);
    sandbox.press(pixel(&sandbox, 450.0));
    frames(&mut sandbox, 1);
    sandbox.release();
    assert_eq!(sandbox.engine().world().unwrap().segments.len(), 2);
    sandbox.act(Action::Undo);
    assert_eq!(sandbox.engine().world().unwrap().segments.len(), 3);
    assert_eq!(sandbox.trouble, None);
}

#[test]
fn a_click_in_siege_fires_what_was_chosen_and_undo_takes_it_back() {
    let launch = Launch { scene: Some("siege".into()), ..Launch::default() };
    let mut siege = Sandbox::new(launch, Maker::cpu(), false).unwrap();
    siege.eye.resize(Vec2::new(1000.0, 700.0));
    assert_eq!((siege.tools.tool, siege.eye.look.colour, siege.shots()), (Tool::Fire, ColourMode::Mass, 3));
    for (shot, times) in [(2, 100.0), (0, 1.0)] {
        siege.act(Action::Load(shot));
        siege.press(Vec2::new(900.0, 300.0));
        siege.release();
        let world = siege.engine().world().unwrap();
        let fired = world.bodies.last().unwrap();
        assert!((fired.mass() / (times * 14.0 * 14.0) - 1.0).abs() < 1e-5, "{fired:?}");
        assert!(fired.velocity.x > 1_000.0 && fired.velocity.y < 0.0, "{fired:?}");
    }
    assert_eq!(siege.balls(), 30);
    siege.act(Action::Undo);
    assert_eq!(siege.engine().world().unwrap().bodies.iter().filter(|body| !body.erased).count(), 29);
    siege.change(Change::Scene("impulse".into()));
    assert_eq!(siege.tools.tool, Tool::Grab);
    siege.act(Action::Take(Tool::Fire));
    assert!(siege.trouble.as_deref().is_some_and(|trouble| trouble.contains("no cannon")), "{:?}", siege.trouble);
}

#[test]
fn the_ground_of_bouncy_tilts_as_it_is_sent_and_f_changes_the_friction() {
    let launch = Launch { scene: Some("bouncy".into()), ..Launch::default() };
    let mut bouncy = Sandbox::new(launch, Maker::cpu(), false).unwrap();
    let angle = |bouncy: &Sandbox| {
        let tilts = bouncy.run.engine.get().surfaces().iter().filter_map(|surface| surface.tilt);
        tilts.map(|tilt| tilt.angle_rad.to_degrees()).next().unwrap()
    };
    assert_eq!(bouncy.steered(), Steered::Slopes);
    bouncy.steer(Vec2::X);
    frames(&mut bouncy, 50);
    assert!((angle(&bouncy) - 10.0).abs() < 0.2, "{} degrees after half a second", angle(&bouncy));
    frames(&mut bouncy, 200);
    assert!((angle(&bouncy) - 25.0).abs() < 1e-3, "{} degrees", angle(&bouncy));
    bouncy.steer(Vec2::ZERO);
    let frictions: Vec<f32> = (0..3)
        .map(|_| {
            bouncy.act(Action::NextFriction);
            bouncy.run.tuning.friction[0]
        })
        .collect();
    assert_eq!(frictions, [0.6, 0.0, 0.3]);
    assert!((angle(&bouncy) - 25.0).abs() < 1e-3, "a new tuning has moved the ground");
}

#[test]
fn letting_go_stops_who_is_steered_though_a_ball_is_held() {
    let mut sandbox =
        Sandbox::new(Launch { scene: Some("swarm".into()), ..Launch::default() }, Maker::cpu(), false).unwrap();
    sandbox.press(Vec2::ZERO);
    sandbox.steer(Vec2::X);
    assert_eq!(sandbox.run.direction, Vec2::X);
    sandbox.let_go();
    assert_eq!((sandbox.run.direction, sandbox.grip, sandbox.trouble), (Vec2::ZERO, None, None));
}

#[test]
fn only_another_scene_puts_its_cannon_in_hand() {
    let mut sandbox = sandbox();
    sandbox.change(Change::Scene("siege".into()));
    assert_eq!((sandbox.tools.tool, sandbox.eye.look.colour), (Tool::Fire, ColourMode::Mass));
    sandbox.act(Action::Load(2));
    sandbox.act(Action::Colour(ColourMode::Id));
    let folder = tempfile::tempdir().unwrap();
    for tool in [Tool::Fire, Tool::Erase] {
        sandbox.act(Action::Take(tool));
        sandbox.act(Action::Restart);
        sandbox.toggle_recording(folder.path());
        sandbox.end_recording();
        assert_eq!((sandbox.tools.tool, sandbox.tools.shot, sandbox.eye.look.colour), (tool, 2, ColourMode::Id));
    }
    sandbox.act(Action::Take(Tool::Fire));
    sandbox.change(Change::Scene("impulse".into()));
    assert_eq!(sandbox.tools.tool, Tool::Grab);
}

#[test]
fn the_wheel_sizes_the_ring_of_a_tool_that_has_one_and_zooms_with_any_other() {
    let mut sandbox = sandbox();
    let (zoom, radius) = (sandbox.eye.camera.zoom, sandbox.tools.radius_px());
    sandbox.act(Action::Take(Tool::Repel));
    sandbox.wheel(Vec2::ZERO, 2.0);
    assert_eq!((sandbox.eye.camera.zoom, sandbox.tools.radius_px()), (zoom, 2.0 * radius));
    for (tool, zoomed) in [(Tool::Grab, 2.0), (Tool::Wall, 4.0)] {
        sandbox.act(Action::Take(tool));
        sandbox.wheel(Vec2::ZERO, 2.0);
        assert_eq!((sandbox.eye.camera.zoom, sandbox.tools.radius_px()), (zoomed * zoom, 2.0 * radius), "{tool:?}");
    }
}

#[test]
fn colours_that_mean_nothing_here_are_refused_skipped_and_left() {
    let mut sandbox = sandbox();
    sandbox.act(Action::Colour(ColourMode::Load));
    assert_eq!((sandbox.eye.look.colour, sandbox.trouble.take()), (ColourMode::Load, None));
    sandbox.change(Change::Scene("court".into()));
    assert!(sandbox.news.take().is_some_and(|news| news.contains("load") && news.contains("no forces")));
    assert_eq!(sandbox.eye.look.colour, ColourMode::Palette);
    for action in [Action::Colour(ColourMode::Load), Action::Colour(ColourMode::Cells), Action::Show(Mark::Grid)] {
        let before = sandbox.eye.look;
        sandbox.act(action);
        assert_eq!(sandbox.eye.look, before);
        assert!(sandbox.trouble.take().is_some_and(|trouble| trouble.contains("sequential solver")), "{action:?}");
    }
    let seen: Vec<ColourMode> = (0..6)
        .map(|_| {
            sandbox.act(Action::NextColour);
            sandbox.eye.look.colour
        })
        .collect();
    let others = ColourMode::ALL.into_iter().filter(|mode| !matches!(mode, ColourMode::Load | ColourMode::Cells));
    assert_eq!(seen, others.cycle().skip(1).take(6).collect::<Vec<_>>());
    assert_eq!(sandbox.trouble, None);
}

#[test]
fn what_a_solver_does_not_keep_is_no_longer_drawn_and_said() {
    let mut sandbox = sandbox();
    for mark in [Mark::Grid, Mark::Contacts, Mark::Normals] {
        sandbox.act(Action::Show(mark));
    }
    sandbox.change(Change::Scene("court".into()));
    assert_eq!(sandbox.eye.look.show, Mark::shown(&[Mark::Normals]));
    let news = sandbox.news.take().unwrap_or_default();
    assert!(news.starts_with("no grid, no contacts to draw: the sequential solver"), "{news}");
    sandbox.change(Change::Scene("court-heavy".into()));
    assert_eq!(sandbox.news.take(), None, "said once");
}

#[test]
fn tips_name_no_key_that_the_world_has_taken() {
    let tip = |scene: &str, action| {
        let launch = Launch { scene: Some(scene.into()), balls: None, ..Launch::default() };
        Sandbox::new(launch, Maker::cpu(), false).unwrap().tip("tip", action)
    };
    assert_eq!(tip("impulse", Action::Colour(ColourMode::Speed)), "tip (2)");
    assert_eq!(tip("siege", Action::Colour(ColourMode::Speed)), "tip", "the cannon has the digit");
    assert_eq!(tip("siege", Action::Colour(ColourMode::Material)), "tip (4)");
    assert_eq!(tip("swarm", Action::Take(Tool::Pour)), "tip", "the actors have the letter");
}

#[test]
fn a_tool_that_takes_time_says_so_while_time_stands_still() {
    let mut sandbox = sandbox();
    sandbox.act(Action::Take(Tool::Pour));
    for is_paused in [false, true] {
        sandbox.clock.pause(is_paused);
        sandbox.press(Vec2::new(500.0, 120.0));
        frames(&mut sandbox, 1);
        sandbox.release();
        assert_eq!(sandbox.news.take().is_some_and(|news| news.contains("[P]")), is_paused);
    }
    sandbox.act(Action::Take(Tool::Peg));
    sandbox.press(Vec2::new(500.0, 120.0));
    assert_eq!(sandbox.news, None, "a peg is set at once");
}

#[test]
fn pushes_in_a_settled_pile_are_seen_and_leave_it_whole() {
    let mut sandbox = sandbox();
    frames(&mut sandbox, 500);
    let bounds = (sandbox.run.room.min, sandbox.run.room.max);
    for tool in [Tool::Explode, Tool::Repel] {
        let before = places(&mut sandbox);
        sandbox.act(Action::Take(tool));
        sandbox.press(sandbox.eye.camera.pixel_from_world(Vec2::new(500.0, 560.0)));
        frames(&mut sandbox, 30);
        sandbox.release();
        let now = places(&mut sandbox);
        let moved = now.iter().zip(&before).filter(|(now, before)| now.distance(**before) > 25.0).count();
        assert!(moved >= 10, "{tool:?} moved {moved} balls");
        assert!(now.iter().all(|place| place.cmpgt(bounds.0).all() && place.cmplt(bounds.1).all()), "{tool:?}");
        frames(&mut sandbox, 500);
        let gauges = sandbox.run.engine.get_mut().readout();
        assert!(gauges.fastest_px_s < 100.0 && gauges.overlap_ratio < 0.1, "{tool:?} left {gauges:?}");
    }
}

#[test]
fn a_replay_is_called_after_the_scene_that_was_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lone.recording");
    let mut recorded = lone_ball(&folder);
    recorded.record_from_start(&path).unwrap();
    frames(&mut recorded, 20);
    recorded.end_recording();
    let mut sandbox = sandbox();
    assert_eq!(sandbox.shown_name(), Path::new("impulse"));
    sandbox.play(&path);
    frames(&mut sandbox, 10);
    assert_eq!((sandbox.shown_name(), sandbox.scene_name()), (Path::new("Lone"), Path::new("impulse")));
    sandbox.act(Action::NextScene);
    assert_eq!(sandbox.shown_name(), sandbox.scene_name());
}
