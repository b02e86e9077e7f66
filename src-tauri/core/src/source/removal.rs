//! Taking checkouts and private clones away.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::Sources;
use super::checkout::folder_of;
use super::clone::{Origin, PrivateClone, clones, remove_if_there};
use super::submodules;
use crate::platform;
use crate::problem::{Code, Problem};
use crate::view::{Service, Source};

/// How many paths that cannot be removed are named.
const MOST_NAMED: usize = 20;

/// Why a checkout is still there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotRemoved {
    /// Containers wrote files as another user, whom this one may not clean up
    /// after. The engine may: empty `checkout` through a container, then ask
    /// again.
    #[error("{} holds files of another user", checkout.display())]
    ForeignFiles {
        /// The checkout's top folder.
        checkout: PathBuf,
        /// What could not be removed, at most 20.
        paths: Vec<PathBuf>,
    },
    /// Anything else.
    #[error("{} cannot be removed", path.display())]
    Io {
        /// What could not be removed.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl From<NotRemoved> for Problem {
    fn from(error: NotRemoved) -> Self {
        let problem = Self::new(
            Code::NotRemoved,
            "The checkout could not be removed completely",
        );
        match &error {
            NotRemoved::ForeignFiles { paths, .. } => Self {
                lines: paths
                    .iter()
                    .map(|path| path.display().to_string())
                    .collect(),
                ..problem
                    .detail("Containers wrote these files as another user.")
                    .hint("Remove them with `sudo rm -rf`, then tear the environment down again.")
            },
            NotRemoved::Io { .. } => problem.caused_by(&error),
        }
    }
}

impl Sources {
    /// Removes an environment's checkout and its registrations; its absence is
    /// fine.
    ///
    /// # Errors
    /// [`NotRemoved::ForeignFiles`] is the one the caller acts on. The
    /// registrations then stay until the next call.
    pub(crate) async fn remove_checkout(&self, environment_id: &str) -> Result<(), NotRemoved> {
        let checkout = folder_of(&self.data, environment_id);
        let clones = clones(&self.data);
        let id = environment_id.to_owned();
        tokio::task::spawn_blocking(move || {
            let mut left = Left::default();
            remove_tree(&checkout, &mut left);
            match left {
                Left {
                    other: Some((path, source)),
                    ..
                } => Err(NotRemoved::Io { path, source }),
                Left { foreign, .. } if !foreign.is_empty() => Err(NotRemoved::ForeignFiles {
                    checkout,
                    paths: foreign,
                }),
                _ => remove_registrations(&clones, &id).map_err(|source| NotRemoved::Io {
                    path: clones,
                    source,
                }),
            }
        })
        .await
        .unwrap_or_else(|error| {
            Err(NotRemoved::Io {
                path: folder_of(&self.data, environment_id),
                source: io::Error::other(error),
            })
        })
    }

    /// Removes private clones that none of `services` needs and no checkout is
    /// registered in.
    pub(crate) async fn remove_unused_clones(
        &self,
        services: &[Service],
        cancel: &CancellationToken,
    ) -> Result<(), Problem> {
        let mut needed = Vec::new();
        for service in services {
            let origin = match &service.source {
                Source::GitUrl { url, .. } => Some(Origin::Url(url.clone())),
                Source::Folder { path, .. } => {
                    // A folder that is gone, or that git refuses, has no use for a
                    // clone; it can be made again.
                    let tree = self.work_tree(Path::new(path), cancel).await.ok().flatten();
                    tree.as_ref().map(Origin::of)
                }
            };
            if let Some(origin) = origin {
                needed.push(PrivateClone::new(self.git.clone(), &self.data, origin));
            }
        }
        let Ok(entries) = fs::read_dir(clones(&self.data)) else {
            return Ok(());
        };
        let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        for path in paths {
            let is_clone = path.extension().is_some_and(|extension| extension == "git");
            let named = needed.iter().any(|clone| clone.path() == path)
                || needed
                    .iter()
                    .any(|clone| submodules::is_part_of(&path, clone.path()));
            if !is_clone || named || has_registrations(&path) {
                continue;
            }
            tracing::info!(path = %path.display(), "a private clone is no longer used");
            if let Err(error) = remove_if_there(&path) {
                tracing::warn!(path = %path.display(), %error, "a private clone stays");
            }
        }
        Ok(())
    }
}

/// What a removal left.
#[derive(Default)]
struct Left {
    foreign: Vec<PathBuf>,
    other: Option<(PathBuf, io::Error)>,
}

impl Left {
    fn note(&mut self, path: &Path, error: io::Error) {
        match error.kind() {
            io::ErrorKind::NotFound => {}
            io::ErrorKind::PermissionDenied => {
                if self.foreign.len() < MOST_NAMED {
                    self.foreign.push(path.to_owned());
                }
            }
            // A folder stays when something in it does.
            io::ErrorKind::DirectoryNotEmpty
                if !self.foreign.is_empty() || self.other.is_some() => {}
            _ => {
                self.other.get_or_insert((path.to_owned(), error));
            }
        }
    }
}

/// Removes all it can, follows no links, and notes what stays.
fn remove_tree(path: &Path, left: &mut Left) {
    let found = match fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) => return left.note(path, error),
    };
    if !found.is_dir() {
        if let Err(error) = fs::remove_file(path) {
            left.note(path, error);
        }
        return;
    }
    if found.permissions().readonly() || fs::read_dir(path).is_err() {
        // Containers also leave folders without the rights to look into; it fails
        // for those of other users.
        // What stays closed is noted when it is read.
        let _ = platform::open_up(path);
    }
    match fs::read_dir(path) {
        Ok(entries) => {
            for entry in entries {
                match entry {
                    Ok(entry) => remove_tree(&entry.path(), left),
                    Err(error) => left.note(path, error),
                }
            }
        }
        Err(error) => left.note(path, error),
    }
    if let Err(error) = fs::remove_dir(path) {
        left.note(path, error);
    }
}

fn remove_registrations(clones: &Path, environment_id: &str) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(clones) else {
        return Ok(());
    };
    for clone in entries.flatten() {
        let Ok(registrations) = fs::read_dir(clone.path().join("worktrees")) else {
            continue;
        };
        for registration in registrations.flatten() {
            let name = registration.file_name();
            let name = name.to_string_lossy();
            let of_submodule = name
                .strip_prefix(environment_id)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('+') || rest == ".new");
            if of_submodule {
                remove_if_there(&registration.path())?;
            }
        }
    }
    Ok(())
}

fn has_registrations(clone: &Path) -> bool {
    fs::read_dir(clone.join("worktrees")).is_ok_and(|mut entries| entries.next().is_some())
}
