use bollard::models::{
    ContainerInspectResponse, ContainerState, ContainerStateStatusEnum, HealthStatusEnum,
};
use bollard::query_parameters::{InspectContainerOptions, ListContainersOptions};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Docker, failure, labels, ownership};
use crate::EngineError;

/// Whether a container runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum PartState {
    /// Made, not started.
    Created,
    /// Runs.
    Running,
    /// Between two starts.
    Restarting,
    /// Paused.
    Paused,
    /// Ended.
    Exited,
}

/// What its healthcheck says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum PartHealth {
    /// It has none.
    None,
    /// Not decided yet.
    Starting,
    /// Passed.
    Healthy,
    /// Failed.
    Unhealthy,
}

/// One container of an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// The service.
    pub service: String,
    /// The container's name.
    pub name: String,
    /// The image it runs.
    pub image: String,
    /// Whether it runs.
    pub state: PartState,
    /// What its healthcheck says.
    pub health: PartHealth,
    /// Why it is as it is: exit code, out of memory, last probe output.
    pub cause: Option<String>,
    /// A one-shot that others waited for: ended well is well.
    pub one_shot: bool,
    /// Its exit code, once ended.
    #[ts(type = "number | null")]
    pub exit_code: Option<i64>,
}

impl Docker {
    /// The containers of an environment, by service and number.
    ///
    /// # Errors
    /// As the engine's.
    pub async fn parts(&self, environment: &str) -> Result<Vec<Part>, EngineError> {
        let during = "looking at the containers";
        let listed = self
            .api
            .list_containers(Some(ListContainersOptions {
                all: true,
                filters: Some(labels::of_environment(environment)),
                ..ListContainersOptions::default()
            }))
            .await
            .map_err(|error| failure::from_engine(during, error))?;
        let ids: Vec<String> = listed
            .into_iter()
            .filter(|it| ownership::environment_of(it).is_some())
            .filter_map(|it| it.id)
            .collect();
        let inspected = join_all(ids.iter().map(|id| {
            self.api
                .inspect_container(id, None::<InspectContainerOptions>)
        }))
        .await;
        let mut parts = Vec::new();
        for container in inspected {
            match container {
                Ok(container) => parts.push(part(container)),
                // Removed between the two looks.
                Err(error) if failure::is_absent(&error) => {}
                Err(error) => return Err(failure::from_engine(during, error)),
            }
        }
        parts
            .sort_by(|left, right| (&left.service, &left.name).cmp(&(&right.service, &right.name)));
        Ok(parts)
    }
}

impl Docker {
    /// Containers of an environment that ended with an exit code other than 0:
    /// id and service.
    pub(super) async fn ended_badly(
        &self,
        environment: &str,
    ) -> Result<Vec<(String, String)>, EngineError> {
        let mut filters = labels::of_environment(environment);
        filters.insert(
            "status".to_owned(),
            vec!["exited".to_owned(), "dead".to_owned()],
        );
        let listed = self
            .api
            .list_containers(Some(ListContainersOptions {
                all: true,
                filters: Some(filters),
                ..ListContainersOptions::default()
            }))
            .await
            .map_err(|error| failure::from_engine("looking at the containers", error))?;
        Ok(listed
            .into_iter()
            .filter(|it| ownership::environment_of(it).is_some())
            // "Exited (1) 2 seconds ago": the list says it nowhere else.
            .filter(|it| !it.status.as_deref().unwrap_or("").starts_with("Exited (0)"))
            .filter_map(|it| {
                let service = it.labels?.remove(labels::SERVICE)?;
                Some((it.id?, service))
            })
            .collect())
    }
}

/// A probe may print what its container was given, and causes are recorded: the
/// values of the environment are taken out of it, but for short ones, which
/// would be found everywhere.
fn without_values(cause: String, environment: &[String]) -> String {
    let mut values: Vec<&str> = environment
        .iter()
        .filter_map(|pair| pair.split_once('='))
        .filter(|(key, value)| *key != "PATH" && value.chars().count() >= 6)
        .map(|(_, value)| value)
        .collect();
    values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    values.into_iter().fold(cause, |cause, value| {
        cause.replace(value, berth_contracts::REDACTED)
    })
}

fn part(container: ContainerInspectResponse) -> Part {
    let config = container.config.unwrap_or_default();
    let found = config.labels.unwrap_or_default();
    let state = container.state.unwrap_or_default();
    let (running, exit_code) = match state.status {
        Some(ContainerStateStatusEnum::RUNNING | ContainerStateStatusEnum::STOPPING) => {
            (PartState::Running, None)
        }
        Some(ContainerStateStatusEnum::PAUSED) => (PartState::Paused, None),
        Some(ContainerStateStatusEnum::RESTARTING) => (PartState::Restarting, state.exit_code),
        Some(
            ContainerStateStatusEnum::EXITED
            | ContainerStateStatusEnum::DEAD
            | ContainerStateStatusEnum::REMOVING,
        ) => (PartState::Exited, state.exit_code),
        _ => (PartState::Created, None),
    };
    let health = state.health.clone().unwrap_or_default();
    let of_health = match health.status {
        Some(HealthStatusEnum::STARTING) => PartHealth::Starting,
        Some(HealthStatusEnum::HEALTHY) => PartHealth::Healthy,
        Some(HealthStatusEnum::UNHEALTHY) => PartHealth::Unhealthy,
        _ => PartHealth::None,
    };
    Part {
        service: found.get(labels::SERVICE).cloned().unwrap_or_default(),
        name: container
            .name
            .unwrap_or_default()
            .trim_start_matches('/')
            .to_owned(),
        image: config.image.unwrap_or_default(),
        state: running,
        health: of_health,
        cause: cause(&state, running, of_health)
            .map(|cause| without_values(cause, config.env.as_deref().unwrap_or_default())),
        one_shot: found.contains_key(labels::ONE_SHOT),
        exit_code,
    }
}

fn cause(state: &ContainerState, running: PartState, health: PartHealth) -> Option<String> {
    let code = state.exit_code.unwrap_or(0);
    match running {
        PartState::Exited | PartState::Restarting => {
            let mut text = if state.oom_killed == Some(true) {
                format!("ran out of memory (exit code {code})")
            } else if code == 0 {
                "ended with exit code 0".to_owned()
            } else {
                format!("ended with exit code {code}")
            };
            if running == PartState::Restarting {
                text.push_str("; the engine starts it again");
            }
            if let Some(error) = state.error.as_deref().filter(|it| !it.is_empty()) {
                text.push_str(": ");
                text.push_str(error);
            }
            Some(text)
        }
        PartState::Created => state.error.clone().filter(|it| !it.is_empty()),
        PartState::Running | PartState::Paused => match health {
            PartHealth::Unhealthy | PartHealth::Starting => {
                let probes = state.health.as_ref()?.log.as_ref()?;
                let output = probes.last()?.output.as_deref()?.trim();
                (!output.is_empty()).then(|| output.to_owned())
            }
            PartHealth::None | PartHealth::Healthy => None,
        },
    }
}
