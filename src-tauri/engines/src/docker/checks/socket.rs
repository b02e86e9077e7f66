//! Which socket is meant, by which rule, and whether it is there.

use super::advice::{shown, with_other_choice, with_start};
use crate::docker::endpoint::{self, HANDLER_RULE};
use crate::docker::{Endpoint, EndpointSources, found};
use crate::{EngineError, Finding};

/// Finds it.
pub(super) async fn look(
    sources: &EndpointSources,
    named: Option<&str>,
) -> (Finding, Option<Endpoint>) {
    let (sources, named) = (sources.clone(), named.map(str::to_owned));
    tokio::task::spawn_blocking(move || {
        let outcome = match named {
            Some(address) => endpoint::named_by_handler(&sources, &address),
            None => endpoint::resolve(&sources),
        };
        match outcome {
            Ok(endpoint) => (there(&endpoint, &sources), Some(endpoint)),
            Err(error) => (missing(error, &sources), None),
        }
    })
    .await
    .unwrap_or_else(|_| (late(), None))
}

/// The files that name it cannot be read in time.
pub(super) fn late() -> Finding {
    Finding::failed("The Docker settings that name the socket could not be read in time.")
        .hint("Check that the home folder can be reached, then test again.")
}

fn there(endpoint: &Endpoint, sources: &EndpointSources) -> Finding {
    Finding::passed(format!(
        "{}, named by {}.",
        endpoint.address,
        by(&endpoint.rule)
    ))
    .fact("Address", &endpoint.address)
    .fact("Rule", &endpoint.rule)
    .fact(
        "Product",
        found::product_at(sources, &endpoint.address).unwrap_or_default(),
    )
}

/// The rule with its article.
fn by(rule: &str) -> String {
    if rule == "DOCKER_HOST" || rule == HANDLER_RULE {
        rule.to_owned()
    } else {
        format!("the {rule}")
    }
}

fn missing(error: EngineError, sources: &EndpointSources) -> Finding {
    match error {
        EngineError::EngineMissing { rule, alternatives } => {
            let finding = Finding::failed(format!(
                "No Docker engine is where the docker command looks ({rule})."
            ));
            if let Some((product, address)) = alternatives.first() {
                return finding
                    .hint(format!(
                        "{product} answers at {address}: name it as the handler's “Docker engine”."
                    ))
                    .fact("Found instead", address);
            }
            let finding = finding.hint("Install Docker, or start the engine you have.");
            if cfg!(target_os = "linux") {
                finding.command("sudo apt install docker.io")
            } else {
                finding
            }
        }
        EngineError::EngineUnreachable {
            endpoint,
            rule,
            alternatives,
            ..
        } => {
            let finding = Finding::failed(format!(
                "There is no socket at {}, which is named by {}.",
                shown(&endpoint),
                by(&rule)
            ))
            .fact("Address", shown(&endpoint))
            .fact("Rule", &rule);
            match alternatives.first() {
                Some((product, address)) => with_other_choice(
                    finding,
                    &rule,
                    &format!("{product} answers at {address}:"),
                ),
                None if found::product_at(sources, &endpoint).is_some() => {
                    with_start(finding, &endpoint, sources)
                }
                None => with_other_choice(finding, &rule, "Start its engine, or"),
            }
        }
        EngineError::EngineRemote { endpoint, rule } => with_other_choice(
            Finding::failed(format!(
                "{} is on another machine, and is named by {}. Files and addresses of a preview would be over there.",
                shown(&endpoint),
                by(&rule)
            ))
            .fact("Address", shown(&endpoint))
            .fact("Rule", &rule),
            &rule,
            "Use an engine on this machine:",
        ),
        EngineError::EngineAddress {
            endpoint,
            rule,
            fault,
            hint,
        } => Finding::failed(format!(
            "{} cannot be used, and is named by {}: {fault}.",
            shown(&endpoint),
            by(&rule)
        ))
        .fact("Address", shown(&endpoint))
        .fact("Rule", &rule)
        .hint(hint),
        EngineError::ContextBroken { name, detail } => Finding::failed(format!(
            "Docker context {name} cannot be used: {detail}."
        ))
        .hint("Choose a context that is there.")
        .command("docker context use default"),
        EngineError::ConfigBroken { file, detail } => Finding::failed(format!(
            "{} cannot be read: {detail}.",
            file.display()
        ))
        .hint("Correct that file, or name the socket as the handler's “Docker engine”."),
        other => Finding::failed(format!("{other}.")),
    }
}
