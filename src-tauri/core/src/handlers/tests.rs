mod changes;

use std::collections::BTreeMap;
use std::sync::Arc;

use berth_contracts::{ProvisionType, ServiceProvisioning};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::store::environments::{self, EngineRef, NewEnvironment};
use crate::store::{new_id, services};
use crate::testing::FakeKeychain;
use crate::view::{
    Actor, Choice, Handler, HandlerDraft, HandlerKey, HandlerScope, Origin, Selector, Source,
};
use crate::{Berth, Code, Options, Problem};

struct Opened {
    _folder: TempDir,
    keychain: FakeKeychain,
    berth: Berth,
}

async fn opened() -> Opened {
    let folder = tempfile::tempdir().unwrap();
    let keychain = FakeKeychain::new();
    let mut options = Options::from_process(Actor::Window);
    options.data_dir = Some(folder.path().join("data"));
    options.environment = BTreeMap::from([("USER".to_owned(), "ann".to_owned())]);
    options.keychain = Some(Arc::new(keychain.connect()));
    let berth = Berth::open(options).await.unwrap();
    Opened {
        _folder: folder,
        keychain,
        berth,
    }
}

/// Of an API with basic authentication: two secrets.
fn api(label: &str, base_url: &str) -> String {
    json!({
        "engine": "remote-custom",
        "manifest": {
            "providerId": "acme",
            "label": label,
            "baseUrl": base_url,
            "auth": {
                "type": "basic",
                "usernameSecretRef": { "key": "USER" },
                "passwordSecretRef": { "key": "PASSWORD" }
            },
            "provision": { "method": "POST", "pathTemplate": "/environments" },
            "response": {}
        },
        "acceptsManifestId": "kargo"
    })
    .to_string()
}

fn draft(scope: HandlerScope, text: String) -> HandlerDraft {
    HandlerDraft {
        scope,
        key: None,
        backend_kind: None,
        text,
    }
}

fn secrets(set: &[(&str, &str)], remove: &[&str]) -> NewSecrets {
    NewSecrets {
        set: set
            .iter()
            .map(|(key, value)| ((*key).to_owned(), SecretString::from((*value).to_owned())))
            .collect(),
        remove: remove.iter().map(|key| (*key).to_owned()).collect(),
    }
}

fn kargo() -> HandlerKey {
    HandlerKey {
        provision_type: ProvisionType::Custom,
        manifest_id: Some("kargo".to_owned()),
    }
}

fn ann() -> HandlerScope {
    HandlerScope::User {
        user_id: "ann".to_owned(),
    }
}

impl Opened {
    async fn registered(&self) -> Handler {
        self.berth
            .save_handler(
                draft(
                    HandlerScope::Workspace,
                    api("Acme previews", "https://previews.acme.dev"),
                ),
                secrets(&[("USER", "deploy"), ("PASSWORD", "hunter2")], &[]),
            )
            .await
            .unwrap()
    }

    /// What is kept for a handler.
    async fn values(&self, scope: &HandlerScope) -> BTreeMap<String, String> {
        let record = self.berth.handler_record(scope, &kargo()).await.unwrap();
        match record.content.bundle {
            Some(bundle) => self.values_of(&bundle).await.unwrap(),
            None => BTreeMap::new(),
        }
    }

    async fn values_of(&self, bundle: &str) -> Result<BTreeMap<String, String>, Problem> {
        let bundle = self.berth.bundle(bundle).await?;
        Ok(bundle
            .keys()
            .into_iter()
            .map(|secret| {
                let value = bundle.get(&secret.key).unwrap().expose_secret().to_owned();
                (secret.key, value)
            })
            .collect())
    }

