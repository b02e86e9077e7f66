//! Operations and their steps.

use berth_engines::{PlanView, Progress, Step, StepState};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::columns::{Free, FreeJson, Json, Word};
use super::{StoreError, events, new_id};
use crate::problem::Problem;
use crate::view::{Actor, Change, Operation, OperationKind, OperationState};

const UNFINISHED: &str = "id, environment_id, kind, actor, pid, started_at";

/// An operation that nobody has ended yet. Whether its process still lives says
/// the environment's lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unfinished {
    /// Its id.
    pub(crate) id: String,
    /// What it works on.
    pub(crate) environment_id: String,
    /// What is done.
    pub(crate) kind: OperationKind,
    /// Who asked.
    pub(crate) actor: Actor,
    /// The process that did it; only for messages.
    pub(crate) pid: u32,
    /// When it began.
    pub(crate) started_at: i64,
}

/// What a step has become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepChange {
    /// Which of its operation's steps.
    pub(crate) key: String,
    /// Where it is now.
    pub(crate) state: StepState,
    /// What is worth saying; one line. `None`: as before.
    pub(crate) detail: Option<String>,
    /// While pulling or sending. `None`: as before while it runs, else none.
    pub(crate) progress: Option<Progress>,
}

/// Records that an operation begins.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn start(
    tx: &Transaction<'_>,
    now: i64,
    environment_id: &str,
    kind: OperationKind,
    actor: Actor,
) -> Result<String, StoreError> {
    let id = new_id(tx)?;
    tx.prepare_cached(
        "INSERT INTO operations (id, environment_id, kind, state, actor, pid, started_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        id,
        environment_id,
        Word(kind),
        Word(OperationState::Running),
        Word(actor),
        std::process::id(),
        now
    ])?;
    changed(tx, now, environment_id)?;
    Ok(id)
}

/// Records how an operation ended. Steps that were under way end with it: done
/// when it is, else failed; steps that were never reached are skipped.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn finish(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    state: OperationState,
    problem: Option<&Problem>,
) -> Result<(), StoreError> {
    let environment_id: String = tx
        .prepare_cached(
            "UPDATE operations SET state = ?2, finished_at = ?3, problem = ?4
             WHERE id = ?1 RETURNING environment_id",
        )?
        .query_row(params![id, Word(state), now, problem.map(Json)], |row| {
            row.get(0)
        })
        .optional()?
        .ok_or_else(|| missing("operation", id))?;
    let cut_off = match state {
        OperationState::Done => StepState::Done,
        _ => StepState::Failed,
    };
    tx.prepare_cached(
        "UPDATE steps SET state = ?2, finished_at = ?3 WHERE operation_id = ?1 AND state = ?4",
    )?
    .execute(params![id, Word(cut_off), now, Word(StepState::Running)])?;
    tx.prepare_cached("UPDATE steps SET state = ?2 WHERE operation_id = ?1 AND state = ?3")?
        .execute(params![
            id,
            Word(StepState::Skipped),
            Word(StepState::Waiting)
        ])?;
    changed(tx, now, &environment_id)
}

/// Keeps the plan with its operation.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn set_plan(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    plan: &PlanView,
) -> Result<(), StoreError> {
    let environment_id: String = tx
        .prepare_cached("UPDATE operations SET plan = ?2 WHERE id = ?1 RETURNING environment_id")?
        .query_row(params![id, FreeJson(plan)], |row| row.get(0))
        .optional()?
        .ok_or_else(|| missing("operation", id))?;
    changed(tx, now, &environment_id)
}

/// Adds steps that are known to come. Known keys keep their place and state;
/// new ones follow in the order given.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn expect_steps(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    steps: &[Step],
) -> Result<(), StoreError> {
    let environment_id = environment_of(tx, id)?;
    let mut insert = tx.prepare_cached(
        "INSERT INTO steps (operation_id, ordinal, key, kind, state, detail, progress_current,
                            progress_total, started_at, finished_at)
         VALUES (?1, (SELECT coalesce(max(ordinal), -1) + 1 FROM steps WHERE operation_id = ?1),
                 ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (operation_id, key) DO NOTHING",
    )?;
    for step in steps {
        let (current, total) = bytes(step.progress);
        insert.execute(params![
            id,
            step.key,
            Json(&step.kind),
            Word(step.state),
            step.detail.as_deref().map(Free),
            current,
            total,
            step.started_at,
            step.finished_at
        ])?;
    }
    changed(tx, now, &environment_id)
}

