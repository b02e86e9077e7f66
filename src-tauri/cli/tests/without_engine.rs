//! The program as people run it, on a data folder of its own and without a
//! Docker engine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "what cannot be in a test fails it; clippy sees only test functions as tests, not what they call"
)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

struct Home {
    folder: TempDir,
}

impl Home {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// `berth` with nothing of the surroundings but PATH; its engine is a socket
    /// that does not exist.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_berth"));
        command
            .args(words)
            .current_dir(self.path())
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", self.path())
            .env("BERTH_DATA_DIR", self.path().join("data"))
            .env(
                "DOCKER_HOST",
                format!("unix://{}", self.path().join("no.sock").display()),
            )
            .env("TZ", "UTC")
            .stdin(Stdio::null());
        command
    }

    fn berth(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// A folder with a compose file.
    fn project(&self, name: &str, compose: &str) -> String {
        let folder = self.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("compose.yaml"), compose).unwrap();
        folder.to_str().unwrap().to_owned()
    }
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it was not killed by a signal")
}

/// The only line of standard output.
fn object(output: &Output) -> Value {
    let text = stdout(output);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(text).unwrap()
}

const HELLO: &str = "services:\n  web:\n    image: busybox:1.36\n    ports: [\"8080:8080\"]\n";

#[test]
fn alone_it_shows_its_verbs() {
    let home = Home::new();
    let output = home.berth(&[]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("Usage: berth"), "{output:?}");
    assert!(!home.path().join("data").exists());
}

#[test]
fn help_and_version_go_to_standard_output() {
    let home = Home::new();
    for words in [&["--help"][..], &["up", "--help"], &["agent", "-h"]] {
        let output = home.berth(words);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("Usage: berth"), "{output:?}");
    }
    let output = home.berth(&["--version"]);
    assert_eq!(
        stdout(&output),
        concat!("berth ", env!("CARGO_PKG_VERSION"), "\n")
    );
    assert!(!home.path().join("data").exists());
}

#[test]
fn wrong_usage_is_2_and_touches_nothing() {
    let home = Home::new();
    for (words, said) in [
        (&["nonsense"][..], "nonsense"),
        (&["up", "--ttl", "30"], "the unit is missing"),
        (&["up", "--ttl", "soon"], "accepted are 90s, 45m, 2h, 1d"),
        (&["up", "--ttl", "11000d"], "longest time"),
        (&["up", "--ref", "a", "--pr", "1"], "cannot be used with"),
        (&["up", "--pr", "0"], "0"),
        (&["extend"], "TIME"),
        (&["extend", "a", "b", "c"], "c"),
        (&["extend", "a", "b"], "\"b\" is not a time"),
        (&["down", "--all", "x"], "cannot be used with"),
        (&["service"], "Usage"),
        (&["logs", "--tail", "-1"], "-1"),
        (&["activity", "--limit", "0"], "0"),
        (&["status", ""], "empty"),
    ] {
        let output = home.berth(words);
        assert_eq!(code(&output), 2, "{words:?}: {output:?}");
        assert!(stderr(&output).contains(said), "{words:?}: {output:?}");
        assert_eq!(stdout(&output), "", "{words:?}");
    }
    assert!(!home.path().join("data").exists());
}

