use bollard::query_parameters::ListContainersOptions;

use super::{Docker, observe};
use crate::platform;

/// Who has a host port: a container of this engine, else a program of this
/// machine, when it can be told.
pub(super) async fn of(docker: &Docker, port: u16, not: &str) -> Option<String> {
    let running = docker
        .api
        .list_containers(None::<ListContainersOptions>)
        .await
        .unwrap_or_default();
    let holder = running.into_iter().find(|container| {
        container.id.as_deref() != Some(not)
            && container
                .ports
                .iter()
                .flatten()
                .any(|published| published.public_port == Some(port))
    });
    if let Some(container) = holder {
        let owner = observe::owner_of(&container);
        let name = container
            .names
            .and_then(|names| names.into_iter().next())
            .unwrap_or_default();
        return Some(format!(
            "container {} ({owner})",
            name.trim_start_matches('/')
        ));
    }
    tokio::task::spawn_blocking(move || platform::listener_on(port))
        .await
        .ok()
        .flatten()
}
