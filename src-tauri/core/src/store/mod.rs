//! What is remembered: one SQLite file.
//!
//! Every table family has its module of plain functions. Those that change
//! something take a [`Transaction`] and append their event in it, so that a
//! reader that follows the events never misses a change and never hears of one
//! that was rolled back.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::{oneshot, watch};

pub(crate) mod activity;
pub(crate) mod addresses;
mod columns;
mod damage;
pub(crate) mod documents;
pub(crate) mod environments;
mod error;
pub(crate) mod events;
pub(crate) mod handlers;
pub(crate) mod inventory;
pub(crate) mod manifest_types;
pub(crate) mod operations;
pub(crate) mod ports;
mod schema;
pub(crate) mod secret_bundles;
pub(crate) mod services;
pub(crate) mod settings;
pub(crate) mod snapshot;
pub(crate) mod users;
pub(crate) mod workspaces;

pub(crate) use error::StoreError;

use crate::settings::ACTIVITY_DAYS;

/// How long torn-down environments and events are kept, milliseconds.
pub(crate) const KEPT: i64 = 14 * 24 * 60 * 60 * 1000;

/// Of the file that is written to after every commit, after the store's name.
const BELL: &str = "-changed";

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// The store, opened. Cheap to clone; the file is closed with the last clone.
#[derive(Clone)]
pub(crate) struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    writes: mpsc::Sender<Job>,
    reads: mpsc::Sender<Job>,
    /// Number of the last event that this process committed.
    committed: watch::Sender<i64>,
    bell: Arc<Bell>,
    path: PathBuf,
}

/// How other processes learn of a commit: a file beside the store that is
/// written to after it. The write-ahead log will not do: it is written *before*
/// the commit can be seen, so a follower could look too early, see nothing, and
/// never be woken again.
struct Bell {
    path: PathBuf,
    file: File,
}

impl Bell {
    fn beside(store: &Path) -> Result<Self, StoreError> {
        let path = schema::beside(store, BELL);
        match File::options()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&path)
        {
            Ok(file) => Ok(Self { path, file }),
            Err(source) => Err(StoreError::File { path, source }),
        }
    }

    fn ring(&self) {
        let mut file = &self.file;
        if let Err(error) = file.rewind().and_then(|()| file.write_all(b"!")) {
            tracing::warn!(%error, "other processes cannot be told of a change");
        }
    }
}

impl Store {
    /// Opens the file, making or migrating it as needed. Two processes may do
    /// so at once. The folder has to exist.
    ///
    /// # Errors
    /// [`StoreError::Newer`], [`StoreError::Open`], [`StoreError::Backup`],
    /// [`StoreError::Migrate`].
    pub(crate) async fn open(path: &Path) -> Result<Self, StoreError> {
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || {
            let (writer, reader) = schema::open(&path, schema::MIGRATIONS)?;
            let committed = watch::Sender::new(events::last(&writer)?);
            let shared = Shared {
                bell: Arc::new(Bell::beside(&path)?),
                writes: work_on(writer, "store-writes", &path)?,
                reads: work_on(reader, "store-reads", &path)?,
                committed,
                path,
            };
            Ok(Self {
                shared: Arc::new(shared),
            })
        })
        .await
        .unwrap_or(Err(StoreError::Closed))
    }

    /// Runs `f` in one transaction that writes. Once begun it is finished, also
    /// when the caller no longer waits. A power cut may lose the last moments of
    /// what was written this way, never more and never in part.
    ///
    /// # Errors
    /// Those of `f`, whose changes are then rolled back; trouble with the file.
    pub(crate) async fn write<R: Send + 'static>(
        &self,
        f: impl FnOnce(&Transaction<'_>) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<R, StoreError> {
        self.change(false, f).await
    }

    /// [`Store::write`], on disk when it returns: for what has to be known after
    /// a power cut, before anything is made elsewhere.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub(crate) async fn write_durably<R: Send + 'static>(
        &self,
        f: impl FnOnce(&Transaction<'_>) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<R, StoreError> {
        self.change(true, f).await
    }

    async fn change<R: Send + 'static>(
        &self,
        durably: bool,
        f: impl FnOnce(&Transaction<'_>) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<R, StoreError> {
        let committed = self.shared.committed.clone();
        let bell = self.shared.bell.clone();
        self.run(&self.shared.writes, move |connection| {
            let level = if durably { "FULL" } else { "NORMAL" };
            connection.pragma_update(None, "synchronous", level)?;
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let before = events::last(&transaction)?;
            let result = f(&transaction)?;
            let after = events::last(&transaction)?;
            transaction.commit()?;
            if after > before {
                committed.send_replace(after);
                bell.ring();
            }
            Ok(result)
        })
        .await
    }

    /// Runs `f` in one transaction that reads: all its queries see the same
    /// moment.
    ///
    /// # Errors
    /// Those of `f`; trouble with the file.
    pub(crate) async fn read<R: Send + 'static>(
        &self,
        f: impl FnOnce(&Connection) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<R, StoreError> {
        self.run(&self.shared.reads, move |connection| {
            f(&*connection.transaction()?)
        })
        .await
    }

    async fn run<R: Send + 'static>(
        &self,
        jobs: &mpsc::Sender<Job>,
        f: impl FnOnce(&mut Connection) -> Result<R, StoreError> + Send + 'static,
    ) -> Result<R, StoreError> {
        let path = self.shared.path.clone();
        run(jobs, move |connection| {
            f(connection).inspect_err(|error| {
                if matches!(error, StoreError::Sqlite(error) if damage::is_damage(error)) {
                    damage::suspect(&path);
                }
            })
        })
        .await
    }

    /// Number of the last event that this process committed, as it grows.
    pub(crate) fn committed(&self) -> watch::Receiver<i64> {
        self.shared.committed.subscribe()
    }

    /// The file that is written to after every commit of any process.
    pub(crate) fn bell(&self) -> &Path {
        &self.shared.bell.path
    }
}

