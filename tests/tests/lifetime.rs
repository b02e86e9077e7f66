//! Environments go when their time is over: on time while an owner runs, at the next start otherwise.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::fs;
use std::sync::Arc;

use berth_contracts::EnvironmentStatus;
use berth_core::testing::FakeClock;
use berth_core::view::{ActivityVerb, Actor, Change, Lifetime, Selector, UpRequest};
use berth_core::{Berth, Options};
use berth_tests::{CommandLine, Engine, EngineKind};
use futures_util::StreamExt as _;
use tokio_util::sync::CancellationToken;

const START: i64 = 1_800_000_000_000;
const MINUTE: i64 = 60_000;

async fn opened(data: &std::path::Path, engine: &Engine, clock: &Arc<FakeClock>) -> Berth {
    Berth::open(Options {
        data_dir: Some(data.to_owned()),
        actor: Actor::Window,
        environment: [("DOCKER_HOST".to_owned(), engine.address())].into(),
        clock: clock.clone(),
        keychain: None,
    })
    .await
    .unwrap()
}

fn project() -> tempfile::TempDir {
    let folder = tempfile::Builder::new().prefix("brief-").tempdir().unwrap();
    let compose = "services:\n  web:\n    image: busybox:1.36\n    command: [sleep, '1000']\n    init: true\n";
    fs::write(folder.path().join("compose.yaml"), compose).unwrap();
    folder
}

async fn up(berth: &Berth, folder: &std::path::Path, lifetime: Lifetime) -> String {
    let service = berth
        .add_service(folder.to_str().unwrap(), None, None)
        .await
        .unwrap();
    let request = UpRequest {
        service_id: service.id,
        selector: Selector::WorkingTree,
        name: None,
        lifetime,
    };
    Box::pin(berth.up(request))
        .await
        .unwrap()
        .finish()
        .await
        .unwrap()
        .id
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_warns_and_then_removes_also_when_the_clock_jumps() {
    let engine = Engine::shared(EngineKind::Modern);
    let clock = Arc::new(FakeClock::new(START));
    let (data, folder) = (tempfile::tempdir().unwrap(), project());
    let berth = opened(data.path(), &engine, &clock).await;
    let id = up(
        &berth,
        folder.path(),
        Lifetime::For {
            milliseconds: 60 * MINUTE,
        },
    )
    .await;
    let from = berth.snapshot().await.unwrap().sequence;
    let mut events = std::pin::pin!(berth.follow(from));
    let cancel = CancellationToken::new();
    let owner = tokio::spawn({
        let (berth, cancel) = (berth.clone(), cancel.clone());
        async move { berth.own(cancel).await }
    });

    clock.until_someone_sleeps_until(START + 50 * MINUTE).await;
    clock.advance(50 * MINUTE);
    'warned: loop {
        for event in events.next().await.unwrap().unwrap() {
            if matches!(&event.change, Change::ExpiresSoon { environment, .. } if *environment == id)
            {
                break 'warned;
            }
        }
    }
    berth
        .extend(
            &id,
            Lifetime::For {
                milliseconds: 120 * MINUTE,
            },
        )
        .await
        .unwrap();
    clock.until_someone_sleeps_until(START + 170 * MINUTE).await;
    // As after a night with the lid closed.
    clock.set(START + 1000 * MINUTE);
    loop {
        let environment = berth.environment(&id).await.unwrap().environment;
        if environment.status == EnvironmentStatus::TornDown {
            break;
        }
        events.next().await.unwrap().unwrap();
    }
    assert!(
        !engine
            .labelled(&format!("dev.berth.environment={id}"))
            .containers
            .iter()
            .any(|_| true)
    );
    let verbs: Vec<_> = berth
        .activity(None, 10)
        .await
        .unwrap()
        .iter()
        .map(|line| line.verb)
        .collect();
    assert_eq!(verbs[..2], [ActivityVerb::Expired, ActivityVerb::Extended]);
    cancel.cancel();
    owner.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_owner_the_next_start_removes() {
    let engine = Engine::shared(EngineKind::Modern);
    let clock = Arc::new(FakeClock::new(START));
    let (data, folder) = (tempfile::tempdir().unwrap(), project());
    let id = {
        let berth = opened(data.path(), &engine, &clock).await;
        up(
            &berth,
            folder.path(),
            Lifetime::For {
                milliseconds: MINUTE,
            },
        )
        .await
    };
    clock.advance(2 * MINUTE);
    let berth = opened(data.path(), &engine, &clock).await;
    let environment = berth.environment(&id).await.unwrap().environment;
    assert_eq!(
        environment.status,
        EnvironmentStatus::Ready,
        "looking removes nothing"
    );
    berth.recover().await.unwrap();
    let environment = berth.environment(&id).await.unwrap().environment;
    assert_eq!(environment.status, EnvironmentStatus::TornDown);
    assert!(
        engine
            .labelled(&format!("dev.berth.environment={id}"))
            .is_empty()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_removes_on_time_and_up_says_who_will() {
    let engine = Engine::shared(EngineKind::Modern);
    let berth = CommandLine::new(&engine.address());
    let folder = project();
    let path = folder.path().to_str().unwrap();
    let output = berth.run(["up", path, "--ttl", "1h"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("berth agent"),
        "who removes it is said:\n{said}"
    );

    let mut agent = berth.command(["agent"]).spawn().unwrap();
    let core = berth.core().await;
    let mut events = std::pin::pin!(core.follow(0));
    let output = berth.run(["up", path, "--ttl", "2s"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let gone = async {
        loop {
            let environment = &core.snapshot().await.unwrap().environments[0];
            if environment.status == EnvironmentStatus::TornDown {
                return;
            }
            events.next().await.unwrap().unwrap();
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), gone)
        .await
        .expect("the agent removes it");
    let pid = rustix::process::Pid::from_raw(agent.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    agent.wait().unwrap();
}
