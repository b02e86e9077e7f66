use serde_json::Value;

use crate::declare::{Described, choice, document, union};
use crate::documents::{ComposeSettings, EnvironmentManifest, KubernetesEngineConfig, texts};
use crate::json_schema::parsed;
use crate::schema::{FormPart, Schema, Shown, Starter};

choice! {
    /// Engine
    ///
    /// Where a handler runs what it builds.
    pub enum Engine {
        /// Local Docker
        ///
        /// The Docker engine of this machine.
        LocalDocker = "local-docker",
        /// Local k3s
        ///
        /// A k3s cluster on this machine.
        LocalK3s = "local-k3s",
        /// Remote Kubernetes
        ///
        /// Any Kubernetes API server.
        RemoteKubernetes = "remote-kubernetes",
        /// Remote, custom
        ///
        /// An organisation's own management API.
        RemoteCustom = "remote-custom",
        /// None
        ///
        /// Nothing runs.
        None = "none",
    }
}

document! {
    /// Local Docker
    pub struct LocalDockerHandler with shown_as(&COMPOSE_PART) {
        /// Manifest
        ///
        /// Carries the label and, as its provider settings, the compose settings.
        "manifest" manifest: Box<EnvironmentManifest>,
    }
}

/// Nobody who wants Docker is asked for a base URL or an HTTP method.
static COMPOSE_PART: FormPart = FormPart {
    shown: &[
        Shown {
            at: "/manifest/label",
            settings: None,
        },
        Shown {
            at: "/manifest/providerConfig",
            settings: Some(COMPOSE_SETTINGS),
        },
    ],
    filled: include_str!("starters/local_docker_fill.json"),
};

/// A handler of the Docker engine that says nothing but what the contract wants said:
/// the document that a form of it starts from.
#[must_use]
pub fn bare_docker_handler() -> Value {
    let mut document = parsed(COMPOSE_PART.filled);
    document["engine"] = Value::from("local-docker");
    document["manifest"]["label"] = Value::from("Local Docker");
    document
}

const COMPOSE_SETTINGS: &Schema = ComposeSettings::SCHEMA;

document! {
    /// Kubernetes
    pub struct KubernetesHandler {
        /// Cluster
        ///
        /// The cluster that environments run on.
        "kubernetes" kubernetes: Box<KubernetesEngineConfig>,
    }
}

document! {
    /// Management API
    pub struct RemoteCustomHandler {
        /// Manifest
        ///
        /// Describes the HTTP API.
        "manifest" manifest: Box<EnvironmentManifest>,
        /// Serves the manifest type
        ///
        /// The custom manifest type whose services this handler takes.
        "acceptsManifestId" accepts_manifest_id: String = texts::MANIFEST_ID,
    }
}

union! {
    /// Handler
    ///
    /// The engine and the connection that serve services of one provision type.
    pub enum HandlerConfig by "engine" with starting_with(STARTERS) {
        /// Docker on this machine
        ///
        /// Compose files and Dockerfiles, on the local Docker engine.
        "local-docker" LocalDocker(LocalDockerHandler),
        /// k3s on this machine
        ///
        /// Kubernetes manifests, on a local k3s cluster.
        "local-k3s" LocalK3s(KubernetesHandler),
        /// A Kubernetes cluster
        ///
        /// Kubernetes manifests, on any cluster whose API server can be reached.
        "remote-kubernetes" RemoteKubernetes(KubernetesHandler),
        /// An HTTP management API
        ///
        /// Services of a custom manifest type, through an organisation's own API.
        "remote-custom" RemoteCustom(RemoteCustomHandler),
    }
}

const STARTERS: &[Starter] = &[
    Starter {
        title: "Docker on this machine",
        description: "Compose files and Dockerfiles, on the local Docker engine.",
        document: include_str!("starters/local_docker_handler.json"),
    },
    Starter {
        title: "k3s on this machine",
        description: "Kubernetes manifests, addresses under *.localhost.",
        document: include_str!("starters/k3s_handler.json"),
    },
    Starter {
        title: "An HTTP management API",
        description: "An organisation's own API with a bearer token.",
        document: include_str!("starters/remote_custom_handler.json"),
    },
];
