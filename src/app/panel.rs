//! The panel: every control of the world, each with its unit and its consequence.

use std::borrow::Cow;
use std::path::Path;

use ballpit::{Mode, Scene, SlowMotion, Tuning};
use egui::{Align2, Area, ComboBox, DragValue, Id, Order, Response, RichText, ScrollArea, Slider, Ui};

use super::keys::{Action, GROUPS};
use super::sandbox::{Change, Sandbox};
use super::tools::Tool;
use super::{card, theme};
use crate::colours::ColourMode;
use crate::numbers::grouped;

/// What the panel asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wish {
    Act(Action),
    Change(Change),
}

/// The panel, and what is being typed into it.
pub(crate) struct Panel {
    scenes: Vec<(&'static str, String)>,
    balls: usize,
    seed: u64,
    path: String,
}

/// Width of the panel's contents, points.
const WIDTH: f32 = 306.0;
/// Between the panel and the window's edge, points.
const GAP: f32 = 10.0;

impl Panel {
    pub(crate) fn new() -> Self {
        Self { scenes: Scene::names().collect(), balls: 0, seed: 0, path: String::new() }
    }

    /// Shows the panel; answers with what it asks for and the width it takes, points.
    pub(crate) fn show(&mut self, context: &egui::Context, sandbox: &Sandbox) -> (Vec<Wish>, f32) {
        let mut wishes = Vec::new();
        let height = context.content_rect().height() - 2.0 * GAP - 26.0;
        let area = Area::new(Id::unique("panel")).anchor(Align2::RIGHT_TOP, [-GAP, GAP]).order(Order::Middle);
        let shown = area.show(context, |ui| {
            // An area starts at a default height and then keeps the last one: both would cut the list short.
            ui.set_max_height(height + 26.0);
            card::show(ui, |ui| {
                ui.set_width(WIDTH);
                ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                    ui.set_width(WIDTH - 8.0);
                    self.scene(ui, sandbox, &mut wishes);
                    time(ui, sandbox, &mut wishes);
                    tools(ui, sandbox, &mut wishes);
                    tuning(ui, sandbox, &mut wishes);
                    look(ui, sandbox, &mut wishes);
                });
            });
        });
        (wishes, shown.response.rect.width() + 2.0 * GAP)
    }

    fn scene(&mut self, ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
        let here = sandbox.scene_name();
        ui.horizontal(|ui| {
            ui.label(RichText::new("Scene").color(theme::BLUE).strong());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                act(ui, ">", Action::NextScene, "The next scene (Page Down)", wishes);
                act(ui, "<", Action::PreviousScene, "The scene before (Page Up)", wishes);
                ComboBox::from_id_salt("scene").selected_text(&*short(here)).width(ui.available_width()).show_ui(
                    ui,
                    |ui| {
                        for (name, description) in &self.scenes {
                            let choice = ui.selectable_label(Path::new(name) == here, *name).on_hover_text(description);
                            if choice.clicked() {
                                wishes.push(Wish::Change(Change::Scene(name.into())));
                            }
                        }
                    },
                );
            });
        });
        if !sandbox.run.scene.description.is_empty() {
            ui.label(RichText::new(&sandbox.run.scene.description).color(theme::GREY));
        }
        if let Some(trouble) = &sandbox.trouble {
            ui.label(RichText::new(trouble).color(theme::RED));
        }
        self.file(ui, wishes);
        self.size(ui, sandbox, wishes);
        ui.horizontal(|ui| {
            act(ui, "Restart", Action::Restart, "The same balls in the same places (Backspace)", wishes);
            act(ui, "New pile", Action::NewPile, "Other places and sizes, from a new seed (Enter)", wishes);
        });
    }

    fn file(&mut self, ui: &mut Ui, wishes: &mut Vec<Wish>) {
        ui.horizontal(|ui| {
            let field = egui::TextEdit::singleline(&mut self.path).hint_text("scene file, or drop one here");
            let field = ui.add(field.desired_width(ui.available_width() - 58.0));
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            let pressed = ui.button("Open").on_hover_text("Reads a scene file (TOML) and starts it").clicked();
            if (entered || pressed) && !self.path.trim().is_empty() {
                wishes.push(Wish::Change(Change::Scene(self.path.trim().into())));
            }
        });
    }

    fn size(&mut self, ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
        let balls = DragValue::new(&mut self.balls).range(1..=10_000_000).speed(0.01 * sandbox.run.balls as f64);
        let balls = balls.custom_formatter(|number, _| grouped(number as u64));
        let balls = balls.custom_parser(|text| text.replace(',', "").parse().ok());
        let tip = "How many balls; another number builds the scene anew. A step's time grows with it.";
        if is_settled(row(ui, "Balls", tip, balls), &mut self.balls, sandbox.run.balls) {
            wishes.push(Wish::Change(Change::Balls(self.balls)));
        }
        let tip = "Places and sizes follow from it: the same seed makes the same world. Builds the scene anew.";
        let seed = DragValue::new(&mut self.seed).speed(0.2);
        if is_settled(row(ui, "Seed", tip, seed), &mut self.seed, sandbox.run.seed) {
            wishes.push(Wish::Change(Change::Seed(self.seed)));
        }
    }
}

