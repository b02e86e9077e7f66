//! Engine errors, worded for a person.

use berth_engines::EngineError;

use super::{Code, Problem};

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        let causes = causes(&error);
        let mut problem = worded(error);
        problem.causes = causes;
        problem
    }
}

fn causes(error: &EngineError) -> Vec<String> {
    let mut causes = Vec::new();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let text = error.to_string();
        if causes.last() != Some(&text) {
            causes.push(text);
        }
        cause = error.source();
    }
    causes
}

fn worded(error: EngineError) -> Problem {
    let title = match error {
        // These begin with a name or an address, which keeps its letters.
        EngineError::Exited { .. }
        | EngineError::Unhealthy { .. }
        | EngineError::NotAnswering { .. } => error.to_string(),
        _ => sentence(&error.to_string()),
    };
    match error {
        EngineError::EngineMissing { alternatives, .. } => Problem::new(Code::EngineMissing, title)
            .hint(with_alternatives(
                "Install Docker (on Debian and Ubuntu: sudo apt install docker.io) or start the one you have, then try again.",
                &alternatives,
            ))
            .retryable(),
        EngineError::EngineUnreachable { rule, alternatives, .. } => {
            Problem::new(Code::EngineUnreachable, title)
                .detail(format!("This address was chosen by: {rule}."))
                .hint(with_alternatives(
                    "Start the engine (for Debian's: sudo systemctl start docker), or correct the setting that names it.",
                    &alternatives,
                ))
                .retryable()
        }
        EngineError::EngineForbidden { endpoint } => Problem::new(Code::EngineForbidden, title)
            .detail(format!("The socket {endpoint} belongs to another user or group."))
            .hint("Join its group with: sudo usermod -aG docker \"$USER\", then log out and in again. Or use rootless Docker.")
            .retryable(),
        EngineError::EngineRemote { rule, .. } => Problem::new(Code::EngineRemote, title)
            .detail(format!("This address was chosen by: {rule}. Bind mounts and URLs of a preview would be over there."))
            .hint("Choose an engine on this machine: unset DOCKER_HOST, or docker context use default."),
        EngineError::EngineAddress { rule, hint, .. } => Problem::new(Code::EngineContext, title)
            .detail(format!("This address was chosen by: {rule}."))
            .hint(hint),
        EngineError::ConfigBroken { .. } => Problem::new(Code::EngineContext, title)
            .hint("Correct that file, or name the engine's socket in DOCKER_HOST."),
        EngineError::ContextBroken { .. } => Problem::new(Code::EngineContext, title)
            .hint("See docker context ls, then docker context use NAME, or unset DOCKER_CONTEXT."),
        EngineError::EngineVersion { .. } => Problem::new(Code::EngineVersion, title)
            .hint("Update the engine, or Berth, so that the two ranges meet."),
        EngineError::EngineLost { .. } => Problem::new(Code::EngineLost, title)
            .hint("Start the engine again, then retry. What was left half-made is taken back first.")
            .retryable(),
        EngineError::Refused(diagnostics) => Problem::from_diagnostics(&diagnostics, None),
        EngineError::Pull { image, message, .. } => {
            let hint = pull_hint(&message);
            Problem::new(Code::ImagePull, format!("Image {image} cannot be pulled"))
                .detail(sentence(&message))
                .hint(hint)
                .retryable()
        }
        EngineError::Build { service, message, lines } => Problem {
            lines: lines.0,
            ..Problem::new(Code::BuildFailed, format!("Building {service} failed"))
                .detail(sentence(&message))
                .hint("The last lines of the build say why. Correct the Dockerfile or its context, then retry.")
        },
        EngineError::Exited { out_of_memory, lines, .. } => {
            let problem = Problem::new(Code::ContainerExited, title);
            let problem = if out_of_memory {
                problem
                    .detail("It was killed since it ran out of memory.")
                    .hint("Raise its memory limit, or give the engine more memory, then retry.")
            } else if lines.0.is_empty() {
                problem.hint("It wrote nothing. Check its command and entrypoint, then retry.")
            } else {
                problem.hint("Its last lines say why. Correct it, then retry.")
            };
            Problem { lines: lines.0, ..problem }
        }
        EngineError::Unhealthy { output, failing_streak, .. } => {
            let lines: Vec<String> = output.lines().map(str::to_owned).collect();
            let detail = if lines.is_empty() {
                format!("Its healthcheck failed {failing_streak} times in a row and printed nothing.")
            } else {
                format!("Its healthcheck failed {failing_streak} times in a row. The last probe printed:")
            };
            Problem {
                lines,
                ..Problem::new(Code::Unhealthy, title)
                    .detail(detail)
                    .hint("Read its logs, or give the healthcheck more time (start_period, retries), then retry.")
                    .retryable()
            }
        }
        EngineError::NotAnswering { last, service, lines, .. } => Problem {
            lines: lines.0,
            ..Problem::new(Code::NotAnswering, title)
                .detail(format!("The last try said: {last}."))
                .hint(format!("{service} must listen on 0.0.0.0 inside its container, at the port that the file publishes."))
                .retryable()
        },
        EngineError::PortTaken { holder, .. } => Problem::new(Code::PortTaken, title)
            .hint(match holder {
                Some(holder) => format!("Stop {holder}, then retry; Berth then takes it or the next free port."),
                None => "Retry: Berth takes the next free port.".to_owned(),
            })
            .retryable(),
        EngineError::DiskFull { message, .. } => Problem::new(Code::DiskFull, title)
            .detail(message)
            .hint("See what uses it with docker system df; docker image prune and docker builder prune make room. Then retry.")
            .retryable(),
        EngineError::AddressPoolsExhausted => Problem::new(Code::AddressPoolsExhausted, title)
            .hint("Remove networks nobody uses with: docker network prune. Then retry.")
            .retryable(),
        EngineError::NameTaken { owner, kind, .. } => Problem::new(Code::NameTaken, title)
            .detail(match owner {
                Some(owner) => format!("It belongs to {owner}."),
                None => "Nothing says whom it belongs to.".to_owned(),
            })
            .hint(format!("Remove or rename that {kind}, then retry. Berth never touches what it did not make."))
            .retryable(),
        EngineError::ExternalMissing { kind, .. } => Problem::new(Code::ProjectInvalid, title)
            .hint(format!("The file says that this {kind} exists already. Create it, or drop `external`.")),
        EngineError::NotRemoved { .. } => Problem::new(Code::NotRemoved, title)
            .hint("Tear down again. If it stays, restart the engine.")
            .retryable(),
        EngineError::TimedOut { .. } => Problem::new(Code::TimedOut, title).hint("Retry.").retryable(),
        EngineError::Cancelled => Problem::new(Code::Cancelled, "Cancelled").retryable(),
        EngineError::Api { status, .. } => Problem::new(Code::EngineAnswer, title)
            .detail(format!("The engine answered with HTTP status {status}."))
            .retryable(),
    }
}

