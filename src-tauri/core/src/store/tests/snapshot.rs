use std::cell::RefCell;

use berth_engines::docker::Address;
use berth_engines::{Step, StepKind, StepState};
use rusqlite::trace::{TraceEvent, TraceEventCodes};

use super::*;
use crate::store::schema::{MIGRATIONS, open};
use crate::store::snapshot::{environment_detail, snapshot};
use crate::view::{Actor, OperationKind, OperationState};

thread_local! {
    static QUERIES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn note(event: TraceEvent<'_>) {
    if let TraceEvent::Stmt(_, sql) = event {
        QUERIES.with_borrow_mut(|queries| queries.push(sql.to_owned()));
    }
}

/// A store of its own with so many environments, whose queries are noted from
/// now on, and the environments' ids.
fn noted(environments: usize) -> (TempDir, Connection, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let (mut connection, _) = open(&folder.path().join("berth.db"), MIGRATIONS).unwrap();
    let tx = connection.transaction().unwrap();
    let ids = fill(&tx, environments).unwrap();
    tx.commit().unwrap();
    connection
        .trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(note))
        .unwrap();
    QUERIES.take();
    (folder, connection, ids)
}

fn fill(tx: &Transaction<'_>, environments: usize) -> Result<Vec<String>, StoreError> {
    let service = add_service(tx, "shop-api")?;
    let mut ids = Vec::new();
    for number in 0..environments {
        let id = add_environment(tx, &service, &format!("env-{number:03}"))?;
        for at in 0..3 {
            let operation = operations::start(tx, at, &id, OperationKind::Up, Actor::Window)?;
            let steps: Vec<Step> = (0..4)
                .map(|step| Step {
                    key: format!("step-{step}"),
                    kind: StepKind::Plan,
                    state: StepState::Done,
                    detail: None,
                    progress: None,
                    started_at: Some(at),
                    finished_at: Some(at),
                })
                .collect();
            operations::expect_steps(tx, at, &operation, &steps)?;
            operations::finish(tx, at, &operation, OperationState::Done, None)?;
        }
        let address = Address {
            service: "web".to_owned(),
            target: 80,
            host_port: 41_000,
            url: format!("http://env-{number:03}.localhost:41000"),
            primary: true,
        };
        addresses::replace(tx, 5, &id, &[address])?;
        ids.push(id);
    }
    Ok(ids)
}

#[test]
fn the_number_of_queries_does_not_grow() {
    let counts = [1, 40].map(|environments| {
        let (_folder, connection, ids) = noted(environments);
        let shown = snapshot(&connection, "default", 0).unwrap();
        let for_all = QUERIES.take().len();
        assert_eq!(shown.environments.len(), environments);
        for environment in &shown.environments {
            assert_eq!(environment.addresses.len(), 1);
            assert!(environment.addresses[0].url.contains(&environment.name));
            let operation = environment.operation.as_ref().unwrap();
            assert_eq!((operation.started_at, operation.steps.len()), (2, 4));
        }
        let detail = environment_detail(&connection, &ids[0]).unwrap();
        assert_eq!(detail.operations.len(), 3);
        (for_all, QUERIES.take().len())
    });
    assert_eq!(counts[0], counts[1]);
    assert!(counts[0].0 > 0);
}

#[test]
fn no_query_reads_a_table_of_the_past_from_end_to_end() {
    let (_folder, mut connection, ids) = noted(30);
    let tx = connection.transaction().unwrap();
    let ask = || -> Result<(), StoreError> {
        snapshot(&tx, "default", 0)?;
        environment_detail(&tx, &ids[0])?;
        operations::unfinished(&tx)?;
        environments::expired(&tx, 5)?;
        inventory::list(&tx, &ids[0])?;
        crate::store::ports::assigned(&tx, &ids[0])?;
        crate::store::events::after(&tx, 5, 10)?;
        prune(&tx, 0)
    };
    ask().unwrap();
    let asked = QUERIES.take();
    assert!(asked.len() > 15, "{asked:#?}");
    for sql in asked {
        // Comments stand for what SQLite does on its own, for references.
        if sql.starts_with("--") || sql.starts_with("BEGIN") {
            continue;
        }
        let mut explained = tx.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        // Unbound parameters read as NULL; the plan is the same.
        let mut rows = explained.raw_query();
        let mut plan = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            plan.push(row.get::<_, String>("detail").unwrap());
        }
        for table in [
            "operations",
            "steps",
            "inventory",
            "addresses",
            "events",
            "activity",
            "o",
            "s",
            "a",
        ] {
            let scan = format!("SCAN {table}");
            assert!(plan.iter().all(|line| *line != scan), "{sql}\n{plan:#?}");
        }
    }
}

#[tokio::test]
async fn what_was_torn_down_long_ago_is_not_shown() {
    let (_folder, store) = opened().await;
    store
        .write(|tx| {
            let ids = fill(tx, 3)?;
            environments::set_torn_down(tx, 100, &ids[0])?;
            environments::set_torn_down(tx, 200, &ids[1])?;
            let shown = snapshot(tx, "default", 150)?;
            let mut shown: Vec<String> = shown.environments.into_iter().map(|one| one.id).collect();
            shown.sort();
            let mut expected = ids[1..].to_vec();
            expected.sort();
            assert_eq!(shown, expected);
            Ok(())
        })
        .await
        .unwrap();
}
