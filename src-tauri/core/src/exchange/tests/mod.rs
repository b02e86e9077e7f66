use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use berth_contracts::documents::UpsertCustomManifestType;
use berth_contracts::{ProvisionType, ServiceProvisioning};
use secrecy::SecretString;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::handlers::NewSecrets;
use crate::problem::{Code, Problem};
use crate::store::services;
use crate::testing::{FakeClock, FakeKeychain};
use crate::view::{
    ActivityVerb, Actor, HandlerDraft, HandlerKey, HandlerScope, ImportAction, ImportChange,
    ImportPreview, Imported, Source,
};
use crate::{Berth, Options};

mod cut;
mod documentation;
mod faults;
mod machines;
mod preview;

/// In no file that is written.
const PLANTED: &str = "hunter2-planted-in-a-secret";

/// One laptop: a home, a keychain, a data folder.
struct Machine {
    /// Without links.
    root: PathBuf,
    keychain: FakeKeychain,
    clock: Arc<FakeClock>,
    berth: Berth,
    _folder: TempDir,
}

impl Machine {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let keychain = FakeKeychain::new();
        let clock = Arc::new(FakeClock::new(1_000));
        let berth = open(&root, &keychain, &clock).await;
        Self {
            root,
            keychain,
            clock,
            berth,
            _folder: folder,
        }
    }

    /// A process of its own on the same data folder, whose keychain can be cut off.
    async fn again(&self) -> (Berth, FakeKeychain) {
        let keychain = self.keychain.connect();
        (open(&self.root, &keychain, &self.clock).await, keychain)
    }

    fn folder(&self, path: &str) -> PathBuf {
        let folder = self.root.join(path);
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join("compose.yaml"),
            "services:\n  web:\n    image: web\n    ports: ['8080:80']\n",
        )
        .unwrap();
        folder
    }

    fn git(&self, folder: &Path, arguments: &[&str]) {
        let status = Command::new("git")
            .env("HOME", &self.root)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .current_dir(folder)
            .args(["-c", "init.defaultBranch=main"])
            .args(arguments)
            .status()
            .unwrap();
        assert!(status.success(), "git {arguments:?}");
    }

    async fn add(&self, folder: &Path, name: &str) -> String {
        let location = folder.display().to_string();
        let added = self.berth.add_service(&location, None, Some(name)).await;
        added.unwrap().id
    }

    /// As a service that was added by its address; asking it takes a network.
    async fn add_by_address(&self, url: &str, name: &str) {
        let (url, name) = (url.to_owned(), name.to_owned());
        self.berth
            .store()
            .write(move |tx| {
                let source = Source::GitUrl {
                    url,
                    subdirectory: String::new(),
                };
                let provisioning = ServiceProvisioning::of(ProvisionType::DockerCompose);
                services::insert(tx, 1, "default", &name, &source, &provisioning)
            })
            .await
            .unwrap();
    }

    async fn export(&self, base: Option<&Path>) -> String {
        let export = self.berth.export_workspace(base.map(Path::to_owned)).await;
        let export = export.unwrap();
        assert_eq!(export.warnings, [""; 0]);
        export.text
    }

    async fn preview(&self, text: &str, base: Option<&Path>) -> ImportPreview {
        let base = base.map(Path::to_owned);
        self.berth
            .preview_import(text.to_owned(), base)
            .await
            .unwrap()
    }

    async fn import(
        &self,
        text: &str,
        base: Option<&Path>,
        secrets: Vec<(HandlerKey, NewSecrets)>,
    ) -> Result<ImportPreview, Problem> {
        let base = base.map(Path::to_owned);
        self.berth
            .import_workspace(text.to_owned(), base, secrets)
            .await
    }

    /// What was done, oldest first, with its detail.
    async fn activity(&self) -> Vec<(ActivityVerb, Option<String>)> {
        let lines = self
            .berth
            .store()
            .read(|connection| {
                connection
                    .prepare("SELECT verb, detail FROM activity ORDER BY id")?
                    .query_map([], |row| {
                        Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?))
                    })?
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(Into::into)
            })
            .await
            .unwrap();
        lines
            .into_iter()
            .map(|(verb, detail)| (serde_json::from_value(json!(verb)).unwrap(), detail))
            .collect()
    }
}

async fn open(root: &Path, keychain: &FakeKeychain, clock: &Arc<FakeClock>) -> Berth {
    Berth::open(Options {
        data_dir: Some(root.join("data")),
        actor: Actor::CommandLine,
        environment: BTreeMap::from([
            ("HOME".to_owned(), root.display().to_string()),
            ("PATH".to_owned(), std::env::var("PATH").unwrap()),
            ("GIT_CONFIG_NOSYSTEM".to_owned(), "1".to_owned()),
        ]),
        clock: clock.clone(),
        keychain: Some(Arc::new(keychain.clone())),
    })
    .await
    .unwrap()
}

fn key(provision_type: ProvisionType, manifest_id: Option<&str>) -> HandlerKey {
    HandlerKey {
        provision_type,
        manifest_id: manifest_id.map(str::to_owned),
    }
}

fn helm() -> HandlerKey {
    key(ProvisionType::Custom, Some("helm"))
}

fn secrets(of: &[(&str, &str)]) -> NewSecrets {
    NewSecrets {
        set: of
            .iter()
            .map(|(key, value)| ((*key).to_owned(), SecretString::from(*value)))
            .collect(),
        remove: Vec::new(),
    }
}

/// A management API that asks for `API_TOKEN`.
fn api(label: &str) -> Value {
    json!({
        "engine": "remote-custom",
        "acceptsManifestId": "helm",
        "manifest": {
            "providerId": "acme",
            "label": label,
            "baseUrl": "https://previews.example.com/api/v1",
            "auth": {"type": "bearer", "secretRef": {"key": "API_TOKEN"}},
            "provision": {"method": "POST", "pathTemplate": "/environments"},
            "response": {},
            "defaultTtlMs": 7_200_000,
        },
    })
}

fn docker(label: &str, settings: Value) -> Value {
    json!({
        "engine": "local-docker",
        "manifest": {
            "providerId": "compose",
            "label": label,
            "baseUrl": "http://localhost",
            "auth": {"type": "none"},
            "provision": {"method": "POST", "pathTemplate": ""},
            "response": {},
            "providerConfig": settings,
        },
    })
}

async fn save(berth: &Berth, config: Value, new: NewSecrets) {
    let draft = HandlerDraft {
        scope: HandlerScope::Workspace,
        key: None,
        backend_kind: None,
        text: config.to_string(),
    };
    berth.save_handler(draft, new).await.unwrap();
}

/// A file with one handler, which needs `API_TOKEN` and `EXTRA`.
fn file_with_api() -> String {
    json!({
        "berth": 1,
        "manifestTypes": [{"manifestId": "helm", "label": "Helm chart"}],
        "handlers": [{
            "provisionType": "custom",
            "manifestId": "helm",
            "config": api("Acme previews"),
            "secrets": ["EXTRA"],
        }],
        "services": [{
            "name": "charts",
            "source": {"type": "git", "url": "https://example.com/charts.git"},
            "provisioning": {"type": "custom", "manifestId": "helm"},
        }],
    })
    .to_string()
}

fn actions(preview: &ImportPreview) -> Vec<ImportAction> {
    preview.changes.iter().map(|change| change.action).collect()
}
