//! A private clone: Berth's own bare copy of a repository, sharing its objects on
//! disk where it can, brought up to date from the user's clone or the remote.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use crate::git::{Failure, Git, Kind, WorkTree, quoted};
use crate::names::hex;
use crate::problem::{Code, Problem};

/// Where the refs of the user's clone are kept: `refs/heads/x` of theirs is
/// `refs/local/heads/x`.
pub(super) const LOCAL: &str = "refs/local";

/// What a private clone is a copy of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A repository of this machine.
    Folder {
        /// Its own folder (`.git`).
        repository: PathBuf,
        /// The working tree that was named.
        top: PathBuf,
    },
    /// A repository elsewhere.
    Url(String),
}

impl Origin {
    /// The repository of a working tree.
    pub(super) fn of(tree: &WorkTree) -> Self {
        Self::Folder {
            repository: tree.repository.clone(),
            top: tree.top.clone(),
        }
    }

    /// As the user knows it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Folder { top, .. } => top.display().to_string(),
            Self::Url(url) => url.clone(),
        }
    }

    fn key(&self) -> String {
        let text = match self {
            Self::Folder { repository, .. } => format!("folder\n{}", repository.display()),
            Self::Url(url) => format!("url\n{url}"),
        };
        let mut key = hex(&Sha256::digest(text.as_bytes()));
        key.truncate(20);
        key
    }
}

/// The folder that holds all private clones.
pub(super) fn clones(data: &Path) -> PathBuf {
    data.join("sources")
}

/// A private clone, there or not yet.
#[derive(Clone, Debug)]
pub(super) struct PrivateClone {
    pub(super) git: Git,
    pub(super) origin: Origin,
    path: PathBuf,
}

/// Proof that no other operation changes the clone's refs and objects. Released
/// when dropped, and by the death of the process.
pub(super) struct Held {
    _lock: File,
}

impl PrivateClone {
    /// The clone of `origin` under the data folder.
    pub(super) fn new(git: Git, data: &Path, origin: Origin) -> Self {
        let path = clones(data).join(format!("{}.git", origin.key()));
        Self { git, origin, path }
    }

    /// Its folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until no other operation changes it.
    pub(super) async fn lock(&self, cancel: &CancellationToken) -> Result<Held, Problem> {
        let path = self.path.with_extension("lock");
        let (sender, receiver) = tokio::sync::oneshot::channel();
        // A thread of its own: the wait for a file lock cannot be cut short, and
        // must not hold up the end of the runtime.
        std::thread::spawn(move || {
            // Nobody listens any more when it was cancelled; then the lock goes.
            let _ = sender.send(take_lock(&path));
        });
        let held = tokio::select! {
            held = receiver => held,
            () = cancel.cancelled() => {
                return Err(Problem::new(Code::Cancelled, "Stopped on request"));
            }
        };
        held.map_err(|_| Problem::internal("the thread that waits for a lock died"))?
            .map_err(|error| not_written(&self.path, &error))
    }

    /// Makes the clone, or brings it up to date: from the user's repository
    /// without the network, or from the address. Returns what is worth saying
    /// when the address did not answer but an earlier state is there.
    pub(super) async fn update(
        &self,
        _held: &Held,
        cancel: &CancellationToken,
    ) -> Result<Option<String>, Problem> {
        if !self.path.join("HEAD").is_file() {
            self.make(&self.path, cancel).await?;
            return Ok(None);
        }
        let mut failure = match self.fetch_all(&self.path, cancel).await {
            Ok(()) => return Ok(None),
            Err(failure) => failure,
        };
        if failure.kind == Kind::Locked {
            // Nobody else holds the clone, so these are a dead git's.
            remove_lock_files(&self.path).map_err(|error| not_written(&self.path, &error))?;
            failure = match self.fetch_all(&self.path, cancel).await {
                Ok(()) => return Ok(None),
                Err(failure) => failure,
            };
        }
        match (failure.kind, &self.origin) {
            (Kind::Network | Kind::TimedOut, Origin::Url(url)) => Ok(Some(format!(
                "{url} did not answer; this is what was fetched last."
            ))),
            (Kind::Damaged | Kind::Other, _) => {
                tracing::warn!(words = failure.words(), "private clone is made again");
                self.make_again(cancel).await?;
                Ok(None)
            }
            _ => Err(failure.about(&self.origin.shown())),
        }
    }

    /// Clones beside `target` and moves the result there once it is whole.
    async fn make(&self, target: &Path, cancel: &CancellationToken) -> Result<(), Problem> {
        let unfinished = self.path.with_extension("new");
        remove_if_there(&unfinished).map_err(|error| not_written(&unfinished, &error))?;
        let subject = self.origin.shown();
        let cloned = match self.clone_into(&unfinished, &[], cancel).await {
            // Hard links to a repository that is being repacked, or that holds
            // links, can fail; git's own transport does not.
            Err(failure)
                if matches!(self.origin, Origin::Folder { .. })
                    && matches!(failure.kind, Kind::Other | Kind::Damaged | Kind::Permission) =>
            {
                remove_if_there(&unfinished).map_err(|error| not_written(&unfinished, &error))?;
                self.clone_into(&unfinished, &["--no-local"], cancel).await
            }
            other => other,
        };
        cloned.map_err(|failure| failure.about(&subject))?;
        self.fetch_all(&unfinished, cancel)
            .await
            .map_err(|failure| failure.about(&subject))?;
        if matches!(self.origin, Origin::Folder { .. }) {
            // `clone --bare` put the refs where the remote's are expected; the
            // user's are under refs/local now.
            remove_if_there(&unfinished.join("packed-refs"))
                .map_err(|error| not_written(&unfinished, &error))?;
        }
        fs::rename(&unfinished, target).map_err(|error| not_written(target, &error))
    }

