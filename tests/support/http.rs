//! The little of HTTP that tests ask.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Asks for a page and gives status and body. `*.localhost` is this machine.
///
/// # Errors
/// What the connection said.
pub fn get(url: &str) -> std::io::Result<(u16, String)> {
    let rest = url.trim().trim_start_matches("http://");
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let port = authority.rsplit_once(':').map_or("80", |(_, port)| port);
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}"))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(
        stream,
        "GET /{path} HTTP/1.0\r\nHost: {authority}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer
        .split_whitespace()
        .nth(1)
        .and_then(|status| status.parse().ok())
        .ok_or_else(|| std::io::Error::other(format!("no HTTP: {answer:.80}")))?;
    let body = answer
        .split_once("\r\n\r\n")
        .map_or("", |(_, body)| body)
        .to_owned();
    Ok((status, body))
}
