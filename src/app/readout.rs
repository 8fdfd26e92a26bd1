//! The lines over the world: how time runs, what the last second held, and what computes it.

use ballpit::render::Margins;
use ballpit::{Mode, SlowMotion, Tuning};
use egui::{Align2, Area, Color32, Id, Order, RichText};

use super::film::Film;
use super::helm::Steered;
use super::sandbox::{Sandbox, kept};
use super::tape::Tape;
use super::tools::Tool;
use super::{keys, legend, panel, theme};
use crate::engines::AnyEngine;
use crate::numbers::{counted, grouped, short};

/// Height of a window below which it is a small one, points.
const LOW: f32 = 480.0;

/// What does not change while the window is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The adapter that draws, in words.
    pub(crate) adapter: String,
    /// Whether that adapter is a program on the CPU.
    pub(crate) software: bool,
    /// The self-test's answer; the CPU engine needs none.
    pub(crate) exact: Option<String>,
}

/// A line of the readout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) colour: Color32,
}

/// What the readout says.
pub(crate) fn lines(sandbox: &Sandbox, facts: &Facts) -> Vec<Line> {
    let fixed = sandbox.clock.mode() == Mode::Fixed;
    let line = |text, colour| Line { text, colour };
    let mut lines = vec![
        line(mode(sandbox), if fixed { theme::TEXT } else { theme::AMBER }),
        line(last_second(sandbox), theme::SILVER),
        line(state(sandbox), theme::SILVER),
        line(engine(sandbox, facts), theme::GREY),
    ];
    match sandbox.steered() {
        Steered::Nothing => {}
        Steered::Slopes => lines.insert(1, line(tilt(sandbox), theme::TEXT)),
        Steered::Actors => lines.insert(1, line(actors(sandbox), theme::TEXT)),
    }
    if let Some(tape) = tape(sandbox) {
        lines.insert(1, line(tape, theme::RED));
    }
    if !kept::is_finite(&sandbox.gauges) {
        lines.insert(1, line(not_finite(), theme::RED));
    }
    lines
}

/// What is recorded or played, if anything is.
fn tape(sandbox: &Sandbox) -> Option<String> {
    let steps = grouped(sandbox.run.engine.get().steps());
    match &sandbox.tape {
        Tape::Idle => None,
        Tape::Recording { path, .. } => {
            let key = keys::key_of(keys::Action::Record);
            Some(format!("recording to {}, step {steps}; [{key}] ends it", path.display()))
        }
        Tape::Playing(playing) => Some(format!("playing step {steps} of {}", grouped(playing.player.total()))),
    }
}

/// What the film under way has come to.
pub(crate) fn film(film: &Film) -> Line {
    let (key, frames) = (keys::key_of(keys::Action::Film), grouped(film.frames()));
    let text = format!("filming into {}, frame {frames}; [{key}] ends it", film.folder().display());
    Line { text, colour: theme::RED }
}

fn not_finite() -> String {
    let key = keys::key_of(keys::Action::Restart);
    format!("a ball is no longer finite: restart with [{key}], with slower balls or less bounce")
}

fn mode(sandbox: &Sandbox) -> String {
    let mut text = match sandbox.clock.mode() {
        Mode::Fixed => {
            let drawn = if sandbox.eye.interpolate { "interpolated" } else { "not interpolated" };
            format!("fixed steps, {} a second, {drawn}", sandbox.clock.rate_hz())
        }
        Mode::Variable => "variable steps, one a frame".to_owned(),
    };
    text += match sandbox.clock.slow_motion() {
        SlowMotion::Off => "",
        SlowMotion::Half => ", at half speed",
        SlowMotion::Quarter => ", at a quarter of the speed",
        SlowMotion::Eighth => ", at an eighth of the speed",
    };
    if sandbox.clock.is_paused() {
        text += ", paused";
    }
    // In a line that is there anyway, or the world would move each time that a tool is taken.
    if let Some(tool) = tool(sandbox) {
        text += "   ";
        text += &tool;
    }
    text
}

