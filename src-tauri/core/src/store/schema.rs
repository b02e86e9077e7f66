//! Opening the file: pragmas, the schema's version, migrations and the copy
//! that is made before them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::backup::Backup;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::{StoreError, damage};

/// One file a change, in order; the n-th leads to schema n. Never edited once
/// released.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_first.sql"),
    include_str!("migrations/0002_documents.sql"),
    include_str!("migrations/0003_handlers.sql"),
];

/// How long one process waits for another that writes.
const BUSY: Duration = Duration::from_secs(10);

/// The connection that writes and the one that reads, on a file brought to
/// `migrations`. A damaged file is set aside and named; the next opening makes a new
/// one.
///
/// # Errors
/// [`StoreError::Damaged`] and those of [`super::Store::open`].
pub(super) fn open(
    path: &Path,
    migrations: &[&str],
) -> Result<(Connection, Connection), StoreError> {
    let opened = damage::look(path)
        .map_err(|source| StoreError::Open {
            path: path.to_owned(),
            source,
        })
        .and_then(|()| open_sound(path, migrations));
    match opened {
        Err(StoreError::Open { source, .. } | StoreError::Migrate { source, .. })
            if damage::is_damage(&source) =>
        {
            let known = u32::try_from(migrations.len()).unwrap_or(u32::MAX);
            Err(StoreError::Damaged {
                aside: damage::set_aside(path)?,
                copy: damage::newest_copy(path, known),
                source,
            })
        }
        other => other,
    }
}

fn open_sound(path: &Path, migrations: &[&str]) -> Result<(Connection, Connection), StoreError> {
    let mut writer = connect(path)?;
    migrate(path, &mut writer, migrations)?;
    let reader = connect(path)?;
    reader.pragma_update(None, "query_only", true)?;
    Ok((writer, reader))
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let failed = |source| StoreError::Open {
        path: path.to_owned(),
        source,
    };
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(failed)?;
    connection.busy_timeout(BUSY).map_err(failed)?;
    use_wal(&connection).map_err(failed)?;
    connection
        .pragma_update(None, "synchronous", "NORMAL")
        .map_err(failed)?;
    connection
        .pragma_update(None, "foreign_keys", true)
        .map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Switching a new file to WAL needs it alone, and SQLite does not wait for
/// that: two processes that start at once would see `SQLITE_BUSY`.
fn use_wal(connection: &Connection) -> rusqlite::Result<()> {
    let deadline = Instant::now() + BUSY;
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())) {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && Instant::now() < deadline =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            result => return result,
        }
    }
}

fn migrate(
    path: &Path,
    connection: &mut Connection,
    migrations: &[&str],
) -> Result<(), StoreError> {
    let known = u32::try_from(migrations.len()).unwrap_or(u32::MAX);
    if refuse_newer(path, connection, known)? == known {
        return Ok(());
    }
    // Rebuilding a table drops it, which must not cascade; what the migration
    // leaves is checked before it is committed. No effect inside a transaction.
    connection.pragma_update(None, "foreign_keys", false)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have migrated while this one waited.
    let found = refuse_newer(path, &transaction, known)?;
    if found > 0 && found < known {
        back_up(path, found)?;
    }
    for (version, sql) in (1..).zip(migrations).skip(found as usize) {
        transaction
            .execute_batch(sql)
            .and_then(|()| transaction.pragma_update(None, "user_version", version))
            .map_err(|source| StoreError::Migrate { version, source })?;
    }
    transaction
        .query_row("PRAGMA foreign_key_check", [], |_| Ok(()))
        .map_or_else(
            |error| match error {
                rusqlite::Error::QueryReturnedNoRows => Ok(()),
                source => Err(source),
            },
            |()| Err(rusqlite::Error::ExecuteReturnedResults),
        )
        .map_err(|source| StoreError::Migrate {
            version: known,
            source,
        })?;
    transaction.commit()?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(())
}

fn refuse_newer(path: &Path, connection: &Connection, known: u32) -> Result<u32, StoreError> {
    let found = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|source| StoreError::Open {
            path: path.to_owned(),
            source,
        })?;
    if found > known {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found,
            known,
        });
    }
    Ok(found)
}

/// Where the copy of a file with schema `found` lies.
pub(super) fn backup_path(path: &Path, found: u32) -> PathBuf {
    beside(path, &format!(".before-schema-{}", found + 1))
}

/// Copies the file through a connection of its own: the caller's holds the
/// write lock, so the copy is of exactly what is about to be migrated.
fn back_up(path: &Path, found: u32) -> Result<(), StoreError> {
    let target = backup_path(path, found);
    let unfinished = beside(path, ".backup-unfinished");
    let file_failed = |source| StoreError::File {
        path: unfinished.clone(),
        source,
    };
    match std::fs::remove_file(&unfinished) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(file_failed(error));
        }
        _ => {}
    }
    let copy = || -> rusqlite::Result<()> {
        let source = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        source.busy_timeout(BUSY)?;
        let mut copy = Connection::open(&unfinished)?;
        Backup::new(&source, &mut copy)?.run_to_completion(1024, Duration::ZERO, None)
    };
    copy().map_err(|source| StoreError::Backup {
        path: target.clone(),
        source,
    })?;
    std::fs::rename(&unfinished, &target).map_err(file_failed)
}

/// `berth.db` with something after its name.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
