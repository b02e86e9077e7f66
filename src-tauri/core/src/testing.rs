//! What tests put in place of the world.

use std::future::Future;
use std::pin::Pin;

use tokio::sync::watch;

use secrecy::SecretString;

pub use crate::secrets::{Cut, FakeKeychain};
use crate::store::handlers;
use crate::view::HandlerKey;
use crate::{Berth, Clock, Problem};

/// A secret of a workspace's handler, as its engine gets it; `None`: it has none of
/// that name.
///
/// # Errors
/// As those of the secret store.
pub async fn handler_secret(
    berth: &Berth,
    key: &HandlerKey,
    secret: &str,
) -> Result<Option<SecretString>, Problem> {
    let (workspace_id, key) = (berth.workspace_id().to_owned(), key.clone());
    let record = berth
        .store()
        .read(move |connection| handlers::get(connection, &workspace_id, &key))
        .await?;
    match record.and_then(|record| record.content.bundle) {
        Some(bundle) => Ok(berth.bundle(&bundle).await?.get(secret).cloned()),
        None => Ok(None),
    }
}

/// A clock that stands still until it is moved.
#[derive(Debug)]
pub struct FakeClock {
    now: watch::Sender<i64>,
    /// Ends of the sleeps under way.
    sleeping: watch::Sender<Vec<i64>>,
}

impl FakeClock {
    /// A clock at `now`, milliseconds since the epoch.
    pub fn new(now: i64) -> Self {
        Self {
            now: watch::Sender::new(now),
            sleeping: watch::Sender::new(Vec::new()),
        }
    }

    /// Moves it on; sleepers whose time has come wake.
    pub fn advance(&self, milliseconds: i64) {
        self.now.send_modify(|now| *now += milliseconds);
    }

    /// Sets it, also back; as a user or a time server does.
    pub fn set(&self, now: i64) {
        self.now.send_replace(now);
    }

    /// Holds until somebody sleeps until `at`: what led there is done.
    pub async fn until_someone_sleeps_until(&self, at: i64) {
        // The sender is this clock's own, so waiting cannot fail.
        let _ = self
            .sleeping
            .subscribe()
            .wait_for(|ends| ends.contains(&at))
            .await;
    }
}

impl Clock for FakeClock {
    fn now(&self) -> i64 {
        *self.now.borrow()
    }

    fn sleep_until(&self, at: i64) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            let _asleep = Asleep::until(&self.sleeping, at);
            // The sender is this clock's own, so waiting cannot fail.
            let _ = self.now.subscribe().wait_for(|now| *now >= at).await;
        })
    }
}

/// One sleep, listed as long as it lasts.
struct Asleep<'a> {
    ends: &'a watch::Sender<Vec<i64>>,
    at: i64,
}

impl<'a> Asleep<'a> {
    fn until(ends: &'a watch::Sender<Vec<i64>>, at: i64) -> Self {
        ends.send_modify(|ends| ends.push(at));
        Self { ends, at }
    }
}

impl Drop for Asleep<'_> {
    fn drop(&mut self) {
        self.ends.send_modify(|ends| {
            if let Some(place) = ends.iter().position(|end| *end == self.at) {
                ends.swap_remove(place);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn sleepers_wake_when_their_time_has_come() {
        let clock = Arc::new(FakeClock::new(1_000));
        let sleeper = |at| {
            let clock = clock.clone();
            tokio::spawn(async move {
                clock.sleep_until(at).await;
                clock.now()
            })
        };
        let (early, late) = (sleeper(1_500), sleeper(9_000));
        clock.until_someone_sleeps_until(1_500).await;
        clock.until_someone_sleeps_until(9_000).await;
        clock.advance(499);
        assert!(!early.is_finished());
        clock.advance(1);
        assert_eq!(early.await.unwrap(), 1_500);
        clock.set(500);
        assert!(!late.is_finished());
        clock.set(10_000);
        let woke = tokio::time::timeout(Duration::from_secs(20), late).await;
        assert_eq!(woke.unwrap().unwrap(), 10_000);
    }
}
