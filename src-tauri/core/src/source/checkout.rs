//! One environment's files at a commit.
//!
//! A checkout has no `.git` of its own. What git needs to know about it is kept in
//! the private clone, as git keeps linked working trees
//! (`worktrees/<registration>/`, see gitrepository-layout), so that a container
//! that writes into the checkout cannot make git on the host read settings it
//! planted there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::clone::{PrivateClone, not_written, remove_if_there};
use crate::git::{Git, Kind};
use crate::problem::{Code, Problem};

/// A checkout of a private clone, there or not yet.
#[derive(Clone, Debug)]
pub(super) struct Checkout {
    folder: PathBuf,
    registration: PathBuf,
}

/// The folder of an environment's checkout.
pub(super) fn folder_of(data: &Path, environment_id: &str) -> PathBuf {
    data.join("checkouts").join(environment_id)
}

impl Checkout {
    /// The checkout of an environment.
    pub(super) fn at(data: &Path, clone: &PrivateClone, environment_id: &str) -> Self {
        Self::within(clone, folder_of(data, environment_id), environment_id)
    }

    /// A checkout of `clone` in any folder, registered under a name that starts
    /// with the environment's id.
    pub(super) fn within(clone: &PrivateClone, folder: PathBuf, registration: &str) -> Self {
        Self {
            folder,
            registration: clone.path().join("worktrees").join(registration),
        }
    }

    /// Its top folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where git, and Berth beside it, keep what they know about it.
    pub(super) fn registration(&self) -> &Path {
        &self.registration
    }

    /// Writes the files of `commit`. Tracked files become those of the commit;
    /// all others stay.
    pub(super) async fn bring_to(
        &self,
        git: &Git,
        commit: &str,
        cancel: &CancellationToken,
    ) -> Result<(), Problem> {
        self.register(commit)
            .map_err(|error| not_written(&self.registration, &error))?;
        fs::create_dir_all(&self.folder).map_err(|error| not_written(&self.folder, &error))?;
        git.on(&self.registration, "checkout")
            .work_tree(&self.folder)
            .args([
                "--force",
                "--detach",
                "--quiet",
                "--no-recurse-submodules",
                commit,
            ])
            .remote()
            .run(cancel)
            .await
            .map(drop)
            .map_err(|failure| {
                if failure.kind == Kind::Permission {
                    let lines = failure.words();
                    Problem::new(
                        Code::Git,
                        "A container wrote files that the new commit must replace, as another user",
                    )
                    .detail(lines)
                    .hint("Tear the environment down and start it again.")
                } else {
                    failure.about(&self.folder.display().to_string())
                }
            })
    }

    /// Makes the registration, or frees the one that is there of what a killed git
    /// left: the caller holds the environment, so nobody else works on it.
    fn register(&self, commit: &str) -> io::Result<()> {
        if self.registration.join("HEAD").is_file() {
            remove_if_there(&self.registration.join("index.lock"))?;
            return remove_if_there(&self.registration.join("HEAD.lock"));
        }
        let unfinished = self.registration.with_extension("new");
        remove_if_there(&unfinished)?;
        remove_if_there(&self.registration)?;
        fs::create_dir_all(&unfinished)?;
        let link = self.folder.join(".git");
        fs::write(unfinished.join("gitdir"), format!("{}\n", link.display()))?;
        fs::write(unfinished.join("commondir"), "../..\n")?;
        // Keeps `git worktree prune` away, which misses the `.git` file.
        fs::write(unfinished.join("locked"), "an environment of Berth\n")?;
        fs::write(unfinished.join("HEAD"), format!("{commit}\n"))?;
        fs::rename(&unfinished, &self.registration)
    }

    /// The paths git tracks in it, relative, submodules as one path each.
    pub(super) async fn tracked(
        &self,
        git: &Git,
        cancel: &CancellationToken,
    ) -> Result<Vec<u8>, Problem> {
        git.on(&self.registration, "ls-files")
            .work_tree(&self.folder)
            .args(["-z", "--cached"])
            .run(cancel)
            .await
            .map_err(|failure| failure.about(&self.folder.display().to_string()))
    }
}
