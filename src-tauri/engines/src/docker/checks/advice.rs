//! What to do about an engine, in words and as a command.

use berth_contracts::REDACTED;

use std::time::Duration;

use bollard::errors::Error;

use crate::Finding;
use crate::docker::endpoint::HANDLER_RULE;
use crate::docker::{Endpoint, EndpointSources, found};

/// How many characters of an engine's own words are quoted.
const QUOTED: usize = 200;

/// Adds how an engine is started, or started anew.
pub(super) fn with_start(finding: Finding, address: &str, sources: &EndpointSources) -> Finding {
    let product = found::product_at(sources, address);
    let systemd = cfg!(target_os = "linux");
    let (hint, command) = match product.as_deref() {
        Some("Docker Engine") if systemd => (
            "Start Docker, or restart it.",
            Some("sudo systemctl restart docker"),
        ),
        Some("Docker Engine" | "Docker Desktop") if cfg!(target_os = "macos") => (
            "Start Docker Desktop, or restart it.",
            Some("open -a Docker"),
        ),
        Some("Docker Desktop") if systemd => (
            "Start Docker Desktop, or restart it.",
            Some("systemctl --user restart docker-desktop"),
        ),
        Some("Docker Desktop" | "Docker Engine") => ("Start Docker Desktop, or restart it.", None),
        Some("rootless Docker") if systemd => (
            "Start rootless Docker, or restart it.",
            Some("systemctl --user restart docker"),
        ),
        Some("Podman") if systemd && address.ends_with("/run/podman/podman.sock") => (
            "Start Podman's socket, or restart it.",
            Some("sudo systemctl restart podman.socket"),
        ),
        Some("Podman") if systemd => (
            "Start Podman's socket, or restart it.",
            Some("systemctl --user restart podman.socket"),
        ),
        Some("Podman") => (
            "Start Podman's machine, or restart it.",
            Some("podman machine start"),
        ),
        Some("Colima") => ("Start Colima, or restart it.", Some("colima restart")),
        Some("OrbStack") => ("Start OrbStack, or restart it.", Some("open -a OrbStack")),
        Some("Rancher Desktop") => ("Start Rancher Desktop, or restart it.", None),
        Some(_) | None => (
            "Start the engine that this socket belongs to, or restart it.",
            None,
        ),
    };
    let finding = finding.hint(hint);
    match command {
        Some(command) => finding.command(command),
        None => finding,
    }
}

/// Adds how another engine is chosen than the one of this rule. `lead` begins the
/// sentence.
pub(super) fn with_other_choice(finding: Finding, rule: &str, lead: &str) -> Finding {
    // Rules are words for people; these are the ones that `resolve` gives.
    let (choice, command) = if rule == HANDLER_RULE {
        (
            "correct the handler's “Docker engine”, or leave it empty",
            None,
        )
    } else if rule == "DOCKER_HOST" {
        (
            "correct DOCKER_HOST, or do without it",
            Some("unset DOCKER_HOST"),
        )
    } else if rule.starts_with("context ") {
        (
            "choose another Docker context",
            Some("docker context use default"),
        )
    } else {
        ("name its socket as the handler's “Docker engine”", None)
    };
    let finding = finding.hint(format!("{lead} {choice}."));
    match command {
        Some(command) => finding.command(command),
        None => finding,
    }
}

/// An engine that takes requests and does not answer them.
pub(super) fn silent(endpoint: &Endpoint, sources: &EndpointSources, limit: Duration) -> Finding {
    let seconds = limit.as_secs_f32();
    let detail = format!("It takes the request and says nothing for {seconds} s.");
    with_start(Finding::failed(detail), &endpoint.address, sources)
}

/// A command of the `docker` program for this very engine.
pub(super) fn docker(endpoint: &Endpoint, words: &str) -> String {
    if endpoint.rule == HANDLER_RULE {
        format!("docker -H {} {words}", endpoint.address)
    } else {
        format!("docker {words}")
    }
}

/// A call that failed; `what` was asked for.
pub(super) fn failed_call(
    error: &Error,
    what: &str,
    endpoint: &Endpoint,
    sources: &EndpointSources,
) -> Finding {
    match error {
        Error::DockerResponseServerError {
            status_code,
            message,
        } => refused(what, *status_code, message, endpoint, sources),
        Error::JsonDataError { .. }
        | Error::JsonSerdeError { .. }
        | Error::StrParseError { .. } => Finding::failed(format!(
            "Its answer about {what} is not that of a Docker engine."
        ))
        .fact("Answer", said(&error.to_string()))
        .hint("Check what listens on this socket."),
        _ => with_start(
            Finding::failed(format!(
                "It broke off when asked for {what}: {}.",
                chain(error)
            )),
            &endpoint.address,
            sources,
        ),
    }
}

fn refused(
    what: &str,
    status: u16,
    message: &str,
    endpoint: &Endpoint,
    sources: &EndpointSources,
) -> Finding {
    let finding = Finding::failed(format!(
        "Asked for {what}, it answers with HTTP {status}{}",
        quoted(message)
    ));
    match status {
        401 | 403 => finding.hint(
            "Something in front of the engine forbids this question. Allow it there, or use the engine's own socket.",
        ),
        404 => finding.hint("Check what listens on this socket: it does not speak Docker's API."),
        _ => with_start(finding, &endpoint.address, sources),
    }
}

/// The innermost cause says most.
fn chain(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    said(&innermost.to_string())
}

/// `: no space left`, or a full stop where nothing was said.
pub(super) fn quoted(message: &str) -> String {
    let said = said(message);
    if said.is_empty() {
        ".".to_owned()
    } else {
        format!(": {said}")
    }
}

/// Words of an engine, fit to be shown: its message where it is an object with
/// one, one line, not endless.
pub(super) fn said(text: &str) -> String {
    let message = serde_json::from_str::<serde_json::Value>(text)
        .ok()
        .and_then(|value| Some(value.get("message")?.as_str()?.to_owned()));
    let text = message.as_deref().unwrap_or(text);
    let mut words = String::new();
    for word in text.split(|it: char| it.is_whitespace() || it.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if words.chars().count() > QUOTED {
            return words.chars().take(QUOTED).chain(['…']).collect();
        }
    }
    words
}

/// An address without the password that may stand in it.
pub(super) fn shown(address: &str) -> String {
    let masked = || {
        let (scheme, rest) = address.split_once("://")?;
        let authority = rest.split('/').next()?;
        let (user, host) = authority.rsplit_once('@')?;
        let (name, _password) = user.split_once(':')?;
        let path = &rest[authority.len()..];
        Some(format!("{scheme}://{name}:{REDACTED}@{host}{path}"))
    };
    masked().unwrap_or_else(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engines_words_are_one_short_line() {
        assert_eq!(
            said("{\"message\":\"no\\n  such\\u001b[31m\"}"),
            "no such [31m"
        );
        assert_eq!(said(&"ab ".repeat(1000)).chars().count(), QUOTED + 1);
        assert_eq!(quoted(""), ".");
    }

    #[test]
    fn passwords_in_addresses_are_not_shown() {
        assert_eq!(
            shown("tcp://me:hunter2@build.acme.dev:2376/x"),
            "tcp://me:[REDACTED]@build.acme.dev:2376/x"
        );
        for plain in [
            "ssh://me@build.acme.dev",
            "unix:///run/a@b:c.sock",
            "nonsense",
        ] {
            assert_eq!(shown(plain), plain);
        }
    }
}
