//! An environment comes up, is updated in place, and goes away completely.

use berth_compose::{Condition, Dependency, Healthcheck, Mount, MountKind, Probe, Service};
use berth_engines::docker::Scope;
use tokio_util::sync::CancellationToken;

use crate::support::*;

fn volume(key: &str, target: &str) -> Mount {
    Mount {
        kind: MountKind::Volume,
        source: Some(key.to_owned()),
        target: target.to_owned(),
        read_only: false,
        bind: None,
        volume: None,
        tmpfs: None,
    }
}

fn db() -> Service {
    Service {
        mounts: vec![volume("data", "/data")],
        healthcheck: Some(Healthcheck {
            probe: Probe::Test(vec!["CMD-SHELL".into(), "test -f /data/ready".into()]),
            interval: Some(200_000_000),
            timeout: Some(2_000_000_000),
            retries: Some(50),
            start_period: None,
            start_interval: None,
        }),
        ..shell("sleep 1; touch /data/ready; exec nc -l -p 9000 -e echo hello")
    }
}

fn after(condition: Condition) -> Dependency {
    Dependency {
        condition,
        required: true,
        restart: false,
    }
}

fn two_services() -> berth_compose::Project {
    let mut web = web("hello");
    web.depends_on
        .insert("db".to_owned(), after(Condition::ServiceHealthy));
    project([("web", web), ("db", db())])
}

#[tokio::test]
async fn two_services_come_up_reach_each_other_and_go_away() {
    let engine = TestEngine::start();
    let docker = engine.connect().await;
    let before = engine.contents();
    let project = two_services();
    let identity = identity("main", "op1");
    let ports = free_ports(&project);

    let plan = planned(&docker, &project, &identity, &ports).await.unwrap();
    let heard = Heard::default();
    let applied = docker
        .apply(&plan, &heard, &CancellationToken::new())
        .await
        .unwrap();
    heard.all_done();
    assert_eq!(
        heard.keys(),
        [
            "network:shop-main_default",
            "volume:shop-main_data",
            "create:shop-main-db-1",
            "start:shop-main-db-1",
            "healthy:db",
            "create:shop-main-web-1",
            "start:shop-main-web-1",
            "reach",
        ]
    );
    let port = ports.values().next().unwrap();
    assert_eq!(applied.addresses.len(), 1);
    assert!(applied.addresses[0].primary);
    assert_eq!(applied.addresses[0].url, format!("http://127.0.0.1:{port}"));
    // By name, on a network of their own.
    let answer = engine.docker(&["exec", "shop-main-db-1", "wget", "-qO-", "http://web/"]);
    assert_eq!(answer, "hello");

    let parts = docker.parts("main").await.unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(docker.labelled().await.unwrap(), ["main"]);

    let heard = Heard::default();
    let removed = docker
        .remove(&Scope::Environment("main".to_owned()), &heard)
        .await
        .unwrap();
    heard.all_done();
    assert_eq!(removed.resources.len(), 4);
    assert_eq!(engine.contents(), before);
    // Absent is success.
    docker
        .remove(&Scope::Environment("main".to_owned()), &Heard::default())
        .await
        .unwrap();
}
