//! Where a service's files come from for one environment: the user's folder as it
//! is, or a checkout of a ref from a private clone, so that neither the user's
//! files nor their `.git` are written.

mod carry;
mod checkout;
mod clone;
mod removal;
mod resolve;
mod search;
mod submodules;
#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use crate::git::{self, Git, Kind, WorkTree};
use crate::problem::{Code, Problem};
use crate::view::{GitRef, GitRefKind, Revision, Selector, Service, Source};

pub(crate) use carry::SourceFiles;
pub(crate) use removal::NotRemoved;

use checkout::Checkout;
use clone::{Origin, PrivateClone};
use resolve::Resolved;

/// How many refs are listed.
const MOST_REFS: usize = 500;

/// Every service's files, kept under Berth's data folder.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    git: Git,
    data: PathBuf,
}

/// A service's files, ready to be read for one environment.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// The service's folder: the user's own, or the same one in the checkout.
    pub(crate) directory: PathBuf,
    /// What the files are.
    pub(crate) revision: Revision,
    /// What the project is read through.
    pub(crate) files: SourceFiles,
    /// Worth saying, does not stop it.
    pub(crate) warnings: Vec<String>,
}

impl Sources {
    /// Sources kept under `data`, with git as these process variables find it.
    pub(crate) fn new(data: &Path, environment: &BTreeMap<String, String>) -> Self {
        Self {
            git: Git::new(environment),
            data: data.to_owned(),
        }
    }

    /// Git as it is run here.
    pub(crate) fn git(&self) -> &Git {
        &self.git
    }

    /// Brings the files of `service` at `selector` where the environment's
    /// containers can use them. Called again it brings them up to date in place;
    /// what containers wrote beside them stays. The caller holds the
    /// environment's lock.
    ///
    /// # Errors
    /// [`Code::PathMissing`], [`Code::RefMissing`], [`Code::Git`],
    /// [`Code::InvalidInput`] for a ref of a folder without git,
    /// [`Code::Cancelled`], [`Code::DiskFull`], [`Code::TimedOut`].
    pub(crate) async fn prepare(
        &self,
        service: &Service,
        selector: &Selector,
        environment_id: &str,
        cancel: &CancellationToken,
    ) -> Result<Prepared, Problem> {
        match &service.source {
            Source::Folder { path, .. } => {
                let folder = existing_folder(path)?;
                if *selector == Selector::WorkingTree {
                    return self.as_it_is(folder, cancel).await;
                }
                let tree = self
                    .work_tree(&folder, cancel)
                    .await?
                    .ok_or_else(|| without_git(path))?;
                Box::pin(self.check_out(
                    Origin::of(&tree),
                    &tree.prefix,
                    selector,
                    environment_id,
                    Some(&tree),
                    cancel,
                ))
                .await
            }
            Source::GitUrl { url, subdirectory } => {
                Box::pin(self.check_out(
                    Origin::Url(url.clone()),
                    Path::new(subdirectory),
                    selector,
                    environment_id,
                    None,
                    cancel,
                ))
                .await
            }
        }
    }

    /// The working tree that a folder lies in.
    pub(crate) async fn work_tree(
        &self,
        folder: &Path,
        cancel: &CancellationToken,
    ) -> Result<Option<WorkTree>, Problem> {
        git::work_tree(&self.git, folder, cancel)
            .await
            .map_err(|failure| failure.about(&folder.display().to_string()))
    }

    /// The user's folder. What git says of it is worth having, but the folder
    /// starts without it (no git installed, say, or one that git refuses).
    async fn as_it_is(
        &self,
        folder: PathBuf,
        cancel: &CancellationToken,
    ) -> Result<Prepared, Problem> {
        let asked = match git::work_tree(&self.git, &folder, cancel).await {
            Ok(Some(_)) => git::head(&self.git, &folder, cancel).await,
            Ok(None) => Ok(git::Head::default()),
            Err(failure) => Err(failure),
        };
        let (head, warnings) = match asked {
            Ok(head) => (head, Vec::new()),
            Err(failure) if failure.kind == Kind::Cancelled => {
                return Err(failure.about(&folder.display().to_string()));
            }
            Err(failure) => {
                let problem = failure.about(&folder.display().to_string());
                let warning = format!("{}; the commit it runs is not known.", problem.title);
                (git::Head::default(), vec![warning])
            }
        };
        Ok(Prepared {
            directory: folder,
            revision: Revision {
                label: head.branch,
                commit: head.commit,
                dirty: head.dirty,
                behind: None,
            },
            files: SourceFiles::Disk,
            warnings,
        })
    }

