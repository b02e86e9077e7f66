//! What goes wrong has a name, a cause, and leaves nothing behind.

use std::time::Duration;

use berth_compose::{Condition, Dependency, Healthcheck, Probe, Project, Service};
use berth_engines::docker::{Docker, Scope};
use berth_engines::{EngineError, StepState};
use berth_tests::{Engine, EngineKind};
use tokio_util::sync::CancellationToken;

use crate::support::*;

on_both_engines!(
    a_dependency_that_exits_ends_the_wait,
    a_service_that_exits_at_once_has_failed,
    one_shots_run_before_those_who_wait_for_them,
    an_optional_dependency_may_fail,
    an_unhealthy_service_shows_its_last_probe,
    a_taken_port_names_its_holder,
    an_image_that_is_nowhere_is_named,
    a_name_of_someone_else_is_left_alone,
    cancel_is_prompt_and_leaves_only_what_can_be_found,
    a_silent_port_is_not_an_address,
);

fn dependency(condition: Condition) -> Dependency {
    Dependency {
        condition,
        required: true,
        restart: false,
    }
}

fn check(test: &str) -> Healthcheck {
    Healthcheck {
        probe: Probe::Test(vec!["CMD-SHELL".to_owned(), test.to_owned()]),
        interval: Some(200_000_000),
        timeout: Some(1_000_000_000),
        retries: Some(2),
        start_period: None,
        start_interval: None,
    }
}

fn waiting_for(name: &str, condition: Condition, first: Service) -> Project {
    let mut second = shell("exec sleep 600");
    second
        .depends_on
        .insert("first".to_owned(), dependency(condition));
    let mut project = project([("second", second), ("first", first)]);
    project.name = name.to_owned();
    project
}

/// Brings up what must fail, takes it back, and returns the error.
async fn fails(
    engine: &Engine,
    docker: &Docker,
    environment: &str,
    project: &Project,
) -> EngineError {
    let ports = free_ports(project);
    let (outcome, heard) = up(docker, project, &identity(environment, "op1"), &ports).await;
    let error = outcome.unwrap_err();
    for (key, state) in heard.states() {
        assert!(
            !matches!(state, StepState::Waiting | StepState::Running),
            "{key} was left {state:?}"
        );
    }
    assert_eq!(
        heard
            .states()
            .iter()
            .filter(|(_, state)| *state == StepState::Failed)
            .count(),
        1,
        "{:?}",
        heard.states()
    );
    down(engine, docker, environment).await;
    error
}

async fn a_dependency_that_exits_ends_the_wait(engine: Engine) {
    let docker = connect(&engine).await;
    let first = Service {
        healthcheck: Some(check("false")),
        ..shell("echo one; sleep 0.1; echo two >&2; exit 3")
    };
    let project = waiting_for("exits", Condition::ServiceHealthy, first);
    match fails(&engine, &docker, "exits", &project).await {
        EngineError::Exited {
            service,
            code,
            out_of_memory,
            lines,
        } => {
            assert_eq!((service.as_str(), code, out_of_memory), ("first", 3, false));
            assert_eq!(lines.0, ["one", "two"]);
        }
        other => panic!("{other:?}"),
    }
}

async fn a_service_that_exits_at_once_has_failed(engine: Engine) {
    let docker = connect(&engine).await;
    // Something that takes its time, so that the others have ended by then.
    let slow = Service {
        healthcheck: Some(Healthcheck {
            retries: Some(1000),
            ..check("test -f /tmp/ready")
        }),
        ..shell("sleep 2; touch /tmp/ready; exec sleep 600")
    };
    let project = project([
        ("bad", shell("echo sorry; exit 1")),
        ("good", shell("exit 0")),
        ("slow", slow),
    ]);
    let (outcome, _) = up(
        &docker,
        &project,
        &identity("at-once", "op1"),
        &free_ports(&project),
    )
    .await;
    match outcome.unwrap_err() {
        EngineError::Exited {
            service,
            code,
            lines,
            ..
        } => {
            assert_eq!((service.as_str(), code), ("bad", 1));
            assert_eq!(lines.0, ["sorry"]);
        }
        other => panic!("{other:?}"),
    }
    let parts = docker.parts("at-once").await.unwrap();
    assert_eq!(parts[0].cause.as_deref(), Some("ended with exit code 1"));
    down(&engine, &docker, "at-once").await;
}