/// The tool in hand and its ring, unless it is the one that needs no words.
fn tool(sandbox: &Sandbox) -> Option<String> {
    let tools = &sandbox.tools;
    if let (Tool::Fire, Some(cannon)) = (tools.tool, sandbox.run.scene.cannon()) {
        let times = cannon.masses().get(tools.shot).or(cannon.masses().last()).copied().unwrap_or(1.0);
        return Some(format!("tool: fire, {times} times as heavy; [1] to [{}] choose", cannon.masses().len()));
    }
    let ring = || format!(", ring of radius {:.0} px", tools.radius_px());
    let ring = if tools.tool.has_ring() { ring() } else { String::new() };
    (tools.tool != Tool::Grab).then(|| format!("tool: {}{ring}", tools.tool.name()))
}

fn last_second(sandbox: &Sandbox) -> String {
    let (tally, lost) = (&sandbox.tally, sandbox.clock.dropped().as_secs_f64());
    let (frames, steps) = (counted(tally.frames, "frame"), counted(tally.steps, "step"));
    format!("last second: {frames}, {steps}   time lost to slow motion: {lost:.1} s")
}

/// How the balls are, in a line short enough that it does not wrap now and then: the world would move with it.
fn state(sandbox: &Sandbox) -> String {
    let gauges = &sandbox.gauges;
    format!(
        "deepest overlap {:.2} px ({:.2} radii)   fastest {} px/s{}   contacts {}   balls {}{}",
        gauges.deepest_overlap_px,
        gauges.overlap_ratio,
        grouped(gauges.fastest_px_s.round() as u64),
        terminal(&sandbox.run.tuning),
        grouped(gauges.contacts),
        grouped(sandbox.balls()),
        if gauges.asleep > 0 { format!(", {} asleep", grouped(gauges.asleep)) } else { String::new() }
    )
}

/// How far the ground is tilted.
fn tilt(sandbox: &Sandbox) -> String {
    let tilts = sandbox.run.engine.get().surfaces().iter().filter_map(|surface| surface.tilt);
    let degrees: Vec<String> = tilts.map(|tilt| format!("{:.0}°", tilt.angle_rad.to_degrees())).collect();
    format!("tilted by {}: [Left] [Right]", degrees.join(", "))
}

/// How many actors there are and where they are sent.
fn actors(sandbox: &Sandbox) -> String {
    let direction = sandbox.run.direction;
    let word = |part: f32, less: &'static str, more: &'static str| match part {
        part if part < 0.0 => less,
        part if part > 0.0 => more,
        _ => "",
    };
    let words = [word(direction.y, "up", "down"), word(direction.x, "left", "right")];
    let way: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let sent = if way.is_empty() {
        "not sent anywhere: [W] [A] [S] [D]".into()
    } else {
        format!("sent {}", way.join(" and "))
    };
    format!("{}, {sent}", counted(sandbox.run.actors, "actor"))
}

/// The speed at which drag holds gravity, where there are both.
fn terminal(tuning: &Tuning) -> String {
    let pull = tuning.gravity.length();
    if pull == 0.0 || tuning.drag_per_s == 0.0 {
        return String::new();
    }
    format!(" (terminal {})", short(pull / tuning.drag_per_s))
}

fn engine(sandbox: &Sandbox, facts: &Facts) -> String {
    let Facts { adapter, software, exact } = facts;
    let software = if *software { ", a software adapter" } else { "" };
    let what = match (&sandbox.run.engine, exact) {
        (AnyEngine::Gpu(_), Some(exact)) => return format!("GPU engine on {adapter}{software}; {exact}"),
        (AnyEngine::Sequential(_), _) => "the textbook's sequential solver, to compare with",
        _ => "CPU engine, the bit-exact reference",
    };
    format!("{what} ({}); drawn by {adapter}{software}", sandbox.run.engine.get().adapter())
}

/// Shows the lines at the top and the controls at the bottom; answers with the room they take, in points.
pub(crate) fn show(
    context: &egui::Context,
    lines: &[Line],
    notice: Option<&Line>,
    (tool, width): (Tool, f32),
) -> Margins {
    // A small window has no room for what is read when it is looked for.
    let is_small = panel::is_narrow(context) || context.content_rect().height() < LOW;
    let lines: Vec<&Line> = lines.iter().filter(|line| !is_small || line.colour != theme::GREY).collect();
    let top = text_area(context, "readout", Align2::LEFT_TOP, width, &lines);
    let hint = Line { text: hint(tool, is_small), colour: theme::GREY };
    let bottom = text_area(context, "hint", Align2::LEFT_BOTTOM, width, &[&hint]);
    if let Some(notice) = notice {
        // Above the legend, which is the picture's own.
        self::notice(context, notice, (width, bottom + 20.0 + legend::HEIGHT));
    }
    Margins { left: 12.0, top: top + 20.0, right: 12.0, bottom: bottom + 20.0 }
}

