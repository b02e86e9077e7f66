//! Workspaces as files.

use serde_json::{Value, json};

use crate::home::{Home, api};

const VALUE: &str = "hunter2-9f8e7d6c5b4a";

/// A file with a type, a handler that needs a secret, and nothing else new.
fn exported() -> (Home, String) {
    let home = Home::new();
    home.with_vault(&["secrets", "use", "vault"], "");
    home.object(&["type", "set", "acme-preview", "--label", "Acme preview"]);
    let file = home.file("api.json", &api("Acme"));
    let set = home.with_vault(
        &["handler", "set", &file, "--secrets-from-stdin"],
        &format!("API_TOKEN={VALUE}\n"),
    );
    assert_eq!(set.code(), 0, "{set:?}");
    let ran = home.berth(&["workspace", "export", "berth.workspace.json"]);
    assert_eq!(
        (ran.code(), ran.stdout()),
        (0, "berth.workspace.json is written.\n")
    );
    let text = std::fs::read_to_string(home.path().join("berth.workspace.json")).unwrap();
    assert!(text.contains("API_TOKEN") && !text.contains(VALUE));
    let printed = home.berth(&["workspace", "export"]);
    assert_eq!(printed.stdout().trim_end(), text.trim_end());
    (home, text)
}

#[test]
fn what_is_here_already_needs_no_import() {
    let (home, _) = exported();
    let ran = home.berth(&["workspace", "import", "berth.workspace.json"]);
    assert_eq!(ran.code(), 0, "{ran:?}");
    assert!(ran.stderr().contains("nothing to import"), "{ran:?}");
}

#[test]
fn a_diff_comes_first_and_nobody_is_passed_over() {
    let (_, text) = exported();
    let home = Home::new();
    let file = home.file("berth.workspace.json", &text);
    for words in [
        &["workspace", "import", &file][..],
        &["workspace", "import", &file, "--dry-run"],
    ] {
        let ran = home.berth(words);
        let dry = words.contains(&"--dry-run");
        assert_eq!(ran.code(), i32::from(!dry), "{ran:?}");
        assert!(
            ran.stdout()
                .contains("add     manifest type acme-preview\n"),
            "{ran:?}"
        );
        assert!(ran.stdout().contains("API_TOKEN"), "{ran:?}");
        assert_eq!(ran.stderr().contains("--yes"), !dry, "{ran:?}");
    }
    let ran = home.berth(&["workspace", "import", &file, "--json"]);
    assert_eq!(ran.code(), 1, "{ran:?}");
    let said = ran.object();
    assert_eq!(said["imported"], false);
    assert_eq!(said["problem"]["code"], "invalid_input");
    assert_eq!(
        said["preview"]["missingSecrets"][0]["keys"],
        json!(["API_TOKEN"])
    );
    assert_eq!(home.object(&["type", "ls"])["types"], json!([]));
}

#[test]
fn an_import_brings_everything_and_takes_its_secrets_from_outside_the_file() {
    let (_, text) = exported();
    let home = Home::new();
    home.with_vault(&["secrets", "use", "vault"], "");
    let file = home.file("berth.workspace.json", &text);
    let without = home.with_vault(&["workspace", "import", &file, "--yes"], "");
    assert_eq!(without.code(), 2, "{without:?}");
    let line = format!("custom:acme-preview/API_TOKEN={VALUE}\n");
    let ran = home.with_vault(
        &[
            "workspace",
            "import",
            &file,
            "--yes",
            "--secrets-from-stdin",
            "--json",
        ],
        &line,
    );
    assert_eq!(ran.code(), 0, "{ran:?}");
    assert_eq!(ran.object()["imported"], true);
    let shown = home.object(&["handler", "show", "custom:acme-preview"]);
    assert_eq!(shown["row"]["workspace"]["label"], "Acme");
    assert!(shown["row"]["workspace"]["secrets"][0]["setAt"].is_i64());
    home.refuse_in_data(VALUE);
    // A second time there is nothing left to do.
    let again = home.with_vault(&["workspace", "import", &file, "--yes", "--json"], "");
    assert_eq!(
        (again.code(), &again.object()["imported"]),
        (0, &Value::Bool(false))
    );
}

