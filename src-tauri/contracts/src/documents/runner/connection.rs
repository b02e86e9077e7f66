use crate::declare::{SECRET_VALUES, SecretValues, document};
use crate::documents::runner::RunnerBackendConfig;

document! {
    /// Runner connection
    ///
    /// What is shown of a registered runner backend; never a secret's value.
    pub struct RunnerConnection {
        /// Kind
        "kind" kind: String,
        /// Provider id
        "providerId" provider_id: String,
        /// Label
        "label" label: String,
        /// Base URL
        "baseUrl" base_url: String,
        /// Connected
        ///
        /// Milliseconds since 1970.
        "connectedAt" connected_at: f64,
        /// Secret keys
        ///
        /// The names of the secrets that are set.
        "secretKeys" secret_keys: Vec<String>,
        /// Configuration
        ///
        /// As it was registered, to begin a change with.
        "config" config?: RunnerBackendConfig,
    }
}

document! {
    /// Register a runner backend
    ///
    /// A runner backend and the values of the secrets that it names.
    pub struct RegisterRunner {
        /// Configuration
        "config" config: RunnerBackendConfig,
        /// Secret values
        ///
        /// A value for every secret that the configuration names.
        "secrets" secrets: SecretValues = SECRET_VALUES,
    }
}

document! {
    /// Change a runner's secrets
    pub struct UpdateRunnerSecrets {
        /// Secret values
        ///
        /// New values by key; other keys keep theirs.
        "secrets" secrets: SecretValues = SECRET_VALUES,
    }
}

document! {
    /// Test a runner connection
    ///
    /// A runner backend to try before it is saved; nothing is stored.
    pub struct TestRunnerConnection {
        /// Configuration
        "config" config?: RunnerBackendConfig,
        /// Secret values
        "secrets" secrets?: SecretValues = SECRET_VALUES,
    }
}
