//! From what a user named (a branch, a tag, a commit, a pull request) to a commit
//! that is in the private clone.

use std::ffi::OsStr;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::clone::{Held, LOCAL, Origin, PrivateClone};
use crate::git::{self, Failure, Kind};
use crate::problem::{Code, Problem};
use crate::view::Selector;

/// How long a remote may take to bring a known branch up to date before its last
/// known state is used.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where what was fetched from a remote by name is kept.
const REMOTE: &str = "refs/remote";

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

/// One search for a name, with where it may look.
struct Search<'a> {
    clone: &'a PrivateClone,
    held: &'a Held,
    remotes: &'a [(String, String)],
    cancel: &'a CancellationToken,
}

impl Search<'_> {
    /// A branch of the user's, then a tag, then a commit, then a branch of a
    /// remote as last seen (brought up to date when the remote answers), then
    /// whatever the remote has by that name.
    async fn named(&self, name: &str) -> Result<(String, Option<String>), Problem> {
        if let Some(fault) = name_fault(name) {
            return Err(
                Problem::new(Code::InvalidInput, format!("`{name}` {fault}"))
                    .hint("Give a branch, a tag or a commit id."),
            );
        }
        for own in own_names(&self.clone.origin, name) {
            if let Some(commit) = commit_of(self.clone, &own, self.cancel).await? {
                return Ok((commit, None));
            }
        }
        // What looks like a commit id is one before it is a remote's branch.
        if is_hex(name)
            && let Some(commit) = self.expression(name).await?
        {
            return Ok((commit, None));
        }
        for tracking in tracking_names(name, self.remotes) {
            if let Some(known) = commit_of(self.clone, &tracking, self.cancel).await? {
                return Ok(self.newest_of(&tracking, known).await);
            }
        }
        if !is_hex(name)
            && let Some(commit) = self.expression(name).await?
        {
            return Ok((commit, None));
        }
        let mut asked = Vec::new();
        for (remote, url) in self.remotes {
            if let Some(commit) = self.from_remote(url, name).await? {
                return Ok((commit, None));
            }
            asked.push(format!("{remote} ({})", git::without_credentials(url)));
        }
        Err(self.no_such_ref(name, &asked).await)
    }

    /// A commit id, shortened ones included, or an expression such as `HEAD~1`,
    /// as the user's own repository understands it.
    async fn expression(&self, name: &str) -> Result<Option<String>, Problem> {
        let commit = match &self.clone.origin {
            Origin::Folder { top, .. } => {
                let call = self.clone.git.in_folder(top, "rev-parse");
                verified(call, name, self.cancel).await
            }
            Origin::Url(_) if name.len() >= 4 && is_hex(name) => {
                commit_of(self.clone, name, self.cancel).await?
            }
            Origin::Url(_) => None,
        };
        let (Some(commit), Origin::Folder { repository, .. }) = (&commit, &self.clone.origin)
        else {
            return Ok(commit);
        };
        if commit_of(self.clone, commit, self.cancel).await?.is_none() {
            // No ref leads to it (a detached commit, say): it is asked for by id.
            self.clone
                .fetch(self.held, repository.as_os_str(), commit, self.cancel)
                .await
                .map_err(|failure| failure.about(&self.clone.origin.shown()))?;
        }
        Ok(Some(commit.clone()))
    }

    /// A remote's branch as it is now, or as last seen when the remote does not
    /// answer soon.
    async fn newest_of(&self, tracking: &str, known: String) -> (String, Option<String>) {
        let remote = self.remotes.iter().find_map(|(remote, url)| {
            let front = format!("{LOCAL}/remotes/{remote}/");
            Some((url, tracking.strip_prefix(&front)?))
        });
        let Some((url, branch)) = remote else {
            return (known, None);
        };
        let asked = self.from_remote(url, branch);
        match tokio::time::timeout(PATIENCE, asked).await {
            Ok(Ok(Some(commit))) => (commit, None),
            Ok(Ok(None)) => (
                known,
                Some(format!(
                    "{branch} is no longer on the remote; this is its last known state."
                )),
            ),
            Ok(Err(_)) | Err(_) => (
                known,
                Some(format!(
                    "The remote of {branch} did not answer; this is its last known state."
                )),
            ),
        }
    }

    /// What a remote has by that name: a branch, a tag, or a full commit id.
    async fn from_remote(&self, url: &str, name: &str) -> Result<Option<String>, Problem> {
        let wanted = [format!("refs/heads/{name}"), format!("refs/tags/{name}")];
        let offered = self
            .offered(url, &wanted)
            .await
            .map_err(|failure| failure.about(url))?;
        let found = wanted.iter().find(|wanted| offered.contains(wanted));
        let (source, target) = match found {
            Some(full) => {
                let short = full.strip_prefix("refs/").unwrap_or(full);
                (full.clone(), format!("{REMOTE}/{short}"))
            }
            None if is_hex(name) && matches!(name.len(), 40 | 64) => {
                (name.to_owned(), format!("{REMOTE}/commits/{name}"))
            }
            None => return Ok(None),
        };
        let fetched = self
            .clone
            .fetch(
                self.held,
                OsStr::new(url),
                &format!("+{source}:{target}"),
                self.cancel,
            )
            .await;
        match fetched {
            Ok(()) => commit_of(self.clone, &target, self.cancel).await,
            Err(failure) if failure.kind == Kind::RefMissing => Ok(None),
            Err(failure) => Err(failure.about(url)),
        }
    }

    /// The head of a pull request, from the first remote that has it.
    async fn pull_request(&self, number: u64) -> Result<String, Problem> {
        if self.remotes.is_empty() {
            return Err(Problem::new(
                Code::RefMissing,
                format!(
                    "{} has no remote that pull request {number} could be on",
                    self.clone.origin.shown()
                ),
            )
            .hint("Add the remote with `git remote add origin ADDRESS`."));
        }
        // A fork's pull requests are the original's.
        let mut remotes: Vec<_> = self.remotes.iter().collect();
        remotes.sort_by_key(|(name, _)| name != "upstream");
        let mut tried = Vec::new();
        for (remote, url) in remotes {
            let candidates = pull_refs(url, number);
            let offered = self
                .offered(url, &candidates)
                .await
                .map_err(|failure| failure.about(url))?;
            if let Some(source) = candidates.iter().find(|name| offered.contains(name)) {
                let target = pull_name(number);
                self.clone
                    .fetch(
                        self.held,
                        OsStr::new(url),
                        &format!("+{source}:{target}"),
                        self.cancel,
                    )
                    .await
                    .map_err(|failure| failure.about(url))?;
                if let Some(commit) = commit_of(self.clone, &target, self.cancel).await? {
                    return Ok(commit);
                }
            }
            tried.push(format!(
                "{} of {remote} ({})",
                candidates.join(", "),
                git::without_credentials(url)
            ));
        }
        Err(Problem::new(Code::RefMissing, format!("There is no pull request {number}"))
            .detail(format!("Looked for {}.", tried.join("; ")))
            .hint("Check the number, and that the remote is the repository the pull request was opened in."))
    }

    async fn offered(&self, url: &str, wanted: &[String]) -> Result<Vec<String>, Failure> {
        let answer = self
            .clone
            .git
            .anywhere("ls-remote")
            .args(["--quiet", "--end-of-options", url])
            .args(wanted)
            .remote()
            .text(self.cancel)
            .await?;
        Ok(answer
            .lines()
            .filter_map(|line| Some(line.split_once('\t')?.1.to_owned()))
            .collect())
    }

    async fn no_such_ref(&self, name: &str, asked: &[String]) -> Problem {
        let subject = self.clone.origin.shown();
        let front = match self.clone.origin {
            Origin::Folder { .. } => format!("{LOCAL}/heads/"),
            Origin::Url(_) => "refs/heads/".to_owned(),
        };
        let known = git::refs(&self.clone.git, self.clone.path(), &[&front], self.cancel)
            .await
            .unwrap_or_default();
        if known.is_empty() {
            return Problem::new(Code::RefMissing, format!("{subject} has no commits yet"))
                .hint("Commit something first, or start the folder as it is.");
        }
        let branches: Vec<&str> = known
            .iter()
            .filter_map(|line| line.name.strip_prefix(&front))
            .take(5)
            .collect();
        let places = if asked.is_empty() {
            String::new()
        } else {
            format!(" Also asked: {}.", asked.join(", "))
        };
        Problem::new(
            Code::RefMissing,
            format!("{subject} has no branch, tag or commit `{name}`"),
        )
        .detail(format!(
            "Its latest branches: {}.{places}",
            branches.join(", ")
        ))
        .hint("Check the spelling; a branch of a colleague must have been pushed.")
    }
}

