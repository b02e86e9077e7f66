//! Everything that the window's page and Berth tell each other while secrets are typed, used and quoted: a value
//! is in the one message that sets it, and in no other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::time::Duration;

use berth_tests::window::by_id;
use berth_tests::{CommandLine, Engine, EngineKind, Window};

const LIVE: Duration = Duration::from_secs(20);

const PASSPHRASE: &str = "passphrase-of-traffic-16180339";
const TYPED: &str = "typed-in-traffic-31415926";
const IN_DOTENV: &str = "dotenv-of-traffic-27182818";
const IN_ENV_FILE: &str = "env-file-of-traffic-14142135";

/// Keeps what is sent (a request each) and what comes in: answers, events and what streams tell.
const LISTEN: &str = r#"
window.traffic = { sent: [], received: [] };
const text = (data) => {
  if (typeof data === 'string') return data;
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return new TextDecoder().decode(data);
  return JSON.stringify(data) ?? '';
};
const send = window.fetch;
window.fetch = (address, given) => {
  if (String(address).startsWith('ipc:')) {
    const command = decodeURIComponent(String(address).split('/').at(-1));
    window.traffic.sent.push([command, text(given.body)]);
  }
  return send(address, given);
};
const { callbacks } = window.__TAURI_INTERNALS__;
const get = callbacks.get.bind(callbacks);
callbacks.get = (id) => {
  const callback = get(id);
  return callback && ((data) => {
    window.traffic.received.push(text(data));
    return callback(data);
  });
};
return true;
"#;

/// It never becomes healthy, and says why with all that it knows.
const PROJECT: &str = r#"
services:
  web:
    image: busybox:1.36
    command: ["sh", "-c", "echo $$PASSWORD $$EXTRA; sleep 1000"]
    env_file: extra.env
    environment: {PASSWORD: "${PASSWORD}"}
    healthcheck: {test: "echo $$PASSWORD and $$EXTRA were refused; exit 1", interval: 1s, retries: 1}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_in_the_message_that_sets_it_and_in_no_other() {
    let engine = Engine::shared(EngineKind::Modern);
    let records = CommandLine::new(&engine.address());
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("told");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("compose.yaml"), PROJECT).unwrap();
    fs::write(folder.join(".env"), format!("PASSWORD={IN_DOTENV}\n")).unwrap();
    fs::write(folder.join("extra.env"), format!("EXTRA={IN_ENV_FILE}\n")).unwrap();
    let path = folder.display().to_string();
    records.succeed(["service", "add", &path]);

    let window = Window::open(records.data(), &engine.address()).await;
    window.resize(1600, 1000).await;
    window.script(LISTEN).await;

    // A passphrase and a handler's secret are typed.
    window.click("nav-settings").await;
    window.click("use-vault").await;
    window.types("new-passphrase", PASSPHRASE).await;
    window.types("repeat-passphrase", PASSPHRASE).await;
    window.click("use-vault-submit").await;
    let ready = "[data-testid='secret-store-state'][data-kind='vault'][data-state='ready']";
    window.wait(LIVE, ready).await;
    window.click("nav-handlers").await;
    window.click("add-handler").await;
    window.click("starter-2").await;
    window.sees("missing-secrets").await;
    window.click("secret-enter").await;
    let field = "[data-testid='secret-state'] input[type='password']";
    window.types_css(field, TYPED).await;
    window.click("secret-save").await;
    window.sees("secrets-later").await;
    window.click("test-handler").await;
    window.sees("test-summary").await;
    window.click("save-handler").await;
    let saved = "[data-testid='handler-state'][data-dirty='false']";
    window.wait(LIVE, saved).await;
    let set = "[data-testid='secret-state'][data-set='true']";
    window.wait(LIVE, set).await;

    // A start fails, quoting what it was given, while the page follows it.
    window.click("nav-environments").await;
    let failed = records.run(["up", &path]);
    assert!(!failed.status.success());
    let environment = records.environments().await.remove(0);
    let row = format!("env-row-{}", environment.name);
    window.wait(LIVE, &by_id(&row)).await;
    let open = format!("location.hash = '#/environments/{}'", environment.id);
    window.script(&open).await;
    let page = window.shows(LIVE, "main", "were refused").await;
    assert!(page.contains("[REDACTED]"), "{page}");
    for place in ["services", "activity", "settings", "handlers"] {
        window.click(&format!("nav-{place}")).await;
        let current = format!("[data-testid='nav-{place}'][aria-current='page']");
        window.wait(LIVE, &current).await;
    }
    window
        .wait(LIVE, "[data-testid='handler-row'][data-key^='custom']")
        .await;

    let traffic = window.script("return window.traffic").await;
    let sent: Vec<(String, String)> = serde_json::from_value(traffic["sent"].clone()).unwrap();
    let received: Vec<String> = serde_json::from_value(traffic["received"].clone()).unwrap();
    let all = received.concat();
    assert!(sent.len() > 10, "{sent:#?}");
    for heard in ["API_TOKEN", "were refused", "[REDACTED]", "\"sequence\""] {
        assert!(all.contains(heard), "{heard} is in no message");
    }
    let commands_with = |secret: &str| -> Vec<&str> {
        let with = sent.iter().filter(|(_, body)| body.contains(secret));
        with.map(|(command, _)| command.as_str()).collect()
    };
    assert_eq!(commands_with(PASSPHRASE), ["use_secret_store"]);
    assert_eq!(commands_with(TYPED), ["set_document_secret"]);
    for secret in [IN_DOTENV, IN_ENV_FILE] {
        assert_eq!(commands_with(secret), Vec::<&str>::new());
    }
    for secret in [PASSPHRASE, TYPED, IN_DOTENV, IN_ENV_FILE] {
        let told: Vec<&String> = received.iter().filter(|it| it.contains(secret)).collect();
        assert_eq!(told, Vec::<&String>::new(), "{secret}");
    }
    window.close().await;
    records.succeed(["down", "--all"]);
    assert!(
        engine
            .labelled(&format!("dev.berth.environment={}", environment.id))
            .is_empty()
    );
}
