//! Handlers: those of a workspace, and the overrides of its users. Both are keyed
//! by what they serve; a manifest id that is absent is the empty text in the key.

mod choice;
mod overrides;

use berth_contracts::documents::HandlerConfig;
use berth_contracts::{Engine, ProvisionType};
use rusqlite::{Connection, OptionalExtension, Row as SqlRow, Transaction, params};

use super::columns::{Json, Word};
use super::{StoreError, events};
use crate::view::{Change, HandlerKey, HandlerRef, HandlerScope, SecretKey};

pub(crate) use choice::{LookFor, looked_at, overrides_looked_at};
pub(crate) use overrides::{
    count_overrides, override_of, overrides_of_keys, remove_override, switch_override,
    upsert_override,
};

/// What is written down of a handler, whoever's it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Content {
    /// What it serves.
    pub(crate) key: HandlerKey,
    /// Where it runs what it builds.
    pub(crate) engine: Engine,
    /// The implementation that builds it.
    pub(crate) backend_kind: String,
    /// The provider's short name.
    pub(crate) provider_id: String,
    /// What people see.
    pub(crate) label: String,
    /// What it connects to.
    pub(crate) base_url: String,
    /// Its document.
    pub(crate) config: HandlerConfig,
    /// The manifest type that it accepts; `remote-custom` only.
    pub(crate) accepts_manifest_id: Option<String>,
    /// Its secrets; `None`: it has none.
    pub(crate) bundle: Option<String>,
}

/// A live handler of a workspace, or an override.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) scope: HandlerScope,
    pub(crate) content: Content,
    /// Names of its secrets and when they were set.
    pub(crate) secrets: Vec<SecretKey>,
    /// Of an override: whether it stands in front of the workspace's. A workspace's
    /// own always is.
    pub(crate) enabled: bool,
    /// Of an override: the workspace's document when it was copied.
    pub(crate) copied_from: Option<HandlerConfig>,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
}

impl Record {
    /// It, as it is named beside something else.
    pub(crate) fn named(&self) -> HandlerRef {
        HandlerRef {
            scope: self.scope.clone(),
            key: self.content.key.clone(),
            label: self.content.label.clone(),
            engine: self.content.engine,
            accepts_manifest_id: self.content.accepts_manifest_id.clone(),
        }
    }
}

const OF_WORKSPACE: &str = "SELECT h.*, b.keys AS secret_keys FROM handlers h
     LEFT JOIN secret_bundles b ON b.id = h.bundle
     WHERE h.workspace_id = ?1 AND h.deleted_at IS NULL";

const OF_USER: &str = "SELECT h.*, b.keys AS secret_keys FROM user_handlers h
     LEFT JOIN secret_bundles b ON b.id = h.bundle
     WHERE h.user_id = ?1 AND h.workspace_id = ?2";

/// The live handlers of a workspace, oldest first.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn list(connection: &Connection, workspace_id: &str) -> Result<Vec<Record>, StoreError> {
    let records = connection
        .prepare_cached(&format!(
            "{OF_WORKSPACE} ORDER BY h.created_at, h.provision_type, h.manifest_id"
        ))?
        .query_map([workspace_id], of_workspace)?
        .collect::<Result<_, _>>()?;
    Ok(records)
}

/// The first keys, by provision type and manifest id, that a live handler of the
/// workspace or an override of the user has; only those whose key or label holds
/// `search`.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn keys(
    connection: &Connection,
    workspace_id: &str,
    user_id: &str,
    search: &str,
    limit: usize,
) -> Result<Vec<HandlerKey>, StoreError> {
    let wanted = format!("%{}%", escaped(search));
    let keys = connection
        .prepare_cached(
            "SELECT * FROM (
               SELECT provision_type, manifest_id FROM handlers
               WHERE workspace_id = ?1 AND deleted_at IS NULL
                 AND (?3 = '%%' OR instr(provision_type, ?5) OR instr(manifest_id, ?5)
                   OR label LIKE ?3 ESCAPE '!')
               ORDER BY provision_type, manifest_id LIMIT ?4)
             UNION
             SELECT * FROM (
               SELECT provision_type, manifest_id FROM user_handlers
               WHERE user_id = ?2 AND workspace_id = ?1
                 AND (?3 = '%%' OR instr(provision_type, ?5) OR instr(manifest_id, ?5)
                   OR label LIKE ?3 ESCAPE '!')
               ORDER BY provision_type, manifest_id LIMIT ?4)
             ORDER BY 1, 2 LIMIT ?4",
        )?
        .query_map(
            params![
                workspace_id,
                user_id,
                wanted,
                as_limit(limit),
                // Provision types and manifest ids are in lower case.
                search.to_lowercase()
            ],
            key,
        )?
        .collect::<Result<_, _>>()?;
    Ok(keys)
}

/// The live handlers of a workspace that have one of these keys.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn of_keys(
    connection: &Connection,
    workspace_id: &str,
    keys: &[HandlerKey],
) -> Result<Vec<Record>, StoreError> {
    let records = connection
        .prepare_cached(
            "SELECT h.*, b.keys AS secret_keys FROM json_each(?2) k
             CROSS JOIN handlers h ON h.workspace_id = ?1
               AND h.provision_type = k.value ->> 0 AND h.manifest_id = k.value ->> 1
             LEFT JOIN secret_bundles b ON b.id = h.bundle
             WHERE h.deleted_at IS NULL",
        )?
        .query_map(params![workspace_id, Json(pairs(keys))], of_workspace)?
        .collect::<Result<_, _>>()?;
    Ok(records)
}