    /// An environment made with the workspace's handler.
    async fn environment(&self) -> String {
        let record = self
            .berth
            .handler_record(&HandlerScope::Workspace, &kargo())
            .await
            .unwrap();
        let made_with = MadeWith {
            handler: record.named(),
            config: record.content.config.clone(),
            bundle: record.content.bundle.clone(),
        };
        self.berth
            .store()
            .write(move |tx| {
                let provisioning = ServiceProvisioning {
                    manifest_id: Some("kargo".to_owned()),
                    ..ServiceProvisioning::of(ProvisionType::Custom)
                };
                let source = Source::Folder {
                    path: "/home/ann/shop".to_owned(),
                    git: false,
                };
                let service = services::insert(tx, 1, "default", "shop", &source, &provisioning)?;
                let id = new_id(tx)?;
                let new = NewEnvironment {
                    workspace_id: "default".to_owned(),
                    service_id: service.id,
                    service_name: "shop".to_owned(),
                    name: "shop".to_owned(),
                    selector: Selector::WorkingTree,
                    key: "tree".to_owned(),
                    provision_type: ProvisionType::Custom,
                    engine: EngineRef {
                        engine: made_with.handler.engine,
                        label: made_with.handler.label.clone(),
                        address: "https://previews.acme.dev".to_owned(),
                        rule: "handler".to_owned(),
                        id: None,
                    },
                    made_with: Some(made_with),
                    project: "shop".to_owned(),
                    host: "shop".to_owned(),
                    expires_at: None,
                };
                environments::insert(tx, 1, &id, &new)?;
                Ok(id)
            })
            .await
            .unwrap()
    }

    async fn made_with(&self, environment: &str) -> MadeWith {
        let record = self.berth.record(environment).await.unwrap();
        record.identity.made_with.unwrap()
    }

    /// Items of the keychain but for the one that tells locked from absent.
    fn items(&self) -> usize {
        self.keychain
            .names()
            .iter()
            .filter(|name| !name.ends_with("/mark"))
            .count()
    }
}

#[tokio::test]
async fn every_secret_that_a_handler_refers_to_must_be_set() {
    let here = opened().await;
    let problem = here
        .berth
        .save_handler(
            draft(HandlerScope::Workspace, api("Acme", "https://a.dev")),
            secrets(&[("OTHER", "x")], &[]),
        )
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::SecretMissing);
    assert!(problem.detail.unwrap().contains("USER, PASSWORD"));
    assert_eq!(here.items(), 0, "nothing was kept");
    let handlers = here.berth.handlers("").await.unwrap();
    assert!(handlers.rows.iter().all(|row| row.key != kargo()));

    let handler = here.registered().await;
    let names: Vec<&str> = handler.secrets.iter().map(|it| it.key.as_str()).collect();
    assert_eq!(names, ["PASSWORD", "USER"]);
    assert!(handler.secrets.iter().all(|it| it.set_at.is_some()));
    assert!(!serde_json::to_string(&handler).unwrap().contains("hunter2"));
}

#[tokio::test]
async fn named_secrets_are_replaced_and_the_others_stay() {
    let here = opened().await;
    here.registered().await;
    let scope = HandlerScope::Workspace;
    let key = kargo();
    let set = |new| here.berth.set_handler_secrets(&scope, &key, new);

    set(secrets(&[("PASSWORD", "hunter3"), ("EXTRA", "more")], &[]))
        .await
        .unwrap();
    let value = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(
        here.values(&scope).await,
        BTreeMap::from([
            value("EXTRA", "more"),
            value("PASSWORD", "hunter3"),
            value("USER", "deploy")
        ])
    );
    set(secrets(&[], &["EXTRA"])).await.unwrap();
    assert_eq!(here.values(&scope).await.len(), 2);
    let problem = set(secrets(&[], &["USER"])).await.unwrap_err();
    assert_eq!(problem.code, Code::SecretMissing);
    assert!(problem.title.contains("refers to USER"), "{problem}");
    assert_eq!(here.values(&scope).await.len(), 2, "nothing changed");
    assert_eq!(here.items(), 1, "earlier ones are gone");

    // Saved again without a word about secrets: they stay, and so does the age.
    let before = here.berth.handler(&scope, &kargo()).await.unwrap();
    let text = api("Acme, renamed", "https://previews.acme.dev");
    let after = here
        .berth
        .save_handler(draft(scope.clone(), text), NewSecrets::default())
        .await
        .unwrap();
    assert_eq!(after.handler.label, "Acme, renamed");
    assert_eq!(after.secrets, before.secrets);
    assert_eq!(after.created_at, before.created_at);
}

