//! Users and manifest types.

use serde_json::json;

use crate::home::Home;

#[test]
fn overrides_are_those_of_the_user_in_use() {
    let home = Home::new();
    let users = home.object(&["user", "ls"]);
    assert_eq!(
        users["users"],
        json!([{"id": "ada", "name": "ada", "current": true, "system": true, "overrides": 0}])
    );
    home.object(&[
        "handler",
        "override",
        "docker-compose",
        "--set",
        "/manifest/label=Ada's",
    ]);
    let added = home.object(&["user", "add", "Bo Berg"]);
    assert_eq!(added["user"]["id"], "bo-berg");
    assert_eq!(
        home.object(&["user", "use", "Bo Berg"])["user"]["current"],
        true
    );

    let mine =
        |home: &Home| home.object(&["handler", "show", "docker-compose"])["row"]["own"].clone();
    assert!(mine(&home).is_null());
    // For one process somebody else may be meant.
    let shown = home
        .command(&["handler", "ls"])
        .env("BERTH_USER", "ada")
        .output()
        .unwrap();
    assert!(
        String::from_utf8_lossy(&shown.stdout).contains("Ada's, your override"),
        "{shown:?}"
    );
    let nobody = home
        .command(&["handler", "ls"])
        .env("BERTH_USER", "nobody-here")
        .output()
        .unwrap();
    assert_eq!(nobody.status.code(), Some(2), "{nobody:?}");

    assert_eq!(home.berth(&["user", "rm", "ada"]).code(), 2);
    assert_eq!(home.berth(&["user", "rm", "cy"]).code(), 2);
    assert_eq!(home.berth(&["user", "add", "bo berg"]).code(), 2);
    let gone = home.berth(&["user", "rm", "bo-berg"]);
    assert_eq!(
        (gone.code(), gone.stdout()),
        (0, "Bo Berg is forgotten, with no overrides.\n")
    );
    assert_eq!(mine(&home)["label"], "Ada's");
}

#[test]
fn manifest_types_come_and_go() {
    let home = Home::new();
    let none = home.berth(&["type", "ls"]);
    assert_eq!((none.code(), none.stdout()), (0, ""));
    let set = home.object(&[
        "type",
        "set",
        "helm",
        "--label",
        " Helm chart ",
        "--hint",
        "A values file",
    ]);
    assert_eq!(
        set["type"],
        json!({"manifestId": "helm", "label": "Helm chart", "source": "workspace", "acceptsInputHint": "A values file"})
    );
    assert_eq!(
        home.object(&["type", "ls"])["types"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    // It is asked for on the handlers page.
    assert!(
        home.berth(&["handler", "ls"])
            .stdout()
            .contains("custom:helm     -             -            no handler")
    );
    for words in [
        &["type", "set", "Helm", "--label", "x"][..],
        &["type", "set", "helm", "--label", &"x".repeat(121)],
        &["type", "set", "helm"],
        &["type", "rm", "other"],
    ] {
        let ran = home.berth(words);
        assert_eq!(ran.code(), 2, "{words:?}: {ran:?}");
    }
    assert_eq!(
        home.object(&["type", "rm", "helm"]),
        json!({"removed": "helm"})
    );
    assert_eq!(home.object(&["type", "ls"])["types"], json!([]));
}
