//! What importing a file would come to: the file beside the store.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use berth_contracts::ServiceProvisioning;
use berth_contracts::documents::{
    HandlerConfig, UpsertCustomManifestType, WorkspaceFile, WorkspaceHandler,
    WorkspaceManifestType, WorkspaceRepository, WorkspaceService, WorkspaceSource,
};
use serde::Serialize;
use serde_json::{Value, json};

use super::diff::{Room, differences};
use super::export::{said_type, with_endpoint_of};
use super::file::{self, key_of};
use super::portable::{self, Base};
use crate::Berth;
use crate::handlers::content;
use crate::problem::Problem;
use crate::store::handlers::Record;
use crate::store::manifest_types::ManifestType;
use crate::store::{handlers, manifest_types, services};
use crate::view::{
    HandlerKey, ImportAction, ImportChange, ImportPreview, Imported, MissingSecrets, Service,
    Source,
};

/// What is to be written, and what is shown of it beforehand.
pub(super) struct Plan {
    pub(super) preview: ImportPreview,
    /// Those that are new or differ.
    pub(super) types: Vec<(String, UpsertCustomManifestType)>,
    /// All of the file.
    pub(super) handlers: Vec<PlannedHandler>,
    /// Those that are new or differ.
    pub(super) services: Vec<PlannedService>,
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

/// What is here of what a file could be about.
struct Here {
    types: Vec<ManifestType>,
    handlers: HashMap<HandlerKey, Record>,
    services: HashMap<String, (Service, Vec<String>)>,
}

/// A preview in the making.
#[derive(Default)]
struct Draft {
    changes: Vec<ImportChange>,
    warnings: Vec<String>,
    room: Room,
}

impl Berth {
    /// What importing a file would do; it is said to lie in the folder `base`.
    /// Changes nothing.
    ///
    /// # Errors
    /// [`crate::Code::InvalidDocument`] with every fault of the file;
    /// [`crate::Code::PathMissing`] for a folder that is not there.
    pub async fn preview_import(
        &self,
        text: String,
        base: Option<PathBuf>,
    ) -> Result<ImportPreview, Problem> {
        Ok(self.plan_import(text, base).await?.preview)
    }

    pub(super) async fn plan_import(
        &self,
        text: String,
        base: Option<PathBuf>,
    ) -> Result<Plan, Problem> {
        let read = tokio::task::spawn_blocking(move || file::read(&text))
            .await
            .unwrap_or_else(|_| Err(Problem::internal("reading a workspace file broke off")))?;
        let base = match base {
            Some(folder) => Some(Base::of(self.sources(), folder).await?),
            None => None,
        };
        let WorkspaceFile {
            manifest_types,
            handlers,
            services,
            ..
        } = read.file;
        let here = self
            .here(
                services
                    .iter()
                    .flatten()
                    .map(|it| it.name.clone())
                    .collect(),
            )
            .await?;
        let mut draft = Draft::default();
        if !read.unknown.is_empty() {
            draft.warnings.push(format!(
                "The file says what this Berth does not know, which is left out: {}.",
                read.unknown.join(", ")
            ));
        }
        let types = draft.types(manifest_types.unwrap_or_default(), &here)?;
        let planned = draft.handlers(handlers.unwrap_or_default(), &here)?;
        let mut planned_services = Vec::new();
        for service in services.unwrap_or_default() {
            let here = here.services.get(&service.name);
            let Some(source) = self
                .wanted_source(&service, base.as_ref(), here, &mut draft)
                .await
            else {
                continue;
            };
            planned_services.extend(draft.service(service, source, here)?);
        }
        let missing_secrets = planned.iter().filter_map(PlannedHandler::missing).collect();
        Ok(Plan {
            preview: ImportPreview {
                changes: draft.changes,
                missing_secrets,
                warnings: draft.warnings,
            },
            types,
            handlers: planned,
            services: planned_services,
        })
    }

    async fn here(&self, names: BTreeSet<String>) -> Result<Here, Problem> {
        let workspace_id = self.workspace_id().to_owned();
        Ok(self
            .store()
            .read(move |connection| {
                let handlers = handlers::list(connection, &workspace_id)?;
                let mut known = HashMap::new();
                for service in services::list(connection, &workspace_id)? {
                    if names.contains(&service.name) {
                        let live = services::live_environments(connection, &service.id)?;
                        known.insert(service.name.clone(), (service, live));
                    }
                }
                Ok(Here {
                    types: manifest_types::list(connection, &workspace_id)?,
                    handlers: handlers
                        .into_iter()
                        .map(|record| (record.content.key.clone(), record))
                        .collect(),
                    services: known,
                })
            })
            .await?)
    }

