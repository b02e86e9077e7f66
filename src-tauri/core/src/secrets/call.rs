//! Calls of a store of secrets: on threads of their own, one at a time, with a
//! deadline.

use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;
use tokio::sync::{OwnedMutexGuard, oneshot, watch};

use super::items::Items;
use super::lock::SecretsLock;
use super::store::{Ask, SecretStore, StoreFailure};
use crate::problem::Problem;
use crate::view::SecretStoreKind;

/// How long a call may take that asks nobody.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a call may take during which the user may be asked.
const PATIENCE_WHILE_ASKING: Duration = Duration::from_secs(120);

/// A store, and whether it still works on a call that nobody waits for.
#[derive(Clone)]
pub(super) struct Calls {
    kind: SecretStoreKind,
    store: Arc<dyn SecretStore>,
    store_id: Arc<str>,
    /// Of the one call at a time.
    turn: Arc<tokio::sync::Mutex<()>>,
    under_way: watch::Sender<UnderWay>,
    patience: Patience,
}

#[derive(Clone, Copy)]
struct Patience {
    ordinary: Duration,
    asking: Duration,
}

#[derive(Clone, Copy, Default)]
struct UnderWay {
    /// Counts the calls.
    number: u64,
    /// The last call runs, and nobody waits for it any more.
    overdue: bool,
}

impl Calls {
    pub(super) fn of(
        kind: SecretStoreKind,
        store: Arc<dyn SecretStore>,
        store_id: Arc<str>,
    ) -> Self {
        Self {
            kind,
            store,
            store_id,
            turn: Arc::default(),
            under_way: watch::Sender::default(),
            patience: Patience {
                ordinary: PATIENCE,
                asking: PATIENCE_WHILE_ASKING,
            },
        }
    }

    /// What the store calls itself.
    pub(super) fn product(&self) -> &str {
        self.store.product()
    }

    /// What to tell a user.
    pub(super) fn problem(&self, failure: &StoreFailure) -> Problem {
        failure.problem(self.kind, self.store.product())
    }

    /// Holds when values can be read and written now. Asks nobody.
    pub(super) async fn ready(&self) -> Result<(), StoreFailure> {
        self.call(Ask::Never, |_| Ok(())).await
    }

    /// Gets the store ready to be written to; the user may be asked to unlock it.
    pub(super) async fn prepare(&self) -> Result<(), StoreFailure> {
        self.call(Ask::IfLocked, |items| items.mark()).await
    }

    /// Writes a text. The lock is held until that has come to an end, also when
    /// nobody waits for it any more.
    pub(super) async fn put(
        &self,
        lock: Arc<SecretsLock>,
        id: &str,
        text: SecretString,
    ) -> Result<(), StoreFailure> {
        let id = id.to_owned();
        self.call(Ask::IfLocked, move |items| {
            let result = items.put(&id, &text);
            drop(lock);
            result
        })
        .await
    }

    /// A text; `None`: it is not there, or not all of it.
    pub(super) async fn take(&self, id: &str) -> Result<Option<SecretString>, StoreFailure> {
        let id = id.to_owned();
        self.call(Ask::IfLocked, move |items| items.take(&id)).await
    }

    /// Removes a text and sees that it is gone. Asks nobody.
    pub(super) async fn remove(
        &self,
        lock: Arc<SecretsLock>,
        id: &str,
    ) -> Result<(), StoreFailure> {
        let id = id.to_owned();
        self.call(Ask::Never, move |items| {
            let result = items.remove(&id);
            drop(lock);
            result
        })
        .await
    }

    /// Runs `job` on a thread when the store is ready. A call that is given up, by
    /// its deadline or by dropping the future, goes on until the store lets it; all
    /// later ones fail at once until then, so that threads never pile up.
    async fn call<R: Send + 'static>(
        &self,
        ask: Ask,
        job: impl FnOnce(&Items<'_>) -> Result<R, StoreFailure> + Send + 'static,
    ) -> Result<R, StoreFailure> {
        let patience = match ask {
            Ask::IfLocked => self.patience.asking,
            Ask::Never => self.patience.ordinary,
        };
        tokio::time::timeout(patience, self.wait_for(ask, job))
            .await
            .unwrap_or(Err(StoreFailure::Silent))
    }

    async fn wait_for<R: Send + 'static>(
        &self,
        ask: Ask,
        job: impl FnOnce(&Items<'_>) -> Result<R, StoreFailure> + Send + 'static,
    ) -> Result<R, StoreFailure> {
        let mut under_way = self.under_way.subscribe();
        let turn = tokio::select! {
            biased;
            _ = under_way.wait_for(|under_way| under_way.overdue) => None,
            turn = self.turn.clone().lock_owned() => Some(turn),
        };
        let turn = Turn::begin(turn.ok_or(StoreFailure::Silent)?, self.under_way.clone());
        let waiting = Waiting {
            number: turn.number,
            under_way: self.under_way.clone(),
        };
        let (store, store_id) = (self.store.clone(), self.store_id.clone());
        let (done, result) = oneshot::channel();
        std::thread::Builder::new()
            .name("secret-store".to_owned())
            .spawn(move || {
                let items = Items {
                    store: &*store,
                    store_id: &store_id,
                };
                let result = store.ready(ask).and_then(|()| job(&items));
                drop(turn);
                // Nobody waits any more: what was done is seen the next time.
                let _ = done.send(result);
            })
            .map_err(|error| StoreFailure::Broken(error.into()))?;
        let result = result.await;
        drop(waiting);
        result.unwrap_or_else(|_| {
            Err(StoreFailure::Broken(
                "the call ended without an answer".into(),
            ))
        })
    }
}

/// Somebody waits for a call. Dropped while it runs: nobody does any more.
struct Waiting {
    number: u64,
    under_way: watch::Sender<UnderWay>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.under_way.send_if_modified(|under_way| {
            let runs = under_way.number == self.number;
            under_way.overdue |= runs;
            runs
        });
    }
}

/// One call's turn; over when it is dropped, also by a panic.
struct Turn {
    number: u64,
    under_way: watch::Sender<UnderWay>,
    _turn: OwnedMutexGuard<()>,
}

impl Turn {
    fn begin(turn: OwnedMutexGuard<()>, under_way: watch::Sender<UnderWay>) -> Self {
        under_way.send_modify(|under_way| under_way.number += 1);
        let number = under_way.borrow().number;
        Self {
            number,
            under_way,
            _turn: turn,
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // A new number: whoever gives up from now on gives up nothing that runs.
        self.under_way.send_modify(|under_way| {
            under_way.number += 1;
            under_way.overdue = false;
        });
    }
}

#[cfg(test)]
#[path = "call_tests.rs"]
mod tests;
