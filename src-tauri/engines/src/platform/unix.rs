use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// The address of a socket as `DOCKER_HOST` would name it.
pub(crate) fn address_of(socket: &Path) -> String {
    format!("unix://{}", socket.display())
}

/// The socket of such an address.
pub(crate) fn path_of(address: &str) -> &Path {
    Path::new(address.strip_prefix("unix://").unwrap_or(address))
}

/// A connection to the socket of such an address.
pub(crate) async fn dial(address: &str) -> std::io::Result<tokio::net::UnixStream> {
    tokio::net::UnixStream::connect(path_of(address)).await
}

/// Where an engine is looked for when nothing names one, in order, each with its
/// product. The socket of a rootless engine comes last: `docker` itself reaches
/// it through a context only, yet there is no other engine to mean.
pub(crate) fn default_sockets(runtime: Option<&Path>) -> Vec<(String, PathBuf)> {
    let mut sockets = vec![("Docker Engine".to_owned(), "/var/run/docker.sock".into())];
    if let Some(runtime) = runtime {
        sockets.push(("rootless Docker".to_owned(), runtime.join("docker.sock")));
    }
    sockets
}

/// Where known products keep their sockets.
pub(crate) fn product_sockets(
    home: Option<&Path>,
    runtime: Option<&Path>,
) -> Vec<(String, PathBuf)> {
    let mut sockets = default_sockets(runtime);
    if let Some(home) = home {
        for (product, path) in [
            ("Docker Desktop", ".docker/desktop/docker.sock"),
            ("Docker Desktop", ".docker/run/docker.sock"),
            ("Colima", ".colima/default/docker.sock"),
            ("Colima", ".config/colima/default/docker.sock"),
            ("OrbStack", ".orbstack/run/docker.sock"),
            ("Rancher Desktop", ".rd/docker.sock"),
        ] {
            sockets.push((product.to_owned(), home.join(path)));
        }
    }
    if let Some(runtime) = runtime {
        sockets.push(("Podman".to_owned(), runtime.join("podman/podman.sock")));
    }
    sockets.push(("Podman".to_owned(), "/run/podman/podman.sock".into()));
    sockets
}

/// Whether a socket is there, listened on or not. One that this user may not look
/// at counts as there, so that the refusal is named as what it is.
pub(crate) fn exists_as_socket(path: &Path) -> bool {
    match std::fs::metadata(path) {
        Ok(about) => about.file_type().is_socket(),
        Err(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
    }
}

/// Whether something listens on a socket. Local, so it answers at once.
pub(crate) fn is_live(path: &Path) -> bool {
    match UnixStream::connect(path) {
        Ok(_) => true,
        // Somebody else's engine is alive all the same.
        Err(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
    }
}
