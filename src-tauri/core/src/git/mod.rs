//! The system's `git`, run so that it asks nothing, runs nobody's hooks and never
//! writes into the user's repository.

mod failure;
mod hosted;
mod inspect;
mod location;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

use crate::platform;

pub(crate) use failure::{Failure, Kind, quoted};
pub(crate) use hosted::Hosted;
pub(crate) use inspect::{Head, WorkTree, head, refs, remotes, work_tree};
pub(crate) use location::{Location, host, last_part, relative_to, without_credentials};

/// How long a command that stays on this machine may take.
const LOCAL_DEADLINE: Duration = Duration::from_secs(120);

/// How long a command that talks to a remote may take. A connection that stalls
/// is given up earlier (see [`SETTINGS`]).
pub(crate) const REMOTE_DEADLINE: Duration = Duration::from_secs(30 * 60);

/// How long a cancelled git may take to remove its lock files.
const GRACE: Duration = Duration::from_secs(3);

/// How much of what git says on its error stream is kept: the end.
const ERROR_LIMIT: usize = 16 * 1024;

/// Settings of every call. They win over the user's and the repository's.
const SETTINGS: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.quotePath=false",
    "core.sharedRepository=umask",
    "clone.rejectShallow=false",
    "color.ui=false",
    "credential.interactive=false",
    "fetch.recurseSubmodules=false",
    "gc.auto=0",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
    "init.defaultRefFormat=files",
    "log.showSignature=false",
    "maintenance.auto=false",
    "protocol.ext.allow=never",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
];

/// Variables that point git at repositories, or change what it does, are not
/// passed on; these say how to reach remotes and where settings are.
const PASSED_ON: &[&str] = &[
    "GIT_ALLOW_PROTOCOL",
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_EXEC_PATH",
    "GIT_HTTP_PROXY_AUTHMETHOD",
    "GIT_PROXY_COMMAND",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSL_CERT",
    "GIT_SSL_KEY",
    "GIT_SSL_NO_VERIFY",
];

/// The system's git with the surroundings it runs in. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Git {
    environment: Arc<BTreeMap<String, String>>,
    /// A repository of another user that may be read.
    trusted: Option<PathBuf>,
}