    async fn check_out(
        &self,
        origin: Origin,
        prefix: &Path,
        selector: &Selector,
        environment_id: &str,
        user: Option<&WorkTree>,
        cancel: &CancellationToken,
    ) -> Result<Prepared, Problem> {
        let clone = PrivateClone::new(self.git.clone(), &self.data, origin);
        let Resolved {
            commit,
            label,
            remote,
            mut warnings,
        } = {
            let held = clone.lock(cancel).await?;
            let stale = clone.update(&held, cancel).await?;
            let mut resolved = resolve::resolve(&clone, &held, selector, cancel).await?;
            resolved.warnings.extend(stale);
            resolved
        };
        let checkout = Checkout::at(&self.data, &clone, environment_id);
        checkout.bring_to(&self.git, &commit, cancel).await?;
        submodules::bring_along(
            &self.git,
            &self.data,
            &clone,
            &checkout,
            &commit,
            remote.as_deref(),
            cancel,
        )
        .await?;
        let directory = checkout.folder().join(prefix);
        if !directory.is_dir() {
            return Err(Problem::new(
                Code::PathMissing,
                format!("{} has no folder {}", label, prefix.display()),
            )
            .hint("Choose a ref in which the service's folder exists."));
        }
        let files = SourceFiles::checkout(&self.git, &checkout, user, cancel).await?;
        warnings.extend(files.refresh().await?);
        Ok(Prepared {
            directory,
            revision: Revision {
                label: Some(label),
                commit: Some(commit),
                dirty: false,
                behind: Some(0),
            },
            files,
            warnings,
        })
    }

    /// How many commits of `selector` are newer than `commit`; `None` for a
    /// working tree, and when they have no common past. For a folder nothing but
    /// the user's own repository is asked; for an address its remote is.
    pub(crate) async fn behind(
        &self,
        service: &Service,
        selector: &Selector,
        commit: &str,
        cancel: &CancellationToken,
    ) -> Result<Option<u32>, Problem> {
        let origin = match (&service.source, selector) {
            (Source::Folder { .. }, Selector::WorkingTree) => return Ok(None),
            (Source::Folder { path, .. }, _) => {
                let folder = existing_folder(path)?;
                match self.work_tree(&folder, cancel).await? {
                    Some(tree) => Origin::of(&tree),
                    None => return Ok(None),
                }
            }
            (Source::GitUrl { url, .. }, _) => Origin::Url(url.clone()),
        };
        let clone = PrivateClone::new(self.git.clone(), &self.data, origin);
        let held = clone.lock(cancel).await?;
        clone.update(&held, cancel).await?;
        let resolved = resolve::resolve_known(&clone, selector, cancel).await?;
        let Some(newest) = resolved else {
            return Ok(None);
        };
        let count = self
            .git
            .on(clone.path(), "rev-list")
            .args([
                "--count",
                "--end-of-options",
                &format!("{commit}..{newest}"),
            ])
            .text(cancel)
            .await;
        Ok(count.ok().and_then(|count| count.parse().ok()))
    }

    /// Branches and tags of a service, most recently committed first, at most
    /// 500.
    pub(crate) async fn refs(
        &self,
        service: &Service,
        cancel: &CancellationToken,
    ) -> Result<Vec<GitRef>, Problem> {
        match &service.source {
            Source::Folder { path, .. } => {
                let folder = existing_folder(path)?;
                let tree = self
                    .work_tree(&folder, cancel)
                    .await?
                    .ok_or_else(|| without_git(path))?;
                let head = self
                    .git
                    .in_folder(&folder, "symbolic-ref")
                    .args(["--quiet", "HEAD"])
                    .text(cancel)
                    .await
                    .ok();
                self.list(&tree.repository, path, head.as_deref(), cancel)
                    .await
            }
            Source::GitUrl { url, .. } => {
                let clone =
                    PrivateClone::new(self.git.clone(), &self.data, Origin::Url(url.clone()));
                let held = clone.lock(cancel).await?;
                clone.update(&held, cancel).await?;
                let head = resolve::default_branch(&clone, cancel).await.ok();
                let head = head.map(|branch| format!("refs/heads/{branch}"));
                self.list(clone.path(), url, head.as_deref(), cancel).await
            }
        }
    }

    async fn list(
        &self,
        repository: &Path,
        subject: &str,
        head: Option<&str>,
        cancel: &CancellationToken,
    ) -> Result<Vec<GitRef>, Problem> {
        let patterns = ["refs/heads", "refs/remotes", "refs/tags"];
        let lines = git::refs(&self.git, repository, &patterns, cancel)
            .await
            .map_err(|failure| failure.about(subject))?;
        let refs = lines.into_iter().filter_map(|line| {
            let (kind, name) = [
                (GitRefKind::Branch, "refs/heads/"),
                (GitRefKind::Remote, "refs/remotes/"),
                (GitRefKind::Tag, "refs/tags/"),
            ]
            .into_iter()
            .find_map(|(kind, front)| Some((kind, line.name.strip_prefix(front)?.to_owned())))?;
            Some(GitRef {
                current: head == Some(line.name.as_str()),
                name,
                kind,
                commit: line.commit,
                committed_at: line.committed_at,
            })
        });
        Ok(refs.take(MOST_REFS).collect())
    }
}

fn existing_folder(path: &str) -> Result<PathBuf, Problem> {
    let folder = PathBuf::from(path);
    if folder.is_dir() {
        Ok(folder)
    } else {
        Err(
            Problem::new(Code::PathMissing, format!("The folder {path} is not there"))
                .hint("If it was moved, remove the service and add the folder at its new place."),
        )
    }
}

fn without_git(path: &str) -> Problem {
    Problem::new(
        Code::InvalidInput,
        format!("{path} is not in a git repository, so it has no refs"),
    )
    .hint("Start the folder as it is, or run `git init` and commit first.")
}
