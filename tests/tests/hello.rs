//! The example comes up, answers, is understood by Docker Compose, and goes without a trace.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::path::Path;

use berth_tests::{CommandLine, Engine, EngineKind, http};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/hello");

fn comes_up_and_goes(kind: EngineKind) {
    let engine = Engine::start(kind);
    let before = engine.contents();
    let berth = CommandLine::new(&engine.address());

    let output = berth.succeed(["up", EXAMPLE]);
    let url = output.lines().last().unwrap_or_default();
    let (status, page) = http::get(url).unwrap();
    assert_eq!(status, 200, "{page}");
    // The page is made by asking the other service by its name.
    assert!(page.contains("visit") || page.contains("Visit"), "{page}");

    let project = project_of(&engine);
    let listed = engine.compose(Path::new("/"), ["ls", "--all", "--format", "json"]);
    assert!(listed.contains(&project), "{listed}");
    let parts = engine.compose(
        Path::new("/"),
        ["-p", &project, "ps", "--format", "{{.Service}} {{.State}}"],
    );
    let mut parts: Vec<&str> = parts.lines().collect();
    parts.sort_unstable();
    assert_eq!(parts, ["db running", "web running"]);
    let logs = engine.compose(Path::new("/"), ["-p", &project, "logs", "web"]);
    assert!(logs.contains("web"), "{logs}");

    berth.succeed(["down", "hello"]);
    assert_eq!(engine.contents(), before);
    assert!(http::get(url).is_err());
}

fn project_of(engine: &Engine) -> String {
    engine.docker([
        "ps",
        "--filter",
        "label=com.docker.compose.service=web",
        "--format",
        "{{.Label \"com.docker.compose.project\"}}",
    ])
}

#[test]
fn on_docker_20_10() {
    comes_up_and_goes(EngineKind::Old);
}

#[test]
fn on_docker_28_5() {
    comes_up_and_goes(EngineKind::Modern);
}

#[test]
fn docker_compose_stops_what_berth_started_and_berth_notices() {
    let engine = Engine::start(EngineKind::Modern);
    let before = engine.contents();
    let berth = CommandLine::new(&engine.address());
    berth.succeed(["up", EXAMPLE]);
    let project = project_of(&engine);
    engine.compose(Path::new("/"), ["-p", &project, "down", "--volumes"]);
    assert_eq!(engine.contents(), before);

    let status = berth.succeed(["status", "hello", "--json"]);
    assert!(!status.contains("\"running\""), "{status}");
    // Absent is success.
    berth.succeed(["down", "hello"]);
    assert_eq!(engine.contents(), before);
}

#[test]
fn a_second_up_keeps_what_is_there() {
    let engine = Engine::shared(EngineKind::Modern);
    let berth = CommandLine::new(&engine.address());
    let first = berth.succeed(["up", EXAMPLE]);
    let containers = || {
        engine.docker([
            "ps",
            "-q",
            "--no-trunc",
            "--filter",
            "label=dev.berth.environment",
        ])
    };
    let before = containers();
    let again = berth.succeed(["up", EXAMPLE]);
    assert_eq!(
        first.lines().last(),
        again.lines().last(),
        "the URL survives"
    );
    assert_eq!(containers(), before, "no container was made again");
    berth.succeed(["down", "--all"]);
}