/// Whether a value that rebuilds the world has been chosen: a drag has ended or a text been entered. Until then the draft
/// is the user's, and otherwise the world's.
fn is_settled<T: PartialEq + Copy>(response: Response, draft: &mut T, now: T) -> bool {
    if response.drag_stopped() || response.lost_focus() {
        return *draft != now;
    }
    if !response.dragged() && !response.has_focus() {
        *draft = now;
    }
    false
}

fn time(ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
    title(ui, "Time");
    let clock = &sandbox.clock;
    ui.horizontal(|ui| {
        let pause = if clock.is_paused() { "Go on" } else { "Pause" };
        act(ui, pause, Action::Pause, "Stops time; dragging waits too (P)", wishes);
        act(ui, "One step", Action::StepOnce, "Pauses, and makes one step of the fixed length (.)", wishes);
        act(ui, "Lag spike", Action::LagSpike, "Makes one frame a fifth of a second long, as if stalled (L)", wishes);
    });
    labelled(ui, "Speed", "Slow motion: the same steps, only rarer (S)", |ui| {
        for (speed, name) in SlowMotion::ALL.into_iter().zip(["1", "1/2", "1/4", "1/8"]) {
            if ui.selectable_label(clock.slow_motion() == speed, name).clicked() {
                wishes.push(Wish::Change(Change::SlowMotion(speed)));
            }
        }
    });
    let tip = "Fixed steps give the same world whatever the frame rate; one variable step a frame does not (Space)";
    labelled(ui, "Steps", tip, |ui| {
        for (mode, name) in [(Mode::Fixed, "fixed"), (Mode::Variable, "variable")] {
            if ui.selectable_label(clock.mode() == mode, name).clicked() && clock.mode() != mode {
                wishes.push(Wish::Act(Action::ToggleMode));
            }
        }
    });
    let mut interpolate = sandbox.eye.interpolate;
    let tip = "Draws balls between their last two places: smooth at any rate, one step late (I)";
    labelled(ui, "Interpolation", tip, |ui| {
        if ui.checkbox(&mut interpolate, "").changed() {
            wishes.push(Wish::Act(Action::ToggleInterpolation));
        }
    });
}

fn tools(ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
    title(ui, "Tools");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for tool in Tool::ALL {
            let action = Action::Take(tool);
            let bindings = GROUPS.iter().flat_map(|group| group.bindings);
            let key = bindings.filter(|binding| binding.action == action).map(|binding| binding.keys[0].label()).next();
            let tip = format!("Left button: {} ({})", tool.help(), key.unwrap_or_default());
            if ui.selectable_label(sandbox.tools.tool == tool, tool.name()).on_hover_text(tip).clicked() {
                wishes.push(Wish::Act(action));
            }
        }
    });
    let (mut radius, [least, most]) = (sandbox.tools.radius_px(), sandbox.tools.bounds_px());
    let tip = "Radius of the tool's ring, px; the wheel changes it over the world";
    let slider = Slider::new(&mut radius, least..=most).logarithmic(true).fixed_decimals(0);
    if row(ui, "Ring", tip, slider).changed() {
        wishes.push(Wish::Change(Change::Brush(radius)));
    }
    ui.horizontal(|ui| {
        act(ui, "Undo", Action::Undo, "Takes back what was poured, drawn, set or erased (Ctrl+Z)", wishes);
        act(ui, "Redo", Action::Redo, "Does it again (Ctrl+Shift+Z, Ctrl+Y)", wishes);
    });
}

