//! `berth validate` and `berth schema` as people run them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "what cannot be in a test fails it; clippy sees only test functions as tests, not what they call"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder to work in, beside which no data folder may appear.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_berth"));
        command
            .args(words)
            .current_dir(self.0.path())
            .env_clear()
            .env("HOME", self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, words: &[&str], input: impl AsRef<[u8]>) -> Ran {
        let mut child = self.command(words).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_ref().to_owned();
        let writing = std::thread::spawn(move || {
            // A program that needs no input closes it.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writing.join().unwrap();
        Ran(output)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.path().join(name), text).unwrap();
        name.to_owned()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let data = self.0.path().join(".local");
        assert!(
            std::thread::panicking() || !data.exists(),
            "a data folder was made"
        );
    }
}

struct Ran(Output);

impl Ran {
    fn code(&self) -> i32 {
        self.0.status.code().expect("it was not killed by a signal")
    }

    fn stdout(&self) -> &str {
        std::str::from_utf8(&self.0.stdout).unwrap()
    }

    fn stderr(&self) -> &str {
        std::str::from_utf8(&self.0.stderr).unwrap()
    }

    fn objects(&self) -> Vec<Value> {
        self.stdout()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

const AUTH: &str = "environmentAuthSchemeSchema";
const MANIFEST: &str = "environmentManifestSchema";

#[test]
fn a_valid_document_is_said_to_be_and_printed_when_asked_for() {
    let desk = Desk::new();
    let text = r#"{"more": 1, "secretRef": {"key": "TOKEN"}, "type": "bearer"}"#;
    let file = desk.file("auth.json", text);
    let ran = desk.run(&["validate", AUTH, &file], "");
    assert_eq!(
        (ran.code(), ran.stdout()),
        (0, "auth.json: valid (Authentication)\n")
    );
    let canonical =
        "{\n  \"type\": \"bearer\",\n  \"secretRef\": {\n    \"key\": \"TOKEN\"\n  }\n}\n";
    for words in [
        &["validate", AUTH, "--canonical"][..],
        &["validate", AUTH, "-", "--canonical"],
    ] {
        let ran = desk.run(words, text);
        assert_eq!((ran.code(), ran.stdout(), ran.stderr()), (0, canonical, ""));
    }
    let ran = desk.run(&["validate", AUTH, "--json"], text);
    assert_eq!(
        ran.objects(),
        [json!({"schema": AUTH, "valid": true,
                "output": {"type": "bearer", "secretRef": {"key": "TOKEN"}}})]
    );
}

#[test]
fn every_fault_names_file_line_column_field_and_what_to_do() {
    let desk = Desk::new();
    let file = desk.file(
        "auth.json",
        "{\r\n  \"type\": \"basic\",\r\n  \"usernameSecretRef\": {\"key\": \"a b\"}\r\n}",
    );
    let ran = desk.run(&["validate", AUTH, &file], "");
    assert_eq!((ran.code(), ran.stdout()), (2, ""));
    let lines: Vec<&str> = ran.stderr().lines().collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert_eq!(lines[0], "auth.json is not valid (Authentication)");
    assert!(
        lines[1].starts_with("  auth.json:3:32 usernameSecretRef.key: Must be "),
        "{lines:?}"
    );
    assert_eq!(
        lines[2],
        "  auth.json:1:1 passwordSecretRef: Required, but missing."
    );
    assert_eq!(
        lines[3],
        "    Add \"passwordSecretRef\" to the object that begins here."
    );

    let ran = desk.run(&["validate", AUTH, &file, "--json"], "");
    assert_eq!((ran.code(), ran.stderr()), (2, ""));
    let said = &ran.objects()[0];
    assert_eq!(said["valid"], false);
    assert_eq!(
        said["issues"][1],
        json!({"path": "passwordSecretRef", "pointer": "/passwordSecretRef", "kind": "object",
               "requirement": "passwordSecretRef", "message": "Required, but missing.",
               "line": 1, "column": 1})
    );
}

#[test]
fn settings_that_the_contract_leaves_open_are_checked_on_request() {
    let desk = Desk::new();
    let handler = json!({"engine": "local-docker", "manifest": {
        "providerId": "compose", "label": "Docker", "baseUrl": "http://localhost",
        "auth": {"type": "none"}, "provision": {"method": "POST", "pathTemplate": "/"},
        "response": {}, "providerConfig": {"service": "web", "port": "no port"},
    }})
    .to_string();
    let schema = "infraHandlerConfigSchema";
    assert_eq!(desk.run(&["validate", schema], &handler).code(), 0);
    let ran = desk.run(&["validate", schema, "--settings"], &handler);
    assert_eq!(ran.code(), 2);
    assert!(
        ran.stderr().contains("manifest.providerConfig.port: "),
        "{}",
        ran.stderr()
    );
}

#[test]
fn what_is_no_json_says_where() {
    let desk = Desk::new();
    for (text, said) in [
        (&b"{\"type\": \"none\",}"[..], ":1:17 "),
        (b"{\n  // a comment\n}", ":2:3 "),
        (b"{\"type\": 'none'}", ":1:10 "),
        (b"{\n\"a\": \"caf\xe9\"}", "UTF-8"),
        (b"{\"a\": \"\\ud800\"}", "surrogate"),
        (b"{\"a\": \"x\0y\"}", "control character"),
        (b"\xff\xfe{\0}\0", "UTF-8"),
        (b"", "empty"),
        (b"   ", "empty"),
    ] {
        let ran = desk.run(&["validate", AUTH], text);
        assert_eq!((ran.code(), ran.stdout()), (2, ""), "{said}");
        assert!(
            ran.stderr()
                .starts_with("standard input is not a JSON document\n")
        );
        assert!(ran.stderr().contains(said), "{said}: {}", ran.stderr());
    }
    let ran = desk.run(&["validate", AUTH], b"\xef\xbb\xbf{\"type\":\r\n\"none\"}");
    assert_eq!(ran.code(), 0);
}

#[test]
fn hostile_documents_come_to_an_end() {
    let desk = Desk::new();
    let long = "k".repeat(1_000_000);
    for (text, code) in [
        ("[".repeat(10_000), 2),
        ("{\"a\":".repeat(200_000), 2),
        (format!("[{}1]", "[1],".repeat(500_000)), 2),
        (format!("{{\"type\":\"none\",\"{long}\":\"{long}\"}}"), 0),
        (
            format!("{{{}\"type\":\"none\"}}", "\"a\":1,".repeat(200_000)),
            0,
        ),
        ("1".repeat(1_000_000), 2),
    ] {
        let ran = desk.run(&["validate", AUTH], &text);
        assert_eq!(
            ran.code(),
            code,
            "{}",
            ran.stderr().chars().take(400).collect::<String>()
        );
        assert!(ran.stderr().len() < 4_000);
    }
    let file = desk.file("large.json", vec![b' '; 17 * 1024 * 1024]);
    let ran = desk.run(&["validate", AUTH, &file], "");
    assert_eq!(ran.code(), 2);
    assert!(ran.stderr().contains("16777216"), "{}", ran.stderr());
}

#[test]
fn secrets_that_stand_in_a_wrong_place_are_not_quoted() {
    let desk = Desk::new();
    let text = json!({"secrets": {"TOKEN": ["planted-s3cret"]}, "config": "planted-s3cret"});
    for words in [
        &["validate", "registerEnvironmentProviderSchema"][..],
        &["validate", "registerEnvironmentProviderSchema", "--json"],
    ] {
        let ran = desk.run(words, text.to_string());
        assert_eq!(ran.code(), 2);
        assert!(!ran.stdout().contains("s3cret") && !ran.stderr().contains("s3cret"));
    }
}

#[test]
fn unknown_names_and_files_are_told_with_a_way_on() {
    let desk = Desk::new();
    for words in [
        &["validate", "enviromentManifestSchema"][..],
        &["schema", "enviromentManifestSchema"],
    ] {
        let ran = desk.run(words, "{}");
        assert_eq!((ran.code(), ran.stdout()), (2, ""));
        assert!(
            ran.stderr()
                .contains("Did you mean environmentManifestSchema?")
        );
    }
    let ran = desk.run(&["validate", MANIFEST, "gone.json"], "");
    assert_eq!(ran.code(), 2);
    assert!(
        ran.stderr().contains("There is no file gone.json"),
        "{}",
        ran.stderr()
    );
    let ran = desk.run(&["validate", MANIFEST, "."], "");
    assert_eq!(ran.code(), 2);
    assert!(ran.stderr().contains(". is a folder"), "{}", ran.stderr());
    let ran = desk.run(&["validate", MANIFEST, "gone.json", "--json"], "");
    assert_eq!(ran.objects()[0]["problem"]["code"], "path_missing");
    assert_eq!(desk.run(&["validate"], "").code(), 2);
}

#[test]
fn schemas_are_listed_and_printed() {
    let desk = Desk::new();
    let ran = desk.run(&["schema"], "");
    assert_eq!(ran.code(), 0);
    assert!(
        ran.stdout()
            .lines()
            .any(|line| line.starts_with("environmentManifestSchema ")
                && line.contains("Environment manifest"))
    );
    let listed = &desk.run(&["schema", "--json"], "").objects()[0]["schemas"];
    for schema in listed.as_array().unwrap() {
        let name = schema["name"].as_str().unwrap();
        let ran = desk.run(&["schema", name], "");
        let printed: Value = serde_json::from_str(ran.stdout()).unwrap();
        assert_eq!(
            printed["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
        let ran = desk.run(&["schema", name, "--json"], "");
        assert_eq!(ran.objects(), [printed]);
    }
}

#[test]
fn every_line_gets_its_answer() {
    let desk = Desk::new();
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let lines = [
        r#"{"id":"a","schema":"environmentSecretRefSchema","input":{"key":"T","x":1},"valid":false}"#,
        r#"{"id":{"n":[1]},"schema":"environmentSecretRefSchema","input":null}"#,
        "",
        r#"{"schema":"manifestIdSchema","input":"helm"}"#,
        r#"{"id":3,"schema":"secretRefSchema","input":1}"#,
        r#"{"id":4,"schema":"environmentSecretRefSchema"}"#,
        r#"{"id":5,"input":1}"#,
        r#"{"id":9,"#,
        r#"["a","environmentSecretRefSchema",{"key":"T"}]"#,
        &format!(r#"{{"id":6,"schema":"environmentSecretRefSchema","input":{deep}}}"#),
        r#"{"id":7,"schema":"environmentSecretRefSchema","input":{"key":"\ud800"}}"#,
        r#"{"id":8,"schema":"manifestIdSchema","input":"last"}"#,
    ];
    let ran = desk.run(&["validate", "--jsonl"], lines.join("\r\n"));
    assert_eq!((ran.code(), ran.stderr()), (2, ""));
    let said = ran.objects();
    assert_eq!(said.len(), lines.len() - 1);
    assert_eq!(
        said[0],
        json!({"id": "a", "valid": true, "output": {"key": "T"}})
    );
    assert_eq!(said[1]["id"], json!({"n": [1]}));
    assert_eq!(said[1]["issues"][0]["kind"], "object");
    assert_eq!(
        said[2],
        json!({"id": null, "valid": true, "output": "helm"})
    );
    let error = |at: usize, id: Value, line: usize, part: &str| {
        let one = &said[at];
        assert_eq!((&one["id"], &one["line"]), (&id, &json!(line)), "{one}");
        assert!(one["error"].as_str().unwrap().contains(part), "{one}");
        assert!(one.get("valid").is_none());
    };
    error(3, json!(3), 5, "Did you mean environmentSecretRefSchema?");
    error(4, json!(4), 6, "no input");
    error(5, json!(5), 7, "no schema");
    error(6, Value::Null, 8, "ends where a value is meant");
    error(7, Value::Null, 9, "no object");
    for (at, id) in [(8, 6), (9, 7)] {
        assert_eq!(said[at]["id"], id);
        assert_eq!(said[at]["valid"], false);
        assert_eq!(said[at]["issues"][0]["kind"], "json");
    }
    assert_eq!(said[10], json!({"id": 8, "valid": true, "output": "last"}));
}

#[test]
fn answers_come_while_lines_are_still_written() {
    let desk = Desk::new();
    let mut child = desk.command(&["validate", "--jsonl"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for name in ["one", "two"] {
        writeln!(
            stdin,
            r#"{{"id":"{name}","schema":"manifestIdSchema","input":"x"}}"#
        )
        .unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["id"], name);
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_line_that_does_not_end_is_left_out() {
    let desk = Desk::new();
    let good = r#"{"id":1,"schema":"manifestIdSchema","input":"x"}"#;
    let input = format!("{}\n{good}\n", "x".repeat(20 * 1024 * 1024));
    let ran = desk.run(&["validate", "--jsonl", "-"], input);
    assert_eq!(ran.code(), 2);
    let said = ran.objects();
    assert!(said[0]["error"].as_str().unwrap().contains("longer than"));
    assert_eq!(said[1]["valid"], true);
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let desk = Desk::new();
    let line = r#"{"id":1,"schema":"manifestIdSchema","input":"x"}"#;
    let file = desk.file("lines.jsonl", format!("{line}\n").repeat(1_000));
    for words in [
        &["schema"][..],
        &["schema", MANIFEST],
        &["validate", "--jsonl", &file],
    ] {
        let mut child = desk.command(words).spawn().unwrap();
        // Nobody reads from the start.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert_eq!(output.stderr, b"", "{words:?}");
    }
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/contract/cases.jsonl")
}

#[test]
fn the_program_agrees_with_the_contracts_cases() {
    let cases = cases();
    let desk = Desk::new();
    let ran = desk.run(&["validate", "--jsonl", cases.to_str().unwrap()], "");
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let answers: BTreeMap<String, Value> = ran
        .objects()
        .into_iter()
        .map(|answer| (answer["id"].as_str().unwrap().to_owned(), answer))
        .collect();
    let (mut paths, mut invalid, mut different) = (0, 0, Vec::new());
    let text = std::fs::read_to_string(cases).unwrap();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap();
        let answer = &answers[id];
        // As text: the order of keys counts.
        let output = |of: &Value| of["output"].to_string();
        if answer["valid"] != case["valid"] || output(answer) != output(&case) {
            different.push(id.to_owned());
        }
        if case["valid"] == false {
            let set = |of: &Value| -> BTreeSet<String> {
                let issues = of["issues"].as_array().unwrap();
                issues
                    .iter()
                    .map(|issue| issue["path"].as_str().unwrap().to_owned())
                    .collect()
            };
            invalid += 1;
            paths += usize::from(set(answer) == set(&case));
        }
    }
    assert_eq!(different, [""; 0], "verdict or output");
    assert!(
        invalid > 1_000 && paths * 100 >= invalid * 97,
        "{paths} of {invalid}"
    );
}
