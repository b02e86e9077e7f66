//! Services that nothing is started for: none is needed, none is allowed, none is there, or too many are.

use std::fs;

use berth_tests::EngineKind;
use serde_json::{Value, json};

use crate::bench::{Bench, Shop, label, page_project, text};

fn bench() -> (Bench, Shop) {
    let bench = Bench::on(EngineKind::Modern);
    let shop = Shop::new(&[("compose.yaml", &page_project("web"))]);
    bench.berth.succeed(["service", "add", &shop.path()]);
    (bench, shop)
}

fn provision(bench: &Bench, words: &[&str]) {
    let words = ["service", "set", "shop"].iter().chain(words);
    bench.berth.succeed(words.copied());
}

/// Registers a handler of a service elsewhere.
fn add_remote(bench: &Bench, label: &str, accepts: &str) {
    let document = json!({
        "engine": "remote-custom",
        "manifest": {
            "providerId": "acme",
            "label": label,
            "baseUrl": "https://previews.example.com",
            "auth": {"type": "none"},
            "provision": {"method": "POST", "pathTemplate": "/environments"},
            "response": {"urlPath": "url"},
        },
        "acceptsManifestId": accepts,
    });
    let file = bench.berth.data().join(format!("{accepts}.json"));
    fs::write(&file, document.to_string()).unwrap();
    bench
        .berth
        .succeed(["handler", "set", file.to_str().unwrap()]);
}

/// A start fails, for people and for programs, with this code, saying these words; nothing is made.
fn is_refused(bench: &Bench, shop: &Shop, code: &str, words: &[&str]) {
    let (problem, exit) = bench.refused(&[&shop.path()]);
    assert_eq!((text(&problem, "code"), exit), (code, 1), "{problem:#}");
    assert!(problem["hint"].is_string(), "{problem:#}");
    let output = bench.berth.run(["up", &shop.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for word in words {
        assert!(said.contains(word), "{word}:\n{said}");
    }
    let listed = bench.berth.succeed(["ls", "--all", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["environments"], json!([]));
}

/// What came of looking at the handler of that label.
fn verdict<'a>(explanation: &'a Value, label: &str) -> &'a str {
    let rows = explanation["lookedAt"].as_array().unwrap();
    let row = rows.iter().find(|row| row["handler"]["label"] == label);
    text(row.unwrap_or_else(|| panic!("{explanation:#}")), "verdict")
}

fn explained(bench: &Bench) -> (Value, String) {
    let as_json = bench
        .berth
        .succeed(["handler", "explain", "shop", "--json"]);
    (
        serde_json::from_str(&as_json).unwrap(),
        bench.berth.succeed(["handler", "explain", "shop"]),
    )
}

#[test]
fn an_infraless_service_starts_nothing_and_says_so() {
    let (bench, shop) = bench();
    let before = bench.up(&[&shop.path()]);
    bench.berth.succeed(["down", "--all"]);
    provision(&bench, &["--type", "infraless"]);
    let output = bench.berth.run(["up", &shop.path()]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("nothing was started"), "{said}");
    let listed = bench.berth.succeed(["ls", "--json"]);
    assert!(listed.contains("\"environments\":[]"), "{listed}");
    assert!(bench.engine.labelled(&label(&before)).is_empty());
    let (explanation, words) = explained(&bench);
    assert_eq!(explanation["choice"]["type"], "nothing_to_run");
    assert_eq!(explanation["lookedAt"], json!([]));
    assert!(words.contains("starting it starts nothing"), "{words}");
}

#[test]
fn a_service_that_becomes_infraless_leaves_what_runs_to_be_taken_down() {
    let (bench, shop) = bench();
    let made = bench.up(&[&shop.path()]);
    provision(&bench, &["--type", "infraless"]);
    let status = bench.status(text(&made, "name"));
    assert_eq!(status["environment"]["parts"][0]["state"], "running");
    bench.end(&[&made]);
}

#[test]
fn local_development_only_is_honoured() {
    let (bench, shop) = bench();
    add_remote(&bench, "Acme Preview", "acme-preview");
    provision(
        &bench,
        &[
            "--type",
            "custom",
            "--manifest-id",
            "acme-preview",
            "--local-dev-only",
        ],
    );
    is_refused(
        &bench,
        &shop,
        "local_dev_only",
        &["local development only", "Acme Preview", "another machine"],
    );
    let (explanation, words) = explained(&bench);
    assert_eq!(explanation["choice"]["type"], "local_dev_only");
    assert_eq!(verdict(&explanation, "Acme Preview"), "not_local");
    assert_eq!(verdict(&explanation, "Local Docker"), "other_type");
    assert!(words.contains("for local development only"), "{words}");
    // The handler of this machine may.
    provision(&bench, &["--type", "docker-compose", "--manifest-id="]);
    let made = bench.up(&[&shop.path()]);
    assert!(explained(&bench).1.contains("is handled by Local Docker"));
    bench.end(&[&made]);
}

#[test]
fn no_handler_and_too_many_are_said_with_what_was_looked_at() {
    let (bench, shop) = bench();
    provision(&bench, &["--type", "custom", "--manifest-id", "helm"]);
    add_remote(&bench, "Acme", "acme-preview");
    is_refused(
        &bench,
        &shop,
        "no_handler",
        &["Nothing handles shop", "helm", "berth handler set"],
    );
    let (explanation, words) = explained(&bench);
    assert_eq!(explanation["choice"]["type"], "no_handler");
    assert_eq!(verdict(&explanation, "Acme"), "other_manifest_type");
    assert!(words.contains("serves another manifest type"), "{words}");

    provision(&bench, &["--manifest-id="]);
    add_remote(&bench, "Globex", "globex");
    is_refused(
        &bench,
        &shop,
        "ambiguous_handler",
        &["Several handlers", "Acme", "Globex"],
    );
    let (explanation, words) = explained(&bench);
    let candidates = explanation["choice"]["candidates"].as_array().unwrap();
    let labels: Vec<&str> = candidates.iter().map(|one| text(one, "label")).collect();
    assert_eq!(labels, ["Acme", "Globex"]);
    assert!(words.contains("so none is chosen"), "{words}");

    // An engine that Berth cannot start on yet is said, and not guessed.
    provision(&bench, &["--manifest-id", "globex"]);
    let (problem, _) = bench.refused(&[&shop.path()]);
    assert!(problem.to_string().contains("Globex"), "{problem:#}");
}

#[test]
fn without_any_handler_for_docker_nothing_is_started() {
    let (bench, shop) = bench();
    bench.berth.succeed(["handler", "rm", "docker-compose"]);
    is_refused(
        &bench,
        &shop,
        "no_handler",
        &["Nothing handles shop", "docker-compose"],
    );
    // One that is switched off is no answer, but a hint.
    let endpoint = bench.engine.address();
    let set = ["handler", "set", "--mine", "--label", "Mine", "--endpoint"];
    bench.berth.succeed([&set[..], &[&endpoint]].concat());
    bench
        .berth
        .succeed(["handler", "override", "off", "docker-compose"]);
    is_refused(&bench, &shop, "no_handler", &["Mine", "switch it on"]);
    bench
        .berth
        .succeed(["handler", "override", "on", "docker-compose"]);
    let made = bench.up(&[&shop.path()]);
    assert_eq!(made["madeWith"]["label"], "Mine");
    bench.end(&[&made]);
}
