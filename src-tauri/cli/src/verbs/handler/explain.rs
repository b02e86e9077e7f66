//! `berth handler explain`

use berth_core::view::{Explanation, HandlerScope};
use serde::Serialize;

use crate::failure::Failure;
use crate::handler_words;
use crate::log_text::plain;
use crate::output::Output;
use crate::table;
use crate::target;
use crate::verbs::open_berth;

#[derive(Serialize)]
struct Explained<'a> {
    service: &'a str,
    #[serde(flatten)]
    explanation: &'a Explanation,
}

pub(super) async fn run(name: &str, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    let service = target::service(&berth, name).await?;
    let explanation = berth.explain(&service.id).await?;
    if output.is_json() {
        return output.object(&Explained {
            service: &service.name,
            explanation: &explanation,
        });
    }
    let own = berth.own_scope().await?;
    for line in lines(&service.name, &explanation, &own) {
        output.line(&line)?;
    }
    Ok(())
}

fn lines(service: &str, explanation: &Explanation, own: &HandlerScope) -> Vec<String> {
    let mut out: Vec<String> = handler_words::outcome(service, explanation, own)
        .iter()
        .map(|line| plain(line))
        .collect();
    if explanation.looked_at.is_empty() {
        return out;
    }
    let rows: Vec<Vec<String>> = explanation
        .looked_at
        .iter()
        .map(|row| {
            vec![
                plain(&row.handler.label),
                handler_words::whose(&row.handler.scope, own),
                serves(&row.handler),
                handler_words::verdict(row.verdict).to_owned(),
            ]
        })
        .collect();
    out.push(String::new());
    out.extend(table::lines(
        &["LOOKED AT", "WHOSE", "SERVES", "AND"],
        &rows,
    ));
    out
}

/// `custom:helm`, and where it accepts another manifest type that one too.
fn serves(handler: &berth_core::view::HandlerRef) -> String {
    let kind = handler_words::kind(&handler.key);
    match &handler.accepts_manifest_id {
        Some(id) if handler.key.manifest_id.as_ref() != Some(id) => {
            format!("{kind}, accepts {id}")
        }
        _ => kind,
    }
}

#[cfg(test)]
mod tests {
    use berth_contracts::{ProvisionType, ServiceProvisioning};
    use berth_core::view::{Choice, LookedAt, LookedAtVerdict};

    use super::*;
    use crate::sample;

    #[test]
    fn every_row_that_was_looked_at_is_shown_with_its_verdict() {
        let (handler, mine) = (sample::handler(), sample::own_handler());
        let explanation = Explanation {
            provisioning: ServiceProvisioning::of(ProvisionType::DockerCompose),
            choice: Choice::Handled {
                handler: mine.clone(),
            },
            looked_at: vec![
                LookedAt {
                    handler: mine,
                    verdict: LookedAtVerdict::Chosen,
                },
                LookedAt {
                    handler,
                    verdict: LookedAtVerdict::Overridden,
                },
            ],
        };
        assert_eq!(
            lines("shop", &explanation, &sample::own_scope()),
            [
                "shop (docker-compose) is handled by Colima, your override (local-docker).",
                "",
                "LOOKED AT     WHOSE            SERVES          AND",
                "Colima        your override    docker-compose  chosen",
                "Local Docker  the workspace's  docker-compose  would serve it, but an override stands in front",
            ]
        );
    }
}
