//! A field for a file's path, with a button that opens it.

use std::path::PathBuf;

use egui::{Key, Response, TextEdit, Ui};

/// Shows the field; answers with it, and with the path once that is entered.
pub(crate) fn show(ui: &mut Ui, path: &mut String, hint: &str) -> (Response, Option<PathBuf>) {
    let row = ui.horizontal(|ui| {
        let field = TextEdit::singleline(path).hint_text(hint);
        let field = ui.add(field.desired_width(ui.available_width() - 58.0));
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let tip = "Starts a scene file or a saved world, or plays a recording";
        let pressed = ui.button("Open").on_hover_text(tip).clicked();
        (field, entered || pressed)
    });
    let (field, is_chosen) = row.inner;
    let path = path.trim();
    (field, (is_chosen && !path.is_empty()).then(|| path.into()))
}