fn pairs(keys: &[HandlerKey]) -> Vec<(ProvisionType, &str)> {
    keys.iter()
        .map(|key| (key.provision_type, manifest_id(key)))
        .collect()
}

/// A text as it stands in a pattern of LIKE.
fn escaped(search: &str) -> String {
    search
        .chars()
        .flat_map(|letter| {
            let special = matches!(letter, '%' | '_' | '!');
            special.then_some('!').into_iter().chain([letter])
        })
        .collect()
}

/// The live handler of a workspace for a key.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn get(
    connection: &Connection,
    workspace_id: &str,
    key: &HandlerKey,
) -> Result<Option<Record>, StoreError> {
    let record = connection
        .prepare_cached(&format!(
            "{OF_WORKSPACE} AND h.provision_type = ?2 AND h.manifest_id = ?3"
        ))?
        .query_row(
            params![workspace_id, Word(key.provision_type), manifest_id(key)],
            of_workspace,
        )
        .optional()?;
    Ok(record)
}

/// Registers a handler, in place of the one with its key. One that was deleted
/// is live again; when it was registered is kept from a live one only.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn upsert(
    tx: &Transaction<'_>,
    now: i64,
    workspace_id: &str,
    content: &Content,
) -> Result<(), StoreError> {
    let Content { key, .. } = content;
    tx.prepare_cached(
        "INSERT INTO handlers (workspace_id, provision_type, manifest_id, engine, backend_kind,
             provider_id, label, base_url, config, accepts_manifest_id, bundle, created_at,
             updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12)
         ON CONFLICT (workspace_id, provision_type, manifest_id) DO UPDATE
         SET engine = ?4, backend_kind = ?5, provider_id = ?6, label = ?7, base_url = ?8,
             config = ?9, accepts_manifest_id = ?10, bundle = ?11, updated_at = ?12,
             created_at = iif(deleted_at IS NULL, created_at, ?12), deleted_at = NULL",
    )?
    .execute(params![
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
        now
    ])?;
    events::append(tx, now, &Change::Handlers)
}

/// Leaves a tombstone of a live handler and lets go of its secrets. Gives back
/// whether there was one.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn soft_delete(
    tx: &Transaction<'_>,
    now: i64,
    workspace_id: &str,
    key: &HandlerKey,
) -> Result<bool, StoreError> {
    let deleted = tx
        .prepare_cached(
            "UPDATE handlers SET deleted_at = ?4, bundle = NULL
             WHERE workspace_id = ?1 AND provision_type = ?2 AND manifest_id = ?3
               AND deleted_at IS NULL",
        )?
        .execute(params![
            workspace_id,
            Word(key.provision_type),
            manifest_id(key),
            now
        ])?;
    if deleted > 0 {
        events::append(tx, now, &Change::Handlers)?;
    }
    Ok(deleted > 0)
}

/// A primary key holds no NULL: the empty text stands for it.
fn manifest_id(key: &HandlerKey) -> &str {
    key.manifest_id.as_deref().unwrap_or_default()
}

fn key(row: &SqlRow<'_>) -> rusqlite::Result<HandlerKey> {
    let manifest_id: String = row.get("manifest_id")?;
    Ok(HandlerKey {
        provision_type: row.get::<_, Word<_>>("provision_type")?.0,
        manifest_id: (!manifest_id.is_empty()).then_some(manifest_id),
    })
}

fn as_limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn of_workspace(row: &SqlRow<'_>) -> rusqlite::Result<Record> {
    from_row(row, HandlerScope::Workspace, true, None)
}

fn of_user(row: &SqlRow<'_>) -> rusqlite::Result<Record> {
    let scope = HandlerScope::User {
        user_id: row.get("user_id")?,
    };
    let copied_from = row
        .get::<_, Option<Json<_>>>("copied_from")?
        .map(|copied_from| copied_from.0);
    from_row(row, scope, row.get("enabled")?, copied_from)
}

fn from_row(
    row: &SqlRow<'_>,
    scope: HandlerScope,
    enabled: bool,
    copied_from: Option<HandlerConfig>,
) -> rusqlite::Result<Record> {
    Ok(Record {
        scope,
        content: Content {
            key: key(row)?,
            engine: row.get::<_, Word<_>>("engine")?.0,
            backend_kind: row.get("backend_kind")?,
            provider_id: row.get("provider_id")?,
            label: row.get("label")?,
            base_url: row.get("base_url")?,
            config: row.get::<_, Json<_>>("config")?.0,
            accepts_manifest_id: row.get("accepts_manifest_id")?,
            bundle: row.get("bundle")?,
        },
        secrets: row
            .get::<_, Option<Json<Vec<SecretKey>>>>("secret_keys")?
            .map(|keys| keys.0)
            .unwrap_or_default(),
        enabled,
        copied_from,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
