//! What a handler's document says of who it is: its key, its engine, what it
//! connects to, the secrets it needs. Pure.

use berth_contracts::documents::HandlerConfig;
use berth_contracts::{Engine, ProvisionType};

use crate::problem::{Code, Problem};
use crate::store::handlers::Content;
use crate::view::HandlerKey;

/// The secret that a cluster's API server is shown: the contract names no other.
const API_TOKEN: &str = "apiToken";

/// The engine that a document is for.
pub(crate) fn engine(config: &HandlerConfig) -> Engine {
    match config {
        HandlerConfig::LocalDocker(_) => Engine::LocalDocker,
        HandlerConfig::LocalK3s(_) => Engine::LocalK3s,
        HandlerConfig::RemoteKubernetes(_) => Engine::RemoteKubernetes,
        HandlerConfig::RemoteCustom(_) => Engine::RemoteCustom,
    }
}

/// What people see of it.
pub(crate) fn label(config: &HandlerConfig) -> &str {
    match config {
        HandlerConfig::LocalDocker(docker) => &docker.manifest.label,
        HandlerConfig::LocalK3s(cluster) | HandlerConfig::RemoteKubernetes(cluster) => {
            &cluster.kubernetes.label
        }
        HandlerConfig::RemoteCustom(custom) => &custom.manifest.label,
    }
}

/// The keys of the secrets that it needs, in the order of the document.
pub(crate) fn secret_keys(config: &HandlerConfig) -> Vec<&str> {
    match config {
        HandlerConfig::LocalDocker(docker) => docker.manifest.secret_keys(),
        HandlerConfig::LocalK3s(_) | HandlerConfig::RemoteKubernetes(_) => vec![API_TOKEN],
        HandlerConfig::RemoteCustom(custom) => custom.manifest.secret_keys(),
    }
}

/// Where it connects to; `None`: the Docker engine that the `docker` command uses.
pub(crate) fn address(config: &HandlerConfig) -> Option<&str> {
    match config {
        HandlerConfig::LocalDocker(docker) => docker
            .manifest
            .provider_config
            .as_ref()?
            .get("endpoint")?
            .as_str()
            .map(str::trim)
            .filter(|endpoint| !endpoint.is_empty()),
        HandlerConfig::LocalK3s(cluster) | HandlerConfig::RemoteKubernetes(cluster) => {
            Some(&cluster.kubernetes.api_server_url)
        }
        HandlerConfig::RemoteCustom(custom) => Some(&custom.manifest.base_url),
    }
}

/// What is written down of a valid document. Without a key it serves what its
/// engine is for; a management API serves the manifest type that it accepts.
///
/// # Errors
/// [`Code::InvalidInput`] for a key that its engine cannot serve, and a backend
/// kind that cannot build it.
pub(crate) fn content(
    config: HandlerConfig,
    key: Option<HandlerKey>,
    backend_kind: Option<String>,
) -> Result<Content, Problem> {
    let engine = engine(&config);
    let (provision_type, built_by) = match engine {
        Engine::LocalDocker => (ProvisionType::DockerCompose, "compose"),
        Engine::LocalK3s | Engine::RemoteKubernetes => (ProvisionType::Kubernetes, "kubernetes"),
        Engine::RemoteCustom => (ProvisionType::Custom, "manifest"),
        Engine::None => (ProvisionType::Infraless, "none"),
    };
    let accepts_manifest_id = match &config {
        HandlerConfig::RemoteCustom(custom) => Some(custom.accepts_manifest_id.clone()),
        _ => None,
    };
    let key = match key {
        Some(key) => checked(key, provision_type)?,
        None => HandlerKey {
            provision_type,
            manifest_id: accepts_manifest_id.clone(),
        },
    };
    if let Some(kind) = backend_kind.as_deref().filter(|kind| *kind != built_by) {
        return Err(Problem::new(
            Code::InvalidInput,
            format!("There is no backend “{kind}” that builds this handler"),
        )
        .hint(format!(
            "Leave it out: “{built_by}” builds handlers of this engine."
        )));
    }
    let (provider_id, base_url) = match &config {
        HandlerConfig::LocalDocker(docker) => {
            (&*docker.manifest.provider_id, &*docker.manifest.base_url)
        }
        HandlerConfig::LocalK3s(cluster) | HandlerConfig::RemoteKubernetes(cluster) => {
            ("kubernetes", &*cluster.kubernetes.api_server_url)
        }
        HandlerConfig::RemoteCustom(custom) => {
            (&*custom.manifest.provider_id, &*custom.manifest.base_url)
        }
    };
    Ok(Content {
        key,
        engine,
        backend_kind: built_by.to_owned(),
        provider_id: provider_id.to_owned(),
        label: label(&config).to_owned(),
        base_url: base_url.to_owned(),
        accepts_manifest_id,
        bundle: None,
        config,
    })
}

fn checked(key: HandlerKey, served: ProvisionType) -> Result<HandlerKey, Problem> {
    if key.provision_type != served {
        return Err(Problem::new(
            Code::InvalidInput,
            format!(
                "A handler of this engine serves {} services, not {}",
                word(served),
                word(key.provision_type)
            ),
        )
        .hint("Choose another engine, or leave the provision type out."));
    }
    match &key.manifest_id {
        Some(_) if served != ProvisionType::Custom => Err(Problem::new(
            Code::InvalidInput,
            format!("{} handlers have no manifest type", word(served)),
        )
        .hint("Leave the manifest type out.")),
        Some(id) if !is_manifest_id(id) => Err(Problem::new(
            Code::InvalidInput,
            format!("“{id}” cannot be a manifest type"),
        )
        .detail("A manifest type has 1 to 64 lower-case letters, digits and dashes, and does not begin with a dash.")),
        _ => Ok(key),
    }
}

/// The contract's rule for manifest ids.
pub(crate) fn is_manifest_id(id: &str) -> bool {
    (1..=64).contains(&id.len())
        && !id.starts_with('-')
        && id
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// The contract's word for a provision type.
pub(crate) fn word(provision_type: ProvisionType) -> &'static str {
    match provision_type {
        ProvisionType::Kubernetes => "kubernetes",
        ProvisionType::DockerCompose => "docker-compose",
        ProvisionType::Custom => "custom",
        ProvisionType::Infraless => "infraless",
    }
}
