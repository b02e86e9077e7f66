use std::collections::BTreeMap;

use serde_json::Value;

use crate::declare::{Described, document};
use crate::documents::{AuthScheme, RequestTemplate, ResponseMapping, texts};
use crate::schema::{Schema, Starter};
use crate::template;

pub(super) const PROVISION_REQUEST: &Schema =
    &RequestTemplate::SCHEMA.in_scope(&template::PROVISION);
pub(super) const PROVISIONED_REQUEST: &Schema =
    &RequestTemplate::SCHEMA.in_scope(&template::PROVISIONED);

document! {
    /// Environment manifest
    ///
    /// Describes an organisation's own HTTP API for preview environments: how an environment is
    /// asked for, looked after and removed, and what the answers mean.
    pub struct EnvironmentManifest with starting_with(STARTERS) {
        /// Provider id
        ///
        /// A short name for the API, in lower-case letters, digits and “-”.
        "providerId" provider_id: String = texts::PROVIDER_ID,
        /// Label
        ///
        /// What people see.
        "label" label: String = texts::LABEL,
        /// Base URL
        ///
        /// Root of the management API; the paths of the requests are appended to it.
        "baseUrl" base_url: String = texts::URL,
        /// Authentication
        ///
        /// How requests show who they are from.
        "auth" auth: AuthScheme,
        /// Provision request
        ///
        /// Asks for an environment.
        "provision" provision: RequestTemplate = PROVISION_REQUEST,
        /// Status request
        ///
        /// Asks how far an environment is, until it is ready. Without it an environment counts as
        /// ready once it was asked for.
        "status" status?: RequestTemplate = PROVISIONED_REQUEST,
        /// Teardown request
        ///
        /// Removes an environment, by hand or when its time is over. Without it nothing is removed.
        "teardown" teardown?: RequestTemplate = PROVISIONED_REQUEST,
        /// Response mapping
        ///
        /// Where the answers say what Berth wants to know.
        "response" response: ResponseMapping,
        /// Default lifetime
        ///
        /// How long an environment lives when the API names no end; at least a minute.
        "defaultTtlMs" default_ttl_ms?: f64 = texts::TTL,
        /// Provider settings
        ///
        /// Settings of a custom kind; the HTTP engine itself does not read them.
        "providerConfig" provider_config?: BTreeMap<String, Value>,
    }
}

impl EnvironmentManifest {
    /// The keys of the secrets that it needs, in the order of the document.
    #[must_use]
    pub fn secret_keys(&self) -> Vec<&str> {
        self.auth.secret_keys()
    }
}

const STARTERS: &[Starter] = &[Starter {
    title: "REST API with a token",
    description: "POST creates an environment, GET tells its state, DELETE removes it.",
    document: include_str!("starters/rest_api.json"),
}];
