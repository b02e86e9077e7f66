//! The Docker handler: set without a document, overridden, switched, compared,
//! tested.

use serde_json::{Value, json};

use crate::home::Home;

fn row(home: &Home, kind: &str) -> Value {
    home.object(&["handler", "show", kind])["row"].clone()
}

#[test]
fn a_fresh_workspace_has_one_for_docker() {
    let home = Home::new();
    let listed = home.object(&["handler", "ls"]);
    assert_eq!(listed["rows"].as_array().unwrap().len(), 2);
    assert_eq!(listed["user"]["id"], "ada");
    assert_eq!(listed["more"], false);
    let ran = home.berth(&["handler", "ls"]);
    assert_eq!(
        ran.stdout(),
        "\
KIND            WORKSPACE     MY OVERRIDE  IN EFFECT
docker-compose  Local Docker  -            Local Docker, the workspace's
kubernetes      -             -            no handler
"
    );
    let found = home.object(&["handler", "ls", "--search", "kube"]);
    assert_eq!(found["rows"].as_array().unwrap().len(), 1);
    let none = home.berth(&["handler", "ls", "--search", "nothing like it"]);
    assert_eq!((none.code(), none.stdout()), (0, ""));
}

#[test]
fn single_settings_change_and_all_else_stays() {
    let home = Home::new();
    let set = home.object(&[
        "handler",
        "set",
        "docker-compose",
        "--label",
        "Colima",
        "--endpoint",
        "unix:///x.sock",
        "--set",
        "/manifest/providerConfig/port=8080",
    ]);
    assert_eq!(set["handler"]["label"], "Colima");
    assert_eq!(set["handler"]["address"], "unix:///x.sock");
    let again = home.object(&["handler", "set", "docker-compose", "--endpoint", ""]);
    assert_eq!(again["handler"]["label"], "Colima");
    assert_eq!(again["handler"]["address"], Value::Null);
    assert_eq!(
        again["handler"]["config"]["manifest"]["providerConfig"],
        json!({"port": "8080"})
    );
    let activity = home.berth(&["activity"]);
    assert!(
        activity
            .stdout()
            .contains("Colima set as a handler (command line)"),
        "{activity:?}"
    );
}

#[test]
fn faults_of_a_document_are_named_with_their_places_and_nothing_is_saved() {
    let home = Home::new();
    let file = home.file(
        "handler.json",
        "{\"engine\": \"local-docker\",\n \"manifest\": {\"label\": 1}}",
    );
    let ran = home.berth(&["handler", "set", &file]);
    assert_eq!(ran.code(), 2, "{ran:?}");
    assert!(
        ran.stderr().contains("handler.json:2:24 manifest.label"),
        "{ran:?}"
    );
    for (words, said) in [
        (
            &[
                "handler",
                "set",
                "docker-compose",
                "--endpoint",
                "tcp://far:2375",
            ][..],
            "endpoint",
        ),
        (
            &[
                "handler",
                "set",
                "docker-compose",
                "--set",
                "/manifest/label/x=1",
            ],
            "There can be no field",
        ),
        (
            &["handler", "set", "docker-compose", "--manifest-id", "helm"],
            "no manifest type",
        ),
        (&["handler", "set", "x.json", "--label", "L"], "--label"),
        (&["handler", "set", "missing.json"], "missing.json"),
        (&["handler", "show", "custom:none"], "custom:none"),
        (&["handler", "rm", "kubernetes"], "kubernetes"),
        (&["handler", "test", "kubernetes"], "kubernetes"),
        (
            &["handler", "override", "on", "docker-compose"],
            "no override",
        ),
        (&["handler", "override", "kubernetes"], "kubernetes"),
        (&["handler", "explain", "shop"], "shop"),
        (
            &["handler", "test", "docker"],
            "accepted are docker-compose",
        ),
        (&["handler", "show", "docker"], "accepted are"),
    ] {
        let ran = home.berth(words);
        assert_eq!(ran.code(), 2, "{words:?}: {ran:?}");
        assert!(ran.stderr().contains(said), "{words:?}: {ran:?}");
        assert_eq!(ran.stdout(), "", "{words:?}");
    }
    assert_eq!(
        row(&home, "docker-compose")["workspace"]["label"],
        "Local Docker"
    );
}

