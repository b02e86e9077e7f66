//! What goes wrong has a face: a cause, a place where there is one, what to do next, an exit code, and
//! nothing left behind.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::fs;
use std::process::Output;

use berth_tests::{CommandLine, Engine, EngineKind};
use tempfile::TempDir;

struct Bench {
    engine: Engine,
    berth: CommandLine,
}

impl Bench {
    fn new() -> Self {
        let engine = Engine::start(EngineKind::Modern);
        let berth = CommandLine::new(&engine.address());
        Self { engine, berth }
    }

    fn up(&self, compose: &str) -> (TempDir, Output) {
        let folder = tempfile::Builder::new()
            .prefix("failing-")
            .tempdir()
            .unwrap();
        fs::write(folder.path().join("compose.yaml"), compose).unwrap();
        let output = self.berth.run(["up", folder.path().to_str().unwrap()]);
        (folder, output)
    }

    /// Fails with an exit code, saying every one of `words`, and leaves nothing on the engine.
    fn fails(&self, compose: &str, code: i32, words: &[&str]) {
        let before = self.engine.contents();
        let (_folder, output) = self.up(compose);
        assert_says(&output, code, words);
        assert_eq!(self.engine.contents(), before, "{compose}");
    }
}

fn assert_says(output: &Output, code: i32, words: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    for word in words {
        assert!(said.contains(word), "{word:?} is missing from:\n{said}");
    }
}

#[test]
fn files_that_are_wrong_are_named_with_their_lines() {
    let bench = Bench::new();
    bench.fails(
        "services:\n  web:\n    image: busybox:1.36\n    credential_spec:\n      file: x\n",
        2,
        &["compose.yaml:4", "credential_spec"],
    );
    bench.fails(
        "services:\n  web:\n    image: \"busybox\n",
        2,
        &["compose.yaml:"],
    );
    bench.fails(
        "services:\n  a:\n    image: busybox:1.36\n    depends_on: [b]\n  b:\n    image: busybox:1.36\n    depends_on: [a]\n",
        2,
        &["compose.yaml:", "a", "b"],
    );
    bench.fails(
        "services:\n  web:\n    image: busybox:1.36\n    env_file: missing.env\n",
        2,
        &["compose.yaml:4", "missing.env"],
    );
    bench.fails(
        "services:\n  web:\n    image: busybox:1.36\n    imagee: x\n",
        2,
        &["compose.yaml:4", "imagee", "image"],
    );
}

#[test]
fn a_project_without_active_services_is_not_ready() {
    let bench = Bench::new();
    bench.fails("services: {}\n", 2, &["No service is active"]);
    bench.fails(
        "services:\n  web:\n    image: busybox:1.36\n    profiles: [debug]\n",
        2,
        &["No service is active", "COMPOSE_PROFILES"],
    );
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let environments = runtime.block_on(bench.berth.environments());
    assert!(
        environments.iter().all(|it| it.torn_down_at.is_some()),
        "a project that cannot be read leaves no environment: {environments:#?}"
    );
}

#[test]
fn a_compose_file_without_end_is_refused() {
    let berth = CommandLine::new("unix:///nonexistent/docker.sock");
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("compose.yaml")).unwrap();
    let output = berth.run(["up", folder.path().to_str().unwrap()]);
    assert!(!output.status.success());
}

#[test]
fn an_image_that_cannot_be_had_is_named() {
    let bench = Bench::new();
    bench.fails(
        "services:\n  web:\n    image: 127.0.0.1:9/nothing/here:1\n",
        1,
        &["127.0.0.1:9/nothing/here:1"],
    );
}

#[test]
fn a_container_that_ends_shows_its_code_and_last_lines() {
    let bench = Bench::new();
    let (folder, output) = bench.up(
        "services:\n  web:\n    image: busybox:1.36\n    command: [sh, -c, 'echo the store is closed; exit 7']\n    ports: ['80']\n",
    );
    assert_says(&output, 1, &["web", "7", "the store is closed"]);

    // Retry and tear down both work from here.
    fs::write(
        folder.path().join("compose.yaml"),
        "services:\n  web:\n    image: busybox:1.36\n    command: [sleep, '100']\n    init: true\n",
    )
    .unwrap();
    let name = name_of(&bench.berth);
    bench.berth.succeed(["retry", &name]);
    bench.berth.succeed(["down", &name]);
    assert!(bench.engine.labelled("dev.berth.environment").is_empty());
}

