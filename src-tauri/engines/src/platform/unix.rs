use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType};

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

/// Whether something listens on a socket. Answers at once: one whose queue is full
/// is alive, and not waited for.
pub(crate) fn is_live(path: &Path) -> bool {
    match try_connect(path) {
        // Somebody else's engine is alive all the same.
        Ok(()) | Err(Errno::ACCESS | Errno::AGAIN) => true,
        Err(_) => false,
    }
}

fn try_connect(path: &Path) -> rustix::io::Result<()> {
    let address = SocketAddrUnix::new(path)?;
    let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    rustix::io::ioctl_fionbio(&socket, true)?;
    rustix::net::connect(&socket, &address)
}

/// A socket that listens, and takes no connection any more.
#[cfg(test)]
pub(crate) fn full(path: &Path) -> (std::os::fd::OwnedFd, std::os::unix::net::UnixStream) {
    let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None).unwrap();
    rustix::net::bind(&socket, &SocketAddrUnix::new(path).unwrap()).unwrap();
    // Room for one.
    rustix::net::listen(&socket, 0).unwrap();
    let first = std::os::unix::net::UnixStream::connect(path).unwrap();
    (socket, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_whose_queue_is_full_is_alive() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("full.sock");
        let _full = full(&path);
        assert_eq!(try_connect(&path), Err(Errno::AGAIN));
        assert!(is_live(&path));
        assert!(!is_live(&folder.path().join("no.sock")));
    }
}
