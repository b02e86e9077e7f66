//! What a repository says of itself. Nothing here writes.

use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::{Failure, Git, Kind};
use crate::platform::path_from;

/// A working tree that a folder lies in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorkTree {
    /// Its top folder.
    pub(crate) top: PathBuf,
    /// The folder inside it; empty at the top.
    pub(crate) prefix: PathBuf,
    /// The repository's own folder, shared by its linked working trees.
    pub(crate) repository: PathBuf,
}

/// What is checked out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// Its branch; absent when detached.
    pub(crate) branch: Option<String>,
    /// Its commit; absent before the first one.
    pub(crate) commit: Option<String>,
    /// Whether files differ from it (new files that are not ignored included).
    pub(crate) dirty: bool,
}

/// One ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RefLine {
    /// `refs/heads/main`.
    pub(crate) name: String,
    /// The commit, tags peeled.
    pub(crate) commit: String,
    /// Its commit date, milliseconds since the epoch.
    pub(crate) committed_at: i64,
}

/// The working tree that `folder` lies in; `None` when it lies in none.
pub(crate) async fn work_tree(
    git: &Git,
    folder: &Path,
    cancel: &CancellationToken,
) -> Result<Option<WorkTree>, Failure> {
    let call = git.in_folder(folder, "rev-parse").args([
        "--path-format=absolute",
        "--show-toplevel",
        "--git-common-dir",
        "--show-prefix",
    ]);
    let output = match call.run(cancel).await {
        Ok(output) => output,
        Err(failure) if failure.kind == Kind::NoRepository => return Ok(None),
        // In a bare repository, or inside `.git`.
        Err(failure) if failure.words().contains("must be run in a work tree") => return Ok(None),
        Err(failure) => return Err(failure),
    };
    let mut lines = output.split(|byte| *byte == b'\n');
    let mut next = || lines.next().map(path_from).unwrap_or_default();
    Ok(Some(WorkTree {
        top: next(),
        repository: next(),
        prefix: next(),
    }))
}

/// What `folder`'s working tree has checked out.
pub(crate) async fn head(
    git: &Git,
    folder: &Path,
    cancel: &CancellationToken,
) -> Result<Head, Failure> {
    let output = git
        .in_folder(folder, "status")
        .args([
            "--porcelain=v2",
            "--branch",
            "-z",
            "--untracked-files=normal",
        ])
        .run(cancel)
        .await?;
    Ok(read_status(&output))
}

fn read_status(output: &[u8]) -> Head {
    let mut head = Head::default();
    for record in output
        .split(|byte| *byte == 0)
        .filter(|record| !record.is_empty())
    {
        let record = String::from_utf8_lossy(record);
        if let Some(commit) = record.strip_prefix("# branch.oid ") {
            head.commit = (commit != "(initial)").then(|| commit.to_owned());
        } else if let Some(branch) = record.strip_prefix("# branch.head ") {
            head.branch = (branch != "(detached)").then(|| branch.to_owned());
        } else if !record.starts_with('#') {
            head.dirty = true;
        }
    }
    head
}

/// The refs under `patterns` of a repository, most recently committed first,
/// symbolic ones left out.
pub(crate) async fn refs(
    git: &Git,
    repository: &Path,
    patterns: &[&str],
    cancel: &CancellationToken,
) -> Result<Vec<RefLine>, Failure> {
    let output = git
        .on(repository, "for-each-ref")
        .arg("--format=%(refname)%09%(symref)%09%(objectname)%09%(committerdate:unix)%09%(*objectname)%09%(*committerdate:unix)")
        .args(patterns)
        .text(cancel)
        .await?;
    let mut refs: Vec<RefLine> = output.lines().filter_map(read_ref).collect();
    refs.sort_by(|one, other| {
        (other.committed_at, &one.name).cmp(&(one.committed_at, &other.name))
    });
    Ok(refs)
}

fn read_ref(line: &str) -> Option<RefLine> {
    let mut fields = line.split('\t');
    let mut next = || fields.next().unwrap_or_default();
    let (name, symbolic) = (next(), next());
    let (object, date, peeled, peeled_date) = (next(), next(), next(), next());
    let (commit, date) = if peeled.is_empty() {
        (object, date)
    } else {
        (peeled, peeled_date)
    };
    // No date: it does not stand for a commit.
    let seconds: i64 = date.parse().ok()?;
    symbolic.is_empty().then(|| RefLine {
        name: name.to_owned(),
        commit: commit.to_owned(),
        committed_at: seconds.saturating_mul(1000),
    })
}

/// The remotes' names and addresses, the one of `branch` first, then `origin`,
/// then the rest by name.
pub(crate) async fn remotes(
    git: &Git,
    repository: &Path,
    branch: Option<&str>,
    cancel: &CancellationToken,
) -> Result<Vec<(String, String)>, Failure> {
    let call = git.on(repository, "config").args([
        "-z",
        "--get-regexp",
        r"^(remote\..*\.url|branch\..*\.remote)$",
    ]);
    let output = match call.run(cancel).await {
        Ok(output) => output,
        // Nothing of that name.
        Err(failure) if failure.exit == Some(1) => return Ok(Vec::new()),
        Err(failure) => return Err(failure),
    };
    Ok(read_remotes(&output, branch))
}

fn read_remotes(output: &[u8], branch: Option<&str>) -> Vec<(String, String)> {
    let mut remotes: Vec<(String, String)> = Vec::new();
    let mut preferred = None;
    for record in output.split(|byte| *byte == 0) {
        let record = String::from_utf8_lossy(record);
        let Some((key, value)) = record.split_once('\n') else {
            continue;
        };
        if let Some(name) = inner(key, "remote.", ".url") {
            // Of several addresses git fetches from the first.
            if !remotes.iter().any(|(known, _)| known == name) {
                remotes.push((name.to_owned(), value.to_owned()));
            }
        } else if let Some(name) = inner(key, "branch.", ".remote")
            && Some(name) == branch
        {
            preferred = Some(value.to_owned());
        }
    }
    remotes.sort_by_key(|(name, _)| {
        (
            Some(name) != preferred.as_ref(),
            name != "origin",
            name.clone(),
        )
    });
    remotes
}

fn inner<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_is_read() {
        let clean = b"# branch.oid abc\0# branch.head main\0# branch.upstream origin/main\0";
        assert_eq!(
            read_status(clean),
            Head {
                branch: Some("main".to_owned()),
                commit: Some("abc".to_owned()),
                dirty: false
            }
        );
        let fresh = b"# branch.oid (initial)\0# branch.head main\0? new file\0";
        assert_eq!(
            read_status(fresh),
            Head {
                branch: Some("main".to_owned()),
                commit: None,
                dirty: true
            }
        );
    }

    #[test]
    fn the_branchs_remote_comes_first() {
        let config = b"remote.origin.url\nhttps://h/o\0remote.fork.url\nhttps://h/f\0branch.x.remote\nfork\0";
        let names = |branch| -> Vec<String> {
            read_remotes(config, branch)
                .into_iter()
                .map(|(name, _)| name)
                .collect()
        };
        assert_eq!(names(Some("x")), ["fork", "origin"]);
        assert_eq!(names(None), ["origin", "fork"]);
    }
}
