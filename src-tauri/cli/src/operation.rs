//! Following operations that run in this process, until they end or are
//! stopped.

use std::collections::BTreeSet;
use std::pin::pin;

use berth_core::view::{Change, Environment, Event, OperationKind};
use berth_core::{Berth, Code, Problem, Running};
use berth_engines::Step;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use serde::Serialize;

use crate::failure::{Failure, STOPPED};
use crate::output::Output;
use crate::platform::Stop;
use crate::steps::StepsShown;
use crate::words;

/// An operation to follow.
pub(crate) struct Followed {
    /// The environment's name.
    pub(crate) name: String,
    /// What runs.
    pub(crate) running: Running,
}

/// How an operation ended.
pub(crate) struct Ended {
    /// The environment's name.
    pub(crate) name: String,
    /// The environment's id.
    pub(crate) environment_id: String,
    /// The environment as it then is, or why it failed.
    pub(crate) result: Result<Environment, Problem>,
}

/// What `--json` prints on the way.
#[derive(Serialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum Line<'a> {
    /// An operation is recorded and under way.
    Started {
        environment_id: &'a str,
        environment: &'a str,
        operation_id: &'a str,
    },
    /// A step changed.
    Step {
        environment_id: &'a str,
        environment: &'a str,
        operation_id: &'a str,
        step: &'a Step,
    },
}

/// Follows operations to their ends, in the order they were given. `from` is
/// the number of an event before all of them.
///
/// The first request to stop cancels what comes up and waits until it is taken
/// back (what is being removed is removed to the end); the second leaves at
/// once.
///
/// # Errors
/// [`Failure::Said`] with [`STOPPED`] when a second request to stop came.
pub(crate) async fn follow(
    berth: &Berth,
    output: &Output,
    mut stop: Stop,
    from: i64,
    kind: OperationKind,
    operations: Vec<Followed>,
    silent: bool,
) -> Result<Vec<Ended>, Failure> {
    let mut shown = StepsShown::new(silent || output.is_json());
    let several = operations.len() > 1;
    let mut tracks = Vec::new();
    let mut ends = FuturesUnordered::new();
    for operation in operations {
        let track = shown.begin(several.then(|| operation.name.clone()));
        say(
            output,
            &Line::Started {
                environment_id: &operation.running.environment_id,
                environment: &operation.name,
                operation_id: &operation.running.operation_id,
            },
        );
        let finished = operation.running.finished;
        ends.push(async move { (track, finished.await) });
        tracks.push(Track {
            name: operation.name,
            environment_id: operation.running.environment_id,
            operation_id: operation.running.operation_id,
            result: None,
        });
    }

    let mut events = pin!(berth.follow(from).fuse());
    let mut stops = 0;
    while !ends.is_empty() {
        let due = shown.due();
        tokio::select! {
            biased;
            () = stop.requested() => {
                stops += 1;
                if stops > 1 {
                    shown.note(words::left_at_once(kind));
                    return Err(Failure::Said(STOPPED));
                }
                shown.note(words::stopping(kind));
                if kind == OperationKind::Up {
                    cancel(berth, &tracks, &mut shown).await;
                }
            }
            Some(batch) = events.next() => match batch {
                Ok(batch) => {
                    let mut incomplete = BTreeSet::new();
                    for event in batch {
                        incomplete.extend(take_in(event, &tracks, &mut shown, output));
                    }
                    for at in incomplete {
                        read_record(berth, at, &tracks, &mut shown, output).await;
                    }
                }
                // The steps cannot be followed; the operation goes on.
                Err(problem) => shown.note(&problem.to_string()),
            },
            Some((track, joined)) = ends.next() => {
                let result = joined.unwrap_or_else(|error| {
                    Err(Problem::internal("the operation broke off").caused_by(&error))
                });
                if let Some(track) = tracks.get_mut(track) {
                    track.result = Some(result);
                }
            }
            () = tokio::time::sleep_until(due.unwrap_or_else(tokio::time::Instant::now)), if due.is_some() => {
                shown.draw();
            }
        }
    }

    // What the last events would have said stands in the record.
    for at in 0..tracks.len() {
        read_record(berth, at, &tracks, &mut shown, output).await;
    }
    shown.end();
    Ok(tracks
        .into_iter()
        .filter_map(|track| {
            Some(Ended {
                name: track.name,
                environment_id: track.environment_id,
                result: track.result?,
            })
        })
        .collect())
}

async fn cancel(berth: &Berth, tracks: &[Track], shown: &mut StepsShown) {
    for track in tracks.iter().filter(|track| track.result.is_none()) {
        match berth.cancel(&track.environment_id).await {
            Ok(()) => {}
            // It ended in this very moment.
            Err(problem) if problem.code == Code::NotFound => {}
            Err(problem) => shown.note(&format!("{}: {problem}", track.name)),
        }
    }
}

struct Track {
    name: String,
    environment_id: String,
    operation_id: String,
    result: Option<Result<Environment, Problem>>,
}

impl Track {
    fn line<'a>(&'a self, step: &'a Step) -> Line<'a> {
        Line::Step {
            environment_id: &self.environment_id,
            environment: &self.name,
            operation_id: &self.operation_id,
            step,
        }
    }
}

/// Takes in what an event says. Gives back the operation of which it shows that
/// steps are not known yet: those that wait are only in the record.
fn take_in(
    event: Event,
    tracks: &[Track],
    shown: &mut StepsShown,
    output: &Output,
) -> Option<usize> {
    let Change::Step {
        operation, step, ..
    } = event.change
    else {
        return None;
    };
    let (at, track) = tracks
        .iter()
        .enumerate()
        .find(|(_, track)| track.operation_id == operation)?;
    let known = shown.knows(at, &step.key);
    if shown.step(at, &step) {
        say(output, &track.line(&step));
    }
    (!known).then_some(at)
}

/// Brings what is shown in line with the record. Where that cannot be read, the
/// events have to do.
async fn read_record(
    berth: &Berth,
    at: usize,
    tracks: &[Track],
    shown: &mut StepsShown,
    output: &Output,
) {
    let Some(track) = tracks.get(at) else { return };
    let Ok(detail) = berth.environment(&track.environment_id).await else {
        return;
    };
    let recorded = detail
        .operations
        .iter()
        .find(|operation| operation.id == track.operation_id);
    if let Some(operation) = recorded {
        for step in shown.recorded(at, &operation.steps) {
            say(output, &track.line(&step));
        }
    }
}

/// A line for programs. One that stopped reading does not stop the operation.
fn say(output: &Output, line: &Line<'_>) {
    if output.is_json() {
        let _ = output.object(line);
    }
}
