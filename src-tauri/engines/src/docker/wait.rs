//! Waiting for containers on the engine's events: an event wakes, a look at the
//! container decides. So an event that comes twice, late or before the wait began
//! does no harm.

use std::time::{Duration, SystemTime};

use bollard::models::{
    ContainerInspectResponse, ContainerStateStatusEnum, HealthConfig, HealthStatusEnum,
};
use bollard::query_parameters::{EventsOptions, InspectContainerOptions};
use futures_util::StreamExt;
use tokio::sync::broadcast;
use tokio::time::{Instant, timeout_at};
use tokio_util::task::AbortOnDropHandle;

use super::{Docker, failure, labels};
use crate::{EngineError, LastLines};

/// Lines of a failed container that are shown.
const LAST_LINES: u32 = 20;
const LAST_LINES_LIMIT: Duration = Duration::from_secs(10);
const LINE_LIMIT: usize = 4096;
/// How long a one-shot may take.
const COMPLETION_LIMIT: Duration = Duration::from_secs(3600);
/// Beyond what the healthcheck itself allows.
const HEALTH_MARGIN: Duration = Duration::from_secs(30);

/// The containers of one environment, as they change.
pub(super) struct Wakes {
    sender: broadcast::Sender<String>,
    _pump: AbortOnDropHandle<()>,
}

/// One waiter's view of [`Wakes`].
pub(super) struct Wake(broadcast::Receiver<String>);

impl Wakes {
    /// Begins to listen. Events of the last seconds are replayed, so that what
    /// happens before the engine has taken the subscription is not missed.
    pub(super) fn of(docker: &Docker, environment: &str) -> Self {
        let (sender, _) = broadcast::channel(1024);
        let since = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |now| now.as_secs().saturating_sub(5));
        let mut filters = labels::of_environment(environment);
        filters.insert("type".to_owned(), vec!["container".to_owned()]);
        filters.insert(
            "event".to_owned(),
            ["die", "oom", "health_status", "destroy"]
                .map(str::to_owned)
                .to_vec(),
        );
        let api = docker.slow.clone();
        let pump = sender.clone();
        let task = tokio::spawn(async move {
            let mut events = std::pin::pin!(api.events(Some(EventsOptions {
                since: Some(since.to_string()),
                until: None,
                filters: Some(filters),
            })));
            while let Some(Ok(event)) = events.next().await {
                if let Some(id) = event.actor.and_then(|actor| actor.id) {
                    // No receiver: nobody waits just now.
                    let _ = pump.send(id);
                }
            }
            // An empty id: the engine is gone.
            let _ = pump.send(String::new());
        });
        Self {
            sender,
            _pump: AbortOnDropHandle::new(task),
        }
    }

    pub(super) fn subscribe(&self) -> Wake {
        Wake(self.sender.subscribe())
    }
}

impl Wake {
    /// Returns when something happened to the container.
    async fn next(&mut self, id: &str, during: &str) -> Result<(), EngineError> {
        loop {
            match self.0.recv().await {
                Ok(changed) if changed == id => return Ok(()),
                Ok(changed) if changed.is_empty() => return Err(lost(during)),
                Ok(_) => {}
                // Missed some: look again.
                Err(broadcast::error::RecvError::Lagged(_)) => return Ok(()),
                Err(broadcast::error::RecvError::Closed) => return Err(lost(during)),
            }
        }
    }
}

fn lost(during: &str) -> EngineError {
    EngineError::EngineLost {
        during: during.to_owned(),
        source: "the engine closed its event stream".into(),
    }
}

impl Docker {
    pub(super) async fn inspect(
        &self,
        id: &str,
        during: &str,
    ) -> Result<ContainerInspectResponse, EngineError> {
        self.api
            .inspect_container(id, None::<InspectContainerOptions>)
            .await
            .map_err(|error| failure::from_engine(during, error))
    }

    /// Waits until a container's healthcheck passed. `say` is told the latest
    /// probe output.
    pub(super) async fn wait_healthy(
        &self,
        wakes: &Wakes,
        id: &str,
        service: &str,
        say: &(dyn Fn(String) + Sync),
    ) -> Result<(), EngineError> {
        let during = format!("waiting for {service} to be healthy");
        let mut wake = wakes.subscribe();
        let began = Instant::now();
        loop {
            let container = self.inspect(id, &during).await?;
            let budget = container
                .config
                .as_ref()
                .and_then(|config| config.healthcheck.as_ref())
                .map_or(HEALTH_MARGIN, health_budget);
            self.still_up(&container, service, &during).await?;
            let health = container
                .state
                .and_then(|state| state.health)
                .unwrap_or_default();
            let output = health
                .log
                .unwrap_or_default()
                .pop()
                .and_then(|probe| probe.output)
                .map(|output| output.trim().to_owned())
                .unwrap_or_default();
            let failing_streak = health.failing_streak.unwrap_or(0);
            match health.status {
                Some(HealthStatusEnum::HEALTHY) => return Ok(()),
                Some(HealthStatusEnum::UNHEALTHY) => {
                    return Err(EngineError::Unhealthy {
                        service: service.to_owned(),
                        output,
                        failing_streak,
                    });
                }
                Some(HealthStatusEnum::STARTING) => {
                    if !output.is_empty() {
                        say(output.clone());
                    }
                }
                _ => {
                    return Err(EngineError::Unhealthy {
                        service: service.to_owned(),
                        output: "it has no healthcheck".to_owned(),
                        failing_streak: 0,
                    });
                }
            }
            let woken = timeout_at(began + budget, wake.next(id, &during)).await;
            match woken {
                Ok(woken) => woken?,
                Err(_) => {
                    return Err(EngineError::Unhealthy {
                        service: service.to_owned(),
                        output: if output.is_empty() {
                            format!("no probe passed within {} s", budget.as_secs())
                        } else {
                            output
                        },
                        failing_streak,
                    });
                }
            }
        }
    }

