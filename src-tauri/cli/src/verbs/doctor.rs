//! `berth doctor`

use std::process::Stdio;
use std::time::Duration;

use berth_core::view::EngineStatus;
use berth_core::{Code, Problem};
use console::style;
use serde::Serialize;
use tokio::process::Command;

use super::open_berth;
use crate::failure::{self, Failure};
use crate::log_text;
use crate::output::Output;

/// A program that has not answered by then does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// One thing that Berth needs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Check {
    name: &'static str,
    state: State,
    /// What was found, or what is wrong.
    detail: String,
    /// The next thing to do.
    hint: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum State {
    Ok,
    Problem,
    /// An earlier check has to pass first.
    Skipped,
}

#[derive(Serialize)]
struct Checked<'a> {
    ok: bool,
    checks: &'a [Check],
}

pub(super) async fn run(output: &Output) -> Result<(), Failure> {
    let mut checks = vec![Check {
        name: "berth",
        state: State::Ok,
        detail: env!("CARGO_PKG_VERSION").to_owned(),
        hint: None,
    }];
    let mut code = 0;
    match open_berth().await {
        Ok(berth) => {
            checks.push(store(
                berth.snapshot().await.map(|snapshot| {
                    format!(
                        "{} ({} services, {} environments)",
                        berth.data_folder().display(),
                        snapshot.services.len(),
                        snapshot.environments.len()
                    )
                }),
                &mut code,
            ));
            let (git, status) = tokio::join!(git(), berth.engine_status());
            checks.push(git);
            checks.push(engine(status, &mut code));
        }
        Err(problem) => {
            checks.push(store(Err(problem), &mut code));
            checks.push(git().await);
            checks.push(Check {
                name: "engine",
                state: State::Skipped,
                detail: "the data folder has to open first".to_owned(),
                hint: None,
            });
        }
    }
    let ok = checks.iter().all(|check| check.state == State::Ok);
    if output.is_json() {
        output.object(&Checked {
            ok,
            checks: &checks,
        })?;
    } else {
        for check in &checks {
            for line in lines(check, console::colors_enabled()) {
                output.line(&line)?;
            }
        }
    }
    match (ok, code) {
        (true, _) => Ok(()),
        (false, 0) => Err(Failure::Said(1)),
        (false, code) => Err(Failure::Said(code)),
    }
}

fn store(found: Result<String, Problem>, code: &mut u8) -> Check {
    match found {
        Ok(detail) => Check {
            name: "store",
            state: State::Ok,
            detail,
            hint: None,
        },
        Err(problem) => failed("store", problem, code),
    }
}

fn engine(status: EngineStatus, code: &mut u8) -> Check {
    let place = [status.address, status.rule]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ");
    match (status.problem, status.info) {
        (Some(problem), _) => {
            let mut check = failed("engine", problem, code);
            if !place.is_empty() && !check.detail.contains(&place) {
                check.detail = format!("{} ({place})", check.detail);
            }
            check
        }
        (None, Some(info)) => Check {
            name: "engine",
            state: State::Ok,
            detail: format!(
                "{} {}, API {}, {} ({place})",
                info.product, info.version, info.api_version, info.platform
            ),
            hint: None,
        },
        (None, None) => failed(
            "engine",
            Problem::new(Code::EngineMissing, "No Docker engine was found"),
            code,
        ),
    }
}

/// Only environments of branches need git: a folder as it is does not.
async fn git() -> Check {
    let mut command = Command::new("git");
    command
        .arg("--version")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let answered = tokio::time::timeout(PATIENCE, command.output()).await;
    let problem = |detail: String| Check {
        name: "git",
        state: State::Problem,
        detail,
        hint: Some(
            "Install git: without it only folders as they are can be brought up, no branches."
                .to_owned(),
        ),
    };
    match answered {
        Ok(Ok(answer)) if answer.status.success() => Check {
            name: "git",
            state: State::Ok,
            detail: log_text::plain(
                String::from_utf8_lossy(&answer.stdout)
                    .trim()
                    .trim_start_matches("git version "),
            ),
            hint: None,
        },
        Ok(Ok(answer)) => problem(format!("git --version ended with {}", answer.status)),
        Ok(Err(error)) => problem(format!("git cannot be run: {error}")),
        Err(_) => problem("git does not answer".to_owned()),
    }
}

fn failed(name: &'static str, problem: Problem, code: &mut u8) -> Check {
    *code = (*code).max(failure::exit_code(problem.code));
    Check {
        name,
        state: State::Problem,
        detail: match problem.detail {
            Some(detail) => format!("{}: {detail}", problem.title),
            None => problem.title,
        },
        hint: problem.hint,
    }
}

fn lines(check: &Check, colours: bool) -> Vec<String> {
    let word = match check.state {
        State::Ok => style("ok     ").green(),
        State::Problem => style("problem").red().bold(),
        State::Skipped => style("skipped").dim(),
    }
    .force_styling(colours);
    let mut out = vec![format!(
        "{word}  {:<6}  {}",
        check.name,
        log_text::plain(&check.detail)
    )];
    out.extend(
        check
            .hint
            .iter()
            .flat_map(|hint| hint.lines())
            .map(|hint| format!("         {:<6}  {}", "", log_text::plain(hint))),
    );
    out
}
