//! Errors as they leave Berth: a closed code, and words that help.

mod engine;
mod project;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::redaction::{self, Redaction};

/// What went wrong, as a closed set. The front end reacts to codes, never to
/// message text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The engine: none found.
    EngineMissing,
    /// The engine: does not answer.
    EngineUnreachable,
    /// The engine: refuses this user.
    EngineForbidden,
    /// The engine: on another machine.
    EngineRemote,
    /// The engine: its Docker context is broken.
    EngineContext,
    /// The engine: too old or too new.
    EngineVersion,
    /// The engine: went away in the middle.
    EngineLost,
    /// The engine: any other answer.
    EngineAnswer,
    /// The project's files are wrong; `places` says where.
    ProjectInvalid,
    /// The project asks for something Berth cannot honour; `places` says where.
    ProjectUnsupported,
    /// The folder holds nothing that can be started.
    NothingToStart,
    /// A folder or file is not there.
    PathMissing,
    /// The ref, commit or pull request is not there.
    RefMissing,
    /// git failed.
    Git,
    /// An image cannot be pulled.
    ImagePull,
    /// A build failed.
    BuildFailed,
    /// A container ended.
    ContainerExited,
    /// A healthcheck did not pass.
    Unhealthy,
    /// The address did not answer.
    NotAnswering,
    /// A host port is taken.
    PortTaken,
    /// A name on the engine is taken by something that is not ours.
    NameTaken,
    /// No disk space.
    DiskFull,
    /// No address range left for a network.
    AddressPoolsExhausted,
    /// Removal left something.
    NotRemoved,
    /// A wait ran out.
    TimedOut,
    /// Stopped on request.
    Cancelled,
    /// The process that did it died; what it made was taken back.
    Interrupted,
    /// Another process works on this environment.
    Busy,
    /// No environment, service or workspace of that name.
    NotFound,
    /// More than one fits that name.
    Ambiguous,
    /// A value that was given is not acceptable.
    InvalidInput,
    /// A document does not say what its schema asks for; `places` says where.
    InvalidDocument,
    /// The service needs nothing to run: there is nothing to start.
    NothingToRun,
    /// No handler serves the service.
    NoHandler,
    /// Several handlers would serve the service.
    AmbiguousHandler,
    /// The service is for local development only, and its handler is not local.
    LocalDevOnly,
    /// The environment is there, on another engine than the handler's.
    MadeElsewhere,
    /// A handler refers to secrets that have no value.
    SecretMissing,
    /// The secret store: none on this machine.
    SecretStoreMissing,
    /// The secret store: locked.
    SecretStoreLocked,
    /// The secret store: its question was dismissed.
    SecretStoreDismissed,
    /// The secret store: no answer in time.
    SecretStoreSilent,
    /// The secret store: forgets everything when the session ends.
    SecretStoreNotPersistent,
    /// The secret store: any other answer.
    SecretStoreBroken,
    /// The store was written by a newer Berth.
    StoreNewer,
    /// The store cannot be read or written.
    Store,
    /// A fault of Berth itself.
    Internal,
}

/// A place in a file. Serialised, it is clean: see [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// Path as the user knows it.
    pub file: Option<String>,
    /// From 1.
    #[ts(type = "number | null")]
    pub line: Option<usize>,
    /// From 1.
    #[ts(type = "number | null")]
    pub column: Option<usize>,
    /// Dotted key.
    pub key: String,
    /// What is wrong there.
    #[serde(serialize_with = "redaction::serialize")]
    pub message: String,
    /// What to do about it.
    #[serde(serialize_with = "redaction::serialize_option")]
    pub hint: Option<String>,
}

/// A failure with a face. As it is serialised (for the store, the window and
/// `--json`) or displayed, it is clean of what looks like a secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[serde(rename_all = "camelCase")]
#[error("{}", redaction::redact(title))]
pub struct Problem {
    /// What went wrong.
    pub code: Code,
    /// One short sentence.
    #[serde(serialize_with = "redaction::serialize")]
    pub title: String,
    /// What is known beyond it.
    #[serde(serialize_with = "redaction::serialize_option")]
    pub detail: Option<String>,
    /// The next thing to do.
    #[serde(serialize_with = "redaction::serialize_option")]
    pub hint: Option<String>,
    /// Underlying causes, outermost first.
    #[serde(serialize_with = "redaction::serialize_each")]
    pub causes: Vec<String>,
    /// Where, for faults in files.
    pub places: Vec<Place>,
    /// The last lines a container or build wrote.
    #[serde(serialize_with = "redaction::serialize_lines")]
    pub lines: Vec<String>,
    /// Whether the same thing may succeed when tried again unchanged.
    pub retryable: bool,
}

impl Problem {
    /// A problem with nothing but a code and a title.
    pub fn new(code: Code, title: impl Into<String>) -> Self {
        Self {
            code,
            title: title.into(),
            detail: None,
            hint: None,
            causes: Vec::new(),
            places: Vec::new(),
            lines: Vec::new(),
            retryable: false,
        }
    }

    /// A fault of Berth itself.
    pub fn internal(detail: impl Into<String>) -> Self {
        Self {
            detail: Some(detail.into()),
            hint: Some(
                "This is a fault in Berth. Please report it with the lines above.".to_owned(),
            ),
            ..Self::new(Code::Internal, "Berth made a mistake")
        }
    }

    /// Adds what is known beyond the title.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Adds the next thing to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds an error's chain of causes.
    #[must_use]
    pub fn caused_by(mut self, error: &dyn std::error::Error) -> Self {
        let mut cause = Some(error);
        while let Some(error) = cause {
            self.causes.push(error.to_string());
            cause = error.source();
        }
        self
    }

    /// As it is shown: without what looks like a secret.
    #[must_use]
    pub fn clean(&self) -> Self {
        Redaction::default().problem(self.clone())
    }

    /// Says that trying again unchanged may help.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }
}
