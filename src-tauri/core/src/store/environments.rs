//! Environments. Rows stay after teardown for [`super::KEPT`].

mod made_with;
mod names;

use berth_contracts::{Engine, EnvironmentStatus, ProvisionType};
use berth_engines::docker::Part;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::columns::{FreeJson, Json, Word};
use super::{StoreError, events, ports};
use crate::handlers::MadeWith;
use crate::problem::Problem;
use crate::view::{Change, Revision, Selector};

pub(crate) use made_with::{
    LiveMadeWith, live_made_with, repoint_bundle, set_access_bundle, set_made_with,
};
pub(crate) use names::{Named, matching, names, project_is_taken};

/// Where an environment runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EngineRef {
    /// Which engine.
    pub(crate) engine: Engine,
    /// In words (`Local Docker`).
    pub(crate) label: String,
    /// Its address, so that every later verb means the same engine.
    pub(crate) address: String,
    /// Why this address.
    pub(crate) rule: String,
    /// The engine's own id, once it was asked.
    pub(crate) id: Option<String>,
}

/// What has to be known to record an environment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewEnvironment {
    /// The workspace.
    pub(crate) workspace_id: String,
    /// The service.
    pub(crate) service_id: String,
    /// The service's name, kept when the service is gone.
    pub(crate) service_name: String,
    /// Unique among live ones of the workspace.
    pub(crate) name: String,
    /// What it is a copy of.
    pub(crate) selector: Selector,
    /// Identity within the service: unique among its live ones.
    pub(crate) key: String,
    /// What kind of thing it is provisioned as.
    pub(crate) provision_type: ProvisionType,
    /// Where it runs.
    pub(crate) engine: EngineRef,
    /// The handler it is made with, as it is then; absent: made before there were
    /// handlers.
    pub(crate) made_with: Option<MadeWith>,
    /// Compose project name; unique among live ones.
    pub(crate) project: String,
    /// Label of its URLs.
    pub(crate) host: String,
    /// When it is removed; `None`: never.
    pub(crate) expires_at: Option<i64>,
}

/// An environment as it is recorded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    /// Its id.
    pub(crate) id: String,
    /// What it was recorded with, and what changed of that since.
    pub(crate) identity: NewEnvironment,
    /// Its state.
    pub(crate) status: EnvironmentStatus,
    /// What it runs.
    pub(crate) revision: Revision,
    /// The bundle of secrets that holds the credentials of its access.
    pub(crate) access_bundle: Option<String>,
    /// Absolute path of the checkout that belongs to it.
    pub(crate) checkout: Option<String>,
    /// When it was first asked for.
    pub(crate) created_at: i64,
    /// When it was last brought up.
    pub(crate) ready_at: Option<i64>,
    /// When a warning of its end was given; cleared when the end moves.
    pub(crate) warned_at: Option<i64>,
    /// When it was seen to be gone.
    pub(crate) torn_down_at: Option<i64>,
    /// Why it is `failed`.
    pub(crate) problem: Option<Problem>,
    /// Its containers as last seen.
    pub(crate) parts: Vec<Part>,
}

/// Records a new environment as `provisioning`, under an id from
/// [`new_id`](super::new_id).
///
/// # Errors
/// [`StoreError::Exists`] when a live one has its key, name or project.
pub(crate) fn insert(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    new: &NewEnvironment,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "INSERT INTO environments (id, workspace_id, service_id, service_name, name, selector, key,
             provision_type, status, engine, engine_label, engine_address, engine_rule, engine_id,
             project, host, created_at, expires_at, handler, handler_bundle)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
                 ?19, ?20)",
    )?
    .execute(params![
        id,
        new.workspace_id,
        new.service_id,
        new.service_name,
        new.name,
        Json(&new.selector),
        new.key,
        Word(new.provision_type),
        Word(EnvironmentStatus::Provisioning),
        Word(new.engine.engine),
        new.engine.label,
        new.engine.address,
        new.engine.rule,
        new.engine.id,
        new.project,
        new.host,
        now,
        new.expires_at,
        new.made_with.as_ref().map(Json),
        new.made_with
            .as_ref()
            .and_then(|made_with| made_with.bundle.as_ref())
    ])
    .map_err(|error| taken(error, || format!("environment {}", new.name)))?;
    changed(tx, now, id)
}