/// What a repository is addressed by.
enum Place<'a> {
    /// A folder in a working tree: git finds the repository.
    Folder(&'a Path),
    /// A repository's own folder: git looks nowhere else.
    Repository(&'a Path),
    /// No repository.
    Nowhere,
}

/// One call of git.
pub(crate) struct Call {
    command: Command,
    /// What is run, for messages: `git fetch`.
    verb: String,
    deadline: Duration,
}

impl Git {
    /// Git as these process variables find and configure it.
    pub(crate) fn new(environment: &BTreeMap<String, String>) -> Self {
        let mut kept: BTreeMap<String, String> = environment
            .iter()
            .filter(|(name, _)| !name.starts_with("GIT_") || PASSED_ON.contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        for (name, value) in [
            ("LC_ALL", "C"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_TERMINAL_PROMPT", "0"),
            // Empty, not absent: an absent one lets git try SSH_ASKPASS.
            ("GIT_ASKPASS", ""),
            ("GCM_INTERACTIVE", "never"),
            ("GIT_PAGER", "cat"),
        ] {
            kept.insert(name.to_owned(), value.to_owned());
        }
        // ssh asks on the terminal itself, past git's standard input.
        if !kept.contains_key("GIT_SSH_COMMAND") && !kept.contains_key("GIT_SSH") {
            kept.insert(
                "GIT_SSH_COMMAND".to_owned(),
                "ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15".to_owned(),
            );
        }
        Self {
            environment: Arc::new(kept),
            trusted: None,
        }
    }

    /// The same, letting git read this repository whoever owns it: for one whose
    /// working tree git has accepted, because the user's `safe.directory` names
    /// the working tree and not the `.git` in it.
    pub(crate) fn trusting(&self, repository: &Path) -> Self {
        Self {
            environment: self.environment.clone(),
            trusted: Some(repository.to_owned()),
        }
    }

    /// A call in a folder of a working tree.
    pub(crate) fn in_folder(&self, folder: &Path, verb: &str) -> Call {
        self.call(&Place::Folder(folder), verb)
    }

    /// A call on a repository's own folder (`x.git`).
    pub(crate) fn on(&self, repository: &Path, verb: &str) -> Call {
        self.call(&Place::Repository(repository), verb)
    }

    /// A call that needs no repository.
    pub(crate) fn anywhere(&self, verb: &str) -> Call {
        self.call(&Place::Nowhere, verb)
    }

    fn call(&self, place: &Place<'_>, verb: &str) -> Call {
        let mut command = Command::new("git");
        command.env_clear().envs(self.environment.iter());
        match place {
            Place::Folder(folder) => {
                command.arg("-C").arg(folder);
            }
            Place::Repository(repository) => {
                let mut option = OsString::from("--git-dir=");
                option.push(repository);
                command.arg(option).current_dir(repository);
            }
            Place::Nowhere => {
                command.current_dir(std::env::temp_dir());
            }
        }
        for setting in SETTINGS {
            command.arg("-c").arg(setting);
        }
        if let Some(trusted) = &self.trusted {
            let mut setting = OsString::from("safe.directory=");
            setting.push(trusted);
            command.arg("-c").arg(setting);
        }
        command
            .arg("--no-pager")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        platform::in_own_group(&mut command);
        let mut call = Call {
            command,
            verb: verb.to_owned(),
            deadline: LOCAL_DEADLINE,
        };
        call.command.arg(verb);
        call
    }
}

impl Call {
    /// Adds an argument.
    #[must_use]
    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments.
    #[must_use]
    pub(crate) fn args<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(mut self, arguments: I) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets the folder that files are checked out to.
    #[must_use]
    pub(crate) fn work_tree(mut self, folder: &Path) -> Self {
        self.command
            .env("GIT_WORK_TREE", folder)
            .current_dir(folder);
        self
    }

    /// Gives it the time that a remote may take.
    #[must_use]
    pub(crate) fn remote(self) -> Self {
        self.within(REMOTE_DEADLINE)
    }

    /// Gives it so much time.
    #[must_use]
    pub(crate) fn within(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Runs it and returns what it printed.
    pub(crate) async fn run(self, cancel: &CancellationToken) -> Result<Vec<u8>, Failure> {
        let Self {
            mut command,
            verb,
            deadline,
        } = self;
        let mut child = command
            .spawn()
            .map_err(|error| Failure::not_started(&verb, &error))?;
        let stdout = child.stdout.take();
        let stderr = child.stderr.take();
        let end = async {
            let (output, said, status) =
                tokio::join!(read_all(stdout), read_end(stderr), child.wait());
            (output, said, status)
        };
        let ended = tokio::select! {
            ended = end => Some(ended),
            () = cancel.cancelled() => None,
            () = tokio::time::sleep(deadline) => None,
        };
        let Some((output, said, status)) = ended else {
            end_in_order(child).await;
            return Err(if cancel.is_cancelled() {
                Failure::cancelled(&verb)
            } else {
                Failure::timed_out(&verb, deadline)
            });
        };
        let status = status.map_err(|error| Failure::not_started(&verb, &error))?;
        if status.success() {
            output.map_err(|error| Failure::not_started(&verb, &error))
        } else {
            Err(Failure::said(&verb, status.code(), &said))
        }
    }

    /// Runs it and returns what it printed as text, without the line end.
    pub(crate) async fn text(self, cancel: &CancellationToken) -> Result<String, Failure> {
        let output = self.run(cancel).await?;
        Ok(String::from_utf8_lossy(&output).trim_end().to_owned())
    }
}

/// Lets git remove its lock files before it is killed.
async fn end_in_order(mut child: Child) {
    platform::ask_to_end(&child);
    if tokio::time::timeout(GRACE, child.wait()).await.is_err() {
        // Failing means that it is gone.
        let _ = child.kill().await;
    }
}

async fn read_all(stream: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        stream.read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

/// The end of a stream, lossily as text.
async fn read_end(stream: Option<impl AsyncRead + Unpin>) -> String {
    let mut kept = Vec::new();
    if let Some(mut stream) = stream {
        let mut chunk = [0_u8; 4096];
        // What was read before an error is worth showing.
        while let Ok(length @ 1..) = stream.read(&mut chunk).await {
            kept.extend_from_slice(&chunk[..length]);
            if kept.len() > 2 * ERROR_LIMIT {
                kept.drain(..kept.len() - ERROR_LIMIT);
            }
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}
