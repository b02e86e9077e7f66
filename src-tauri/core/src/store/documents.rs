//! Documents of the contract, as they were last saved.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::{StoreError, events};
use crate::view::{Change, DocumentSummary, StoredDocument};

const SUMMARY: &str = "id, schema, name, created_at, updated_at";

/// Writes a document down, in place of the one with its id if there is one;
/// `created_at` is that of the first time.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn save(
    tx: &Transaction<'_>,
    workspace_id: &str,
    document: &StoredDocument,
) -> Result<(), StoreError> {
    let StoredDocument { summary, text } = document;
    tx.prepare_cached(
        "INSERT INTO documents (id, workspace_id, schema, name, text, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (id) DO UPDATE
         SET schema = ?3, name = ?4, text = ?5, updated_at = ?7",
    )?
    .execute(params![
        summary.id,
        workspace_id,
        summary.schema,
        summary.name,
        text,
        summary.created_at,
        summary.updated_at
    ])?;
    changed(tx, summary.updated_at, &summary.id)
}

/// One document.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn get(
    connection: &Connection,
    workspace_id: &str,
    id: &str,
) -> Result<StoredDocument, StoreError> {
    connection
        .prepare_cached(&format!(
            "SELECT {SUMMARY}, text FROM documents WHERE workspace_id = ?1 AND id = ?2"
        ))?
        .query_row([workspace_id, id], |row| {
            Ok(StoredDocument {
                summary: summary(row)?,
                text: row.get("text")?,
            })
        })
        .optional()?
        .ok_or_else(|| missing(id))
}

/// The documents of a workspace, by name.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn list(
    connection: &Connection,
    workspace_id: &str,
) -> Result<Vec<DocumentSummary>, StoreError> {
    let documents = connection
        .prepare_cached(&format!(
            "SELECT {SUMMARY} FROM documents WHERE workspace_id = ?1
             ORDER BY name COLLATE NOCASE, created_at, id"
        ))?
        .query_map([workspace_id], summary)?
        .collect::<Result<_, _>>()?;
    Ok(documents)
}

/// Removes a document for good.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn delete(
    tx: &Transaction<'_>,
    now: i64,
    workspace_id: &str,
    id: &str,
) -> Result<(), StoreError> {
    let removed = tx
        .prepare_cached("DELETE FROM documents WHERE workspace_id = ?1 AND id = ?2")?
        .execute([workspace_id, id])?;
    if removed == 0 {
        return Err(missing(id));
    }
    changed(tx, now, id)
}

fn changed(tx: &Transaction<'_>, now: i64, id: &str) -> Result<(), StoreError> {
    events::append(tx, now, &Change::Document { id: id.to_owned() })
}

fn missing(id: &str) -> StoreError {
    StoreError::Missing {
        what: "document",
        id: id.to_owned(),
    }
}

fn summary(row: &Row<'_>) -> rusqlite::Result<DocumentSummary> {
    Ok(DocumentSummary {
        id: row.get("id")?,
        schema: row.get("schema")?,
        name: row.get("name")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
