//! Untested.

use std::path::{Path, PathBuf};

/// The address of a pipe as `DOCKER_HOST` would name it.
pub(crate) fn address_of(pipe: &Path) -> String {
    format!("npipe://{}", pipe.display().to_string().replace('\\', "/"))
}

/// Where an engine is looked for when nothing names one, with its product.
pub(crate) fn default_sockets(_runtime: Option<&Path>) -> Vec<(String, PathBuf)> {
    vec![("Docker Engine".to_owned(), r"\\.\pipe\docker_engine".into())]
}

/// Where known products keep their pipes.
pub(crate) fn product_sockets(
    _home: Option<&Path>,
    runtime: Option<&Path>,
) -> Vec<(String, PathBuf)> {
    let mut pipes = default_sockets(runtime);
    pipes.push((
        "Docker Desktop".to_owned(),
        r"\\.\pipe\dockerDesktopLinuxEngine".into(),
    ));
    pipes.push((
        "Podman".to_owned(),
        r"\\.\pipe\podman-machine-default".into(),
    ));
    pipes
}

/// Whether the pipe is there.
pub(crate) fn exists_as_socket(path: &Path) -> bool {
    path.exists()
}

/// Whether the pipe is there; a pipe lives as long as its server.
pub(crate) fn is_live(path: &Path) -> bool {
    path.exists()
}
