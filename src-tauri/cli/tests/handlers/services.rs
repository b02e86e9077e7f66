//! How services are provisioned, and what that comes to.

use serde_json::json;

use crate::home::Home;

#[test]
fn an_infraless_service_starts_nothing_and_says_so() {
    let home = Home::new();
    let folder = home.project("shop");
    home.object(&["service", "add", &folder]);
    let set = home.object(&["service", "set", "shop", "--type", "infraless"]);
    assert_eq!(set["service"]["provisioning"]["type"], "infraless");
    let up = home.berth(&["up", &folder]);
    assert_eq!((up.code(), up.stdout()), (0, ""), "{up:?}");
    assert_eq!(
        up.stderr(),
        "shop needs nothing to run: nothing was started.\n"
    );
    let up = home.berth(&["up", &folder, "--json"]);
    assert_eq!(up.code(), 0, "{up:?}");
    let said = up.object();
    assert_eq!(said["type"], "result");
    assert_eq!(said["problem"]["code"], "nothing_to_run");
    let detached = home.berth(&["up", "--detach", &folder]);
    assert_eq!(
        (detached.code(), detached.stdout(), detached.stderr()),
        (0, "", "shop needs nothing to run: nothing was started.\n")
    );
    // The folder's service is meant, however it is provisioned: none was added.
    let services = home.object(&["service", "ls"]);
    assert_eq!(services["services"].as_array().unwrap().len(), 1);
    assert_eq!(home.object(&["ls"])["environments"], json!([]));
    let explained = home.object(&["handler", "explain", "shop"]);
    assert_eq!(explained["service"], "shop");
    assert_eq!(explained["choice"]["type"], "nothing_to_run");
}

#[test]
fn what_is_given_is_changed_and_all_else_stays() {
    let home = Home::new();
    let folder = home.project("shop");
    home.object(&["service", "add", &folder]);
    let set = home.object(&[
        "service",
        "set",
        "shop",
        "--local-dev-only",
        "--compose-path",
        "deploy/compose.yaml",
    ]);
    assert_eq!(
        set["service"]["provisioning"],
        json!({"type": "docker-compose", "composePath": "deploy/compose.yaml", "localDevOnly": true})
    );
    let set = home.object(&[
        "service",
        "set",
        "shop",
        "--local-dev-only=false",
        "--compose-path=",
    ]);
    assert_eq!(
        set["service"]["provisioning"],
        json!({"type": "docker-compose", "localDevOnly": false})
    );
    let whole = home.fed(
        &["service", "set", "shop", "--provisioning", "-", "--json"],
        r#"{"type": "custom", "manifestId": "helm", "manifestPath": "preview.json"}"#,
    );
    assert_eq!(
        whole.object()["service"]["provisioning"],
        json!({"type": "custom", "manifestId": "helm", "manifestPath": "preview.json"})
    );
    for words in [
        &["service", "set", "shop"][..],
        &["service", "set", "shop", "--type", "docker"],
        &["service", "set", "shop", "--manifest-id", "Not An Id"],
        &[
            "service",
            "set",
            "shop",
            "--compose-path",
            "../outside.yaml",
        ],
        &["service", "set", "other", "--type", "custom"],
        &[
            "service",
            "set",
            "shop",
            "--type",
            "custom",
            "--provisioning",
            "-",
        ],
    ] {
        let ran = home.berth(words);
        assert_eq!(ran.code(), 2, "{words:?}: {ran:?}");
    }
    let wrong = home.fed(
        &["service", "set", "shop", "--provisioning", "-"],
        "{\"type\": \"docker\"}",
    );
    assert_eq!(wrong.code(), 2, "{wrong:?}");
    assert!(
        wrong.stderr().contains("standard input:1:10 type"),
        "{wrong:?}"
    );
}

#[test]
fn activity_is_paged_and_kept_as_long_as_asked() {
    let home = Home::new();
    for label in ["A", "B", "C"] {
        home.object(&["handler", "set", "docker-compose", "--label", label]);
    }
    let page = home.object(&["activity", "--limit", "2"]);
    let last = page["activity"].as_array().unwrap().last().unwrap();
    let before = format!("{}:{}", last["at"], last["id"]);
    let rest = home.object(&["activity", "--before", &before]);
    let labels: Vec<&str> = rest["activity"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|line| line["engineLabel"].as_str())
        .collect();
    assert_eq!(labels, ["A"]);
    assert_eq!(home.berth(&["activity", "--before", "yesterday"]).code(), 2);
    assert_eq!(
        home.object(&["activity", "--keep", "30"])["settings"]["activityDays"],
        30
    );
    assert_eq!(home.berth(&["activity", "--keep", "0"]).code(), 2);
}

#[test]
fn fields_that_do_not_exist_are_refused_with_the_likely_name() {
    let home = Home::new();
    let project = home.project("shop");
    home.object(&["service", "add", &project, "--name", "shop"]);
    let file = home.file(
        "provisioning.json",
        r#"{"type": "kubernetes", "manifestPaht": "app.yaml"}"#,
    );
    for (words, field, likely) in [
        (
            &["service", "set", "shop", "--provisioning", &file][..],
            "/manifestPaht",
            "manifestPath",
        ),
        (
            &[
                "handler",
                "set",
                "docker-compose",
                "--set",
                "/manifest/lable=oops",
            ],
            "/manifest/lable",
            "label",
        ),
        (
            &[
                "handler",
                "override",
                "docker-compose",
                "--set",
                "/a/b/c=bar",
            ],
            "/a",
            "",
        ),
        (
            &["handler", "override", "docker-compose", "--unset", "/"],
            "/",
            "name is missing",
        ),
    ] {
        let ran = home.berth(words);
        assert_eq!(ran.code(), 2, "{ran:?}");
        assert!(
            ran.stderr().contains(field) && ran.stderr().contains(likely),
            "{ran:?}"
        );
    }
    let ran = home.berth(&[
        "handler",
        "override",
        "docker-compose",
        "--set",
        "/manifest/label=Mine",
    ]);
    assert_eq!(ran.code(), 0, "{ran:?}");
}
