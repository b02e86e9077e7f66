//! Whether a port of this machine is free.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};

/// Whether nothing listens on `port`: on the loopback and wildcard addresses of
/// IPv4 and IPv6. A family that this machine lacks counts as free. Blocks for
/// microseconds.
pub(crate) fn is_free(port: u16) -> bool {
    let addresses = [
        SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)),
        SocketAddr::from((Ipv6Addr::LOCALHOST, port)),
        SocketAddr::from((Ipv6Addr::UNSPECIFIED, port)),
    ];
    addresses.iter().all(|address| {
        free(TcpListener::bind(address).map(drop)) && free(UdpSocket::bind(address).map(drop))
    })
}

fn free(bound: std::io::Result<()>) -> bool {
    match bound {
        Ok(()) => true,
        Err(error) => !matches!(
            error.kind(),
            ErrorKind::AddrInUse | ErrorKind::PermissionDenied
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_on_any_address_takes_the_port() {
        for address in ["127.0.0.1:0", "0.0.0.0:0"] {
            let listener = TcpListener::bind(address).unwrap();
            let port = listener.local_addr().unwrap().port();
            assert!(!is_free(port), "{address}");
            drop(listener);
            assert!(is_free(port), "{address}");
        }
    }
}
