//! The operations that this window's process works on.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use berth_core::{Berth, Running};
use tokio::sync::watch;

/// Operations under way. They die with the process, so it asks before it ends.
#[derive(Clone)]
pub(crate) struct Operations(Arc<UnderWay>);

struct UnderWay {
    /// The environment by the operation's id.
    environments: Mutex<BTreeMap<String, String>>,
    count: watch::Sender<usize>,
}

impl Operations {
    pub(crate) fn new() -> Self {
        Self(Arc::new(UnderWay {
            environments: Mutex::default(),
            count: watch::Sender::new(0),
        }))
    }

    /// Keeps an operation in view until it ends; returns its environment's id.
    /// How it ends is recorded by core.
    pub(crate) fn keep(&self, running: Running) -> String {
        let Running {
            environment_id,
            operation_id,
            finished,
        } = running;
        let operations = self.clone();
        operations.change(|environments| {
            environments.insert(operation_id.clone(), environment_id.clone());
        });
        tokio::spawn(async move {
            let _ = finished.await;
            operations.change(|environments| {
                environments.remove(&operation_id);
            });
        });
        environment_id
    }

    /// How many are under way.
    pub(crate) fn count(&self) -> usize {
        *self.0.count.borrow()
    }

    /// Stops them all and waits until what they made is taken back, at most
    /// `patience`. What is left then is taken back by the next start.
    pub(crate) async fn stop(&self, berth: &Berth, patience: Duration) {
        let environments: Vec<String> = self.environments().values().cloned().collect();
        for environment in environments {
            // It may have ended meanwhile; then there is nothing to stop.
            let _ = berth.cancel(&environment).await;
        }
        let mut count = self.0.count.subscribe();
        let _ = tokio::time::timeout(patience, count.wait_for(|count| *count == 0)).await;
    }

    fn change(&self, change: impl FnOnce(&mut BTreeMap<String, String>)) {
        let count = {
            let mut environments = self.environments();
            change(&mut environments);
            environments.len()
        };
        self.0.count.send_replace(count);
    }

    fn environments(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0
            .environments
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
