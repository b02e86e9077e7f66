//! What was done, when, by whom, with what outcome.

use rusqlite::{Connection, Row, Transaction, params};

use super::columns::Word;
use super::{StoreError, events};
use crate::view::{Activity, Change};

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
        line.detail
    ])?;
    let id = tx.last_insert_rowid();
    events::append(tx, line.at, &Change::Activity { id })?;
    Ok(id)
}

/// At most `limit` lines older than line `before` (`None`: the newest), newest
/// first.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn list(
    connection: &Connection,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<Activity>, StoreError> {
    let lines = connection
        .prepare_cached("SELECT * FROM activity WHERE id < ?1 ORDER BY id DESC LIMIT ?2")?
        .query_map(params![before.unwrap_or(i64::MAX), limit], from_row)?
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
