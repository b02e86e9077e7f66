//! The rules of the repositories: how handlers, overrides, manifest types and the
//! environments made with them are keyed, revived and listed.

use berth_contracts::documents::{HandlerConfig, UpsertCustomManifestType};
use berth_contracts::{Engine, ProvisionType};
use serde_json::json;

use super::*;
use crate::handlers::MadeWith;
use crate::store::handlers::Content;
use crate::store::{handlers, manifest_types, secret_bundles, settings, users};
use crate::view::{Change, HandlerKey, HandlerRef, HandlerScope, SecretStoreKind};

fn key(provision_type: ProvisionType, manifest_id: Option<&str>) -> HandlerKey {
    HandlerKey {
        provision_type,
        manifest_id: manifest_id.map(str::to_owned),
    }
}

fn config(label: &str, accepts: &str) -> HandlerConfig {
    serde_json::from_value(json!({
        "engine": "remote-custom",
        "manifest": {
            "providerId": "acme",
            "label": label,
            "baseUrl": "https://previews.acme.dev",
            "auth": { "type": "bearer", "secretRef": { "key": "TOKEN" } },
            "provision": { "method": "POST", "pathTemplate": "/environments" },
            "response": {}
        },
        "acceptsManifestId": accepts
    }))
    .unwrap()
}

fn content(label: &str, manifest_id: Option<&str>) -> Content {
    Content {
        key: key(ProvisionType::Custom, manifest_id),
        engine: Engine::RemoteCustom,
        backend_kind: "manifest".to_owned(),
        provider_id: "acme".to_owned(),
        label: label.to_owned(),
        base_url: "https://previews.acme.dev".to_owned(),
        config: config(label, manifest_id.unwrap_or("any")),
        accepts_manifest_id: Some(manifest_id.unwrap_or("any").to_owned()),
        bundle: None,
    }
}

fn labels(records: &[handlers::Record]) -> Vec<&str> {
    records
        .iter()
        .map(|record| record.content.label.as_str())
        .collect()
}

