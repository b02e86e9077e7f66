use std::fmt;

use berth_compose::Diagnostic;
use thiserror::Error;

/// The last lines a build or container wrote, newest last, at most a few dozen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastLines(pub Vec<String>);

impl fmt::Display for LastLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

/// Everything that can go wrong on an engine, told apart by what a person would
/// do about it.
#[derive(Debug, Error)]
pub enum EngineError {
    /// No socket was found where the Docker CLI would look.
    #[error("no Docker engine was found ({rule})")]
    EngineMissing {
        /// Which rule of the CLI's order chose, and what it named.
        rule: String,
        /// Live sockets of known products: name and address.
        alternatives: Vec<(String, String)>,
    },
    /// The socket is there, nobody answers.
    #[error("the Docker engine at {endpoint} does not answer")]
    EngineUnreachable {
        /// Its address.
        endpoint: String,
        /// Which rule of the CLI's order chose it.
        rule: String,
        /// Live sockets of known products: name and address.
        alternatives: Vec<(String, String)>,
        /// What the connection said.
        #[source]
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// The socket refuses this user.
    #[error("this user may not use the Docker engine at {endpoint}")]
    EngineForbidden {
        /// Its address.
        endpoint: String,
    },
    /// An endpoint on another machine.
    #[error("the Docker engine at {endpoint} is on another machine")]
    EngineRemote {
        /// Its address.
        endpoint: String,
        /// Which rule of the CLI's order chose it.
        rule: String,
    },
    /// An address on this machine that Berth cannot use, or none at all.
    #[error("the Docker engine cannot be reached at {endpoint}: {fault}")]
    EngineAddress {
        /// As the setting has it.
        endpoint: String,
        /// Which rule of the CLI's order chose it.
        rule: String,
        /// What is wrong with it.
        fault: String,
        /// What to write instead.
        hint: String,
    },
    /// The Docker CLI's own settings cannot be read.
    #[error("the Docker settings in {} cannot be read: {detail}", file.display())]
    ConfigBroken {
        /// The file, absolute.
        file: std::path::PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// `DOCKER_CONTEXT` or the current context names one that does not exist, or
    /// its metadata cannot be read.
    #[error("Docker context {name} cannot be used: {detail}")]
    ContextBroken {
        /// Its name.
        name: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The engine speaks no API version that Berth speaks.
    #[error("the engine offers API {offered}, Berth speaks {spoken}")]
    EngineVersion {
        /// The engine's range.
        offered: String,
        /// Berth's range.
        spoken: String,
    },
    /// The engine went away in the middle.
    #[error("the Docker engine stopped answering while {during}")]
    EngineLost {
        /// What was under way.
        during: String,
        /// What the connection said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The project asks for something that cannot be isolated or is not
    /// supported by this engine.
    #[error("the project cannot run as a preview")]
    Refused(Vec<Diagnostic>),
    /// An image cannot be had.
    #[error("image {image} cannot be pulled: {message}")]
    Pull {
        /// As written.
        image: String,
        /// The service that asked.
        service: String,
        /// The registry's or engine's answer.
        message: String,
    },
    /// A build failed.
    #[error("building {service} failed: {message}")]
    Build {
        /// The service.
        service: String,
        /// The engine's own summary.
        message: String,
        /// What the build wrote last.
        lines: LastLines,
    },
    /// A container ended although it was needed.
    #[error("{service} ended with exit code {code}")]
    Exited {
        /// The service.
        service: String,
        /// Its exit code.
        code: i64,
        /// Killed for want of memory.
        out_of_memory: bool,
        /// What it wrote last.
        lines: LastLines,
    },
    /// A healthcheck did not pass.
    #[error("{service} did not become healthy")]
    Unhealthy {
        /// The service.
        service: String,
        /// What the last probe printed.
        output: String,
        /// How many probes failed in a row.
        failing_streak: i64,
    },
    /// The address did not answer in time.
    #[error("{url} does not answer")]
    NotAnswering {
        /// The address.
        url: String,
        /// The service behind it.
        service: String,
        /// What the last try said.
        last: String,
        /// What the container wrote last.
        lines: LastLines,
    },
    /// A host port is in use.
    #[error("port {port} is taken{}", holder.as_deref().map(|h| format!(" by {h}")).unwrap_or_default())]
    PortTaken {
        /// The host port.
        port: u16,
        /// The service that wanted it.
        service: String,
        /// A program or container, when it can be told.
        holder: Option<String>,
    },
    /// The engine has no space left.
    #[error("the engine has no disk space left")]
    DiskFull {
        /// What was under way.
        during: String,
        /// The engine's own words.
        message: String,
    },
    /// No address range is left for another network.
    #[error("the engine has no address range left for another network")]
    AddressPoolsExhausted,
    /// A container, network or volume of that name exists and is not ours.
    #[error("{kind} {name} exists already and does not belong to this environment")]
    NameTaken {
        /// `container`, `network` or `volume`.
        kind: &'static str,
        /// Its name.
        name: String,
        /// The compose project or container that owns it, when it says so.
        owner: Option<String>,
    },
    /// Something external that the project counts on is not there.
    #[error("{kind} {name} does not exist")]
    ExternalMissing {
        /// `network` or `volume`.
        kind: &'static str,
        /// Its name.
        name: String,
    },
    /// Removal left something behind.
    #[error("{} could not be removed", left.join(", "))]
    NotRemoved {
        /// Kind and name of each thing that is still there, with the reason.
        left: Vec<String>,
    },
    /// A wait ran out of time.
    #[error("{what} took longer than {seconds} s")]
    TimedOut {
        /// What was waited for.
        what: String,
        /// The limit.
        seconds: u64,
    },
    /// The person or the caller stopped it.
    #[error("cancelled")]
    Cancelled,
    /// Any other answer of the engine.
    #[error("{during}: {message}")]
    Api {
        /// What was under way.
        during: String,
        /// HTTP status.
        status: u16,
        /// The engine's own words.
        message: String,
    },
}
