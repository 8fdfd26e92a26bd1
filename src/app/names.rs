//! Names of the files that the window writes: numbered, so that none takes another's place.

use std::path::{Path, PathBuf};

/// A file of `folder` that is not there yet: `STEM-1.EXTENSION` and on.
pub(crate) fn free_path(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    let numbered = (1..).map(|number: u64| folder.join(format!("{stem}-{number}.{extension}")));
    let mut free = numbered.skip_while(|path| path.exists());
    free.next().expect("there are more numbers than files")
}

/// A title as every system takes it for a file's name: letters and digits, and strokes for all else.
pub(crate) fn stem_of(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let stem: String = words.collect::<Vec<_>>().join("-").chars().take(60).collect();
    if stem.is_empty() { "ballpit".into() } else { stem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_no_others_place() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(free_path(folder.path(), "ballpit", "png"), folder.path().join("ballpit-1.png"));
        std::fs::write(folder.path().join("ballpit-1.png"), "mine").unwrap();
        assert_eq!(free_path(folder.path(), "ballpit", "png"), folder.path().join("ballpit-2.png"));
    }

    #[test]
    fn a_title_becomes_a_name_that_leaves_no_folder() {
        for (title, stem) in [
            ("Pile of seventy", "Pile-of-seventy"),
            ("../../etc/passwd", "etc-passwd"),
            ("Größe: 3 µm", "Größe-3-µm"),
            ("C:\\x\0", "C-x"),
            ("...", "ballpit"),
        ] {
            assert_eq!(stem_of(title), stem);
        }
        assert_eq!(stem_of(&"ß".repeat(200)).chars().count(), 60);
    }
}
