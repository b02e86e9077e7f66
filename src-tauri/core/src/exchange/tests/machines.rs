//! Files that travel from one machine to another.

use super::*;

/// Everything that a file can hold, in a folder that could be a repository.
async fn furnished() -> (Machine, PathBuf) {
    let machine = Machine::new().await;
    let repo = machine.folder("work/repo");
    machine.add(&repo, "whole").await;
    machine
        .add(&machine.folder("work/repo/services/shop"), "shop")
        .await;
    machine
        .add_by_address("https://example.com/acme/billing.git", "billing")
        .await;
    let helm = UpsertCustomManifestType {
        label: "Helm chart".to_owned(),
        accepts_input_hint: Some(String::new()),
        description: Some("Values for our chart".to_owned()),
    };
    machine.berth.set_manifest_type("helm", helm).await.unwrap();
    let new = secrets(&[("API_TOKEN", PLANTED), ("EXTRA", PLANTED)]);
    save(&machine.berth, api("Acme previews"), new).await;
    (machine, repo)
}

#[tokio::test]
async fn an_empty_store_becomes_the_same_workspace() {
    let (first, repo) = furnished().await;
    let text = first.export(Some(&repo)).await;

    let second = Machine::new().await;
    let other = second.folder("elsewhere/checkout");
    second.folder("elsewhere/checkout/services/shop");
    let preview = second.preview(&text, Some(&other)).await;
    assert_eq!(
        actions(&preview),
        [
            ImportAction::Add,
            ImportAction::Add,
            ImportAction::Keep,
            ImportAction::Add,
            ImportAction::Add,
            ImportAction::Add,
        ]
    );
    let missing = &preview.missing_secrets[..];
    assert_eq!(missing.len(), 1);
    assert_eq!(missing[0].key, helm());
    assert_eq!(missing[0].label, "Acme previews");
    assert_eq!(missing[0].keys, ["API_TOKEN", "EXTRA"]);

    let new = secrets(&[("API_TOKEN", "another"), ("EXTRA", "one")]);
    let done = second
        .import(&text, Some(&other), vec![(helm(), new)])
        .await
        .unwrap();
    assert_eq!(done.changes, preview.changes);
    assert_eq!(done.missing_secrets, []);
    assert_eq!(second.export(Some(&other)).await, text);

    let snapshot = second.berth.snapshot().await.unwrap();
    let shop = snapshot
        .services
        .iter()
        .find(|it| it.name == "shop")
        .unwrap();
    let Source::Folder { path, .. } = &shop.source else {
        panic!("{:?}", shop.source)
    };
    assert_eq!(Path::new(path), other.join("services/shop"));
}

#[tokio::test]
async fn a_file_holds_nothing_of_the_machine_and_no_value_of_a_secret() {
    let (machine, repo) = furnished().await;
    let text = machine.export(Some(&repo)).await;
    assert!(!text.contains(PLANTED));
    assert!(!text.contains(machine.root.to_str().unwrap()));
    let snapshot = machine.berth.snapshot().await.unwrap();
    for service in &snapshot.services {
        assert!(!text.contains(&service.id));
    }
    let parsed: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        parsed["handlers"][0]["secrets"],
        json!(["API_TOKEN", "EXTRA"])
    );
    assert!(text.ends_with("}\n"));
    assert!(text.starts_with("{\n  \"berth\": 1,\n  \"manifestTypes\": [\n    {\n"));
    // One value a line.
    assert!(text.contains("\n        \"EXTRA\"\n"));
    assert!(text.contains("\n        \"path\": \"services/shop\"\n"));
    assert!(
        text.contains("\n          \"defaultTtlMs\": 7200000\n"),
        "{text}"
    );
}

#[tokio::test]
async fn a_secret_written_into_a_document_is_warned_of() {
    let machine = Machine::new().await;
    let settings = json!({"envTemplate": {"DB_PASSWORD": PLANTED}});
    save(
        &machine.berth,
        docker("Docker", settings),
        NewSecrets::default(),
    )
    .await;
    let export = machine.berth.export_workspace(None).await.unwrap();
    assert_eq!(export.warnings.len(), 1);
    assert!(export.warnings[0].contains("“Docker”"));
    assert!(export.warnings[0].contains("/manifest/providerConfig/envTemplate/DB_PASSWORD"));
    assert!(!export.warnings[0].contains(PLANTED));
}

#[tokio::test]
async fn importing_again_changes_nothing() {
    let (machine, repo) = furnished().await;
    let text = machine.export(Some(&repo)).await;
    let before = machine.berth.snapshot().await.unwrap();
    let handler = machine
        .berth
        .handler(&HandlerScope::Workspace, &helm())
        .await
        .unwrap();
    let items = machine.keychain.names();
    machine.clock.advance(1_000);

    let done = machine
        .import(&text, Some(&repo), Vec::new())
        .await
        .unwrap();
    assert_eq!(actions(&done), [ImportAction::Keep; 6]);
    assert!(done.changes.iter().all(|change| change.values.is_empty()));
    let after = machine.berth.snapshot().await.unwrap();
    assert_eq!(after.services, before.services);
    let unchanged = machine
        .berth
        .handler(&HandlerScope::Workspace, &helm())
        .await
        .unwrap();
    assert_eq!(unchanged, handler);
    assert_eq!(machine.keychain.names(), items);
    let last = machine.activity().await.pop().unwrap();
    assert_eq!(
        last,
        (ActivityVerb::Imported, Some("nothing changed".to_owned()))
    );
}

