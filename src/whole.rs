//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{Error, Result};

/// Bytes between two questions whether to go on.
const CHUNK: usize = 1 << 20;

/// Writes beside the file and renames, so that nobody ever reads half of it and a full disk leaves the old one.
///
/// # Errors
/// [`Error::File`] if the system refuses.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    write_while(path, bytes, || Ok(()))
}

/// As [`write_whole`], for as long as nothing speaks against it: what `go_on` refuses, asked now and then, leaves nothing.
///
/// # Errors
/// [`Error::File`] if the system refuses, or what `go_on` says.
pub fn write_while<E: From<Error>>(
    path: &Path,
    bytes: &[u8],
    go_on: impl Fn() -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let failed = |source: io::Error| E::from(Error::File { path: path.into(), source });
    let temporary = temporary(path).map_err(failed)?;
    let write = || {
        let mut file = File::create(&temporary).map_err(failed)?;
        for chunk in bytes.chunks(CHUNK) {
            go_on()?;
            file.write_all(chunk).map_err(failed)?;
        }
        file.sync_all().map_err(failed)?;
        fs::rename(&temporary, path).map_err(failed)
    };
    let written = write();
    if written.is_err() {
        // The first failure is the one to report; there may be nothing to remove.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A file beside `path` that nobody else writes, with a name that is never too long.
fn temporary(path: &Path) -> io::Result<PathBuf> {
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    if path.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file"));
    }
    let (process, number) = (std::process::id(), WRITTEN.fetch_add(1, Ordering::Relaxed));
    Ok(path.with_file_name(format!(".ballpit.{process}.{number}.part")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_on_the_way_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        // As long as a name may be.
        let path = folder.path().join("n".repeat(255));
        write_whole(&path, b"old").unwrap();
        let refused = Error::Device { reason: "Ctrl-C".into() };
        let told = std::cell::Cell::new(Some(refused));
        let written = write_while(&path, &[7; 3 * CHUNK], || told.take().map_or(Ok(()), Err));
        assert!(matches!(written, Err(Error::Device { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        write_while(&path, &[7; 3 * CHUNK], || Ok::<(), Error>(())).unwrap();
        assert_eq!(fs::read(&path).unwrap(), [7; 3 * CHUNK]);
        assert!(write_whole(Path::new("/"), b"").is_err());
    }
}
