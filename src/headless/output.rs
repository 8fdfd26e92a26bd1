//! Files that a run leaves: promised before it starts, written whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use ballpit::{Error, Recording, Snapshot};

use super::{Stop, interrupt};

/// Refuses a file that can't be written, or must not be, before the run is made for nothing.
///
/// # Errors
/// [`Error::Value`] naming the flag and what to do.
pub(super) fn promise(flag: &str, path: &Path, force: bool) -> Result<(), Error> {
    let refused = |what: &str, accepted: String| {
        let value = format!("'{}'{what}", path.display());
        Err(Error::Value { name: flag.into(), value, accepted })
    };
    if path.file_name().is_none() || path.to_string_lossy().ends_with(std::path::is_separator) {
        return refused("", "a file's name".into());
    }
    let folder = folder(path);
    if !folder.is_dir() {
        return refused("", format!("in a folder that exists (make '{}' first)", folder.display()));
    }
    if let Some(accepted) = wrong_ending(flag, path) {
        return refused("", accepted.into());
    }
    // A link that leads nowhere exists, too.
    match fs::metadata(path).or_else(|_| fs::symlink_metadata(path)) {
        Ok(meta) if !meta.is_file() && !meta.is_symlink() => {
            refused(", which is no plain file", "a plain file's name".into())
        }
        Ok(_) if !force => refused(", which exists", "a new file's name, unless you add --force".into()),
        _ => try_out(path).map_err(|source| Error::File { path: path.into(), source }),
    }
}

/// What a flag's file must end in, if it ends otherwise: its name would tell another kind of file than it holds.
fn wrong_ending(flag: &str, path: &Path) -> Option<&'static str> {
    let ends_in = |ending: &str| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(ending));
    let (fits, accepted) = match flag {
        "--png" => (ends_in("png"), "a name that ends in .png"),
        "--trace" => (ends_in("json"), "a name that ends in .json"),
        "--record" => (ends_in(Recording::EXTENSION), "a name that ends in .recording"),
        "--out" => (
            path.extension().is_none() || ends_in("csv") || ends_in(Snapshot::EXTENSION),
            "a name that ends in .csv for a table, or in .ballpit for a saved world; --png draws a picture",
        ),
        _ => (true, ""),
    };
    (!fits).then_some(accepted)
}

/// Refuses a folder that holds something already.
///
/// # Errors
/// [`Error::Value`] naming the flag and what to do.
pub(super) fn promise_folder(flag: &str, path: &Path, force: bool) -> Result<(), Error> {
    let refused = |what: &str, accepted: &str| {
        let value = format!("'{}'{what}", path.display());
        Err(Error::Value { name: flag.into(), value, accepted: accepted.into() })
    };
    match fs::read_dir(path).map(|entries| entries.count()) {
        Ok(1..) if !force => refused(", which holds something", "an empty folder or a new one, unless you add --force"),
        Err(_) if fs::symlink_metadata(path).is_ok() => refused("", "a folder that can be read, or a new one"),
        _ => Ok(()),
    }
}

/// A file on its way, which takes its name only once it is whole.
pub(super) struct Pending {
    path: PathBuf,
    temporary: PathBuf,
    is_kept: bool,
}

impl Pending {
    /// A file that will be `path`.
    pub(super) fn new(path: &Path) -> Result<Self, Error> {
        // Beside the one that other files are written to meanwhile.
        let temporary = temporary(path).with_extension("pending");
        let pending = Self { path: path.into(), temporary, is_kept: false };
        File::create(&pending.temporary).map_err(|source| pending.error(source))?;
        Ok(pending)
    }

    /// What writes to it.
    pub(super) fn writer(&self) -> Result<impl io::Write + 'static, Error> {
        let file = File::options().append(true).open(&self.temporary).map_err(|source| self.error(source))?;
        Ok(io::BufWriter::new(file))
    }

    /// Makes an error of what the system says of the file.
    pub(super) fn failed(&self) -> impl Fn(io::Error) -> Stop + use<'_> {
        |source| Stop::Failed(self.error(source))
    }

    fn error(&self, source: io::Error) -> Error {
        Error::File { path: self.path.clone(), source }
    }

    /// Gives it its name, once all is written.
    pub(super) fn keep(mut self) -> Result<(), Stop> {
        let synced = File::open(&self.temporary).and_then(|file| file.sync_all());
        synced.and_then(|()| fs::rename(&self.temporary, &self.path)).map_err(self.failed())?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.is_kept {
            // There may be nothing to remove.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Whether the file can be made: not in a folder that is read-only, nor with a name that the system refuses.
fn try_out(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let temporary = temporary(path);
    File::create(&temporary)?;
    fs::remove_file(temporary)
}

/// The file beside `path` that is renamed to it, with a name that is never too long.
fn temporary(path: &Path) -> PathBuf {
    folder(path).join(format!(".ballpit.{}.part", std::process::id()))
}

fn folder(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).into()
}

/// Writes a file whole or not at all; Ctrl-C leaves nothing.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Stop> {
    ballpit::write_while(path, bytes, interrupt::check)
}
