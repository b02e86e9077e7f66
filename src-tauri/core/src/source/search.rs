//! Looking for what a user named: in the clone, in the user's repository, at the
//! remotes.

use std::ffi::OsStr;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::clone::{Held, LOCAL, Origin, PrivateClone};
use super::resolve::{
    REMOTE, commit_of, is_hex, name_fault, own_names, pull_name, tracking_names, verified,
};
use crate::git::{self, Failure, Kind, REMOTE_DEADLINE};
use crate::problem::{Code, Problem};

/// How long a remote may take to bring a known branch up to date before its last
/// known state is used.
const PATIENCE: Duration = Duration::from_secs(30);

/// One search for a name, with where it may look.
pub(super) struct Search<'a> {
    pub(super) clone: &'a PrivateClone,
    pub(super) held: &'a Held,
    pub(super) remotes: &'a [(String, String)],
    pub(super) cancel: &'a CancellationToken,
}

impl Search<'_> {
    /// A branch of the user's, then a tag, then a commit, then a branch of a
    /// remote as last seen (brought up to date when the remote answers), then
    /// whatever the remote has by that name.
    pub(super) async fn named(&self, name: &str) -> Result<(String, Option<String>), Problem> {
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
            if let Some(commit) = self.at_remote(url, name, REMOTE_DEADLINE).await? {
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
                .fetch(
                    self.held,
                    repository.as_os_str(),
                    commit,
                    REMOTE_DEADLINE,
                    self.cancel,
                )
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
        match self.at_remote(url, branch, PATIENCE).await {
            Ok(Some(commit)) => (commit, None),
            Ok(None) => (
                known,
                Some(format!(
                    "{branch} is no longer on the remote; this is its last known state."
                )),
            ),
            Err(_) => (
                known,
                Some(format!(
                    "The remote of {branch} did not answer; this is its last known state."
                )),
            ),
        }
    }

    /// What a remote has by that name: a branch, a tag, or a full commit id.
    async fn at_remote(
        &self,
        url: &str,
        name: &str,
        deadline: Duration,
    ) -> Result<Option<String>, Problem> {
        let wanted = [format!("refs/heads/{name}"), format!("refs/tags/{name}")];
        let offered = self
            .offered(url, &wanted, deadline)
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
                deadline,
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
    pub(super) async fn pull_request(&self, number: u64) -> Result<String, Problem> {
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
                .offered(url, &candidates, REMOTE_DEADLINE)
                .await
                .map_err(|failure| failure.about(url))?;
            if let Some(source) = candidates.iter().find(|name| offered.contains(name)) {
                let target = pull_name(number);
                self.clone
                    .fetch(
                        self.held,
                        OsStr::new(url),
                        &format!("+{source}:{target}"),
                        REMOTE_DEADLINE,
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

    async fn offered(
        &self,
        url: &str,
        wanted: &[String],
        deadline: Duration,
    ) -> Result<Vec<String>, Failure> {
        let answer = self
            .clone
            .git
            .anywhere("ls-remote")
            .args(["--quiet", "--end-of-options", url])
            .args(wanted)
            .within(deadline)
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
}