async fn one_shots_run_before_those_who_wait_for_them(engine: Engine) {
    let docker = connect(&engine).await;
    let mut migrate = shell("sleep 1; echo migrated > /data/done");
    migrate.mounts = vec![volume(Some("data"), "/data")];
    let mut app = shell("cat /data/done || exit 1; exec sleep 600");
    app.mounts = vec![volume(Some("data"), "/data")];
    app.depends_on.insert(
        "migrate".to_owned(),
        dependency(Condition::ServiceCompletedSuccessfully),
    );
    let good = project([("app", app.clone()), ("migrate", migrate)]);
    let (outcome, heard) = up(
        &docker,
        &good,
        &identity("oneshot", "op1"),
        &free_ports(&good),
    )
    .await;
    outcome.unwrap();
    heard.all_done();
    assert!(heard.keys().contains(&"completed:migrate".to_owned()));
    let parts = docker.parts("oneshot").await.unwrap();
    assert!(
        parts
            .iter()
            .any(|part| part.one_shot && part.exit_code == Some(0))
    );
    down(&engine, &docker, "oneshot").await;

    let bad = project([("app", app), ("migrate", shell("echo no table; exit 7"))]);
    let mut bad = bad;
    bad.services["app"].mounts.clear();
    match fails(&engine, &docker, "oneshot", &bad).await {
        EngineError::Exited {
            service,
            code,
            lines,
            ..
        } => {
            assert_eq!((service.as_str(), code), ("migrate", 7));
            assert_eq!(lines.0, ["no table"]);
        }
        other => panic!("{other:?}"),
    }
}

async fn an_optional_dependency_may_fail(engine: Engine) {
    let docker = connect(&engine).await;
    let first = Service {
        healthcheck: Some(check("false")),
        ..shell("exec sleep 600")
    };
    let mut project = waiting_for("optional", Condition::ServiceHealthy, first);
    project.services["second"].depends_on["first"].required = false;
    let (outcome, heard) = up(
        &docker,
        &project,
        &identity("optional", "op1"),
        &free_ports(&project),
    )
    .await;
    outcome.unwrap();
    let states = heard.states();
    assert!(
        states.contains(&("healthy:first".to_owned(), StepState::Skipped)),
        "{states:?}"
    );
    assert!(states.contains(&("start:shop-optional-second-1".to_owned(), StepState::Done)));
    down(&engine, &docker, "optional").await;
}

async fn an_unhealthy_service_shows_its_last_probe(engine: Engine) {
    let docker = connect(&engine).await;
    let first = Service {
        healthcheck: Some(check("echo not yet; exit 1")),
        ..shell("exec sleep 600")
    };
    let project = waiting_for("sick", Condition::ServiceHealthy, first);
    match fails(&engine, &docker, "sick", &project).await {
        EngineError::Unhealthy {
            service,
            output,
            failing_streak,
        } => {
            assert_eq!((service.as_str(), output.as_str()), ("first", "not yet"));
            assert!(failing_streak >= 2);
        }
        other => panic!("{other:?}"),
    }
}

async fn a_taken_port_names_its_holder(engine: Engine) {
    let docker = connect(&engine).await;
    let project = project([("web", web("hello"))]);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut ports = free_ports(&project);
    for taken in ports.values_mut() {
        *taken = port;
    }
    let (outcome, _) = up(&docker, &project, &identity("taken", "op1"), &ports).await;
    match outcome.unwrap_err() {
        EngineError::PortTaken {
            port: named,
            service,
            holder,
        } => {
            assert_eq!((named, service.as_str()), (port, "web"));
            let own = format!("(process {})", std::process::id());
            assert!(holder.as_deref().unwrap().ends_with(&own), "{holder:?}");
        }
        other => panic!("{other:?}"),
    }
    drop(listener);
    // The same environment, tried again.
    up(&docker, &project, &identity("taken", "op2"), &ports)
        .await
        .0
        .unwrap();
    let (outcome, _) = up(&docker, &project, &identity("taken-too", "op1"), &ports).await;
    match outcome.unwrap_err() {
        EngineError::PortTaken { holder, .. } => {
            let holder = holder.unwrap();
            assert!(holder.contains("container shop-taken-web-1"), "{holder}");
            assert!(holder.contains("compose project shop-taken"), "{holder}");
        }
        other => panic!("{other:?}"),
    }
    down(&engine, &docker, "taken-too").await;
    down(&engine, &docker, "taken").await;
}