#[test]
fn wrong_usage_is_an_object_for_programs() {
    let home = Home::new();
    let output = home.berth(&["up", "--json", "--ttl", "30"]);
    assert_eq!(code(&output), 2);
    let said = object(&output);
    assert_eq!(said["problem"]["code"], "invalid_input");
    assert!(
        said["problem"]["title"]
            .as_str()
            .is_some_and(|title| title.contains("the unit is missing")),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn words_that_are_not_unicode_are_wrong_usage() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let home = Home::new();
    for verb in ["up", "status", "down"] {
        let output = home
            .command(&[verb])
            .arg(OsStr::from_bytes(b"caf\xe9"))
            .output()
            .unwrap();
        assert_eq!(code(&output), 2, "{output:?}");
        assert!(stderr(&output).contains("UTF-8"), "{output:?}");
    }
}

#[test]
fn nothing_is_listed_on_an_empty_data_folder() {
    let home = Home::new();
    let output = home.berth(&["ls"]);
    assert_eq!(code(&output), 0, "{output:?}");
    assert_eq!(stdout(&output), "");
    assert_eq!(
        stderr(&output),
        "Nothing is up. Bring a folder up with: berth up PATH\n"
    );
    assert_eq!(
        object(&home.berth(&["ls", "--json"])),
        serde_json::json!({"environments": []})
    );
    assert_eq!(
        object(&home.berth(&["service", "ls", "--json"])),
        serde_json::json!({"services": []})
    );
    assert_eq!(
        object(&home.berth(&["activity", "--json"])),
        serde_json::json!({"activity": []})
    );
    let output = home.berth(&["down", "--all"]);
    assert_eq!((code(&output), stderr(&output)), (0, "Nothing is up.\n"));
    assert_eq!(
        object(&home.berth(&["down", "--all", "--json"])),
        serde_json::json!({"type": "result", "removed": [], "failed": []})
    );
}

#[test]
fn unknown_environments_and_services_are_2() {
    let home = Home::new();
    for words in [
        &["status", "shop"][..],
        &["logs", "shop"],
        &["open", "shop"],
        &["extend", "shop", "1h"],
        &["down", "shop"],
        &["retry", "shop"],
        &["service", "rm", "shop"],
    ] {
        let output = home.berth(words);
        assert_eq!(code(&output), 2, "{words:?}: {output:?}");
        assert!(stderr(&output).contains("shop"), "{words:?}: {output:?}");
    }
    for words in [
        &["status"][..],
        &["logs"],
        &["open"],
        &["extend", "1h"],
        &["down"],
        &["retry"],
    ] {
        let output = home.berth(words);
        assert_eq!(code(&output), 2, "{words:?}: {output:?}");
        assert!(
            stderr(&output).contains("No environment belongs to this folder"),
            "{words:?}: {output:?}"
        );
    }
}

#[test]
fn a_problem_is_an_object_for_programs() {
    let home = Home::new();
    let output = home.berth(&["status", "shop", "--json"]);
    assert_eq!(code(&output), 2);
    assert_eq!(stderr(&output), "");
    let said = object(&output);
    let keys: Vec<&str> = said["problem"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "code",
            "title",
            "detail",
            "hint",
            "causes",
            "places",
            "lines",
            "retryable"
        ]
    );
    assert_eq!(said["problem"]["code"], "not_found");
}

#[test]
fn services_come_and_go() {
    let home = Home::new();
    let folder = home.project("shop", HELLO);
    let added = object(&home.berth(&["service", "add", &folder, "--json"]));
    assert_eq!(added["service"]["name"], "shop");
    // The same folder is the same service.
    let again = object(&home.berth(&["service", "add", "shop/compose.yaml", "--json"]));
    assert_eq!(again["service"]["source"], added["service"]["source"]);

    let listed = home.berth(&["service", "ls"]);
    assert!(stdout(&listed).contains("shop"), "{listed:?}");
    let removed = home.berth(&["service", "rm", "shop"]);
    assert_eq!(code(&removed), 0, "{removed:?}");
    let activity = home.berth(&["activity"]);
    assert!(
        stdout(&activity).contains("shop added as a service"),
        "{activity:?}"
    );
}

#[test]
fn a_missing_folder_and_an_empty_one_are_2() {
    let home = Home::new();
    let output = home.berth(&["up", "missing"]);
    assert_eq!(code(&output), 2, "{output:?}");
    assert!(stderr(&output).contains("missing"), "{output:?}");
    std::fs::create_dir(home.path().join("empty")).unwrap();
    let output = home.berth(&["up", "empty"]);
    assert_eq!(code(&output), 2, "{output:?}");
}

/// An engine that is there and hangs up: files are read all the same.
#[cfg(unix)]
#[test]
fn faults_in_compose_files_name_file_and_line() {
    let home = Home::new();
    let engine = std::os::unix::net::UnixListener::bind(home.path().join("no.sock")).unwrap();
    std::thread::spawn(move || engine.incoming().for_each(drop));
    for (name, compose, place) in [
        (
            "yaml",
            "services:\n  web: {image: a\n  b: c\n",
            "compose.yaml:",
        ),
        (
            "unknown",
            "services:\n  web:\n    image: a\n    imagge: b\n",
            "compose.yaml:4:",
        ),
        (
            "cycle",
            "services:\n  a: {image: x, depends_on: [b]}\n  b: {image: x, depends_on: [a]}\n",
            "compose.yaml:",
        ),
        (
            "env-file",
            "services:\n  web:\n    image: a\n    env_file: missing.env\n",
            "missing.env",
        ),
    ] {
        let folder = home.project(name, compose);
        let output = home.berth(&["up", &folder]);
        assert_eq!(code(&output), 2, "{name}: {output:?}");
        assert!(stderr(&output).contains(place), "{name}: {output:?}");
        assert_eq!(stdout(&output), "", "{name}");
    }
}