/// What the pointer does, the keys of the chapter's demo as the table has them, and the way to the others; in a small window
/// the way alone, and that to the panel, which it does not begin with.
fn hint(tool: Tool, is_small: bool) -> String {
    let demo = [
        (keys::Action::ToggleMode, "fixed or variable steps"),
        (keys::Action::LagSpike, "lag spike"),
        (keys::Action::NewSeed, "new seed"),
    ];
    let shown = if is_small { vec![(keys::Action::Panel, "panel")] } else { demo.to_vec() };
    let mut text = format!("[Left button] {}", tool.help());
    for (action, word) in shown.into_iter().chain([(keys::Action::Help, "all keys")]) {
        text += &format!("   [{}] {word}", keys::key_of(action));
    }
    text
}

/// A line that comes and goes above the hints: the world makes no room for it, so that it has a background of its own.
pub(crate) fn notice(context: &egui::Context, line: &Line, (width, above): (f32, f32)) {
    let area = Area::new(Id::unique("notice")).anchor(Align2::LEFT_BOTTOM, [8.0, -above]).interactable(false);
    area.show(context, |ui| {
        ui.set_max_width((width - 28.0).max(120.0));
        let frame = egui::Frame::new().fill(theme::CARD).corner_radius(4.0).inner_margin(6.0);
        frame.show(ui, |ui| ui.label(RichText::new(&line.text).color(line.colour).size(13.5)));
    });
}

