//! Who handles what, in the real window: whose choice is in effect, what Start makes of it, and what becomes of
//! secrets that are typed there. Pictures of every stage are kept among the artifacts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use berth_contracts::ProvisionType;
use berth_contracts::documents::HandlerConfig;
use berth_core::testing::handler_secret;
use berth_core::view::{
    Environment, HandlerKey, HandlerRow, HandlerScope, Origin, SecretStoreKind, Service,
};
use berth_tests::forms::{know_forms, no_complaints, write_field};
use berth_tests::window::{OPERATION_DEADLINE, PAGE_DEADLINE, by_id};
use berth_tests::{CommandLine, Engine, EngineKind, Window, http};
use secrecy::ExposeSecret;
use serde_json::json;
use tempfile::TempDir;

/// How long the page may take to show what another process did, or what an engine answers.
const LIVE: Duration = Duration::from_secs(20);

const ESCAPE: &str = "\u{e00c}";

const HANDLER: &str = "infraHandlerConfigSchema";

/// A web server, from an image that every engine has.
const COMPOSE: &str = "services:\n  web:\n    image: busybox:1.36\n    command: [httpd, -f, -p, \"80\", -h, /etc]\n    init: true\n    ports: [\"80\"]\n";

/// Two engines: the one that `docker` uses, and another to be named.
struct Desk {
    /// The one that `DOCKER_HOST` names.
    usual: Engine,
    other: Engine,
    records: CommandLine,
    folders: TempDir,
}

impl Desk {
    fn new() -> Self {
        let usual = Engine::shared(EngineKind::Modern);
        let records = CommandLine::new(&usual.address());
        Self {
            usual,
            other: Engine::shared(EngineKind::Old),
            records,
            folders: tempfile::tempdir().unwrap(),
        }
    }

    async fn window(&self) -> Window {
        let window = Window::open(self.records.data(), &self.usual.address()).await;
        window.resize(1600, 1000).await;
        know_forms(&window).await;
        window
    }

    /// A folder with a compose file.
    fn project(&self, name: &str) -> PathBuf {
        let folder = self.folders.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("compose.yaml"), COMPOSE).unwrap();
        folder
    }

    /// The one live environment whose service has this name.
    async fn environment(&self, service: &str) -> Environment {
        let environments = self.records.environments().await;
        let mut found = environments.into_iter().filter(|environment| {
            environment.service_name == service && environment.torn_down_at.is_none()
        });
        let environment = found.next();
        assert!(found.next().is_none(), "several environments of {service}");
        environment.unwrap_or_else(|| panic!("no environment of {service}"))
    }

    async fn service(&self, name: &str) -> Service {
        let snapshot = self.records.core().await.snapshot().await.unwrap();
        let mut services = snapshot.services.into_iter();
        services.find(|service| service.name == name).unwrap()
    }

    /// The row of the handlers on record that compose files are served by.
    async fn compose_row(&self) -> HandlerRow {
        let handlers = self.records.core().await.handlers("").await.unwrap();
        let mut rows = handlers.rows.into_iter();
        rows.find(|row| row.key == compose()).unwrap()
    }

    /// The API token of a workspace's handler, as it stands in the encrypted file.
    async fn kept_secret(&self, key: &HandlerKey) -> String {
        let core = self.records.core().await;
        let store = core.unlock_vault(PASSPHRASE.into()).await.unwrap();
        assert_eq!(store.kind, SecretStoreKind::Vault);
        let kept = handler_secret(&core, key, "API_TOKEN").await.unwrap();
        kept.unwrap().expose_secret().to_owned()
    }

    /// Its containers are on this engine, and on no other.
    fn runs_on(&self, environment: &Environment, engine: &Engine) {
        for each in [&self.usual, &self.other] {
            let containers = each.labelled(&label(environment)).containers;
            let here = each.socket() == engine.socket();
            assert_eq!(
                containers.is_empty(),
                !here,
                "{:?}: {containers:?}",
                each.kind()
            );
        }
    }

    fn nothing_is_left_of(&self, environment: &Environment) {
        for engine in [&self.usual, &self.other] {
            let left = engine.labelled(&label(environment));
            assert!(left.is_empty(), "{:?}: {left:?}", engine.kind());
        }
    }
}

fn label(environment: &Environment) -> String {
    format!("dev.berth.environment={}", environment.id)
}

/// What compose files are served under.
fn compose() -> HandlerKey {
    HandlerKey {
        provision_type: ProvisionType::DockerCompose,
        manifest_id: None,
    }
}

