//! A handler of what was found on this machine, with one click.

use berth_contracts::ProvisionType;
use berth_contracts::documents::bare_docker_handler;
use serde_json::json;

use super::save::NewSecrets;
use crate::Berth;
use crate::problem::{Code, Problem};
use crate::view::{Handler, HandlerDraft, HandlerKey, HandlerScope};

impl Berth {
    /// Makes the workspace's Docker handler of an engine that was found, in place of
    /// the one that is there, whose other settings are kept.
    ///
    /// # Errors
    /// [`Code::NotFound`] when nothing is found at that address any more; those of
    /// [`Berth::save_handler`].
    pub async fn make_handler_of(&self, address: &str) -> Result<Handler, Problem> {
        let found = self.found_engines().await?;
        let engine = found
            .into_iter()
            .find(|engine| engine.address == address)
            .ok_or_else(|| {
                Problem::new(Code::NotFound, "That engine is no longer there")
                    .detail(format!("Nothing answers at {address}."))
                    .hint("Start it, then look again.")
            })?;
        let scope = HandlerScope::Workspace;
        let key = HandlerKey {
            provision_type: ProvisionType::DockerCompose,
            manifest_id: None,
        };
        let mut document = match self.live_handler(&scope, &key).await? {
            Some(before) => serde_json::to_value(&before.content.config).map_err(|error| {
                Problem::internal("a handler's document cannot be written").caused_by(&error)
            })?,
            None => bare_docker_handler(),
        };
        document["manifest"]["label"] = json!(engine.product);
        document["manifest"]["providerConfig"]["endpoint"] = json!(engine.address);
        self.save_handler(
            HandlerDraft {
                scope,
                key: Some(key),
                backend_kind: None,
                text: document.to_string(),
            },
            NewSecrets::default(),
        )
        .await
    }
}