#[tokio::test]
async fn a_folder_elsewhere_is_said_as_its_remote() {
    let machine = Machine::new().await;
    let repo = machine.folder("repo");
    let shop = machine.folder("src/shop");
    let api = machine.folder("src/shop/services/api");
    let alone = machine.folder("src/alone");
    machine.git(&shop, &["init", "--quiet"]);
    let url = "https://me:hunter2@git.example.com/acme/shop.git";
    machine.git(&shop, &["remote", "add", "origin", url]);
    machine.add(&shop, "shop").await;
    machine.add(&api, "api").await;
    machine.add(&alone, "alone").await;
    machine
        .add_by_address("file:///srv/git/local.git", "local")
        .await;

    let base = Some(repo.clone());
    let export = machine.berth.export_workspace(base.clone()).await.unwrap();
    let file: Value = serde_json::from_str(&export.text).unwrap();
    let provisioning = json!({"type": "docker-compose"});
    let url = "https://git.example.com/acme/shop.git";
    assert_eq!(
        file["services"],
        json!([
            {
                "name": "api",
                "source": {"type": "git", "url": url, "subdirectory": "services/api"},
                "provisioning": provisioning,
            },
            {"name": "shop", "source": {"type": "git", "url": url}, "provisioning": provisioning},
        ])
    );
    assert_eq!(export.warnings.len(), 2, "{:?}", export.warnings);
    assert!(export.warnings[0].contains("“alone” is left out: its folder"));
    assert!(export.warnings[1].contains("“local” is left out: its address"));
    // Without a file there is no way to any folder.
    let nowhere = machine.berth.export_workspace(None).await.unwrap();
    assert_eq!(nowhere, export);

    // Here the checkouts are what the file means, also by another address.
    let ssh = export
        .text
        .replace("https://git.example.com/", "git@git.example.com:");
    assert_ne!(ssh, export.text);
    for text in [&export.text, &ssh] {
        let preview = machine.preview(text, Some(&repo)).await;
        assert_eq!(actions(&preview), [ImportAction::Keep; 3]);
    }
    // Elsewhere it is checked out.
    let other = Machine::new().await;
    other.import(&export.text, None, Vec::new()).await.unwrap();
    assert_eq!(other.export(None).await, export.text);
}

#[tokio::test]
async fn what_lies_in_one_repository_travels_together() {
    let machine = Machine::new().await;
    let repo = machine.folder("repo");
    let shop = machine.folder("repo/services/shop");
    let deploy = machine.folder("repo/deploy");
    machine.add(&repo, "whole").await;
    machine.add(&shop, "shop").await;
    machine.git(&repo, &["init", "--quiet"]);
    let text = machine.export(Some(&deploy)).await;
    assert!(text.contains("\"path\": \"../services/shop\""), "{text}");
    assert!(text.contains("\"path\": \"..\""), "{text}");
    let preview = machine.preview(&text, Some(&deploy)).await;
    assert_eq!(actions(&preview), [ImportAction::Keep; 3]);
}

#[tokio::test]
async fn the_socket_of_a_machine_stays_on_it() {
    let first = Machine::new().await;
    let socket = "unix:///home/me/.colima/docker.sock";
    let settings = json!({"endpoint": socket, "port": "8080"});
    save(
        &first.berth,
        docker("Docker", settings),
        NewSecrets::default(),
    )
    .await;
    let text = first.export(None).await;
    assert!(!text.contains(socket) && text.contains("\"port\": \"8080\""));
    assert_eq!(
        actions(&first.preview(&text, None).await),
        [ImportAction::Keep]
    );

    let second = Machine::new().await;
    let own = "unix:///run/user/1000/docker.sock";
    save(
        &second.berth,
        docker("Docker", json!({"endpoint": own})),
        NewSecrets::default(),
    )
    .await;
    let preview = second.preview(&text, None).await;
    let pointers: Vec<_> = preview.changes[0]
        .values
        .iter()
        .map(|it| &*it.pointer)
        .collect();
    assert_eq!(pointers, ["/manifest/providerConfig/port"]);
    second.import(&text, None, Vec::new()).await.unwrap();
    let compose = key(ProvisionType::DockerCompose, None);
    let handler = second
        .berth
        .handler(&HandlerScope::Workspace, &compose)
        .await
        .unwrap();
    assert_eq!(handler.address.as_deref(), Some(own));
    assert_eq!(second.export(None).await, text);

    // A handler whose settings were nothing but its socket.
    save(
        &first.berth,
        docker("Docker", json!({"endpoint": socket})),
        NewSecrets::default(),
    )
    .await;
    let text = first.export(None).await;
    assert!(!text.contains("providerConfig"));
    assert_eq!(
        actions(&first.preview(&text, None).await),
        [ImportAction::Keep]
    );
}

#[tokio::test]
async fn overrides_are_not_exported() {
    let machine = Machine::new().await;
    let before = machine.export(None).await;
    let user_id = machine.berth.users().await.unwrap()[0].id.clone();
    let draft = HandlerDraft {
        scope: HandlerScope::User { user_id },
        key: None,
        backend_kind: None,
        text: docker("Mine", json!({})).to_string(),
    };
    machine
        .berth
        .save_handler(draft, NewSecrets::default())
        .await
        .unwrap();
    assert_eq!(machine.export(None).await, before);
}
