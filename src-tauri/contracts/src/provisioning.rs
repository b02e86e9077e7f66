use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What kind of thing a service is provisioned as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ProvisionType {
    /// Kubernetes manifests.
    Kubernetes,
    /// A compose project, or a lone Dockerfile.
    DockerCompose,
    /// A custom manifest type of the catalogue.
    Custom,
    /// Nothing to provision.
    Infraless,
}

/// The *what and where* of a service. Only what `docker-compose` reads is here
/// so far; the other branches come with their engines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ServiceProvisioning {
    /// Which kind of provisioning this is.
    #[serde(rename = "type")]
    pub provision_type: ProvisionType,
    /// Compose file, relative to the service's folder. Absent: the folder is
    /// looked at for the usual names, then for a Dockerfile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub compose_path: Option<String>,
}
