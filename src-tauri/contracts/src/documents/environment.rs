use crate::schema::Starter;
use std::collections::BTreeMap;

use crate::declare::{Nullable, SECRET_VALUE, choice, document};
use crate::documents::{AccessScheme, Engine, ProvisionType, texts};

choice! {
    /// Status
    ///
    /// The life of an environment.
    pub enum EnvironmentStatus {
        /// Provisioning
        ///
        /// Being brought up, or updated in place.
        Provisioning = "provisioning",
        /// Ready
        ///
        /// Up, its address answered.
        Ready = "ready",
        /// Failed
        ///
        /// The last operation failed; what it left is taken back or named.
        Failed = "failed",
        /// Expired
        ///
        /// Its time is over, its removal has not started yet.
        Expired = "expired",
        /// Tearing down
        ///
        /// Being removed.
        TearingDown = "tearing_down",
        /// Torn down
        ///
        /// Removed, and seen to be gone.
        TornDown = "torn_down",
    }
}

document! {
    /// Access
    ///
    /// The credentials that open an environment.
    pub struct EnvironmentAccess {
        /// Kind
        "scheme" scheme: AccessScheme,
        /// Token
        "token" token?: String = &SECRET_VALUE.when("scheme", &["bearer"]),
        /// User name
        "username" username?: String,
        /// Password
        "password" password?: String = &SECRET_VALUE.when("scheme", &["basic"]),
        /// Header name
        "headerName" header_name?: String,
        /// Header value
        "headerValue" header_value?: String = &SECRET_VALUE.when("scheme", &["custom_header"]),
    }
}

document! {
    /// Environment
    ///
    /// One environment as it is told of: where it is, how it is, until when.
    pub struct EnvironmentHandle with starting_with(ENVIRONMENT_HANDLE_STARTERS) {
        /// Id
        "id" id: String,
        /// Workspace
        "workspaceId" workspace_id: String,
        /// Service
        "blockId" block_id: Nullable<String>,
        /// Run
        ///
        /// The run that asked for it, where one did.
        "executionId" execution_id: Nullable<String>,
        /// Provider id
        "providerId" provider_id: String,
        /// External id
        ///
        /// Its id in the engine.
        "externalId" external_id: Nullable<String>,
        /// Address
        "url" url: Nullable<String>,
        /// Status
        "status" status: EnvironmentStatus,
        /// Access
        "access" access?: EnvironmentAccess,
        /// Created
        ///
        /// Milliseconds since 1970.
        "createdAt" created_at: f64,
        /// Ends
        ///
        /// Milliseconds since 1970; null when it does not.
        "expiresAt" expires_at: Nullable<f64>,
        /// Last error
        "lastError" last_error: Nullable<String>,
        /// Provision type
        "provisionType" provision_type?: Nullable<ProvisionType>,
        /// Engine
        "engine" engine?: Nullable<Engine>,
    }
}

document! {
    /// Provision an environment
    pub struct ProvisionEnvironment with starting_with(PROVISION_ENVIRONMENT_STARTERS) {
        /// Service
        "blockId" block_id?: String = texts::NON_EMPTY,
        /// Inputs
        ///
        /// Values for the templates, as {{input.name}}.
        "inputs" inputs?: BTreeMap<String, String>,
    }
}

const ENVIRONMENT_HANDLE_STARTERS: &[Starter] = &[Starter {
    title: "A ready environment",
    description: "As it is told of.",
    document: r#"{"id": "env_1", "workspaceId": "ws_1", "blockId": "svc_7f3a", "executionId": null, "providerId": "acme-previews", "externalId": "env-1842", "url": "https://login.preview.example.com", "status": "ready", "createdAt": 1767225600000, "expiresAt": 1767232800000, "lastError": null, "provisionType": "custom", "engine": "remote-custom"}"#,
}];

const PROVISION_ENVIRONMENT_STARTERS: &[Starter] = &[Starter {
    title: "A branch",
    description: "An environment of a service's branch.",
    document: r#"{"blockId": "svc_7f3a", "inputs": {"branch": "feature/login"}}"#,
}];
