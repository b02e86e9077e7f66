use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::EngineError;

/// Where an engine is and why it was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Endpoint {
    /// `unix:///var/run/docker.sock`, `npipe:////./pipe/docker_engine`.
    pub address: String,
    /// The rule of the Docker CLI's order that chose it, in words
    /// (`DOCKER_HOST`, `context colima`, `platform default`).
    pub rule: String,
}

/// What the Docker CLI's order looks at; passed in so that tests need no
/// environment.
#[derive(Clone, Debug, Default)]
pub struct EndpointSources {
    /// Environment variables (`DOCKER_HOST`, `DOCKER_CONTEXT`, `DOCKER_CONFIG`,
    /// `XDG_RUNTIME_DIR` are read).
    pub environment: BTreeMap<String, String>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
}

/// A live socket of a known product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// `Docker Desktop`, `Colima`, `OrbStack`, `Rancher Desktop`, `Podman`,
    /// `rootless Docker`, `Docker Engine`.
    pub product: String,
    /// Its address.
    pub address: String,
}

/// The engine that the `docker` command would use: `DOCKER_HOST`, then
/// `DOCKER_CONTEXT`, then the current context, then the platform's default.
///
/// # Errors
/// [`EngineError::ContextBroken`], [`EngineError::EngineRemote`],
/// [`EngineError::EngineMissing`].
pub fn resolve(_sources: &EndpointSources) -> Result<Endpoint, EngineError> {
    Err(EngineError::Cancelled)
}

/// Sockets of known products that exist on this machine.
pub fn known(_sources: &EndpointSources) -> Vec<Found> {
    Vec::new()
}