/// Starts the thread that owns a connection; it ends with the last sender.
fn work_on(
    mut connection: Connection,
    name: &str,
    path: &Path,
) -> Result<mpsc::Sender<Job>, StoreError> {
    let (jobs, queue) = mpsc::channel::<Job>();
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || {
            for job in queue {
                job(&mut connection);
            }
        })
        .map_err(|source| StoreError::File {
            path: path.to_owned(),
            source,
        })?;
    Ok(jobs)
}

async fn run<R: Send + 'static>(
    jobs: &mpsc::Sender<Job>,
    f: impl FnOnce(&mut Connection) -> Result<R, StoreError> + Send + 'static,
) -> Result<R, StoreError> {
    let (done, result) = oneshot::channel();
    jobs.send(Box::new(move |connection| {
        // Nobody waits any more: the work was done all the same.
        let _ = done.send(f(connection));
    }))
    .map_err(|_| StoreError::Closed)?;
    result.await.unwrap_or(Err(StoreError::Closed))
}

/// A new id: 12 letters and digits (60 random bits), the same in lower case
/// everywhere and without look-alikes. A short prefix tells two apart.
pub(crate) fn new_id(connection: &Connection) -> Result<String, StoreError> {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let random: [u8; 12] = connection
        .prepare_cached("SELECT randomblob(12)")?
        .query_row([], |row| row.get(0))?;
    Ok(random
        .iter()
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect())
}

/// Removes what is older than [`KEPT`]: torn-down environments with their
/// operations, and events; and activity that is older than it is to be kept. For
/// whoever owns the work.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn prune(tx: &Transaction<'_>, now: i64) -> Result<(), StoreError> {
    let before = now - KEPT;
    tx.execute("DELETE FROM environments WHERE torn_down_at < ?1", [before])?;
    tx.execute("DELETE FROM events WHERE at < ?1", [before])?;
    let days = settings::get(tx, &settings::ACTIVITY_DAYS)?.unwrap_or(ACTIVITY_DAYS);
    let since = now - i64::from(days) * 24 * 60 * 60 * 1000;
    tx.execute("DELETE FROM activity WHERE at < ?1", [since])?;
    tx.execute(
        "DELETE FROM services WHERE deleted_at < ?1
           AND NOT EXISTS (SELECT 1 FROM environments WHERE service_id = services.id)",
        [before],
    )?;
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests;
