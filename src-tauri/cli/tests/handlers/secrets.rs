//! Secrets: where they go, where they do not, and what is said where there is no
//! place for them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::home::{Home, PASSPHRASE, api, holds};

const VALUE: &str = "hunter2-9f8e7d6c5b4a";
const OTHER: &str = "swordfish-0a1b2c3d4e";

/// A home whose secrets are kept in a vault, with a handler that needs one.
fn with_handler() -> Home {
    let home = Home::new();
    let used = home.with_vault(&["secrets", "use", "vault", "--json"], "");
    assert_eq!(used.code(), 0, "{used:?}");
    assert_eq!(
        used.object()["secretStore"],
        json!({"kind": "vault", "state": "ready", "product": "encrypted file", "problem": null})
    );
    let file = home.file("api.json", &api("Acme"));
    let set = home.with_vault(
        &[
            "handler",
            "set",
            &file,
            "--secret",
            "API_TOKEN",
            "--secrets-from-stdin",
        ],
        &format!("API_TOKEN={VALUE}\n"),
    );
    assert_eq!(set.code(), 0, "{set:?}");
    home
}

fn secrets(home: &Home) -> Vec<(String, bool)> {
    let shown = home.object(&["handler", "show", "custom:acme-preview"]);
    shown["row"]["workspace"]["secrets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|secret| {
            (
                secret["key"].as_str().unwrap().to_owned(),
                secret["setAt"].is_i64(),
            )
        })
        .collect()
}

fn key(name: &str) -> (String, bool) {
    (name.to_owned(), true)
}

#[test]
fn without_a_keychain_it_is_said_and_nothing_is_saved() {
    let home = Home::new();
    let stands = home.berth(&["secrets"]);
    assert_eq!(stands.code(), 1, "{stands:?}");
    assert!(stands.stdout().starts_with("keychain  "), "{stands:?}");
    assert!(
        stands.stderr().contains("berth secrets use vault"),
        "{stands:?}"
    );
    let file = home.file("api.json", &api("Acme"));
    let set = home.fed(
        &["handler", "set", &file, "--secrets-from-stdin", "--json"],
        &format!("API_TOKEN={VALUE}\n"),
    );
    assert_eq!(set.code(), 1, "{set:?}");
    assert_eq!(set.problem()["code"], "secret_store_missing");
    assert!(
        set.problem()["hint"]
            .as_str()
            .is_some_and(|hint| hint.contains("berth secrets use vault")),
        "{set:?}"
    );
    let listed = home.object(&["handler", "ls", "--search", "acme"]);
    assert_eq!(listed["rows"], json!([]));
    // What needs no secrets needs no keychain.
    home.object(&["handler", "set", "docker-compose", "--label", "L"]);
}

/// A session bus that takes a connection and says nothing: what waits for the
/// keychain behind it is left with Ctrl-C.
#[cfg(target_os = "linux")]
#[test]
fn a_silent_keychain_is_not_waited_for_after_ctrl_c() {
    let home = Home::new();
    let socket = home.path().join("bus.sock");
    let bus = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let file = home.file("api.json", &api("Acme"));
    let mut child = home
        .command(&["handler", "set", &file, "--secrets-from-stdin"])
        .env(
            "DBUS_SESSION_BUS_ADDRESS",
            format!("unix:path={}", socket.display()),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "API_TOKEN={VALUE}").unwrap();
    drop(stdin);
    let (_connection, _) = bus.accept().unwrap();
    let asked = home
        .program("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(asked.success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{ended:?}");
    home.refuse_in_data(VALUE);
    let listed = home.object(&["handler", "ls", "--search", "acme"]);
    assert_eq!(listed["rows"], json!([]));
}

#[test]
fn a_handler_without_its_secrets_is_refused_with_their_names() {
    let home = Home::new();
    let file = home.file("api.json", &api("Acme"));
    let set = home.berth(&["handler", "set", &file]);
    assert_eq!(set.code(), 1, "{set:?}");
    assert!(set.stderr().contains("API_TOKEN"), "{set:?}");
    assert!(set.stderr().contains("“--secret”: Berth asks"), "{set:?}");
}

