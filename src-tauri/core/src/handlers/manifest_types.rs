//! The catalogue of custom manifest types.

use berth_contracts::documents::{CustomManifestType, UpsertCustomManifestType};
use berth_contracts::validate;

use super::catalogue::{self, RegisteredType};
use super::content::is_manifest_id;
use crate::Berth;
use crate::documents::find_schema;
use crate::problem::{Code, Place, Problem};
use crate::store::manifest_types;

/// The manifest types that come with a backend of this build: none yet.
const REGISTERED: &[RegisteredType] = &[];

impl Berth {
    /// The catalogue, by id: the types that come with a backend, and those of the
    /// workspace, which stand in front of them.
    ///
    /// # Errors
    /// [`Code::Store`].
    pub async fn manifest_types(&self) -> Result<Vec<CustomManifestType>, Problem> {
        let workspace_id = self.workspace_id().to_owned();
        let added = self
            .store()
            .read(move |connection| manifest_types::list(connection, &workspace_id))
            .await?;
        Ok(catalogue::merged(REGISTERED, &added))
    }

    /// Adds a manifest type to the workspace, or changes it.
    ///
    /// # Errors
    /// [`Code::InvalidInput`] for an id that the contract does not allow,
    /// [`Code::InvalidDocument`] for texts that it does not.
    pub async fn set_manifest_type(
        &self,
        manifest_id: &str,
        content: UpsertCustomManifestType,
    ) -> Result<CustomManifestType, Problem> {
        if !is_manifest_id(manifest_id) {
            return Err(Problem::new(
                Code::InvalidInput,
                format!("“{manifest_id}” cannot be a manifest type's id"),
            )
            .detail("An id has 1 to 64 lower-case letters, digits and dashes, and does not begin with a dash."));
        }
        let content = checked(&content)?;
        let (now, workspace_id) = (self.now(), self.workspace_id().to_owned());
        let id = manifest_id.to_owned();
        self.store()
            .write_durably(move |tx| manifest_types::upsert(tx, now, &workspace_id, &id, &content))
            .await?;
        let types = self.manifest_types().await?;
        types
            .into_iter()
            .find(|one| one.manifest_id == manifest_id)
            .ok_or_else(|| no_type(manifest_id))
    }

    /// Removes a manifest type of the workspace. Services and handlers that name it
    /// stay as they are.
    ///
    /// # Errors
    /// [`Code::NotFound`].
    pub async fn remove_manifest_type(&self, manifest_id: &str) -> Result<(), Problem> {
        let (now, workspace_id) = (self.now(), self.workspace_id().to_owned());
        let id = manifest_id.to_owned();
        let removed = self
            .store()
            .write_durably(move |tx| manifest_types::remove(tx, now, &workspace_id, &id))
            .await?;
        if removed {
            Ok(())
        } else {
            Err(no_type(manifest_id))
        }
    }
}

/// The texts as the contract writes them.
pub(crate) fn checked(
    content: &UpsertCustomManifestType,
) -> Result<UpsertCustomManifestType, Problem> {
    let unreadable = |error: serde_json::Error| {
        Problem::internal("a manifest type cannot be written").caused_by(&error)
    };
    let named = find_schema("upsertCustomManifestTypeSchema")?;
    let value = serde_json::to_value(content).map_err(unreadable)?;
    match validate(named.schema, &value) {
        Ok(value) => serde_json::from_value(value).map_err(unreadable),
        Err(issues) => {
            let mut problem = Problem::new(Code::InvalidDocument, "The manifest type is not valid");
            problem.places = issues
                .issues
                .into_iter()
                .map(|issue| Place {
                    file: None,
                    line: None,
                    column: None,
                    key: berth_contracts::path_text(&issue.path),
                    message: issue.message,
                    hint: None,
                })
                .collect();
            Err(problem)
        }
    }
}

fn no_type(id: &str) -> Problem {
    Problem::new(
        Code::NotFound,
        format!("The workspace has no manifest type {id}"),
    )
    .hint("berth type ls shows which there are.")
}
