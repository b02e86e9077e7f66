//! How a verb ends when it does not end well.

use std::io;

use berth_core::{Code, Problem};

/// Why a verb ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something went wrong, and was not said yet.
    Problem(Box<Problem>),
    /// Something went wrong and was said already; the exit code.
    Said(u8),
    /// Whoever read the output went away. Not a failure.
    Closed,
    /// The output cannot be written for another reason (disk full).
    Write(io::Error),
}

impl Failure {
    /// The exit code, as documented.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Problem(problem) => exit_code(problem.code),
            Self::Said(code) => *code,
            Self::Closed => 0,
            Self::Write(_) => 1,
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Closed
        } else {
            Self::Write(error)
        }
    }
}

/// Stopped with Ctrl-C, as shells count it.
pub(crate) const STOPPED: u8 = 130;

/// The exit code of a problem: 1 failed, 2 invalid input, 3 no usable engine,
/// 130 stopped on request.
pub(crate) fn exit_code(code: Code) -> u8 {
    match code {
        Code::EngineMissing
        | Code::EngineUnreachable
        | Code::EngineForbidden
        | Code::EngineRemote
        | Code::EngineContext
        | Code::EngineVersion
        | Code::EngineLost => 3,
        Code::ProjectInvalid
        | Code::ProjectUnsupported
        | Code::NothingToStart
        | Code::PathMissing
        | Code::RefMissing
        | Code::NotFound
        | Code::Ambiguous
        | Code::InvalidInput
        | Code::InvalidDocument => 2,
        Code::Cancelled => STOPPED,
        // Starting a service that needs nothing is done before it begins.
        Code::NothingToRun => 0,
        Code::EngineAnswer
        | Code::Git
        | Code::ImagePull
        | Code::BuildFailed
        | Code::ContainerExited
        | Code::Unhealthy
        | Code::NotAnswering
        | Code::PortTaken
        | Code::NameTaken
        | Code::DiskFull
        | Code::AddressPoolsExhausted
        | Code::NotRemoved
        | Code::TimedOut
        | Code::Interrupted
        | Code::Busy
        | Code::NoHandler
        | Code::AmbiguousHandler
        | Code::LocalDevOnly
        | Code::MadeElsewhere
        | Code::SecretMissing
        | Code::SecretStoreMissing
        | Code::SecretStoreLocked
        | Code::SecretStoreDismissed
        | Code::SecretStoreSilent
        | Code::SecretStoreNotPersistent
        | Code::SecretStoreBroken
        | Code::StoreNewer
        | Code::Store
        | Code::Internal => 1,
    }
}
