//! Writes an operation's steps down while it runs.

use std::sync::Arc;

use berth_engines::{Progress, Reporter, Step, StepState};
use indexmap::IndexMap;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::Clock;
use crate::store::{Store, operations};

/// Receives an operation's steps and hands them to the store. Dropping it ends
/// the writing; [`Recording::finished`] then holds until all is written.
#[derive(Clone)]
pub(crate) struct Recorder {
    sender: mpsc::UnboundedSender<Heard>,
    clock: Arc<dyn Clock>,
}

/// The writing side of a [`Recorder`].
pub(crate) struct Recording {
    writer: JoinHandle<()>,
}

enum Heard {
    Expected(Vec<Step>),
    Changed {
        key: String,
        state: StepState,
        detail: Option<String>,
        progress: Option<Progress>,
        at: i64,
    },
    Ended {
        at: i64,
    },
}

impl Recorder {
    /// Starts to record the steps of one operation. What was heard while the
    /// store was busy is written together, so the queue stays as short as the
    /// number of steps that changed meanwhile.
    pub(crate) fn start(
        store: Store,
        clock: Arc<dyn Clock>,
        environment_id: String,
        operation_id: String,
    ) -> (Self, Recording) {
        let (sender, mut receiver) = mpsc::unbounded_channel();
        let writer = tokio::spawn(async move {
            let mut timeline = Timeline::default();
            let mut heard = Vec::new();
            while receiver.recv_many(&mut heard, 256).await > 0 {
                let changed = timeline.hear(heard.drain(..));
                if changed.is_empty() {
                    continue;
                }
                let (environment, operation) = (environment_id.clone(), operation_id.clone());
                let written = store
                    .write(move |tx| operations::put_steps(tx, &environment, &operation, &changed))
                    .await;
                if let Err(error) = written {
                    tracing::error!(%error, "a step could not be written down");
                }
            }
        });
        (Self { sender, clock }, Recording { writer })
    }

    /// Says that the operation is over: what has not run was skipped, what runs
    /// failed.
    pub(crate) fn end(&self) {
        self.hear(Heard::Ended { at: self.clock.now() });
    }

    fn hear(&self, heard: Heard) {
        // The writer lives until every recorder is gone, unless it panicked; then
        // the steps are lost, the operation is not.
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
        self.hear(Heard::Expected(steps));
    }

    fn step(&self, key: &str, state: StepState, detail: Option<String>, progress: Option<Progress>) {
        self.hear(Heard::Changed {
            key: key.to_owned(),
            state,
            detail,
            progress,
            at: self.clock.now(),
        });
    }
}

/// The steps of an operation in order, each with its place.
#[derive(Default)]
struct Timeline {
    steps: IndexMap<String, Step>,
}

impl Timeline {
    /// Takes in what was heard and returns each step that changed, with its
    /// place, as it is at the end.
    fn hear(&mut self, heard: impl Iterator<Item = Heard>) -> Vec<(usize, Step)> {
        let mut changed = std::collections::BTreeSet::new();
        for heard in heard {
            match heard {
                Heard::Expected(steps) => {
                    for step in steps {
                        if !self.steps.contains_key(&step.key) {
                            changed.insert(self.steps.len());
                            self.steps.insert(step.key.clone(), step);
                        }
                    }
                }
                Heard::Changed { key, state, detail, progress, at } => {
                    if let Some((place, _, step)) = self.steps.get_full_mut(&key) {
                        change(step, state, detail, progress, at);
                        changed.insert(place);
                    }
                }
                Heard::Ended { at } => {
                    for (place, step) in self.steps.values_mut().enumerate() {
                        let end = match step.state {
                            StepState::Waiting => StepState::Skipped,
                            StepState::Running => StepState::Failed,
                            StepState::Done | StepState::Failed | StepState::Skipped => continue,
                        };
                        change(step, end, None, None, at);
                        changed.insert(place);
                    }
                }
            }
        }
        changed
            .into_iter()
            .filter_map(|place| Some((place, self.steps.get_index(place)?.1.clone())))
            .collect()
    }
}

fn change(step: &mut Step, state: StepState, detail: Option<String>, progress: Option<Progress>, at: i64) {
    let ended = matches!(state, StepState::Done | StepState::Failed);
    if step.started_at.is_none() && (state == StepState::Running || ended) {
        step.started_at = Some(at);
    }
    if ended && step.finished_at.is_none() {
        step.finished_at = Some(at);
    }
    step.state = state;
    if detail.is_some() {
        step.detail = detail;
    }
    step.progress = progress.or(step.progress.filter(|_| !ended));
}

#[cfg(test)]
mod tests {
    use berth_engines::StepKind;

    use super::*;

    fn waiting(key: &str) -> Step {
        Step {
            key: key.to_owned(),
            kind: StepKind::Read,
            state: StepState::Waiting,
            detail: None,
            progress: None,
            started_at: None,
            finished_at: None,
        }
    }

    fn changed(key: &str, state: StepState, at: i64) -> Heard {
        Heard::Changed { key: key.to_owned(), state, detail: None, progress: None, at }
    }

    #[test]
    fn many_changes_of_a_step_are_one_write() {
        let mut timeline = Timeline::default();
        let written = timeline.hear(
            [
                Heard::Expected(vec![waiting("a"), waiting("b")]),
                changed("b", StepState::Running, 10),
                changed("b", StepState::Done, 30),
            ]
            .into_iter(),
        );
        assert_eq!(written.len(), 2);
        let (place, step) = &written[1];
        assert_eq!(*place, 1);
        assert_eq!((step.started_at, step.finished_at), (Some(10), Some(30)));
    }

    #[test]
    fn known_steps_keep_their_place() {
        let mut timeline = Timeline::default();
        timeline.hear([Heard::Expected(vec![waiting("a"), waiting("b")])].into_iter());
        let written = timeline.hear([Heard::Expected(vec![waiting("b"), waiting("c")])].into_iter());
        assert_eq!(written.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn an_end_closes_what_is_open() {
        let mut timeline = Timeline::default();
        timeline.hear(
            [
                Heard::Expected(vec![waiting("a"), waiting("b"), waiting("c")]),
                changed("a", StepState::Done, 1),
                changed("b", StepState::Running, 2),
            ]
            .into_iter(),
        );
        let written = timeline.hear([Heard::Ended { at: 3 }].into_iter());
        let states: Vec<_> = written.iter().map(|(_, step)| step.state).collect();
        assert_eq!(states, [StepState::Failed, StepState::Skipped]);
    }
}
