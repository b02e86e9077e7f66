//! What an environment has, or may have, on its engine. Written down before the
//! engine is asked, so that nothing there is ever without a record.

use berth_engines::ResourceKind;
use rusqlite::{Connection, Row, Transaction, params};
use serde::{Deserialize, Serialize};

use super::StoreError;
use super::columns::Word;

/// Where a resource is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Presence {
    /// About to be made; may exist.
    Planned,
    /// Seen to exist.
    Made,
    /// Seen to be gone.
    Gone,
}

/// One resource of an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resource {
    /// What it is.
    pub(crate) kind: ResourceKind,
    /// Its name on the engine.
    pub(crate) name: String,
    /// The operation that made it last.
    pub(crate) operation_id: String,
    /// Whether it is there.
    pub(crate) presence: Presence,
}

/// Writes down what an operation is about to make. What is there already stays
/// `made`, and belongs to this operation from now on only when it was gone.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn intend(
    tx: &Transaction<'_>,
    environment_id: &str,
    operation_id: &str,
    resources: &[(ResourceKind, String)],
) -> Result<(), StoreError> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO inventory (environment_id, kind, name, operation_id, state)
         VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET operation_id = excluded.operation_id, state = excluded.state
         WHERE state = 'gone'",
    )?;
    for (kind, name) in resources {
        insert.execute(params![
            environment_id,
            Word(kind),
            name,
            operation_id,
            Word(Presence::Planned)
        ])?;
    }
    Ok(())
}

/// Notes that what one operation made (`None`: everything) reached `presence`.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn set_all(
    tx: &Transaction<'_>,
    environment_id: &str,
    operation_id: Option<&str>,
    presence: Presence,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "UPDATE inventory SET state = ?3
         WHERE environment_id = ?1 AND (?2 IS NULL OR operation_id = ?2) AND state <> 'gone'",
    )?
    .execute(params![environment_id, operation_id, Word(presence)])?;
    Ok(())
}

/// What an environment has or may have: everything that is not gone.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn list(
    connection: &Connection,
    environment_id: &str,
) -> Result<Vec<Resource>, StoreError> {
    let resources = connection
        .prepare_cached(
            "SELECT kind, name, operation_id, state FROM inventory
             WHERE environment_id = ?1 AND state <> 'gone' ORDER BY kind, name",
        )?
        .query_map([environment_id], from_row)?
        .collect::<Result<_, _>>()?;
    Ok(resources)
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Resource> {
    Ok(Resource {
        kind: row.get::<_, Word<_>>(0)?.0,
        name: row.get(1)?,
        operation_id: row.get(2)?,
        presence: row.get::<_, Word<_>>(3)?.0,
    })
}
