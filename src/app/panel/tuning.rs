//! What may change while a world runs: its forces, its materials, and how steps are made.

use std::ops::RangeInclusive;

use ballpit::{Surface, Tuning};
use egui::{DragValue, RichText, Slider, SliderClamping, Ui};

use super::Wish;
use super::rows::{labelled, row};
use crate::app::keys::{Action, key_of, with_key};
use crate::app::sandbox::{Change, Sandbox};
use crate::app::theme;

/// What acts on all balls.
pub(super) fn world(ui: &mut Ui, sandbox: &Sandbox, tuning: &mut Tuning) {
    let Tuning { gravity, drag_per_s, settings, .. } = tuning;
    let pull =
        |value| Slider::new(value, -2000.0..=2000.0).step_by(10.0).clamping(SliderClamping::Never).suffix(" px/s²");
    row(ui, "Gravity right", "px/s², to the right; negative to the left", pull(&mut gravity.x));
    row(ui, "Gravity down", "px/s², downward; negative upward. 0 leaves a gas", pull(&mut gravity.y));
    let air = Slider::new(drag_per_s, 0.0..=10.0).step_by(0.05).clamping(SliderClamping::Edits).suffix(" 1/s");
    let tip = "1/s: speeds fall by exp(−drag·t). 0 is empty space; a key takes thin or thick air";
    row(ui, "Drag", &sandbox.tip(tip, Action::ToggleAir), air);
    labelled(ui, "Balls may", "What balls do besides moving", |ui, _| {
        let mut sleeps = settings.sleeps();
        let tip = "Balls that rest for a second sleep, dim, until they are hit; they cost next to nothing";
        if ui.checkbox(&mut sleeps, "sleep").on_hover_text(tip).changed() {
            *settings = if sleeps { settings.clone().with_sleep() } else { settings.clone().without_sleep() };
        }
        if !sandbox.run.tuning.settings.solver.is_sequential() {
            let tip = "Friction turns balls, each drawn with a spoke. Costs some time";
            ui.checkbox(&mut settings.rotation, "turn").on_hover_text(tip);
        }
    });
}

/// What each material does, and which surface is made of which.
pub(super) fn materials(ui: &mut Ui, sandbox: &Sandbox, tuning: &mut Tuning) {
    let materials = &sandbox.run.room.materials;
    let share = |value| Slider::new(value, 0.0..=1.0).fixed_decimals(2).clamping(SliderClamping::Never);
    let restitution = format!(
        "Restitution: share of the approach speed that a bounce gives back ({}, {})",
        key_of(Action::Bouncier),
        key_of(Action::Duller)
    );
    let values = tuning.restitution.iter_mut().zip(&mut tuning.friction);
    for ((bounce, friction), material) in values.zip(materials) {
        let of_material = |what: &str| match materials.len() {
            1 => what.to_owned(),
            _ => format!("{}: {}", material.name, what.to_lowercase()),
        };
        row(ui, &of_material("Bounce"), &restitution, share(bounce));
        let tip = "Coulomb's coefficient: 0.3 holds a ball on a slope of 16.7°. A ball without it costs less";
        row(ui, &of_material("Friction"), tip, share(friction));
    }
    let tip = "What a surface bounces and rubs by: a material of its own, or that of the ball that meets it";
    labelled(ui, "Surfaces", tip, |ui, _| {
        let text = surfaces(sandbox.run.engine.get().surfaces(), |index| &materials[index].name);
        ui.add(egui::Label::new(RichText::new(text).color(theme::GREY)).wrap());
    });
}

/// Surfaces by what they are made of: `4 as the ball, 1 ice`.
fn surfaces<'a>(surfaces: &[Surface], name: impl Fn(usize) -> &'a str) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for surface in surfaces {
        let made_of = surface.material.map_or("as the ball", &name);
        match counts.iter_mut().find(|(known, _)| *known == made_of) {
            Some((_, count)) => *count += 1,
            None => counts.push((made_of, 1)),
        }
    }
    let parts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    if parts.is_empty() { "none".into() } else { parts.join(", ") }
}

