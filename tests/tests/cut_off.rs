//! A process that is killed between any two changes of the engine leaves nothing behind that the next one
//! does not take back, and no record is lost.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Output;

use berth_contracts::EnvironmentStatus;
use berth_core::Code;
use berth_core::view::{ActivityVerb, OperationState};
use berth_tests::{CommandLine, CutMoment, CutProxy, Engine, EngineKind};

/// Two services, a network of their own, a volume, a dependency.
const PROJECT: &str = r#"
services:
  web:
    image: busybox:1.36
    command: ["httpd", "-f", "-p", "8080"]
    init: true
    ports: ["8080"]
    depends_on: [db]
  db:
    image: busybox:1.36
    command: ["sleep", "1000"]
    init: true
    volumes: ["data:/data"]
volumes:
  data:
"#;

/// Everything of Berth's on an engine.
const OURS: &str = "dev.berth.environment";

fn project() -> tempfile::TempDir {
    let folder = tempfile::Builder::new()
        .prefix("cut-off-")
        .tempdir()
        .unwrap();
    fs::write(folder.path().join("compose.yaml"), PROJECT).unwrap();
    folder
}

fn up(berth: &CommandLine, project: &Path) -> Output {
    berth.run(["up", project.to_str().unwrap()])
}

fn assert_success(output: &Output) {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_up_that_is_killed_anywhere_is_taken_back() {
    let engine = Engine::start(EngineKind::Old);
    let before = engine.contents();
    let proxy = CutProxy::start(engine.socket());
    let project = project();

    let whole = CommandLine::new(&proxy.address());
    assert_success(&up(&whole, project.path()));
    let changes = proxy.changes();
    assert!(
        changes.len() >= 6,
        "a network, a volume, two containers made and started: {changes:#?}"
    );
    whole.succeed(["down", "--all"]);
    assert_eq!(engine.contents(), before);

    for change in 1..=changes.len() {
        for moment in CutMoment::ALL {
            let at = format!("{moment:?} change {change}: {}", changes[change - 1]);
            let berth = CommandLine::new(&proxy.address());
            proxy.cut(change, moment);
            let output = up(&berth, project.path());
            assert!(proxy.killed().is_some(), "{at}: not reached");
            assert!(!output.status.success(), "{at}: went on");

            let core = berth.core().await;
            let record = &core.snapshot().await.unwrap().environments[0];
            assert_eq!(
                record.status,
                EnvironmentStatus::Provisioning,
                "{at}: reading recovers nothing"
            );

            core.recover().await.unwrap();
            assert_eq!(
                engine.labelled(OURS),
                Default::default(),
                "{at}: left behind"
            );
            let environments = core.snapshot().await.unwrap().environments;
            let [record] = environments.as_slice() else {
                panic!("{at}: {environments:#?}")
            };
            assert_eq!(record.status, EnvironmentStatus::Failed, "{at}");
            assert_eq!(
                record.problem.as_ref().map(|problem| problem.code),
                Some(Code::Interrupted),
                "{at}"
            );
            let operation = record.operation.as_ref().unwrap();
            assert_eq!(operation.state, OperationState::Interrupted, "{at}");
            let activity = core.activity(None, 10).await.unwrap();
            assert_eq!(activity[0].verb, ActivityVerb::TakenBack, "{at}");

            assert_success(&up(&berth, project.path()));
            berth.succeed(["down", "--all"]);
            assert_eq!(engine.contents(), before, "{at}: after another up and down");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_down_that_is_killed_anywhere_is_completed() {
    let engine = Engine::start(EngineKind::Old);
    let before = engine.contents();
    let proxy = CutProxy::start(engine.socket());
    let project = project();

    let whole = CommandLine::new(&proxy.address());
    assert_success(&up(&whole, project.path()));
    proxy.cut(usize::MAX, CutMoment::Before);
    whole.succeed(["down", "--all"]);
    let changes = proxy.changes();
    assert!(
        changes.len() >= 4,
        "two containers, a network, a volume: {changes:#?}"
    );

    for change in 1..=changes.len() {
        for moment in CutMoment::ALL {
            let at = format!("{moment:?} change {change}: {}", changes[change - 1]);
            let berth = CommandLine::new(&proxy.address());
            assert_success(&up(&berth, project.path()));
            proxy.cut(change, moment);
            let output = berth.run(["down", "--all"]);
            assert!(proxy.killed().is_some(), "{at}: not reached");
            assert!(!output.status.success(), "{at}: went on");

            let core = berth.core().await;
            core.recover().await.unwrap();
            assert_eq!(engine.contents(), before, "{at}: left behind");
            let environments = core.snapshot().await.unwrap().environments;
            let [record] = environments.as_slice() else {
                panic!("{at}: {environments:#?}")
            };
            assert_eq!(record.status, EnvironmentStatus::TornDown, "{at}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_that_is_killed_anywhere_keeps_the_volume() {
    let engine = Engine::start(EngineKind::Old);
    let before = engine.contents();
    let proxy = CutProxy::start(engine.socket());
    let project = project();
    let changed = PROJECT.replace("1000", "2000");

    let berth = CommandLine::new(&proxy.address());
    let update = |text: &str| {
        fs::write(project.path().join("compose.yaml"), text).unwrap();
        up(&berth, project.path())
    };
    assert_success(&update(PROJECT));
    let volumes = engine.labelled(OURS).volumes;
    assert_eq!(volumes.len(), 1);
    proxy.cut(usize::MAX, CutMoment::Before);
    assert_success(&update(&changed));
    let changes = proxy.changes();
    assert!(changes.len() >= 3, "one container made again: {changes:#?}");

    for change in 1..=changes.len() {
        for moment in CutMoment::ALL {
            let at = format!("{moment:?} change {change}: {}", changes[change - 1]);
            assert_success(&update(PROJECT));
            proxy.cut(change, moment);
            let output = update(&changed);
            assert!(
                proxy.killed().is_some() && !output.status.success(),
                "{at}: not cut"
            );

            let core = berth.core().await;
            core.recover().await.unwrap();
            assert_eq!(
                engine.labelled(OURS).volumes,
                volumes,
                "{at}: the volume is kept"
            );
            let record = &core.snapshot().await.unwrap().environments[0];
            assert_eq!(
                record.problem.as_ref().map(|problem| problem.code),
                Some(Code::Interrupted),
                "{at}"
            );
            // What had been made is gone, and retry works.
            assert_success(&update(&changed));
            assert_eq!(engine.labelled(OURS).containers.len(), 2, "{at}");
        }
    }
    berth.succeed(["down", "--all"]);
    assert_eq!(engine.contents(), before);
}
