//! The help overlay: every key and what the pointer does, from the one table.

use egui::{Align, Align2, Area, Id, Layout, Order, RichText, ScrollArea, Sense, Ui};

use super::helm::{Steered, shot_of};
use super::keys::{Action, Binding, GROUPS, Group, POINTER, Stroke};
use super::tools::Tool;
use super::{card, theme};

/// A title, and each row's keys with what they do.
type Section = (&'static str, Vec<(String, &'static str)>);

/// Width of the keys, points.
const KEYS: f32 = 92.0;
/// Between keys and what they do, points.
const GAP: f32 = 8.0;
/// Least and greatest width of a column, points.
const COLUMN: [f32; 2] = [290.0, 390.0];
/// Between columns, points.
const BETWEEN: f32 = 18.0;
/// Around the columns, points: the card's margins, a scroll bar, and some of the world.
const AROUND: f32 = 56.0;
/// Columns at most.
const MOST_COLUMNS: usize = 3;
/// Rows that a title with the room above it is as high as.
const TITLE_ROWS: f32 = 1.5;

/// Whether the overlay is shown.
#[derive(Debug, Default)]
pub(crate) struct Help {
    is_shown: bool,
    /// Whether a frame has been laid out with it.
    has_begun: bool,
}

impl Help {
    pub(crate) fn toggle(&mut self) {
        self.is_shown = !self.is_shown;
    }

    /// Hides it; whether it was shown.
    pub(crate) fn hide(&mut self) -> bool {
        std::mem::take(&mut self.is_shown)
    }

    /// Whether this frame is its first. Controls are left out of that one: a tip that is up would stay up over the help.
    pub(crate) fn begins(&mut self, context: &egui::Context) -> bool {
        let had_begun = std::mem::replace(&mut self.has_begun, self.is_shown);
        let begins = self.is_shown && !had_begun;
        if begins {
            context.request_repaint();
        }
        begins
    }

    /// Lays it out where it is shown, with the keys of the helm.
    pub(crate) fn lay_out(&mut self, context: &egui::Context, taken: (Steered, usize)) {
        if self.is_shown && show(context, taken) {
            self.is_shown = false;
        }
    }
}

/// Shows the overlay, with the keys of the helm; answers whether its button closes it, or a click beside it. What lies under it
/// is out of the pointer's reach meanwhile, so that no tip of a control comes up over it.
fn show(context: &egui::Context, taken: (Steered, usize)) -> bool {
    let mut closed = false;
    let screen = context.content_rect();
    let height = screen.height() - 46.0;
    let area = Area::new(Id::unique("help")).anchor(Align2::CENTER_CENTER, [0.0, 0.0]).order(Order::Foreground);
    let shade = Area::new(Id::unique("shade")).fixed_pos(screen.min).order(Order::Foreground);
    closed |= shade.show(context, |ui| ui.allocate_response(screen.size(), Sense::click()).clicked()).inner;
    let shown = area.show(context, |ui| {
        // An area starts at a default size and then keeps the last one: both would cut the list short.
        ui.set_max_size(egui::vec2(screen.width() - 10.0, height + 26.0));
        card::show(ui, |ui| {
            ScrollArea::vertical().max_height(height).show(ui, |ui| closed |= contents(ui, screen.width(), taken));
        });
    });
    context.move_to_top(shown.response.layer_id);
    closed
}

fn contents(ui: &mut Ui, width: f32, taken: (Steered, usize)) -> bool {
    let mut closed = false;
    let sections = sections(taken);
    let room = width - AROUND;
    let count = ((room + BETWEEN) / (COLUMN[0] + BETWEEN)).clamp(1.0, MOST_COLUMNS as f32) as usize;
    let column = ((room + BETWEEN) / count as f32 - BETWEEN).min(COLUMN[1]);
    ui.set_width(count as f32 * (column + BETWEEN) - BETWEEN);
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Keys and pointer").heading().color(theme::TEXT));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // Beside the bar that a small window has.
            ui.add_space(10.0);
            closed = ui.button("Close").clicked();
        });
    });
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = BETWEEN;
        for (index, columns) in columns(&sections, count).into_iter().enumerate() {
            ui.push_id(index, |ui| {
                ui.allocate_ui_with_layout(egui::vec2(column, 0.0), Layout::top_down(Align::Min), |ui| {
                    columns.iter().for_each(|shown| section(ui, shown, column));
                });
            });
        }
    });
    closed
}

/// The sections as they follow each other, in columns of like height.
fn columns(sections: &[Section], count: usize) -> Vec<&[Section]> {
    let height = |(_, rows): &Section| rows.len() as f32 + TITLE_ROWS;
    let all: f32 = sections.iter().map(height).sum();
    let mut above = 0.0;
    // A section stands in the column in which its middle would be, were they one strip cut in equal parts.
    let columns: Vec<usize> = sections
        .iter()
        .map(|section| {
            let middle = above + 0.5 * height(section);
            above += height(section);
            (middle / all * count as f32) as usize
        })
        .collect();
    let end = |column| columns.partition_point(|&other| other <= column);
    (0..count).map(|column| &sections[column.checked_sub(1).map_or(0, end)..end(column)]).collect()
}