async fn an_image_that_is_nowhere_is_named(engine: Engine) {
    let docker = connect(&engine).await;
    let mut missing = shell("true");
    missing.image = Some("127.0.0.1:1/team/nothing:2".to_owned());
    let mut project = project([("app", missing)]);
    match fails(&engine, &docker, "nowhere", &project).await {
        EngineError::Pull {
            image,
            service,
            message,
        } => {
            assert_eq!(
                (image.as_str(), service.as_str()),
                ("127.0.0.1:1/team/nothing:2", "app")
            );
            assert!(message.contains("connection refused"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    project.services["app"].pull_policy = Some("never".to_owned());
    let error = fails(&engine, &docker, "nowhere", &project).await;
    assert!(matches!(error, EngineError::Pull { .. }), "{error:?}");
}

async fn a_name_of_someone_else_is_left_alone(engine: Engine) {
    let docker = connect(&engine).await;
    let project = project([("app", shell("exec sleep 600"))]);
    let foreign = "shop-foreign-app-1";
    engine.docker(["create", "--name", foreign, "busybox:latest", "true"]);
    let outcome = planned(
        &docker,
        &project,
        &identity("foreign", "op1"),
        &free_ports(&project),
    )
    .await;
    assert!(
        matches!(
            outcome,
            Err(EngineError::NameTaken {
                kind: "container",
                ..
            })
        ),
        "{outcome:?}"
    );
    docker
        .remove(&Scope::Environment("foreign".to_owned()), &Heard::default())
        .await
        .unwrap();
    engine.docker(["rm", foreign]);
}

async fn cancel_is_prompt_and_leaves_only_what_can_be_found(engine: Engine) {
    let docker = connect(&engine).await;
    let first = Service {
        healthcheck: Some(Healthcheck {
            retries: Some(1000),
            ..check("false")
        }),
        ..shell("exec sleep 600")
    };
    let project = waiting_for("cancel", Condition::ServiceHealthy, first);
    let ports = free_ports(&project);
    let plan = planned(&docker, &project, &identity("cancel", "op1"), &ports)
        .await
        .unwrap();
    let heard = Heard::default();
    let cancel = CancellationToken::new();
    let applying = docker.apply(&plan, &heard, &cancel);
    let cancelling = async {
        heard.until("healthy:first", StepState::Running).await;
        cancel.cancel();
        std::time::Instant::now()
    };
    let (outcome, cancelled) = tokio::join!(applying, cancelling);
    assert!(
        matches!(outcome, Err(EngineError::Cancelled)),
        "{outcome:?}"
    );
    assert!(cancelled.elapsed() < Duration::from_secs(2));
    let scope = Scope::Operation("cancel".to_owned(), "op1".to_owned());
    docker.remove(&scope, &Heard::default()).await.unwrap();
    nothing_left(&engine, "cancel");

    // At the very start, with every call under way.
    let heard = Heard::default();
    let cancel = CancellationToken::new();
    let applying = docker.apply(&plan, &heard, &cancel);
    let cancelling = async {
        heard
            .until("create:shop-cancel-first-1", StepState::Running)
            .await;
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(applying, cancelling);
    assert!(
        matches!(outcome, Err(EngineError::Cancelled)),
        "{outcome:?}"
    );
    docker.remove(&scope, &Heard::default()).await.unwrap();
    nothing_left(&engine, "cancel");
}

async fn a_silent_port_is_not_an_address(engine: Engine) {
    let docker = connect(&engine).await;
    // A database first, then the page: the page is the URL.
    let mut db = shell("exec nc -ll -p 5432 -e cat");
    db.ports = vec![port(5432)];
    let project = project([("db", db), ("web", web("hello"))]);
    let ports = free_ports(&project);
    let (outcome, _) = up(&docker, &project, &identity("silent", "op1"), &ports).await;
    let addresses = outcome.unwrap().addresses;
    let listed: Vec<_> = addresses
        .iter()
        .map(|it| (it.service.as_str(), it.primary))
        .collect();
    assert_eq!(listed, [("web", true), ("db", false)]);
    down(&engine, &docker, "silent").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_dies_in_the_middle_is_said_to_be_lost() {
    let mut engine = Engine::start(EngineKind::Old);
    let docker = connect(&engine).await;
    let first = Service {
        healthcheck: Some(Healthcheck {
            retries: Some(1000),
            ..check("false")
        }),
        ..shell("exec sleep 600")
    };
    let project = waiting_for("lost", Condition::ServiceHealthy, first);
    let plan = planned(
        &docker,
        &project,
        &identity("lost", "op1"),
        &free_ports(&project),
    )
    .await
    .unwrap();
    let heard = Heard::default();
    let cancel = CancellationToken::new();
    let applying = docker.apply(&plan, &heard, &cancel);
    let killing = async {
        heard.until("healthy:first", StepState::Running).await;
        tokio::task::block_in_place(|| engine.kill());
    };
    let (outcome, ()) = tokio::join!(applying, killing);
    assert!(
        matches!(outcome, Err(EngineError::EngineLost { .. })),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn a_dead_socket_is_unreachable_within_its_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("docker.sock");
    // It accepts and never answers.
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let endpoint = berth_engines::docker::Endpoint {
        address: format!("unix://{}", socket.display()),
        rule: "DOCKER_HOST".to_owned(),
    };
    let Err(error) = Docker::connect(&endpoint).await else {
        panic!("it connected");
    };
    assert!(
        matches!(error, EngineError::EngineUnreachable { ref rule, .. } if rule == "DOCKER_HOST"),
        "{error:?}"
    );
}