#[test]
fn nobody_is_asked_where_there_is_no_terminal() {
    let home = Home::new();
    let file = home.file("api.json", &api("Acme"));
    for words in [
        &["handler", "set", &file, "--secret", "API_TOKEN"][..],
        &["secrets", "use", "vault"],
    ] {
        let ran = home.berth(words);
        assert_eq!(ran.code(), 2, "{words:?}: {ran:?}");
        assert!(ran.stderr().contains("erminal"), "{words:?}: {ran:?}");
    }
}

#[test]
fn single_keys_are_replaced_and_removed_and_the_rest_stays() {
    let home = with_handler();
    assert_eq!(secrets(&home), [key("API_TOKEN")]);
    let added = home.with_vault(
        &[
            "handler",
            "secret",
            "custom:acme-preview",
            "--set",
            "SPARE",
            "--secrets-from-stdin",
        ],
        &format!("SPARE={OTHER}\n"),
    );
    assert_eq!(added.code(), 0, "{added:?}");
    assert_eq!(secrets(&home), [key("API_TOKEN"), key("SPARE")]);

    let locked = home.berth(&[
        "handler",
        "secret",
        "custom:acme-preview",
        "--remove",
        "SPARE",
        "--json",
    ]);
    assert_eq!(locked.code(), 1, "{locked:?}");
    assert_eq!(locked.problem()["code"], "secret_store_locked");

    let removed = home.with_vault(
        &[
            "handler",
            "secret",
            "custom:acme-preview",
            "--remove",
            "SPARE",
            "--json",
        ],
        "",
    );
    assert_eq!(removed.code(), 0, "{removed:?}");
    assert_eq!(secrets(&home), [key("API_TOKEN")]);
    // One that the document refers to cannot go.
    let needed = home.with_vault(
        &[
            "handler",
            "secret",
            "custom:acme-preview",
            "--remove",
            "API_TOKEN",
            "--json",
        ],
        "",
    );
    assert_eq!(needed.problem()["code"], "secret_missing");
    assert_eq!(secrets(&home), [key("API_TOKEN")]);
}

#[test]
fn an_override_takes_the_secrets_with_it() {
    let home = with_handler();
    let made = home.with_vault(
        &[
            "handler",
            "override",
            "custom:acme-preview",
            "--set",
            "/manifest/baseUrl=https://staging.example.com",
            "--json",
        ],
        "",
    );
    assert_eq!(made.code(), 0, "{made:?}");
    let made = made.object();
    assert_eq!(made["override"]["address"], "https://staging.example.com");
    assert_eq!(made["override"]["secrets"][0]["key"], "API_TOKEN");
    assert!(made["override"]["secrets"][0]["setAt"].is_i64());
    let tested = home.berth(&["handler", "test", "custom:acme-preview", "--mine"]);
    assert_eq!(tested.code(), 1, "{tested:?}");
}

/// After a full tour no value stands anywhere but sealed in the vault.
#[test]
fn values_reach_neither_output_nor_data_folder_nor_process_list() {
    let home = with_handler();
    let mut said = Vec::new();
    for words in [
        &["handler", "ls"][..],
        &["handler", "ls", "--json"],
        &["handler", "show", "custom:acme-preview"],
        &["handler", "show", "custom:acme-preview", "--json"],
        &["handler", "test", "custom:acme-preview", "--json"],
        &["workspace", "export"],
        &["activity", "--json"],
        &["secrets", "--json"],
        &["doctor", "--json"],
    ] {
        let ran = home.with_vault(words, "");
        said.push(format!("{ran:?}"));
    }
    // Faults quote nothing of what was read.
    for input in [
        format!("API_TOKEN={OTHER}\n{VALUE}\n"),
        format!("{VALUE}={OTHER}\nAPI_TOKEN={OTHER}\n"),
    ] {
        let ran = home.with_vault(
            &[
                "handler",
                "secret",
                "custom:acme-preview",
                "--set",
                "API_TOKEN",
                "--secrets-from-stdin",
            ],
            &input,
        );
        assert_eq!(ran.code(), 2, "{ran:?}");
        said.push(format!("{ran:?}"));
    }
    for text in said {
        for value in [VALUE, OTHER, PASSPHRASE] {
            assert!(!text.contains(value), "{value} stands in {text}");
        }
    }
    for value in [VALUE, OTHER, PASSPHRASE] {
        home.refuse_in_data(value);
    }
}

