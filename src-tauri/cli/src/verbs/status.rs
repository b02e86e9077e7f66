//! `berth status`

use berth_contracts::EnvironmentStatus;
use berth_core::view::{Environment, EnvironmentDetail, HandlerScope, OperationState, Remover};
use berth_engines::docker::PartState;
use berth_engines::{PlanView, StepState};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{now, open_berth};
use crate::args;
use crate::failure::Failure;
use crate::handler_words;
use crate::log_text::plain;
use crate::output::Output;
use crate::problem;
use crate::table;
use crate::target;
use crate::words;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Status<'a> {
    #[serde(flatten)]
    detail: &'a EnvironmentDetail,
    removed_by: Remover,
}

pub(super) async fn run(target: args::Target, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    let found = target::environment(&berth, &target).await?;
    // What is not known is not shown; a repository that cannot be asked is no
    // reason to show nothing.
    let _ = berth.count_newer_commits(&found.id).await;
    let mut detail = berth.environment(&found.id).await?;
    // Where no window or agent watches, the record may be older than what runs.
    let seen = berth.parts(&found.id).await;
    if let Ok(parts) = &seen {
        detail.environment.parts.clone_from(parts);
    }
    let removed_by = berth.remover();
    if output.is_json() {
        return output.object(&Status {
            detail: &detail,
            removed_by,
        });
    }
    let own = berth.own_scope().await?;
    let colours = console::colors_enabled();
    for line in lines(
        &detail,
        removed_by,
        &own,
        now(),
        &TimeZone::system(),
        colours,
    ) {
        output.line(&line)?;
    }
    if let Err(problem) = seen {
        output.note("\nWhat is shown is as last seen, since the engine cannot be asked now:");
        output.problem(&problem);
    }
    Ok(())
}

/// The state, and what has become of it since it was recorded.
fn headline(environment: &Environment) -> String {
    let name = &environment.name;
    let ended: Vec<&str> = environment
        .parts
        .iter()
        .filter(|part| part.state == PartState::Exited && part.exit_code != Some(0))
        .map(|part| part.service.as_str())
        .collect();
    let ready = environment.status == EnvironmentStatus::Ready;
    if ready && environment.parts.is_empty() {
        format!(
            "{name} was ready, but none of its containers is there any more. berth up brings it back"
        )
    } else if ready && !ended.is_empty() {
        format!(
            "{name} was ready, but {} ended since. berth up brings it back",
            ended.join(", ")
        )
    } else {
        format!("{name} is {}", words::status(environment.status))
    }
}

fn lines(
    detail: &EnvironmentDetail,
    remover: Remover,
    own: &HandlerScope,
    now: i64,
    zone: &TimeZone,
    colours: bool,
) -> Vec<String> {
    let environment = &detail.environment;
    let mut revision = words::revision(&environment.revision);
    if let Some(behind) = words::behind(&environment.revision) {
        revision = format!("{revision} ({behind})");
    }
    let mut out = vec![
        headline(environment),
        format!("Service   {}", plain(&environment.service_name)),
        format!("Revision  {}", plain(&revision)),
        format!("Engine    {}", plain(&environment.engine_label)),
    ];
    out.extend(
        environment
            .made_with
            .as_ref()
            .map(|handler| format!("Handler   {}", plain(&handler_words::named(handler, own)))),
    );
    for address in &environment.addresses {
        let whose = if address.primary {
            ""
        } else {
            &address.service
        };
        out.push(
            format!("URL       {}  {whose}", address.url)
                .trim_end()
                .to_owned(),
        );
    }
    if environment.status == EnvironmentStatus::TornDown {
        if let Some(at) = environment.torn_down_at {
            out.push(format!("Removed {}.", words::at_time(at, now, zone)));
        }
    } else {
        out.extend(words::ends(environment, remover, now, zone));
    }
    if let Some(operation) = environment
        .operation
        .as_ref()
        .filter(|operation| operation.state == OperationState::Running)
    {
        out.push(String::new());
        out.push(format!(
            "{}: {} of {} steps, begun {}",
            words::operation(operation.kind),
            words::steps_over(&operation.steps),
            operation.steps.len(),
            words::at_time(operation.started_at, now, zone)
        ));
        for step in operation
            .steps
            .iter()
            .filter(|step| step.state == StepState::Running)
        {
            let mut line = format!("  {}", plain(&words::step(&step.kind, step.state)));
            if let Some(progress) = step.progress {
                line.push_str(&format!("  {}", words::progress(progress)));
            }
            out.push(line);
        }
    }
    if let Some(what) = &environment.problem {
        out.push(String::new());
        out.extend(problem::lines(what, colours));
    }
    if !environment.parts.is_empty() {
        out.push(String::new());
        let rows: Vec<Vec<String>> = environment
            .parts
            .iter()
            .map(|part| {
                vec![
                    plain(&part.service),
                    words::part(part),
                    plain(&part.name),
                    part.cause.as_deref().map(plain).unwrap_or_default(),
                ]
            })
            .collect();
        out.extend(table::lines(
            &["PART", "STATE", "CONTAINER", "CAUSE"],
            &rows,
        ));
    }
    if let Some(plan) = &detail.plan {
        let changed = plan_lines(plan);
        if !changed.is_empty() {
            out.push(String::new());
            out.extend(changed);
        }
    }
    out
}

/// What a plan made different, carried and left shared.
pub(super) fn plan_lines(plan: &PlanView) -> Vec<String> {
    let mut out = Vec::new();
    if !plan.rewrites.is_empty() {
        out.push("Berth changed, so that copies stand side by side:".to_owned());
        out.extend(
            plan.rewrites
                .iter()
                .map(|rewrite| format!("  {}", plain(&words::rewrite(rewrite)))),
        );
    }
    if !plan.kept.is_empty() {
        out.push("Shared with this machine:".to_owned());
        // A note that several share is said once, below them.
        for together in plan.kept.chunk_by(|one, next| one.note == next.note) {
            out.extend(
                together
                    .iter()
                    .map(|kept| plain(&format!("  {}: {}", kept.service, kept.what))),
            );
            out.extend(
                together
                    .first()
                    .map(|kept| plain(&format!("    {}", kept.note))),
            );
        }
    }
    if !plan.carried.is_empty() {
        out.push(format!(
            "Carried over, though git ignores it: {}",
            plain(&plan.carried.join(", "))
        ));
    }
    out.extend(
        plan.warnings
            .iter()
            .map(|warning| format!("Note: {}", plain(warning))),
    );
    out
}

#[cfg(test)]
#[path = "status_tests.rs"]
mod tests;
