use crate::declare::{document, union};
use crate::documents::backend::CUSTOM_KIND;
use crate::documents::runner::{KubernetesRunnerConfig, RunnerPoolManifest};
use crate::schema::{Schema, Starter};

/// The name of a custom kind of runner backend; the rules are those of environment backends.
pub(crate) const CUSTOM_RUNNER_KIND: &Schema = CUSTOM_KIND;

document! {
    /// HTTP pool
    pub struct PoolRunnerBackend {
        /// Manifest
        ///
        /// Describes the scheduler's API.
        "manifest" manifest: Box<RunnerPoolManifest>,
    }
}

document! {
    /// Kubernetes
    pub struct KubernetesRunnerBackend {
        /// Kubernetes
        ///
        /// The cluster that jobs run on.
        "kubernetes" kubernetes: Box<KubernetesRunnerConfig>,
    }
}

document! {
    /// Custom kind
    pub struct CustomRunnerBackend {
        /// Kind
        ///
        /// The name of the kind: lower-case letters, digits and “-”.
        "kind" kind: String = CUSTOM_RUNNER_KIND,
        /// Manifest
        ///
        /// What the kind needs to know.
        "manifest" manifest: Box<RunnerPoolManifest>,
    }
}

union! {
    /// Runner backend
    ///
    /// Where jobs run.
    pub enum RunnerBackendConfig by "kind" with starting_with(STARTERS) {
        /// HTTP pool
        ///
        /// An organisation's own job scheduler, described by a manifest.
        "manifest" Manifest(PoolRunnerBackend),
        /// Kubernetes
        ///
        /// A pod for each job.
        "kubernetes" Kubernetes(KubernetesRunnerBackend),
        other
        /// Custom kind
        ///
        /// A kind that a plugin or a build of Berth brings.
        Custom(CustomRunnerBackend),
    }
}

const STARTERS: &[Starter] = &[
    Starter {
        title: "An HTTP pool",
        description: "A job scheduler with a bearer token.",
        document: include_str!("../starters/pool_backend.json"),
    },
    Starter {
        title: "Kubernetes pods",
        description: "One pod for each job.",
        document: include_str!("../starters/kubernetes_runner_backend.json"),
    },
];
