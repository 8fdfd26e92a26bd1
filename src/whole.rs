//! Files that are written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use crate::{Error, Result};

/// Writes beside the file and renames, so that nobody ever reads half of it and a full disk leaves the old one.
///
/// # Errors
/// [`Error::File`] if the system refuses.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    try_write(path, bytes).map_err(|source| Error::File { path: path.into(), source })
}

fn try_write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it names no file"))?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.part", std::process::id()));
    let temporary = path.with_file_name(temporary);
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    let written = write();
    if written.is_err() {
        // The first failure is the one to report; there may be nothing to remove.
        let _ = fs::remove_file(&temporary);
    }
    written
}
