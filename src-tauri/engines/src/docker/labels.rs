//! The labels that everything Berth makes carries: its own, which alone decide
//! what may be touched, and Compose's, so that Docker Compose understands the
//! project.

use std::collections::HashMap;

use super::Identity;

pub(super) const ENVIRONMENT: &str = "dev.berth.environment";
pub(super) const OPERATION: &str = "dev.berth.operation";
/// The `BERTH_URL_…` variables a container was made with, one a line.
pub(super) const URLS: &str = "dev.berth.urls";
/// Marks a container as one that others wait for to complete.
pub(super) const ONE_SHOT: &str = "dev.berth.one-shot";
/// On a service, in the compose file: which port is the URL (`8080`, or empty for
/// its first).
pub(super) const URL_CHOICE: &str = "dev.berth.url";

pub(super) const PROJECT: &str = "com.docker.compose.project";
pub(super) const SERVICE: &str = "com.docker.compose.service";
pub(super) const NUMBER: &str = "com.docker.compose.container-number";
pub(super) const ONE_OFF: &str = "com.docker.compose.oneoff";
pub(super) const CONFIG_HASH: &str = "com.docker.compose.config-hash";
pub(super) const WORKING_DIR: &str = "com.docker.compose.project.working_dir";
pub(super) const CONFIG_FILES: &str = "com.docker.compose.project.config_files";
pub(super) const DEPENDS_ON: &str = "com.docker.compose.depends_on";
pub(super) const IMAGE: &str = "com.docker.compose.image";
pub(super) const VERSION: &str = "com.docker.compose.version";
pub(super) const NETWORK: &str = "com.docker.compose.network";
pub(super) const VOLUME: &str = "com.docker.compose.volume";

const MADE_BY: &str = concat!("berth-", env!("CARGO_PKG_VERSION"));

/// What everything carries.
pub(super) fn common(identity: &Identity) -> HashMap<String, String> {
    let mut labels = HashMap::from([
        (ENVIRONMENT.to_owned(), identity.environment.clone()),
        (OPERATION.to_owned(), identity.operation.clone()),
        (VERSION.to_owned(), MADE_BY.to_owned()),
    ]);
    // Compose lists every resource with this label, also when it is empty.
    if !identity.project.is_empty() {
        labels.insert(PROJECT.to_owned(), identity.project.clone());
    }
    labels
}

/// What a container carries besides: where Compose finds the project's files.
pub(super) fn project_files(identity: &Identity) -> Vec<(String, String)> {
    let mut labels = Vec::new();
    if let Some(folder) = &identity.working_dir {
        labels.push((WORKING_DIR.to_owned(), folder.display().to_string()));
    }
    if !identity.config_files.is_empty() {
        let files: Vec<String> = identity
            .config_files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        labels.push((CONFIG_FILES.to_owned(), files.join(",")));
    }
    labels
}

/// `filters` of a list call: everything of one environment.
pub(super) fn of_environment(environment: &str) -> HashMap<String, Vec<String>> {
    HashMap::from([(
        "label".to_owned(),
        vec![format!("{ENVIRONMENT}={environment}")],
    )])
}

/// `filters` of a list call: what one operation made in one environment.
pub(super) fn of_operation(environment: &str, operation: &str) -> HashMap<String, Vec<String>> {
    HashMap::from([(
        "label".to_owned(),
        vec![
            format!("{ENVIRONMENT}={environment}"),
            format!("{OPERATION}={operation}"),
        ],
    )])
}

/// `filters` of a list call: everything of every environment.
pub(super) fn of_any() -> HashMap<String, Vec<String>> {
    HashMap::from([("label".to_owned(), vec![ENVIRONMENT.to_owned()])])
}
