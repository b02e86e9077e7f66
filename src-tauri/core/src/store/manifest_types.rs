//! The custom manifest types that were added in a workspace.

use berth_contracts::documents::UpsertCustomManifestType;
use rusqlite::{Connection, Row, Transaction, params};

use super::{StoreError, events};
use crate::view::Change;

/// A manifest type of a workspace.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ManifestType {
    pub(crate) manifest_id: String,
    pub(crate) content: UpsertCustomManifestType,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
}

/// The types of a workspace, by id.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn list(
    connection: &Connection,
    workspace_id: &str,
) -> Result<Vec<ManifestType>, StoreError> {
    let types = connection
        .prepare_cached(
            "SELECT * FROM custom_manifest_types WHERE workspace_id = ?1 ORDER BY manifest_id",
        )?
        .query_map([workspace_id], from_row)?
        .collect::<Result<_, _>>()?;
    Ok(types)
}

/// Adds a type, or changes it and keeps when it was added.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn upsert(
    tx: &Transaction<'_>,
    now: i64,
    workspace_id: &str,
    manifest_id: &str,
    content: &UpsertCustomManifestType,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "INSERT INTO custom_manifest_types
           (workspace_id, manifest_id, label, accepts_input_hint, description, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
         ON CONFLICT (workspace_id, manifest_id) DO UPDATE
         SET label = ?3, accepts_input_hint = ?4, description = ?5, updated_at = ?6",
    )?
    .execute(params![
        workspace_id,
        manifest_id,
        content.label,
        content.accepts_input_hint,
        content.description,
        now
    ])?;
    events::append(tx, now, &Change::Handlers)
}

/// Removes a type for good. Gives back whether it was there.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn remove(
    tx: &Transaction<'_>,
    now: i64,
    workspace_id: &str,
    manifest_id: &str,
) -> Result<bool, StoreError> {
    let removed = tx
        .prepare_cached(
            "DELETE FROM custom_manifest_types WHERE workspace_id = ?1 AND manifest_id = ?2",
        )?
        .execute([workspace_id, manifest_id])?;
    if removed > 0 {
        events::append(tx, now, &Change::Handlers)?;
    }
    Ok(removed > 0)
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<ManifestType> {
    Ok(ManifestType {
        manifest_id: row.get("manifest_id")?,
        content: UpsertCustomManifestType {
            label: row.get("label")?,
            accepts_input_hint: row.get("accepts_input_hint")?,
            description: row.get("description")?,
        },
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
