//! What a preview says, and what an import refuses.

use super::*;
use crate::store::environments::{EngineRef, NewEnvironment};
use crate::store::{environments, new_id};
use crate::view::Selector;

fn change_of<'a>(preview: &'a ImportPreview, name: &str) -> &'a ImportChange {
    let named = |what: &Imported| match what {
        Imported::Service { name } => name.clone(),
        Imported::Handler { label, .. } => label.clone(),
        Imported::ManifestType { manifest_id } => manifest_id.clone(),
    };
    preview
        .changes
        .iter()
        .find(|change| named(&change.what) == name)
        .unwrap()
}

fn values(change: &ImportChange) -> Value {
    let values = change
        .values
        .iter()
        .map(|it| json!([it.pointer, it.before, it.after]));
    values.collect()
}

#[tokio::test]
async fn each_value_that_would_change_is_shown() {
    let machine = Machine::new().await;
    let repo = machine.folder("repo");
    let shop = machine.folder("repo/shop");
    machine.folder("repo/other");
    machine.add(&shop, "shop").await;
    machine.add(&repo, "stays").await;
    let text = json!({
        "services": [
            {
                "name": "web",
                "source": {"type": "folder", "path": "other"},
                "provisioning": {"type": "docker-compose"},
            },
            {
                "name": "shop",
                "source": {"type": "folder", "path": "shop"},
                "provisioning": {"type": "docker-compose", "composePath": "ci.yaml"},
            },
        ],
        "handlers": [{
            "provisionType": "docker-compose",
            "config": docker("Docker here", json!({"port": "3000"})),
        }],
        "berth": 1,
    })
    .to_string();
    let preview = machine.preview(&text, Some(&repo)).await;
    let handler = change_of(&preview, "Docker here");
    assert_eq!(handler.action, ImportAction::Change);
    assert_eq!(
        values(handler),
        json!([
            ["/manifest/label", "Local Docker", "Docker here"],
            ["/manifest/providerConfig/port", null, "3000"],
        ])
    );
    let shop = change_of(&preview, "shop");
    assert_eq!(shop.action, ImportAction::Change);
    assert_eq!(
        values(shop),
        json!([["/provisioning/composePath", null, "ci.yaml"]])
    );
    let web = change_of(&preview, "web");
    assert_eq!(web.action, ImportAction::Add);
    assert_eq!(
        values(web),
        json!([
            ["/source/type", null, "folder"],
            ["/source/path", null, repo.join("other")],
            ["/provisioning/type", null, "docker-compose"],
        ])
    );
    assert_eq!(
        preview.changes.len(),
        3,
        "what is not in the file is not told of"
    );
    assert_eq!(preview.warnings, [""; 0]);

    let before = machine.activity().await.len();
    machine
        .import(&text, Some(&repo), Vec::new())
        .await
        .unwrap();
    let names: Vec<_> = machine.berth.snapshot().await.unwrap().services;
    let names: Vec<_> = names.iter().map(|service| service.name.as_str()).collect();
    assert_eq!(names, ["shop", "stays", "web"]);
    let done: Vec<_> = machine.activity().await.drain(before..).collect();
    assert_eq!(
        done,
        [
            (ActivityVerb::HandlerSet, None),
            (ActivityVerb::ServiceChanged, None),
            (ActivityVerb::ServiceAdded, None),
            (
                ActivityVerb::Imported,
                Some("1 added, 2 changed".to_owned())
            ),
        ]
    );
    let again = machine.preview(&text, Some(&repo)).await;
    assert_eq!(actions(&again), [ImportAction::Keep; 3]);
}

#[tokio::test]
async fn a_file_without_the_values_of_its_secrets_changes_nothing() {
    let machine = Machine::new().await;
    let text = file_with_api();
    let before = machine.export(None).await;
    let some = vec![(helm(), secrets(&[("API_TOKEN", PLANTED)]))];
    let problem = machine.import(&text, None, some).await.unwrap_err();
    assert_eq!(problem.code, Code::SecretMissing);
    assert_eq!(
        problem.detail.as_deref(),
        Some("Acme previews (custom:helm) needs EXTRA.")
    );
    assert!(!format!("{problem:?}").contains(PLANTED));
    assert_eq!(machine.export(None).await, before);
    assert_eq!(machine.activity().await, []);
    assert_eq!(machine.keychain.names(), [""; 0]);

    let all = vec![(helm(), secrets(&[("API_TOKEN", PLANTED), ("EXTRA", "x")]))];
    machine.import(&text, None, all).await.unwrap();
    // What is set here need not be given again; one alone can be.
    assert_eq!(machine.preview(&text, None).await.missing_secrets, []);
    let items = machine.keychain.names();
    let one = vec![(helm(), secrets(&[("EXTRA", "y")]))];
    let done = machine.import(&text, None, one).await.unwrap();
    assert_eq!(actions(&done), [ImportAction::Keep; 3]);
    assert_eq!(machine.keychain.names().len(), items.len());
    assert_ne!(machine.keychain.names(), items);

    let none = NewSecrets {
        remove: vec!["API_TOKEN".to_owned()],
        ..NewSecrets::default()
    };
    let problem = machine
        .import(&text, None, vec![(helm(), none)])
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::SecretMissing);
}