/// Tells a unique index that was hit from other trouble.
pub(super) fn taken(error: rusqlite::Error, what: impl FnOnce() -> String) -> StoreError {
    match error.sqlite_error() {
        Some(code) if code.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE => {
            StoreError::Exists { what: what() }
        }
        _ => error.into(),
    }
}

/// One environment.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn get(connection: &Connection, id: &str) -> Result<Record, StoreError> {
    connection
        .prepare_cached("SELECT * FROM environments WHERE id = ?1")?
        .query_row([id], from_row)
        .optional()?
        .ok_or_else(|| missing(id))
}

/// The live environment of a service with that identity.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn live_by_key(
    connection: &Connection,
    workspace_id: &str,
    service_id: &str,
    key: &str,
) -> Result<Option<Record>, StoreError> {
    let record = connection
        .prepare_cached(
            "SELECT * FROM environments
             WHERE workspace_id = ?1 AND service_id = ?2 AND key = ?3 AND torn_down_at IS NULL",
        )?
        .query_row([workspace_id, service_id, key], from_row)
        .optional()?;
    Ok(record)
}

/// Every live environment of every workspace, oldest first.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn live(connection: &Connection) -> Result<Vec<Record>, StoreError> {
    many(
        connection,
        "SELECT * FROM environments WHERE torn_down_at IS NULL ORDER BY created_at, id",
        [],
    )
}

/// Live environments whose time is over at `now`, first ended first.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn expired(connection: &Connection, now: i64) -> Result<Vec<Record>, StoreError> {
    many(
        connection,
        "SELECT * FROM environments WHERE torn_down_at IS NULL AND expires_at <= ?1
         ORDER BY expires_at, id",
        [now],
    )
}

/// Records a state. `problem` says why it is `failed`, and is cleared by any
/// state without one.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_status(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    status: EnvironmentStatus,
    problem: Option<&Problem>,
) -> Result<(), StoreError> {
    update(
        tx,
        now,
        id,
        "UPDATE environments SET status = ?2, problem = ?3 WHERE id = ?1",
        params![id, Word(status), problem.map(Json)],
    )
}

/// Records that it is up: `ready` since `now`.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_ready(tx: &Transaction<'_>, now: i64, id: &str) -> Result<(), StoreError> {
    update(
        tx,
        now,
        id,
        "UPDATE environments SET status = ?2, problem = NULL, ready_at = ?3 WHERE id = ?1",
        params![id, Word(EnvironmentStatus::Ready), now],
    )
}

/// Records how it was asked for, where that has more than one way of saying the
/// same (`feature/x`, `origin/feature/x`).
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_selector(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    selector: &Selector,
) -> Result<(), StoreError> {
    update(
        tx,
        now,
        id,
        "UPDATE environments SET selector = ?2 WHERE id = ?1",
        params![id, Json(selector)],
    )
}

/// Records where it runs.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_engine(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    engine: &EngineRef,
) -> Result<(), StoreError> {
    update(
        tx,
        now,
        id,
        "UPDATE environments SET engine = ?2, engine_label = ?3, engine_address = ?4,
                                 engine_rule = ?5, engine_id = ?6
         WHERE id = ?1",
        params![
            id,
            Word(engine.engine),
            engine.label,
            engine.address,
            engine.rule,
            engine.id
        ],
    )
}

/// Records what it runs.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_revision(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    revision: &Revision,
) -> Result<(), StoreError> {
    update(
        tx,
        now,
        id,
        "UPDATE environments SET revision_label = ?2, revision_commit = ?3, revision_dirty = ?4,
                                 revision_behind = ?5
         WHERE id = ?1",
        params![
            id,
            revision.label,
            revision.commit,
            revision.dirty,
            revision.behind
        ],
    )
}

/// Records the folder that is to be removed with it, before it is made; `None`
/// once it is gone.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_checkout(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    checkout: Option<&str>,
) -> Result<(), StoreError> {
    update(
        tx,
        now,
        id,
        "UPDATE environments SET checkout = ?2 WHERE id = ?1",
        params![id, checkout],
    )
}

/// Moves its end; `None`: never. A new warning is due before the new end.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_expiry(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    expires_at: Option<i64>,
) -> Result<(), StoreError> {
    update(
        tx,
        now,
        id,
        "UPDATE environments SET expires_at = ?2, warned_at = NULL WHERE id = ?1",
        params![id, expires_at],
    )
}