/// How a step is made.
pub(super) fn solver(ui: &mut Ui, sandbox: &Sandbox, tuning: &mut Tuning, wishes: &mut Vec<Wish>) {
    let settings = &mut tuning.settings;
    let rate =
        Slider::new(&mut settings.rate_hz, 10..=1000).logarithmic(true).clamping(SliderClamping::Edits).suffix(" Hz");
    let tip = "Steps a second. Fewer are faster, and let balls sink deeper into each other; a key takes 120 or 30";
    row(ui, "Rate", &with_key(tip, Action::ToggleRate), rate);
    let passes = Slider::new(&mut settings.passes, 1..=32).clamping(SliderClamping::Edits);
    row(ui, "Passes", "Contact passes a step. Fewer are faster and softer", passes);
    let tip = "px/s: meetings slower than this do not bounce. Higher ends a row of ever smaller bounces sooner";
    row(ui, "Rest speed", tip, plain(&mut settings.bounce_speed_px_s, 0.0..=200.0).suffix(" px/s"));
    let tip = "px/s: no ball gets faster, whatever kicks it";
    row(ui, "Top speed", tip, plain(&mut settings.most_speed_px_s, 1.0..=1e6).logarithmic(true).suffix(" px/s"));
    if !settings.solver.is_sequential() {
        of_jacobi(ui, tuning);
    }
    let tip = "Forces, materials and steps as the scene has them";
    if ui.button("Back to the scene's").on_hover_text(tip).clicked() && *tuning != sandbox.run.as_built {
        *tuning = sandbox.run.tuning.clone();
        wishes.push(Wish::Change(Change::Tuning(Box::new(sandbox.run.as_built.clone()))));
    }
}

/// What only the jacobi solver has.
fn of_jacobi(ui: &mut Ui, tuning: &mut Tuning) {
    let settings = &mut tuning.settings;
    let tip =
        "Share of the load from above that balls are relieved of, so that deep piles hold. 0: true loads, soft piles";
    row(ui, "Relief", tip, plain(&mut settings.relief, 0.0..=2.0));
    let tip = "1/s: brakes what sinks or rises under load. Lower lets a pile boil, higher lets it rise more slowly";
    row(ui, "Relief drag", tip, plain(&mut settings.relief_drag_per_s, 0.0..=200.0).suffix(" 1/s"));
    let tip = "px/s: the most that pushes out of an overlap may give a ball. Lower calms a heap spawned in one place";
    row(ui, "Push speed", tip, plain(&mut settings.push_speed_px_s, 1.0..=1_000.0).suffix(" px/s"));
    let tip = "Share of an overlap that a step pushes out without gravity. Harder turns overlaps of a gas into energy";
    row(ui, "Soft push", tip, plain(&mut settings.soft_push, 0.01..=1.0));
    let tip = "s below the sleep speed after which a ball sleeps; 0 for never. Shorter saves more work";
    row(ui, "Sleep after", tip, plain(&mut settings.sleep_after_s, 0.0..=6.0).suffix(" s"));
    labelled(ui, "Sleep speed", SLEEP_SPEED, |ui, name| {
        let speed = DragValue::new(&mut settings.sleep_speed_px_s).range(0.01..=100.0).speed(0.05).suffix(" px/s");
        ui.add(speed).labelled_by(name).on_hover_text(SLEEP_SPEED)
    });
}

const SLEEP_SPEED: &str = "px/s below which a ball counts as at rest. Higher puts heaps to sleep that still settle";

/// A slider that leaves a value outside its range alone until it is moved.
fn plain(value: &mut f32, range: RangeInclusive<f32>) -> Slider<'_> {
    Slider::new(value, range).clamping(SliderClamping::Edits)
}