#[tokio::test]
async fn secrets_that_cannot_be_are_refused_before_anything_is_changed() {
    let machine = Machine::new().await;
    let text = file_with_api();
    let good = || (helm(), secrets(&[("API_TOKEN", "t"), ("EXTRA", "x")]));
    let stranger = (key(ProvisionType::Kubernetes, None), secrets(&[("A", "b")]));
    let misnamed = (helm(), secrets(&[("API TOKEN", PLANTED)]));
    let long = "x".repeat(70_000);
    let too_long = (helm(), secrets(&[("API_TOKEN", &long)]));
    for wrong in [stranger, misnamed, too_long] {
        let problem = machine
            .import(&text, None, vec![good(), wrong])
            .await
            .unwrap_err();
        assert_eq!(problem.code, Code::InvalidInput, "{problem:?}");
        assert!(!format!("{problem:?}").contains(PLANTED));
    }
    assert_eq!(machine.activity().await, []);
    assert_eq!(machine.keychain.names(), [""; 0]);
}

#[tokio::test]
async fn files_are_not_taken_from_beneath_an_environment() {
    let machine = Machine::new().await;
    let repo = machine.folder("repo");
    let id = machine.add(&machine.folder("repo/old"), "shop").await;
    machine.folder("repo/new");
    let live = NewEnvironment {
        workspace_id: "default".to_owned(),
        service_id: id,
        service_name: "shop".to_owned(),
        name: "shop-main".to_owned(),
        selector: Selector::WorkingTree,
        key: "tree".to_owned(),
        provision_type: ProvisionType::DockerCompose,
        engine: EngineRef {
            engine: berth_contracts::Engine::LocalDocker,
            label: "Local Docker".to_owned(),
            address: "unix:///var/run/docker.sock".to_owned(),
            rule: "platform default".to_owned(),
            id: None,
        },
        made_with: None,
        project: "shop-main-1".to_owned(),
        host: "shop-main".to_owned(),
        expires_at: None,
    };
    let environment = machine
        .berth
        .store()
        .write(move |tx| {
            let id = new_id(tx)?;
            environments::insert(tx, 1, &id, &live)?;
            Ok(id)
        })
        .await
        .unwrap();
    let text = machine.export(Some(&repo)).await;
    let moved = text.replace("\"old\"", "\"new\"");
    let preview = machine.preview(&moved, Some(&repo)).await;
    assert_eq!(preview.warnings.len(), 1);
    assert!(
        preview.warnings[0].contains("shop-main"),
        "{:?}",
        preview.warnings
    );
    let problem = machine
        .import(&moved, Some(&repo), Vec::new())
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::Busy);
    assert!(problem.detail.unwrap().contains("shop-main"));
    assert_eq!(machine.export(Some(&repo)).await, text);

    // How it is provisioned can change: that is in effect at the next start.
    let other = text.replace(
        "\"docker-compose\"\n",
        "\"docker-compose\",\n        \"localDevOnly\": true\n",
    );
    machine
        .import(&other, Some(&repo), Vec::new())
        .await
        .unwrap();
    assert_eq!(machine.export(Some(&repo)).await, other);

    machine
        .berth
        .store()
        .write(move |tx| environments::set_torn_down(tx, 2, &environment))
        .await
        .unwrap();
    let done = machine
        .import(&moved, Some(&repo), Vec::new())
        .await
        .unwrap();
    assert_eq!(change_of(&done, "shop").action, ImportAction::Change);
    assert_eq!(machine.export(Some(&repo)).await, moved);
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_left_out_and_named() {
    let machine = Machine::new().await;
    let repo = machine.folder("repo");
    fs::write(repo.join("file"), "").unwrap();
    let service = |name: &str, path: &str| {
        json!({
            "name": name,
            "source": {"type": "folder", "path": path},
            "provisioning": {"type": "docker-compose"},
        })
    };
    let text = json!({
        "berth": 1,
        "services": [service("a", "gone"), service("b", "file"), service("c", "."), service("d", "../../../../../../../../../../gone")],
    })
    .to_string();
    let done = machine
        .import(&text, Some(&repo), Vec::new())
        .await
        .unwrap();
    assert_eq!(actions(&done), [ImportAction::Add]);
    assert_eq!(done.warnings.len(), 3);
    assert!(done.warnings[0].contains("“a”") && done.warnings[0].contains("gone"));
    assert!(done.warnings[1].contains("“b”"));
    let nowhere = machine.preview(&text, None).await;
    assert_eq!((nowhere.changes.len(), nowhere.warnings.len()), (0, 4));
    let missing = machine.root.join("missing");
    let problem = machine
        .berth
        .preview_import(text, Some(missing))
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::PathMissing);
}

