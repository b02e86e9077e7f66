//! Whether something answers, and whether that is a Docker engine.
//!
//! Asked without the client library, on a connection of its own: what may come back
//! is anything at all, and each kind of it is told apart and bounded.

use std::io::ErrorKind;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};

use super::PERMISSION;
use super::advice::{quoted, with_start};
use crate::docker::{Endpoint, EndpointSources};
use crate::{Finding, platform};

/// How much of an answer is read.
const MOST: usize = 16 * 1024;
/// How many header lines an answer may have.
const MOST_HEADERS: usize = 64;

const REQUEST: &[u8] =
    b"GET /_ping HTTP/1.1\r\nHost: docker\r\nUser-Agent: berth\r\nConnection: close\r\n\r\n";

/// What came back, as far as it can be gone on with.
pub(super) enum Answer {
    /// That of an engine.
    Engine,
    /// The operating system refuses the connection to this user.
    Denied,
    /// The engine, or something in front of it, refuses the question.
    Refused {
        /// HTTP status.
        status: u16,
        /// Its own words.
        message: String,
    },
}

/// Asks it whether it is there.
pub(super) async fn ask(
    endpoint: &Endpoint,
    sources: &EndpointSources,
) -> (Finding, Option<Answer>) {
    let restart = |detail: String| {
        let finding = Finding::failed(detail);
        (with_start(finding, &endpoint.address, sources), None)
    };
    let mut stream = match platform::dial(&endpoint.address).await {
        Ok(stream) => stream,
        Err(error) => match error.kind() {
            ErrorKind::PermissionDenied => {
                let finding = Finding::skipped(PERMISSION);
                return (finding, Some(Answer::Denied));
            }
            ErrorKind::NotFound => return restart("The socket has gone.".to_owned()),
            ErrorKind::ConnectionRefused => {
                return restart("The socket is there, and nothing listens on it.".to_owned());
            }
            ErrorKind::WouldBlock => {
                return restart(
                    "It takes no more connections: too many wait for it already.".to_owned(),
                );
            }
            _ => return restart(format!("Connecting failed: {error}.")),
        },
    };
    let mut answer = Vec::new();
    // One that refuses may hang up before it has read everything.
    let asked = stream.write_all(REQUEST).await;
    let heard = hear(&mut stream, &mut answer).await;
    match (answer.is_empty(), asked.and(heard)) {
        (true, Ok(())) => restart("It hangs up without an answer.".to_owned()),
        (true, Err(error)) => restart(format!("It hangs up without an answer ({error}).")),
        (false, _) => judge(&answer, endpoint, sources),
    }
}

/// Reads until the answer is whole, long enough to be judged, or broken off. Whoever
/// answers need not hang up afterwards.
async fn hear(stream: &mut (impl AsyncRead + Unpin), answer: &mut Vec<u8>) -> std::io::Result<()> {
    while answer.len() < MOST && !is_whole(answer) {
        if stream.read_buf(answer).await? == 0 {
            break;
        }
    }
    Ok(())
}

fn is_whole(answer: &[u8]) -> bool {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let body = match response.parse(answer) {
        Ok(httparse::Status::Complete(end)) => &answer[end..],
        Ok(httparse::Status::Partial) => return false,
        // No more of it makes it HTTP.
        Err(_) => return true,
    };
    let header = |name: &str| header(&response, name);
    match header("Content-Length").map(|it| it.trim().parse::<usize>()) {
        Some(Ok(length)) => body.len() >= length,
        Some(Err(_)) => true,
        None if header("Transfer-Encoding").is_some() => body.ends_with(b"0\r\n\r\n"),
        // Its end is where the connection ends.
        None => false,
    }
}

fn header(response: &httparse::Response<'_, '_>, name: &str) -> Option<String> {
    response
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case(name))
        .map(|header| String::from_utf8_lossy(header.value).into_owned())
}

fn judge(
    answer: &[u8],
    endpoint: &Endpoint,
    sources: &EndpointSources,
) -> (Finding, Option<Answer>) {
    let stranger = |detail: String| {
        let finding = Finding::failed(detail)
            .hint("Check what listens on this socket, and name the socket of a Docker engine.");
        (finding, None)
    };
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let body = match response.parse(answer) {
        Ok(httparse::Status::Complete(end)) => &answer[end..],
        Ok(httparse::Status::Partial) => {
            return stranger("It breaks off in the middle of its answer.".to_owned());
        }
        Err(_) => return stranger("What answers there does not speak HTTP.".to_owned()),
    };
    let status = response.code.unwrap_or_default();
    let header = |name: &str| header(&response, name);
    // In chunks, its words are between lengths: it has none worth quoting.
    let message = match header("Transfer-Encoding") {
        Some(_) => String::new(),
        None => String::from_utf8_lossy(body).into_owned(),
    };
    match status {
        200 if header("Api-Version").is_some() || body.starts_with(b"OK") => (
            Finding::passed("An engine answers.")
                .fact("Server", header("Server").unwrap_or_default()),
            Some(Answer::Engine),
        ),
        200 => stranger("A web server answers there, and it is no Docker engine.".to_owned()),
        401 | 403 => (
            Finding::passed(format!("Something answers, with HTTP {status}.")),
            Some(Answer::Refused { status, message }),
        ),
        404 => stranger(
            "A web server answers there, and it is no Docker engine: it knows no /_ping (HTTP 404)."
                .to_owned(),
        ),
        _ => {
            let detail = format!("It answers with HTTP {status}{}", quoted(&message));
            let finding = Finding::failed(detail);
            (with_start(finding, &endpoint.address, sources), None)
        }
    }
}
