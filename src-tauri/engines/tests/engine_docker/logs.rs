//! Logs of several containers as one stream.

use std::time::Duration;

use berth_engines::docker::{LogLine, LogOptions};
use berth_tests::Engine;
use futures_util::{Stream, StreamExt};

use crate::support::*;

on_both_engines!(
    past_lines_come_in_order_of_time,
    following_goes_on_through_new_containers,
    changes_name_their_environment,
);

async fn next(
    lines: &mut (impl Stream<Item = Result<LogLine, berth_engines::EngineError>> + Unpin),
) -> LogLine {
    tokio::time::timeout(Duration::from_secs(20), lines.next())
        .await
        .expect("no line came")
        .unwrap()
        .unwrap()
}

async fn past_lines_come_in_order_of_time(engine: Engine) {
    let docker = connect(&engine).await;
    let mut terminal = shell("sleep 1.5; printf '10%%\\r20%%\\n'; printf 'plain\\n'");
    terminal.tty = true;
    let long = "i=0; while [ $i -lt 3000 ]; do printf 0123456789; i=$((i+1)); done; echo";
    let project = project([
        ("first", shell("echo a; sleep 3; echo c >&2")),
        ("terminal", terminal),
        ("long", shell(&format!("sleep 4.5; {long}"))),
    ]);
    up(
        &docker,
        &project,
        &identity("past", "op1"),
        &free_ports(&project),
    )
    .await
    .0
    .unwrap();
    engine.docker([
        "wait",
        "shop-past-first-1",
        "shop-past-terminal-1",
        "shop-past-long-1",
    ]);
    let lines: Vec<LogLine> = docker
        .logs("past", LogOptions::default())
        .map(Result::unwrap)
        .collect()
        .await;
    let short: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                line.service.as_str(),
                line.stderr,
                line.text.get(..10).unwrap_or(&line.text),
            )
        })
        .collect();
    assert_eq!(
        short,
        [
            ("first", false, "a"),
            ("terminal", false, "20%"),
            ("terminal", false, "plain"),
            ("first", true, "c"),
            ("long", false, "0123456789"),
        ]
    );
    assert_eq!(lines[4].text.len(), 30_000);
    assert_eq!(lines[4].text, "0123456789".repeat(3000));
    assert!(lines.windows(2).all(|pair| pair[0].at <= pair[1].at));
    let options = LogOptions {
        services: vec!["first".to_owned()],
        tail: Some(1),
        follow: false,
    };
    let lines: Vec<LogLine> = docker
        .logs("past", options)
        .map(Result::unwrap)
        .collect()
        .await;
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].text, "c");
    down(&engine, &docker, "past").await;
}

async fn following_goes_on_through_new_containers(engine: Engine) {
    let docker = connect(&engine).await;
    let mut project = project([("app", shell("echo one; exec sleep 600"))]);
    let ports = free_ports(&project);
    let options = LogOptions {
        follow: true,
        ..LogOptions::default()
    };
    let mut lines = Box::pin(docker.logs("follow", options));
    up(&docker, &project, &identity("follow", "op1"), &ports)
        .await
        .0
        .unwrap();
    assert_eq!(next(&mut lines).await.text, "one");
    project.services["app"] = shell("echo two; exec sleep 600");
    up(&docker, &project, &identity("follow", "op2"), &ports)
        .await
        .0
        .unwrap();
    assert_eq!(next(&mut lines).await.text, "two");
    // The same container again: its past is not said twice.
    engine.docker(["restart", "-t", "0", "shop-follow-app-1"]);
    assert_eq!(next(&mut lines).await.text, "two");
    project
        .services
        .insert("more".to_owned(), shell("echo three; exec sleep 600"));
    up(&docker, &project, &identity("follow", "op3"), &ports)
        .await
        .0
        .unwrap();
    let line = next(&mut lines).await;
    assert_eq!(
        (line.service.as_str(), line.text.as_str()),
        ("more", "three")
    );
    down(&engine, &docker, "follow").await;
}

async fn changes_name_their_environment(engine: Engine) {
    let docker = connect(&engine).await;
    let mut changes = Box::pin(docker.changes());
    let project = project([("app", shell("exec sleep 600"))]);
    let ports = free_ports(&project);
    let seen = async {
        while let Some(change) = changes.next().await {
            if change.unwrap() == "changing" {
                return true;
            }
        }
        false
    };
    let identity = identity("changing", "op1");
    let work = async {
        up(&docker, &project, &identity, &ports).await.0.unwrap();
        down(&engine, &docker, "changing").await;
    };
    let (seen, ()) = tokio::join!(tokio::time::timeout(Duration::from_secs(30), seen), work);
    assert!(seen.unwrap());
}
