//! The panel's controls, each pressed or moved as a user would, over a real world.

use ballpit::render::{ColourMap, Show};
use ballpit::{Mode, SlowMotion, Tuning};
use egui::accesskit::Role;
use egui::{Key, Pos2, Rect, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, Node};
use winit::event::{DeviceId, ElementState, MouseButton, WindowEvent};

use super::*;
use crate::app::input::Input;
use crate::app::overlay::shield;
use crate::colours::ColourMode;
use crate::engines::Maker;
use crate::launch::Launch;

/// The panel over a world.
struct Desk {
    panel: Panel,
    sandbox: Sandbox,
    acted: Vec<Action>,
}

/// What can be pressed or moved.
const CONTROLS: [Role; 4] = [Role::Button, Role::CheckBox, Role::Slider, Role::SpinButton];

/// A window of a size with the panel in it, which does what the panel asks for.
fn desk(size: [f32; 2]) -> Harness<'static, Desk> {
    desk_of("impulse", size)
}

/// The same over a scene.
fn desk_of(scene: &str, size: [f32; 2]) -> Harness<'static, Desk> {
    let launch = Launch { scene: Some(scene.into()), ..Launch::default() };
    let sandbox = Sandbox::new(launch, Maker::cpu(), false).unwrap();
    let desk = Desk { panel: Panel::new(), sandbox, acted: Vec::new() };
    let frame = |ui: &mut Ui, desk: &mut Desk| {
        let (wishes, _) = desk.panel.show(ui.ctx(), &desk.sandbox);
        for wish in wishes {
            match wish {
                Wish::Act(action) => {
                    desk.acted.push(action);
                    desk.sandbox.act(action);
                }
                Wish::Change(change) => desk.sandbox.change(change),
            }
        }
    };
    let builder = Harness::builder().with_size(Vec2::from(size)).with_max_steps(40);
    let mut desk = builder.with_context_setup(theme::dress).build_ui_state(frame, desk);
    desk.run();
    desk
}

/// A window high enough for all groups, unfolded.
fn unfolded() -> Harness<'static, Desk> {
    let mut desk = desk([1024.0, 1200.0]);
    for group in ["Materials", "Solver"] {
        desk.get_by_label(group).click();
        desk.run();
    }
    desk
}

/// Moves the slider of that label, or of its kind the number; a slider's own number has its label, too.
fn set(desk: &mut Harness<Desk>, label: &str, value: f64) {
    let is_moved = |node: &Node| matches!(node.accesskit_node().role(), Role::Slider | Role::SpinButton);
    let moved = desk.get_all_by_label(label).find(is_moved);
    moved.unwrap_or_else(|| panic!("no control is called {label}")).set_value_accesskit(value);
    desk.run();
}

#[test]
fn every_slider_sets_what_it_says_and_nothing_else() {
    type Field = fn(&mut Tuning) -> &mut f32;
    let fields: [(&str, f32, Field); 13] = [
        ("Gravity right", 150.0, |tuning| &mut tuning.gravity.x),
        ("Gravity down", -300.0, |tuning| &mut tuning.gravity.y),
        ("Drag", 1.5, |tuning| &mut tuning.drag_per_s),
        ("Bounce", 0.75, |tuning| &mut tuning.restitution[0]),
        ("Friction", 0.25, |tuning| &mut tuning.friction[0]),
        ("Rest speed", 50.0, |tuning| &mut tuning.settings.bounce_speed_px_s),
        ("Top speed", 5_000.0, |tuning| &mut tuning.settings.most_speed_px_s),
        ("Relief", 0.5, |tuning| &mut tuning.settings.relief),
        ("Relief drag", 40.0, |tuning| &mut tuning.settings.relief_drag_per_s),
        ("Push speed", 100.0, |tuning| &mut tuning.settings.push_speed_px_s),
        ("Soft push", 0.5, |tuning| &mut tuning.settings.soft_push),
        ("Sleep after", 3.0, |tuning| &mut tuning.settings.sleep_after_s),
        ("Sleep speed", 5.0, |tuning| &mut tuning.settings.sleep_speed_px_s),
    ];
    let mut desk = unfolded();
    for (label, value, field) in fields {
        let mut expected = desk.state().sandbox.run.tuning.clone();
        assert_ne!(*field(&mut expected), value, "{label} has the value already");
        set(&mut desk, label, value.into());
        let mut tuning = desk.state().sandbox.run.tuning.clone();
        let set = *field(&mut tuning);
        assert!((set - value).abs() < 1e-3 * value.abs(), "{label} set {set}");
        *field(&mut expected) = set;
        assert_eq!(tuning, expected, "{label} set something else");
        assert_eq!(desk.state().sandbox.trouble, None);
    }
    for (label, value) in [("Rate", 60), ("Passes", 4)] {
        set(&mut desk, label, value.into());
    }
    let settings = &desk.state().sandbox.run.tuning.settings;
    assert_eq!((settings.rate_hz, settings.passes), (60, 4));
}

