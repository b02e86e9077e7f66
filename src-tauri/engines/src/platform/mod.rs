//! What differs between operating systems. Linux is tested; macOS and Windows
//! are kept compilable and are untested.

#[cfg(unix)]
mod access;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use access::{Access, access};
#[cfg(all(test, unix))]
pub(crate) use unix::full;
#[cfg(unix)]
pub(crate) use unix::{
    address_of, default_sockets, dial, exists_as_socket, is_live, path_of, product_sockets,
};
#[cfg(windows)]
pub(crate) use windows::{
    Access, access, address_of, default_sockets, dial, exists_as_socket, is_live, path_of,
    product_sockets,
};

#[cfg(target_os = "linux")]
pub(crate) use linux::{free_space, kernel, listener_on, local_networks};

/// The program that listens on a TCP port of this machine, when it can be told.
/// Blocking.
#[cfg(not(target_os = "linux"))]
pub(crate) fn listener_on(_port: u16) -> Option<String> {
    None
}

/// A kernel, as an engine on it names it too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kernel {
    /// `6.1.0-28-amd64`.
    pub(crate) release: String,
    /// The host's name.
    pub(crate) host: String,
}

/// Bytes of a file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Space {
    /// What a program of an ordinary user may still write.
    pub(crate) free: u64,
    /// All of it.
    pub(crate) total: u64,
}

/// The kernel of this machine, where engines can run on it: elsewhere they run in
/// a machine of their own.
#[cfg(not(target_os = "linux"))]
pub(crate) fn kernel() -> Option<Kernel> {
    None
}

/// The space of the file system that holds a folder. Blocking.
#[cfg(not(target_os = "linux"))]
pub(crate) fn free_space(_folder: &std::path::Path) -> std::io::Result<Space> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// The IPv4 networks that this machine is on. Blocking.
#[cfg(not(target_os = "linux"))]
pub(crate) fn local_networks() -> Vec<ipnet::Ipv4Net> {
    Vec::new()
}
