//! Secrets in a real keychain: GNOME Keyring, on a session bus of each test's own. Berth runs in a process
//! of its own, as that is where the bus is named.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stdout
)]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use berth_contracts::ProvisionType;
use berth_core::testing::handler_secret;
use berth_core::view::{Actor, HandlerKey, HandlerScope, SecretStoreKind};
use berth_core::{Berth, NewSecrets, Options, Problem};
use berth_tests::SecretService;
use berth_tests::prompter::{Answer, prompter};
use berth_tests::secret_service::Keyring;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use tempfile::TempDir;

/// However the keychain behaves, an answer comes: its own limits are 10 s, and two for each call of D-Bus.
const NO_HANG: Duration = Duration::from_secs(15);

/// Berth in another process, told what to do line by line.
struct Client {
    process: Child,
    input: ChildStdin,
    answers: Receiver<Value>,
}

impl Client {
    fn start(service: &SecretService, data: &Path) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "client", "--ignored", "--nocapture"])
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .envs(service.surroundings())
            .env("BERTH_DATA_DIR", data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, answers) = mpsc::channel();
        let output = BufReader::new(process.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if let Some(answer) = line.strip_prefix("=> ") {
                    let _ = sender.send(serde_json::from_str(answer).unwrap());
                }
            }
        });
        let client = Self {
            input: process.stdin.take().unwrap(),
            process,
            answers,
        };
        assert_eq!(client.answer(), "open");
        client
    }

    fn tell(&mut self, what: &Value) {
        writeln!(self.input, "{what}").unwrap();
    }

    fn answer(&self) -> Value {
        self.answers
            .recv_timeout(Duration::from_secs(60))
            .expect("an answer comes")
    }

    fn ask(&mut self, what: Value) -> Value {
        self.tell(&what);
        self.answer()
    }

    fn set(&mut self, secrets: Value) -> Value {
        self.ask(json!({"set": secrets}))
    }

    fn get(&mut self, key: &str) -> Value {
        self.ask(json!({"get": key}))
    }

    fn state(&mut self) -> Value {
        self.ask(json!("state"))
    }

    fn recover(&mut self) {
        assert_eq!(self.ask(json!("recover")), "done");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Already gone is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn key() -> HandlerKey {
    HandlerKey {
        provision_type: ProvisionType::DockerCompose,
        manifest_id: None,
    }
}

async fn change(berth: &Berth, set: &Value, remove: &Value) -> Result<(), Problem> {
    let set: BTreeMap<String, String> = serde_json::from_value(set.clone()).unwrap_or_default();
    let secrets = NewSecrets {
        set: set
            .into_iter()
            .map(|(key, value)| (key, SecretString::from(value)))
            .collect(),
        remove: serde_json::from_value(remove.clone()).unwrap_or_default(),
    };
    berth
        .set_handler_secrets(&HandlerScope::Workspace, &key(), secrets)
        .await
        .map(drop)
}

async fn carry_out(berth: &Berth, what: &Value) -> Result<Value, Problem> {
    if what == "state" {
        let status = berth.secret_store().await?;
        return Ok(json!([
            status.state,
            status.problem.map(|problem| problem.title)
        ]));
    }
    if what == "recover" {
        berth.recover().await?;
        return Ok(json!("done"));
    }
    if let Some(key_name) = what["get"].as_str() {
        let value = handler_secret(berth, &key(), key_name).await?;
        return Ok(json!(value.map(|value| value.expose_secret().to_owned())));
    }
    if let Some(key_name) = what["abandon"].as_str() {
        let patience = Duration::from_millis(1_500);
        let value = tokio::time::timeout(patience, handler_secret(berth, &key(), key_name)).await;
        return Ok(json!(value.is_err()));
    }
    if let Some(store) = what["use"].as_str() {
        let kind: SecretStoreKind = serde_json::from_value(json!(store)).unwrap();
        let passphrase = SecretString::from("correct horse battery");
        let status = berth.use_secret_store(kind, Some(passphrase)).await?;
        return Ok(json!(status.state));
    }
    if let Some(length) = what["churn"].as_u64() {
        let mut number = 0;
        loop {
            number += 1;
            let value = format!("{number}{}", "x".repeat(length.try_into().unwrap()));
            // A refusal is an outcome too.
            let _ = change(berth, &json!({"token": value}), &json!([])).await;
            if number == 1 {
                println!("=> \"churning\"");
            }
        }
    }
    change(berth, &what["set"], &what["remove"]).await?;
    Ok(json!("done"))
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the other tests run it in a process of its own"]
async fn client() {
    let berth = Berth::open(Options::from_process(Actor::CommandLine))
        .await
        .unwrap();
    println!("=> \"open\"");
    // On a thread of its own: reading blocks.
    let (sender, mut lines) = tokio::sync::mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    while let Some(line) = lines.recv().await {
        let what = serde_json::from_str(&line).unwrap();
        let answer = match carry_out(&berth, &what).await {
            Ok(answer) => answer,
            Err(problem) => {
                assert!(problem.hint.is_some(), "{problem:?}");
                json!({"code": problem.code, "title": problem.title, "hint": problem.hint})
            }
        };
        println!("=> {answer}");
    }
}

fn started() -> (SecretService, TempDir, Client) {
    let service = SecretService::start();
    let data = tempfile::tempdir().unwrap();
    let client = Client::start(&service, data.path());
    (service, data, client)
}

/// The items that belong to bundles: all but the mark.
fn bundles(service: &SecretService) -> Vec<String> {
    let mut items = service.items();
    items.retain(|name| !name.ends_with("/mark"));
    items
}

#[test]
fn secrets_are_set_used_rotated_and_removed() {
    let (service, data, mut client) = started();
    assert_eq!(client.state(), json!(["ready", null]));
    assert_eq!(service.items(), Vec::<String>::new());
    assert_eq!(
        client.set(json!({"token": "one", "password": "ä\"\n"})),
        "done"
    );
    assert_eq!(client.get("token"), "one");
    let first = service.items();
    assert_eq!(first.len(), 2, "{first:?}");

    assert_eq!(client.set(json!({"token": "two"})), "done");
    let second = service.items();
    assert_eq!(second.len(), 2, "the old item is gone: {second:?}");
    assert_ne!(bundles(&service), [first[0].clone()]);
    drop(client);
    // Another process finds them.
    let mut client = Client::start(&service, data.path());
    assert_eq!(client.get("token"), "two");
    assert_eq!(client.get("password"), "ä\"\n");
    assert_eq!(client.get("nothing"), Value::Null);

    let removed = client.ask(json!({"remove": ["token", "password"]}));
    assert_eq!(removed, "done");
    assert_eq!(bundles(&service), Vec::<String>::new());
}

#[test]
fn a_value_of_20000_letters_comes_back_as_it_was() {
    let (service, _data, mut client) = started();
    for letters in ["x", "€"] {
        let value = letters.repeat(20_000);
        assert_eq!(client.set(json!({"token": value})), "done");
        assert_eq!(client.get("token"), value);
        assert_eq!(bundles(&service).len(), 1);
    }
    // As much as a handler may have.
    let many: BTreeMap<String, String> = (0..5)
        .map(|number| (format!("key{number}"), "y".repeat(40_000)))
        .collect();
    assert_eq!(client.set(json!(many)), "done");
    assert_eq!(client.get("key4"), many["key4"]);
}

#[test]
fn data_folders_do_not_disturb_each_other() {
    let (service, _data, mut client) = started();
    let other_data = tempfile::tempdir().unwrap();
    let mut other = Client::start(&service, other_data.path());
    assert_eq!(client.set(json!({"token": "ours"})), "done");
    assert_eq!(other.set(json!({"token": "theirs"})), "done");
    assert_eq!(service.items().len(), 4);
    assert_eq!(client.ask(json!({"remove": ["token"]})), "done");
    client.recover();
    assert_eq!(other.get("token"), "theirs");
    assert_eq!(bundles(&service).len(), 1);
}

#[test]
fn without_a_service_it_says_so_and_tries_again_later() {
    let mut service = SecretService::without_keyring();
    let data = tempfile::tempdir().unwrap();
    let mut client = Client::start(&service, data.path());
    assert_eq!(client.state()[0], "no_service");
    let refused = client.set(json!({"token": "one"}));
    assert_eq!(refused["code"], "secret_store_missing", "{refused}");
    // The same process, once there is one.
    service.start_keyring(Keyring::Unlocked);
    assert_eq!(client.state()[0], "ready");
    assert_eq!(client.set(json!({"token": "one"})), "done");
    assert_eq!(client.get("token"), "one");
    assert_eq!(service.items().len(), 2);
}

#[test]
fn a_keyring_that_was_never_unlocked_is_locked() {
    let mut service = SecretService::without_keyring();
    service.start_keyring(Keyring::Locked);
    let data = tempfile::tempdir().unwrap();
    let mut client = Client::start(&service, data.path());
    let state = client.state();
    assert_eq!(state[0], "locked");
    assert!(
        state[1].as_str().unwrap().contains("no default keyring"),
        "{state}"
    );
    let refused = client.set(json!({"token": "one"}));
    assert_eq!(refused["code"], "secret_store_locked", "{refused}");
    assert_eq!(service.items(), Vec::<String>::new());
}

#[test]
fn locked_is_told_from_absent_and_nothing_is_lost() {
    let (mut service, _data, mut client) = started();
    assert_eq!(client.set(json!({"token": "one"})), "done");
    let items = service.items();
    service.lock();
    assert_eq!(client.state()[0], "locked");
    for refused in [client.get("token"), client.set(json!({"token": "two"}))] {
        assert_eq!(refused["code"], "secret_store_locked", "{refused}");
    }
    client.recover();
    assert_eq!(service.items(), items);
    // Unlocked again, as by the user's next login.
    service.kill_keyring();
    service.start_keyring(Keyring::Unlocked);
    assert_eq!(client.get("token"), "one");
    assert_eq!(client.set(json!({"token": "two"})), "done");
    assert_eq!(client.get("token"), "two");
    assert_eq!(service.items().len(), 2);
}

#[test]
fn a_question_that_is_closed_is_told_from_one_that_was_never_shown() {
    let (service, _data, mut client) = started();
    assert_eq!(client.set(json!({"token": "one"})), "done");
    service.lock();
    prompter(
        &service,
        Answer::Dismissed {
            after: Duration::from_millis(1_500),
        },
    );
    for refused in [client.get("token"), client.set(json!({"token": "two"}))] {
        assert_eq!(refused["code"], "secret_store_dismissed", "{refused}");
    }
    // What nobody waits for asks nobody.
    let asked = Instant::now();
    assert_eq!(client.state()[0], "locked");
    client.recover();
    assert!(
        asked.elapsed() < Duration::from_secs(1),
        "{:?}",
        asked.elapsed()
    );
    assert_eq!(service.items().len(), 2);
}

#[test]
fn an_open_question_can_be_left_and_keeps_nobody_else_waiting() {
    let (service, _data, mut client) = started();
    assert_eq!(client.set(json!({"token": "one"})), "done");
    service.lock();
    prompter(&service, Answer::None);
    assert_eq!(client.ask(json!({"abandon": "token"})), true);
    let asked = Instant::now();
    for what in [json!({"get": "token"}), json!({"set": {"token": "two"}})] {
        let refused = client.ask(what);
        assert_eq!(refused["code"], "secret_store_silent", "{refused}");
    }
    assert!(
        asked.elapsed() < Duration::from_secs(1),
        "{:?}",
        asked.elapsed()
    );
}

#[test]
fn a_keyring_that_forgets_is_refused() {
    let (service, _data, mut client) = started();
    service.forget_at_logout();
    assert_eq!(client.state()[0], "not_persistent");
    let refused = client.set(json!({"token": "one"}));
    assert_eq!(refused["code"], "secret_store_not_persistent", "{refused}");
    assert_eq!(service.items(), Vec::<String>::new());
}

#[test]
fn an_item_that_something_else_removed_is_missing() {
    let (service, _data, mut client) = started();
    assert_eq!(
        client.set(json!({"token": "one", "password": "two"})),
        "done"
    );
    service.delete(&bundles(&service)[0]);
    let missing = client.get("token");
    assert_eq!(missing["code"], "secret_missing", "{missing}");
    assert_eq!(client.state()[0], "ready");
    let half = client.set(json!({"token": "three"}));
    assert_eq!(half["code"], "secret_missing", "{half}");
    assert!(
        half["hint"].as_str().unwrap().contains("password"),
        "{half}"
    );
    assert_eq!(
        client.set(json!({"token": "three", "password": "four"})),
        "done"
    );
    assert_eq!(client.get("password"), "four");
    assert_eq!(bundles(&service).len(), 1);
}

#[test]
fn a_service_that_stands_still_is_not_waited_for() {
    let (service, _data, mut client) = started();
    assert_eq!(client.set(json!({"token": "one"})), "done");
    service.halt();
    for what in [
        json!("state"),
        json!({"get": "token"}),
        json!({"set": {"token": "two"}}),
    ] {
        let asked = Instant::now();
        let answer = client.ask(what.clone());
        assert!(asked.elapsed() < NO_HANG, "{what}: {:?}", asked.elapsed());
        let silent = answer[0] == "silent" || answer["code"] == "secret_store_silent";
        assert!(silent, "{what}: {answer}");
    }
    service.go_on();
    assert_eq!(client.state()[0], "ready");
    assert_eq!(client.get("token"), "one");
    client.recover();
    assert_eq!(service.items().len(), 2);
}

#[test]
fn a_service_that_is_killed_in_mid_call_is_an_answer_too() {
    let (mut service, _data, mut client) = started();
    assert_eq!(client.set(json!({"token": "one"})), "done");
    for what in [json!({"get": "token"}), json!({"set": {"token": "two"}})] {
        service.halt();
        client.tell(&what);
        // The call is under way, or about to be: either has to end.
        std::thread::sleep(Duration::from_millis(200));
        let killed = Instant::now();
        service.kill_keyring();
        let answer = client.answer();
        assert!(killed.elapsed() < NO_HANG, "{what}: {:?}", killed.elapsed());
        let code = answer["code"].as_str().unwrap_or_default();
        assert!(
            ["secret_store_missing", "secret_store_silent"].contains(&code),
            "{what}: {answer}"
        );
        assert_eq!(client.state()[0], "no_service");
        service.start_keyring(Keyring::Unlocked);
        // The same process goes on with the new one.
        assert_eq!(client.get("token"), "one");
        client.recover();
        assert_eq!(service.items().len(), 2);
    }
}

#[test]
fn calls_that_time_out_and_are_carried_out_later_leave_nothing() {
    let (service, data, client) = started();
    drop(client);
    for round in 0..6_u64 {
        let mut client = Client::start(&service, data.path());
        client.tell(&json!({"churn": 20_000}));
        assert_eq!(client.answer(), "churning");
        std::thread::sleep(Duration::from_millis(50 + 37 * round));
        service.halt();
        // Longer than D-Bus waits for an answer.
        std::thread::sleep(Duration::from_millis(2_500));
        service.go_on();
        std::thread::sleep(Duration::from_millis(20 * round));
        drop(client);
        let mut client = Client::start(&service, data.path());
        client.recover();
        assert_eq!(bundles(&service).len(), 1, "round {round}");
        assert!(client.get("token").is_string(), "round {round}");
    }
}

#[test]
fn berth_is_killed_at_any_moment_and_nothing_is_left_or_lost() {
    let (service, data, client) = started();
    drop(client);
    for round in 0..40_u64 {
        let mut client = Client::start(&service, data.path());
        client.tell(&json!({"churn": 10}));
        assert_eq!(client.answer(), "churning");
        std::thread::sleep(Duration::from_micros(7_919 * round % 120_000));
        // By SIGKILL.
        drop(client);
        let mut client = Client::start(&service, data.path());
        client.recover();
        assert_eq!(bundles(&service).len(), 1, "round {round}");
        assert!(client.get("token").is_string(), "round {round}");
    }
}

#[test]
fn secrets_move_to_the_encrypted_file_and_back() {
    let (service, data, mut client) = started();
    assert_eq!(client.set(json!({"token": "one"})), "done");
    assert_eq!(client.ask(json!({"use": "vault"})), "ready");
    assert_eq!(bundles(&service), Vec::<String>::new());
    assert!(data.path().join("vault").is_file());
    assert_eq!(client.get("token"), "one");
    assert_eq!(client.ask(json!({"use": "keychain"})), "ready");
    assert_eq!(bundles(&service).len(), 1);
    assert_eq!(client.get("token"), "one");
}