#[test]
fn the_scenes_own_tuning_comes_back_at_a_press() {
    let mut desk = unfolded();
    for switch in ["sleep", "turn"] {
        desk.get_by_role_and_label(Role::CheckBox, switch).click();
        desk.run();
    }
    let tuned = &desk.state().sandbox.run.tuning.settings;
    assert!(tuned.sleeps() && tuned.rotation);
    desk.get_by_label("Back to the scene's").click();
    desk.run();
    let run = &desk.state().sandbox.run;
    assert_eq!(run.tuning, run.as_built);
    assert!(!run.tuning.settings.sleeps() && !run.tuning.settings.rotation);
}

/// Types a number into a field.
fn enter(desk: &mut Harness<Desk>, label: &str, text: &str) {
    desk.get_by_label(label).click();
    desk.run();
    desk.get_by_label(label).type_text(text);
    desk.run();
    desk.key_press(Key::Enter);
    desk.run();
}

#[test]
fn what_is_refused_moves_nothing_under_the_pointer() {
    let mut desk = desk_of("cradle", [1024.0, 690.0]);
    let before = desk.get_by_label("Restart").rect();
    enter(&mut desk, "Balls", "20000");
    assert!(desk.state_mut().sandbox.trouble.take().is_some_and(|trouble| trouble.contains("balls")));
    assert_eq!(desk.get_by_label("Restart").rect(), before);
}

#[test]
fn the_list_of_scenes_shows_them_all() {
    for size in [[1024.0, 690.0], [1280.0, 800.0]] {
        for name in ["pile", "court", "siege", "swarm"] {
            let mut desk = desk(size);
            desk.get_by_label("Scene").click();
            desk.run();
            // A tool has the same name as a scene, and comes later.
            desk.get_all_by_role_and_label(Role::Button, name).next().unwrap().click();
            desk.run();
            assert_eq!(
                desk.state().sandbox.scene_name(),
                std::path::Path::new(name),
                "in a window of {size:?} {:?}",
                desk.state().sandbox.trouble
            );
        }
    }
}

#[test]
fn what_the_solver_has_nothing_of_can_not_be_chosen() {
    let none = ["load", "cells", "grid", "contacts"];
    for (scene, is_refused) in [("court", true), ("impulse", false)] {
        let mut desk = desk_of(scene, [1024.0, 690.0]);
        for label in none.into_iter().chain(["speed", "velocities"]) {
            let shown = desk.get_by_role_and_label(Role::Button, label);
            assert_eq!(shown.accesskit_node().is_disabled(), is_refused && none.contains(&label), "{label} of {scene}");
            shown.click();
            desk.run();
        }
        let look = desk.state().sandbox.eye.look;
        assert_eq!((look.colour, look.show.grid), (ColourMode::Speed, !is_refused));
    }
}

#[test]
fn every_control_stays_within_the_panel_beside_its_scroll_bar() {
    let mut desk = unfolded();
    desk.set_size(Vec2::new(1024.0, 690.0));
    set(&mut desk, "Top speed", 1e6);
    set(&mut desk, "Gravity down", -2_000.0);
    let names = desk.get_all_by_role_and_label(Role::Label, "Gravity right");
    let left = names.map(|name| name.rect().left()).next().unwrap();
    eprintln!(
        "LABEL {:?}",
        desk.get_all_by_role_and_label(Role::Label, "Gravity right").map(|n| n.rect()).collect::<Vec<_>>()
    );
    eprintln!(
        "LABEL {:?}",
        desk.get_all_by_role_and_label(Role::Label, "Gravity down").map(|n| n.rect()).collect::<Vec<_>>()
    );
    let right = left + WIDTH - BAR;
    for node in desk.get_all_by(|node| CONTROLS.contains(&node.role())) {
        let label = node.accesskit_node().label();
        assert!(node.rect().right() <= right, "{label:?} ends at {}, the panel at {right}", node.rect().right());
    }
}

