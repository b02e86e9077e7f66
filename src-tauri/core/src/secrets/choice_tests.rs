use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use berth_contracts::ProvisionType;
use secrecy::ExposeSecret as _;

use super::*;
use crate::Options;
use crate::handlers::NewSecrets;
use crate::problem::Code;
use crate::secrets::{FakeKeychain, SecretStore};
use crate::store::handlers;
use crate::testing::FakeClock;
use crate::view::{Actor, HandlerKey, HandlerScope};

async fn open(folder: &Path, keychain: &FakeKeychain) -> Berth {
    Berth::open(Options {
        data_dir: Some(folder.to_owned()),
        actor: Actor::Window,
        environment: BTreeMap::from([("USER".to_owned(), "me".to_owned())]),
        clock: Arc::new(FakeClock::new(7_000)),
        keychain: Some(Arc::new(keychain.clone()) as Arc<dyn SecretStore>),
    })
    .await
    .unwrap()
}

fn passphrase() -> Option<SecretString> {
    Some(SecretString::from("correct horse battery"))
}

fn key() -> HandlerKey {
    HandlerKey {
        provision_type: ProvisionType::DockerCompose,
        manifest_id: None,
    }
}

async fn set_token(berth: &Berth) {
    let secrets = NewSecrets {
        set: BTreeMap::from([("token".to_owned(), SecretString::from("one"))]),
        remove: Vec::new(),
    };
    let scope = HandlerScope::Workspace;
    berth
        .set_handler_secrets(&scope, &key(), secrets)
        .await
        .unwrap();
    // An override with secrets of its own.
    berth.copy_to_override(&key()).await.unwrap();
}

async fn tokens(berth: &Berth) -> Vec<String> {
    let HandlerScope::User { user_id } = berth.own_scope().await.unwrap() else {
        panic!("a user's handlers are not the workspace's");
    };
    let records = berth
        .store()
        .read(move |connection| {
            Ok([
                handlers::get(connection, "default", &key())?,
                handlers::override_of(connection, &user_id, "default", &key())?,
            ])
        })
        .await
        .unwrap();
    let mut tokens = Vec::new();
    for record in records {
        let bundle = record.unwrap().content.bundle.unwrap();
        let bundle = berth.bundle(&bundle).await.unwrap();
        tokens.push(bundle.get("token").unwrap().expose_secret().to_owned());
    }
    tokens
}

fn items_of(vault: &Path) -> usize {
    let file = std::fs::read_to_string(vault).unwrap();
    let file: serde_json::Value = serde_json::from_str(&file).unwrap();
    file["content"]["items"].as_object().unwrap().len()
}

#[tokio::test]
async fn secrets_move_with_the_choice() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = FakeKeychain::new();
    let berth = open(folder.path(), &keychain).await;
    set_token(&berth).await;
    let status = berth.secret_store().await.unwrap();
    assert_eq!(
        (status.kind, status.state, status.problem),
        (SecretStoreKind::Keychain, SecretStoreState::Ready, None)
    );

    let status = berth
        .use_secret_store(SecretStoreKind::Vault, passphrase())
        .await
        .unwrap();
    assert_eq!(
        (status.kind, status.state),
        (SecretStoreKind::Vault, SecretStoreState::Ready)
    );
    assert_eq!(keychain.names().len(), 1, "only the mark is left");
    assert_eq!(tokens(&berth).await, ["one", "one"]);
    drop(berth);

    // The next process does not know the passphrase.
    let berth = open(folder.path(), &keychain).await;
    let status = berth.secret_store().await.unwrap();
    assert_eq!(status.state, SecretStoreState::Locked);
    assert_eq!(status.problem.unwrap().code, Code::SecretStoreLocked);
    let wrong = berth.unlock_vault(SecretString::from("wrong")).await;
    assert_eq!(wrong.unwrap_err().code, Code::InvalidInput);
    berth.unlock_vault(passphrase().unwrap()).await.unwrap();
    assert_eq!(tokens(&berth).await, ["one", "one"]);

    let vault = folder.path().join("vault");
    assert_eq!(items_of(&vault), 3);
    berth
        .use_secret_store(SecretStoreKind::Keychain, None)
        .await
        .unwrap();
    assert_eq!((keychain.names().len(), items_of(&vault)), (3, 1));
    assert_eq!(tokens(&berth).await, ["one", "one"]);
}

#[tokio::test]
async fn what_cannot_be_read_is_not_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = FakeKeychain::new();
    let berth = open(folder.path(), &keychain).await;
    set_token(&berth).await;
    keychain.lock(true);
    let refused = berth
        .use_secret_store(SecretStoreKind::Vault, passphrase())
        .await
        .unwrap_err();
    assert_eq!(refused.code, Code::SecretStoreLocked);
    assert!(refused.title.contains("not moved"), "{refused}");
    assert!(refused.detail.unwrap().contains("locked"));
    assert_eq!(
        berth.secret_store().await.unwrap().kind,
        SecretStoreKind::Keychain
    );
    keychain.lock(false);
    assert_eq!(tokens(&berth).await, ["one", "one"]);
    // What was half moved is taken back.
    berth.remove_unreferenced_bundles().await;
    assert_eq!(items_of(&folder.path().join("vault")), 1, "the mark");
    assert_eq!(keychain.names().len(), 3);
}

