use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where a handler runs what it builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// The Docker engine of this machine.
    LocalDocker,
    /// A k3s cluster on this machine.
    LocalK3s,
    /// Any Kubernetes API server.
    RemoteKubernetes,
    /// An organisation's own management API.
    RemoteCustom,
    /// Nothing runs (`infraless`).
    None,
}

/// The life of an environment, as the contract names its states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EnvironmentStatus {
    /// Being brought up, or updated in place.
    Provisioning,
    /// Up, its address answered.
    Ready,
    /// The last operation failed; what it left is taken back or named.
    Failed,
    /// Its time is over, its removal has not started yet.
    Expired,
    /// Being removed.
    TearingDown,
    /// Removed, and seen to be gone.
    TornDown,
}
