//! Services. A removed one stays as a row while environments name it.

use berth_contracts::ServiceProvisioning;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::columns::{Json, Word};
use super::{StoreError, environments, events, new_id};
use crate::view::{Change, Service, Source};

const COLUMNS: &str = "id, name, source, location, subdirectory, git, provisioning, \
                       created_at";

/// Adds a service.
///
/// # Errors
/// [`StoreError::Exists`] when a service of the workspace has the name.
pub(crate) fn insert(
    tx: &Transaction<'_>,
    now: i64,
    workspace_id: &str,
    name: &str,
    source: &Source,
    provisioning: &ServiceProvisioning,
) -> Result<Service, StoreError> {
    let id = new_id(tx)?;
    let (kind, location, subdirectory, git) = in_columns(source);
    tx.prepare_cached(
        "INSERT INTO services (id, workspace_id, name, source, location, subdirectory, git,
                               provision_type, provisioning, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        id,
        workspace_id,
        name,
        kind,
        location,
        subdirectory,
        git,
        Word(provisioning.provision_type),
        Json(provisioning),
        now
    ])
    .map_err(|error| environments::taken(error, || format!("a service named {name}")))?;
    events::append(tx, now, &Change::Service { id: id.clone() })?;
    Ok(Service {
        id,
        name: name.to_owned(),
        source: source.clone(),
        provisioning: provisioning.clone(),
        created_at: now,
    })
}

/// One service that was not removed.
pub(crate) fn get(connection: &Connection, id: &str) -> Result<Service, StoreError> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM services WHERE id = ?1 AND deleted_at IS NULL"
        ))?
        .query_row([id], from_row)
        .optional()?
        .ok_or_else(|| missing(id))
}

/// The services of a workspace, by name.
pub(crate) fn list(
    connection: &Connection,
    workspace_id: &str,
) -> Result<Vec<Service>, StoreError> {
    let services = connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM services
             WHERE workspace_id = ?1 AND deleted_at IS NULL ORDER BY name"
        ))?
        .query_map([workspace_id], from_row)?
        .collect::<Result<_, _>>()?;
    Ok(services)
}

/// Records how a service is provisioned from now on.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_provisioning(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    provisioning: &ServiceProvisioning,
) -> Result<(), StoreError> {
    let updated = tx
        .prepare_cached(
            "UPDATE services SET provision_type = ?2, provisioning = ?3
             WHERE id = ?1 AND deleted_at IS NULL",
        )?
        .execute(params![
            id,
            Word(provisioning.provision_type),
            Json(provisioning)
        ])?;
    if updated == 0 {
        return Err(missing(id));
    }
    events::append(tx, now, &Change::Service { id: id.to_owned() })
}

/// Records where the files of a service are from now on. For services without
/// environments that are not torn down: those would be taken for copies of the new
/// files.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_source(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    source: &Source,
) -> Result<(), StoreError> {
    let (kind, location, subdirectory, git) = in_columns(source);
    let updated = tx
        .prepare_cached(
            "UPDATE services SET source = ?2, location = ?3, subdirectory = ?4, git = ?5
             WHERE id = ?1 AND deleted_at IS NULL",
        )?
        .execute(params![id, kind, location, subdirectory, git])?;
    if updated == 0 {
        return Err(missing(id));
    }
    events::append(tx, now, &Change::Service { id: id.to_owned() })
}

/// Names of a service's environments that are not torn down, by name.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn live_environments(
    connection: &Connection,
    id: &str,
) -> Result<Vec<String>, StoreError> {
    let names = connection
        .prepare_cached(
            "SELECT name FROM environments WHERE service_id = ?1 AND torn_down_at IS NULL
             ORDER BY name",
        )?
        .query_map([id], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(names)
}

/// Forgets a service; its name is free again.
///
/// # Errors
/// [`StoreError::Exists`] while it has environments that are not torn down.
pub(crate) fn remove(tx: &Transaction<'_>, now: i64, id: &str) -> Result<(), StoreError> {
    let live = live_environments(tx, id)?;
    if !live.is_empty() {
        return Err(StoreError::Exists {
            what: format!("environment {}", live.join(", ")),
        });
    }
    let removed = tx
        .prepare_cached("UPDATE services SET deleted_at = ?2 WHERE id = ?1 AND deleted_at IS NULL")?
        .execute(params![id, now])?;
    if removed == 0 {
        return Err(missing(id));
    }
    events::append(tx, now, &Change::Service { id: id.to_owned() })
}

fn in_columns(source: &Source) -> (&'static str, &str, &str, bool) {
    match source {
        Source::Folder { path, git } => ("folder", path, "", *git),
        Source::GitUrl { url, subdirectory } => ("gitUrl", url, subdirectory, true),
    }
}

fn missing(id: &str) -> StoreError {
    StoreError::Missing {
        what: "service",
        id: id.to_owned(),
    }
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Service> {
    let kind: String = row.get("source")?;
    let location = row.get("location")?;
    let source = if kind == "folder" {
        Source::Folder {
            path: location,
            git: row.get("git")?,
        }
    } else {
        Source::GitUrl {
            url: location,
            subdirectory: row.get("subdirectory")?,
        }
    };
    Ok(Service {
        id: row.get("id")?,
        name: row.get("name")?,
        source,
        provisioning: row.get::<_, Json<_>>("provisioning")?.0,
        created_at: row.get("created_at")?,
    })
}