fn tuning(ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
    let mut tuning = sandbox.run.tuning.clone();
    let Tuning { gravity, drag_per_s, restitution, friction, settings } = &mut tuning;
    let rate = Slider::new(&mut settings.rate_hz, 10..=1000).logarithmic(true);
    let tip = "Steps a second. Fewer are faster, and let balls sink deeper into each other (R: 120 or 30)";
    row(ui, "Rate", tip, rate.clamping(egui::SliderClamping::Edits));
    let tip = "Contact passes a step. Fewer are faster and softer";
    row(ui, "Passes", tip, Slider::new(&mut settings.passes, 1..=32).clamping(egui::SliderClamping::Edits));
    title(ui, "World");
    let pull = |value| Slider::new(value, -2000.0..=2000.0).step_by(10.0).clamping(egui::SliderClamping::Never);
    row(ui, "Gravity right", "px/s², to the right; negative to the left", pull(&mut gravity.x));
    row(ui, "Gravity down", "px/s², downward; negative upward. 0 leaves a gas", pull(&mut gravity.y));
    let air = Slider::new(drag_per_s, 0.0..=10.0).step_by(0.05).clamping(egui::SliderClamping::Edits);
    row(ui, "Drag", "1/s: speeds fall by exp(−drag·t). 0 is empty space (D: thin or thick air)", air);
    let mut sleeps = settings.sleep_after_s > 0.0;
    let tip = "Balls that rest for a second sleep, dim, until they are hit; they cost next to nothing";
    labelled(ui, "Sleep", tip, |ui| {
        if ui.checkbox(&mut sleeps, "").changed() {
            *settings = if sleeps { settings.clone().with_sleep() } else { settings.clone().without_sleep() };
        }
    });
    if !settings.solver.is_sequential() {
        let tip = "Friction turns balls, each drawn with a spoke. Costs some time";
        labelled(ui, "Turning", tip, |ui| ui.checkbox(&mut settings.rotation, ""));
    }
    let materials = &sandbox.run.room.materials;
    let share = |value| Slider::new(value, 0.0..=1.0).fixed_decimals(2).clamping(egui::SliderClamping::Never);
    for ((bounce, friction), material) in restitution.iter_mut().zip(friction).zip(materials) {
        let of_material = |what: &str| match materials.len() {
            1 => what.to_owned(),
            _ => format!("{}: {}", material.name, what.to_lowercase()),
        };
        let tip = "Restitution: share of the approach speed that a bounce gives back (Up, Down)";
        row(ui, &of_material("Bounce"), tip, share(bounce));
        let tip = "Coulomb's coefficient: 0.3 holds a ball on a slope of 16.7°. A ball without it costs less";
        row(ui, &of_material("Friction"), tip, share(friction));
    }
    if tuning != sandbox.run.tuning {
        wishes.push(Wish::Change(Change::Tuning(Box::new(tuning))));
    }
}

fn look(ui: &mut Ui, sandbox: &Sandbox, wishes: &mut Vec<Wish>) {
    title(ui, "Look");
    labelled(ui, "Colour", "What a ball's colour means (C)", |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.spacing_mut().button_padding.x = 3.0;
        for mode in ColourMode::ALL {
            if ui.selectable_label(sandbox.eye.colour == mode, mode.name()).clicked() {
                wishes.push(Wish::Change(Change::Colour(mode)));
            }
        }
    });
    ui.horizontal(|ui| {
        act(ui, "Fit", Action::Fit, "Shows the whole world (0); the wheel zooms, the right button moves", wishes);
        act(
            ui,
            "Picture",
            Action::Screenshot,
            "Writes the world as it is seen to ./ballpit-1.png and on (F12)",
            wishes,
        );
        act(ui, "Full screen", Action::Fullscreen, "Fills the screen, or goes back (F11)", wishes);
        act(ui, "Keys", Action::Help, "Every key (F1)", wishes);
    });
}

fn title(ui: &mut Ui, text: &str) {
    ui.add_space(6.0);
    ui.separator();
    ui.label(RichText::new(text).color(theme::BLUE).strong());
}

fn act(ui: &mut Ui, text: &str, action: Action, tip: &str, wishes: &mut Vec<Wish>) {
    if ui.button(text).on_hover_text(tip).clicked() {
        wishes.push(Wish::Act(action));
    }
}

fn row(ui: &mut Ui, label: &str, tip: &str, widget: impl egui::Widget) -> Response {
    let mut response = None;
    labelled(ui, label, tip, |ui| response = Some(ui.add(widget).on_hover_text(tip)));
    response.expect("the row's contents have been shown")
}

fn labelled<T>(ui: &mut Ui, label: &str, tip: &str, contents: impl FnOnce(&mut Ui) -> T) {
    ui.horizontal(|ui| {
        let size = egui::vec2(88.0, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(size.x);
            ui.add(egui::Label::new(RichText::new(label).color(theme::SILVER)).truncate()).on_hover_text(tip);
        });
        contents(ui);
    });
}

/// A name or a path's end, short enough for the panel.
fn short(name: &Path) -> Cow<'_, str> {
    name.file_name().unwrap_or(name.as_os_str()).to_string_lossy()
}
