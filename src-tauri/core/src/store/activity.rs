//! What was done, when, by whom, with what outcome.

use rusqlite::{Connection, Row, Transaction, params};

use super::columns::{Free, Word};
use super::{StoreError, events};
use crate::view::{Activity, ActivityPlace, Change};

/// Adds a line; its `id` is ignored and given by the store.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn append(tx: &Transaction<'_>, line: &Activity) -> Result<i64, StoreError> {
    tx.prepare_cached(
        "INSERT INTO activity (at, verb, outcome, environment_id, environment_name, service_name,
                               engine_label, actor, duration_ms, detail)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        line.at,
        Word(line.verb),
        Word(line.outcome),
        line.environment_id,
        line.environment_name,
        line.service_name,
        line.engine_label,
        Word(line.actor),
        line.duration_ms,
        line.detail.as_deref().map(Free)
    ])?;
    let id = tx.last_insert_rowid();
    events::append(tx, line.at, &Change::Activity { id })?;
    Ok(id)
}

/// At most `limit` lines older than `before` (`None`: the newest), newest first.
/// Clocks go back: lines are in the order of their times, and of one time in the
/// order they were written.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn list(
    connection: &Connection,
    before: Option<ActivityPlace>,
    limit: u32,
) -> Result<Vec<Activity>, StoreError> {
    let before = before.unwrap_or(ActivityPlace {
        at: i64::MAX,
        id: i64::MAX,
    });
    let lines = connection
        .prepare_cached(
            "SELECT * FROM activity WHERE (at, id) < (?1, ?2) ORDER BY at DESC, id DESC LIMIT ?3",
        )?
        .query_map(params![before.at, before.id, limit], from_row)?
        .collect::<Result<_, _>>()?;
    Ok(lines)
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Activity> {
    Ok(Activity {
        id: row.get("id")?,
        at: row.get("at")?,
        verb: row.get::<_, Word<_>>("verb")?.0,
        outcome: row.get::<_, Word<_>>("outcome")?.0,
        environment_id: row.get("environment_id")?,
        environment_name: row.get("environment_name")?,
        service_name: row.get("service_name")?,
        engine_label: row.get("engine_label")?,
        actor: row.get::<_, Word<_>>("actor")?.0,
        duration_ms: row.get("duration_ms")?,
        detail: row.get("detail")?,
    })
}