/// The pull-request refs a host may have, likeliest first.
fn pull_refs(url: &str, number: u64) -> Vec<String> {
    let github = format!("refs/pull/{number}/head");
    let gitlab = format!("refs/merge-requests/{number}/head");
    let bitbucket = format!("refs/pull-requests/{number}/from");
    let host = git::host(url).unwrap_or_default();
    if host == "github.com" || host == "codeberg.org" || host == "gitea.com" {
        vec![github]
    } else if host.contains("gitlab") {
        vec![gitlab, github]
    } else {
        vec![github, gitlab, bitbucket]
    }
}

fn pull_name(number: u64) -> String {
    format!("refs/pulls/{number}")
}

/// Names of the user's own branches and tags in the clone.
fn own_names(origin: &Origin, name: &str) -> Vec<String> {
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
fn tracking_names(name: &str, remotes: &[(String, String)]) -> Vec<String> {
    let written = format!("{LOCAL}/remotes/{name}");
    let of_each = remotes
        .iter()
        .map(|(remote, _)| format!("{LOCAL}/remotes/{remote}/{name}"));
    std::iter::once(written).chain(of_each).collect()
}

async fn commit_of(
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

async fn verified(call: git::Call, name: &str, cancel: &CancellationToken) -> Option<String> {
    call.args(["--verify", "--quiet", "--end-of-options"])
        .arg(format!("{name}^{{commit}}"))
        .text(cancel)
        .await
        .ok()
}

fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Why no ref can have this name; git's own rules decide the rest.
fn name_fault(name: &str) -> Option<&'static str> {
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
    fn pull_request_refs_go_by_host() {
        assert_eq!(pull_refs("git@github.com:x/y.git", 7), ["refs/pull/7/head"]);
        assert_eq!(
            pull_refs("https://gitlab.example.com/x/y", 7),
            ["refs/merge-requests/7/head", "refs/pull/7/head"]
        );
        assert_eq!(pull_refs("/srv/x.git", 7).len(), 3);
    }

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