    /// Waits until a container has ended, and well; at most an hour.
    pub(super) async fn wait_completed(
        &self,
        wakes: &Wakes,
        id: &str,
        service: &str,
    ) -> Result<(), EngineError> {
        let during = format!("waiting for {service} to complete");
        let mut wake = wakes.subscribe();
        let deadline = Instant::now() + COMPLETION_LIMIT;
        loop {
            let container = self.inspect(id, &during).await?;
            if ended(&container) {
                return match exit_code(&container) {
                    0 => Ok(()),
                    _ => Err(self.exited(&container, service, &during).await),
                };
            }
            match timeout_at(deadline, wake.next(id, &during)).await {
                Ok(woken) => woken?,
                Err(_) => {
                    return Err(EngineError::TimedOut {
                        what: during,
                        seconds: COMPLETION_LIMIT.as_secs(),
                    });
                }
            }
        }
    }

    /// Waits until a container has ended badly; one that ended well, or that the
    /// engine starts again, is not worth an answer.
    pub(super) async fn until_it_fails(
        &self,
        wakes: &Wakes,
        id: &str,
        service: &str,
    ) -> EngineError {
        let during = format!("watching {service}");
        let mut wake = wakes.subscribe();
        loop {
            match self.inspect(id, &during).await {
                Ok(container) => {
                    if ended(&container) && exit_code(&container) != 0 {
                        return self.exited(&container, service, &during).await;
                    }
                }
                Err(error) => return error,
            }
            if let Err(error) = wake.next(id, &during).await {
                return error;
            }
        }
    }

    async fn still_up(
        &self,
        container: &ContainerInspectResponse,
        service: &str,
        during: &str,
    ) -> Result<(), EngineError> {
        if ended(container) {
            return Err(self.exited(container, service, during).await);
        }
        Ok(())
    }

    /// The error that tells how a container ended.
    pub(super) async fn exited(
        &self,
        container: &ContainerInspectResponse,
        service: &str,
        during: &str,
    ) -> EngineError {
        let id = container.id.as_deref().unwrap_or_default();
        let lines = match self.last_lines(id, during).await {
            Ok(lines) => lines,
            Err(lost @ EngineError::EngineLost { .. }) => return lost,
            // A log driver that cannot be read takes nothing from the cause.
            Err(_) => LastLines::default(),
        };
        EngineError::Exited {
            service: service.to_owned(),
            code: exit_code(container),
            out_of_memory: container
                .state
                .as_ref()
                .and_then(|state| state.oom_killed)
                .unwrap_or(false),
            lines,
        }
    }

    /// What a container wrote last.
    pub(super) async fn last_lines(
        &self,
        id: &str,
        during: &str,
    ) -> Result<LastLines, EngineError> {
        let limit = tokio::time::timeout(LAST_LINES_LIMIT, self.last_of(id, LAST_LINES));
        let lines = limit.await.map_err(|_| EngineError::TimedOut {
            what: during.to_owned(),
            seconds: LAST_LINES_LIMIT.as_secs(),
        })??;
        let cut = |line: String| line.chars().take(LINE_LIMIT).collect();
        Ok(LastLines(lines.into_iter().map(cut).collect()))
    }
}

fn status(container: &ContainerInspectResponse) -> Option<ContainerStateStatusEnum> {
    container.state.as_ref()?.status
}

fn ended(container: &ContainerInspectResponse) -> bool {
    matches!(
        status(container),
        Some(ContainerStateStatusEnum::EXITED | ContainerStateStatusEnum::DEAD)
    )
}

fn exit_code(container: &ContainerInspectResponse) -> i64 {
    container
        .state
        .as_ref()
        .and_then(|state| state.exit_code)
        .unwrap_or(-1)
}

/// The longest a healthcheck can take until the engine itself decides.
fn health_budget(check: &HealthConfig) -> Duration {
    let nanoseconds = |value: Option<i64>, default: u64| match value {
        Some(value) if value > 0 => Duration::from_nanos(value.unsigned_abs()),
        _ => Duration::from_secs(default),
    };
    let interval = nanoseconds(check.interval, 30);
    let probe = nanoseconds(check.timeout, 30);
    let retries = match check.retries {
        Some(retries) if retries > 0 => u32::try_from(retries).unwrap_or(u32::MAX),
        _ => 3,
    };
    let start = nanoseconds(check.start_period, 0);
    (interval + probe)
        .saturating_mul(retries.saturating_add(1))
        .saturating_add(start)
        .saturating_add(HEALTH_MARGIN)
        // An Instant must be able to hold it.
        .min(Duration::from_secs(365 * 24 * 3600))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_covers_every_probe_the_engine_will_make() {
        let check = HealthConfig {
            interval: Some(2_000_000_000),
            timeout: Some(1_000_000_000),
            retries: Some(5),
            start_period: Some(10_000_000_000),
            ..HealthConfig::default()
        };
        assert_eq!(health_budget(&check), Duration::from_secs(3 * 6 + 10 + 30));
        let endless = HealthConfig {
            interval: Some(i64::MAX),
            retries: Some(i64::MAX),
            ..HealthConfig::default()
        };
        assert!(
            Instant::now()
                .checked_add(health_budget(&endless))
                .is_some()
        );
    }
}
