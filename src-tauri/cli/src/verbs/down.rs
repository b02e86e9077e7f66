//! `berth down`

use berth_contracts::EnvironmentStatus;
use berth_core::view::{Environment, OperationKind};
use berth_core::{Berth, Problem};
use serde::Serialize;

use super::{open_berth, recover};
use crate::args;
use crate::failure::{self, Failure};
use crate::operation::{self, Ended, Followed};
use crate::output::Output;
use crate::platform::Stop;
use crate::target;

/// The last line of `--json`.
#[derive(Serialize)]
#[serde(tag = "type", rename = "result", rename_all = "camelCase")]
struct Outcome<'a> {
    removed: Vec<&'a Environment>,
    failed: Vec<Remaining<'a>>,
}

/// An environment that is still there, at least in part.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Remaining<'a> {
    environment: &'a str,
    problem: &'a Problem,
}

pub(super) async fn run(args: args::Down, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    recover(&berth, output).await?;
    // All names are looked up before anything is removed.
    let environments = chosen(&berth, &args).await?;
    if environments.is_empty() && !output.is_json() {
        output.note("Nothing is up.");
        return Ok(());
    }
    let from = berth.snapshot().await?.sequence;
    let stop = Stop::listen()?;
    let mut operations = Vec::new();
    let mut ends = Vec::new();
    for environment in environments {
        match berth.tear_down(&environment.id).await {
            Ok(running) => operations.push(Followed {
                name: environment.name,
                running,
            }),
            Err(problem) => ends.push(Ended {
                name: environment.name,
                environment_id: environment.id,
                result: Err(problem),
            }),
        }
    }
    ends.extend(
        operation::follow(
            &berth,
            output,
            stop,
            from,
            OperationKind::Down,
            operations,
            false,
        )
        .await?,
    );
    finish(&ends, output)
}

async fn chosen(berth: &Berth, args: &args::Down) -> Result<Vec<Environment>, Problem> {
    if args.all {
        let mut all = berth.snapshot().await?.environments;
        all.retain(|environment| environment.status != EnvironmentStatus::TornDown);
        return Ok(all);
    }
    if args.environments.is_empty() {
        return Ok(vec![target::of_current_folder(berth.snapshot().await?)?]);
    }
    let mut named: Vec<Environment> = Vec::new();
    for name in &args.environments {
        let environment = berth.find_environment(name).await?;
        if !named.iter().any(|other| other.id == environment.id) {
            named.push(environment);
        }
    }
    Ok(named)
}

fn finish(ends: &[Ended], output: &Output) -> Result<(), Failure> {
    let mut outcome = Outcome {
        removed: Vec::new(),
        failed: Vec::new(),
    };
    let mut code = 0;
    for end in ends {
        match &end.result {
            Ok(environment) => outcome.removed.push(environment),
            Err(problem) => {
                code = code.max(failure::exit_code(problem.code));
                outcome.failed.push(Remaining {
                    environment: &end.name,
                    problem,
                });
            }
        }
    }
    if output.is_json() {
        output.object(&outcome)?;
    } else {
        for environment in &outcome.removed {
            output.note(&format!("{} is gone.", environment.name));
        }
        for remaining in &outcome.failed {
            output.note(&format!("{} was not removed:", remaining.environment));
            output.problem(remaining.problem);
        }
    }
    if code == 0 {
        Ok(())
    } else {
        Err(Failure::Said(code))
    }
}
