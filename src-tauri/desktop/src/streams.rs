//! What the page follows: events and logs, each until the page says so, is
//! reloaded or closes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

/// The streams that are open.
#[derive(Clone, Default)]
pub(crate) struct Streams(Arc<Open>);

#[derive(Default)]
struct Open {
    last: AtomicU32,
    by_id: Mutex<HashMap<u32, CancellationToken>>,
}

impl Streams {
    /// Runs a stream until it ends by itself or is closed; returns its number.
    pub(crate) fn open<F>(&self, stream: F) -> u32
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let id = self.0.last.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let closed = CancellationToken::new();
        self.by_id().insert(id, closed.clone());
        let streams = self.clone();
        tokio::spawn(async move {
            closed.run_until_cancelled(stream).await;
            streams.by_id().remove(&id);
        });
        id
    }

    /// Closes one. A number that is not open is none of ours any more.
    pub(crate) fn close(&self, id: u32) {
        if let Some(closed) = self.by_id().remove(&id) {
            closed.cancel();
        }
    }

    /// Closes all: the page that followed them is gone.
    pub(crate) fn close_all(&self) {
        for (_, closed) in self.by_id().drain() {
            closed.cancel();
        }
    }

    fn by_id(&self) -> MutexGuard<'_, HashMap<u32, CancellationToken>> {
        self.0.by_id.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Resolves once the stream that held `_held` is gone.
    async fn gone(mut watched: tokio::sync::mpsc::Receiver<()>) {
        assert_eq!(watched.recv().await, None);
    }

    async fn endless(held: tokio::sync::mpsc::Sender<()>) {
        std::future::pending::<()>().await;
        drop(held);
    }

    #[tokio::test]
    async fn a_closed_stream_stops_and_the_others_go_on() {
        let streams = Streams::default();
        let (first, first_gone) = tokio::sync::mpsc::channel(1);
        let (second, second_gone) = tokio::sync::mpsc::channel(1);
        let first = streams.open(endless(first));
        let second = streams.open(endless(second));
        assert_ne!(first, second);

        streams.close(first);
        gone(first_gone).await;
        assert_eq!(
            streams.by_id().keys().copied().collect::<Vec<_>>(),
            [second]
        );

        streams.close_all();
        gone(second_gone).await;
    }

    #[tokio::test]
    async fn a_stream_that_ends_is_forgotten() {
        let streams = Streams::default();
        let (held, ended) = tokio::sync::mpsc::channel::<()>(1);
        streams.open(async move { drop(held) });
        gone(ended).await;
        while !streams.by_id().is_empty() {
            tokio::task::yield_now().await;
        }
    }
}
