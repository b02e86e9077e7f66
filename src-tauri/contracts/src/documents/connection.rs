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
        document: r#"{"config": {"kind": "manifest", "manifest": {"providerId": "acme-previews", "label": "Acme previews", "baseUrl": "https://previews.example.com/api/v1", "auth": {"type": "bearer", "secretRef": {"key": "API_TOKEN"}}, "provision": {"method": "POST", "pathTemplate": "/environments", "bodyTemplate": "{\"repository\":\"{{input.repoOwner}}/{{input.repoName}}\",\"branch\":\"{{input.branch}}\"}"}, "status": {"method": "GET", "pathTemplate": "/environments/{{provision.externalId}}"}, "teardown": {"method": "DELETE", "pathTemplate": "/environments/{{provision.externalId}}"}, "response": {"urlPath": "url", "statusPath": "state", "statusMap": [{"from": "building", "to": "provisioning"}, {"from": "running", "to": "ready"}, {"from": "error", "to": "failed"}], "externalIdPath": "id"}, "defaultTtlMs": 7200000}}, "secrets": {"API_TOKEN": ""}}"#,
    },
    Starter {
        title: "Kubernetes",
        description: "With the token of a service account.",
        document: r#"{"config": {"kind": "kubernetes", "kubernetes": {"label": "k3s on my laptop", "apiServerUrl": "https://127.0.0.1:6443", "manifestSource": {"type": "colocated", "path": "deploy/preview"}, "url": {"source": "ingressTemplate", "hostTemplate": "{{namespace}}.localhost", "scheme": "http"}, "defaultTtlMs": 7200000}}, "secrets": {"apiToken": ""}}"#,
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
    document: r#"{"config": {"kind": "manifest", "manifest": {"providerId": "acme-previews", "label": "Acme previews", "baseUrl": "https://previews.example.com/api/v1", "auth": {"type": "bearer", "secretRef": {"key": "API_TOKEN"}}, "provision": {"method": "POST", "pathTemplate": "/environments", "bodyTemplate": "{\"repository\":\"{{input.repoOwner}}/{{input.repoName}}\",\"branch\":\"{{input.branch}}\"}"}, "status": {"method": "GET", "pathTemplate": "/environments/{{provision.externalId}}"}, "teardown": {"method": "DELETE", "pathTemplate": "/environments/{{provision.externalId}}"}, "response": {"urlPath": "url", "statusPath": "state", "statusMap": [{"from": "building", "to": "provisioning"}, {"from": "running", "to": "ready"}, {"from": "error", "to": "failed"}], "externalIdPath": "id"}, "defaultTtlMs": 7200000}}, "secrets": {"API_TOKEN": ""}}"#,
}];

const CONNECTION_STARTERS: &[Starter] = &[Starter {
    title: "An HTTP management API",
    description: "As it is shown once it is registered.",
    document: r#"{"kind": "manifest", "providerId": "acme-previews", "label": "Acme previews", "baseUrl": "https://previews.example.com/api/v1", "connectedAt": 1767225600000, "secretKeys": ["API_TOKEN"]}"#,
}];