    /// Makes a damaged clone anew and keeps what its checkouts are registered by.
    async fn make_again(&self, cancel: &CancellationToken) -> Result<(), Problem> {
        let fresh = self.path.with_extension("fresh");
        let failed = |error: io::Error| not_written(&self.path, &error);
        remove_if_there(&fresh).map_err(failed)?;
        self.make(&fresh, cancel).await?;
        let registrations = self.path.join("worktrees");
        if registrations.is_dir() {
            fs::rename(&registrations, fresh.join("worktrees")).map_err(failed)?;
        }
        remove_if_there(&self.path).map_err(failed)?;
        fs::rename(&fresh, &self.path).map_err(failed)
    }

    async fn clone_into(
        &self,
        target: &Path,
        options: &[&str],
        cancel: &CancellationToken,
    ) -> Result<(), Failure> {
        if let Some(parent) = target.parent()
            && let Err(error) = fs::create_dir_all(parent)
        {
            tracing::debug!(%error, "the folder of private clones");
        }
        let call = self
            .reading()
            .anywhere("clone")
            .args(["--bare", "--quiet", "--template="])
            .args(options)
            .args(self.upload_pack())
            .arg("--end-of-options");
        let call = match &self.origin {
            Origin::Folder { repository, .. } => call.arg(repository),
            Origin::Url(url) => call.arg(url).remote(),
        };
        call.arg(target).run(cancel).await.map(drop)
    }

    /// Git that may read the user's repository.
    fn reading(&self) -> Git {
        match &self.origin {
            Origin::Folder { repository, .. } => self.git.trusting(repository),
            Origin::Url(_) => self.git.clone(),
        }
    }

    /// The same for the git that serves a fetch: it is started without the
    /// settings of the one that asks.
    fn upload_pack(&self) -> Option<String> {
        match &self.origin {
            Origin::Folder { repository, .. } => Some(format!(
                "--upload-pack=git -c safe.directory={} upload-pack",
                quoted(&repository.display().to_string())
            )),
            Origin::Url(_) => None,
        }
    }

    fn upload_pack_of(&self, from: &OsStr) -> Option<String> {
        match &self.origin {
            Origin::Folder { repository, .. } if repository.as_os_str() == from => {
                self.upload_pack()
            }
            _ => None,
        }
    }

    /// Fetches every ref of the user's repository, or every branch and tag of the
    /// address. What is gone there goes here.
    async fn fetch_all(&self, clone: &Path, cancel: &CancellationToken) -> Result<(), Failure> {
        let call = self
            .git
            .on(clone, "fetch")
            .args([
                "--quiet",
                "--prune",
                "--force",
                "--no-tags",
                "--no-write-fetch-head",
                "--update-shallow",
            ])
            .args(self.upload_pack())
            .arg("--end-of-options");
        let call = match &self.origin {
            Origin::Folder { repository, .. } => {
                call.arg(repository).arg(format!("+refs/*:{LOCAL}/*"))
            }
            Origin::Url(url) => call
                .arg(url)
                .args(["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"])
                .remote(),
        };
        call.run(cancel).await.map(drop)
    }

    /// Fetches a single ref or commit from `from` (a folder or an address) within
    /// `deadline`.
    pub(super) async fn fetch(
        &self,
        _held: &Held,
        from: &OsStr,
        refspec: &str,
        deadline: Duration,
        cancel: &CancellationToken,
    ) -> Result<(), Failure> {
        let call = || {
            self.git
                .on(&self.path, "fetch")
                .args([
                    "--quiet",
                    "--force",
                    "--no-tags",
                    "--no-write-fetch-head",
                    "--update-shallow",
                ])
                .args(self.upload_pack_of(from))
                .arg("--end-of-options")
                .arg(from)
                .arg(refspec)
                .within(deadline)
                .run(cancel)
        };
        match call().await {
            // Nobody else holds the clone, so these are a dead git's.
            Err(failure)
                if failure.kind == Kind::Locked && remove_lock_files(&self.path).is_ok() =>
            {
                call().await.map(drop)
            }
            other => other.map(drop),
        }
    }
}

fn take_lock(path: &Path) -> io::Result<Held> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)?;
    lock.lock()?;
    Ok(Held { _lock: lock })
}

/// Removes the lock files that a killed git left among a clone's refs. Those of
/// checkouts are theirs.
fn remove_lock_files(clone: &Path) -> io::Result<()> {
    let mut folders = vec![clone.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                if !["objects", "worktrees"]
                    .iter()
                    .any(|own| path == clone.join(own))
                {
                    folders.push(path);
                }
            } else if path
                .extension()
                .is_some_and(|extension| extension == "lock")
            {
                fs::remove_file(&path)?;
            }
        }
    }
    Ok(())
}

/// Removes a file or folder; its absence is fine.
pub(super) fn remove_if_there(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Something under Berth's data folder cannot be written.
pub(super) fn not_written(path: &Path, error: &io::Error) -> Problem {
    let code = if error.kind() == io::ErrorKind::StorageFull {
        Code::DiskFull
    } else {
        Code::Git
    };
    Problem::new(code, format!("{} cannot be written", path.display()))
        .caused_by(error)
        .hint("It lies in Berth's data folder. Check its owner and the free space.")
}
