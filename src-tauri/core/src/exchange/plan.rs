//! What importing a file would come to: the file beside the store.

use std::collections::HashMap;
use std::path::PathBuf;

use berth_contracts::documents::{
    UpsertCustomManifestType, WorkspaceFile, WorkspaceRepository, WorkspaceService, WorkspaceSource,
};
use tokio_util::sync::CancellationToken;

use super::draft::{Draft, Here, PlannedHandler, PlannedService};
use super::file;
use super::portable::{self, Base};
use crate::Berth;
use crate::problem::Problem;
use crate::store::{handlers, manifest_types, services};
use crate::view::{ImportPreview, Service, Source};

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
        let here = self.here().await?;
        let mut draft = Draft::default();
        if !read.unknown.is_empty() {
            draft.warn(format!(
                "The file says what this Berth does not know, which is left out: {}.",
                read.unknown.join(", ")
            ));
        }
        let types = draft.types(manifest_types.unwrap_or_default(), &here)?;
        let planned = draft.handlers(handlers.unwrap_or_default(), &here)?;
        let mut planned_services = Vec::new();
        for service in services.unwrap_or_default() {
            let known = here.services.get(&service.name);
            let source = self.wanted_source(&service, base.as_ref(), known).await;
            match source {
                Ok(source) => {
                    let is_new = known.is_none_or(|known| known.source != source);
                    if let (Some(base), Source::Folder { path, .. }) = (&base, &source)
                        && is_new
                        && !base.contains(path.as_ref())
                    {
                        draft.warn(format!(
                            "The service “{}” is taken from outside of the file's folder: {path}. Import it only when that is the folder you expect.",
                            service.name
                        ));
                    }
                    planned_services.extend(draft.service(service, source, &here)?);
                }
                Err(why) => draft.warn(format!(
                    "The service “{}” is left out: {why}.",
                    service.name
                )),
            }
        }
        let missing_secrets = planned.iter().filter_map(PlannedHandler::missing).collect();
        Ok(Plan {
            preview: ImportPreview {
                warnings: draft.warnings(),
                changes: draft.changes,
                missing_secrets,
            },
            types,
            handlers: planned,
            services: planned_services,
        })
    }

    async fn here(&self) -> Result<Here, Problem> {
        let workspace_id = self.workspace_id().to_owned();
        Ok(self
            .store()
            .read(move |connection| {
                let handlers = handlers::list(connection, &workspace_id)?;
                let services = services::list(connection, &workspace_id)?;
                let mut live = HashMap::new();
                for service in &services {
                    let names = services::live_environments(connection, &service.id)?;
                    live.insert(service.id.clone(), names);
                }
                Ok(Here {
                    types: manifest_types::list(connection, &workspace_id)?,
                    handlers: handlers
                        .into_iter()
                        .map(|record| (record.content.key.clone(), record))
                        .collect(),
                    services: services
                        .into_iter()
                        .map(|service| (service.name.clone(), service))
                        .collect(),
                    live,
                })
            })
            .await?)
    }

    /// Where the files of a service are to be here.
    ///
    /// # Errors
    /// Why they are not, as the end of a sentence about the service.
    async fn wanted_source(
        &self,
        service: &WorkspaceService,
        base: Option<&Base>,
        known: Option<&Service>,
    ) -> Result<Source, String> {
        match &service.source {
            WorkspaceSource::Git(repository) => {
                if let Some(known) = known
                    && portable::is_same_repository(self.sources(), &known.source, repository).await
                {
                    return Ok(known.source.clone());
                }
                let WorkspaceRepository { url, subdirectory } = repository.clone();
                Ok(Source::GitUrl {
                    url,
                    subdirectory: subdirectory.unwrap_or_default(),
                })
            }
            WorkspaceSource::Folder(folder) => {
                let base = base.cloned().ok_or_else(|| {
                    format!(
                        "it is the folder {}, and it is not known where the file lies",
                        folder.path
                    )
                })?;
                let wanted = folder.path.clone();
                let resolved = tokio::task::spawn_blocking(move || base.resolve(&wanted)).await;
                let path = resolved
                    .ok()
                    .flatten()
                    .ok_or_else(|| format!("beside the file there is no folder {}", folder.path))?;
                if let Some(Source::Folder { path: here, git }) = known.map(|known| &known.source)
                    && *here == path
                {
                    return Ok(Source::Folder { path, git: *git });
                }
                let cancel = CancellationToken::new();
                let tree = self.sources().work_tree(path.as_ref(), &cancel).await;
                let git = matches!(tree, Ok(Some(_)));
                Ok(Source::Folder { path, git })
            }
        }
    }
}
