//! The main job in the real window, and what a user meets on the way. Pictures of every page are kept among
//! the artifacts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use berth_core::view::{Environment, OperationState};
use berth_tests::window::{OPERATION_DEADLINE, by_id};
use berth_tests::{CommandLine, Engine, EngineKind, Window, http, programs};
use serde_json::json;
use tempfile::TempDir;

/// How long the page may take to show what another process did.
const LIVE: Duration = Duration::from_secs(10);

/// Everything a test of the window stands on.
struct Desk {
    engine: Engine,
    records: CommandLine,
    folders: TempDir,
}

impl Desk {
    fn new() -> Self {
        let engine = Engine::shared(EngineKind::Modern);
        let records = CommandLine::new(&engine.address());
        let folders = tempfile::tempdir().unwrap();
        Self {
            engine,
            records,
            folders,
        }
    }

    async fn window(&self) -> Window {
        Window::open(self.records.data(), &self.engine.address()).await
    }

    /// A copy of the example, so that nothing is written into the checkout.
    fn example(&self, name: &str) -> PathBuf {
        let folder = self.folders.path().join(name);
        copy_folder(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/hello"),
            &folder,
        );
        folder
    }

    /// A folder with nothing but this compose file.
    fn project(&self, name: &str, compose: &str) -> PathBuf {
        let folder = self.folders.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("compose.yaml"), compose).unwrap();
        folder
    }

    /// The one environment whose service has this name.
    async fn environment(&self, service: &str) -> Environment {
        let environments = self.records.environments().await;
        let found = environments
            .into_iter()
            .find(|environment| environment.service_name == service);
        found.unwrap_or_else(|| panic!("no environment of {service}"))
    }

    fn nothing_is_left_of(&self, environment: &Environment) {
        let left = self
            .engine
            .labelled(&format!("dev.berth.environment={}", environment.id));
        assert!(left.is_empty(), "{left:?}");
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The state of the environment whose details are shown.
fn detail_status(status: &str) -> String {
    format!("[data-testid='detail'] [data-testid='env-status'][data-status='{status}']")
}

/// Looks at a folder on the page of services.
async fn look_at(window: &Window, folder: &Path) {
    window.click("nav-services").await;
    window
        .types("add-folder-path", folder.to_str().unwrap())
        .await;
    window.click("add-folder-submit").await;
    window.sees("detected").await;
}

async fn tear_down(window: &Window) {
    window.click("tear-down").await;
    window.click("confirm").await;
    window
        .wait(OPERATION_DEADLINE, &detail_status("torn_down"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_becomes_a_preview_and_goes_again() {
    let desk = Desk::new();
    let folder = desk.example("harbour");
    let window = desk.window().await;

    // First start: the engine is found, the example offered.
    window.sees("start-example").await;
    window.shows(LIVE, &by_id("engine-card"), "28.5").await;
    window.pictures("first-start").await;

    // A typed path; what is found in it is shown.
    window.click("nav-services").await;
    window.pictures("services-empty").await;
    look_at(&window, &folder).await;
    let found = window.text("detected").await;
    for part in ["compose.yaml", "web", "db", "visits", "8080"] {
        assert!(found.contains(part), "{part} in {found}");
    }
    window.pictures("found").await;

    // Start; the steps appear as they happen.
    window.click("start").await;
    window.wait(LIVE, "[data-testid^='step-']").await;
    window.picture("starting").await;
    window
        .wait(OPERATION_DEADLINE, &detail_status("ready"))
        .await;
    let environment = desk.environment("harbour").await;
    let operation = environment.operation.as_ref().unwrap();
    for step in &operation.steps {
        let state = format!("[data-testid='step-{}'][data-state]", step.key);
        window.wait(LIVE, &state).await;
    }
    window.pictures("ready").await;

    // The URL that the window shows answers.
    let url = environment.addresses[0].url.clone();
    let without_scheme = url.trim_start_matches("http://").trim_end_matches('/');
    window.shows(LIVE, &by_id("detail"), without_scheme).await;
    let (status, body) = http::get(&url).unwrap();
    assert_eq!(status, 200, "{body}");

    // The request is in the log.
    window.click("tab-logs").await;
    window.shows(LIVE, &by_id("detail"), "url:/").await;
    window.pictures("logs").await;
    // A page that is loaded anew finds its place and follows again.
    window.reload().await;
    window.shows(LIVE, &by_id("detail"), "url:/").await;
    for tab in ["parts", "plan"] {
        window.click(&format!("tab-{tab}")).await;
        window.pictures(tab).await;
    }

    // Time left grows.
    let before = window.text("time-left").await;
    window.click("extend-menu").await;
    window.click("extend-4h").await;
    let deadline = Instant::now() + LIVE;
    let extended = loop {
        let extended = desk.environment("harbour").await.expires_at.unwrap();
        if extended > environment.expires_at.unwrap() {
            break extended;
        }
        assert!(Instant::now() < deadline, "its end stays where it was");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let gained = extended - environment.expires_at.unwrap();
    assert!(gained >= 2 * 3_600_000 - 60_000, "{gained} ms");
    while window.text("time-left").await == before {
        assert!(Instant::now() < deadline, "the page still says {before}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    // Gone, from the engine too, and on record.
    tear_down(&window).await;
    desk.nothing_is_left_of(&environment);
    window.pictures("torn-down").await;
    window.click("nav-activity").await;
    window.shows(LIVE, "main", "Tore down").await;
    let activity = window.shows(LIVE, "main", "Brought up").await;
    assert!(activity.contains("harbour"), "{activity}");
    window.pictures("activity").await;
    window.click("nav-settings").await;
    window
        .shows(LIVE, "main", desk.records.data().to_str().unwrap())
        .await;
    window.pictures("settings").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_starts_with_one_click() {
    let desk = Desk::new();
    let window = desk.window().await;
    window.click("start-example").await;
    window
        .wait(OPERATION_DEADLINE, &detail_status("ready"))
        .await;
    let environment = desk.environment("hello").await;
    assert_eq!(http::get(&environment.addresses[0].url).unwrap().0, 200);
    assert!(
        desk.records
            .data()
            .join("examples/hello/compose.yaml")
            .is_file()
    );
    tear_down(&window).await;
    desk.nothing_is_left_of(&environment);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_has_a_face_and_two_ways_out() {
    let desk = Desk::new();
    // Nothing listens on that port, so the image is refused at once.
    let broken = "services:\n  web:\n    image: 127.0.0.1:9/berth/absent:1\n    ports: [\"80\"]\n";
    let folder = desk.project("reef", broken);
    let window = desk.window().await;

    look_at(&window, &folder).await;
    window.click("start").await;
    window
        .wait(OPERATION_DEADLINE, &detail_status("failed"))
        .await;
    let title = window.text("problem-title").await;
    assert!(title.contains("127.0.0.1:9/berth/absent:1"), "{title}");
    assert!(!window.text("problem-hint").await.is_empty());
    window.pictures("failed").await;

    // Retry fails the same way, and is recorded as another attempt.
    window.click("retry").await;
    let deadline = Instant::now() + OPERATION_DEADLINE;
    let environment = loop {
        let core = desk.records.core().await;
        let environment = desk.environment("reef").await;
        let operations = core.environment(&environment.id).await.unwrap().operations;
        if operations.len() == 2 && operations[0].finished_at.is_some() {
            break environment;
        }
        assert!(Instant::now() < deadline, "no second attempt");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    window
        .wait(OPERATION_DEADLINE, &detail_status("failed"))
        .await;

    // Once the cause is gone, retry brings it up.
    let works = "services:\n  web:\n    image: busybox:1.36\n    command: [httpd, -f, -p, \"80\", -h, /etc]\n    init: true\n    ports: [\"80\"]\n";
    fs::write(folder.join("compose.yaml"), works).unwrap();
    window.click("retry").await;
    window
        .wait(OPERATION_DEADLINE, &detail_status("ready"))
        .await;
    tear_down(&window).await;
    desk.nothing_is_left_of(&environment);

    // What failed can be torn down as it is.
    let folder = desk.project("shoal", broken);
    look_at(&window, &folder).await;
    window.click("start").await;
    window
        .wait(OPERATION_DEADLINE, &detail_status("failed"))
        .await;
    tear_down(&window).await;
    desk.nothing_is_left_of(&desk.environment("shoal").await);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_command_line_does_is_seen_at_once() {
    let desk = Desk::new();
    let folder = desk.example("lighthouse");
    let window = desk.window().await;
    window.sees("start-example").await;

    let mut up = desk
        .records
        .command(["up", folder.to_str().unwrap()])
        .spawn()
        .unwrap();
    // While it runs: the row, its step, no reload.
    window
        .wait(OPERATION_DEADLINE, "[data-testid^='env-row-']")
        .await;
    let output = tokio::task::spawn_blocking(move || {
        let status = up.wait().unwrap();
        assert!(status.success(), "{status}");
    });
    output.await.unwrap();
    let environment = desk.environment("lighthouse").await;
    let row = by_id(&format!("env-row-{}", environment.name));
    window
        .wait(
            LIVE,
            &format!("{row} [data-testid='env-status'][data-status='ready']"),
        )
        .await;
    window.picture("from-the-command-line").await;

    desk.records.succeed(["down", &environment.name]);
    window
        .sees_gone(&format!("env-row-{}", environment.name))
        .await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_session_ends_what_is_half_done_is_taken_back() {
    let desk = Desk::new();
    let never = "services:\n  db:\n    image: busybox:1.36\n    command: [sleep, \"600\"]\n    init: true\n    healthcheck: { test: [CMD, \"false\"], interval: 1s, retries: 600 }\n  web:\n    image: busybox:1.36\n    command: [sleep, \"600\"]\n    depends_on: { db: { condition: service_healthy } }\n";
    let folder = desk.project("sandbank", never);
    let window = desk.window().await;
    look_at(&window, &folder).await;
    window.click("start").await;
    window.wait(LIVE, &detail_status("provisioning")).await;
    let environment = desk.environment("sandbank").await;
    let label = format!("dev.berth.environment={}", environment.id);
    let deadline = Instant::now() + OPERATION_DEADLINE;
    while desk.engine.labelled(&label).containers.is_empty() {
        assert!(Instant::now() < deadline, "no container is made");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    window.picture("waiting").await;

    window.end_as_the_session_does().await;
    desk.nothing_is_left_of(&environment);
    let operation = desk.environment("sandbank").await.operation.unwrap();
    assert_eq!(operation.state, OperationState::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_cannot_be_read_is_said() {
    let desk = Desk::new();
    fs::write(desk.records.data().join("berth.db"), "not a database").unwrap();
    let window = desk.window().await;
    window.sees("problem-title").await;
    window.pictures("store-problem").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_without_an_engine_is_told_what_to_do() {
    let desk = Desk::new();
    let absent = desk.folders.path().join("absent.sock");
    let window = Window::open(desk.records.data(), &format!("unix://{}", absent.display())).await;
    window
        .shows(LIVE, &by_id("engine-card"), absent.to_str().unwrap())
        .await;
    window.pictures("no-engine").await;
    window.close().await;
}

/// What a script in the page gets back from a command, or the words it is refused with.
async fn invoke(
    window: &Window,
    command: &str,
    arguments: serde_json::Value,
) -> Result<(), String> {
    let answer = window
        .script(&format!(
            "return window.__TAURI_INTERNALS__.invoke('{command}', {arguments})\
             .then(() => 'done', (reason) => 'refused: ' + JSON.stringify(reason))"
        ))
        .await;
    match answer.as_str().unwrap() {
        "done" => Ok(()),
        refused => Err(refused.to_owned()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_may_do_nothing_that_is_not_listed() {
    let desk = Desk::new();
    let window = desk.window().await;
    invoke(&window, "data_folder", json!({})).await.unwrap();
    for command in [
        "plugin:window|close",
        "plugin:webview|create_webview_window",
        "plugin:dialog|open",
        "plugin:path|resolve_directory",
        "plugin:event|emit",
    ] {
        let refusal = invoke(&window, command, json!({})).await.unwrap_err();
        assert!(refusal.contains("not allowed"), "{command}: {refusal}");
    }
    for url in [
        "https://example.com/",
        "file:///etc/passwd",
        "http://localhost@example.com/",
    ] {
        let refusal = invoke(&window, "open_url", json!({ "url": url }))
            .await
            .unwrap_err();
        assert!(refusal.contains("invalid_input"), "{url}: {refusal}");
    }
    // Neither code nor data from elsewhere.
    let evaluated = window
        .script(
            "try { return String(new Function('return 1')()) } catch (error) { return error.name }",
        )
        .await;
    assert_eq!(evaluated, json!("EvalError"));
    let url = format!("http://{}/", "127.0.0.1:9");
    let fetched = window
        .script(&format!(
            "return fetch('{url}').then(() => 'fetched', (error) => error.name)"
        ))
        .await;
    assert_eq!(fetched, json!("TypeError"));
    // A link elsewhere leads nowhere.
    window
        .script("location.href = 'https://example.com/'")
        .await;
    window.sees("nav-services").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_shows_the_window_that_is_open() {
    let desk = Desk::new();
    let window = desk.window().await;
    let mut second = Command::new(programs::berth_desktop())
        .env("BERTH_DATA_DIR", desk.records.data())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    let status = loop {
        if let Some(status) = second.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > deadline {
            second.kill().unwrap();
            second.wait().unwrap();
            panic!("the second start stays");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(status.success(), "{status}");
    assert!(window.has("nav-services").await);
    window.close().await;
}

#[test]
fn without_a_display_it_says_what_to_do() {
    let run = |arguments: &[&str], display: Option<&str>| {
        let mut command = Command::new(programs::berth_desktop());
        command
            .args(arguments)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY");
        if let Some(display) = display {
            command.env("DISPLAY", display);
        }
        command.output().unwrap()
    };
    for display in [None, Some(":4095")] {
        let output = run(&[], display);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("berth up FOLDER"), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    let version = run(&["--version"], None);
    assert!(version.status.success());
    assert!(
        String::from_utf8(version.stdout)
            .unwrap()
            .starts_with("berth-desktop ")
    );
}