#[tokio::test]
async fn a_locked_keychain_changes_nothing() {
    let here = opened().await;
    here.registered().await;
    here.keychain.lock(true);
    let scope = HandlerScope::Workspace;
    let problem = here
        .berth
        .set_handler_secrets(&scope, &kargo(), secrets(&[("USER", "other")], &[]))
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::SecretStoreLocked);
    here.keychain.lock(false);
    assert_eq!(here.values(&scope).await["USER"], "deploy");
    here.berth.remove_unreferenced_bundles().await;
    assert_eq!(here.items(), 1);
}

#[tokio::test]
async fn environments_keep_the_handler_they_were_made_with() {
    let here = opened().await;
    here.registered().await;
    let id = here.environment().await;
    let scope = HandlerScope::Workspace;

    // A rotated secret is the environment's too.
    here.berth
        .set_handler_secrets(&scope, &kargo(), secrets(&[("PASSWORD", "hunter3")], &[]))
        .await
        .unwrap();
    let made_with = here.made_with(&id).await;
    let bundle = made_with.bundle.clone().unwrap();
    assert_eq!(
        here.values_of(&bundle).await.unwrap()["PASSWORD"],
        "hunter3"
    );

    // Another handler in its place is not.
    here.berth
        .save_handler(
            draft(scope.clone(), api("Other", "https://other.acme.dev")),
            secrets(&[("PASSWORD", "of the other")], &[]),
        )
        .await
        .unwrap();
    let after = here.made_with(&id).await;
    assert_eq!(after, made_with);
    assert_eq!(
        here.values_of(&bundle).await.unwrap()["PASSWORD"],
        "hunter3"
    );
    let row = here.berth.handlers("kargo").await.unwrap().rows.remove(0);
    assert_eq!(row.services, ["shop"]);
    assert_eq!(row.made_with_another.len(), 1);
    assert_eq!(
        row.made_with_another[0].made_with.as_ref().unwrap().label,
        "Acme previews"
    );

    // Nor is it hurt when the handler is removed.
    here.berth.remove_handler(&scope, &kargo()).await.unwrap();
    assert_eq!(here.made_with(&id).await, made_with);
    assert_eq!(
        here.values_of(&bundle).await.unwrap()["PASSWORD"],
        "hunter3"
    );
    assert_eq!(here.items(), 1, "those of the other handler are gone");

    // With the last environment they go.
    here.berth
        .store()
        .write(move |tx| environments::set_torn_down(tx, 9, &id))
        .await
        .unwrap();
    here.berth.remove_unreferenced_bundles().await;
    assert_eq!(here.items(), 0);
}

#[tokio::test]
async fn an_override_is_a_copy_until_a_field_is_changed() {
    let here = opened().await;
    here.registered().await;
    let copied = here.berth.copy_to_override(&kargo()).await.unwrap();
    assert_eq!(copied.differences, Some(0));
    assert_eq!(here.values(&ann()).await["PASSWORD"], "hunter2");
    assert_eq!(here.items(), 2, "secrets of its own");
    let again = here.berth.copy_to_override(&kargo()).await.unwrap_err();
    assert_eq!(again.code, Code::InvalidInput);

    let own = here
        .berth
        .save_handler(
            draft(ann(), api("Acme previews", "https://ann.acme.dev")),
            NewSecrets::default(),
        )
        .await
        .unwrap();
    assert_eq!(own.address.as_deref(), Some("https://ann.acme.dev"));
    here.berth
        .save_handler(
            draft(
                HandlerScope::Workspace,
                api("Acme, moved", "https://previews.acme.dev"),
            ),
            NewSecrets::default(),
        )
        .await
        .unwrap();
    let compared = here.berth.compare_override(&kargo()).await.unwrap();
    let of = |pointer: &str| {
        let field = compared.iter().find(|it| it.pointer == pointer).unwrap();
        (field.own.clone(), field.workspace.clone(), field.origin)
    };
    let said = |text: &str| Some(Value::from(text));
    assert_eq!(
        of("/manifest/baseUrl"),
        (
            said("https://ann.acme.dev"),
            said("https://previews.acme.dev"),
            Origin::Own
        )
    );
    assert_eq!(
        of("/manifest/label"),
        (said("Acme previews"), said("Acme, moved"), Origin::Copied)
    );
    assert_eq!(of("/engine").2, Origin::Workspace);
    let row = here.berth.handlers("").await.unwrap().rows.remove(0);
    assert_eq!(row.key, kargo(), "custom comes first");
    assert_eq!(row.own.unwrap().differences, Some(2));
}

