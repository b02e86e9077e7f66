//! What is shown, put together in a number of queries that does not grow with
//! what there is.

use std::collections::HashMap;

use berth_engines::Step;
use berth_engines::docker::Address;
use rusqlite::{Connection, Params, params};

use super::environments::Record;
use super::{StoreError, addresses, environments, events, operations, services, workspaces};
use crate::view::{Environment, EnvironmentDetail, Operation, Snapshot};

/// How many operations an environment's detail shows.
const OPERATIONS: i64 = 20;

/// A workspace with its services and environments; torn-down ones from
/// `torn_down_since` on.
///
/// # Errors
/// [`StoreError::Missing`] for an unknown workspace.
pub(crate) fn snapshot(
    connection: &Connection,
    workspace_id: &str,
    torn_down_since: i64,
) -> Result<Snapshot, StoreError> {
    Ok(Snapshot {
        sequence: events::last(connection)?,
        workspace: workspaces::get(connection, workspace_id)?,
        services: services::list(connection, workspace_id)?,
        environments: environments(
            connection,
            "e.workspace_id = ?1 AND (e.torn_down_at IS NULL OR e.torn_down_at >= ?2)",
            params![workspace_id, torn_down_since],
        )?,
    })
}

/// One environment as it is shown.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn environment(connection: &Connection, id: &str) -> Result<Environment, StoreError> {
    environments(connection, "e.id = ?1", params![id])?
        .pop()
        .ok_or_else(|| StoreError::Missing {
            what: "environment",
            id: id.to_owned(),
        })
}

/// One environment with its past.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn environment_detail(
    connection: &Connection,
    id: &str,
) -> Result<EnvironmentDetail, StoreError> {
    let latest = "SELECT ordinal FROM operations WHERE environment_id = ?1
                  ORDER BY ordinal DESC LIMIT ?2";
    let operations = operations(
        connection,
        &format!("o.ordinal IN ({latest})"),
        params![id, OPERATIONS],
    )?;
    Ok(EnvironmentDetail {
        environment: environment(connection, id)?,
        operations: operations
            .into_iter()
            .map(|(_, operation)| operation)
            .collect(),
        plan: operations::latest_plan(connection, id)?,
    })
}

/// Environments that `condition` on `e` picks, newest first within a service.
fn environments(
    connection: &Connection,
    condition: &str,
    values: &[&dyn rusqlite::ToSql],
) -> Result<Vec<Environment>, StoreError> {
    let records: Vec<Record> = connection
        .prepare_cached(&format!(
            "SELECT e.* FROM environments e WHERE {condition}
             ORDER BY e.service_name, e.created_at DESC, e.id"
        ))?
        .query_map(values, environments::from_row)?
        .collect::<Result<_, _>>()?;

    let mut addresses: HashMap<String, Vec<Address>> = collect(
        connection,
        &format!(
            "SELECT a.* FROM addresses a JOIN environments e ON e.id = a.environment_id
             WHERE {condition} ORDER BY a.environment_id, a.is_primary DESC, a.ordinal"
        ),
        values,
        "environment_id",
        addresses::from_row,
    )?;

    let latest = format!(
        "o.ordinal IN (SELECT (SELECT max(ordinal) FROM operations WHERE environment_id = e.id)
                       FROM environments e WHERE {condition})"
    );
    let mut operations: HashMap<String, Operation> = operations(connection, &latest, values)?
        .into_iter()
        .collect();

    Ok(records
        .into_iter()
        .map(|record| {
            let addresses = addresses.remove(&record.id).unwrap_or_default();
            let operation = operations.remove(&record.id);
            shown(record, addresses, operation)
        })
        .collect())
}

fn shown(record: Record, addresses: Vec<Address>, operation: Option<Operation>) -> Environment {
    let Record { identity, .. } = record;
    Environment {
        id: record.id,
        name: identity.name,
        service_id: identity.service_id,
        service_name: identity.service_name,
        provision_type: identity.provision_type,
        selector: identity.selector,
        revision: record.revision,
        status: record.status,
        engine: identity.engine.engine,
        engine_label: identity.engine.label,
        made_with: identity.made_with.map(|made_with| made_with.handler),
        addresses,
        created_at: record.created_at,
        ready_at: record.ready_at,
        expires_at: identity.expires_at,
        torn_down_at: record.torn_down_at,
        operation,
        problem: record.problem,
        parts: record.parts,
    }
}

/// Operations that `condition` on `o` picks, with their environments' ids and
/// their steps, newest first.
fn operations(
    connection: &Connection,
    condition: &str,
    values: &[&dyn rusqlite::ToSql],
) -> Result<Vec<(String, Operation)>, StoreError> {
    let mut steps: HashMap<String, Vec<Step>> = collect(
        connection,
        &format!(
            "SELECT s.* FROM steps s JOIN operations o ON o.id = s.operation_id
             WHERE {condition} ORDER BY s.operation_id, s.ordinal"
        ),
        values,
        "operation_id",
        operations::step_from_row,
    )?;
    let mut operations: Vec<(String, Operation)> = connection
        .prepare_cached(&format!(
            "SELECT o.* FROM operations o WHERE {condition} ORDER BY o.ordinal DESC"
        ))?
        .query_map(values, |row| {
            Ok((row.get("environment_id")?, operations::from_row(row)?))
        })?
        .collect::<Result<_, _>>()?;
    for (_, operation) in &mut operations {
        operation.steps = steps.remove(&operation.id).unwrap_or_default();
    }
    Ok(operations)
}

/// Rows grouped by a column, in the query's order.
fn collect<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    group: &str,
    from_row: impl Fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Result<HashMap<String, Vec<T>>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(values)?;
    let mut groups: HashMap<String, Vec<T>> = HashMap::new();
    while let Some(row) = rows.next()? {
        groups
            .entry(row.get(group)?)
            .or_default()
            .push(from_row(row)?);
    }
    Ok(groups)
}
