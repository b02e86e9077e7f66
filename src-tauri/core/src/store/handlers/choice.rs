//! The rows that are looked at when a handler is chosen: without their documents,
//! found by index.

use rusqlite::{Connection, Params, params};

use super::{as_limit, key, pairs};
use crate::handlers::Row;
use crate::store::StoreError;
use crate::store::columns::{Json, Word};
use crate::view::{HandlerKey, HandlerRef, HandlerScope};

/// Which rows would serve, and how many others are looked at beside them.
pub(crate) struct LookFor<'a> {
    /// A row with one of these keys would.
    pub(crate) keys: &'a [HandlerKey],
    /// How many others, the oldest ones first; of custom handlers for a service that
    /// names no manifest type all would serve, and these are they.
    pub(crate) others: usize,
}

/// The live handlers of a workspace that are looked at for a choice, oldest first.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn looked_at(
    connection: &Connection,
    workspace_id: &str,
    look_for: &LookFor<'_>,
) -> Result<Vec<Row>, StoreError> {
    let of = "FROM json_each(?2) k CROSS JOIN handlers h ON h.workspace_id = ?1 AND h.deleted_at IS NULL";
    rows(
        connection,
        of,
        "FROM handlers h WHERE h.workspace_id = ?1 AND h.deleted_at IS NULL AND ?4 IS NULL",
        "1 AS enabled, NULL AS user_id",
        params![
            workspace_id,
            Json(pairs(look_for.keys)),
            as_limit(look_for.others),
            None::<&str>
        ],
    )
}

/// A user's overrides that are looked at for a choice, oldest first.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn overrides_looked_at(
    connection: &Connection,
    user_id: &str,
    workspace_id: &str,
    look_for: &LookFor<'_>,
) -> Result<Vec<Row>, StoreError> {
    rows(
        connection,
        "FROM json_each(?2) k CROSS JOIN user_handlers h ON h.workspace_id = ?1 AND h.user_id = ?4",
        "FROM user_handlers h WHERE h.workspace_id = ?1 AND h.user_id = ?4",
        "h.enabled, h.user_id",
        params![
            workspace_id,
            Json(pairs(look_for.keys)),
            as_limit(look_for.others),
            user_id
        ],
    )
}

/// Rows by key, by what they accept, and others; each once. Every part is found by
/// an index of its own.
fn rows(
    connection: &Connection,
    by_key: &str,
    others: &str,
    whose: &str,
    values: impl Params,
) -> Result<Vec<Row>, StoreError> {
    let columns = format!(
        "h.created_at, h.provision_type, h.manifest_id, h.label, h.engine,
         h.accepts_manifest_id, {whose}"
    );
    let sql = format!(
        "SELECT {columns} {by_key}
           AND h.provision_type = k.value ->> 0 AND h.manifest_id = k.value ->> 1
         UNION
         SELECT {columns} {by_key}
           AND h.accepts_manifest_id = k.value ->> 1 AND h.accepts_manifest_id IS NOT NULL
           AND h.provision_type = k.value ->> 0
         UNION
         SELECT * FROM (SELECT {columns} {others}
           ORDER BY h.created_at, h.provision_type, h.manifest_id LIMIT ?3)
         ORDER BY created_at, provision_type, manifest_id"
    );
    let rows = connection
        .prepare_cached(&sql)?
        .query_map(values, |row| {
            let user_id: Option<String> = row.get("user_id")?;
            Ok(Row {
                handler: HandlerRef {
                    scope: user_id.map_or(HandlerScope::Workspace, |user_id| HandlerScope::User {
                        user_id,
                    }),
                    key: key(row)?,
                    label: row.get("label")?,
                    engine: row.get::<_, Word<_>>("engine")?.0,
                    accepts_manifest_id: row.get("accepts_manifest_id")?,
                },
                enabled: row.get("enabled")?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(rows)
}