/// First letter upper case, no full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.trim().trim_end_matches('.').chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

fn with_alternatives(hint: &str, alternatives: &[(String, String)]) -> String {
    if alternatives.is_empty() {
        return hint.to_owned();
    }
    let list: Vec<String> = alternatives
        .iter()
        .map(|(product, address)| format!("{product} at {address}"))
        .collect();
    format!(
        "{hint} Engines that answer on this machine: {}; choose one with DOCKER_HOST or docker context use.",
        list.join(", ")
    )
}

/// What helps depends on what the registry said; its words are not a closed set.
fn pull_hint(message: &str) -> &'static str {
    let message = message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&[
        "unauthorized",
        "authentication required",
        "denied",
        "no basic auth",
    ]) {
        "Check the name for a typing mistake. If the image is private, log in with docker login, then retry."
    } else if says(&[
        "not found",
        "manifest unknown",
        "does not exist",
        "invalid reference",
    ]) {
        "No such image or tag there. Check its name in the compose file."
    } else if says(&[
        "timeout",
        "no such host",
        "lookup",
        "connection refused",
        "unreachable",
        "dial tcp",
        "eof",
    ]) {
        "The registry cannot be reached from here. Check the network (or VPN, or proxy of the engine), then retry."
    } else if says(&["toomanyrequests", "rate limit"]) {
        "The registry limits how often you may pull. Log in with docker login, or wait, then retry."
    } else if says(&["no matching manifest", "platform"]) {
        "There is no image for this machine's architecture. Set `platform`, or use another tag."
    } else {
        "Try docker pull with the same name to see more, then retry."
    }
}
