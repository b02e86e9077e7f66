//! What git says when it fails, sorted into kinds and worded for a person.

use std::io;
use std::time::Duration;

use super::location::without_credentials;
use crate::problem::{Code, Problem};

/// How many of git's last lines are shown.
const LINES: usize = 12;

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// There is no git.
    NoGit,
    /// Stopped on request.
    Cancelled,
    /// The deadline passed.
    TimedOut,
    /// The repository belongs to another user, and git refuses it.
    DubiousOwnership,
    /// No repository is there.
    NoRepository,
    /// The remote does not let this user in.
    Authentication,
    /// ssh does not know the remote's key.
    HostKey,
    /// The remote cannot be reached.
    Network,
    /// The ref or commit is not there.
    RefMissing,
    /// No disk space.
    DiskFull,
    /// A file or folder may not be read or written.
    Permission,
    /// A lock file of another or dead git is in the way.
    Locked,
    /// The repository's objects are damaged or incomplete.
    Damaged,
    /// Anything else.
    Other,
}

/// A call of git that failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// What kind it is.
    pub(crate) kind: Kind,
    /// What was run: `fetch`.
    verb: String,
    /// Exit code; absent when it did not end by itself.
    pub(crate) exit: Option<i32>,
    /// Its last words, without credentials.
    said: Vec<String>,
}

impl Failure {
    pub(super) fn not_started(verb: &str, error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => Kind::NoGit,
            io::ErrorKind::StorageFull => Kind::DiskFull,
            _ => Kind::Other,
        };
        Self::new(kind, verb, vec![error.to_string()])
    }

    pub(super) fn cancelled(verb: &str) -> Self {
        Self::new(Kind::Cancelled, verb, Vec::new())
    }

    pub(super) fn timed_out(verb: &str, deadline: Duration) -> Self {
        let said = format!("git did not end within {} s", deadline.as_secs());
        Self::new(Kind::TimedOut, verb, vec![said])
    }

    pub(super) fn said(verb: &str, exit: Option<i32>, text: &str) -> Self {
        let mut lines: Vec<String> = text
            .lines()
            // Progress is written over with carriage returns; its end counts.
            .map(|line| {
                line.rsplit('\r')
                    .find(|part| !part.is_empty())
                    .unwrap_or("")
            })
            .map(str::trim_end)
            .filter(|line| !line.is_empty())
            .map(without_credentials)
            .collect();
        let kind = sort(&lines.join("\n"));
        lines.drain(..lines.len().saturating_sub(LINES));
        Self {
            exit,
            ..Self::new(kind, verb, lines)
        }
    }

    fn new(kind: Kind, verb: &str, said: Vec<String>) -> Self {
        Self {
            kind,
            verb: verb.to_owned(),
            exit: None,
            said,
        }
    }

    /// The failure as a problem. `subject` is what git worked on, as the user
    /// knows it: a folder, a URL.
    pub(crate) fn about(self, subject: &str) -> Problem {
        let subject = without_credentials(subject);
        let (code, title, hint) = match self.kind {
            Kind::NoGit => (
                Code::Git,
                "git is not installed, or not on the search path".to_owned(),
                Some("Install git (Debian and Ubuntu: `sudo apt install git`), then try again."
                    .to_owned()),
            ),
            Kind::Cancelled => (Code::Cancelled, "Stopped on request".to_owned(), None),
            Kind::TimedOut => (
                Code::TimedOut,
                format!("git {} took too long for {subject}", self.verb),
                Some("Try again; if it happens again, run the same git command in a terminal to see what it waits for.".to_owned()),
            ),
            Kind::DubiousOwnership => (
                Code::Git,
                format!("git refuses {subject}: it belongs to another user"),
                Some(format!(
                    "If you trust it, run `git config --global --add safe.directory {}` and try again.",
                    quoted(&self.refused_folder().unwrap_or(subject))
                )),
            ),
            Kind::NoRepository => (
                Code::Git,
                format!("There is no git repository at {subject}"),
                Some("Check the address. A private repository also looks like this to someone who is not logged in.".to_owned()),
            ),
            Kind::Authentication => (
                Code::Git,
                format!("{subject} did not let git in"),
                Some("Berth uses the credentials git has and never asks. Make `git fetch` work in a terminal without a question: a credential helper for https, a key in the ssh agent for ssh.".to_owned()),
            ),
            Kind::HostKey => (
                Code::Git,
                format!("ssh does not trust the server behind {subject} yet"),
                Some("Connect once in a terminal (`git ls-remote` with this address) and confirm the server's key.".to_owned()),
            ),
            Kind::Network => (
                Code::Git,
                format!("{subject} cannot be reached"),
                Some("Check the network, VPN and proxy. What is in your own clone can still be started.".to_owned()),
            ),
            Kind::RefMissing => (
                Code::RefMissing,
                format!("The ref or commit is not in {subject}"),
                None,
            ),
            Kind::DiskFull => (
                Code::DiskFull,
                "No disk space left".to_owned(),
                Some("Free some space, then try again.".to_owned()),
            ),
            Kind::Permission => (
                Code::Git,
                format!("git may not read or write something of {subject}"),
                Some("The last lines name it. Files that a container wrote belong to its user.".to_owned()),
            ),
            Kind::Locked => (
                Code::Git,
                format!("Another git works on {subject}"),
                Some("Try again in a moment.".to_owned()),
            ),
            Kind::Damaged => (
                Code::Git,
                format!("The repository at {subject} is damaged or incomplete"),
                Some("`git fsck` in your own clone says what is missing.".to_owned()),
            ),
            Kind::Other => (Code::Git, format!("git {} failed for {subject}", self.verb), None),
        };
        let retryable = matches!(
            self.kind,
            Kind::TimedOut | Kind::Network | Kind::Locked | Kind::DiskFull | Kind::Cancelled
        );
        Problem {
            hint,
            lines: self.said,
            retryable,
            ..Problem::new(code, title)
        }
    }

    /// Git's own last words, for a message that names them.
    pub(crate) fn words(&self) -> String {
        self.said.join("; ")
    }

    /// The folder that git refused, from `… in repository at '/x'`.
    fn refused_folder(&self) -> Option<String> {
        self.said.iter().find_map(|line| {
            let (_, rest) = line.split_once("repository at '")?;
            let (folder, _) = rest.rsplit_once('\'')?;
            Some(folder.to_owned())
        })
    }
}

