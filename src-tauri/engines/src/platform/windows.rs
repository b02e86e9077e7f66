//! Untested.

use std::path::{Path, PathBuf};

/// The address of a pipe as `DOCKER_HOST` would name it.
pub(crate) fn address_of(pipe: &Path) -> String {
    format!("npipe://{}", pipe.display().to_string().replace('\\', "/"))
}

/// The pipe of such an address.
pub(crate) fn path_of(address: &str) -> &Path {
    Path::new(address.strip_prefix("npipe://").unwrap_or(address))
}

/// A connection to the pipe of such an address.
pub(crate) async fn dial(
    address: &str,
) -> std::io::Result<tokio::net::windows::named_pipe::NamedPipeClient> {
    tokio::net::windows::named_pipe::ClientOptions::new().open(path_of(address))
}

/// How this user stands to a pipe. Windows does not tell it in words that help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Access {}

/// Nothing is known.
pub(crate) fn access(_pipe: &Path) -> Option<Access> {
    None
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
