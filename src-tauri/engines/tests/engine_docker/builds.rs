//! Images built for an environment belong to it.

use std::path::Path;

use berth_compose::{Build, Project, Service};
use berth_engines::EngineError;
use berth_tests::Engine;

use crate::support::*;

on_both_engines!(
    a_build_runs_is_updated_and_goes_away,
    a_build_that_fails_shows_its_last_lines,
    platform_arguments_have_values,
    what_only_buildkit_understands_is_refused_before_anything_is_built,
    anonymous_volumes_outlive_an_update,
);

fn built(folder: &Path) -> Project {
    let service = Service {
        image: Some("team/app:1".to_owned()),
        build: Some(Build {
            context: folder.to_owned(),
            dockerfile: "Dockerfile".into(),
            args: indexmap::IndexMap::from([("WORD".to_owned(), Some("hi".to_owned()))]),
            ..Build::default()
        }),
        ports: vec![port(80)],
        command: None,
        ..shell("")
    };
    project([("app", service)])
}

const DOCKERFILE: &str = "FROM busybox:latest\nARG WORD\nCOPY page /www/index.html\nRUN echo $WORD > /www/word\nCMD [\"httpd\", \"-f\", \"-p\", \"80\", \"-h\", \"/www\"]\n";

async fn a_build_runs_is_updated_and_goes_away(engine: Engine) {
    let docker = connect(&engine).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Dockerfile"), DOCKERFILE).unwrap();
    std::fs::write(folder.path().join("page"), "one").unwrap();
    std::fs::write(folder.path().join(".dockerignore"), "*\n!page").unwrap();
    let project = built(folder.path());
    let ports = free_ports(&project);
    let (outcome, heard) = up(&docker, &project, &identity("built", "op1"), &ports).await;
    outcome.unwrap();
    heard.all_done();
    assert_eq!(heard.keys()[0], "build:app");
    let page = || {
        engine.docker([
            "exec",
            "shop-built-app-1",
            "cat",
            "/www/index.html",
            "/www/word",
        ])
    };
    assert_eq!(page(), "onehi");
    let image = || engine.docker(["images", "-q", "--no-trunc", "shop-built-app"]);
    let container = || engine.docker(["ps", "-q", "--filter", "name=shop-built-app-1"]);
    let (first_image, first_container) = (image(), container());

    // The same folder: the same image, the same container.
    up(&docker, &project, &identity("built", "op2"), &ports)
        .await
        .0
        .unwrap();
    assert_eq!(
        (image(), container()),
        (first_image.clone(), first_container.clone())
    );

    std::fs::write(folder.path().join("page"), "two").unwrap();
    let (outcome, heard) = up(&docker, &project, &identity("built", "op3"), &ports).await;
    outcome.unwrap();
    heard.all_done();
    assert!(heard.keys().contains(&"create:shop-built-app-1".to_owned()));
    assert_eq!(page(), "twohi");
    assert_ne!(container(), first_container);
    let operation = engine.docker([
        "images",
        "-q",
        "--no-trunc",
        "--filter",
        "label=dev.berth.image-operation=op3",
    ]);
    assert_eq!(operation, image());
    let all = engine.docker(["images", "-q", "--filter", "label=dev.berth.image-of=built"]);
    assert_eq!(all.lines().count(), 1, "the earlier build is gone");
    down(&engine, &docker, "built").await;
}

async fn a_build_that_fails_shows_its_last_lines(engine: Engine) {
    let docker = connect(&engine).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("Dockerfile"),
        "FROM busybox:latest\nRUN echo looking; echo no such thing; exit 9\n",
    )
    .unwrap();
    let project = built(folder.path());
    let (outcome, _) = up(
        &docker,
        &project,
        &identity("broken", "op1"),
        &free_ports(&project),
    )
    .await;
    match outcome.unwrap_err() {
        EngineError::Build {
            service,
            message,
            lines,
        } => {
            assert_eq!(service, "app");
            assert!(message.contains('9'), "{message}");
            assert!(
                lines.0.iter().any(|line| line == "no such thing"),
                "{lines:?}"
            );
        }
        other => panic!("{other:?}"),
    }
    down(&engine, &docker, "broken").await;
}

