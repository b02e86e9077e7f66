//! The labels that everything Berth makes carries: its own, which alone decide
//! what may be touched, and Compose's, so that Docker Compose understands the
//! project.

use std::collections::HashMap;

use super::Identity;

pub(super) const ENVIRONMENT: &str = "dev.berth.environment";
pub(super) const OPERATION: &str = "dev.berth.operation";
/// The environment an image was built for. Images have keys of their own: every
/// container has the labels of its image.
pub(super) const IMAGE_OF: &str = "dev.berth.image-of";
/// The operation that built an image.
pub(super) const IMAGE_OPERATION: &str = "dev.berth.image-operation";
/// The name Berth gave an image, without a tag.
pub(super) const IMAGE_NAME: &str = "dev.berth.image-name";
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
/// How the value of [`VERSION`] begins on what Berth made.
pub(super) const MADE_BY_PREFIX: &str = "berth-";

/// What an image carries that Berth built.
pub(super) fn of_image(
    identity: &Identity,
    operation: &str,
    reference: &str,
    service: &str,
) -> HashMap<String, String> {
    HashMap::from(
        [
            (IMAGE_OF, &*identity.environment),
            (IMAGE_OPERATION, operation),
            (IMAGE_NAME, reference),
            (PROJECT, &identity.project),
            (SERVICE, service),
            (VERSION, MADE_BY),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned())),
    )
}

/// What everything but an image carries.
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

/// `filters` of a list call: everything of one environment but its images.
pub(super) fn of_environment(environment: &str) -> HashMap<String, Vec<String>> {
    filters([format!("{ENVIRONMENT}={environment}")])
}

/// `filters` of a list call: what one operation made in one environment, but for
/// images.
pub(super) fn of_operation(environment: &str, operation: &str) -> HashMap<String, Vec<String>> {
    filters([
        format!("{ENVIRONMENT}={environment}"),
        format!("{OPERATION}={operation}"),
    ])
}

/// `filters` of a list call: everything of every environment but images.
pub(super) fn of_any() -> HashMap<String, Vec<String>> {
    filters([ENVIRONMENT.to_owned()])
}

/// `filters` of a list call: images of one environment, and what was made of them.
pub(super) fn images_of_environment(environment: &str) -> HashMap<String, Vec<String>> {
    filters([format!("{IMAGE_OF}={environment}")])
}

/// `filters` of a list call: images that one operation built, and what was made
/// of them.
pub(super) fn images_of_operation(
    environment: &str,
    operation: &str,
) -> HashMap<String, Vec<String>> {
    filters([
        format!("{IMAGE_OF}={environment}"),
        format!("{IMAGE_OPERATION}={operation}"),
    ])
}

/// `filters` of a list call: images of every environment, and what was made of them.
pub(super) fn images_of_any() -> HashMap<String, Vec<String>> {
    filters([IMAGE_OF.to_owned()])
}

fn filters(labels: impl Into<Vec<String>>) -> HashMap<String, Vec<String>> {
    HashMap::from([("label".to_owned(), labels.into())])
}
