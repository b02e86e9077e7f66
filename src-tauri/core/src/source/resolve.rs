//! From what a user named (a branch, a tag, a commit, a pull request) to a commit
//! that is in the private clone.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::clone::{Held, LOCAL, Origin, PrivateClone};
use super::search::Search;
use crate::git::{self, Kind};
use crate::problem::{Code, Problem};
use crate::view::Selector;

/// How long an address may take to name its default branch before the one that
/// was known last is used.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where what was fetched from a remote by name is kept.
pub(super) const REMOTE: &str = "refs/remote";

/// A commit, and how it is called.
#[derive(Debug)]
pub(super) struct Resolved {
    /// Full commit id, in the clone.
    pub(super) commit: String,
    /// As it is shown.
    pub(super) label: String,
    /// The address that submodules' relative addresses start from.
    pub(super) remote: Option<String>,
    /// Worth saying.
    pub(super) warnings: Vec<String>,
}

/// Finds the commit, asking the remote when the user's clone does not have it.
pub(super) async fn resolve(
    clone: &PrivateClone,
    held: &Held,
    selector: &Selector,
    cancel: &CancellationToken,
) -> Result<Resolved, Problem> {
    let remotes = remotes(clone, cancel).await?;
    let search = Search {
        clone,
        held,
        remotes: &remotes,
        cancel,
    };
    let (commit, label, warning) = match selector {
        Selector::WorkingTree => {
            let branch = default_branch(clone, cancel).await?;
            let (commit, warning) = search.named(&branch).await?;
            (commit, branch, warning)
        }
        Selector::Ref { name } => {
            let (commit, warning) = search.named(name).await?;
            (commit, name.clone(), warning)
        }
        Selector::PullRequest { number } => (
            search.pull_request(*number).await?,
            format!("pull {number}"),
            None,
        ),
    };
    Ok(Resolved {
        commit,
        label,
        remote: remotes.into_iter().next().map(|(_, url)| url),
        warnings: warning.into_iter().collect(),
    })
}

/// The commit as far as it is known without asking a remote.
pub(super) async fn resolve_known(
    clone: &PrivateClone,
    selector: &Selector,
    cancel: &CancellationToken,
) -> Result<Option<String>, Problem> {
    let names = match selector {
        Selector::WorkingTree => match default_branch(clone, cancel).await {
            Ok(branch) => own_names(&clone.origin, &branch),
            Err(_) => return Ok(None),
        },
        Selector::Ref { name } => {
            let remotes = remotes(clone, cancel).await?;
            let mut names = own_names(&clone.origin, name);
            names.extend(tracking_names(name, &remotes));
            names.push(format!("{REMOTE}/heads/{name}"));
            names
        }
        Selector::PullRequest { number } => vec![pull_name(*number)],
    };
    for name in names {
        if let Some(commit) = commit_of(clone, &name, cancel).await? {
            return Ok(Some(commit));
        }
    }
    Ok(None)
}

/// The branch an address offers first.
pub(super) async fn default_branch(
    clone: &PrivateClone,
    cancel: &CancellationToken,
) -> Result<String, Problem> {
    let subject = clone.origin.shown();
    let asked = match &clone.origin {
        Origin::Url(url) => clone
            .git
            .anywhere("ls-remote")
            .args(["--symref", "--end-of-options", url, "HEAD"])
            .within(PATIENCE)
            .text(cancel)
            .await
            .map(|answer| read_default_branch(&answer)),
        Origin::Folder { repository, .. } => clone
            .git
            .on(repository, "symbolic-ref")
            .args(["--quiet", "--short", "HEAD"])
            .text(cancel)
            .await
            .map(Some),
    };
    match asked {
        Ok(Some(branch)) => Ok(branch),
        // The clone remembers what it was when it was made.
        Err(failure) if matches!(failure.kind, Kind::Network | Kind::TimedOut) => clone
            .git
            .on(clone.path(), "symbolic-ref")
            .args(["--quiet", "--short", "HEAD"])
            .text(cancel)
            .await
            .map_err(|_| failure.about(&subject)),
        Err(failure) => Err(failure.about(&subject)),
        Ok(None) => Err(Problem::new(
            Code::RefMissing,
            format!("{subject} names no default branch"),
        )
        .hint("Name a branch or tag to start.")),
    }
}