/// CSS of something in the row of compose files.
fn in_row(id: &str) -> String {
    format!(
        "[data-testid='handler-row'][data-key^='docker-compose'] {}",
        by_id(id)
    )
}

/// The state of the environment whose details are shown.
fn detail_status(status: &str) -> String {
    format!("[data-testid='detail'] [data-testid='env-status'][data-status='{status}']")
}

/// Adds the service of a folder, without starting it.
async fn add(window: &Window, folder: &Path) {
    window.click("nav-services").await;
    window
        .types("add-folder-path", folder.to_str().unwrap())
        .await;
    window.click("add-folder-submit").await;
    window.click("add-only").await;
    let name = folder.file_name().unwrap().to_str().unwrap();
    window.sees(&format!("service-{name}")).await;
}

/// Opens the question about a start of a service, at which the handler is said.
async fn ask_to_start(window: &Window, service: &str) {
    window.click("nav-services").await;
    window.click(&format!("start-{service}")).await;
    window
        .wait(
            LIVE,
            "[data-testid='start-dialog'] [data-testid='service-handler'][data-choice]",
        )
        .await;
}

async fn start(window: &Window, service: &str) {
    ask_to_start(window, service).await;
    window.click("start-submit").await;
    window
        .wait(OPERATION_DEADLINE, &detail_status("ready"))
        .await;
}

async fn tear_down(window: &Window) {
    window.click("tear-down").await;
    window.click("confirm").await;
    window
        .wait(OPERATION_DEADLINE, &detail_status("torn_down"))
        .await;
}

/// Opens the environment's details.
async fn open(window: &Window, environment: &Environment) {
    window
        .script(&format!(
            "location.hash = '#/environments/{}'",
            environment.id
        ))
        .await;
    window.sees("made-with").await;
}

/// Writes the engine's address into the open handler.
async fn write_endpoint(window: &Window, address: &str) {
    let document = json!({
        "engine": "local-docker",
        "manifest": {
            "providerId": "compose",
            "label": "",
            "baseUrl": "http://localhost",
            "auth": { "type": "none" },
            "provision": { "method": "POST", "pathTemplate": "" },
            "response": {},
            "providerConfig": { "endpoint": address },
        },
    });
    write_field(window, HANDLER, &document, "Docker engine").await;
}

/// Runs the connection test of the open handler to an end.
async fn test_connection(window: &Window, end: &str) -> String {
    window.click("test-handler").await;
    let shown = format!("[data-testid='connection-test'][data-state='{end}']");
    window.wait(OPERATION_DEADLINE, &shown).await;
    window.text("connection-test").await
}

/// Saves the open handler.
async fn save(window: &Window) {
    window.click("save-handler").await;
    let saved = "[data-testid='handler-state'][data-dirty='false']";
    window.wait(PAGE_DEADLINE, saved).await;
}

