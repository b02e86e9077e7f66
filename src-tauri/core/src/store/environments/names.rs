//! What environments are called, and by whom a name is taken.

use rusqlite::{Connection, params};

use crate::store::StoreError;

/// A name or id that fits what someone typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// Its id.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// Not torn down.
    pub(crate) live: bool,
}

/// Environments of a workspace with the name `text`, or an id that begins with
/// it; live ones first, then the newest.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn matching(
    connection: &Connection,
    workspace_id: &str,
    text: &str,
) -> Result<Vec<Named>, StoreError> {
    named(
        connection,
        "SELECT id, name, torn_down_at IS NULL AS live FROM environments
         WHERE workspace_id = ?1 AND (name = ?2 OR substr(id, 1, length(?2)) = ?2)
         ORDER BY live DESC, created_at DESC, id",
        params![workspace_id, text],
    )
}

/// Names and ids of all live environments of a workspace, by name.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn names(connection: &Connection, workspace_id: &str) -> Result<Vec<Named>, StoreError> {
    named(
        connection,
        "SELECT id, name, 1 AS live FROM environments
         WHERE workspace_id = ?1 AND torn_down_at IS NULL ORDER BY name",
        params![workspace_id],
    )
}

/// Whether a live environment has that compose project.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn project_is_taken(connection: &Connection, project: &str) -> Result<bool, StoreError> {
    Ok(connection
        .prepare_cached("SELECT 1 FROM environments WHERE project = ?1 AND torn_down_at IS NULL")?
        .exists([project])?)
}

fn named(
    connection: &Connection,
    sql: &str,
    values: &[&dyn rusqlite::ToSql],
) -> Result<Vec<Named>, StoreError> {
    let named = connection
        .prepare_cached(sql)?
        .query_map(values, |row| {
            Ok(Named {
                id: row.get(0)?,
                name: row.get(1)?,
                live: row.get(2)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(named)
}
