//! Writes an operation's steps down while it runs.

use std::sync::Arc;

use berth_engines::{Progress, Reporter, Step, StepState};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::Clock;
use crate::redaction::Redaction;
use crate::store::operations::{self, StepChange};
use crate::store::{Store, StoreError};

/// Receives an operation's steps and hands them to the store. Once every clone
/// is dropped, [`Recording::finished`] returns when all is written.
#[derive(Clone)]
pub(crate) struct Recorder {
    sender: mpsc::UnboundedSender<Heard>,
    clock: Arc<dyn Clock>,
    redaction: Redaction,
}

/// The writing side of a [`Recorder`].
pub(crate) struct Recording {
    writer: JoinHandle<()>,
}

#[derive(Debug, PartialEq)]
enum Heard {
    Expected { at: i64, steps: Vec<Step> },
    Changed { at: i64, change: StepChange },
}

impl Recorder {
    /// Starts to record the steps of one operation, without what `redaction`
    /// knows. What was heard while the store was busy is written together.
    pub(crate) fn start(
        store: Store,
        clock: Arc<dyn Clock>,
        operation_id: String,
        redaction: Redaction,
    ) -> (Self, Recording) {
        let (sender, mut receiver) = mpsc::unbounded_channel();
        let writer = tokio::spawn(async move {
            let mut heard = Vec::new();
            while receiver.recv_many(&mut heard, 256).await > 0 {
                let heard = without_superseded(std::mem::take(&mut heard));
                let operation_id = operation_id.clone();
                let written = store
                    .write(move |tx| {
                        for heard in &heard {
                            match heard {
                                Heard::Expected { at, steps } => {
                                    operations::expect_steps(tx, *at, &operation_id, steps)?;
                                }
                                Heard::Changed { at, change } => {
                                    match operations::set_step(tx, *at, &operation_id, change) {
                                        // A step that nobody expected has no place
                                        // to be shown at.
                                        Ok(_) | Err(StoreError::Missing { .. }) => {}
                                        Err(error) => return Err(error),
                                    }
                                }
                            }
                        }
                        Ok(())
                    })
                    .await;
                if let Err(error) = written {
                    tracing::error!(%error, "steps could not be written down");
                }
            }
        });
        (
            Self {
                sender,
                clock,
                redaction,
            },
            Recording { writer },
        )
    }

    fn hear(&self, heard: Heard) {
        // The writer lives until every recorder is gone, unless it panicked: then
        // the steps are lost, the operation goes on.
        let _ = self.sender.send(heard);
    }
}

impl Recording {
    /// Waits until everything heard is written. The recorders must be gone.
    pub(crate) async fn finished(self) {
        if let Err(error) = self.writer.await {
            tracing::error!(%error, "the steps' writer ended early");
        }
    }
}

impl Reporter for Recorder {
    fn expect(&self, steps: Vec<Step>) {
        self.hear(Heard::Expected {
            at: self.clock.now(),
            steps,
        });
    }

    fn step(
        &self,
        key: &str,
        state: StepState,
        detail: Option<String>,
        progress: Option<Progress>,
    ) {
        let change = StepChange {
            key: key.to_owned(),
            state,
            detail: detail.map(|detail| self.redaction.text(&detail)),
            progress,
        };
        self.hear(Heard::Changed {
            at: self.clock.now(),
            change,
        });
    }
}

/// Leaves out progress that was overtaken before it could be written; each
/// state that a step went through stays, with its time.
fn without_superseded(heard: Vec<Heard>) -> Vec<Heard> {
    let mut later = std::collections::HashSet::new();
    let mut kept: Vec<Heard> = heard
        .into_iter()
        .rev()
        .filter(|heard| match heard {
            Heard::Expected { .. } => true,
            Heard::Changed { change, .. } => later.insert((change.key.clone(), change.state)),
        })
        .collect();
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(at: i64, key: &str, state: StepState, bytes: u64) -> Heard {
        let progress = Some(Progress {
            current: bytes,
            total: None,
        });
        Heard::Changed {
            at,
            change: StepChange {
                key: key.to_owned(),
                state,
                detail: None,
                progress,
            },
        }
    }

    #[test]
    fn only_the_latest_progress_is_written_but_every_state() {
        let kept = without_superseded(vec![
            heard(1, "pull", StepState::Running, 10),
            heard(2, "other", StepState::Running, 0),
            heard(3, "pull", StepState::Running, 20),
            heard(4, "pull", StepState::Done, 30),
        ]);
        assert_eq!(
            kept,
            [
                heard(2, "other", StepState::Running, 0),
                heard(3, "pull", StepState::Running, 20),
                heard(4, "pull", StepState::Done, 30),
            ]
        );
    }
}
