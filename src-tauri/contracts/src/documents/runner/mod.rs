//! The runner side: where jobs run.

mod backend;
mod connection;
mod kubernetes;
mod pool;

pub use backend::{
    CustomRunnerBackend, KubernetesRunnerBackend, PoolRunnerBackend, RunnerBackendConfig,
};
pub use connection::{RegisterRunner, RunnerConnection, TestRunnerConnection, UpdateRunnerSecrets};
pub use kubernetes::{KubernetesRunnerConfig, PodResources, ResourceAmounts};
pub use pool::{JobState, JobStateMapping, RunnerPoolManifest, RunnerResponseMapping};

pub(crate) use backend::CUSTOM_RUNNER_KIND;
