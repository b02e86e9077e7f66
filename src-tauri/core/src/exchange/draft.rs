//! A file beside what is here, line by line. Pure.

use std::collections::{BTreeSet, HashMap};

use berth_contracts::ServiceProvisioning;
use berth_contracts::documents::{
    AuthScheme, HandlerConfig, UpsertCustomManifestType, WorkspaceHandler, WorkspaceManifestType,
    WorkspaceService,
};
use serde::Serialize;
use serde_json::{Value, json};

use super::diff::{Room, differences};
use super::export::{said_type, with_endpoint_of};
use super::file::key_of;
use crate::handlers::content;
use crate::problem::Problem;
use crate::services::is_same;
use crate::store::handlers::Record;
use crate::store::manifest_types::ManifestType;
use crate::view::{
    HandlerKey, ImportAction, ImportChange, Imported, MissingSecrets, Service, Source,
};

/// Warnings that are shown of one file; more are counted.
const MOST_WARNINGS: usize = 50;

/// What is here of what a file could be about.
pub(super) struct Here {
    pub(super) types: Vec<ManifestType>,
    pub(super) handlers: HashMap<HandlerKey, Record>,
    /// By name.
    pub(super) services: HashMap<String, Service>,
    /// Names of their environments, by the id of the service.
    pub(super) live: HashMap<String, Vec<String>>,
}

pub(super) struct PlannedHandler {
    pub(super) key: HandlerKey,
    pub(super) config: HandlerConfig,
    pub(super) action: ImportAction,
    /// The secrets that it refers to or that the file lists.
    pub(super) needs: BTreeSet<String>,
    /// Those that are set here.
    pub(super) has: BTreeSet<String>,
}

pub(super) struct PlannedService {
    pub(super) name: String,
    /// Where its files are to be; `None`: where they are.
    pub(super) source: Option<Source>,
    pub(super) provisioning: ServiceProvisioning,
    /// Live environments that its source cannot be changed beneath, by name.
    pub(super) in_the_way: Vec<String>,
}

/// A preview in the making.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) changes: Vec<ImportChange>,
    warnings: Vec<String>,
    more_warnings: usize,
    room: Room,
}

impl Draft {
    pub(super) fn types(
        &mut self,
        wanted: Vec<WorkspaceManifestType>,
        here: &Here,
    ) -> Result<Vec<(String, UpsertCustomManifestType)>, Problem> {
        let mut planned = Vec::new();
        for wanted in wanted {
            let known = here
                .types
                .iter()
                .find(|one| one.manifest_id == wanted.manifest_id)
                .map(|one| value(&said_type(one)))
                .transpose()?;
            let what = Imported::ManifestType {
                manifest_id: wanted.manifest_id.clone(),
            };
            let after = value(&wanted)?;
            let action = Self::action(known.as_ref(), &after);
            self.add(what, action, known.as_ref(), &after);
            if action != ImportAction::Keep {
                let content = UpsertCustomManifestType {
                    label: wanted.label,
                    accepts_input_hint: wanted.accepts_input_hint,
                    description: wanted.description,
                };
                planned.push((wanted.manifest_id, content));
            }
        }
        Ok(planned)
    }

    pub(super) fn handlers(
        &mut self,
        wanted: Vec<WorkspaceHandler>,
        here: &Here,
    ) -> Result<Vec<PlannedHandler>, Problem> {
        let mut planned = Vec::new();
        for wanted in wanted {
            let key = key_of(&wanted);
            let known = here.handlers.get(&key);
            let config = match known {
                Some(known) => with_endpoint_of(wanted.config, &known.content.config),
                None => wanted.config,
            };
            let before = known
                .map(|known| value(&known.content.config))
                .transpose()?;
            let after = value(&config)?;
            let what = Imported::Handler {
                key: key.clone(),
                label: content::label(&config).to_owned(),
            };
            if let Some(known) = known
                && !known.secrets.is_empty()
                && receivers(&known.content.config) != receivers(&config)
            {
                self.warn(format!(
                    "The handler “{}” would send the secrets that it has here to another address than now: {}.",
                    content::label(&config),
                    receivers(&config).join(", ")
                ));
            }
            let mut needs: BTreeSet<String> = wanted.secrets.into_iter().flatten().collect();
            needs.extend(content::secret_keys(&config).into_iter().map(str::to_owned));
            let has: BTreeSet<String> = known
                .iter()
                .flat_map(|known| &known.secrets)
                .map(|secret| secret.key.clone())
                .collect();
            let action = match Self::action(before.as_ref(), &after) {
                ImportAction::Keep if !needs.is_subset(&has) => ImportAction::Change,
                action => action,
            };
            self.add(what, action, before.as_ref(), &after);
            planned.push(PlannedHandler {
                key,
                config,
                action,
                needs,
                has,
            });
        }
        Ok(planned)
    }

