//! What only one process does, the elected owner: it removes environments when
//! their time is over, warns before, and keeps what is shown of their containers
//! up to date. It sleeps until the next thing is due or something happens.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::pin::pin;
use std::time::Duration;

use berth_engines::docker::{Docker, Endpoint, Scope};
use berth_engines::{Progress, Reporter, Step, StepState};
use futures_util::StreamExt as _;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::Berth;
use crate::lifetime::{Due, due};
use crate::lock::{OwnerLock, remove_unneeded};
use crate::problem::Problem;
use crate::store::environments::{self, Record};
use crate::store::{prune, services};
use crate::view::OperationKind;

/// The first wait before a removal that failed is tried again, milliseconds; it
/// doubles up to [`LONGEST_RETRY`].
const FIRST_RETRY: i64 = 15_000;

/// The longest wait before a removal is tried again, milliseconds.
const LONGEST_RETRY: i64 = 15 * 60_000;

/// The first wait before an engine that went away is asked again; it doubles up
/// to [`LONGEST_RECONNECT`].
const FIRST_RECONNECT: Duration = Duration::from_secs(2);

/// The longest wait before an engine is asked again.
const LONGEST_RECONNECT: Duration = Duration::from_secs(120);

/// How long changes of containers are gathered before they are looked at.
const GATHER: Duration = Duration::from_millis(200);

impl Berth {
    /// Stands for election and, once elected, recovers, removes environments
    /// when their time is over, warns before, and keeps their parts up to date
    /// from the engine's events. Returns when cancelled.
    ///
    /// # Errors
    /// [`crate::Code::Store`].
    pub async fn own(&self, cancel: CancellationToken) -> Result<(), Problem> {
        tokio::select! {
            owned = self.own_until_dropped() => owned,
            () = cancel.cancelled() => Ok(()),
        }
    }

    async fn own_until_dropped(&self) -> Result<(), Problem> {
        let _elected = OwnerLock::wait(self.data()).await?;
        self.tidy().await?;
        self.recover().await?;

        let mut committed = self.store().committed();
        let mut events = pin!(self.follow(*committed.borrow_and_update()));
        let mut watches = Watches::default();
        let mut retries = Retries::default();
        loop {
            let live = self.store().read(environments::live).await?;
            watches.cover(self, &live);
            let next = self.act_on(&live, &mut retries).await?;
            let wake = async {
                match next {
                    Some(at) => self.clock().sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = wake => {}
                event = events.next() => {
                    if let Some(Err(problem)) = event {
                        return Err(problem);
                    }
                }
            }
        }
    }

    /// Does what is due for the environments given; gives back when the next
    /// thing is.
    async fn act_on(&self, live: &[Record], retries: &mut Retries) -> Result<Option<i64>, Problem> {
        let mut next: Option<i64> = None;
        let mut at = |time: i64| next = Some(next.map_or(time, |earlier| earlier.min(time)));
        retries.forget_all_but(live);
        for environment in live {
            let now = self.now();
            match due(
                environment.identity.expires_at,
                environment.warned_at.is_some(),
                now,
            ) {
                Due::At(Some(time)) => at(time),
                Due::At(None) => {}
                Due::Warning => {
                    let id = environment.id.clone();
                    self.store()
                        .write(move |tx| environments::warn(tx, now, &id))
                        .await?;
                }
                // The end of the operation that works on it is an event, which brings
                // us here again; a process that dies tells nobody.
                Due::Removal if self.lock(&environment.id, OperationKind::Down).is_err() => {
                    at(now + FIRST_RETRY);
                }
                Due::Removal => match retries.not_before(&environment.id) {
                    Some(time) if time > now => at(time),
                    _ => {
                        at(retries.next(&environment.id, now));
                        let (berth, id) = (self.clone(), environment.id.clone());
                        tokio::spawn(async move { berth.expire(&id).await });
                    }
                },
            }
        }
        Ok(next)
    }

    /// Removes records that are older than they are kept, and locks and private
    /// clones nobody needs.
    async fn tidy(&self) -> Result<(), Problem> {
        let now = self.now();
        let workspace_id = self.workspace_id().to_owned();
        let (live, services) = self
            .store()
            .write(move |tx| {
                prune(tx, now)?;
                Ok((environments::live(tx)?, services::list(tx, &workspace_id)?))
            })
            .await?;
        let cancel = CancellationToken::new();
        self.sources()
            .remove_unused_clones(&services, &cancel)
            .await?;
        let live: HashSet<String> = live.into_iter().map(|environment| environment.id).collect();
        let data = self.data().clone();
        tokio::task::spawn_blocking(move || remove_unneeded(&data, |id| live.contains(id)))
            .await
            .unwrap_or_else(|error| Err(Problem::internal(error.to_string())))
    }

    /// Looks at an environment's containers and records what changed.
    async fn refresh_parts(&self, docker: &Docker, environment_id: &str) -> Result<(), Problem> {
        let parts = docker.parts(environment_id).await?;
        let (now, id) = (self.now(), environment_id.to_owned());
        Ok(self
            .store()
            .write(move |tx| environments::set_parts(tx, now, &id, &parts))
            .await?)
    }
}

/// When removals that failed are tried again.
#[derive(Default)]
struct Retries {
    tried: HashMap<String, (u32, i64)>,
}

impl Retries {
    fn not_before(&self, id: &str) -> Option<i64> {
        self.tried.get(id).map(|(_, time)| *time)
    }

