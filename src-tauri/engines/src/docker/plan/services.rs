//! The containers of a service, and which of them may stay.

use std::collections::HashSet;

use berth_compose::{Condition, Dependency, Service};
use bollard::models::ContainerCreateBody;

use super::{ContainerWork, PlanInput, ServiceWork};
use crate::docker::address::{self, Addresses};
use crate::docker::container::{Surroundings, Wanted};
use crate::docker::observe::{Observation, SeenContainer};
use crate::docker::{config_hash, isolate, labels};
use crate::{Action, EngineError};

pub(super) fn service_work(
    input: &PlanInput<'_>,
    addresses: &Addresses,
    changed_networks: &HashSet<String>,
    (name, service): (&str, &Service),
    forced: Option<String>,
    shares_network_of: Option<String>,
) -> Result<ServiceWork, EngineError> {
    let surroundings = Surroundings {
        project: input.project,
        identity: input.identity,
        ports: input.ports,
        api_minor: input.observation.api_minor,
    };
    let dependents: Vec<&Dependency> = input
        .project
        .services
        .values()
        .filter_map(|other| other.depends_on.get(name))
        .collect();
    let one_shot = dependents
        .iter()
        .any(|it| it.condition == Condition::ServiceCompletedSuccessfully);
    let image = isolate::image_of(input.project, input.identity, name, service);
    let mut containers = Vec::new();
    for number in 1..=service.scale {
        let Wanted {
            mut body,
            further_networks,
        } = surroundings.container(name, service, number);
        let hash = config_hash::of_container(&body, &further_networks);
        let container = isolate::container_name(input.identity, name, number);
        finish_body(
            input,
            addresses,
            &mut body,
            (name, service, number),
            &hash,
            one_shot,
        );
        let existing = existing(input.observation, name, number, &container);
        if existing.as_ref().is_none_or(|seen| seen.name != container)
            && let Some(owner) = input.observation.foreign.get(&container)
        {
            return Err(EngineError::NameTaken {
                kind: "container",
                name: container,
                owner: Some(owner.clone()),
            });
        }
        let (action, reason) = match &existing {
            None => (Action::Create, None),
            Some(seen) => {
                let reason = if seen.config_hash != hash {
                    Some("configuration changed".to_owned())
                } else if seen.name != container {
                    Some("an earlier update was cut off".to_owned())
                } else if !address::still_hold(&seen.urls, &addresses.variables) {
                    Some("an address changed".to_owned())
                } else if input
                    .observation
                    .images
                    .get(&image)
                    .is_some_and(|current| current.id != seen.image_id)
                {
                    Some("image changed".to_owned())
                } else if service.networks.keys().any(|key| {
                    changed_networks.contains(&isolate::network_name(input.identity, key))
                }) {
                    Some("a network changed".to_owned())
                } else {
                    forced.clone()
                };
                match reason {
                    Some(reason) => (Action::Change, Some(reason)),
                    None => (Action::Keep, None),
                }
            }
        };
        containers.push(ContainerWork {
            name: container,
            body,
            further_networks,
            platform: service.platform.clone(),
            existing,
            action,
            reason,
        });
    }
    Ok(ServiceWork {
        name: name.to_owned(),
        depends_on: service
            .depends_on
            .iter()
            .filter(|(other, _)| input.project.services.contains_key(*other))
            .map(|(other, dependency)| (other.clone(), dependency.clone()))
            .collect(),
        one_shot,
        optional: !dependents.is_empty() && dependents.iter().all(|it| !it.required),
        restarts: service.restart != berth_compose::Restart::No,
        shares_network_of,
        containers,
    })
}

/// The container of a service and number; of two (an update was cut off between
/// making the new one and removing the old) the one that has its name.
fn existing(
    observation: &Observation,
    service: &str,
    number: u32,
    name: &str,
) -> Option<SeenContainer> {
    let of_this = || {
        observation
            .containers
            .iter()
            .filter(|seen| seen.service == service && seen.number == number)
    };
    of_this()
        .find(|seen| seen.name == name)
        .or_else(|| of_this().next())
        .cloned()
}

/// Adds what the configuration hash must not see.
fn finish_body(
    input: &PlanInput<'_>,
    addresses: &Addresses,
    body: &mut ContainerCreateBody,
    (name, service, number): (&str, &Service, u32),
    hash: &str,
    one_shot: bool,
) {
    let mut env = body.env.take().unwrap_or_default();
    let mut urls = Vec::new();
    for (variable, url) in &addresses.variables {
        if !service.environment.contains_key(variable) {
            env.push(format!("{variable}={url}"));
        }
        urls.push(format!("{variable}={url}"));
    }
    body.env = (!env.is_empty()).then_some(env);

    let mut all = body.labels.take().unwrap_or_default();
    all.extend(labels::common(input.identity));
    all.extend(labels::project_files(input.identity));
    let depends_on: Vec<String> = service
        .depends_on
        .iter()
        .map(|(other, it)| format!("{other}:{}:{}", condition_name(it.condition), it.restart))
        .collect();
    for (label, value) in [
        (labels::SERVICE, name.to_owned()),
        (labels::NUMBER, number.to_string()),
        (labels::ONE_OFF, "False".to_owned()),
        (labels::CONFIG_HASH, hash.to_owned()),
        (labels::DEPENDS_ON, depends_on.join(",")),
        (labels::URLS, urls.join("\n")),
    ] {
        all.insert(label.to_owned(), value);
    }
    if one_shot {
        all.insert(labels::ONE_SHOT.to_owned(), "true".to_owned());
    }
    body.labels = Some(all);
}

fn condition_name(condition: Condition) -> &'static str {
    match condition {
        Condition::ServiceStarted => "service_started",
        Condition::ServiceHealthy => "service_healthy",
        Condition::ServiceCompletedSuccessfully => "service_completed_successfully",
    }
}
