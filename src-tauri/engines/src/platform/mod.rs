//! What differs between operating systems. Linux is tested; macOS and Windows
//! are kept compilable and are untested.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::{address_of, default_sockets, exists_as_socket, is_live, product_sockets};
#[cfg(windows)]
pub(crate) use windows::{address_of, default_sockets, exists_as_socket, is_live, product_sockets};

#[cfg(target_os = "linux")]
pub(crate) use linux::listener_on;

/// The program that listens on a TCP port of this machine, when it can be told.
/// Blocking.
#[cfg(not(target_os = "linux"))]
pub(crate) fn listener_on(_port: u16) -> Option<String> {
    None
}
