//! Who changes secrets: one at a time, of all processes on a data folder.

use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use crate::problem::{Code, Problem};

/// How long another change is waited for. One that asks the user takes longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long it is waited for when nothing is lost without it.
const BRIEFLY: Duration = Duration::from_secs(1);

/// The right to write bundles and to remove them. As long as it is held, no bundle
/// is taken for a leftover; the system lets go of it when the process ends.
#[derive(Debug)]
pub(crate) struct SecretsLock {
    // In this order: the file is let go first.
    _file: File,
    _turn: OwnedMutexGuard<()>,
}

/// Where the lock of a data folder is.
#[derive(Debug)]
pub(super) struct SecretsLocks {
    path: PathBuf,
    /// Of this process's one waiter: no more than one thread waits for the file.
    turn: Arc<Mutex<()>>,
}

impl SecretsLocks {
    pub(super) fn at(path: PathBuf) -> Self {
        Self {
            path,
            turn: Arc::default(),
        }
    }

    /// Waits for the lock.
    ///
    /// # Errors
    /// [`Code::Busy`] when another process does not let go of it in time,
    /// [`Code::Store`].
    pub(super) async fn wait(&self) -> Result<Arc<SecretsLock>, Problem> {
        match tokio::time::timeout(PATIENCE, self.acquire()).await {
            Ok(lock) => lock,
            Err(_) => Err(
                Problem::new(Code::Busy, "Another Berth is changing secrets")
                    .hint("It may be waiting for an answer to the keychain's question. Try again when it is done.")
                    .retryable(),
            ),
        }
    }

    async fn acquire(&self) -> Result<Arc<SecretsLock>, Problem> {
        let turn = self.turn.clone().lock_owned().await;
        let file = self.open()?;
        match file.try_lock() {
            Ok(()) => return Ok(held(file, turn)),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(self.unusable(&error)),
        }
        // The turn goes to the thread: when nobody waits any more it still waits
        // for the file, and the next one for it.
        let (sender, receiver) = oneshot::channel();
        std::thread::Builder::new()
            .name("secrets-lock".to_owned())
            .spawn(move || {
                let locked = file.lock().map(|()| held(file, turn));
                let _ = sender.send(locked);
            })
            .map_err(|error| self.unusable(&error))?;
        receiver
            .await
            .unwrap_or_else(|_| Err(std::io::ErrorKind::Interrupted.into()))
            .map_err(|error| self.unusable(&error))
    }

    /// Waits for the lock as long as somebody may need to remove leftovers, not as
    /// long as they may need to ask the user; `None`: they still have it.
    ///
    /// # Errors
    /// [`Code::Store`].
    pub(super) async fn wait_briefly(&self) -> Result<Option<Arc<SecretsLock>>, Problem> {
        match tokio::time::timeout(BRIEFLY, self.acquire()).await {
            Ok(lock) => lock.map(Some),
            Err(_) => Ok(None),
        }
    }

    fn open(&self) -> Result<File, Problem> {
        File::options()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(&self.path)
            .map_err(|error| self.unusable(&error))
    }

    fn unusable(&self, error: &std::io::Error) -> Problem {
        Problem::new(
            Code::Store,
            format!("Berth cannot lock {}", self.path.display()),
        )
        .hint("Check that the data folder is yours and can be written.")
        .caused_by(error)
    }
}

fn held(file: File, turn: OwnedMutexGuard<()>) -> Arc<SecretsLock> {
    Arc::new(SecretsLock {
        _file: file,
        _turn: turn,
    })
}
