use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{EngineError, Progress, Reporter, Step, StepState};

#[derive(Default)]
struct States {
    /// So that what is left off is told in order.
    order: Vec<String>,
    now: HashMap<String, StepState>,
    /// Steps that run and last said something about it.
    telling: HashSet<String>,
}

/// The steps of one operation on their way: says each change once, and leaves no
/// step hanging when the operation ends early.
pub(super) struct StepLog<'a> {
    reporter: &'a dyn Reporter,
    states: Mutex<States>,
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
            if !states.now.contains_key(&step.key) {
                states.order.push(step.key.clone());
                states.now.insert(step.key.clone(), StepState::Waiting);
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
                .order
                .iter()
                .filter(|key| {
                    matches!(
                        states.now.get(*key),
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
        let running = state == StepState::Running;
        let detail = {
            let mut states = self.states();
            states.now.insert(key.to_owned(), state);
            if running && detail.is_some() {
                states.telling.insert(key.to_owned());
                detail
            } else if !running && states.telling.remove(key) {
                // What it said on its way is over with it.
                detail.or_else(|| Some(String::new()))
            } else {
                detail
            }
        };
        self.reporter.step(key, state, detail, progress);
    }

    fn states(&self) -> MutexGuard<'_, States> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Details(Mutex<Vec<Option<String>>>);

    impl Reporter for Details {
        fn expect(&self, _: Vec<Step>) {}

        fn step(&self, _: &str, _: StepState, detail: Option<String>, _: Option<Progress>) {
            self.0.lock().unwrap().push(detail);
        }
    }

    #[tokio::test]
    async fn what_a_step_said_on_its_way_ends_with_it() {
        let heard = Details::default();
        let steps = StepLog::new(&heard, &[]);
        let work = async {
            steps.progress("a", Some("Step 1/2".to_owned()), None);
            Ok(())
        };
        steps.run("a", work).await.unwrap();
        steps.run("b", async { Ok(()) }).await.unwrap();
        let heard = heard.0.lock().unwrap().clone();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(heard, [None, text("Step 1/2"), text(""), None, None]);
    }
}