    pub(super) fn service(
        &mut self,
        wanted: WorkspaceService,
        source: Source,
        here: &Here,
    ) -> Result<Option<PlannedService>, Problem> {
        let known = here.services.get(&wanted.name);
        let said = |source: &Source, provisioning: &ServiceProvisioning| {
            Ok::<_, Problem>(json!({
                "source": said_source(source),
                "provisioning": value(provisioning)?,
            }))
        };
        let before = known
            .map(|known| said(&known.source, &known.provisioning))
            .transpose()?;
        let after = said(&source, &wanted.provisioning)?;
        let what = Imported::Service {
            name: wanted.name.clone(),
        };
        let action = Self::action(before.as_ref(), &after);
        self.add(what, action, before.as_ref(), &after);
        if action == ImportAction::Keep {
            return Ok(None);
        }
        if known.is_none()
            && let Some(twin) = here
                .services
                .values()
                .find(|one| is_same(one, &source, &wanted.provisioning))
        {
            self.warn(format!(
                "The service “{}” has the files of “{}”, which stays: there will be both.",
                wanted.name, twin.name
            ));
        }
        let moved = known.is_none_or(|known| said_source(&known.source) != said_source(&source));
        let in_the_way = match known {
            Some(known) if moved => here.live.get(&known.id).cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        if !in_the_way.is_empty() {
            self.warn(format!(
                "The service “{}” cannot be imported while it has environments: its files would be taken from elsewhere. Tear down {} first.",
                wanted.name,
                in_the_way.join(", ")
            ));
        }
        Ok(Some(PlannedService {
            name: wanted.name,
            source: Some(source).filter(|_| moved),
            provisioning: wanted.provisioning,
            in_the_way,
        }))
    }

    pub(super) fn warn(&mut self, warning: String) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(warning);
        } else {
            self.more_warnings += 1;
        }
    }

    pub(super) fn warnings(&mut self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut self.warnings);
        if self.more_warnings > 0 {
            warnings.push(format!("And {} more of that kind.", self.more_warnings));
        }
        warnings
    }

    fn action(before: Option<&Value>, after: &Value) -> ImportAction {
        match before {
            None => ImportAction::Add,
            Some(before) if before == after => ImportAction::Keep,
            Some(_) => ImportAction::Change,
        }
    }

    /// Adds a line of the diff.
    fn add(&mut self, what: Imported, action: ImportAction, before: Option<&Value>, after: &Value) {
        let found = differences(before, after, &mut self.room);
        if found.omitted > 0 {
            self.warn(format!(
                "Of {} not every value is shown: {} more differ.",
                named(&what),
                found.omitted
            ));
        }
        self.changes.push(ImportChange {
            what,
            action,
            values: found.values,
        });
    }
}

impl PlannedHandler {
    pub(super) fn label(&self) -> &str {
        content::label(&self.config)
    }

    /// What it needs and has not.
    pub(super) fn missing(&self) -> Option<MissingSecrets> {
        let keys: Vec<String> = self.needs.difference(&self.has).cloned().collect();
        if keys.is_empty() {
            return None;
        }
        Some(MissingSecrets {
            key: self.key.clone(),
            label: self.label().to_owned(),
            keys,
        })
    }
}

/// Who is shown a handler's secrets.
fn receivers(config: &HandlerConfig) -> Vec<&str> {
    let manifest = match config {
        HandlerConfig::LocalDocker(docker) => Some(&docker.manifest),
        HandlerConfig::RemoteCustom(custom) => Some(&custom.manifest),
        HandlerConfig::LocalK3s(_) | HandlerConfig::RemoteKubernetes(_) => None,
    };
    let login = manifest.and_then(|manifest| match &manifest.auth {
        AuthScheme::OAuth2ClientCredentials(oauth) => Some(&*oauth.token_url),
        _ => None,
    });
    content::address(config).into_iter().chain(login).collect()
}

/// `custom:helm`
pub(super) fn key_in_words(key: &HandlerKey) -> String {
    let kind = content::word(key.provision_type);
    match &key.manifest_id {
        Some(id) => format!("{kind}:{id}"),
        None => kind.to_owned(),
    }
}

fn named(what: &Imported) -> String {
    match what {
        Imported::Service { name } => format!("the service “{name}”"),
        Imported::Handler { label, .. } => format!("the handler “{label}”"),
        Imported::ManifestType { manifest_id } => format!("the manifest type “{manifest_id}”"),
    }
}

/// As a file says it, but for folders, which are shown whole.
fn said_source(source: &Source) -> Value {
    match source {
        Source::Folder { path, .. } => json!({"type": "folder", "path": path}),
        Source::GitUrl { url, subdirectory } if subdirectory.is_empty() => {
            json!({"type": "git", "url": url})
        }
        Source::GitUrl { url, subdirectory } => {
            json!({"type": "git", "url": url, "subdirectory": subdirectory})
        }
    }
}

fn value(of: &impl Serialize) -> Result<Value, Problem> {
    serde_json::to_value(of)
        .map_err(|error| Problem::internal("a document cannot be written").caused_by(&error))
}
