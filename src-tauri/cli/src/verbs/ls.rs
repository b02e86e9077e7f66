//! `berth ls`

use berth_contracts::EnvironmentStatus;
use berth_core::view::{Environment, OperationState};
use console::Style;
use serde::Serialize;

use super::{now, open_berth};
use crate::args;
use crate::failure::Failure;
use crate::log_text;
use crate::output::Output;
use crate::table;
use crate::words;

#[derive(Serialize)]
struct Listed<'a> {
    environments: &'a [Environment],
}

pub(super) async fn run(args: args::Ls, output: &Output) -> Result<(), Failure> {
    let mut environments = open_berth().await?.snapshot().await?.environments;
    environments
        .retain(|environment| args.all || environment.status != EnvironmentStatus::TornDown);
    if output.is_json() {
        return output.object(&Listed {
            environments: &environments,
        });
    }
    if environments.is_empty() {
        output.note("Nothing is up. Bring a folder up with: berth up PATH");
        return Ok(());
    }
    for line in rows(&environments, now(), console::colors_enabled()) {
        output.line(&line)?;
    }
    Ok(())
}

fn rows(environments: &[Environment], now: i64, colours: bool) -> Vec<String> {
    let rows: Vec<Vec<String>> = environments
        .iter()
        .map(|environment| {
            vec![
                environment.name.clone(),
                state(environment, colours),
                log_text::plain(&words::revision(&environment.revision)),
                environment
                    .addresses
                    .first()
                    .map_or_else(|| "-".to_owned(), |address| address.url.clone()),
                words::left(environment, now),
            ]
        })
        .collect();
    table::lines(&["NAME", "STATE", "REVISION", "URL", "TIME"], &rows)
}

/// `ready`, `failed`; with a running operation `starting (5 of 10)`.
fn state(environment: &Environment, colours: bool) -> String {
    let mut text = words::status(environment.status).to_owned();
    if let Some(operation) = environment
        .operation
        .as_ref()
        .filter(|operation| operation.state == OperationState::Running)
    {
        text.push_str(&format!(
            " ({} of {})",
            words::steps_over(&operation.steps),
            operation.steps.len()
        ));
    }
    let colour = match environment.status {
        EnvironmentStatus::Ready => Style::new().green(),
        EnvironmentStatus::Failed => Style::new().red(),
        EnvironmentStatus::Expired => Style::new().yellow(),
        EnvironmentStatus::Provisioning | EnvironmentStatus::TearingDown => Style::new().cyan(),
        EnvironmentStatus::TornDown => Style::new().dim(),
    };
    colour.force_styling(colours).apply_to(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn one_line_each() {
        let ready = sample::environment();
        let mut starting = sample::environment();
        starting.name = "shop-api-feature-checkout".to_owned();
        starting.status = EnvironmentStatus::Provisioning;
        starting.addresses.clear();
        starting.expires_at = None;
        starting.revision.label = Some("feature/checkout".to_owned());
        assert_eq!(
            rows(&[ready, starting], sample::NOW, false),
            [
                "NAME                       STATE     REVISION                           URL                                   TIME",
                "shop-api-main              ready     main@4f2a91c +changes              http://shop-api-main.localhost:41873  1 h 42 min left",
                "shop-api-feature-checkout  starting  feature/checkout@4f2a91c +changes  -                                     never ends",
            ]
        );
    }
    #[test]
    fn a_running_operation_is_counted() {
        use berth_core::view::{Operation, OperationKind};
        use berth_engines::{Step, StepKind, StepState};

        let step = |state| Step {
            key: format!("{state:?}"),
            kind: StepKind::Plan,
            state,
            detail: None,
            progress: None,
            started_at: None,
            finished_at: None,
        };
        let mut environment = sample::environment();
        environment.status = EnvironmentStatus::Provisioning;
        environment.operation = Some(Operation {
            id: "op".to_owned(),
            kind: OperationKind::Up,
            state: OperationState::Running,
            started_at: 0,
            finished_at: None,
            steps: [StepState::Done, StepState::Skipped, StepState::Running]
                .map(step)
                .to_vec(),
            problem: None,
        });
        assert_eq!(state(&environment, false), "starting (2 of 3)");
        assert_eq!(
            state(&environment, true),
            "\u{1b}[36mstarting (2 of 3)\u{1b}[0m"
        );
    }
}