/// Tells that it ends soon, once per end.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn warn(tx: &Transaction<'_>, now: i64, id: &str) -> Result<(), StoreError> {
    let expires_at: Option<i64> = tx
        .prepare_cached(
            "UPDATE environments SET warned_at = ?2
             WHERE id = ?1 AND warned_at IS NULL AND torn_down_at IS NULL
               AND expires_at IS NOT NULL
             RETURNING expires_at",
        )?
        .query_row(params![id, now], |row| row.get(0))
        .optional()?;
    match expires_at {
        Some(expires_at) => events::append(
            tx,
            now,
            &Change::ExpiresSoon {
                environment: id.to_owned(),
                expires_at,
            },
        ),
        None => Ok(()),
    }
}

/// Records its containers as they were seen. Silent when nothing changed.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn set_parts(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    parts: &[Part],
) -> Result<(), StoreError> {
    let updated = tx
        .prepare_cached("UPDATE environments SET parts = ?2 WHERE id = ?1 AND parts <> ?2")?
        .execute(params![id, FreeJson(parts)])?;
    if updated > 0 {
        changed(tx, now, id)?;
    }
    Ok(())
}

/// Records that it was seen to be gone: nothing of it is on the engine, its
/// ports, name and identity are free.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_torn_down(tx: &Transaction<'_>, now: i64, id: &str) -> Result<(), StoreError> {
    ports::release(tx, id)?;
    tx.prepare_cached("DELETE FROM addresses WHERE environment_id = ?1")?
        .execute([id])?;
    tx.prepare_cached("UPDATE inventory SET state = 'gone' WHERE environment_id = ?1")?
        .execute([id])?;
    update(
        tx,
        now,
        id,
        "UPDATE environments SET status = ?2, torn_down_at = ?3, problem = NULL, parts = '[]',
                                 handler_bundle = NULL, access_bundle = NULL
         WHERE id = ?1",
        params![id, Word(EnvironmentStatus::TornDown), now],
    )
}

fn update(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    sql: &str,
    values: &[&dyn rusqlite::ToSql],
) -> Result<(), StoreError> {
    if tx.prepare_cached(sql)?.execute(values)? == 0 {
        return Err(missing(id));
    }
    changed(tx, now, id)
}

fn changed(tx: &Transaction<'_>, now: i64, id: &str) -> Result<(), StoreError> {
    events::append(tx, now, &Change::Environment { id: id.to_owned() })
}

fn missing(id: &str) -> StoreError {
    StoreError::Missing {
        what: "environment",
        id: id.to_owned(),
    }
}

fn many(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<Record>, StoreError> {
    let records = connection
        .prepare_cached(sql)?
        .query_map(values, from_row)?
        .collect::<Result<_, _>>()?;
    Ok(records)
}

pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Record> {
    let made_with = match row.get::<_, Option<Json<MadeWith>>>("handler")? {
        Some(Json(made_with)) => Some(MadeWith {
            bundle: row.get("handler_bundle")?,
            ..made_with
        }),
        None => None,
    };
    Ok(Record {
        id: row.get("id")?,
        identity: NewEnvironment {
            workspace_id: row.get("workspace_id")?,
            service_id: row.get("service_id")?,
            service_name: row.get("service_name")?,
            name: row.get("name")?,
            selector: row.get::<_, Json<_>>("selector")?.0,
            key: row.get("key")?,
            provision_type: row.get::<_, Word<_>>("provision_type")?.0,
            engine: EngineRef {
                engine: row.get::<_, Word<_>>("engine")?.0,
                label: row.get("engine_label")?,
                address: row.get("engine_address")?,
                rule: row.get("engine_rule")?,
                id: row.get("engine_id")?,
            },
            made_with,
            project: row.get("project")?,
            host: row.get("host")?,
            expires_at: row.get("expires_at")?,
        },
        status: row.get::<_, Word<_>>("status")?.0,
        revision: Revision {
            label: row.get("revision_label")?,
            commit: row.get("revision_commit")?,
            dirty: row.get("revision_dirty")?,
            behind: row.get("revision_behind")?,
        },
        access_bundle: row.get("access_bundle")?,
        checkout: row.get("checkout")?,
        created_at: row.get("created_at")?,
        ready_at: row.get("ready_at")?,
        warned_at: row.get("warned_at")?,
        torn_down_at: row.get("torn_down_at")?,
        problem: row
            .get::<_, Option<Json<Problem>>>("problem")?
            .map(|problem| problem.0),
        parts: row.get::<_, Json<_>>("parts")?.0,
    })
}