/// A path as a shell takes it.
pub(crate) fn quoted(path: &str) -> String {
    let plain =
        |character: char| character.is_ascii_alphanumeric() || "/._-+@:".contains(character);
    if !path.is_empty() && path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

/// Sorts by the words that git (in the C locale), curl and ssh use.
fn sort(text: &str) -> Kind {
    const WORDS: &[(&str, Kind)] = &[
        ("detected dubious ownership", Kind::DubiousOwnership),
        ("No space left on device", Kind::DiskFull),
        ("Disk quota exceeded", Kind::DiskFull),
        ("Host key verification failed", Kind::HostKey),
        ("could not read Username", Kind::Authentication),
        ("could not read Password", Kind::Authentication),
        ("Authentication failed", Kind::Authentication),
        ("terminal prompts disabled", Kind::Authentication),
        ("Permission denied (", Kind::Authentication),
        (
            "The requested URL returned error: 401",
            Kind::Authentication,
        ),
        (
            "The requested URL returned error: 403",
            Kind::Authentication,
        ),
        ("Could not resolve host", Kind::Network),
        ("Couldn't resolve host", Kind::Network),
        ("Could not resolve hostname", Kind::Network),
        ("Failed to connect", Kind::Network),
        ("Couldn't connect", Kind::Network),
        ("Connection refused", Kind::Network),
        ("Connection timed out", Kind::Network),
        ("Connection reset", Kind::Network),
        ("Operation timed out", Kind::Network),
        ("Operation too slow", Kind::Network),
        ("Network is unreachable", Kind::Network),
        ("No route to host", Kind::Network),
        ("The requested URL returned error: 5", Kind::Network),
        ("couldn't find remote ref", Kind::RefMissing),
        ("not our ref", Kind::RefMissing),
        ("unknown revision", Kind::RefMissing),
        ("Needed a single revision", Kind::RefMissing),
        ("Not a valid object name", Kind::RefMissing),
        (".lock': File exists", Kind::Locked),
        ("not a git repository", Kind::NoRepository),
        ("does not appear to be a git repository", Kind::NoRepository),
        ("Repository not found", Kind::NoRepository),
        ("repository not found", Kind::NoRepository),
        ("does not exist", Kind::NoRepository),
        ("The requested URL returned error: 404", Kind::NoRepository),
        ("bad object", Kind::Damaged),
        ("is corrupt", Kind::Damaged),
        ("unable to read tree", Kind::Damaged),
        ("unable to read sha1 file", Kind::Damaged),
        ("missing blob", Kind::Damaged),
        ("missing tree", Kind::Damaged),
        ("Failed to traverse parents", Kind::Damaged),
        ("did not send all necessary objects", Kind::Damaged),
        ("Could not read from remote repository", Kind::Network),
        ("Permission denied", Kind::Permission),
        ("Operation not permitted", Kind::Permission),
        ("Read-only file system", Kind::Permission),
    ];
    WORDS
        .iter()
        .find(|(words, _)| text.contains(words))
        .map_or(Kind::Other, |(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_says_is_sorted() {
        let golden = [
            (
                "fatal: could not read Username for 'https://h': terminal prompts disabled",
                Kind::Authentication,
            ),
            (
                "git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.",
                Kind::Authentication,
            ),
            (
                "Host key verification failed.\nfatal: Could not read from remote repository.",
                Kind::HostKey,
            ),
            (
                "fatal: unable to access 'https://h/x/': Could not resolve host: h",
                Kind::Network,
            ),
            (
                "fatal: unable to access 'https://h/x/': The requested URL returned error: 403",
                Kind::Authentication,
            ),
            (
                "remote: Repository not found.\nfatal: repository 'https://h/x/' not found",
                Kind::NoRepository,
            ),
            (
                "fatal: not a git repository (or any of the parent directories): .git",
                Kind::NoRepository,
            ),
            (
                "fatal: couldn't find remote ref refs/heads/x",
                Kind::RefMissing,
            ),
            (
                "error: unable to write file x: No space left on device",
                Kind::DiskFull,
            ),
            (
                "error: unable to unlink old 'x': Permission denied",
                Kind::Permission,
            ),
            (
                "fatal: Unable to create '/x/index.lock': File exists.",
                Kind::Locked,
            ),
            ("fatal: something new", Kind::Other),
        ];
        for (said, kind) in golden {
            assert_eq!(Failure::said("fetch", Some(128), said).kind, kind, "{said}");
        }
    }

    #[test]
    fn credentials_reach_no_message() {
        let said = "fatal: unable to access 'https://me:secret@h/x/': Could not resolve host: h";
        let problem = Failure::said("fetch", Some(128), said).about("https://me:secret@h/x");
        let text = format!("{problem:?}");
        assert!(!text.contains("secret") && !text.contains("me:"), "{text}");
        assert!(problem.retryable);
    }

    #[test]
    fn the_way_out_of_dubious_ownership_can_be_pasted() {
        let said = "fatal: detected dubious ownership in repository at '/srv/the irs'\nTo add";
        let problem = Failure::said("status", Some(128), said).about("/srv/the irs/api");
        let hint = problem.hint.unwrap();
        assert!(
            hint.contains("--add safe.directory '/srv/the irs'`"),
            "{hint}"
        );
    }
}