/// Records that a step changed, and tells it. Its times follow from its state.
///
/// # Errors
/// [`StoreError::Missing`] for a step that was not expected.
pub(crate) fn set_step(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    change: &StepChange,
) -> Result<Step, StoreError> {
    let begun = matches!(
        change.state,
        StepState::Running | StepState::Done | StepState::Failed
    );
    let ended = matches!(change.state, StepState::Done | StepState::Failed);
    let (current, total) = bytes(change.progress);
    let step = tx
        .prepare_cached(
            "UPDATE steps SET
                 state = ?3,
                 detail = nullif(coalesce(?4, detail), ''),
                 progress_current = CASE WHEN ?5 IS NOT NULL OR ?8 THEN ?5 ELSE progress_current END,
                 progress_total = CASE WHEN ?5 IS NOT NULL OR ?8 THEN ?6 ELSE progress_total END,
                 started_at = CASE WHEN ?7 THEN coalesce(started_at, ?9) END,
                 finished_at = CASE WHEN ?8 THEN ?9 END
             WHERE operation_id = ?1 AND key = ?2 RETURNING *",
        )?
        .query_row(
            params![
                id,
                change.key,
                Word(change.state),
                change.detail.as_deref().map(Free),
                current,
                total,
                begun,
                ended,
                now
            ],
            step_from_row,
        )
        .optional()?
        .ok_or_else(|| missing("step", &change.key))?;
    let told = Change::Step {
        environment: environment_of(tx, id)?,
        operation: id.to_owned(),
        step: step.clone(),
    };
    events::append(tx, now, &told)?;
    Ok(step)
}

fn environment_of(tx: &Transaction<'_>, id: &str) -> Result<String, StoreError> {
    tx.prepare_cached("SELECT environment_id FROM operations WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()?
        .ok_or_else(|| missing("operation", id))
}

/// All operations that nobody has ended yet, oldest first.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn unfinished(connection: &Connection) -> Result<Vec<Unfinished>, StoreError> {
    let operations = connection
        .prepare_cached(&format!(
            "SELECT {UNFINISHED} FROM operations WHERE state = 'running' ORDER BY ordinal"
        ))?
        .query_map([], unfinished_from_row)?
        .collect::<Result<_, _>>()?;
    Ok(operations)
}

/// The operation on an environment that nobody has ended yet; the environment's
/// lock lets there be one at most.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn unfinished_of(
    connection: &Connection,
    environment_id: &str,
) -> Result<Option<Unfinished>, StoreError> {
    let operation = connection
        .prepare_cached(&format!(
            "SELECT {UNFINISHED} FROM operations
             WHERE environment_id = ?1 AND state = 'running' ORDER BY ordinal LIMIT 1"
        ))?
        .query_row([environment_id], unfinished_from_row)
        .optional()?;
    Ok(operation)
}

fn unfinished_from_row(row: &Row<'_>) -> rusqlite::Result<Unfinished> {
    Ok(Unfinished {
        id: row.get("id")?,
        environment_id: row.get("environment_id")?,
        kind: row.get::<_, Word<_>>("kind")?.0,
        actor: row.get::<_, Word<_>>("actor")?.0,
        pid: row.get("pid")?,
        started_at: row.get("started_at")?,
    })
}

/// The plan of an environment's latest `up` that got that far.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn latest_plan(
    connection: &Connection,
    environment_id: &str,
) -> Result<Option<PlanView>, StoreError> {
    let plan = connection
        .prepare_cached(
            "SELECT plan FROM operations
             WHERE environment_id = ?1 AND kind = 'up' AND plan IS NOT NULL
             ORDER BY ordinal DESC LIMIT 1",
        )?
        .query_row([environment_id], |row| row.get::<_, Json<PlanView>>(0))
        .optional()?;
    Ok(plan.map(|plan| plan.0))
}

/// An operation without its steps.
pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Operation> {
    Ok(Operation {
        id: row.get("id")?,
        kind: row.get::<_, Word<_>>("kind")?.0,
        state: row.get::<_, Word<_>>("state")?.0,
        started_at: row.get("started_at")?,
        finished_at: row.get("finished_at")?,
        steps: Vec::new(),
        problem: row
            .get::<_, Option<Json<Problem>>>("problem")?
            .map(|problem| problem.0),
    })
}

pub(super) fn step_from_row(row: &Row<'_>) -> rusqlite::Result<Step> {
    let unsigned = |number: i64| u64::try_from(number).unwrap_or(0);
    let current: Option<i64> = row.get("progress_current")?;
    let total: Option<i64> = row.get("progress_total")?;
    Ok(Step {
        key: row.get("key")?,
        kind: row.get::<_, Json<_>>("kind")?.0,
        state: row.get::<_, Word<_>>("state")?.0,
        detail: row.get("detail")?,
        progress: current.map(|current| Progress {
            current: unsigned(current),
            total: total.map(unsigned),
        }),
        started_at: row.get("started_at")?,
        finished_at: row.get("finished_at")?,
    })
}

fn bytes(progress: Option<Progress>) -> (Option<i64>, Option<i64>) {
    let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    (
        progress.map(|progress| signed(progress.current)),
        progress.and_then(|progress| progress.total).map(signed),
    )
}

fn changed(tx: &Transaction<'_>, now: i64, environment_id: &str) -> Result<(), StoreError> {
    events::append(
        tx,
        now,
        &Change::Environment {
            id: environment_id.to_owned(),
        },
    )
}

fn missing(what: &'static str, id: &str) -> StoreError {
    StoreError::Missing {
        what,
        id: id.to_owned(),
    }
}