#[test]
fn balls_and_seed_are_typed_and_build_the_world_anew() {
    let mut desk = desk([1024.0, 690.0]);
    for (label, text) in [("Balls", "30"), ("Seed", "77")] {
        enter(&mut desk, label, text);
    }
    let run = &desk.state().sandbox.run;
    assert_eq!((run.balls, run.seed), (30, 77));
}

#[test]
fn a_world_without_balls_shows_none_and_keeps_none() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("empty.toml");
    std::fs::write(&scene, "version = 1\ntitle = \"Empty\"\n[world]\nmin = [0, 0]\nmax = [100, 100]\n").unwrap();
    let mut desk = desk_of(scene.to_str().unwrap(), [1024.0, 690.0]);
    let balls = desk.get_by_role_and_label(Role::SpinButton, "Balls");
    assert_eq!(balls.accesskit_node().numeric_value(), Some(0.0));
    balls.focus();
    desk.run();
    desk.get_by_role_and_label(Role::SpinButton, "Seed").focus();
    desk.run();
    assert_eq!(desk.state().sandbox.balls(), 0);
}

#[test]
fn every_button_asks_for_what_it_says() {
    let buttons = [
        ("Restart", Action::Restart),
        ("New seed", Action::NewSeed),
        ("One step", Action::StepOnce),
        ("Go on", Action::Pause),
        ("Pause", Action::Pause),
        ("Lag spike", Action::LagSpike),
        ("interpolate", Action::ToggleInterpolation),
        ("variable", Action::ToggleMode),
        ("<", Action::PreviousScene),
        (">", Action::NextScene),
        ("Fit", Action::Fit),
        ("Plots", Action::Plots),
        ("Picture", Action::Screenshot),
        ("Film", Action::Film),
        ("Full screen", Action::Fullscreen),
        ("Keys", Action::Help),
    ];
    let mut desk = desk([1024.0, 690.0]);
    for (label, action) in buttons {
        desk.get_by_label(label).click();
        desk.run();
        assert_eq!(desk.state_mut().acted.pop(), Some(action), "{label}");
    }
    assert_eq!(desk.state().sandbox.clock.mode(), Mode::Variable);
    desk.get_by_label("1/4").click();
    desk.run();
    assert_eq!(desk.state().sandbox.clock.slow_motion(), SlowMotion::Quarter);
}

#[test]
fn colours_ramps_and_layers_are_chosen() {
    let mut desk = desk([1024.0, 690.0]);
    for mode in ColourMode::ALL {
        // The switch of sleep has the same name as its colour.
        desk.get_by_role_and_label(Role::Button, mode.name()).click();
        desk.run();
        assert_eq!(desk.state().sandbox.eye.look.colour, mode);
    }
    for mark in ["grid", "contacts", "velocities", "normals"] {
        desk.get_by_label(mark).click();
        desk.run();
    }
    let all = Show { grid: true, contacts: true, velocities: true, normals: true };
    assert_eq!(desk.state().sandbox.eye.look.show, all);
    desk.get_by_label("Ramp").click();
    desk.run();
    desk.get_by_label("cividis").click();
    desk.run();
    assert_eq!(desk.state().sandbox.eye.look.map, ColourMap::Cividis);
}

#[test]
fn the_panel_fits_into_new_windows_of_both_sizes() {
    for size in [[1024.0, 690.0], [1280.0, 800.0]] {
        let whole = Rect::from_min_size(Pos2::ZERO, Vec2::from(size)).shrink(GAP + 0.5 * MARGIN);
        let keys = desk(size).get_by_label("Keys").rect();
        assert!(whole.contains_rect(keys), "the last row is out of sight in {size:?}: {keys:?}");
    }
}

#[test]
fn a_press_on_the_panel_never_reaches_the_world() {
    let desk = desk([1024.0, 690.0]);
    let keys = desk.get_by_label("Keys").rect();
    let press = |point| {
        let event = WindowEvent::MouseInput {
            device_id: DeviceId::dummy(),
            state: ElementState::Pressed,
            button: MouseButton::Left,
        };
        Input::default().deed(&event, shield(&desk.ctx, point))
    };
    let mut pressed = 0;
    for node in desk.get_all_by(|node| CONTROLS.contains(&node.role())) {
        let centre = node.rect().center();
        assert_eq!(press(centre), None, "a press at {centre} went through");
        pressed += 1;
    }
    assert!(pressed > 40, "only {pressed} controls");
    // Between the controls, too, but not beside the panel.
    assert_eq!(press(Pos2::new(keys.left() - 8.0, keys.top() - 10.0)), None);
    assert!(press(Pos2::new(200.0, 300.0)).is_some());
}
