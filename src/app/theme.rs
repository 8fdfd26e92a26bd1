//! How the interface looks: dark, restrained, crisp.

use egui::{Color32, CornerRadius, FontId, Shadow, Stroke, Style, TextStyle, Theme, Vec2, Visuals};

/// Text to read first.
pub(crate) const TEXT: Color32 = Color32::from_rgb(235, 238, 242);
/// Text to read second.
pub(crate) const SILVER: Color32 = Color32::from_rgb(168, 176, 188);
/// Text to read when looked for.
pub(crate) const GREY: Color32 = Color32::from_rgb(128, 137, 150);
/// What is unusual.
pub(crate) const AMBER: Color32 = Color32::from_rgb(240, 172, 52);
/// What went wrong.
pub(crate) const RED: Color32 = Color32::from_rgb(242, 120, 100);
/// What is chosen.
pub(crate) const BLUE: Color32 = Color32::from_rgb(86, 180, 233);
/// Behind the panel and the help.
pub(crate) const CARD: Color32 = Color32::from_rgb(21, 25, 32);

const FIELD: Color32 = Color32::from_rgb(33, 39, 49);
const HOVERED: Color32 = Color32::from_rgb(45, 53, 66);
/// Around them.
pub(crate) const LINE: Color32 = Color32::from_rgb(48, 55, 67);

/// Dresses the interface.
pub(crate) fn dress(context: &egui::Context) {
    context.set_theme(Theme::Dark);
    context.options_mut(|options| options.zoom_with_keyboard = false);
    context.all_styles_mut(|style| {
        text(style);
        space(style);
        style.visuals = visuals();
    });
}

fn text(style: &mut Style) {
    let sizes = [
        (TextStyle::Heading, FontId::proportional(16.0)),
        (TextStyle::Body, FontId::proportional(13.5)),
        (TextStyle::Button, FontId::proportional(13.5)),
        (TextStyle::Small, FontId::proportional(11.5)),
        (TextStyle::Monospace, FontId::monospace(12.5)),
    ];
    style.text_styles = sizes.into();
    style.interaction.selectable_labels = false;
    style.interaction.tooltip_delay = 0.4;
}

fn space(style: &mut Style) {
    style.spacing.item_spacing = Vec2::new(8.0, 6.0);
    style.spacing.button_padding = Vec2::new(8.0, 3.0);
    style.spacing.interact_size = Vec2::new(32.0, 22.0);
    // A bar that only the pointer brings to sight does not say that there is more.
    style.spacing.scroll.dormant_handle_opacity = 0.6;
    // A list that opens is as high as it needs, and not as an area is at first.
    style.spacing.default_area_size.y = 2_000.0;
    style.spacing.slider_width = 146.0;
    style.spacing.slider_rail_height = 4.0;
    style.spacing.tooltip_width = 280.0;
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    let widget = |state: &mut egui::style::WidgetVisuals, fill, line, text| {
        (state.bg_fill, state.weak_bg_fill) = (fill, fill);
        state.bg_stroke = Stroke::new(1.0, line);
        state.fg_stroke = Stroke::new(1.0, text);
        state.corner_radius = CornerRadius::same(4);
        state.expansion = 0.0;
    };
    let widgets = &mut visuals.widgets;
    widget(&mut widgets.noninteractive, FIELD, LINE, SILVER);
    widget(&mut widgets.inactive, FIELD, Color32::TRANSPARENT, TEXT);
    widget(&mut widgets.hovered, HOVERED, LINE, TEXT);
    widget(&mut widgets.active, HOVERED, BLUE, TEXT);
    widget(&mut widgets.open, HOVERED, LINE, TEXT);
    visuals.selection.bg_fill = Color32::from_rgb(30, 84, 122);
    visuals.selection.stroke = Stroke::new(1.0, TEXT);
    visuals.slider_trailing_fill = true;
    visuals.weak_text_color = Some(GREY);
    visuals.window_fill = CARD;
    visuals.panel_fill = CARD;
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.window_shadow = Shadow::NONE;
    visuals.popup_shadow = Shadow { offset: [0, 4], blur: 12, spread: 0, color: Color32::from_black_alpha(120) };
    visuals.extreme_bg_color = Color32::from_rgb(14, 17, 22);
    visuals.error_fg_color = RED;
    visuals.warn_fg_color = AMBER;
    visuals
}