#[test]
fn without_an_engine_up_is_3_and_says_why() {
    let home = Home::new();
    let folder = home.project("shop", HELLO);
    let output = home.berth(&["up", &folder]);
    assert_eq!(code(&output), 3, "{output:?}");
    assert!(stderr(&output).contains("no.sock"), "{output:?}");
    assert_eq!(stdout(&output), "");

    let output = home.berth(&["up", &folder, "--json"]);
    assert_eq!(code(&output), 3, "{output:?}");
    let lines: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let last = lines.last().unwrap();
    assert_eq!(last["type"], "result");
    assert!(
        last["problem"]["code"]
            .as_str()
            .is_some_and(|code| code.starts_with("engine_"))
    );
    for line in &lines[..lines.len() - 1] {
        assert!(
            matches!(line["type"].as_str(), Some("started" | "step")),
            "{line}"
        );
    }
}

#[test]
fn doctor_names_what_is_missing() {
    let home = Home::new();
    let output = home.berth(&["doctor"]);
    assert_eq!(code(&output), 3, "{output:?}");
    let text = stdout(&output);
    assert!(text.contains("problem  Socket"), "{text}");
    assert!(
        text.contains("no.sock, which is named by DOCKER_HOST"),
        "{text}"
    );
    assert!(text.contains("$ unset DOCKER_HOST"), "{text}");
    assert!(text.contains("Needs “Socket” first."), "{text}");
    let said = object(&home.berth(&["doctor", "--json"]));
    assert_eq!(said["ok"], false);
    let told: Vec<(&str, &str)> = said["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|check| Some((check["name"].as_str()?, check["state"].as_str()?)))
        .collect();
    assert_eq!(
        told,
        [
            ("berth", "ok"),
            ("store", "ok"),
            ("git", "ok"),
            // Nothing of a desktop is around.
            ("secrets", "warning"),
            ("socket", "problem"),
            ("reachable", "skipped"),
            ("permission", "skipped"),
            ("api", "skipped"),
            ("platform", "skipped"),
            ("storage", "skipped"),
            ("address_pools", "skipped"),
        ]
    );
    let socket = &said["checks"][4];
    assert_eq!(socket["command"], "unset DOCKER_HOST");
    assert!(socket["durationMs"].is_u64(), "{socket}");
    assert_eq!(said["checks"][5]["because"], "socket");
}

/// What can be told without the data folder is.
#[test]
fn doctor_says_that_the_data_folder_cannot_be_used() {
    let home = Home::new();
    std::fs::write(home.path().join("data"), "a file in its place").unwrap();
    let output = home.berth(&["doctor", "--json"]);
    assert_eq!(code(&output), 1, "{output:?}");
    let said = object(&output);
    let check = |name: &str| {
        let checks = said["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["name"] == name).unwrap();
        (check["state"].as_str().unwrap(), check["because"].as_str())
    };
    assert_eq!(check("store"), ("problem", None));
    assert_eq!(check("git"), ("ok", None));
    assert_eq!(check("socket"), ("skipped", Some("store")));
    assert_eq!(check("address_pools"), ("skipped", Some("store")));
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let home = Home::new();
    for words in [&["ls", "--json"][..], &["doctor"], &["--help"]] {
        let mut child = home
            .command(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Nobody reads from the start.
        drop(child.stdout.take());
        let mut said = String::new();
        let stderr = child.stderr.take().unwrap();
        for line in BufReader::new(stderr).lines() {
            said.push_str(&line.unwrap());
        }
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{words:?}: {said}");
        assert_eq!(said, "", "{words:?}");
    }
}

#[test]
fn the_agent_ends_when_asked() {
    let home = Home::new();
    let mut child = home
        .command(&["agent", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let begun: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(begun["agent"], "running");
    let asked = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(asked.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
