//! The overrides of users, in front of a workspace's handlers.

use berth_contracts::documents::HandlerConfig;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{Content, OF_USER, Record, manifest_id, of_user, pairs};
use crate::store::columns::{Json, Word};
use crate::store::{StoreError, events};
use crate::view::{Change, HandlerKey};

/// A user's overrides in a workspace that have one of these keys.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn overrides_of_keys(
    connection: &Connection,
    user_id: &str,
    workspace_id: &str,
    keys: &[HandlerKey],
) -> Result<Vec<Record>, StoreError> {
    let records = connection
        .prepare_cached(
            "SELECT h.*, b.keys AS secret_keys FROM json_each(?2) k
             CROSS JOIN user_handlers h ON h.user_id = ?3 AND h.workspace_id = ?1
               AND h.provision_type = k.value ->> 0 AND h.manifest_id = k.value ->> 1
             LEFT JOIN secret_bundles b ON b.id = h.bundle",
        )?
        .query_map(params![workspace_id, Json(pairs(keys)), user_id], of_user)?
        .collect::<Result<_, _>>()?;
    Ok(records)
}

/// A user's override for a key.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn override_of(
    connection: &Connection,
    user_id: &str,
    workspace_id: &str,
    key: &HandlerKey,
) -> Result<Option<Record>, StoreError> {
    let record = connection
        .prepare_cached(&format!(
            "{OF_USER} AND h.provision_type = ?3 AND h.manifest_id = ?4"
        ))?
        .query_row(
            params![
                user_id,
                workspace_id,
                Word(key.provision_type),
                manifest_id(key)
            ],
            of_user,
        )
        .optional()?;
    Ok(record)
}

/// How many overrides each user has in a workspace, by user.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn count_overrides(
    connection: &Connection,
    workspace_id: &str,
) -> Result<Vec<(String, u32)>, StoreError> {
    let counts = connection
        .prepare_cached(
            "SELECT user_id, count(*) FROM user_handlers WHERE workspace_id = ?1
             GROUP BY user_id ORDER BY user_id",
        )?
        .query_map([workspace_id], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    Ok(counts)
}

/// Writes an override down, in place of the one with its key, whose beginning is
/// kept.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn upsert_override(
    tx: &Transaction<'_>,
    now: i64,
    user_id: &str,
    workspace_id: &str,
    content: &Content,
    enabled: bool,
    copied_from: Option<&HandlerConfig>,
) -> Result<(), StoreError> {
    let Content { key, .. } = content;
    tx.prepare_cached(
        "INSERT INTO user_handlers (user_id, workspace_id, provision_type, manifest_id, engine,
             backend_kind, provider_id, label, base_url, config, accepts_manifest_id, bundle,
             enabled, copied_from, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?15)
         ON CONFLICT (user_id, workspace_id, provision_type, manifest_id) DO UPDATE
         SET engine = ?5, backend_kind = ?6, provider_id = ?7, label = ?8, base_url = ?9,
             config = ?10, accepts_manifest_id = ?11, bundle = ?12, enabled = ?13,
             copied_from = ?14, updated_at = ?15",
    )?
    .execute(params![
        user_id,
        workspace_id,
        Word(key.provision_type),
        manifest_id(key),
        Word(content.engine),
        content.backend_kind,
        content.provider_id,
        content.label,
        content.base_url,
        Json(&content.config),
        content.accepts_manifest_id,
        content.bundle,
        enabled,
        copied_from.map(Json),
        now
    ])?;
    events::append(tx, now, &Change::Handlers)
}

/// Puts an override in front of the workspace's handler, or behind it. Gives back
/// whether there is one.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn switch_override(
    tx: &Transaction<'_>,
    now: i64,
    user_id: &str,
    workspace_id: &str,
    key: &HandlerKey,
    enabled: bool,
) -> Result<bool, StoreError> {
    let switched = tx
        .prepare_cached(
            "UPDATE user_handlers SET enabled = ?5
             WHERE user_id = ?1 AND workspace_id = ?2 AND provision_type = ?3 AND manifest_id = ?4",
        )?
        .execute(params![
            user_id,
            workspace_id,
            Word(key.provision_type),
            manifest_id(key),
            enabled
        ])?;
    if switched > 0 {
        events::append(tx, now, &Change::Handlers)?;
    }
    Ok(switched > 0)
}

/// Removes an override for good. Gives back whether there was one.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn remove_override(
    tx: &Transaction<'_>,
    now: i64,
    user_id: &str,
    workspace_id: &str,
    key: &HandlerKey,
) -> Result<bool, StoreError> {
    let removed = tx
        .prepare_cached(
            "DELETE FROM user_handlers
             WHERE user_id = ?1 AND workspace_id = ?2 AND provision_type = ?3 AND manifest_id = ?4",
        )?
        .execute(params![
            user_id,
            workspace_id,
            Word(key.provision_type),
            manifest_id(key)
        ])?;
    if removed > 0 {
        events::append(tx, now, &Change::Handlers)?;
    }
    Ok(removed > 0)
}