#[tokio::test]
async fn an_absent_manifest_id_is_a_key_of_its_own() {
    let (_folder, store) = opened().await;
    store
        .write(|tx| {
            handlers::upsert(tx, 10, "default", &content("Any", None))?;
            handlers::upsert(tx, 20, "default", &content("Helm", Some("helm")))?;
            let of = |id| handlers::get(tx, "default", &key(ProvisionType::Custom, id));
            assert_eq!(of(None)?.unwrap().content, content("Any", None));
            assert_eq!(of(Some("helm"))?.unwrap().content.label, "Helm");
            assert_eq!(of(Some("tf"))?, None);
            // Stored as the empty text, read back as absent.
            let stored: String = tx.query_row(
                "SELECT manifest_id FROM handlers WHERE label = 'Any'",
                [],
                |row| row.get(0),
            )?;
            assert_eq!(stored, "");
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_handler_is_replaced_by_its_key_and_listed_oldest_first() {
    let (_folder, store) = opened().await;
    store
        .write(|tx| {
            handlers::upsert(tx, 20, "default", &content("Second", Some("b")))?;
            handlers::upsert(tx, 10, "default", &content("First", Some("a")))?;
            handlers::upsert(tx, 30, "default", &content("Second, changed", Some("b")))?;
            let all = handlers::list(tx, "default")?;
            let ours: Vec<_> = all
                .iter()
                .filter(|it| it.content.engine == Engine::RemoteCustom)
                .map(|it| (it.content.label.as_str(), it.created_at, it.updated_at))
                .collect();
            assert_eq!(ours, [("First", 10, 10), ("Second, changed", 20, 30)]);
            assert!(handlers::list(tx, "elsewhere")?.is_empty());
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_tombstone_is_never_listed_and_a_revived_handler_begins_anew() {
    let (_folder, store) = opened().await;
    store
        .write(|tx| {
            let key = key(ProvisionType::Custom, Some("helm"));
            handlers::upsert(tx, 10, "default", &content("Helm", Some("helm")))?;
            assert!(handlers::soft_delete(tx, 20, "default", &key)?);
            assert_eq!(handlers::get(tx, "default", &key)?, None);
            assert!(!labels(&handlers::list(tx, "default")?).contains(&"Helm"));
            assert!(!handlers::keys(tx, "default", "ann", "", 200)?.contains(&key));
            assert!(handlers::of_keys(tx, "default", std::slice::from_ref(&key))?.is_empty());
            // Again, and what was never there: nothing happens, nobody is told.
            let told = crate::store::events::last(tx)?;
            assert!(!handlers::soft_delete(tx, 30, "default", &key)?);
            assert_eq!(crate::store::events::last(tx)?, told);
            let kept: i64 = tx.query_row(
                "SELECT deleted_at FROM handlers WHERE label = 'Helm'",
                [],
                |row| row.get(0),
            )?;
            assert_eq!(kept, 20, "a tombstone keeps its time");

            handlers::upsert(tx, 40, "default", &content("Helm", Some("helm")))?;
            let revived = handlers::get(tx, "default", &key)?.unwrap();
            assert_eq!((revived.created_at, revived.updated_at), (40, 40));
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn overrides_are_keyed_by_user_and_removed_for_good() {
    let (_folder, store) = opened().await;
    store
        .write(|tx| {
            let key = key(ProvisionType::Custom, Some("helm"));
            let write = |at, user, label| {
                handlers::upsert_override(
                    tx,
                    at,
                    user,
                    "default",
                    &content(label, Some("helm")),
                    true,
                    None,
                )
            };
            write(10, "ann", "Ann's")?;
            write(20, "bob", "Bob's")?;
            write(30, "ann", "Ann's, changed")?;
            let of = |user| handlers::override_of(tx, user, "default", &key);
            let anns = of("ann")?.unwrap();
            assert_eq!((anns.created_at, anns.updated_at), (10, 30));
            assert_eq!(
                anns.scope,
                HandlerScope::User {
                    user_id: "ann".to_owned()
                }
            );
            assert!(handlers::switch_override(
                tx, 40, "ann", "default", &key, false
            )?);
            assert!(!of("ann")?.unwrap().enabled);
            assert!(of("bob")?.unwrap().enabled);
            assert_eq!(
                handlers::count_overrides(tx, "default")?,
                [("ann".to_owned(), 1), ("bob".to_owned(), 1)]
            );
            assert!(handlers::remove_override(tx, 50, "ann", "default", &key)?);
            assert!(!handlers::remove_override(tx, 50, "ann", "default", &key)?);
            assert_eq!(of("ann")?, None);
            write(60, "ann", "Ann's, again")?;
            assert_eq!(of("ann")?.unwrap().created_at, 60);
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn manifest_types_are_kept_per_workspace_and_removed_for_good() {
    let (_folder, store) = opened().await;
    store
        .write(|tx| {
            tx.execute(
                "INSERT INTO workspaces (id, name, created_at) VALUES ('other', 'other', 1)",
                [],
            )?;
            let content = |label: &str, hint: Option<&str>| UpsertCustomManifestType {
                label: label.to_owned(),
                accepts_input_hint: hint.map(str::to_owned),
                description: None,
            };
            manifest_types::upsert(tx, 10, "default", "tf", &content("Terraform", None))?;
            manifest_types::upsert(tx, 20, "default", "helm", &content("Helm", Some("values")))?;
            manifest_types::upsert(tx, 30, "other", "helm", &content("Theirs", None))?;
            manifest_types::upsert(tx, 40, "default", "helm", &content("Helm 3", None))?;
            let all = manifest_types::list(tx, "default")?;
            let all: Vec<_> = all
                .iter()
                .map(|it| {
                    (
                        it.manifest_id.as_str(),
                        it.content.label.as_str(),
                        it.created_at,
                    )
                })
                .collect();
            assert_eq!(all, [("helm", "Helm 3", 20), ("tf", "Terraform", 10)]);
            assert!(manifest_types::remove(tx, 50, "default", "helm")?);
            assert!(!manifest_types::remove(tx, 50, "default", "helm")?);
            assert_eq!(manifest_types::list(tx, "other")?.len(), 1);
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_bundle_is_referenced_as_long_as_anything_live_names_it() {
    let (_folder, store) = opened().await;
    store
        .write(|tx| {
            let bundle = |at| secret_bundles::insert(tx, at, SecretStoreKind::Keychain, &[]);
            let unreferenced = || -> Result<Vec<String>, StoreError> {
                Ok(secret_bundles::unreferenced(tx)?
                    .into_iter()
                    .map(|record| record.id)
                    .collect())
            };
            let (first, second) = (bundle(1)?, bundle(2)?);
            assert_eq!(
                unreferenced()?.len(),
                2,
                "an intent is referenced by nothing"
            );
            let mut helm = content("Helm", Some("helm"));
            helm.bundle = Some(first.clone());
            handlers::upsert(tx, 10, "default", &helm)?;
            assert_eq!(unreferenced()?, std::slice::from_ref(&second));

            let service = add_service(tx, "shop")?;
            let made_with = MadeWith {
                handler: HandlerRef {
                    scope: HandlerScope::Workspace,
                    key: helm.key.clone(),
                    label: helm.label.clone(),
                    engine: helm.engine,
                    accepts_manifest_id: helm.accepts_manifest_id.clone(),
                },
                config: helm.config.clone(),
                bundle: Some(first.clone()),
            };
            let id = new_id(tx)?;
            environments::insert(
                tx,
                20,
                &id,
                &NewEnvironment {
                    made_with: Some(made_with.clone()),
                    ..of(&service, "shop")
                },
            )?;
            assert_eq!(
                environments::get(tx, &id)?.identity.made_with,
                Some(made_with)
            );
            // The handler goes, the environment stays: its secrets stay.
            handlers::soft_delete(tx, 30, "default", &helm.key)?;
            assert_eq!(unreferenced()?, std::slice::from_ref(&second));
            // Rotated: the environment's are the new ones.
            environments::repoint_bundle(tx, &first, Some(&second))?;
            assert_eq!(unreferenced()?, std::slice::from_ref(&first));
            environments::set_access_bundle(tx, 40, &id, Some(&first))?;
            assert!(unreferenced()?.is_empty());
            environments::set_torn_down(tx, 50, &id)?;
            assert_eq!(unreferenced()?.len(), 2);
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn what_changes_what_is_in_effect_is_told_once() {
    let (_folder, store) = opened().await;
    store
        .write(|tx| {
            let before = crate::store::events::last(tx)?;
            handlers::upsert(tx, 10, "default", &content("One", Some("one")))?;
            handlers::upsert(tx, 20, "default", &content("Two", Some("two")))?;
            users::insert(
                tx,
                30,
                &users::AddedUser {
                    id: "ann".to_owned(),
                    name: "Ann".to_owned(),
                },
            )?;
            let told: Vec<Change> = crate::store::events::after(tx, before, 100)?
                .into_iter()
                .map(|event| event.change)
                .collect();
            assert_eq!(told, [Change::Handlers]);
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn settings_are_what_was_said_last() {
    let (_folder, store) = opened().await;
    store
        .write(|tx| {
            assert_eq!(settings::get(tx, &settings::ACTIVITY_DAYS)?, None);
            settings::set(tx, &settings::ACTIVITY_DAYS, &30)?;
            settings::set(tx, &settings::ACTIVITY_DAYS, &7)?;
            assert_eq!(settings::get(tx, &settings::ACTIVITY_DAYS)?, Some(7));
            let store_id = settings::get(tx, &settings::STORE_ID)?.unwrap();
            assert_eq!(store_id.len(), 16, "{store_id}");
            Ok(())
        })
        .await
        .unwrap();
}

/// A list is one query, and no query of it reads a table from end to end but for
/// the rows of one workspace.
#[tokio::test]
async fn lists_are_read_by_index() {
    let (_folder, store) = opened().await;
    let plans = store
        .read(|connection| {
            let plan = |sql: &str| -> rusqlite::Result<String> {
                let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
                let details: Vec<String> = statement
                    .query_map([], |row| row.get(3))?
                    .collect::<Result<_, _>>()?;
                Ok(details.join("; "))
            };
            Ok([
                plan("SELECT * FROM activity WHERE (at, id) < (5, 5) ORDER BY at DESC, id DESC LIMIT 9")?,
                plan("SELECT * FROM handlers WHERE workspace_id = 'a' AND deleted_at IS NULL ORDER BY created_at, provision_type, manifest_id")?,
                plan("SELECT provision_type, manifest_id FROM handlers WHERE workspace_id = 'a' AND deleted_at IS NULL AND label LIKE '%x%' ORDER BY provision_type, manifest_id LIMIT 9")?,
                plan("SELECT * FROM user_handlers WHERE user_id = 'a' AND workspace_id = 'b' ORDER BY created_at, provision_type, manifest_id")?,
                plan("SELECT service_id, id, name, handler FROM environments WHERE workspace_id = 'a' AND torn_down_at IS NULL ORDER BY service_id, name")?,
            ])
        })
        .await
        .unwrap();
    for plan in &plans {
        assert!(
            plan.contains("INDEX") || plan.contains("PRIMARY KEY"),
            "{plans:#?}"
        );
        assert!(!plan.contains("SCAN handlers"), "{plans:#?}");
    }
    for plan in &plans[..4] {
        assert!(!plan.contains("TEMP B-TREE"), "sorted: {plans:#?}");
    }
}
