//! `berth up --detach`: another process of this program goes on with it.

use std::process::Stdio;

use berth_core::Problem;
use berth_core::view::Lifetime;
use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use super::up;
use crate::args;
use crate::failure::{self, Failure, STOPPED};
use crate::output::Output;
use crate::platform::{self, Stop};

/// The lines of the other process that matter here.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
enum Heard {
    Started {
        environment: String,
    },
    Result {
        problem: Option<Problem>,
    },
    #[serde(other)]
    Other,
}

/// Starts the other process and waits until it has the operation recorded (or
/// failed before that).
pub(super) async fn run(args: &args::Up, output: &Output) -> Result<(), Failure> {
    let mut stop = Stop::listen()?;
    let mut command =
        Command::new(std::env::current_exe().map_err(|error| {
            Problem::internal("the program cannot find itself").caused_by(&error)
        })?);
    command
        .args(arguments(args))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    platform::outlive(&mut command);
    let mut child = command.spawn()?;
    let Some(stdout) = child.stdout.take() else {
        return Err(Problem::internal("the other process has no output").into());
    };
    let mut lines = BufReader::new(stdout).lines();
    loop {
        let line = tokio::select! {
            () = stop.requested() => {
                // Nothing is recorded yet, so nothing was made.
                let _ = child.kill().await;
                return Err(Failure::Said(STOPPED));
            }
            line = lines.next_line() => line?,
        };
        let Some(line) = line else {
            let status = child.wait().await?;
            return Err(
                Problem::internal(format!("the other process ended early: {status}")).into(),
            );
        };
        match serde_json::from_str(&line) {
            Ok(Heard::Started { environment }) => return started(&environment, &line, output),
            Ok(Heard::Result {
                problem: Some(problem),
            }) => {
                let code = failure::exit_code(problem.code);
                if output.is_json() {
                    output.line(&line)?;
                } else {
                    up::say(output, &problem);
                }
                return Err(Failure::Said(code));
            }
            Ok(Heard::Result { problem: None } | Heard::Other) | Err(_) => {}
        }
    }
}

fn started(environment: &str, line: &str, output: &Output) -> Result<(), Failure> {
    if output.is_json() {
        let line: Value = serde_json::from_str(line)
            .map_err(|error| Problem::internal("a line is not JSON").caused_by(&error))?;
        return output.object(&line);
    }
    output.note(&format!(
        "It comes up in the background. berth status {environment} shows how it stands."
    ));
    output.line(environment)
}

/// The same request for the other process.
fn arguments(args: &args::Up) -> Vec<String> {
    let mut out = vec![
        "up".to_owned(),
        "--json".to_owned(),
        "--detached".to_owned(),
    ];
    out.extend(args.reference.iter().map(|name| format!("--ref={name}")));
    out.extend(args.pr.iter().map(|number| format!("--pr={number}")));
    out.extend(args.name.iter().map(|name| format!("--name={name}")));
    out.extend(args.file.iter().map(|file| format!("--file={file}")));
    match args.ttl {
        Some(Lifetime::For { milliseconds }) => out.push(format!("--ttl={milliseconds}ms")),
        Some(Lifetime::Never) => out.push("--ttl=never".to_owned()),
        Some(Lifetime::Default) | None => {}
    }
    out.push("--".to_owned());
    out.push(args.location.clone());
    out
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use crate::args::{Args, Up, Verb};

    use super::*;

    fn up(line: &[&str]) -> Up {
        match Args::try_parse_from(line).unwrap().verb {
            Verb::Up(up) => up,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_other_process_is_asked_for_the_same() {
        let asked = up(&[
            "berth", "up", "-d", "--ref=-x", "--name", "n", "--ttl", "1h30m", "-f", "a.yaml", "--",
            "-folder",
        ]);
        let line = arguments(&asked);
        let line: Vec<&str> = ["berth"]
            .into_iter()
            .chain(line.iter().map(String::as_str))
            .collect();
        let repeated = up(&line);
        assert!(repeated.detached && !repeated.detach);
        assert_eq!(repeated.location, "-folder");
        assert_eq!(repeated.reference.as_deref(), Some("-x"));
        assert_eq!(repeated.name.as_deref(), Some("n"));
        assert_eq!(repeated.file.as_deref(), Some("a.yaml"));
        assert_eq!(repeated.ttl, asked.ttl);
    }
}