#[test]
fn an_override_is_a_copy_with_a_field_changed_and_can_be_switched() {
    let home = Home::new();
    let made = home.object(&[
        "handler",
        "override",
        "docker-compose",
        "--set",
        "/manifest/providerConfig/endpoint=unix:///mine.sock",
        "--set",
        "/manifest/label=Mine",
    ]);
    assert_eq!(made["override"]["enabled"], true);
    assert_eq!(made["override"]["address"], "unix:///mine.sock");

    let ran = home.berth(&["handler", "ls", "--search", "docker"]);
    assert!(
        ran.stdout()
            .contains("docker-compose  Local Docker  Mine (on)    Mine, your override\n"),
        "{ran:?}"
    );
    let compared = home.object(&["handler", "override", "compare", "docker-compose"]);
    let origins: Vec<(&str, &str)> = compared["fields"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|field| Some((field["pointer"].as_str()?, field["origin"].as_str()?)))
        .collect();
    for (pointer, origin) in [
        ("/manifest/label", "own"),
        ("/manifest/providerConfig/endpoint", "own"),
        ("/manifest/baseUrl", "workspace"),
    ] {
        assert!(origins.contains(&(pointer, origin)), "{origins:?}");
    }

    let off = home.berth(&["handler", "override", "off", "docker-compose"]);
    assert_eq!((off.code(), off.stdout()), (0, "Mine is switched off.\n"));
    assert!(
        off.stderr().contains(
            "In effect from the next start: Local Docker, the workspace's (your override is switched off)."
        ),
        "{off:?}"
    );
    let on = home.object(&["handler", "override", "on", "docker-compose"]);
    assert_eq!(on["override"]["enabled"], true);

    // There is one, so a bare copy would be nothing new; a field can be changed.
    let twice = home.berth(&["handler", "override", "docker-compose"]);
    assert_eq!(twice.code(), 2, "{twice:?}");
    let changed = home.object(&[
        "handler",
        "override",
        "docker-compose",
        "--unset",
        "/manifest/providerConfig/endpoint",
    ]);
    assert_eq!(changed["override"]["label"], "Mine");
    assert_eq!(changed["override"]["address"], Value::Null);

    let reset = home.object(&["handler", "override", "reset", "docker-compose"]);
    assert_eq!(
        reset["removed"],
        json!({"provisionType": "docker-compose", "manifestId": null})
    );
    assert_eq!(row(&home, "docker-compose")["own"], Value::Null);
}

#[test]
fn a_copy_that_would_be_wrong_leaves_nothing() {
    let home = Home::new();
    let ran = home.berth(&[
        "handler",
        "override",
        "docker-compose",
        "--set",
        "/manifest/providerConfig/port=many",
    ]);
    assert_eq!(ran.code(), 2, "{ran:?}");
    assert_eq!(row(&home, "docker-compose")["own"], Value::Null);
}

#[test]
fn an_override_made_from_a_document_is_for_its_kind_alone() {
    let home = Home::new();
    let config = row(&home, "docker-compose")["workspace"]["config"].to_string();
    let made = home.fed(
        &[
            "handler",
            "override",
            "docker-compose",
            "--from",
            "-",
            "--json",
        ],
        &config,
    );
    assert_eq!(made.code(), 0, "{made:?}");
    assert_eq!(made.object()["override"]["differences"], 0);
    let wrong = home.fed(
        &["handler", "override", "kubernetes", "--from", "-"],
        &config,
    );
    assert_eq!(wrong.code(), 2, "{wrong:?}");
}

#[test]
fn without_a_workspace_handler_nothing_is_in_effect() {
    let home = Home::new();
    let folder = home.project("shop");
    home.object(&["service", "add", &folder]);
    let removed = home.berth(&["handler", "rm", "docker-compose"]);
    assert_eq!(
        (removed.code(), removed.stdout()),
        (0, "docker-compose has no workspace handler any more.\n")
    );
    let explained = home.object(&["handler", "explain", "shop"]);
    assert_eq!(explained["choice"]["type"], "no_handler");
    let up = home.berth(&["up", &folder]);
    assert_eq!(up.code(), 1, "{up:?}");
    assert!(up.stderr().contains("Nothing handles shop"), "{up:?}");
    // As a service that nobody handles it is revived by setting it again.
    home.object(&["handler", "set", "docker-compose", "--label", "Again"]);
    let explained = home.berth(&["handler", "explain", "shop"]);
    assert!(
        explained.stdout().starts_with(
            "shop (docker-compose) is handled by Again, the workspace's (local-docker).\n"
        ),
        "{explained:?}"
    );
}

#[test]
fn a_test_is_a_ladder_that_says_what_to_do_and_stores_nothing() {
    let home = Home::new();
    let ran = home.berth(&["handler", "test"]);
    assert_eq!(ran.code(), 3, "{ran:?}");
    assert!(ran.stdout().contains("no.sock"), "{ran:?}");
    assert!(ran.stdout().contains("skipped"), "{ran:?}");

    let mut config = row(&home, "docker-compose")["workspace"]["config"].clone();
    config["manifest"]["providerConfig"]["endpoint"] = json!("unix:///not/there.sock");
    let ran = home.fed(&["handler", "test", "-", "--json"], &config.to_string());
    assert_eq!(ran.code(), 3, "{ran:?}");
    let lines = ran.objects();
    assert_eq!(lines[0]["type"], "expected");
    assert_eq!(
        lines.last().unwrap(),
        &json!({"type": "finished", "passed": false})
    );
    let failed = lines
        .iter()
        .find(|line| line["check"]["verdict"]["state"] == "failed")
        .unwrap();
    assert!(
        failed["check"]["detail"]
            .as_str()
            .is_some_and(|detail| detail.contains("/not/there.sock")),
        "{failed}"
    );
    assert_eq!(
        row(&home, "docker-compose")["workspace"]["address"],
        Value::Null
    );
}
