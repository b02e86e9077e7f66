//! A workspace written as a file.

use std::path::PathBuf;

use berth_contracts::documents::{
    HandlerConfig, WorkspaceFile, WorkspaceHandler, WorkspaceManifestType, WorkspaceService,
};

use super::file;
use super::literals;
use super::portable::{self, Base};
use crate::Berth;
use crate::handlers::content;
use crate::problem::Problem;
use crate::store::handlers::Record;
use crate::store::manifest_types::ManifestType;
use crate::store::{handlers, manifest_types, services};
use crate::view::WorkspaceExport;

/// The setting of a Docker handler that names a socket of this machine.
const ENDPOINT: &str = "endpoint";

impl Berth {
    /// The workspace as the text of a file that is to lie in the folder `base`;
    /// without one, no service can be said as the way to its folder. Overrides are
    /// their users' own and not in it.
    ///
    /// # Errors
    /// [`crate::Code::PathMissing`] for a folder that is not there;
    /// [`crate::Code::InvalidDocument`] when the file would have more than 1 MiB.
    pub async fn export_workspace(
        &self,
        base: Option<PathBuf>,
    ) -> Result<WorkspaceExport, Problem> {
        let base = match base {
            Some(folder) => Some(Base::of(self.sources(), folder).await?),
            None => None,
        };
        let workspace_id = self.workspace_id().to_owned();
        let (types, handlers, services) = self
            .store()
            .read(move |connection| {
                Ok((
                    manifest_types::list(connection, &workspace_id)?,
                    handlers::list(connection, &workspace_id)?,
                    services::list(connection, &workspace_id)?,
                ))
            })
            .await?;
        let mut warnings: Vec<String> = handlers.iter().filter_map(revealing).collect();
        let mut said = Vec::with_capacity(services.len());
        for service in services {
            match portable::in_file(self.sources(), base.as_ref(), &service.source).await {
                Ok(source) => said.push(WorkspaceService {
                    name: service.name,
                    source,
                    provisioning: service.provisioning,
                }),
                Err(why) => warnings.push(format!(
                    "The service “{}” is left out: {why}.",
                    service.name
                )),
            }
        }
        let file = WorkspaceFile {
            format: 1.0,
            manifest_types: Some(types.iter().map(said_type).collect()),
            handlers: Some(handlers.iter().map(said_handler).collect()),
            services: Some(said),
        };
        let text = tokio::task::spawn_blocking(move || file::written(file))
            .await
            .unwrap_or_else(|_| Err(Problem::internal("writing a workspace file broke off")))?;
        Ok(WorkspaceExport { text, warnings })
    }
}

/// A manifest type as a file says it: an empty text says nothing.
pub(super) fn said_type(of: &ManifestType) -> WorkspaceManifestType {
    let filled = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    WorkspaceManifestType {
        manifest_id: of.manifest_id.clone(),
        label: of.content.label.clone(),
        accepts_input_hint: filled(&of.content.accepts_input_hint),
        description: filled(&of.content.description),
    }
}

fn said_handler(record: &Record) -> WorkspaceHandler {
    let config = without_endpoint(record.content.config.clone());
    let mut secrets: Vec<String> = record.secrets.iter().map(|it| it.key.clone()).collect();
    secrets.extend(content::secret_keys(&config).into_iter().map(str::to_owned));
    WorkspaceHandler {
        provision_type: record.content.key.provision_type,
        manifest_id: record.content.key.manifest_id.clone(),
        config,
        secrets: Some(secrets).filter(|secrets| !secrets.is_empty()),
    }
}

/// The warning about a handler whose document itself holds the values of secrets.
fn revealing(record: &Record) -> Option<String> {
    let document = serde_json::to_value(&record.content.config).ok()?;
    let found = literals::in_document(&document);
    if found.is_empty() {
        return None;
    }
    Some(format!(
        "The document of the handler “{}” holds what looks like a secret, and the file does too, at {}. Keep it as a secret of the handler, then export again.",
        record.content.label,
        found.join(", ")
    ))
}

/// A document without the socket that it names: that is this machine's.
fn without_endpoint(mut config: HandlerConfig) -> HandlerConfig {
    if let HandlerConfig::LocalDocker(docker) = &mut config
        && let Some(settings) = &mut docker.manifest.provider_config
        && settings.remove(ENDPOINT).is_some()
        && settings.is_empty()
    {
        docker.manifest.provider_config = None;
    }
    config
}

/// A document of a file as it is to be here: a Docker handler whose file names no
/// socket keeps the one that it has.
pub(super) fn with_endpoint_of(mut wanted: HandlerConfig, here: &HandlerConfig) -> HandlerConfig {
    if let (HandlerConfig::LocalDocker(wanted), HandlerConfig::LocalDocker(here)) =
        (&mut wanted, here)
        && let Some(endpoint) = here
            .manifest
            .provider_config
            .as_ref()
            .and_then(|settings| settings.get(ENDPOINT))
    {
        wanted
            .manifest
            .provider_config
            .get_or_insert_default()
            .entry(ENDPOINT.to_owned())
            .or_insert_with(|| endpoint.clone());
    }
    wanted
}
