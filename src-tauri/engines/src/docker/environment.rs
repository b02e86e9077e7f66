use std::collections::BTreeMap;

use berth_compose::Project;
use futures_util::Stream;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::Endpoint;
use crate::{EngineError, PlanView, Reporter, Step};

/// A connection to one engine, its API version negotiated.
#[derive(Clone)]
pub struct Docker {}

/// What an engine says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EngineInfo {
    /// `28.5.2`.
    pub version: String,
    /// The API version agreed on, `1.51`.
    pub api_version: String,
    /// The engine's own id: the same engine through any socket.
    pub id: String,
    /// `linux/amd64`.
    pub platform: String,
    /// `Docker Engine - Community`, `Podman Engine` …
    pub product: String,
}

/// Who an environment is, on the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Value of `dev.berth.environment`.
    pub environment: String,
    /// Value of `dev.berth.operation` on what this operation creates.
    pub operation: String,
    /// Legal compose project name; prefix of everything.
    pub project: String,
    /// Label of the URL: `http://<host>.localhost:<port>`.
    pub host: String,
    /// The project's folder, for Compose's own labels.
    pub working_dir: Option<std::path::PathBuf>,
    /// The compose files in order, for Compose's own labels.
    pub config_files: Vec<std::path::PathBuf>,
}

/// One port that needs a place on the host.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortKey {
    /// The service.
    pub service: String,
    /// Port inside.
    pub target: u16,
    /// `tcp`, `udp`, `sctp`.
    pub protocol: String,
}

/// Everything on the engine that matters for a plan.
#[derive(Clone, Debug, Default)]
pub struct Observation {}

/// What planning looks at. No clock, no disk, no engine.
pub struct PlanInput<'a> {
    /// The project as loaded.
    pub project: &'a Project,
    /// Who it is for.
    pub identity: &'a Identity,
    /// What is there.
    pub observation: &'a Observation,
    /// A host port for each of [`ports_needed`].
    pub ports: &'a BTreeMap<PortKey, u16>,
    /// Which service and port is *the* URL, when someone said so.
    pub address: Option<(String, u16)>,
    /// Whether `<host>.localhost` resolves here; else `127.0.0.1` is shown.
    pub localhost_names_resolve: bool,
}

/// What is about to be done.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// For the window, the command line and the record.
    pub view: PlanView,
    /// The steps that applying it will report, in order.
    pub steps: Vec<Step>,
}

/// One way in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    /// The service behind it.
    pub service: String,
    /// Port inside.
    pub target: u16,
    /// Port on the loopback address.
    pub host_port: u16,
    /// `http://shop-api-main.localhost:41873`.
    pub url: String,
    /// *The* URL of the environment.
    pub primary: bool,
}

/// What applying a plan led to.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// All ways in, the primary one first.
    pub addresses: Vec<Address>,
}

/// What is taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everything of an environment.
    Environment(String),
    /// Only what one operation made: environment and operation.
    Operation(String, String),
}

/// What was taken away, kind and name of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// `container shop-main-db-1` …
    pub resources: Vec<String>,
}

/// Whether a container runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum PartState {
    /// Made, not started.
    Created,
    /// Runs.
    Running,
    /// Between two starts.
    Restarting,
    /// Paused.
    Paused,
    /// Ended.
    Exited,
}

/// What its healthcheck says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum PartHealth {
    /// It has none.
    None,
    /// Not decided yet.
    Starting,
    /// Passed.
    Healthy,
    /// Failed.
    Unhealthy,
}

/// One container of an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// The service.
    pub service: String,
    /// The container's name.
    pub name: String,
    /// The image it runs.
    pub image: String,
    /// Whether it runs.
    pub state: PartState,
    /// What its healthcheck says.
    pub health: PartHealth,
    /// Why it is as it is: exit code, out of memory, last probe output.
    pub cause: Option<String>,
    /// A one-shot that others waited for: ended well is well.
    pub one_shot: bool,
    /// Its exit code, once ended.
    #[ts(type = "number | null")]
    pub exit_code: Option<i64>,
}