/// Everything that there is to be pressed.
fn sections((steered, shots): (Steered, usize)) -> Vec<Section> {
    let owned = |&(what, help): &(&str, &'static str)| (what.to_owned(), help);
    let mut sections = Vec::new();
    // Keys that only a world has in which something is fired or steered.
    if shots > 0 {
        sections.push(("Cannon", vec![(format!("1 to {shots}"), "how heavy the ball is that a click fires")]));
    }
    if let Some((title, rows)) = steered.help() {
        sections.push((title, rows.iter().map(owned).collect()));
    }
    sections.extend(GROUPS.iter().map(|group| keys(group, (steered, shots))));
    sections.push(("Pointer", POINTER.iter().map(owned).collect()));
    sections
}

fn keys(group: &'static Group, (steered, shots): (Steered, usize)) -> Section {
    // What the helm takes means nothing else.
    let is_taken = |key: Stroke| steered.takes(key) || shot_of(key, shots).is_some();
    let is_idle = |binding: &&Binding| shots == 0 && binding.action == Action::Take(Tool::Fire);
    let taken = |binding: &&Binding| binding.keys.iter().all(|&key| is_taken(key));
    let rows = group.bindings.iter().filter(|binding| !taken(binding) && !is_idle(binding)).map(|binding| {
        let keys: Vec<String> = binding.keys.iter().map(|key| key.label()).collect();
        (keys.join(", "), binding.help)
    });
    (group.title, rows.collect())
}

fn section(ui: &mut Ui, (title, rows): &Section, width: f32) {
    ui.add_space(6.0);
    ui.label(RichText::new(*title).color(theme::BLUE).strong());
    for (what, help) in rows {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            cell(ui, KEYS, RichText::new(what).monospace().color(theme::TEXT));
            cell(ui, width - KEYS - GAP, RichText::new(*help).color(theme::SILVER));
        });
    }
}

/// Text in a width that it does not leave.
fn cell(ui: &mut Ui, width: f32, text: RichText) {
    ui.allocate_ui_with_layout(egui::vec2(width, 0.0), Layout::top_down(Align::Min), |ui| {
        ui.set_width(width);
        ui.label(text);
    });
}

#[cfg(test)]
mod tests {
    use egui::Vec2;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::*;

    /// The overlay in a window of a size.
    fn help(size: [f32; 2], taken: (Steered, usize)) -> Harness<'static, bool> {
        let builder = Harness::builder().with_size(Vec2::from(size)).with_context_setup(theme::dress);
        let mut help = builder.build_ui_state(move |ui, closed: &mut bool| *closed |= show(ui.ctx(), taken), false);
        help.run();
        help
    }

    #[test]
    fn columns_hold_every_section_once_and_in_order() {
        for taken in [(Steered::Nothing, 0), (Steered::Actors, 3)] {
            let sections = sections(taken);
            for count in 1..=MOST_COLUMNS {
                let columns = columns(&sections, count);
                assert_eq!((columns.len(), columns.concat()), (count, sections.clone()));
                assert!(columns.iter().all(|column| !column.is_empty()), "{count} columns");
            }
        }
    }

    #[test]
    fn new_windows_of_both_sizes_show_every_key_without_scrolling() {
        for size in [[1024.0, 690.0], [1280.0, 800.0]] {
            for taken in [(Steered::Nothing, 0), (Steered::Slopes, 0), (Steered::Actors, 0), (Steered::Nothing, 3)] {
                let help = help(size, taken);
                for (_, rows) in sections(taken) {
                    for (_, text) in rows {
                        // The same words may stand in two rows.
                        for label in help.get_all_by_label(text) {
                            let (low, right) = (label.rect().bottom(), label.rect().right());
                            assert!(
                                low < size[1] - 12.0 && right < size[0] - 12.0,
                                "{text} at {low}, {right} of {size:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn no_tip_comes_up_over_it_and_a_click_beside_it_closes_it() {
        let frame = |ui: &mut egui::Ui, help: &mut Help| {
            // At the window's edge, where the help does not reach.
            if !help.begins(ui.ctx()) {
                ui.button("press").on_hover_text("a tip");
            }
            help.lay_out(ui.ctx(), (Steered::Nothing, 0));
        };
        let builder = Harness::builder().with_size(Vec2::new(1600.0, 900.0)).with_context_setup(theme::dress);
        let mut window = builder.build_ui_state(frame, Help::default());
        window.get_by_label("press").hover();
        // Longer than a tip takes to come up.
        window.run_steps(60);
        assert!(window.query_by_label("a tip").is_some());
        window.state_mut().toggle();
        window.run_steps(60);
        assert!(window.query_by_label("a tip").is_none());
        assert!(window.state().is_shown);
        let beside = egui::pos2(30.0, 880.0);
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
            window.event(egui::Event::PointerMoved(beside));
            window.event(egui::Event::PointerButton { pos: beside, button, pressed, modifiers });
            window.run_steps(2);
        }
        assert!(!window.state().is_shown);
    }

    #[test]
    fn its_button_closes_it() {
        let mut help = help([1024.0, 690.0], (Steered::Nothing, 0));
        assert!(!*help.state());
        help.get_by_label("Close").click();
        help.run();
        assert!(*help.state());
    }
}
