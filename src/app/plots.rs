//! The plots: times of frames and steps as curves, and of a step's stages as a table.

use egui::{Align, Area, Color32, Grid, Id, Layout, Order, RichText, Ui};
use egui_plot::{GridInput, GridMark, Line, Plot, PlotPoints};

use super::keys::{Action, with_key};
use super::times::{SPAN_S, Samples, Times};
use super::{card, theme};

/// Width of the plots' contents, points.
const WIDTH: f32 = 300.0;
/// Height of the curves, points.
const HEIGHT: f32 = 110.0;
/// Labels beside them at most, above the lowest.
const MOST_MARKS: f64 = 4.0;

/// Shows the times; answers whether their button closes them. The card can be dragged.
pub(crate) fn show(context: &egui::Context, times: &Times, top: f32) -> bool {
    let mut closed = false;
    let area = Area::new(Id::unique("plots")).default_pos([14.0, top]).order(Order::Middle).movable(true);
    // One that begins as high as areas do has no room below, and moves up.
    let area = area.default_height(HEIGHT);
    area.show(context, |ui| {
        card::show(ui, |ui| {
            ui.set_width(WIDTH);
            ui.horizontal(|ui| {
                ui.label(RichText::new("Times").color(theme::BLUE).strong());
                ui.label(RichText::new(format!("ms, last {SPAN_S:.0} s")).color(theme::GREY));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    closed =
                        ui.small_button("Close").on_hover_text(with_key("Hides the times", Action::Plots)).clicked();
                });
            });
            curves(ui, times);
            table(ui, times);
        });
    });
    closed
}

const CURVES: [(&str, Color32); 2] = [("frame", theme::BLUE), ("step", theme::AMBER)];

fn curves(ui: &mut Ui, times: &Times) {
    let plot = Plot::new("times").height(HEIGHT).width(WIDTH).show_axes([false, true]).show_grid([false, true]);
    let plot = plot.allow_drag(false).allow_zoom(false).allow_scroll(false).allow_boxed_zoom(false).show_x(false);
    let plot = plot.include_y(0.0).include_x(times.now_s).include_x(times.now_s - SPAN_S).show_background(false);
    plot.y_axis_min_width(30.0).y_grid_spacer(marks).show(ui, |plot| {
        for ((name, colour), samples) in CURVES.into_iter().zip([&times.frames, &times.steps]) {
            let points: PlotPoints = samples.points().collect();
            plot.line(Line::new(name, points).color(colour).width(1.5));
        }
    });
}

/// A few times with a line and a label each, one, two or five powers of ten apart.
fn marks(GridInput { bounds: (least, most), .. }: GridInput) -> Vec<GridMark> {
    let wished = (most - least) / MOST_MARKS;
    let power = 10_f64.powf(wished.log10().floor());
    let step_size = [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|&step| step >= wished);
    let step_size = step_size.unwrap_or(wished);
    let [first, last] = [(least / step_size).ceil(), (most / step_size).floor()];
    (first as i64..=last as i64).map(|number| GridMark { value: number as f64 * step_size, step_size }).collect()
}

fn table(ui: &mut Ui, times: &Times) {
    ui.spacing_mut().interact_size.y = 15.0;
    Grid::new("stages").num_columns(3).min_col_width(52.0).spacing([14.0, 1.0]).show(ui, |ui| {
        for (text, tip) in [
            ("", ""),
            ("median", "Half of the times are at most this, ms"),
            ("p95", "Of a hundred, 95 are at most this, ms"),
        ] {
            let text = RichText::new(format!("{text:>8}")).monospace().color(theme::GREY).size(11.5);
            ui.label(text).on_hover_text(tip);
        }
        ui.end_row();
        for ((name, colour), samples) in CURVES.into_iter().zip([&times.frames, &times.steps]) {
            row(ui, name, colour, samples);
        }
        times.stages.iter().for_each(|(stage, samples)| row(ui, stage.name(), theme::SILVER, samples));
    });
    if times.stages.is_empty() {
        ui.label(
            RichText::new("stages: n/a until a step is timed; on a software adapter, of the CPU engine only")
                .color(theme::GREY),
        );
    }
}

fn row(ui: &mut Ui, name: &str, colour: Color32, samples: &Samples) {
    ui.label(RichText::new(name).color(colour).size(12.0));
    let typical = samples.typical();
    for which in 0..2 {
        let text = typical.map_or("     n/a".to_owned(), |typical| format!("{:8.3}", typical[which]));
        ui.label(RichText::new(text).color(theme::TEXT).monospace().size(11.5));
    }
    ui.end_row();
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::*;

    #[test]
    fn they_begin_below_what_they_are_told_to_lie_under() {
        let times = Times::default();
        let builder = Harness::builder().with_size(egui::Vec2::new(1024.0, 690.0)).with_context_setup(theme::dress);
        let mut window = builder.build_ui(move |ui| _ = show(ui.ctx(), &times, 105.0));
        window.run();
        let title = window.get_by_label("Times").rect();
        assert!((105.0..140.0).contains(&title.top()), "{title:?}");
    }

    #[test]
    fn marks_are_few_round_and_far_enough_apart_for_their_labels() {
        for (most, expected) in [(0.07, 0.02), (1.0, 0.5), (17.0, 5.0), (52.0, 20.0), (107.0, 50.0), (1_000.0, 500.0)] {
            let marks = marks(GridInput { bounds: (-0.02 * most, most), base_step_size: 1.0 });
            assert!(marks.iter().all(|mark| (mark.step_size / expected - 1.0).abs() < 1e-9), "{most}: {marks:?}");
            assert!((3..=5).contains(&marks.len()) && marks[0].value == 0.0, "{most}: {marks:?}");
        }
    }
}