/// Which log lines.
#[derive(Clone, Debug, Default)]
pub struct LogOptions {
    /// Only these services; empty: all.
    pub services: Vec<String>,
    /// Keep going, also through containers that are made again.
    pub follow: bool,
    /// At most so many lines of the past per container; `None`: all.
    pub tail: Option<u32>,
}

/// One line of a log, without its line break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    /// The service.
    pub service: String,
    /// The container's name.
    pub container: String,
    /// Milliseconds since the epoch, as the engine noted it.
    #[ts(type = "number")]
    pub at: i64,
    /// Standard error; never with a terminal, where the two cannot be told apart.
    pub stderr: bool,
    /// The text, cut at 64 KiB.
    pub text: String,
}

/// The host ports that a project needs, in file order.
pub fn ports_needed(_project: &Project) -> Vec<PortKey> {
    Vec::new()
}

/// Decides what to do.
///
/// # Errors
/// [`EngineError::Refused`] for what cannot be isolated, [`EngineError::NameTaken`],
/// [`EngineError::ExternalMissing`].
pub fn plan(_input: &PlanInput<'_>) -> Result<Plan, EngineError> {
    Err(EngineError::Cancelled)
}

impl Docker {
    /// Connects, negotiates the version, and asks the engine who it is.
    ///
    /// # Errors
    /// The `Engine…` family of [`EngineError`]; within 10 s.
    pub async fn connect(_endpoint: &Endpoint) -> Result<Self, EngineError> {
        Err(EngineError::Cancelled)
    }

    /// What the engine says of itself.
    pub fn info(&self) -> &EngineInfo {
        unreachable!()
    }

    /// Looks at what the engine holds for an environment and its images.
    ///
    /// # Errors
    /// As the engine's.
    pub async fn observe(
        &self,
        _project: &Project,
        _identity: &Identity,
    ) -> Result<Observation, EngineError> {
        Err(EngineError::Cancelled)
    }

    /// Does what the plan says, reporting each step. On an error what was made
    /// is left as it is: the caller decides between [`Docker::remove`] and
    /// keeping it for a look.
    ///
    /// # Errors
    /// The first step that failed.
    pub async fn apply(
        &self,
        _plan: &Plan,
        _reporter: &dyn Reporter,
        _cancel: &CancellationToken,
    ) -> Result<Applied, EngineError> {
        Err(EngineError::Cancelled)
    }

    /// Removes what carries the labels of `scope`, then asks again whether it is
    /// gone. Absent is success.
    ///
    /// # Errors
    /// [`EngineError::NotRemoved`] naming what is still there.
    pub async fn remove(
        &self,
        _scope: &Scope,
        _reporter: &dyn Reporter,
    ) -> Result<Removed, EngineError> {
        Err(EngineError::Cancelled)
    }

    /// Removes a folder whose files belong to other users (containers write as
    /// root), through a container that mounts nothing else of the user's.
    ///
    /// # Errors
    /// As the engine's.
    pub async fn erase_folder(
        &self,
        _environment: &str,
        _folder: &std::path::Path,
    ) -> Result<(), EngineError> {
        Err(EngineError::Cancelled)
    }

    /// The containers of an environment.
    ///
    /// # Errors
    /// As the engine's.
    pub async fn parts(&self, _environment: &str) -> Result<Vec<Part>, EngineError> {
        Err(EngineError::Cancelled)
    }

    /// Merged logs of an environment, in time order as far as the engine
    /// delivers it.
    pub fn logs(
        &self,
        _environment: &str,
        _options: LogOptions,
    ) -> impl Stream<Item = Result<LogLine, EngineError>> + Send + 'static + use<> {
        futures_util::stream::empty()
    }

    /// Ids of environments whose containers changed, as it happens; ends when
    /// the engine goes away.
    pub fn changes(
        &self,
    ) -> impl Stream<Item = Result<String, EngineError>> + Send + 'static + use<> {
        futures_util::stream::empty()
    }

    /// Ids of all environments that anything on this engine is labelled with.
    ///
    /// # Errors
    /// As the engine's.
    pub async fn labelled(&self) -> Result<Vec<String>, EngineError> {
        Err(EngineError::Cancelled)
    }
}
