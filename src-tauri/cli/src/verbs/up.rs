//! `berth up`

use std::path::Path;

use berth_contracts::EnvironmentStatus;
use berth_core::view::{
    Environment, HandlerScope, Lifetime, OperationKind, Remover, Selector, UpRequest,
};
use berth_core::{Berth, Code, Problem};
use berth_engines::PlanView;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{now, open_berth, recover, status};
use crate::args;
use crate::failure::{self, Failure};
use crate::handler_words;
use crate::log_text::plain;
use crate::operation::{self, Ended, Followed};
use crate::output::Output;
use crate::platform::Stop;
use crate::target;
use crate::words;

/// The last line of `--json`.
#[derive(Serialize)]
#[serde(tag = "type", rename = "result", rename_all = "camelCase")]
struct Outcome<'a> {
    environment: Option<&'a Environment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a PlanView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed_by: Option<Remover>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a Problem>,
}

pub(super) async fn run(args: args::Up, output: &Output) -> Result<(), Failure> {
    if args.detach {
        super::detach::run(&args, output).await
    } else {
        with_result(Box::pin(bring_up(args, output)).await, output)
    }
}

/// Programs find the end of an operation in a result, whatever it is.
pub(super) fn with_result(ended: Result<(), Failure>, output: &Output) -> Result<(), Failure> {
    match ended {
        Err(Failure::Problem(problem)) if output.is_json() => {
            output.object(&Outcome {
                environment: None,
                plan: None,
                removed_by: None,
                problem: Some(&problem),
            })?;
            Err(Failure::Said(failure::exit_code(problem.code)))
        }
        Err(Failure::Problem(problem)) if problem.code == Code::NothingToRun => {
            say(output, &problem);
            Ok(())
        }
        ended => ended,
    }
}

/// Says why nothing is up. A service that needs nothing is no problem.
pub(super) fn say(output: &Output, problem: &Problem) {
    if problem.code == Code::NothingToRun {
        output.note(&format!("{}.", problem.title));
    } else {
        output.problem(problem);
    }
}

async fn bring_up(args: args::Up, output: &Output) -> Result<(), Failure> {
    let (location, file) = split_file(args.location, args.file);
    let berth = open_berth().await?;
    recover(&berth, output).await?;
    let known = match &file {
        Some(_) => None,
        None => target::only_service_of(&berth, &location).await?,
    };
    let service = match known {
        Some(service) => service,
        None => berth.add_service(&location, file.as_deref(), None).await?,
    };
    let from = berth.snapshot().await?.sequence;
    let stop = Stop::listen()?;
    let running = Box::pin(berth.up(UpRequest {
        service_id: service.id,
        selector: match (args.reference, args.pr) {
            (Some(name), _) => Selector::Ref { name },
            (None, Some(number)) => Selector::PullRequest { number },
            (None, None) => Selector::WorkingTree,
        },
        name: args.name,
        lifetime: args.ttl.unwrap_or(Lifetime::Default),
    }))
    .await?;
    let followed = Followed {
        name: berth
            .environment(&running.environment_id)
            .await?
            .environment
            .name,
        running,
    };
    let ended = operation::follow(
        &berth,
        output,
        stop,
        from,
        OperationKind::Up,
        vec![followed],
        args.detached,
    )
    .await?;
    for end in ended {
        finish(&berth, output, end).await?;
    }
    Ok(())
}

/// A compose file may stand where the folder would.
pub(super) fn split_file(location: String, file: Option<String>) -> (String, Option<String>) {
    let path = Path::new(&location);
    if file.is_some() || !path.is_file() {
        return (location, file);
    }
    match (
        path.parent().and_then(Path::to_str),
        path.file_name().and_then(|name| name.to_str()),
    ) {
        (Some(folder), Some(name)) => {
            let folder = if folder.is_empty() { "." } else { folder };
            (folder.to_owned(), Some(name.to_owned()))
        }
        _ => (location, None),
    }
}

/// Says how bringing an environment up ended: on standard output nothing but
/// the URL, so that `open $(berth up)` works.
pub(super) async fn finish(berth: &Berth, output: &Output, end: Ended) -> Result<(), Failure> {
    let detail = berth.environment(&end.environment_id).await;
    let environment = match end.result {
        Ok(environment) => environment,
        Err(problem) => {
            let left = detail.ok().map(|detail| detail.environment);
            if output.is_json() {
                output.object(&Outcome {
                    environment: left.as_ref(),
                    plan: None,
                    removed_by: None,
                    problem: Some(&problem),
                })?;
            } else {
                say_failure(output, &problem, &end.name, left.as_ref());
            }
            return Err(Failure::Said(failure::exit_code(problem.code)));
        }
    };
    let plan = detail.ok().and_then(|detail| detail.plan);
    let remover = berth.remover();
    if output.is_json() {
        return output.object(&Outcome {
            environment: Some(&environment),
            plan: plan.as_ref(),
            removed_by: Some(remover),
            problem: None,
        });
    }
    for line in closing_lines(
        &environment,
        plan.as_ref(),
        remover,
        &berth.own_scope().await?,
        now(),
        &TimeZone::system(),
    ) {
        output.note(&line);
    }
    match environment.addresses.first() {
        Some(address) => output.line(&address.url),
        None => {
            output.note("It has no URL: nothing in it publishes a port.");
            Ok(())
        }
    }
}

/// Why it failed, and what can be done with what is left of it.
fn say_failure(output: &Output, problem: &Problem, name: &str, left: Option<&Environment>) {
    match left.map(|left| (left.status, left.parts.is_empty())) {
        Some((EnvironmentStatus::TornDown, _)) if problem.code == Code::Cancelled => {
            output.note(&format!("Stopped. Nothing of {name} is left."));
        }
        Some((EnvironmentStatus::Failed, parts_gone)) => {
            output.problem(problem);
            let look = if parts_gone {
                String::new()
            } else {
                format!("berth logs {name} shows more; ")
            };
            output.note(&format!(
                "\n{look}berth retry {name} tries again, berth down {name} takes away what is left."
            ));
        }
        _ => output.problem(problem),
    }
}

fn closing_lines(
    environment: &Environment,
    plan: Option<&PlanView>,
    remover: Remover,
    own: &HandlerScope,
    now: i64,
    zone: &TimeZone,
) -> Vec<String> {
    let through = environment
        .made_with
        .as_ref()
        .map_or_else(String::new, |handler| {
            format!(", through {}", plain(&handler_words::named(handler, own)))
        });
    let mut out = vec![
        String::new(),
        format!(
            "{} is {}{through}.",
            environment.name,
            words::status(environment.status)
        ),
    ];
    if environment.addresses.len() > 1 {
        out.push("Also reachable:".to_owned());
        out.extend(
            environment.addresses.iter().skip(1).map(|address| {
                format!("  {}  {}:{}", address.url, address.service, address.target)
            }),
        );
    }
    out.extend(plan.map(status::plan_lines).unwrap_or_default());
    out.extend(words::ends(environment, remover, now, zone));
    out
}

#[cfg(test)]
#[path = "up_tests.rs"]
mod tests;
