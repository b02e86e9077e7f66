use crate::declare::{SECRET_VALUES, SecretValues, document};
use crate::documents::runner::RunnerBackendConfig;
use crate::schema::Starter;

document! {
    /// Runner connection
    ///
    /// What is shown of a registered runner backend; never a secret's value.
    pub struct RunnerConnection with starting_with(RUNNER_CONNECTION_STARTERS) {
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
    pub struct RegisterRunner with starting_with(REGISTER_RUNNER_STARTERS) {
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
    pub struct UpdateRunnerSecrets with starting_with(UPDATE_RUNNER_SECRETS_STARTERS) {
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
    pub struct TestRunnerConnection with starting_with(TEST_RUNNER_CONNECTION_STARTERS) {
        /// Configuration
        "config" config?: RunnerBackendConfig,
        /// Secret values
        "secrets" secrets?: SecretValues = SECRET_VALUES,
    }
}

const REGISTER_RUNNER_STARTERS: &[Starter] = &[
    Starter {
        title: "An HTTP pool",
        description: "With a bearer token.",
        document: include_str!("../starters/register_runner_manifest.json"),
    },
    Starter {
        title: "Kubernetes pods",
        description: "With the token of a service account.",
        document: include_str!("../starters/register_runner_kubernetes.json"),
    },
];

const UPDATE_RUNNER_SECRETS_STARTERS: &[Starter] = &[Starter {
    title: "One token",
    description: "Other keys keep their values.",
    document: r#"{"secrets": {"POOL_TOKEN": ""}}"#,
}];

const TEST_RUNNER_CONNECTION_STARTERS: &[Starter] = &[Starter {
    title: "An HTTP pool",
    description: "Tried with a bearer token.",
    document: include_str!("../starters/register_runner_manifest.json"),
}];

const RUNNER_CONNECTION_STARTERS: &[Starter] = &[Starter {
    title: "An HTTP pool",
    description: "As it is shown once it is registered.",
    document: include_str!("../starters/runner_connection_manifest.json"),
}];
