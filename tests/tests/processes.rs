//! Several processes on one data folder.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::fs;

use berth_contracts::EnvironmentStatus;
use berth_tests::{CommandLine, Engine, EngineKind};
use futures_util::StreamExt as _;

/// Comes up only when a file appears in the project's folder.
const SLOW: &str = r#"
services:
  web:
    image: busybox:1.36
    command: ["sleep", "1000"]
    init: true
    volumes: ["./gate:/gate"]
    healthcheck:
      test: ["CMD", "test", "-e", "/gate/open"]
      interval: 1s
      retries: 120
"#;

fn slow_project() -> tempfile::TempDir {
    let folder = tempfile::Builder::new().prefix("slow-").tempdir().unwrap();
    fs::write(folder.path().join("compose.yaml"), SLOW).unwrap();
    fs::create_dir(folder.path().join("gate")).unwrap();
    folder
}

/// Follows the events until the running operation waits for health.
async fn until_waiting(berth: &CommandLine) {
    let core = berth.core().await;
    let mut events = std::pin::pin!(core.follow(0));
    loop {
        let snapshot = core.snapshot().await.unwrap();
        let waits = snapshot
            .environments
            .iter()
            .filter_map(|it| it.operation.as_ref())
            .any(|operation| {
                operation.steps.iter().any(|step| {
                    matches!(step.kind, berth_engines::StepKind::WaitHealthy { .. })
                        && step.state == berth_engines::StepState::Running
                })
            });
        if waits {
            return;
        }
        events.next().await.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_beside_a_running_up_disturb_nothing() {
    let engine = Engine::shared(EngineKind::Modern);
    let berth = CommandLine::new(&engine.address());
    let project = slow_project();
    let path = project.path().to_str().unwrap();
    let child = berth.command(["up", path]).spawn().unwrap();
    until_waiting(&berth).await;

    let name = berth.environments().await[0].name.clone();
    berth.succeed(["ls"]);
    berth.succeed(["ls", "--json"]);
    berth.succeed(["status", &name]);
    berth.succeed(["logs", &name]);
    berth.succeed(["activity"]);
    assert_eq!(
        berth.environments().await[0].status,
        EnvironmentStatus::Provisioning
    );

    // A second `up` of it, and a `down`, are refused by name.
    for arguments in [["up", path], ["down", &name]] {
        let output = berth.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains(&child.id().to_string()),
            "who works on it is named:\n{said}"
        );
    }

    fs::write(project.path().join("gate/open"), "").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        berth.environments().await[0].status,
        EnvironmentStatus::Ready
    );
    berth.succeed(["down", &name]);
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_takes_back_what_was_made() {
    let engine = Engine::start(EngineKind::Modern);
    let before = engine.contents();
    let berth = CommandLine::new(&engine.address());
    let project = slow_project();
    let child = berth
        .command(["up", project.path().to_str().unwrap()])
        .spawn()
        .unwrap();
    until_waiting(&berth).await;
    let pid = rustix::process::Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success());
    assert_eq!(engine.contents(), before);
    assert_eq!(
        berth.environments().await[0].status,
        EnvironmentStatus::TornDown
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_takes_the_checkout_back_too() {
    let engine = Engine::start(EngineKind::Modern);
    let before = engine.contents();
    let berth = CommandLine::new(&engine.address());
    let project = slow_project();
    let path = project.path().to_str().unwrap();
    for arguments in [
        &["init", "--quiet", "--initial-branch=main"][..],
        &["add", "--all"],
        &[
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@example.com",
            "commit",
            "--quiet",
            "-m",
            "slow",
        ],
    ] {
        let done = std::process::Command::new("git")
            .arg("-C")
            .arg(path)
            .args(arguments)
            .status();
        assert!(done.unwrap().success());
    }
    let child = berth
        .command(["up", path, "--ref", "main"])
        .spawn()
        .unwrap();
    until_waiting(&berth).await;
    let pid = rustix::process::Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    child.wait_with_output().unwrap();
    assert_eq!(engine.contents(), before);
    let checkouts = fs::read_dir(berth.data().join("checkouts")).unwrap();
    assert_eq!(checkouts.count(), 0);
}

#[test]
fn ten_environments_at_once() {
    let engine = Engine::start(EngineKind::Modern);
    let before = engine.contents();
    let berth = CommandLine::new(&engine.address());
    let folders: Vec<_> = (0..10)
        .map(|number| {
            let folder = tempfile::Builder::new().prefix(&format!("ten-{number}-")).tempdir().unwrap();
            let compose = format!(
                "services:\n  web:\n    image: busybox:1.36\n    command: [sh, -c, 'mkdir /srv && echo number {number} > /srv/index.html && httpd -f -p 80 -h /srv']\n    init: true\n    ports: ['80']\n    volumes: ['data:/data']\nvolumes: {{data: }}\n"
            );
            fs::write(folder.path().join("compose.yaml"), compose).unwrap();
            folder
        })
        .collect();
    let running: Vec<_> = folders
        .iter()
        .map(|folder| {
            berth
                .command(["up", folder.path().to_str().unwrap()])
                .spawn()
                .unwrap()
        })
        .collect();
    for (number, child) in running.into_iter().enumerate() {
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let (status, page) = berth_tests::http::get(said.lines().last().unwrap()).unwrap();
        assert_eq!((status, page), (200, format!("number {number}\n")));
    }
    assert_eq!(
        engine.labelled("dev.berth.environment").containers.len(),
        10
    );
    berth.succeed(["down", "--all"]);
    assert_eq!(engine.contents(), before);
}
