//! Which API version is spoken.

use bollard::models::SystemVersion;

use super::advice::failed_call;
use crate::Finding;
use crate::docker::client::{self, ApiRange, Fit};
use crate::docker::{Endpoint, EndpointSources};

/// A connection on which both sides speak the same version.
pub(super) struct Spoken {
    pub(super) api: bollard::Docker,
    pub(super) version: SystemVersion,
}

/// Asks for the range, and agrees on one in it.
pub(super) async fn agree(
    endpoint: &Endpoint,
    sources: &EndpointSources,
) -> (Finding, Option<Spoken>) {
    let failed = |error| {
        let finding = failed_call(&error, "its version", endpoint, sources);
        (finding, None)
    };
    let api = match client::open(endpoint) {
        Ok(api) => api,
        Err(error) => return failed(error),
    };
    let version = match api.version().await {
        Ok(version) => version,
        Err(error) => return failed(error),
    };
    let offered = ApiRange::of(&version);
    let spoken = ApiRange::spoken();
    if !offered.is_told() {
        let finding = Finding::failed("It does not say which API versions it offers.")
            .hint("Check what listens on this socket: it does not speak Docker's API.");
        return (finding, None);
    }
    let facts = |finding: Finding| {
        finding
            .fact("Offered", offered.to_string())
            .fact("Spoken by Berth", spoken.clone())
    };
    let apart = |hint: &str| {
        let finding = Finding::failed(format!(
            "The engine offers {offered}, Berth speaks {spoken}."
        ));
        (facts(finding).hint(hint), None)
    };
    match offered.fit() {
        Fit::TooOld => return apart("Update the engine: Docker 20.10 or newer is needed."),
        Fit::TooNew => return apart("Update Berth: the engine is newer than all it knows."),
        Fit::Common => {}
    }
    match api.negotiate_version().await {
        Ok(api) => {
            let agreed = api.client_version().to_string();
            let finding = Finding::passed(format!("API {agreed} of {offered}."));
            let spoken = Spoken { api, version };
            (facts(finding).fact("Agreed", agreed), Some(spoken))
        }
        Err(error) => failed(error),
    }
}