#[test]
fn what_is_no_workspace_file_is_told_with_its_place() {
    let home = Home::new();
    for text in [
        "",
        "{",
        "[]",
        "{\"berth\": 99}",
        "{\"berth\": 1, \"handlers\": [{}]}",
    ] {
        let ran = home.fed(&["workspace", "import", "-", "--yes"], text);
        assert_eq!(ran.code(), 2, "{text}: {ran:?}");
        assert_ne!(ran.stderr(), "", "{text}");
    }
    assert_eq!(home.berth(&["workspace", "import", "none.json"]).code(), 2);
    assert_eq!(
        home.berth(&["workspace", "import", "-", "--secrets-from-stdin"])
            .code(),
        2
    );
    assert_eq!(
        home.berth(&["workspace", "export", "no/such/folder.json"])
            .code(),
        2
    );
}

#[test]
fn an_export_replaces_workspace_files_only() {
    let home = Home::new();
    let file = home.file("README.md", "# Mine\n");
    let ran = home.berth(&["workspace", "export", &file]);
    assert_eq!(ran.code(), 2, "{ran:?}");
    assert!(
        ran.stderr().contains("README.md is there already") && ran.stderr().contains("--force"),
        "{ran:?}"
    );
    assert_eq!(
        std::fs::read_to_string(home.path().join(&file)).unwrap(),
        "# Mine\n"
    );

    let forced = home.berth(&["workspace", "export", &file, "--force"]);
    assert_eq!(forced.code(), 0, "{forced:?}");
    // Now it is one, and so is replaced without a word.
    let again = home.berth(&["workspace", "export", &file]);
    assert_eq!(again.code(), 0, "{again:?}");
    let empty = home.file("empty.json", "");
    let ran = home.berth(&["workspace", "export", &empty]);
    assert_eq!(ran.code(), 0, "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_export_is_written_into_devices_and_pipes() {
    use std::os::unix::fs::FileTypeExt as _;

    let home = Home::new();
    let ran = home.berth(&["workspace", "export", "/dev/full"]);
    assert_eq!(ran.code(), 1, "{ran:?}");
    let kind = std::fs::metadata("/dev/full").unwrap().file_type();
    assert!(kind.is_char_device());

    let printed = home.berth(&["workspace", "export", "-"]);
    let through = home.berth(&["workspace", "export", "/dev/stdout"]);
    assert_eq!(through.code(), 0, "{through:?}");
    assert_eq!(through.stdout(), printed.stdout());
}

#[test]
fn what_is_added_is_shown_and_faults_have_their_place() {
    let home = Home::new();
    let file = home.file(
        "berth.workspace.json",
        "{\n  \"berth\": 1,\n  \"services\": [{\n    \"name\": \"shop\",\n    \"source\": {\"type\": \"git\", \"url\": \"https://example.com/shop.git\"},\n    \"provisioning\": {\"type\": \"docker-compose\"}\n  }]\n}\n",
    );
    let ran = home.berth(&["workspace", "import", &file, "--dry-run"]);
    assert_eq!(ran.code(), 0, "{ran:?}");
    assert!(
        ran.stdout().contains("https://example.com/shop.git"),
        "{ran:?}"
    );

    let text = std::fs::read_to_string(home.path().join(&file)).unwrap();
    home.file(
        &file,
        &text.replace("https://example.com/shop.git", "file:///etc"),
    );
    let ran = home.berth(&["workspace", "import", &file, "--yes"]);
    assert_eq!(ran.code(), 2, "{ran:?}");
    assert!(
        ran.stderr()
            .contains("berth.workspace.json:5:38 services.0.source.url: "),
        "{ran:?}"
    );
    assert!(ran.stderr().contains("file://"), "{ran:?}");
}
