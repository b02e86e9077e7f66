//! What the user made of an environment's things stays the user's.

use std::path::Path;

use berth_compose::{Build, Project, Service};
use berth_engines::docker::{Docker, Scope};
use berth_tests::Engine;

use crate::support::*;

on_both_engines!(
    containers_of_a_built_image_survive,
    containers_of_a_committed_container_survive,
    images_made_of_a_built_one_and_further_names_survive,
    what_only_carries_the_label_survives,
    the_image_of_a_build_that_was_cut_off_is_found,
);

fn built(folder: &Path) -> Project {
    std::fs::write(
        folder.join("Dockerfile"),
        "FROM busybox:latest\nCOPY page /page\nCMD [\"sleep\", \"600\"]\n",
    )
    .unwrap();
    std::fs::write(folder.join("page"), "one").unwrap();
    project([(
        "app",
        Service {
            image: None,
            build: Some(Build {
                context: folder.to_owned(),
                dockerfile: "Dockerfile".into(),
                ..Build::default()
            }),
            command: None,
            ..shell("")
        },
    )])
}

/// Brings an environment up, lets the user do something, brings it up again with
/// another page, and sees that it has one part and nothing to remove.
async fn up_around(
    docker: &Docker,
    environment: &str,
    users: impl FnOnce(),
) -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    let project = built(folder.path());
    let ports = free_ports(&project);
    up(docker, &project, &identity(environment, "op1"), &ports)
        .await
        .0
        .unwrap();
    users();
    std::fs::write(folder.path().join("page"), "two").unwrap();
    let (outcome, heard) = up(docker, &project, &identity(environment, "op2"), &ports).await;
    outcome.unwrap();
    heard.all_done();
    let removals = heard
        .keys()
        .into_iter()
        .filter(|it| it.starts_with("remove"));
    assert_eq!(removals.count(), 0);
    let parts = docker.parts(environment).await.unwrap();
    let names: Vec<_> = parts.into_iter().map(|part| part.name).collect();
    assert_eq!(names, [format!("shop-{environment}-app-1")]);
    (folder, project)
}

async fn taken_down(docker: &Docker, environment: &str) -> Vec<String> {
    let scope = Scope::Environment(environment.to_owned());
    let removed = docker.remove(&scope, &Heard::default()).await.unwrap();
    assert!(docker.parts(environment).await.unwrap().is_empty());
    removed.resources
}

async fn containers_of_a_built_image_survive(engine: Engine) {
    let docker = connect(&engine).await;
    let run = |name: &str| {
        engine.docker(["run", "-d", "--name", name, "shop-runs-app", "sleep", "600"]);
    };
    up_around(&docker, "runs", || run("users-before")).await;
    run("users-after");
    let removed = taken_down(&docker, "runs").await;
    assert!(
        !removed.iter().any(|it| it.starts_with("image")),
        "it is in use: {removed:?}"
    );
    for name in ["users-before", "users-after"] {
        assert_eq!(engine.docker(["exec", name, "echo", "here"]), "here");
        engine.docker(["rm", "-f", name]);
    }
    // Once nothing needs them they can go.
    assert!(
        docker
            .labelled()
            .await
            .unwrap()
            .contains(&"runs".to_owned())
    );
    taken_down(&docker, "runs").await;
    nothing_left(&engine, "runs");
}

async fn containers_of_a_committed_container_survive(engine: Engine) {
    let docker = connect(&engine).await;
    up_around(&docker, "commits", || {
        engine.docker(["commit", "shop-commits-app-1", "users-commit:1"]);
        engine.docker(["run", "-d", "--name", "users-copy", "users-commit:1"]);
        engine.docker(["commit", "shop-commits-app-1"]);
    })
    .await;
    let unnamed = || {
        engine.docker([
            "images",
            "-q",
            "--filter",
            "dangling=true",
            "--filter",
            "label=dev.berth.image-of=commits",
        ])
    };
    let committed = unnamed();
    assert_ne!(committed, "");
    taken_down(&docker, "commits").await;
    assert_eq!(engine.docker(["exec", "users-copy", "cat", "/page"]), "one");
    engine.docker(["image", "inspect", "users-commit:1"]);
    assert_eq!(unnamed(), committed, "an unnamed commit is the user's");
    engine.docker(["rm", "-f", "users-copy"]);
    engine.docker(["rmi", "users-commit:1"]);
    for id in committed.lines() {
        engine.docker(["rmi", id]);
    }
    nothing_left(&engine, "commits");
}