/// Closes the dialog as a user does who has seen enough.
async fn leave_dialog(window: &Window) {
    window.press(ESCAPE).await;
    window.is_gone("[role='dialog']").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_override_is_in_effect_while_it_is_on() {
    let desk = Desk::new();
    let (usual, other) = (desk.usual.address(), desk.other.address());
    let (ferry, tide) = (desk.project("ferry"), desk.project("tide"));
    let window = desk.window().await;
    add(&window, &ferry).await;
    add(&window, &tide).await;

    // The workspace's handler serves everyone.
    window.click("nav-handlers").await;
    window
        .shows(LIVE, &in_row("in-effect"), "workspace handler")
        .await;
    assert!(window.text("no-override").await.contains("none"));
    window.pictures("handlers-workspace").await;

    // A copy of it, with one field changed.
    window.click("make-override").await;
    window.picture("handlers-make-override").await;
    window.click("do-copy").await;
    window.sees("schema-form").await;
    window.pictures("handlers-copied").await;
    let copied = desk.compose_row().await;
    assert_eq!(copied.own.unwrap().differences, Some(0));

    // A socket that is not there is said before anything is saved.
    write_endpoint(&window, "unix:///nonexistent/berth.sock").await;
    let said = test_connection(&window, "failed").await;
    assert!(said.contains("/nonexistent/berth.sock"), "{said}");
    window
        .wait(LIVE, "[data-testid='check-socket'][data-state='failed']")
        .await;
    assert!(!window.text("check-hint").await.is_empty());
    for after in ["reachable", "permission", "api", "storage"] {
        let skipped = format!("[data-testid='check-{after}'][data-state='skipped']");
        window.wait(LIVE, &skipped).await;
    }
    window.pictures("handlers-test-failed").await;

    write_endpoint(&window, &other).await;
    let said = test_connection(&window, "passed").await;
    assert!(said.contains("20.10"), "{said}");
    assert!(said.contains(&other), "{said}");
    window.pictures("handlers-test-passed").await;
    let unsaved = desk.compose_row().await.own.unwrap();
    assert_eq!(unsaved.handler.address, None, "a test stores nothing");

    save(&window).await;
    let row = desk.compose_row().await;
    let own = row.own.unwrap();
    assert_eq!(own.handler.address.as_deref(), Some(&*other));
    let compared = desk.records.core().await.compare_override(&compose()).await;
    let compared = compared.unwrap();
    let differ = compared
        .iter()
        .filter(|field| field.origin != Origin::Workspace)
        .map(|field| (&*field.pointer, field.origin, field.workspace.clone()));
    let endpoint = "/manifest/providerConfig/endpoint";
    assert_eq!(differ.collect::<Vec<_>>(), [(endpoint, Origin::Own, None)]);
    assert_eq!((own.enabled, own.differences), (true, Some(1)));
    let HandlerConfig::LocalDocker(docker) = &row.workspace.unwrap().config else {
        panic!("the workspace's handler is another now");
    };
    let settings = docker.manifest.provider_config.clone();
    assert_eq!(json!(settings), json!({}), "the workspace's stays as it is");

    // Field by field beside the workspace's.
    window.click("compare").await;
    window.shows(LIVE, &by_id("compared-field"), &other).await;
    window.pictures("handlers-compared").await;
    leave_dialog(&window).await;

    // It is in effect now.
    window.click("back-to-handlers").await;
    window
        .shows(LIVE, &in_row("in-effect"), "your override is on")
        .await;
    window
        .shows(LIVE, &in_row("compare"), "differs in 1 field")
        .await;
    window.pictures("handlers-override-on").await;

    // Start says so beforehand, and uses it.
    ask_to_start(&window, "ferry").await;
    window
        .shows(
            LIVE,
            "[data-testid='start-dialog'] [data-testid='service-handler']",
            "your override",
        )
        .await;
    window.pictures("handlers-start-with-override").await;
    window.click("start-submit").await;
    window
        .wait(OPERATION_DEADLINE, &detail_status("ready"))
        .await;
    let on_other = desk.environment("ferry").await;
    desk.runs_on(&on_other, &desk.other);
    let made_with = on_other.made_with.clone().unwrap();
    assert!(
        matches!(made_with.scope, HandlerScope::User { .. }),
        "{made_with:?}"
    );
    assert_eq!(http::get(&on_other.addresses[0].url).unwrap().0, 404);
    window
        .shows(LIVE, &by_id("made-with"), "your override")
        .await;
    window.pictures("handlers-made-with-override").await;

    // Why, one click from the environment.
    window.click("why-environment").await;
    window.sees("why-outcome").await;
    let looked_at = |verdict: &str| format!("[data-testid='looked-at'][data-verdict='{verdict}']");
    window
        .shows(LIVE, &looked_at("chosen"), "your override")
        .await;
    window
        .shows(LIVE, &looked_at("overridden"), "workspace handler")
        .await;
    window.pictures("handlers-why-override").await;
    leave_dialog(&window).await;

    // Off, without being lost. What still uses it is named.
    window.click("nav-handlers").await;
    window.click_css(&in_row("override-switch")).await;
    let still = window.shows(LIVE, &by_id("toast"), &on_other.name).await;
    assert!(still.contains("still uses"), "{still}");
    window
        .shows(LIVE, &in_row("in-effect"), "your override is off")
        .await;
    window
        .shows(LIVE, &in_row("made-with-another"), &on_other.name)
        .await;
    window.shows(LIVE, &in_row("override"), "kept, off").await;
    window.pictures("handlers-override-off").await;
    let own = desk.compose_row().await.own.unwrap();
    assert_eq!(own.handler.address.as_deref(), Some(&*other));
    assert!(!own.enabled);

    // The next start uses the workspace's; what runs stays as it is.
    start(&window, "tide").await;
    let on_usual = desk.environment("tide").await;
    desk.runs_on(&on_usual, &desk.usual);
    desk.runs_on(&on_other, &desk.other);
    let made_with = on_usual.made_with.clone().unwrap();
    assert_eq!(made_with.scope, HandlerScope::Workspace);
    window
        .shows(LIVE, &by_id("made-with"), "workspace handler")
        .await;
    assert!(!window.has("another-in-effect").await);
    window.pictures("handlers-made-with-workspace").await;
    tear_down(&window).await;
    desk.nothing_is_left_of(&on_usual);

    // What was made with the override is not started elsewhere beside itself.
    ask_to_start(&window, "ferry").await;
    window.click("start-submit").await;
    let refusal = window
        .shows(LIVE, &by_id("start-dialog"), "another engine")
        .await;
    assert!(
        refusal.contains(&other) && refusal.contains(&usual),
        "{refusal}"
    );
    window.pictures("handlers-made-elsewhere").await;
    leave_dialog(&window).await;

    // It is torn down where it is, though its handler is off, and starts with the workspace's then.
    open(&window, &on_other).await;
    window.sees("another-in-effect").await;
    window.pictures("handlers-another-in-effect").await;
    tear_down(&window).await;
    desk.nothing_is_left_of(&on_other);
    start(&window, "ferry").await;
    let again = desk.environment("ferry").await;
    desk.runs_on(&again, &desk.usual);
    assert_eq!(
        again.made_with.as_ref().unwrap().scope,
        HandlerScope::Workspace
    );
    tear_down(&window).await;
    desk.nothing_is_left_of(&again);
    no_complaints(&window).await;
    window.close().await;
}

/// The value that is typed, and is to be found nowhere but in the encrypted file.
const VALUE: &str = "harbour-lantern-31415926";
const SECOND_VALUE: &str = "harbour-lantern-27182818";
const PASSPHRASE: &str = "seven grey herons";

/// Types a secret's value where the open handler names it.
async fn type_secret(window: &Window, value: &str) {
    window.click("secret-enter").await;
    window
        .types_css("[data-testid='secret-state'] input[type='password']", value)
        .await;
    window.click("secret-save").await;
    window.sees("secrets-later").await;
}

/// The files of the data folder in which a text stands.
fn files_with(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if path.is_file() {
            let content = fs::read(&path).unwrap();
            if content.windows(text.len()).any(|at| at == text.as_bytes()) {
                found.push(path);
            }
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_typed_once_and_kept_in_an_encrypted_file() {
    let desk = Desk::new();
    let window = desk.window().await;

    // By choice, and with a passphrase, a file instead of the keychain.
    window.click("nav-settings").await;
    window
        .wait(
            LIVE,
            "[data-testid='secret-store-state'][data-kind='keychain']",
        )
        .await;
    window.click("use-vault").await;
    window.types("new-passphrase", "short").await;
    window.types("repeat-passphrase", "other").await;
    window.click("use-vault-submit").await;
    window
        .wait(LIVE, "[data-testid='new-passphrase'][aria-invalid='true']")
        .await;
    window.pictures("handlers-vault-question").await;
    window.types("new-passphrase", PASSPHRASE).await;
    window.types("repeat-passphrase", PASSPHRASE).await;
    window.click("use-vault-submit").await;
    let ready = "[data-testid='secret-store-state'][data-kind='vault'][data-state='ready']";
    window.wait(LIVE, ready).await;
    window.pictures("handlers-vault-ready").await;

    // A handler with a secret is saved with its value only.
    window.click("nav-handlers").await;
    window.click("add-handler").await;
    window.sees("new-handler").await;
    window.pictures("handlers-new").await;
    window.click("starter-2").await;
    window.sees("missing-secrets").await;
    window.click("save-handler").await;
    window
        .wait(LIVE, "[data-testid='missing-secrets'][role='alert']")
        .await;
    window.pictures("handlers-secret-missing").await;
    type_secret(&window, VALUE).await;
    window.sees_gone("missing-secrets").await;
    window.pictures("handlers-secret-typed").await;
    save(&window).await;
    window
        .wait(LIVE, "[data-testid='secret-state'][data-set='true']")
        .await;

    // The page has its name and when it was set.
    window.click("back-to-handlers").await;
    let row = "[data-testid='handler-row'][data-key^='custom']";
    window.shows(LIVE, row, "API_TOKEN").await;
    window.pictures("handlers-secret-set").await;
    let page = window
        .script("return document.documentElement.outerHTML")
        .await;
    assert!(!page.as_str().unwrap().contains(VALUE));
    let key = HandlerKey {
        provision_type: ProvisionType::Custom,
        manifest_id: Some("acme-preview".to_owned()),
    };
    assert_eq!(desk.kept_secret(&key).await, VALUE);
    assert_eq!(
        files_with(desk.records.data(), VALUE),
        Vec::<PathBuf>::new()
    );
    no_complaints(&window).await;
    window.end_as_the_session_does().await;

    // After the next start it is locked until the passphrase is typed.
    let window = desk.window().await;
    window
        .script("location.hash = '#/handlers/workspace/custom/acme-preview'")
        .await;
    window.sees("schema-form").await;
    type_secret(&window, SECOND_VALUE).await;
    window.click("save-handler").await;
    let refused = window.shows(LIVE, &by_id("toast"), "locked").await;
    assert!(refused.contains("encrypted file"), "{refused}");
    window.pictures("handlers-vault-locked").await;
    assert_eq!(desk.kept_secret(&key).await, VALUE);
    no_complaints(&window).await;
    window.end_as_the_session_does().await;

    let window = desk.window().await;
    window.click("nav-settings").await;
    window.types("vault-passphrase", "seven grey pigeons").await;
    window.click("unlock-submit").await;
    let refused = "[data-testid='unlock-vault'] [role='alert']";
    window.shows(LIVE, refused, "passphrase").await;
    window.pictures("handlers-vault-wrong-passphrase").await;
    window.types("vault-passphrase", PASSPHRASE).await;
    window.click("unlock-submit").await;
    window.wait(LIVE, ready).await;
    window
        .script("location.hash = '#/handlers/workspace/custom/acme-preview'")
        .await;
    window.sees("schema-form").await;
    type_secret(&window, SECOND_VALUE).await;
    save(&window).await;
    assert_eq!(desk.kept_secret(&key).await, SECOND_VALUE);
    no_complaints(&window).await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_needs_no_environment_starts_nothing_and_says_so() {
    let desk = Desk::new();
    let folder = desk.project("almanac");
    let window = desk.window().await;
    add(&window, &folder).await;
    let compose_only = |services: &str| format!("[data-testid='service-almanac'] {services}");

    // How it is provisioned, in a form.
    window
        .click_css(&compose_only(&by_id("edit-service")))
        .await;
    window.sees("schema-form").await;
    window.pictures("handlers-provisioning").await;
    let schema = "serviceProvisioningSchema";
    let local =
        json!({ "type": "docker-compose", "composePath": "compose.yaml", "localDevOnly": true });
    write_field(&window, schema, &local, "Local development only").await;
    save_provisioning(&window).await;
    let provisioning = desk.service("almanac").await.provisioning;
    assert!(provisioning.local_dev_only.unwrap_or_default());
    write_field(
        &window,
        schema,
        &json!({ "type": "infraless" }),
        "Provision type",
    )
    .await;
    save_provisioning(&window).await;
    let provisioning = desk.service("almanac").await.provisioning;
    assert_eq!(provisioning.provision_type, ProvisionType::Infraless);
    window
        .shows(LIVE, &by_id("service-handler"), "nothing is started")
        .await;
    window.pictures("handlers-provisioning-infraless").await;

    // Nothing is started, and that is said wherever a start is asked for.
    window.click("back-to-services").await;
    window
        .shows(
            LIVE,
            &compose_only(&by_id("service-handler")),
            "nothing is started",
        )
        .await;
    ask_to_start(&window, "almanac").await;
    window
        .shows(LIVE, &by_id("start-dialog"), "Nothing is started")
        .await;
    window
        .wait(LIVE, "[data-testid='start-submit']:disabled")
        .await;
    window.pictures("handlers-infraless-start").await;
    leave_dialog(&window).await;
    window.click_css(&compose_only(&by_id("why-service"))).await;
    window.shows(LIVE, &by_id("why-outcome"), "infraless").await;
    window.pictures("handlers-why-infraless").await;
    leave_dialog(&window).await;
    let up = desk.records.run(["up", folder.to_str().unwrap()]);
    let said =
        String::from_utf8_lossy(&up.stdout).into_owned() + &String::from_utf8_lossy(&up.stderr);
    assert!(said.contains("nothing was started"), "{said}");
    assert!(desk.records.environments().await.is_empty());
    no_complaints(&window).await;
    window.close().await;
}

/// Saves the open provisioning.
async fn save_provisioning(window: &Window) {
    window.click("save-provisioning").await;
    let saved = "[data-testid='provisioning-state'][data-dirty='false']";
    window.wait(PAGE_DEADLINE, saved).await;
}