#[test]
fn a_dependency_that_ends_stops_the_wait() {
    let bench = Bench::new();
    let (_folder, output) = bench.up(
        "services:\n  web:\n    image: busybox:1.36\n    command: [sleep, '100']\n    depends_on:\n      db: {condition: service_healthy}\n  db:\n    image: busybox:1.36\n    command: [sh, -c, 'echo no space for pages; exit 3']\n    healthcheck: {test: [CMD, 'true'], interval: 60s}\n",
    );
    assert_says(&output, 1, &["db", "3", "no space for pages"]);
    bench.berth.succeed(["down", "--all"]);
}

#[test]
fn health_that_never_comes_shows_the_last_probe() {
    let bench = Bench::new();
    let (_folder, output) = bench.up(
        "services:\n  db:\n    image: busybox:1.36\n    command: [sleep, '100']\n    init: true\n    healthcheck: {test: 'echo still replaying the log; exit 1', interval: 1s, retries: 2}\n",
    );
    assert_says(&output, 1, &["db", "healthy", "still replaying the log"]);
    bench.berth.succeed(["down", "--all"]);
}

#[test]
fn a_build_that_fails_shows_its_last_lines() {
    let bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("Dockerfile"),
        "FROM busybox:1.36\nRUN echo the compiler is tired && exit 9\n",
    )
    .unwrap();
    let output = bench.berth.run(["up", folder.path().to_str().unwrap()]);
    assert_says(&output, 1, &["the compiler is tired"]);
    bench.berth.succeed(["down", "--all"]);
    assert!(bench.engine.labelled("dev.berth.environment").is_empty());
}

#[test]
fn an_engine_that_is_not_there_is_exit_code_3() {
    let berth = CommandLine::new("unix:///nonexistent/docker.sock");
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("compose.yaml"),
        "services:\n  web:\n    image: busybox:1.36\n",
    )
    .unwrap();
    let output = berth.run(["up", folder.path().to_str().unwrap()]);
    assert_says(&output, 3, &["/nonexistent/docker.sock", "DOCKER_HOST"]);
}

#[test]
fn an_engine_that_stops_in_the_middle_is_named_and_retry_works() {
    let mut bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("compose.yaml"),
        "services:\n  web:\n    image: busybox:1.36\n    command: [sleep, '100']\n    init: true\n    depends_on:\n      db: {condition: service_healthy}\n  db:\n    image: busybox:1.36\n    command: [sleep, '100']\n    init: true\n    healthcheck: {test: [CMD, 'false'], interval: 1s, retries: 60}\n",
    )
    .unwrap();
    let child = bench
        .berth
        .command(["up", folder.path().to_str().unwrap()])
        .spawn()
        .unwrap();
    wait_for_container(&bench.engine, "com.docker.compose.service=db");
    bench.engine.kill();
    let output = child.wait_with_output().unwrap();
    assert_says(&output, 3, &["engine"]);

    bench.engine.start_again();
    fs::write(
        folder.path().join("compose.yaml"),
        "services:\n  web:\n    image: busybox:1.36\n    command: [sleep, '100']\n    init: true\n",
    )
    .unwrap();
    let name = name_of(&bench.berth);
    bench.berth.succeed(["retry", &name]);
    bench.berth.succeed(["down", &name]);
    assert!(bench.engine.labelled("dev.berth.environment").is_empty());
}

fn name_of(berth: &CommandLine) -> String {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let environments = runtime.block_on(berth.environments());
    environments[0].name.clone()
}

/// Returns once a running container with the label is there; the engine's events say so.
fn wait_for_container(engine: &Engine, label: &str) {
    use std::io::BufRead as _;
    let mut events = engine
        .docker_command()
        .args([
            "events",
            "--since",
            "2m",
            "--filter",
            "event=start",
            "--filter",
        ])
        .arg(format!("label={label}"))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufReader::new(events.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(!line.is_empty(), "the engine told of no start");
    events.kill().unwrap();
    events.wait().unwrap();
}