#[tokio::test]
async fn switching_an_override_changes_what_is_in_effect_and_loses_nothing() {
    let here = opened().await;
    here.registered().await;
    let id = here.environment().await;
    here.berth.copy_to_override(&kargo()).await.unwrap();
    let row = || async { here.berth.handlers("kargo").await.unwrap().rows.remove(0) };
    let scope = |choice: Choice| match choice {
        Choice::Handled { handler } => handler.scope,
        other => panic!("{other:?}"),
    };
    let on = row().await;
    assert_eq!(scope(on.in_effect.choice), ann());
    assert_eq!(on.made_with_another[0].environment_id, id);

    here.berth.switch_override(&kargo(), false).await.unwrap();
    let off = row().await;
    assert_eq!(scope(off.in_effect.choice), HandlerScope::Workspace);
    assert!(off.made_with_another.is_empty());
    assert!(!off.own.unwrap().enabled, "kept");

    // Another user of the laptop has none of it.
    let bob = here.berth.add_user("Bob").await.unwrap();
    here.berth.switch_override(&kargo(), true).await.unwrap();
    here.berth.use_user(&bob.id).await.unwrap();
    let bobs = row().await;
    assert!(bobs.own.is_none());
    assert_eq!(scope(bobs.in_effect.choice), HandlerScope::Workspace);
    here.berth.use_user("ann").await.unwrap();
    assert_eq!(scope(row().await.in_effect.choice), ann());

    // Reset: it goes with its secrets.
    here.berth.remove_handler(&ann(), &kargo()).await.unwrap();
    assert_eq!(scope(row().await.in_effect.choice), HandlerScope::Workspace);
    assert_eq!(here.items(), 1);
}

#[tokio::test]
async fn a_handler_serves_what_its_engine_can() {
    let here = opened().await;
    let with_key = |key| HandlerDraft {
        key: Some(key),
        ..draft(HandlerScope::Workspace, api("Acme", "https://a.dev"))
    };
    let save = |draft| {
        here.berth
            .save_handler(draft, secrets(&[("USER", "u"), ("PASSWORD", "p")], &[]))
    };
    let docker = HandlerKey {
        provision_type: ProvisionType::DockerCompose,
        manifest_id: None,
    };
    assert_eq!(
        save(with_key(docker)).await.unwrap_err().code,
        Code::InvalidInput
    );
    let odd = HandlerKey {
        manifest_id: Some("Not/An-Id".to_owned()),
        ..kargo()
    };
    assert_eq!(
        save(with_key(odd)).await.unwrap_err().code,
        Code::InvalidInput
    );
    let mut kind = draft(HandlerScope::Workspace, api("Acme", "https://a.dev"));
    kind.backend_kind = Some("kargo".to_owned());
    assert_eq!(save(kind).await.unwrap_err().code, Code::InvalidInput);
    let problem = save(draft(HandlerScope::Workspace, "{\"engine\": 5}".to_owned()))
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::InvalidDocument);
    assert_eq!(problem.places[0].key, "engine");

    let any = HandlerKey {
        manifest_id: None,
        ..kargo()
    };
    let handler = save(with_key(any.clone())).await.unwrap();
    assert_eq!(handler.handler.key, any);
    assert_eq!(
        handler.handler.accepts_manifest_id.as_deref(),
        Some("kargo")
    );
    // A service of the type that it accepts meets it all the same.
    let id = here.environment_less_service().await;
    let explanation = here.berth.explain(&id).await.unwrap();
    assert!(matches!(explanation.choice, Choice::Handled { .. }));
}

impl Opened {
    async fn environment_less_service(&self) -> String {
        let provisioning = ServiceProvisioning {
            manifest_id: Some("kargo".to_owned()),
            ..ServiceProvisioning::of(ProvisionType::Custom)
        };
        let source = Source::Folder {
            path: "/home/ann/web".to_owned(),
            git: false,
        };
        self.berth
            .store()
            .write(move |tx| {
                Ok(services::insert(tx, 1, "default", "web", &source, &provisioning)?.id)
            })
            .await
            .unwrap()
    }
}
