use crate::declare::{SECRET_VALUES, SecretValues, document};
use crate::documents::BackendConfig;
use crate::schema::Starter;

document! {
    /// Environment connection
    ///
    /// What is shown of a registered backend; never a secret's value.
    pub struct Connection with starting_with(CONNECTION_STARTERS) {
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
        "config" config?: BackendConfig,
    }
}

document! {
    /// Register a backend
    ///
    /// A backend and the values of the secrets that it names.
    pub struct RegisterProvider with starting_with(REGISTER_PROVIDER_STARTERS) {
        /// Configuration
        "config" config: BackendConfig,
        /// Secret values
        ///
        /// A value for every secret that the configuration names.
        "secrets" secrets: SecretValues = SECRET_VALUES,
    }
}

document! {
    /// Change secrets
    pub struct UpdateSecrets with starting_with(UPDATE_SECRETS_STARTERS) {
        /// Secret values
        ///
        /// New values by key; other keys keep theirs.
        "secrets" secrets: SecretValues = SECRET_VALUES,
    }
}

document! {
    /// Test a connection
    ///
    /// A backend to try before it is saved; nothing is stored.
    pub struct TestConnection with starting_with(TEST_CONNECTION_STARTERS) {
        /// Configuration
        "config" config?: BackendConfig,
        /// Secret values
        "secrets" secrets?: SecretValues = SECRET_VALUES,
    }
}

const REGISTER_PROVIDER_STARTERS: &[Starter] = &[
    Starter {
        title: "An HTTP management API",
        description: "With a bearer token.",
        document: include_str!("starters/register_provider_manifest.json"),
    },
    Starter {
        title: "Kubernetes",
        description: "With the token of a service account.",
        document: include_str!("starters/register_provider_kubernetes.json"),
    },
];

const UPDATE_SECRETS_STARTERS: &[Starter] = &[Starter {
    title: "One token",
    description: "Other keys keep their values.",
    document: r#"{"secrets": {"API_TOKEN": ""}}"#,
}];

const TEST_CONNECTION_STARTERS: &[Starter] = &[Starter {
    title: "An HTTP management API",
    description: "Tried with a bearer token.",
    document: include_str!("starters/register_provider_manifest.json"),
}];

const CONNECTION_STARTERS: &[Starter] = &[Starter {
    title: "An HTTP management API",
    description: "As it is shown once it is registered.",
    document: include_str!("starters/connection_manifest.json"),
}];
