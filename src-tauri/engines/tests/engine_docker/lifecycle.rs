//! An environment comes up, is updated in place, and goes away completely.

use berth_compose::{Condition, Dependency, Healthcheck, Probe, Service};
use berth_engines::docker::{PartHealth, PartState, Scope};
use berth_tests::Engine;

use crate::support::*;

fn db() -> Service {
    Service {
        mounts: vec![volume(Some("data"), "/data")],
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

on_both_engines!(
    two_services_come_up_reach_each_other_and_go_away,
    a_second_up_changes_only_what_changed,
    compose_understands_the_project,
    an_update_that_was_cut_off_is_finished_by_the_next,
    a_shared_network_follows_its_owner,
);

async fn two_services_come_up_reach_each_other_and_go_away(engine: Engine) {
    let docker = connect(&engine).await;
    let project = two_services();
    let identity = identity("two", "op1");
    let ports = free_ports(&project);

    let (applied, heard) = up(&docker, &project, &identity, &ports).await;
    let applied = applied.unwrap();
    heard.all_done();
    assert_eq!(
        heard.keys(),
        [
            "network:shop-two_default",
            "volume:shop-two_data",
            "create:shop-two-db-1",
            "start:shop-two-db-1",
            "healthy:db",
            "create:shop-two-web-1",
            "start:shop-two-web-1",
            "reach",
        ]
    );
    let port = ports.values().next().unwrap();
    assert_eq!(applied.addresses.len(), 1);
    assert!(applied.addresses[0].primary);
    assert_eq!(applied.addresses[0].url, format!("http://127.0.0.1:{port}"));
    // By name, on a network of their own.
    let answer = engine.docker(["exec", "shop-two-db-1", "wget", "-qO-", "http://web/"]);
    assert_eq!(answer, "hello");
    let told = engine.docker(["exec", "shop-two-db-1", "sh", "-c", "echo $BERTH_URL_WEB"]);
    assert_eq!(told, applied.addresses[0].url);

    let parts = docker.parts("two").await.unwrap();
    let states: Vec<_> = parts
        .iter()
        .map(|it| (&*it.service, it.state, it.health))
        .collect();
    assert_eq!(
        states,
        [
            ("db", PartState::Running, PartHealth::Healthy),
            ("web", PartState::Running, PartHealth::None),
        ]
    );
    assert!(docker.labelled().await.unwrap().contains(&"two".to_owned()));

    let heard = Heard::default();
    let scope = Scope::Environment("two".to_owned());
    let removed = docker.remove(&scope, &heard).await.unwrap();
    heard.all_done();
    assert_eq!(removed.resources.len(), 4);
    nothing_left(&engine, "two");
    // Absent is success.
    let again = docker.remove(&scope, &Heard::default()).await.unwrap();
    assert!(again.resources.is_empty());
}

async fn a_second_up_changes_only_what_changed(engine: Engine) {
    let docker = connect(&engine).await;
    let mut project = two_services();
    let ports = free_ports(&project);
    let first = identity("update", "op1");
    up(&docker, &project, &first, &ports).await.0.unwrap();
    let ids = |engine: &Engine| {
        engine.docker([
            "ps",
            "-aq",
            "--filter",
            "label=dev.berth.environment=update",
        ])
    };
    engine.docker(["exec", "shop-update-db-1", "touch", "/data/mine"]);
    let before = ids(&engine);

    // Nothing changed: nothing is done but the address tried.
    let second = identity("update", "op2");
    let (applied, heard) = up(&docker, &project, &second, &ports).await;
    applied.unwrap();
    assert_eq!(heard.keys(), ["healthy:db", "reach"]);
    assert_eq!(ids(&engine), before);

    // One service changed, one is new, one gone.
    let db = project.services.get_mut("db").unwrap();
    db.environment
        .insert("NEW".to_owned(), Some("1".to_owned()));
    project
        .services
        .insert("worker".to_owned(), shell("exec sleep 600"));
    let third = identity("update", "op3");
    let (applied, heard) = up(&docker, &project, &third, &ports).await;
    applied.unwrap();
    heard.all_done();
    assert_eq!(
        heard.keys(),
        [
            "create:shop-update-db-1",
            "start:shop-update-db-1",
            "healthy:db",
            "create:shop-update-worker-1",
            "start:shop-update-worker-1",
            "reach",
        ]
    );
    engine.docker(["exec", "shop-update-db-1", "test", "-f", "/data/mine"]);

    project.services.shift_remove("worker");
    let (applied, heard) = up(&docker, &project, &identity("update", "op4"), &ports).await;
    applied.unwrap();
    assert!(
        heard
            .keys()
            .contains(&"remove:shop-update-worker-1".to_owned())
    );
    assert_eq!(docker.parts("update").await.unwrap().len(), 2);

    // Only what one operation made.
    let scope = Scope::Operation("update".to_owned(), "op3".to_owned());
    let removed = docker.remove(&scope, &Heard::default()).await.unwrap();
    assert_eq!(removed.resources, ["container shop-update-db-1"]);
    down(&engine, &docker, "update").await;
}

async fn compose_understands_the_project(engine: Engine) {
    let docker = connect(&engine).await;
    let project = two_services();
    let ports = free_ports(&project);
    let folder = tempfile::tempdir().unwrap();
    up(&docker, &project, &identity("peer", "op1"), &ports)
        .await
        .0
        .unwrap();

    let listed = engine.compose(folder.path(), ["ls"]);
    assert!(listed.contains("shop-peer"), "{listed}");
    let ps = engine.compose(
        folder.path(),
        [
            "-p",
            "shop-peer",
            "ps",
            "--format",
            "{{.Service}} {{.State}}",
        ],
    );
    let mut lines: Vec<&str> = ps.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["db running", "web running"]);
    engine.compose(folder.path(), ["-p", "shop-peer", "logs"]);
    engine.compose(folder.path(), ["-p", "shop-peer", "down", "--volumes"]);
    nothing_left(&engine, "peer");
}

async fn an_update_that_was_cut_off_is_finished_by_the_next(engine: Engine) {
    let docker = connect(&engine).await;
    let project = project([("app", shell("exec sleep 600"))]);
    let ports = free_ports(&project);
    up(&docker, &project, &identity("cut", "op1"), &ports)
        .await
        .0
        .unwrap();
    // As a kill between setting the old one aside and making the new one leaves it.
    let name = "shop-cut-app-1";
    let id = engine.docker(["ps", "-q", "--filter", "name=shop-cut-app-1"]);
    engine.docker(["stop", "-t", "0", name]);
    engine.docker(["rename", name, &format!("{id}_{name}")]);
    let (outcome, heard) = up(&docker, &project, &identity("cut", "op2"), &ports).await;
    outcome.unwrap();
    heard.all_done();
    let names = engine.docker([
        "ps",
        "-a",
        "--format",
        "{{.Names}}",
        "--filter",
        "label=dev.berth.environment=cut",
    ]);
    assert_eq!(names, name);
    down(&engine, &docker, "cut").await;
}

async fn a_shared_network_follows_its_owner(engine: Engine) {
    let docker = connect(&engine).await;
    let mut side = shell("exec sleep 600");
    side.networks.clear();
    side.network_mode = Some("service:web".to_owned());
    let mut project = project([("side", side), ("web", web("hello"))]);
    let ports = free_ports(&project);
    let page = || {
        engine.docker([
            "exec",
            "shop-side-side-1",
            "wget",
            "-qO-",
            "http://127.0.0.1/",
        ])
    };
    up(&docker, &project, &identity("side", "op1"), &ports)
        .await
        .0
        .unwrap();
    assert_eq!(page(), "hello");
    project.services["web"] = Service {
        ports: project.services["web"].ports.clone(),
        ..web("again")
    };
    let (outcome, heard) = up(&docker, &project, &identity("side", "op2"), &ports).await;
    outcome.unwrap();
    assert!(heard.keys().contains(&"create:shop-side-side-1".to_owned()));
    assert_eq!(page(), "again");
    down(&engine, &docker, "side").await;
}
