//! `berth doctor`

use std::process::Stdio;
use std::time::Duration;

use berth_core::view::{CheckUpdate, SecretStoreState};
use berth_core::{Berth, Problem};
use berth_engines::docker::connection_checks;
use berth_engines::{Check, Fact, Verdict};
use serde::Serialize;
use tokio::process::Command;
use tokio_util::sync::CancellationToken;

use super::open_berth;
use crate::checks::{ChecksShown, Detail};
use crate::failure::{self, Failure};
use crate::log_text;
use crate::output::Output;

/// A program that has not answered by then does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

const STORE: &str = "store";

/// What has to be there for an engine to be usable at all; what fails later leaves
/// one that works badly.
const ENGINE: [&str; 4] = ["socket", "reachable", "permission", "api"];

/// A check as programs are told of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    name: String,
    title: String,
    state: State,
    /// What was found, or what is wrong.
    detail: String,
    facts: Vec<Fact>,
    /// The next thing to do.
    hint: Option<String>,
    /// A command that does it.
    command: Option<String>,
    /// The check that has to pass first.
    because: Option<String>,
    duration_ms: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum State {
    Ok,
    Warning,
    Problem,
    /// An earlier check has to pass first.
    Skipped,
}

#[derive(Serialize)]
struct Checked {
    ok: bool,
    checks: Vec<Told>,
}

pub(super) async fn run(output: &Output) -> Result<(), Failure> {
    let shown = ChecksShown::new(output, Detail::Short);
    let hear = |check: Check| shown.hear(CheckUpdate::Changed { check });
    hear(passed(
        "berth",
        "Berth",
        env!("CARGO_PKG_VERSION").to_owned(),
    ));
    let mut code = 0;
    match open_berth().await {
        Ok(berth) => {
            hear(store(&berth, &mut code).await);
            hear(git().await);
            hear(secrets(&berth, &mut code).await);
            let cancel = CancellationToken::new();
            berth
                .test_docker(cancel, |update| shown.hear(update))
                .await?;
        }
        Err(problem) => {
            hear(failed(STORE, "Data folder", problem, &mut code));
            hear(git().await);
            let because = || STORE.to_owned();
            for check in connection_checks() {
                hear(Check {
                    verdict: Verdict::Skipped { because: because() },
                    ..check
                });
            }
        }
    }
    let checks = shown.end()?;
    let broken = |key: &str| {
        let mut broken = checks.iter().filter(|it| it.verdict == Verdict::Failed);
        broken.any(|it| it.key == key)
    };
    if ENGINE.into_iter().any(broken) {
        code = 3;
    }
    let ok = !checks
        .iter()
        .any(|check| matches!(check.verdict, Verdict::Failed | Verdict::Skipped { .. }));
    if output.is_json() {
        output.object(&Checked {
            ok,
            checks: checks.into_iter().map(told).collect(),
        })?;
    }
    match (ok, code) {
        (true, _) => Ok(()),
        (false, 0) => Err(Failure::Said(1)),
        (false, code) => Err(Failure::Said(code)),
    }
}

async fn store(berth: &Berth, code: &mut u8) -> Check {
    let title = "Data folder";
    match berth.snapshot().await {
        Ok(snapshot) => passed(
            STORE,
            title,
            format!(
                "{} ({} services, {} environments)",
                berth.data_folder().display(),
                snapshot.services.len(),
                snapshot.environments.len()
            ),
        ),
        Err(problem) => failed(STORE, title, problem, code),
    }
}

/// Only handlers that log in need secrets: Docker does not.
async fn secrets(berth: &Berth, code: &mut u8) -> Check {
    let (key, title) = ("secrets", "Secrets");
    let status = match berth.secret_store().await {
        Ok(status) => status,
        Err(problem) => return failed(key, title, problem, code),
    };
    match (status.state, status.problem) {
        (SecretStoreState::Ready, _) => passed(key, title, status.product),
        (_, problem) => {
            let problem = problem.unwrap_or_else(|| {
                Problem::internal("the store of secrets does not say what it lacks")
            });
            Check {
                verdict: Verdict::Warned,
                ..failed(key, title, problem, &mut 0)
            }
        }
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
        verdict: Verdict::Failed,
        detail: Some(detail),
        hint: Some(
            "Install git: without it only folders as they are can be brought up, no branches."
                .to_owned(),
        ),
        ..Check::waiting("git", "Git")
    };
    match answered {
        Ok(Ok(answer)) if answer.status.success() => passed(
            "git",
            "Git",
            log_text::plain(
                String::from_utf8_lossy(&answer.stdout)
                    .trim()
                    .trim_start_matches("git version "),
            ),
        ),
        Ok(Ok(answer)) => problem(format!("git --version ended with {}", answer.status)),
        Ok(Err(error)) => problem(format!("git cannot be run: {error}")),
        Err(_) => problem("git does not answer".to_owned()),
    }
}

fn passed(key: &str, title: &str, detail: String) -> Check {
    Check {
        verdict: Verdict::Passed,
        detail: Some(detail),
        ..Check::waiting(key, title)
    }
}

fn failed(key: &str, title: &str, problem: Problem, code: &mut u8) -> Check {
    *code = (*code).max(failure::exit_code(problem.code));
    Check {
        verdict: Verdict::Failed,
        detail: Some(match problem.detail {
            Some(detail) => format!("{}: {detail}", problem.title),
            None => problem.title,
        }),
        hint: problem.hint,
        ..Check::waiting(key, title)
    }
}

fn told(check: Check) -> Told {
    let (state, because) = match check.verdict {
        Verdict::Passed => (State::Ok, None),
        Verdict::Warned => (State::Warning, None),
        Verdict::Failed => (State::Problem, None),
        Verdict::Skipped { because } => (State::Skipped, Some(because)),
        // A test that ends leaves none of these.
        Verdict::Waiting | Verdict::Running => (State::Skipped, None),
    };
    Told {
        name: check.key,
        title: check.title,
        state,
        detail: check.detail.unwrap_or_default(),
        facts: check.facts,
        hint: check.hint,
        command: check.command,
        because,
        duration_ms: check.duration_ms,
    }
}
