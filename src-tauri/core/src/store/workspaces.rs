//! Workspaces.

use rusqlite::{Connection, OptionalExtension};

use super::StoreError;
use crate::view::Workspace;

/// The workspace that every store has from its start.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn default(connection: &Connection) -> Result<Workspace, StoreError> {
    get(connection, "default")
}

/// One workspace.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn get(connection: &Connection, id: &str) -> Result<Workspace, StoreError> {
    connection
        .prepare_cached("SELECT id, name FROM workspaces WHERE id = ?1")?
        .query_row([id], |row| {
            Ok(Workspace {
                id: row.get(0)?,
                name: row.get(1)?,
            })
        })
        .optional()?
        .ok_or_else(|| StoreError::Missing {
            what: "workspace",
            id: id.to_owned(),
        })
}
