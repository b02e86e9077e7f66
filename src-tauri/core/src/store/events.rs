//! The numbered sequence of what changed.

use rusqlite::{Connection, Row, Transaction, params};

use super::StoreError;
use super::columns::Json;
use crate::view::{Change, Event};

/// Appends an event under a new number. Events that only say *look again* hold
/// one place each (a service, an environment, a step): a newer one takes the
/// place of the older, so that progress does not pile up.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn append(tx: &Transaction<'_>, now: i64, change: &Change) -> Result<(), StoreError> {
    let slot = slot(change);
    if let Some(slot) = &slot {
        tx.prepare_cached("DELETE FROM events WHERE slot = ?1")?
            .execute([slot])?;
    }
    tx.prepare_cached("INSERT INTO events (at, change, slot) VALUES (?1, ?2, ?3)")?
        .execute(params![now, Json(change), slot])?;
    Ok(())
}

fn slot(change: &Change) -> Option<String> {
    match change {
        Change::Service { id } => Some(format!("service {id}")),
        Change::Environment { id } => Some(format!("environment {id}")),
        Change::Document { id } => Some(format!("document {id}")),
        Change::Handlers => Some("handlers".to_owned()),
        Change::Step {
            operation, step, ..
        } => Some(format!("step {operation} {}", step.key)),
        Change::ExpiresSoon { .. } | Change::Activity { .. } => None,
    }
}

/// Number of the last event ever appended; 0 when there was none.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn last(connection: &Connection) -> Result<i64, StoreError> {
    // `max(sequence)` would fall back when the newest rows are pruned.
    let last = connection
        .prepare_cached(
            "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)",
        )?
        .query_row([], |row| row.get(0))?;
    Ok(last)
}

/// At most `limit` events after number `from`, in order.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn after(
    connection: &Connection,
    from: i64,
    limit: usize,
) -> Result<Vec<Event>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let events = connection
        .prepare_cached(
            "SELECT sequence, at, change FROM events WHERE sequence > ?1
             ORDER BY sequence LIMIT ?2",
        )?
        .query_map([from, limit], from_row)?
        .collect::<Result<_, _>>()?;
    Ok(events)
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Event> {
    Ok(Event {
        sequence: row.get(0)?,
        at: row.get(1)?,
        change: row.get::<_, Json<_>>(2)?.0,
    })
}