    /// Notes a try at `now`; gives back when the next one would be due.
    fn next(&mut self, id: &str, now: i64) -> i64 {
        let (tries, time) = self.tried.entry(id.to_owned()).or_insert((0, 0));
        let wait = FIRST_RETRY
            .saturating_mul(1_i64 << (*tries).min(20))
            .min(LONGEST_RETRY);
        *tries += 1;
        *time = now + wait;
        *time
    }

    /// An environment that is gone, or whose end was moved, starts afresh.
    fn forget_all_but(&mut self, live: &[Record]) {
        if !self.tried.is_empty() {
            self.tried
                .retain(|id, _| live.iter().any(|environment| environment.id == *id));
        }
    }
}

/// One watch for every engine that live environments run on. Dropped, they end.
#[derive(Default)]
struct Watches {
    by_address: BTreeMap<String, JoinSet<()>>,
}

impl Watches {
    fn cover(&mut self, berth: &Berth, live: &[Record]) {
        let wanted: BTreeMap<&str, &str> = live
            .iter()
            .map(|environment| &environment.identity.engine)
            .map(|engine| (engine.address.as_str(), engine.rule.as_str()))
            .collect();
        self.by_address
            .retain(|address, _| wanted.contains_key(address.as_str()));
        for (address, rule) in wanted {
            if !self.by_address.contains_key(address) {
                let endpoint = Endpoint {
                    address: address.to_owned(),
                    rule: rule.to_owned(),
                };
                let mut watch = JoinSet::new();
                watch.spawn(watch_engine(berth.clone(), endpoint));
                self.by_address.insert(address.to_owned(), watch);
            }
        }
    }
}

/// Follows one engine's events for as long as environments run on it. While the
/// engine is away it is asked again, ever more seldom.
async fn watch_engine(berth: Berth, endpoint: Endpoint) {
    let mut wait = FIRST_RECONNECT;
    loop {
        if let Ok(docker) = Docker::connect(&endpoint).await {
            wait = FIRST_RECONNECT;
            if let Err(problem) = follow_engine(&berth, &docker, &endpoint.address).await {
                tracing::info!(address = endpoint.address, %problem, "an engine went away");
            }
        }
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(LONGEST_RECONNECT);
    }
}

async fn follow_engine(berth: &Berth, docker: &Docker, address: &str) -> Result<(), Problem> {
    let mut changes = pin!(docker.changes().ready_chunks(256));
    if let Err(problem) = sweep(berth, docker).await {
        tracing::warn!(%problem, "what a gone environment left could not be removed");
    }
    // What happened before the events were followed.
    for environment in berth.store().read(environments::live).await? {
        if environment.identity.engine.address == address && environment.ready_at.is_some() {
            berth.refresh_parts(docker, &environment.id).await?;
        }
    }
    while let Some(first) = changes.next().await {
        let mut changed: HashSet<String> = HashSet::new();
        for change in first {
            changed.insert(change?);
        }
        // Starts and stops come in bursts.
        let gathering = tokio::time::sleep(GATHER);
        tokio::pin!(gathering);
        loop {
            tokio::select! {
                () = &mut gathering => break,
                more = changes.next() => match more {
                    Some(more) => for change in more { changed.insert(change?); },
                    None => break,
                },
            }
        }
        for id in changed {
            // An operation of this process records the parts itself when it ends.
            if berth
                .record(&id)
                .await
                .is_ok_and(|environment| environment.torn_down_at.is_none())
            {
                berth.refresh_parts(docker, &id).await?;
            }
        }
    }
    Ok(())
}

/// Removes what carries the label of an environment that this store knows to be
/// gone: a build whose client was killed may end after its environment. What
/// another store made is left alone.
async fn sweep(berth: &Berth, docker: &Docker) -> Result<(), Problem> {
    for id in docker.labelled().await? {
        let gone = berth.record(&id).await;
        if gone.is_ok_and(|environment| environment.torn_down_at.is_some()) {
            docker.remove(&Scope::Environment(id), &Unheard).await?;
        }
    }
    Ok(())
}

/// Nobody is shown the steps of a sweep.
struct Unheard;

impl Reporter for Unheard {
    fn expect(&self, _: Vec<Step>) {}

    fn step(&self, _: &str, _: StepState, _: Option<String>, _: Option<Progress>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removal_that_fails_is_tried_ever_more_seldom() {
        let mut retries = Retries::default();
        let waits: Vec<i64> = (0..9).map(|_| retries.next("a", 0)).collect();
        assert_eq!(waits[..3], [15_000, 30_000, 60_000]);
        assert_eq!(waits[8], LONGEST_RETRY);
        assert_eq!(retries.not_before("a"), Some(LONGEST_RETRY));
        retries.forget_all_but(&[]);
        assert_eq!(retries.not_before("a"), None);
    }
}