/// A program that has read a value is looked at from outside, as `ps` would: it
/// waits for a passphrase meanwhile.
#[cfg(target_os = "linux")]
#[test]
fn a_value_that_was_read_stands_in_no_argument_and_no_variable() {
    let home = with_handler();
    let made = home.program("mkfifo").arg("pipe").status().unwrap();
    assert!(made.success());
    let mut child = home
        .command(&[
            "handler",
            "secret",
            "custom:acme-preview",
            "--set",
            "API_TOKEN",
            "--secrets-from-stdin",
            "--json",
        ])
        .env("BERTH_VAULT_PASSPHRASE_FILE", "pipe")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "API_TOKEN={OTHER}").unwrap();
    drop(stdin);
    // Opens once the other end is open.
    let mut passphrase = std::fs::OpenOptions::new()
        .write(true)
        .open(home.path().join("pipe"))
        .unwrap();
    for about in ["cmdline", "environ"] {
        let seen = std::fs::read(format!("/proc/{}/{about}", child.id())).unwrap();
        assert!(!seen.is_empty(), "{about}");
        for value in [VALUE, OTHER, PASSPHRASE] {
            assert!(!holds(&seen, value.as_bytes()), "{about} holds {value}");
        }
    }
    writeln!(passphrase, "{PASSPHRASE}").unwrap();
    drop(passphrase);
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let set: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(set["handler"]["secrets"][0]["key"], "API_TOKEN");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    home.refuse_in_data(OTHER);
}

#[test]
fn a_passphrase_is_taken_from_a_file_that_nobody_else_may_read() {
    let home = with_handler();
    let wrong = home.file("wrong", "another passphrase");
    std::fs::rename(home.path().join(&wrong), home.path().join("passphrase")).unwrap();
    let locked = [
        "handler",
        "secret",
        "custom:acme-preview",
        "--remove",
        "X",
        "--json",
    ];
    #[cfg(unix)]
    {
        let ran = home.with_vault(&locked, "");
        assert_eq!(ran.code(), 2, "{ran:?}");
        assert!(
            ran.problem()["hint"]
                .as_str()
                .is_some_and(|hint| hint.contains("chmod 600")),
            "{ran:?}"
        );
    }
    std::fs::remove_file(home.path().join("passphrase")).unwrap();
    let mut command = home.command(&locked);
    command.env("BERTH_VAULT_PASSPHRASE_FILE", "none");
    assert_eq!(command.output().unwrap().status.code(), Some(2));
}

#[test]
fn a_locked_vault_is_as_it_should_be() {
    let home = with_handler();
    let stands = home.berth(&["secrets"]);
    assert_eq!(
        (stands.code(), stands.stdout()),
        (0, "vault  encrypted file  locked\n"),
        "{stands:?}"
    );
    // There is no keychain to move to: everything stays.
    let moved = home.with_vault(&["secrets", "use", "keychain", "--json"], "");
    assert_eq!(moved.code(), 1, "{moved:?}");
    assert_eq!(moved.problem()["code"], "secret_store_missing");
    assert_eq!(home.object(&["secrets"])["secretStore"]["kind"], "vault");
    assert_eq!(secrets(&home), [key("API_TOKEN")]);
    // A handler goes, and its secrets with it.
    let removed = home.with_vault(&["handler", "rm", "custom:acme-preview"], "");
    assert_eq!(removed.code(), 0, "{removed:?}");
}
