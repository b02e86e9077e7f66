//! A store that cannot be read any more: told apart from one that is merely busy or
//! newer, and set aside, never overwritten.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::StoreError;
use super::schema::beside;

/// What SQLite keeps beside the file.
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];
/// There while damage is suspected.
const SUSPECTED: &str = "-suspected";
/// How many damaged files are told apart.
const MOST: u32 = 1000;

/// Whether an error means that the file's content cannot be understood.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
    )
}

/// Notes that a query met damage: a glance does not find it, so the next opening
/// reads every page.
pub(super) fn suspect(path: &Path) {
    if let Err(error) = File::create(beside(path, SUSPECTED)) {
        tracing::warn!(%error, "the damage of the store cannot be noted");
    }
}

/// Holds for a file that can be read from its beginning to its end: as far as a
/// glance tells, and page by page when a query met damage before. One that is not
/// there, or empty and new, will be made.
///
/// # Errors
/// SQLite's own word for what is wrong.
pub(super) fn look(path: &Path) -> rusqlite::Result<()> {
    if is_cut_short(path) {
        return Err(damage("the file ends before its last page"));
    }
    if is_emptied(path) {
        return Err(damage("the file is empty, and was not"));
    }
    if !path.exists() {
        return Ok(());
    }
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    let suspected = beside(path, SUSPECTED);
    if suspected.exists() {
        let found: String =
            connection.pragma_query_value(None, "integrity_check", |row| row.get(0))?;
        if found != "ok" {
            return Err(damage(&found));
        }
        // What could not be removed is looked for again.
        let _ = fs::remove_file(suspected);
    }
    Ok(())
}

fn damage(what: &str) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(
        rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT),
        Some(what.to_owned()),
    )
}

/// Whether a file that was a store once holds nothing. A new one is empty, too, until
/// something is written; but then nothing was ever told to other processes.
fn is_emptied(path: &Path) -> bool {
    let length = |path: &Path| fs::metadata(path).map(|it| it.len());
    // In this order: another process may be making the file. Once the bell is there
    // something was committed; it is in the log, and what leaves that is in the file.
    beside(path, super::BELL).exists()
        && !length(&beside(path, "-wal")).is_ok_and(|length| length > 0)
        && length(path).is_ok_and(|length| length == 0)
}

/// Whether the file has fewer pages than its header says, with nothing in the
/// write-ahead log that could hold them. Source: <https://www.sqlite.org/fileformat.html>,
/// "The Database Header" (offsets 16, 24, 28 and 92).
fn is_cut_short(path: &Path) -> bool {
    let written_ahead = || fs::metadata(beside(path, "-wal")).is_ok_and(|it| it.len() > 0);
    let before = written_ahead();
    let mut header = [0_u8; 100];
    let read = File::open(path).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.read_exact(&mut header)?;
        Ok(length)
    });
    let Ok(length) = read else {
        return false;
    };
    let at = |offset: usize| {
        u64::from(u32::from_be_bytes([
            header[offset],
            header[offset + 1],
            header[offset + 2],
            header[offset + 3],
        ]))
    };
    let page_size = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    // The number of pages counts when it was written with the last change.
    let pages_are_known = at(24) == at(92);
    // Before and after: another process may write meanwhile.
    !before && pages_are_known && length < at(28) * page_size && !written_ahead()
}

/// Gives a damaged file another name, once, however many processes find it. Gives
/// back the name; `None`: another process was quicker, or it is not damaged any
/// more.
///
/// # Errors
/// [`StoreError::File`].
pub(super) fn set_aside(path: &Path) -> Result<Option<PathBuf>, StoreError> {
    let failed = |source| StoreError::File {
        path: path.to_owned(),
        source,
    };
    let lock = File::options()
        .create(true)
        .write(true)
        .truncate(false)
        .open(beside(path, "-damaged.lock"))
        .map_err(failed)?;
    lock.lock().map_err(failed)?;
    if !look(path).is_err_and(|error| is_damage(&error)) {
        return Ok(None);
    }
    let aside = (1..MOST)
        .map(|number| beside(path, &format!(".damaged-{number}")))
        .find(|aside| !aside.exists())
        .ok_or_else(|| failed(io::Error::from(io::ErrorKind::AlreadyExists)))?;
    for companion in COMPANIONS {
        match fs::rename(beside(path, companion), beside(&aside, companion)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    fs::rename(path, &aside).map_err(failed)?;
    // The next file is not suspected.
    let _ = fs::remove_file(beside(path, SUSPECTED));
    let _ = fs::remove_file(beside(path, super::BELL));
    Ok(Some(aside))
}

/// The newest copy that was made before a migration.
pub(super) fn newest_copy(path: &Path, known: u32) -> Option<PathBuf> {
    (1..known)
        .rev()
        .map(|found| super::schema::backup_path(path, found))
        .find(|copy| copy.exists())
}