async fn platform_arguments_have_values(engine: Engine) {
    let docker = connect(&engine).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("Dockerfile"),
        "ARG BUILDPLATFORM\nFROM --platform=$BUILDPLATFORM busybox:latest\nARG TARGETOS TARGETARCH\nRUN echo $TARGETOS/$TARGETARCH > /platform\nCMD [\"sleep\", \"600\"]\n",
    )
    .unwrap();
    let mut project = built(folder.path());
    project.services["app"].ports.clear();
    let ports = free_ports(&project);
    up(&docker, &project, &identity("platform", "op1"), &ports)
        .await
        .0
        .unwrap();
    let told = engine.docker(["exec", "shop-platform-app-1", "cat", "/platform"]);
    assert_eq!(told, docker.info().platform);
    down(&engine, &docker, "platform").await;
}

async fn what_only_buildkit_understands_is_refused_before_anything_is_built(engine: Engine) {
    let docker = connect(&engine).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Dockerfile");
    let text = "FROM busybox:latest\nRUN <<E\necho one > /one\nE\nCOPY --chmod=600 Dockerfile /\n";
    std::fs::write(&file, text).unwrap();
    let mut project = built(folder.path());
    let ports = free_ports(&project);
    let refused = async |project: &Project| {
        let (outcome, heard) = up(&docker, project, &identity("kit", "op1"), &ports).await;
        let states = heard.states();
        assert_eq!(states[0].1, berth_engines::StepState::Failed, "{states:?}");
        match outcome.unwrap_err() {
            EngineError::Refused(faults) => faults,
            other => panic!("{other:?}"),
        }
    };
    let faults = refused(&project).await;
    let found: Vec<_> = faults
        .iter()
        .map(|it| (it.rule, it.file.as_deref(), it.line, it.key.as_str()))
        .collect();
    let rule = berth_compose::Rule::Unsupported;
    assert_eq!(
        found,
        [
            (rule, Some(&*file), Some(2), "RUN <<E"),
            (rule, Some(&*file), Some(5), "COPY --chmod")
        ]
    );
    let build = project.services["app"].build.as_mut().unwrap();
    build.dockerfile_inline =
        Some("FROM busybox:latest\nRUN --mount=type=tmpfs,target=/t true\n".to_owned());
    let faults = refused(&project).await;
    assert_eq!(
        (faults[0].file.as_deref(), &*faults[0].key),
        (None, "RUN --mount")
    );
    assert!(
        faults[0]
            .message
            .contains("line 2 of `build.dockerfile_inline` of app"),
        "{}",
        faults[0].message
    );
    nothing_left(&engine, "kit");
}

async fn anonymous_volumes_outlive_an_update(engine: Engine) {
    let docker = connect(&engine).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("Dockerfile"),
        "FROM busybox:latest\nVOLUME /var/lib/db\nCMD [\"sleep\", \"600\"]\n",
    )
    .unwrap();
    let mut project = built(folder.path());
    let app = &mut project.services["app"];
    app.ports.clear();
    app.mounts = vec![volume(None, "/cache")];
    let ports = free_ports(&project);
    up(&docker, &project, &identity("anon", "op1"), &ports)
        .await
        .0
        .unwrap();
    let sh = |script: &str| engine.docker(["exec", "shop-anon-app-1", "sh", "-c", script]);
    sh("echo kept > /var/lib/db/a; echo kept > /cache/a");
    project.services["app"].hostname = Some("other".to_owned());
    up(&docker, &project, &identity("anon", "op2"), &ports)
        .await
        .0
        .unwrap();
    assert_eq!(
        sh("hostname; cat /var/lib/db/a /cache/a"),
        "other\nkept\nkept"
    );
    let volumes = engine.docker([
        "inspect",
        "-f",
        "{{range .Mounts}}{{.Name}} {{end}}",
        "shop-anon-app-1",
    ]);
    down(&engine, &docker, "anon").await;
    let left = engine.docker(["volume", "ls", "-q"]);
    for volume in volumes.split_whitespace() {
        assert!(!left.lines().any(|it| it == volume), "{volume} is left");
    }
}
