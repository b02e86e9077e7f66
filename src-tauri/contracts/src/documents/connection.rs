use crate::declare::{SECRET_VALUES, SecretValues, document};
use crate::documents::BackendConfig;

document! {
    /// Environment connection
    ///
    /// What is shown of a registered backend; never a secret's value.
    pub struct Connection {
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
    pub struct RegisterProvider {
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
    pub struct UpdateSecrets {
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
    pub struct TestConnection {
        /// Configuration
        "config" config?: BackendConfig,
        /// Secret values
        "secrets" secrets?: SecretValues = SECRET_VALUES,
    }
}