#[tokio::test]
async fn a_vault_needs_a_passphrase() {
    let folder = tempfile::tempdir().unwrap();
    let berth = open(folder.path(), &FakeKeychain::new()).await;
    for (passphrase, code) in [
        (None, Code::InvalidInput),
        (Some(SecretString::from("short")), Code::InvalidInput),
    ] {
        let refused = berth.use_secret_store(SecretStoreKind::Vault, passphrase);
        assert_eq!(refused.await.unwrap_err().code, code);
    }
    assert!(!folder.path().join("vault").exists());
    let missing = berth.unlock_vault(passphrase().unwrap()).await.unwrap_err();
    assert_eq!(missing.code, Code::SecretStoreBroken);
}

#[tokio::test]
async fn every_state_is_named_with_its_fix() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = FakeKeychain::new();
    let berth = open(folder.path(), &keychain).await;
    keychain.lock(true);
    let locked = berth.secret_store().await.unwrap();
    keychain.lock(false);
    keychain.take_away(true);
    let missing = berth.secret_store().await.unwrap();
    for (status, state, code) in [
        (locked, SecretStoreState::Locked, Code::SecretStoreLocked),
        (
            missing,
            SecretStoreState::NoService,
            Code::SecretStoreMissing,
        ),
    ] {
        let problem = status.problem.unwrap();
        assert_eq!((status.state, problem.code), (state, code));
        assert!(problem.hint.is_some());
    }
}

fn damage(folder: &Path) {
    std::fs::write(folder.join("vault"), "garbage\n").unwrap();
}

async fn in_a_vault(folder: &Path, keychain: &FakeKeychain) -> Berth {
    let berth = open(folder, keychain).await;
    set_token(&berth).await;
    berth
        .use_secret_store(SecretStoreKind::Vault, passphrase())
        .await
        .unwrap();
    berth
}

#[tokio::test]
async fn a_damaged_vault_is_set_aside_and_what_it_held_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let berth = in_a_vault(folder.path(), &FakeKeychain::new()).await;
    for number in 1..=2 {
        damage(folder.path());
        let status = berth.secret_store().await.unwrap();
        let hint = status.problem.unwrap().hint.unwrap();
        assert!(hint.contains("berth secrets use"), "{hint}");

        let status = berth
            .use_secret_store(SecretStoreKind::Vault, passphrase())
            .await
            .unwrap();
        assert_eq!(status.state, SecretStoreState::Ready);
        let problem = status.problem.unwrap();
        let aside = format!("vault.damaged-{number}");
        assert!(problem.title.contains(&aside), "{problem}");
        let kept = std::fs::read_to_string(folder.path().join(aside)).unwrap();
        assert_eq!(kept, "garbage\n");
        let detail = problem.detail.unwrap();
        for owner in ["Local Docker,", "Local Docker (override)"] {
            assert!(detail.contains(owner), "{detail}");
        }

        // They can be set again.
        let scopes = [HandlerScope::Workspace, berth.own_scope().await.unwrap()];
        for scope in scopes {
            let secrets = NewSecrets {
                set: BTreeMap::from([("token".to_owned(), SecretString::from("two"))]),
                remove: Vec::new(),
            };
            berth
                .set_handler_secrets(&scope, &key(), secrets)
                .await
                .unwrap();
        }
        assert_eq!(tokens(&berth).await, ["two", "two"]);
    }
}

#[tokio::test]
async fn a_damaged_vault_can_be_left() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = FakeKeychain::new();
    let berth = in_a_vault(folder.path(), &keychain).await;
    damage(folder.path());
    let status = berth
        .use_secret_store(SecretStoreKind::Keychain, passphrase())
        .await
        .unwrap();
    assert_eq!(
        (status.kind, status.state),
        (SecretStoreKind::Keychain, SecretStoreState::Ready)
    );
    let detail = status.problem.unwrap().detail.unwrap();
    assert!(detail.contains("Local Docker"), "{detail}");
    let secrets = NewSecrets {
        set: BTreeMap::from([("token".to_owned(), SecretString::from("two"))]),
        remove: Vec::new(),
    };
    berth
        .set_handler_secrets(&HandlerScope::Workspace, &key(), secrets)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_keychain_that_is_not_there_is_not_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = FakeKeychain::new();
    let berth = open(folder.path(), &keychain).await;
    berth
        .use_secret_store(SecretStoreKind::Vault, passphrase())
        .await
        .unwrap();
    keychain.take_away(true);
    let refused = berth
        .use_secret_store(SecretStoreKind::Keychain, None)
        .await
        .unwrap_err();
    assert_eq!(refused.code, Code::SecretStoreMissing);
    let status = berth.secret_store().await.unwrap();
    assert_eq!(status.kind, SecretStoreKind::Vault);
}