async fn images_made_of_a_built_one_and_further_names_survive(engine: Engine) {
    let docker = connect(&engine).await;
    let child = tempfile::tempdir().unwrap();
    std::fs::write(
        child.path().join("Dockerfile"),
        "FROM shop-children-app\nRUN echo child > /child\n",
    )
    .unwrap();
    let build = |name: &str| {
        let mut command = engine.docker_command();
        command.env("DOCKER_BUILDKIT", "0");
        command
            .args(["build", "--no-cache", "-t", name])
            .arg(child.path());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    up_around(&docker, "children", || {
        build("users-child:1");
        engine.docker(["tag", "shop-children-app", "users-name:1"]);
    })
    .await;
    build("users-child:2");
    engine.docker(["tag", "shop-children-app", "users-name:2"]);
    let removed = taken_down(&docker, "children").await;
    assert!(
        removed.contains(&"image shop-children-app:latest".to_owned()),
        "{removed:?}"
    );
    let names = engine.docker(["images", "--format", "{{.Repository}}:{{.Tag}}"]);
    for name in [
        "users-child:1",
        "users-child:2",
        "users-name:1",
        "users-name:2",
    ] {
        assert!(names.lines().any(|it| it == name), "{name}: {names}");
        let page = engine.docker(["run", "--rm", name, "cat", "/page"]);
        assert_eq!(page, if name.ends_with('1') { "one" } else { "two" });
    }
    assert!(!names.contains("shop-children-app"), "{names}");
    let known = docker.labelled().await.unwrap();
    assert!(!known.contains(&"children".to_owned()), "{known:?}");
    engine.docker([
        "rmi",
        "users-child:1",
        "users-child:2",
        "users-name:1",
        "users-name:2",
    ]);
}

async fn what_only_carries_the_label_survives(engine: Engine) {
    let docker = connect(&engine).await;
    let label = "dev.berth.environment=by-hand";
    up_around(&docker, "by-hand", || {
        engine.docker([
            "run",
            "-d",
            "--name",
            "users-box",
            "--label",
            label,
            "busybox",
            "sleep",
            "600",
        ]);
        engine.docker(["volume", "create", "--label", label, "users-data"]);
        engine.docker(["network", "create", "--label", label, "users-net"]);
    })
    .await;
    taken_down(&docker, "by-hand").await;
    assert_eq!(engine.docker(["exec", "users-box", "echo", "here"]), "here");
    engine.docker(["volume", "inspect", "users-data"]);
    engine.docker(["network", "inspect", "users-net"]);
    assert!(
        !docker
            .labelled()
            .await
            .unwrap()
            .contains(&"by-hand".to_owned())
    );
    engine.docker(["rm", "-f", "users-box"]);
    engine.docker(["volume", "rm", "users-data"]);
    engine.docker(["network", "rm", "users-net"]);
    nothing_left(&engine, "by-hand");
}

async fn the_image_of_a_build_that_was_cut_off_is_found(engine: Engine) {
    let docker = connect(&engine).await;
    up_around(&docker, "cut-off", || {}).await;
    // As the engine leaves it that was never asked for the result's name.
    engine.docker(["rm", "-f", "shop-cut-off-app-1"]);
    engine.docker(["tag", "busybox:latest", "shop-cut-off-app:latest"]);
    engine.docker(["network", "rm", "shop-cut-off_default"]);
    let known = docker.labelled().await.unwrap();
    assert!(known.contains(&"cut-off".to_owned()), "{known:?}");
    let removed = taken_down(&docker, "cut-off").await;
    assert!(!removed.is_empty());
    nothing_left(&engine, "cut-off");
    engine.docker(["rmi", "shop-cut-off-app:latest"]);
}
