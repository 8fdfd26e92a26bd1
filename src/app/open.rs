//! The window that opens files: those of the present folder, and any by its path.

use std::path::{Path, PathBuf};

use ballpit::{Recording, Snapshot};
use egui::{Align2, Area, Id, Key, Order, RichText, ScrollArea, Ui};

use super::{card, path_field, theme};

/// What the dialog knows while it is shown.
#[derive(Debug, Default)]
pub(crate) struct OpenFile {
    is_shown: bool,
    /// Whether it has just been shown, so that the field is to have the keyboard.
    is_new: bool,
    files: Vec<PathBuf>,
    path: String,
    /// Why the file that was chosen last could not be opened.
    trouble: Option<String>,
}

/// Endings of what can be opened.
const ENDINGS: [&str; 3] = ["toml", Snapshot::EXTENSION, Recording::EXTENSION];
/// Files that are listed at most: a folder may hold very many.
const MOST_FILES: usize = 200;

impl OpenFile {
    /// Shows the dialog with what lies in `folder`, or hides it.
    pub(crate) fn toggle(&mut self, folder: &Path) {
        let is_shown = !self.is_shown;
        *self = Self { is_shown, is_new: is_shown, files: files_of(folder), ..Self::default() };
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// Takes in what came of the file that was chosen: trouble stays in sight, with the path to be mended.
    pub(crate) fn settle(&mut self, trouble: Option<String>) {
        (self.is_shown, self.is_new, self.trouble) = (trouble.is_some(), true, trouble);
    }

    /// Hides it; whether it was shown.
    pub(crate) fn hide(&mut self) -> bool {
        std::mem::take(&mut self.is_shown)
    }

    /// Lays the dialog out, if it is shown; answers with the file that is to be opened. [`OpenFile::settle`] hears of it.
    pub(crate) fn show(&mut self, context: &egui::Context) -> Option<PathBuf> {
        if !self.is_shown {
            return None;
        }
        // While the field has the keyboard, no key of the world closes it.
        let (mut chosen, mut closed) = (None, context.input(|input| input.key_pressed(Key::Escape)));
        let height = context.content_rect().height() - 180.0;
        let area = Area::new(Id::unique("open")).anchor(Align2::CENTER_CENTER, [0.0, 0.0]).order(Order::Foreground);
        area.show(context, |ui| {
            card::show(ui, |ui| {
                ui.set_width(420.0);
                ui.horizontal(|ui| {
                    ui.label(RichText::new("Open a file").heading().color(theme::TEXT));
                    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                        closed |= ui.button("Close").clicked();
                    });
                });
                chosen = self.typed(ui);
                if let Some(trouble) = &self.trouble {
                    ui.label(RichText::new(trouble).color(theme::RED));
                }
                ScrollArea::vertical().max_height(height).show(ui, |ui| chosen = self.listed(ui).or(chosen.take()));
            });
        });
        self.is_shown = !closed;
        chosen
    }

    fn typed(&mut self, ui: &mut Ui) -> Option<PathBuf> {
        let (field, path) = path_field::show(ui, &mut self.path, "path of a file");
        if std::mem::take(&mut self.is_new) {
            field.request_focus();
        }
        path
    }

    fn listed(&self, ui: &mut Ui) -> Option<PathBuf> {
        if self.files.is_empty() {
            let endings = ENDINGS.map(|ending| format!("*.{ending}")).join(", ");
            ui.label(RichText::new(format!("This folder has no {endings}.")).color(theme::GREY));
        }
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let clicked = self.files.iter().filter(|path| ui.selectable_label(false, name(path)).clicked());
        clicked.last().cloned()
    }
}

/// What of a folder can be opened, by name.
fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let can_be_opened = |path: &PathBuf| {
        path.is_file() && ENDINGS.iter().any(|&ending| path.extension().is_some_and(|extension| extension == ending))
    };
    let mut files: Vec<PathBuf> = entries.filter(can_be_opened).collect();
    files.sort();
    files.truncate(MOST_FILES);
    files
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::*;

    /// What the dialog has asked for.
    type Asked = (OpenFile, Vec<PathBuf>);

    fn dialog(folder: &Path) -> Harness<'static, Asked> {
        let mut open = OpenFile::default();
        open.toggle(folder);
        let frame = |ui: &mut Ui, (open, asked): &mut Asked| asked.extend(open.show(ui.ctx()));
        let mut dialog = Harness::builder().build_ui_state(frame, (open, Vec::new()));
        dialog.run();
        dialog
    }

    fn enter(dialog: &mut Harness<Asked>, text: &str) {
        dialog.event(egui::Event::Text(text.into()));
        dialog.run();
        dialog.key_press(Key::Enter);
        dialog.run();
    }

    #[test]
    fn what_cannot_be_opened_stays_with_its_reason_until_another_path_opens() {
        let mut dialog = dialog(Path::new("/nowhere"));
        enter(&mut dialog, "bad");
        assert_eq!(dialog.state().1, [Path::new("bad")]);
        dialog.state_mut().0.settle(Some("there is no such file".into()));
        dialog.run();
        dialog.get_by_label("there is no such file");
        // The field has the keyboard again, with the path that was typed.
        enter(&mut dialog, "ly");
        assert_eq!(dialog.state().1, [Path::new("bad"), Path::new("badly")]);
        dialog.state_mut().0.settle(None);
        assert!(!dialog.state().0.is_shown());
    }

    #[test]
    fn escape_closes_the_dialog_though_its_field_has_the_keyboard() {
        let mut dialog = dialog(Path::new("/nowhere"));
        dialog.event(egui::Event::Text("half a pa".into()));
        dialog.run();
        dialog.key_press(Key::Escape);
        dialog.run();
        assert!(!dialog.state().0.is_shown() && dialog.state().1.is_empty());
    }

    #[test]
    fn only_what_can_be_opened_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.toml", "a.ballpit", "c.recording", "d.png", "e", "toml"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("f.toml")).unwrap();
        let names: Vec<_> = files_of(folder.path()).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["a.ballpit", "b.toml", "c.recording"]);
        assert!(files_of(&folder.path().join("missing")).is_empty());
    }
}
