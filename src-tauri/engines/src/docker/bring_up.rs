//! Services on their way up: each as soon as what it depends on allows, all that
//! can at the same time.

use std::collections::HashMap;
use std::sync::PoisonError;

use berth_compose::{Condition, Dependency};
use bollard::models::{ContainerCreateBody, NetworkConnectRequest};
use bollard::query_parameters::{
    CreateContainerOptions, RemoveContainerOptions, RenameContainerOptions, StartContainerOptions,
};
use futures_util::future::try_join_all;
use tokio::sync::watch;
use tokio::time::Instant;

use super::apply::Run;
use super::observe::{SeenContainer, SeenImage};
use super::plan::{ContainerWork, ServiceWork, healthy_step};
use super::{failure, labels, ownership, port_holder};
use crate::{Action, EngineError};

/// How far a service is.
#[derive(Clone, Debug, Default)]
struct Way {
    /// Of its first container, once it is made.
    id: Option<String>,
    started: bool,
    health: Health,
    completed: bool,
    /// Why it will come no further, although nobody needs it to.
    given_up: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Health {
    #[default]
    Unknown,
    Healthy,
    /// It has no healthcheck.
    Absent,
}

type Ways = HashMap<String, watch::Sender<Way>>;

/// Brings all services up and returns container ids by container name.
pub(super) async fn all(
    run: &Run<'_>,
    services: &[ServiceWork],
    images: &HashMap<String, SeenImage>,
) -> Result<HashMap<String, String>, EngineError> {
    let ways: Ways = services
        .iter()
        .map(|service| (service.name.clone(), watch::channel(Way::default()).0))
        .collect();
    let all = try_join_all(
        services
            .iter()
            .map(|service| one(run, service, images, &ways)),
    )
    .await?;
    Ok(all.into_iter().flatten().collect())
}

async fn one(
    run: &Run<'_>,
    service: &ServiceWork,
    images: &HashMap<String, SeenImage>,
    ways: &Ways,
) -> Result<Vec<(String, String)>, EngineError> {
    let network_mode = match &service.shares_network_of {
        Some(other) => Some(format!("container:{}", id_of(ways, other).await?)),
        None => None,
    };
    let ids = try_join_all(service.containers.iter().map(|container| {
        let image = container.body.image.as_ref().and_then(|it| images.get(it));
        create(run, container, image, network_mode.as_deref())
    }))
    .await?;
    advance(ways, service, |way| way.id = ids.first().cloned());

    match up(run, service, images, ways, &ids).await {
        Ok(()) => {}
        Err(
            error @ (EngineError::Exited { .. }
            | EngineError::Unhealthy { .. }
            | EngineError::TimedOut { .. }),
        ) if service.optional => {
            tracing::warn!(service = service.name, %error, "given up: nothing requires it");
            let why = error.to_string();
            run.steps.skip(&last_step(service), Some(why.clone()));
            advance(ways, service, |way| way.given_up = Some(why));
        }
        Err(error) => return Err(error),
    }
    let names = service.containers.iter().map(|it| it.name.clone());
    Ok(names.zip(ids).collect())
}

fn last_step(service: &ServiceWork) -> String {
    if service.one_shot {
        format!("completed:{}", service.name)
    } else {
        format!("healthy:{}", service.name)
    }
}

async fn up(
    run: &Run<'_>,
    service: &ServiceWork,
    images: &HashMap<String, SeenImage>,
    ways: &Ways,
    ids: &[String],
) -> Result<(), EngineError> {
    let runs = |it: &ContainerWork| {
        it.action == Action::Keep && it.existing.as_ref().is_some_and(|seen| seen.running)
    };
    if !service.containers.iter().all(runs) {
        for (other, dependency) in &service.depends_on {
            wait_for(ways, service, other, dependency).await?;
        }
        if let Some(other) = &service.shares_network_of {
            wait_for(ways, service, other, &STARTED).await?;
        }
        let to_start = service
            .containers
            .iter()
            .zip(ids)
            .filter(|(container, _)| !runs(container));
        try_join_all(to_start.map(|(container, id)| start(run, service, container, id))).await?;
    }
    advance(ways, service, |way| way.started = true);

    if service.one_shot {
        let key = format!("completed:{}", service.name);
        let completing = try_join_all(
            ids.iter()
                .map(|id| run.docker.wait_completed(&run.wakes, id, &service.name)),
        );
        outcome(run, service, &key, async { completing.await.map(drop) }).await?;
        advance(ways, service, |way| {
            way.completed = true;
            way.health = Health::Absent;
        });
        return Ok(());
    }
    if service.containers.iter().any(|it| has_health(it, images)) {
        let key = format!("healthy:{}", service.name);
        run.steps.expect(vec![healthy_step(&service.name)]);
        let say = |output: String| run.steps.progress(&key, Some(output), None);
        let waiting = try_join_all(
            ids.iter()
                .map(|id| run.docker.wait_healthy(&run.wakes, id, &service.name, &say)),
        );
        outcome(run, service, &key, async { waiting.await.map(drop) }).await?;
        advance(ways, service, |way| way.health = Health::Healthy);
    } else {
        let newly = !service.containers.iter().all(runs);
        if newly && !service.restarts && !service.optional {
            let mut unproven = run.unproven.lock().unwrap_or_else(PoisonError::into_inner);
            unproven.insert(service.name.clone(), Instant::now());
        }
        advance(ways, service, |way| way.health = Health::Absent);
    }
    Ok(())
}

/// Runs a waiting step; the failure of an optional service is not the step that
/// ends the operation.
async fn outcome(
    run: &Run<'_>,
    service: &ServiceWork,
    key: &str,
    waiting: impl Future<Output = Result<(), EngineError>>,
) -> Result<(), EngineError> {
    if service.optional {
        run.steps.progress(key, None, None);
        let outcome = waiting.await;
        if outcome.is_ok() {
            return run.steps.run(key, async { Ok(()) }).await;
        }
        return outcome;
    }
    run.steps.run(key, waiting).await
}

const STARTED: Dependency = Dependency {
    condition: Condition::ServiceStarted,
    required: true,
    restart: false,
};

async fn wait_for(
    ways: &Ways,
    service: &ServiceWork,
    other: &str,
    dependency: &Dependency,
) -> Result<(), EngineError> {
    let Some(way) = ways.get(other) else {
        return Ok(());
    };
    let mut way = way.subscribe();
    // The sender lives as long as this wait does.
    let Ok(reached) = way
        .wait_for(|way| {
            way.given_up.is_some()
                || match dependency.condition {
                    Condition::ServiceStarted => way.started,
                    Condition::ServiceHealthy => way.health != Health::Unknown,
                    Condition::ServiceCompletedSuccessfully => way.completed,
                }
        })
        .await
    else {
        return Ok(());
    };
    let healthless = dependency.condition == Condition::ServiceHealthy
        && reached.health == Health::Absent
        && reached.given_up.is_none();
    if healthless && dependency.required {
        return Err(EngineError::Unhealthy {
            service: other.to_owned(),
            output: format!(
                "it has no healthcheck, yet {} waits for it to be healthy",
                service.name
            ),
            failing_streak: 0,
        });
    }
    Ok(())
}

async fn id_of(ways: &Ways, service: &str) -> Result<String, EngineError> {
    let Some(way) = ways.get(service) else {
        return Ok(String::new());
    };
    let mut way = way.subscribe();
    let reached = way.wait_for(|way| way.id.is_some()).await;
    Ok(reached
        .ok()
        .and_then(|way| way.id.clone())
        .unwrap_or_default())
}

fn advance(ways: &Ways, service: &ServiceWork, change: impl FnOnce(&mut Way)) {
    if let Some(way) = ways.get(&service.name) {
        way.send_modify(change);
    }
}

/// Whether the engine will probe a container.
fn has_health(container: &ContainerWork, images: &HashMap<String, SeenImage>) -> bool {
    let of_the_image = container
        .body
        .image
        .as_ref()
        .and_then(|image| images.get(image))
        .is_some_and(|image| image.has_healthcheck);
    match &container.body.healthcheck {
        None => of_the_image,
        Some(check) => match check.test.as_deref() {
            Some([kind, ..]) => kind != "NONE",
            _ => of_the_image,
        },
    }
}

/// Makes a container, unless the one there will do, and returns its id. An old
/// one gives up its name first and is removed only once the new one exists, so
/// that its anonymous volumes always have an owner.
async fn create(
    run: &Run<'_>,
    container: &ContainerWork,
    image: Option<&SeenImage>,
    network_mode: Option<&str>,
) -> Result<String, EngineError> {
    let old = match (&container.existing, container.action) {
        (Some(seen), Action::Keep) => return Ok(seen.id.clone()),
        (old, _) => old.as_ref(),
    };
    let name = &container.name;
    let making = async {
        let mut body = container.body.clone();
        if let (Some(mode), Some(host)) = (network_mode, body.host_config.as_mut()) {
            host.network_mode = Some(mode.to_owned());
        }
        if let (Some(image), Some(all)) = (image, body.labels.as_mut()) {
            all.insert(labels::IMAGE.to_owned(), image.id.clone());
        }
        if let Some(old) = old {
            carry_over(&mut body, old);
            let aside = ownership::aside_name(&old.id, name);
            if old.name != aside {
                let api = run.docker.api.clone();
                let id = old.id.clone();
                run.to_its_end(&format!("renaming container {}", old.name), async move {
                    api.rename_container(&id, RenameContainerOptions { name: aside })
                        .await
                })
                .await?;
            }
        }
        let id = create_new(run, container, body).await?;
        if let Some(old) = old {
            let api = run.docker.api.clone();
            let old_id = old.id.clone();
            run.to_its_end(&format!("removing container {}", old.name), async move {
                let options = RemoveContainerOptions {
                    force: true,
                    ..RemoveContainerOptions::default()
                };
                match api.remove_container(&old_id, Some(options)).await {
                    Err(error) if failure::is_absent(&error) => Ok(()),
                    answer => answer,
                }
            })
            .await?;
        }
        Ok(id)
    };
    let key = format!("create:{name}");
    run.steps.run(&key, Box::pin(making)).await
}

async fn create_new(
    run: &Run<'_>,
    container: &ContainerWork,
    mut body: ContainerCreateBody,
) -> Result<String, EngineError> {
    let name = container.name.clone();
    let during = format!("creating container {name}");
    let mut later = container.further_networks.clone();
    // Since API 1.44 a container can be made on several networks at once.
    if run.docker.api_minor() >= 44
        && let Some(endpoints) = body
            .networking_config
            .as_mut()
            .and_then(|config| config.endpoints_config.as_mut())
    {
        endpoints.extend(later.drain(..));
    }
    let api = run.docker.api.clone();
    let options = CreateContainerOptions {
        name: Some(name),
        platform: container.platform.clone().unwrap_or_default(),
    };
    let made = run
        .to_its_end(&during, async move {
            api.create_container(Some(options), body).await
        })
        .await;
    let made = match made {
        // Since the plan was made; the engine says so in these words only.
        Err(EngineError::Api {
            status: 409,
            message,
            ..
        }) if message.contains("is already in use") => {
            return Err(EngineError::NameTaken {
                kind: "container",
                name: container.name.clone(),
                owner: None,
            });
        }
        made => made?,
    };
    for (network, endpoint) in later {
        let api = run.docker.api.clone();
        let request = NetworkConnectRequest {
            container: made.id.clone(),
            endpoint_config: Some(endpoint),
        };
        let during = format!("connecting {} to network {network}", container.name);
        run.to_its_end(&during, async move {
            api.connect_network(&network, request).await
        })
        .await?;
    }
    Ok(made.id)
}

/// Gives the anonymous volumes of the old container to the new one, as far as
/// the file says nothing else for their places.
fn carry_over(body: &mut ContainerCreateBody, old: &SeenContainer) {
    let Some(host) = body.host_config.as_mut() else {
        return;
    };
    let mut taken: Vec<String> = host
        .mounts
        .iter()
        .flatten()
        .filter_map(|mount| mount.target.clone())
        .collect();
    taken.extend(
        host.binds
            .iter()
            .flatten()
            .filter_map(|bind| bind.split(':').nth(1).map(str::to_owned)),
    );
    let carried: Vec<String> = old
        .anonymous
        .iter()
        .filter(|(_, target)| !taken.contains(target))
        .map(|(volume, target)| format!("{volume}:{target}"))
        .collect();
    if !carried.is_empty() {
        host.binds.get_or_insert_default().extend(carried);
    }
}

async fn start(
    run: &Run<'_>,
    service: &ServiceWork,
    container: &ContainerWork,
    id: &str,
) -> Result<(), EngineError> {
    let name = &container.name;
    let starting = async {
        let api = run.docker.api.clone();
        let started = id.to_owned();
        let answer = run
            .to_its_end(&format!("starting container {name}"), async move {
                api.start_container(&started, None::<StartContainerOptions>)
                    .await
            })
            .await;
        match answer {
            Err(EngineError::Api { message, .. }) if failure::taken_port(&message).is_some() => {
                let port = failure::taken_port(&message).unwrap_or_default();
                Err(EngineError::PortTaken {
                    port,
                    service: service.name.clone(),
                    holder: port_holder::of(run.docker, port, id).await,
                })
            }
            other => other,
        }
    };
    run.steps.run(&format!("start:{name}"), starting).await
}