fn read_default_branch(answer: &str) -> Option<String> {
    answer.lines().find_map(|line| {
        let target = line.strip_prefix("ref: refs/heads/")?;
        Some(target.strip_suffix("\tHEAD")?.to_owned())
    })
}

/// The remotes that may be asked, best first.
async fn remotes(
    clone: &PrivateClone,
    cancel: &CancellationToken,
) -> Result<Vec<(String, String)>, Problem> {
    let (repository, top) = match &clone.origin {
        Origin::Url(url) => return Ok(vec![("origin".to_owned(), url.clone())]),
        Origin::Folder { repository, top } => (repository, top),
    };
    let branch = clone
        .git
        .in_folder(top, "symbolic-ref")
        .args(["--quiet", "--short", "HEAD"])
        .text(cancel)
        .await
        .ok();
    let mut remotes = git::remotes(&clone.git, repository, branch.as_deref(), cancel)
        .await
        .map_err(|failure| failure.about(&clone.origin.shown()))?;
    for (_, url) in &mut remotes {
        // A path in a repository's settings starts at its working tree.
        if let git::Location::Path(path) = git::Location::parse(url) {
            *url = top.join(path).display().to_string();
        }
    }
    Ok(remotes)
}

/// Where the head of a pull request is kept in the clone.
pub(super) fn pull_name(number: u64) -> String {
    format!("refs/pulls/{number}")
}

/// Names of the user's own branches and tags in the clone.
pub(super) fn own_names(origin: &Origin, name: &str) -> Vec<String> {
    let root = match origin {
        Origin::Folder { .. } => LOCAL,
        Origin::Url(_) => "refs",
    };
    match name.strip_prefix("refs/") {
        Some(full) => vec![format!("{root}/{full}")],
        None => vec![
            format!("{root}/heads/{name}"),
            format!("{root}/tags/{name}"),
        ],
    }
}

/// Names that the user's clone keeps a remote's branch under: `origin/x` as
/// written, then `x` of each remote.
pub(super) fn tracking_names(name: &str, remotes: &[(String, String)]) -> Vec<String> {
    let written = format!("{LOCAL}/remotes/{name}");
    let of_each = remotes
        .iter()
        .map(|(remote, _)| format!("{LOCAL}/remotes/{remote}/{name}"));
    std::iter::once(written).chain(of_each).collect()
}

/// The commit a name stands for in the clone.
pub(super) async fn commit_of(
    clone: &PrivateClone,
    name: &str,
    cancel: &CancellationToken,
) -> Result<Option<String>, Problem> {
    let call = clone.git.on(clone.path(), "rev-parse");
    let found = verified(call, name, cancel).await;
    if cancel.is_cancelled() {
        return Err(Problem::new(Code::Cancelled, "Stopped on request"));
    }
    Ok(found)
}

/// The commit that `rev-parse`, prepared as `call`, makes of a name.
pub(super) async fn verified(
    call: git::Call,
    name: &str,
    cancel: &CancellationToken,
) -> Option<String> {
    call.args(["--verify", "--quiet", "--end-of-options"])
        .arg(format!("{name}^{{commit}}"))
        .text(cancel)
        .await
        .ok()
}

/// Whether it looks like a commit id.
pub(super) fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Why no ref can have this name; git's own rules decide the rest.
pub(super) fn name_fault(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("is empty")
    } else if name.starts_with('-') {
        Some("starts with a dash, which no ref does")
    } else if name
        .chars()
        .any(|character| character.is_control() || " *?[\\:".contains(character))
    {
        Some("holds a character that no ref has")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_no_ref_has_are_refused() {
        for name in ["", "--upload-pack=x", "a b", "a:b", "refs/*", "a\nb"] {
            assert!(name_fault(name).is_some(), "{name}");
        }
        for name in [
            "main",
            "feature/x",
            "v1.0",
            "HEAD~1",
            "übung",
            "refs/heads/x",
        ] {
            assert_eq!(name_fault(name), None);
        }
    }
}