    /// Where the files of a service are to be here; `None`: that is not there, which
    /// the draft now says.
    async fn wanted_source(
        &self,
        service: &WorkspaceService,
        base: Option<&Base>,
        here: Option<&(Service, Vec<String>)>,
        draft: &mut Draft,
    ) -> Option<Source> {
        match &service.source {
            WorkspaceSource::Git(repository) => {
                let here = here.map(|(service, _)| &service.source);
                if let Some(here) = here
                    && portable::is_same_repository(self.sources(), here, repository).await
                {
                    return Some(here.clone());
                }
                let WorkspaceRepository { url, subdirectory } = repository.clone();
                Some(Source::GitUrl {
                    url,
                    subdirectory: subdirectory.unwrap_or_default(),
                })
            }
            WorkspaceSource::Folder(folder) => {
                let Some(base) = base.cloned() else {
                    draft.warnings.push(format!(
                        "The service “{}” is left out: it is the folder {}, and it is not known where the file lies.",
                        service.name, folder.path
                    ));
                    return None;
                };
                let path = folder.path.clone();
                let resolved = tokio::task::spawn_blocking(move || base.resolve(&path)).await;
                let Some(path) = resolved.ok().flatten() else {
                    draft.warnings.push(format!(
                        "The service “{}” is left out: beside the file there is no folder {}.",
                        service.name, folder.path
                    ));
                    return None;
                };
                match here.map(|(service, _)| &service.source) {
                    Some(Source::Folder { path: known, git }) if *known == path => {
                        Some(Source::Folder { path, git: *git })
                    }
                    _ => {
                        let tree = self
                            .sources()
                            .work_tree(path.as_ref(), &tokio_util::sync::CancellationToken::new())
                            .await;
                        let git = matches!(tree, Ok(Some(_)));
                        Some(Source::Folder { path, git })
                    }
                }
            }
        }
    }
}

impl Draft {
    fn types(
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
            let action = self.add(what, known.as_ref(), &value(&wanted)?);
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

    fn handlers(
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
            let what = Imported::Handler {
                key: key.clone(),
                label: content::label(&config).to_owned(),
            };
            let action = self.add(what, before.as_ref(), &value(&config)?);
            let mut needs: BTreeSet<String> = wanted.secrets.into_iter().flatten().collect();
            needs.extend(content::secret_keys(&config).into_iter().map(str::to_owned));
            let has = known.iter().flat_map(|known| &known.secrets);
            planned.push(PlannedHandler {
                has: has.map(|secret| secret.key.clone()).collect(),
                key,
                config,
                action,
                needs,
            });
        }
        Ok(planned)
    }

    fn service(
        &mut self,
        wanted: WorkspaceService,
        source: Source,
        here: Option<&(Service, Vec<String>)>,
    ) -> Result<Option<PlannedService>, Problem> {
        let said = |source: &Source, provisioning: &ServiceProvisioning| {
            Ok::<_, Problem>(json!({
                "source": said_source(source),
                "provisioning": value(provisioning)?,
            }))
        };
        let before = here
            .map(|(known, _)| said(&known.source, &known.provisioning))
            .transpose()?;
        let after = said(&source, &wanted.provisioning)?;
        let what = Imported::Service {
            name: wanted.name.clone(),
        };
        if self.add(what, before.as_ref(), &after) == ImportAction::Keep {
            return Ok(None);
        }
        let moved =
            here.is_none_or(|(known, _)| said_source(&known.source) != said_source(&source));
        let in_the_way = match here {
            Some((_, live)) if moved => live.clone(),
            _ => Vec::new(),
        };
        if !in_the_way.is_empty() {
            self.warnings.push(format!(
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

    /// Adds a line of the diff.
    fn add(&mut self, what: Imported, before: Option<&Value>, after: &Value) -> ImportAction {
        let action = match before {
            None => ImportAction::Add,
            Some(before) if before == after => ImportAction::Keep,
            Some(_) => ImportAction::Change,
        };
        let found = differences(before, after, &mut self.room);
        if found.omitted > 0 {
            self.warnings.push(format!(
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
        action
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

/// `custom · helm`
pub(super) fn key_in_words(key: &HandlerKey) -> String {
    let kind = content::word(key.provision_type);
    match &key.manifest_id {
        Some(id) => format!("{kind} · {id}"),
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
