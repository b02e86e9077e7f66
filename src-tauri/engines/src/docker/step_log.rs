use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{EngineError, Progress, Reporter, Step, StepState};

/// The steps of one operation on their way: says each change once, and leaves no
/// step hanging when the operation ends early.
pub(super) struct StepLog<'a> {
    reporter: &'a dyn Reporter,
    /// In order, so that what is left off is told in order.
    states: Mutex<(Vec<String>, HashMap<String, StepState>)>,
}

impl<'a> StepLog<'a> {
    pub(super) fn new(reporter: &'a dyn Reporter, steps: &[Step]) -> Self {
        let log = Self {
            reporter,
            states: Mutex::default(),
        };
        log.expect(steps.to_vec());
        log
    }

    /// Announces steps; known ones keep their place and state.
    pub(super) fn expect(&self, steps: Vec<Step>) {
        if steps.is_empty() {
            return;
        }
        let mut states = self.states();
        for step in &steps {
            if !states.1.contains_key(&step.key) {
                states.0.push(step.key.clone());
                states.1.insert(step.key.clone(), StepState::Waiting);
            }
        }
        drop(states);
        self.reporter.expect(steps);
    }

    /// Runs one step from beginning to end.
    pub(super) async fn run<T>(
        &self,
        key: &str,
        work: impl Future<Output = Result<T, EngineError>>,
    ) -> Result<T, EngineError> {
        self.say(key, StepState::Running, None, None);
        match work.await {
            Ok(value) => {
                self.say(key, StepState::Done, None, None);
                Ok(value)
            }
            Err(error) => {
                self.say(key, StepState::Failed, Some(error.to_string()), None);
                Err(error)
            }
        }
    }

    /// A running step has something to add.
    pub(super) fn progress(&self, key: &str, detail: Option<String>, progress: Option<Progress>) {
        self.say(key, StepState::Running, detail, progress);
    }

    /// A step turned out not to be needed.
    pub(super) fn skip(&self, key: &str, detail: Option<String>) {
        self.say(key, StepState::Skipped, detail, None);
    }

    /// Ends what still runs or waits: the operation is over.
    pub(super) fn leave_off(&self) {
        let open: Vec<String> = {
            let states = self.states();
            states
                .0
                .iter()
                .filter(|key| {
                    matches!(
                        states.1.get(*key),
                        Some(StepState::Waiting | StepState::Running)
                    )
                })
                .cloned()
                .collect()
        };
        for key in open {
            self.skip(&key, None);
        }
    }

    fn say(&self, key: &str, state: StepState, detail: Option<String>, progress: Option<Progress>) {
        self.states().1.insert(key.to_owned(), state);
        self.reporter.step(key, state, detail, progress);
    }

    fn states(&self) -> MutexGuard<'_, (Vec<String>, HashMap<String, StepState>)> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
