//! Who works on what: files locked by the operating system, so that a process
//! that dies lets go at once.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::data_dir::DataDir;
use crate::problem::{Code, Problem};
use crate::view::OperationKind;

/// Why a lock was not taken.
#[derive(Debug, thiserror::Error)]
enum LockError {
    /// Another operation holds it; `holder` is what it wrote of itself, when
    /// that could be read.
    #[error("another operation works on this environment")]
    Held { holder: Option<Holder> },
    /// The file cannot be made or locked.
    #[error("cannot lock {}", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

/// Who holds a lock. For messages only: what decides is the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Holder {
    /// Its process.
    pid: u32,
    /// What it does, as a verb in a sentence (`is bringing it up`).
    does: String,
}

impl From<LockError> for Problem {
    fn from(error: LockError) -> Self {
        match &error {
            LockError::Held { holder } => {
                let problem = match holder {
                    Some(holder) => Self::new(
                        Code::Busy,
                        format!("Another Berth (process {}) {}", holder.pid, holder.does),
                    ),
                    None => Self::new(Code::Busy, "Another Berth works on this environment"),
                };
                problem
                    .hint("Wait until it is done, or stop it there.")
                    .retryable()
            }
            LockError::File { path, .. } => {
                Self::new(Code::Store, format!("Berth cannot lock {}", path.display()))
                    .hint("Check that the data folder is yours and can be written.")
                    .caused_by(&error)
            }
        }
    }
}

/// The right to work on one environment, until it is dropped or the process
/// ends.
#[derive(Debug)]
pub(crate) struct EnvironmentLock {
    file: File,
    path: PathBuf,
}

impl EnvironmentLock {
    /// Takes the lock of an environment, at once or not at all. Blocks for a few
    /// file operations.
    ///
    /// # Errors
    /// [`Code::Busy`] saying who holds it, [`Code::Store`].
    pub(crate) fn take(
        data: &DataDir,
        environment_id: &str,
        kind: OperationKind,
    ) -> Result<Self, Problem> {
        Ok(Self::try_take(data, environment_id, kind)?)
    }

    fn try_take(
        data: &DataDir,
        environment_id: &str,
        kind: OperationKind,
    ) -> Result<Self, LockError> {
        let path = path_of(data, environment_id);
        let failed = |source| LockError::File {
            path: path.clone(),
            source,
        };
        loop {
            let mut file = open(&path).map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(LockError::Held {
                        holder: holder(&mut file),
                    });
                }
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
            // Between opening and locking, a remover may have unlinked the file:
            // then this lock is on something nobody else will find.
            if !is_at(&file, &path).map_err(failed)? {
                continue;
            }
            sign(&mut file, does(kind)).map_err(failed)?;
            return Ok(Self { file, path });
        }
    }

    /// Lets go and removes the file: its environment is gone for good.
    ///
    /// # Errors
    /// [`Code::Store`].
    pub(crate) fn remove(self) -> Result<(), Problem> {
        Ok(self.unlink()?)
    }

    fn unlink(&self) -> Result<(), LockError> {
        std::fs::remove_file(&self.path).map_err(|source| LockError::File {
            path: self.path.clone(),
            source,
        })
    }
}

impl Drop for EnvironmentLock {
    fn drop(&mut self) {
        // Only the signature: the system lets go of the lock when the file is
        // closed. One that stays behind is never trusted without the lock.
        let _ = self.file.set_len(0);
    }
}

/// Removes lock files of environments that are gone, when nobody holds them.
///
/// # Errors
/// [`Code::Store`].
pub(crate) fn remove_unneeded(
    data: &DataDir,
    is_needed: impl Fn(&str) -> bool,
) -> Result<(), Problem> {
    let folder = data.locks();
    let failed = |source| LockError::File {
        path: folder.clone(),
        source,
    };
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".lock")) else {
            continue;
        };
        if is_needed(id) {
            continue;
        }
        match EnvironmentLock::try_take(data, id, OperationKind::Down) {
            Ok(lock) => lock.unlink()?,
            Err(LockError::Held { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The right to do what only one process does: sweep, warn, watch engines.
#[derive(Debug)]
pub(crate) struct OwnerLock {
    _file: File,
}

impl OwnerLock {
    /// Waits, without looking again and again, until no other process has it.
    /// Given up by dropping the future.
    ///
    /// # Errors
    /// [`Code::Store`].
    pub(crate) async fn wait(data: &DataDir) -> Result<Self, Problem> {
        Ok(Self::acquire(data).await?)
    }

    async fn acquire(data: &DataDir) -> Result<Self, LockError> {
        let path = data.owner_lock();
        let failed = |source| LockError::File {
            path: path.clone(),
            source,
        };
        let mut file = open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {
                sign(&mut file, "owns the work").map_err(failed)?;
                return Ok(Self { _file: file });
            }
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        // The system has no wait that can be called off. A thread of its own may
        // stay in it to the end of the process without holding anything up; a
        // lock that comes after nobody waits any more is let go at once.
        let (sender, receiver) = tokio::sync::oneshot::channel();
        std::thread::Builder::new()
            .name("owner-lock".to_owned())
            .spawn(move || {
                let locked = file
                    .lock()
                    .and_then(|()| sign(&mut file, "owns the work"))
                    .map(|()| file);
                let _ = sender.send(locked);
            })
            .map_err(failed)?;
        match receiver.await {
            Ok(locked) => Ok(Self {
                _file: locked.map_err(failed)?,
            }),
            Err(_) => Err(failed(std::io::ErrorKind::Interrupted.into())),
        }
    }
}

/// Whether some process owns the work now. Disturbs no one: whoever wants to own
/// waits for the lock, and a look at it lasts microseconds.
pub(crate) fn is_owned(data: &DataDir) -> bool {
    File::open(data.owner_lock())
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

fn path_of(data: &DataDir, environment_id: &str) -> PathBuf {
    data.locks().join(format!("{environment_id}.lock"))
}

fn open(path: &Path) -> std::io::Result<File> {
    File::options()
        .create(true)
        .read(true)
        .write(true)
        .truncate(false)
        .open(path)
}

fn is_at(file: &File, path: &Path) -> std::io::Result<bool> {
    match Handle::from_path(path) {
        Ok(there) => Ok(Handle::from_file(file.try_clone()?)? == there),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn does(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Up => "is bringing it up",
        OperationKind::Down => "is tearing it down",
    }
}

fn sign(file: &mut File, does: &str) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(format!("{} {does}\n", std::process::id()).as_bytes())
}

/// What a holder wrote. Nothing where a locked file cannot be read (Windows), or
/// when it has not written yet.
fn holder(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    file.take(200).read_to_string(&mut text).ok()?;
    let (pid, does) = text.trim_end().split_once(' ')?;
    Some(Holder {
        pid: pid.parse().ok()?,
        does: does.to_owned(),
    })
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