fn text_area(context: &egui::Context, id: &str, corner: Align2, width: f32, lines: &[&Line]) -> f32 {
    let offset = egui::vec2(14.0, if corner == Align2::LEFT_TOP { 10.0 } else { -10.0 });
    // Over the brush and the counters, which are drawn in the background.
    let area = Area::new(Id::unique(id)).anchor(corner, offset).order(Order::Middle).interactable(false);
    let shown = area.show(context, |ui| {
        ui.set_max_width((width - 28.0).max(120.0));
        ui.spacing_mut().item_spacing.y = 2.0;
        for line in lines {
            ui.label(RichText::new(&line.text).color(line.colour).size(13.5));
        }
    });
    shown.response.rect.height()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ballpit::render::ColourMap;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;
    use glam::Vec2;

    use super::*;
    use crate::app::keys::Action;
    use crate::colours::Legend;
    use crate::engines::Maker;
    use crate::launch::Launch;

    fn sandbox() -> Sandbox {
        let launch = Launch { scene: Some("impulse".into()), ..Launch::default() };
        Sandbox::new(launch, Maker::cpu(), false).unwrap()
    }

    #[test]
    fn the_mode_line_says_how_time_runs() {
        let mut sandbox = sandbox();
        let facts = Facts::default();
        let first = |sandbox: &Sandbox| lines(sandbox, &facts).swap_remove(0);
        assert_eq!(first(&sandbox).text, "fixed steps, 120 a second, interpolated");
        assert_eq!(first(&sandbox).colour, theme::TEXT);
        sandbox.act(Action::ToggleRate);
        sandbox.act(Action::ToggleInterpolation);
        sandbox.act(Action::SlowMotion);
        assert_eq!(first(&sandbox).text, "fixed steps, 30 a second, not interpolated, at half speed");
        sandbox.act(Action::ToggleMode);
        sandbox.act(Action::Pause);
        assert_eq!(first(&sandbox).text, "variable steps, one a frame, at half speed, paused");
        assert_eq!(first(&sandbox).colour, theme::AMBER);
        sandbox.act(Action::Take(Tool::Pour));
        sandbox.tools.set_radius(30.0);
        assert!(first(&sandbox).text.ends_with(", paused   tool: pour, ring of radius 30 px"));
        sandbox.act(Action::Take(Tool::Wall));
        assert!(first(&sandbox).text.ends_with(", paused   tool: wall"), "a wall has no ring");
    }

    #[test]
    fn the_last_second_counts_frames_and_steps() {
        let mut sandbox = sandbox();
        (0..100).for_each(|_| sandbox.frame(Duration::from_millis(10), None).unwrap());
        assert_eq!(last_second(&sandbox), "last second: 100 frames, 120 steps   time lost to slow motion: 0.0 s");
        let text = state(&sandbox);
        assert!(text.starts_with("deepest overlap ") && text.ends_with("balls 70"), "{text}");
        sandbox.frame(Duration::from_millis(1300), None).unwrap();
        assert!(last_second(&sandbox).ends_with("slow motion: 1.2 s"), "a frame is stepped for 50 ms at most");
    }

    #[test]
    fn actors_have_a_line_that_says_where_they_are_sent() {
        let launch = Launch { scene: Some("swarm".into()), balls: Some(3_100), ..Launch::default() };
        let mut swarm = Sandbox::new(launch, Maker::cpu(), false).unwrap();
        let said = |sandbox: &Sandbox| lines(sandbox, &Facts::default())[1].text.clone();
        assert_eq!(said(&swarm), "3,000 actors, not sent anywhere: [W] [A] [S] [D]");
        swarm.steer(Vec2::new(1.0, -1.0));
        assert_eq!(said(&swarm), "3,000 actors, sent up and right");
        assert!(said(&sandbox()).starts_with("last second"), "a world without actors says nothing of them");
    }

    #[test]
    fn the_terminal_speed_is_said_where_there_is_air_to_fall_through() {
        let mut sandbox = sandbox();
        assert!(!state(&sandbox).contains("terminal"));
        sandbox.act(Action::ToggleAir);
        // 900 px/s² in thick air, 3/s.
        assert!(state(&sandbox).contains(" px/s (terminal 300)"), "{}", state(&sandbox));
    }

    #[test]
    fn the_hint_names_keys_of_the_table() {
        let hint = hint(Tool::Pour, false);
        assert!(hint.starts_with("[Left button] pour balls"), "{hint}");
        assert!(hint.contains("[Space] fixed or variable steps") && hint.ends_with("[F1] all keys"), "{hint}");
    }

    #[test]
    fn a_notice_leaves_the_legend_to_be_read() {
        let frame = |ui: &mut egui::Ui| {
            let line = |text: &str| Line { text: text.into(), colour: theme::TEXT };
            let margins = show(ui.ctx(), &[line("a line")], Some(&line("a notice")), (Tool::Grab, 600.0));
            let ramp = Legend::Ramp { title: "speed", least: "0".into(), most: "704 px/s".into() };
            legend::show(ui.ctx(), (&ramp, ColourMap::default()), (600.0, margins.bottom - 4.0));
        };
        let mut window = Harness::builder().with_size(egui::Vec2::new(1024.0, 690.0)).build_ui(frame);
        window.run();
        let [notice, legend] = ["a notice", "speed"].map(|label| window.get_by_label(label).rect());
        assert!(notice.bottom() < legend.top(), "{notice:?} {legend:?}");
    }

    #[test]
    fn nothing_lies_over_anything_else_in_a_small_window() {
        let facts = Facts { adapter: "llvmpipe (LLVM 15.0.6, 256 bits) (vulkan)".into(), software: true, exact: None };
        let sandbox = sandbox();
        let lines = lines(&sandbox, &facts);
        let first = lines[0].text.clone();
        let frame = move |ui: &mut egui::Ui| {
            let width = ui.ctx().content_rect().width();
            let margins = show(ui.ctx(), &lines, None, (Tool::Grab, width));
            legend::show(ui.ctx(), (&sandbox.legend(), ColourMap::default()), (width, margins.bottom - 4.0));
        };
        for size in [[500.0, 400.0], [360.0, 240.0]] {
            let mut window =
                Harness::builder().with_size(egui::Vec2::from(size)).with_context_setup(theme::dress).build_ui(&frame);
            window.run();
            let top = window.get_by_label_contains("deepest overlap").rect();
            let bottom = window.get_by_label_contains("[Left button]").rect();
            assert!(window.get_by_label(&first).rect().bottom() <= top.top());
            assert!(top.bottom() + 20.0 < bottom.top(), "{size:?}: {top:?} {bottom:?}");
            assert!(window.query_by_label_contains("[Tab] panel").is_some());
        }
    }

    #[test]
    fn a_ball_that_is_no_number_is_said() {
        let mut sandbox = sandbox();
        let is_said =
            |sandbox: &Sandbox| lines(sandbox, &Facts::default()).iter().any(|line| line.text == not_finite());
        sandbox.gauges.fastest_px_s = 1e9;
        assert!(!is_said(&sandbox));
        sandbox.gauges.fastest_px_s = f32::NAN;
        assert!(is_said(&sandbox));
    }
}
