use berth_engines::{Progress, Step, StepKind, StepState};

use super::*;
use crate::store::events::{after, append, last};
use crate::store::operations::StepChange;
use crate::view::{Actor, Change, OperationKind};

fn pull(current: u64) -> StepChange {
    StepChange {
        key: "pull".to_owned(),
        state: StepState::Running,
        detail: None,
        progress: Some(Progress {
            current,
            total: Some(1_000),
        }),
    }
}

fn waiting(key: &str) -> Step {
    Step {
        key: key.to_owned(),
        kind: StepKind::Pull {
            image: "postgres:17".to_owned(),
        },
        state: StepState::Waiting,
        detail: None,
        progress: None,
        started_at: None,
        finished_at: None,
    }
}

#[tokio::test]
async fn progress_takes_the_place_of_earlier_progress() {
    let (_folder, store, id) = with_environment().await;
    let (before, events) = store
        .write(move |tx| {
            let operation = operations::start(tx, 20, &id, OperationKind::Up, Actor::CommandLine)?;
            operations::expect_steps(tx, 20, &operation, &[waiting("pull"), waiting("start")])?;
            let before = last(tx)?;
            for current in 0..1_000 {
                operations::set_step(tx, 21, &operation, &pull(current))?;
            }
            Ok((before, after(tx, before, 10_000)?))
        })
        .await
        .unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].sequence, before + 1_000);
    let Change::Step { step, .. } = &events[0].change else {
        panic!("{events:?}");
    };
    assert_eq!(step.progress.unwrap().current, 999);
}

#[tokio::test]
async fn the_number_never_goes_back() {
    let (_folder, store) = opened().await;
    let mut highest = 0;
    for round in 0..50_i64 {
        let number = store
            .write(move |tx| {
                let change = match round % 3 {
                    0 => Change::Environment { id: "a".to_owned() },
                    1 => Change::Service { id: "a".to_owned() },
                    _ => Change::Activity { id: round },
                };
                append(tx, round, &change)?;
                if round % 10 == 9 {
                    tx.execute("DELETE FROM events", [])?;
                }
                last(tx)
            })
            .await
            .unwrap();
        assert!(number > highest, "{number} after {highest}");
        highest = number;
    }
    assert_eq!(store.read(last).await.unwrap(), highest);
}

#[tokio::test]
async fn a_step_and_its_environment_hold_different_places() {
    let (_folder, store) = opened().await;
    let events = store
        .write(|tx| {
            for id in ["a", "b", "a"] {
                append(tx, 1, &Change::Environment { id: id.to_owned() })?;
                append(tx, 1, &Change::Service { id: id.to_owned() })?;
            }
            for expires_at in [5, 6] {
                append(
                    tx,
                    1,
                    &Change::ExpiresSoon {
                        environment: "a".to_owned(),
                        expires_at,
                    },
                )?;
            }
            after(tx, 0, 100)
        })
        .await
        .unwrap();
    let numbers: Vec<i64> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(numbers, [3, 4, 5, 6, 7, 8]);
}

#[tokio::test]
async fn a_limit_is_kept_and_the_rest_follows() {
    let (_folder, store) = opened().await;
    store
        .write(|tx| {
            for id in 1..=7 {
                append(tx, 1, &Change::Activity { id })?;
            }
            let first = after(tx, 0, 5)?;
            assert_eq!(first.len(), 5);
            let rest = after(tx, first[4].sequence, 5)?;
            assert_eq!(rest.len(), 2);
            Ok(())
        })
        .await
        .unwrap();
}
