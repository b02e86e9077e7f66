//! The events as they happen, in this process and in others.

use std::time::Duration;

use futures_util::{Stream, stream};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::problem::Problem;
use crate::store::{Store, StoreError, events};
use crate::view::Event;

/// How many events one batch holds at most.
const BATCH: usize = 500;
/// How long at least from one look to the next: what happens in between is one
/// batch.
const PAUSE: Duration = Duration::from_millis(50);
/// How often other processes' changes are looked for where the system refuses to
/// watch a file.
const UNWATCHED: Duration = Duration::from_secs(2);

/// Events after number `from`, in batches; the first holds what is there already
/// (it may be empty). Woken by commits of this process, and by the file that
/// every process writes to after a commit. Never ends by itself; after an error
/// it goes on with the next change.
pub(crate) fn follow(
    store: Store,
    from: i64,
) -> impl Stream<Item = Result<Vec<Event>, Problem>> + Send + 'static + use<> {
    let follower = Follower {
        committed: store.committed(),
        rung: None,
        store,
        from,
        looked: None,
        more: true,
    };
    stream::unfold(follower, |mut follower| async move {
        let batch = follower.next().await;
        Some((batch.map_err(Problem::from), follower))
    })
}

struct Follower {
    store: Store,
    from: i64,
    committed: watch::Receiver<i64>,
    rung: Option<Rung>,
    looked: Option<Instant>,
    /// Whether there may be events that were not read, although nothing rings.
    more: bool,
}

impl Follower {
    async fn next(&mut self) -> Result<Vec<Event>, StoreError> {
        // Listening begins before the first look: nothing falls in between.
        if self.rung.is_none() {
            self.rung = Some(Rung::listen(&self.store).await);
        }
        loop {
            let first = self.looked.is_none();
            if !self.more {
                self.woken().await;
            }
            if let Some(looked) = self.looked {
                tokio::time::sleep_until(looked + PAUSE).await;
            }
            let batch = self.look().await?;
            if first || !batch.is_empty() {
                return Ok(batch);
            }
        }
    }

    async fn look(&mut self) -> Result<Vec<Event>, StoreError> {
        self.looked = Some(Instant::now());
        self.committed.mark_unchanged();
        if let Some(rung) = &mut self.rung {
            rung.heard.mark_unchanged();
        }
        let from = self.from;
        // Given up in the middle, the next look has to come by itself; after a
        // failure it waits for the next change.
        self.more = true;
        let read = self
            .store
            .read(move |connection| events::after(connection, from, BATCH))
            .await;
        self.more = false;
        let batch = read?;
        self.more = batch.len() == BATCH;
        if let Some(last) = batch.last() {
            self.from = last.sequence;
        }
        Ok(batch)
    }

    async fn woken(&mut self) {
        let Some(rung) = &mut self.rung else { return };
        // Both senders live as long as this follower: neither wait can fail.
        tokio::select! {
            _ = self.committed.changed() => {}
            _ = rung.heard.changed(), if rung.watcher.is_some() => {}
            () = tokio::time::sleep(UNWATCHED), if rung.watcher.is_none() => {}
        }
    }
}

/// Listens to the store's bell.
struct Rung {
    watcher: Option<RecommendedWatcher>,
    heard: watch::Receiver<()>,
}

impl Rung {
    async fn listen(store: &Store) -> Self {
        let (sender, heard) = watch::channel(());
        let bell = store.bell().to_owned();
        let watching = tokio::task::spawn_blocking(move || {
            let mut watcher = notify::recommended_watcher(move |event| {
                // Only what was written: opening and closing the file says nothing.
                let written = matches!(
                    event,
                    Ok(notify::Event {
                        kind: EventKind::Modify(_),
                        ..
                    }) | Err(_)
                );
                if written {
                    sender.send_replace(());
                }
            })?;
            watcher.watch(&bell, RecursiveMode::NonRecursive)?;
            Ok::<_, notify::Error>(watcher)
        })
        .await;
        let watcher = match watching {
            Ok(Ok(watcher)) => Some(watcher),
            Ok(Err(error)) => {
                tracing::warn!(
                    %error,
                    "changes of other processes are looked for every two seconds; on Linux, raise fs.inotify.max_user_instances"
                );
                None
            }
            Err(_) => None,
        };
        Self { watcher, heard }
    }
}

#[cfg(test)]
#[path = "follow_tests.rs"]
mod tests;