#[tokio::test]
async fn a_handler_that_lacks_a_secret_of_the_file_is_changed() {
    let machine = Machine::new().await;
    let all = vec![(helm(), secrets(&[("API_TOKEN", "t"), ("EXTRA", "x")]))];
    let text = file_with_api();
    machine.import(&text, None, all).await.unwrap();
    let more = text.replace("\"EXTRA\"", "\"EXTRA\",\"MORE\"");
    let preview = machine.preview(&more, None).await;
    assert_eq!(
        change_of(&preview, "Acme previews").action,
        ImportAction::Change
    );
    assert_eq!(preview.missing_secrets[0].keys, ["MORE"]);
    let more_secrets = vec![(helm(), secrets(&[("MORE", "m")]))];
    machine.import(&more, None, more_secrets).await.unwrap();
    let after = machine.preview(&more, None).await;
    assert_eq!(actions(&after), [ImportAction::Keep; 3]);
    assert!(machine.export(None).await.contains("\"MORE\""));
}

#[tokio::test]
async fn secrets_that_would_go_elsewhere_are_told_of() {
    let machine = Machine::new().await;
    let all = || vec![(helm(), secrets(&[("API_TOKEN", PLANTED), ("EXTRA", "x")]))];
    let text = file_with_api();
    machine.import(&text, None, all()).await.unwrap();
    let other = text.replace("previews.example.com", "previews.example.net");
    let preview = machine.preview(&other, None).await;
    assert_eq!(preview.warnings.len(), 1);
    assert!(
        preview.warnings[0].contains("to another address than now: https://previews.example.net"),
        "{:?}",
        preview.warnings
    );
    // Not of a handler whose other values change.
    let other = text.replace("Acme previews", "Previews");
    assert_eq!(machine.preview(&other, None).await.warnings, [""; 0]);
}

#[tokio::test]
async fn a_second_service_of_the_same_files_is_told_of() {
    let machine = Machine::new().await;
    let repo = machine.folder("repo");
    machine.add(&repo, "mine").await;
    let text = machine
        .export(Some(&repo))
        .await
        .replace("\"mine\"", "\"ours\"");
    let preview = machine.preview(&text, Some(&repo)).await;
    assert_eq!(change_of(&preview, "ours").action, ImportAction::Add);
    assert_eq!(
        preview.warnings,
        ["The service “ours” has the files of “mine”, which stays: there will be both."]
    );
}

#[tokio::test]
async fn not_every_warning_of_a_kind_is_told() {
    let machine = Machine::new().await;
    let services: Vec<_> = (0..200)
        .map(|number| {
            json!({
                "name": format!("s{number}"),
                "source": {"type": "folder", "path": format!("gone/{number}")},
                "provisioning": {"type": "docker-compose"},
            })
        })
        .collect();
    let text = json!({"berth": 1, "services": services}).to_string();
    let preview = machine.preview(&text, Some(&machine.root)).await;
    assert_eq!(preview.warnings.len(), 51);
    assert_eq!(preview.warnings[50], "And 150 more of that kind.");
}

#[tokio::test]
async fn folders_outside_of_the_file_s_are_named() {
    let machine = Machine::new().await;
    let (repo, other) = (machine.folder("repo"), machine.folder("other"));
    machine.folder("repo/inside");
    let text = json!({
        "berth": 1,
        "services": [
            {"name": "inside", "source": {"type": "folder", "path": "inside"}, "provisioning": {"type": "docker-compose"}},
            {"name": "up", "source": {"type": "folder", "path": "../other"}, "provisioning": {"type": "docker-compose"}},
        ],
    })
    .to_string();
    let preview = machine.preview(&text, Some(&repo)).await;
    let [warning] = &preview.warnings[..] else {
        panic!("{:?}", preview.warnings);
    };
    assert!(
        warning.contains("“up”") && warning.contains(&other.display().to_string()),
        "{warning}"
    );
    machine
        .import(&text, Some(&repo), Vec::new())
        .await
        .unwrap();
    // Of what is here already nothing is said.
    assert_eq!(machine.preview(&text, Some(&repo)).await.warnings, [""; 0]);

    // In one working tree they travel together.
    let machine = Machine::new().await;
    let repo = machine.folder("repo");
    machine.folder("other");
    machine.git(&machine.root, &["init", "-q"]);
    assert_eq!(
        machine.preview(&text, Some(&repo)).await.warnings.len(),
        1,
        "only that “inside” is missing"
    );
}
