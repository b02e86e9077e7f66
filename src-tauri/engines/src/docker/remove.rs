use std::collections::{BTreeMap, BTreeSet, HashMap};

use bollard::query_parameters::{
    ListContainersOptions, ListImagesOptions, ListNetworksOptions, ListVolumesOptions,
    RemoveContainerOptions, RemoveImageOptions, RemoveVolumeOptions, StopContainerOptions,
};
use futures_util::future::join_all;

use super::plan::waiting;
use super::step_log::StepLog;
use super::{Docker, failure, labels, observe};
use crate::{EngineError, Reporter, StepKind};

/// What is taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everything of an environment.
    Environment(String),
    /// Only what one operation made: environment and operation.
    Operation(String, String),
}

/// What was taken away, kind and name of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// `container shop-main-db-1` …
    pub resources: Vec<String>,
}

/// What is there to be removed.
#[derive(Debug, Default)]
struct Inventory {
    /// Id and name.
    containers: Vec<(String, String)>,
    /// Id and name.
    networks: Vec<(String, String)>,
    volumes: Vec<String>,
    /// Id and the name it goes by.
    images: Vec<(String, String)>,
    /// Volumes that the engine named for these containers.
    anonymous: BTreeSet<String>,
}

impl Scope {
    fn filters(&self) -> HashMap<String, Vec<String>> {
        match self {
            Self::Environment(environment) => labels::of_environment(environment),
            Self::Operation(environment, operation) => labels::of_operation(environment, operation),
        }
    }
}

impl Docker {
    /// Removes what carries the labels of `scope`, then asks again whether it is
    /// gone. Absent is success. Containers get their grace period, all at the
    /// same time.
    ///
    /// # Errors
    /// [`EngineError::NotRemoved`] naming what is still there, and why.
    pub async fn remove(
        &self,
        scope: &Scope,
        reporter: &dyn Reporter,
    ) -> Result<Removed, EngineError> {
        let found = self.inventory(scope).await?;
        let steps = StepLog::new(reporter, &steps(&found));
        let outcome = self.remove_all(scope, &found, &steps).await;
        if outcome.is_err() {
            steps.leave_off();
        }
        outcome
    }

    async fn remove_all(
        &self,
        scope: &Scope,
        found: &Inventory,
        steps: &StepLog<'_>,
    ) -> Result<Removed, EngineError> {
        // Every part is tried, also when another fails: what is left is named
        // at the end.
        let mut reasons = BTreeMap::new();
        let containers = join_all(found.containers.iter().map(async |(id, name)| {
            let removing = async {
                self.stop(id, name).await?;
                self.remove_container(id, name).await
            };
            (
                format!("container {name}"),
                steps.run(&format!("remove:{name}"), removing).await,
            )
        }))
        .await;
        let networks = join_all(found.networks.iter().map(async |(id, name)| {
            let key = format!("remove-network:{name}");
            (
                format!("network {name}"),
                steps.run(&key, self.remove_network(id, name)).await,
            )
        }));
        let volumes = join_all(found.volumes.iter().map(async |name| {
            let key = format!("remove-volume:{name}");
            (
                format!("volume {name}"),
                steps.run(&key, self.remove_volume(name)).await,
            )
        }));
        let images = join_all(found.images.iter().map(async |(id, name)| {
            let key = format!("remove-image:{name}");
            (
                format!("image {name}"),
                steps.run(&key, self.remove_image(id)).await,
            )
        }));
        let anonymous = join_all(found.anonymous.iter().map(|name| self.remove_volume(name)));
        let (networks, volumes, images, _) = tokio::join!(networks, volumes, images, anonymous);

        let mut removed = Removed::default();
        for (resource, outcome) in containers
            .into_iter()
            .chain(networks)
            .chain(volumes)
            .chain(images)
        {
            match outcome {
                Ok(()) => removed.resources.push(resource),
                Err(lost @ EngineError::EngineLost { .. }) => return Err(lost),
                Err(error) => {
                    reasons.insert(resource, error.to_string());
                }
            }
        }
        steps.run("verify", self.verify(scope, &reasons)).await?;
        Ok(removed)
    }

    async fn verify(
        &self,
        scope: &Scope,
        reasons: &BTreeMap<String, String>,
    ) -> Result<(), EngineError> {
        let left = self.inventory(scope).await?;
        let left: Vec<String> = left
            .names()
            .map(|resource| match reasons.get(&resource) {
                Some(reason) => format!("{resource} ({reason})"),
                None => resource,
            })
            .collect();
        if left.is_empty() {
            Ok(())
        } else {
            Err(EngineError::NotRemoved { left })
        }
    }

    async fn inventory(&self, scope: &Scope) -> Result<Inventory, EngineError> {
        let failed = |error| failure::from_engine("looking for what is left", error);
        let filters = Some(scope.filters());
        let (containers, networks, volumes, images) = tokio::try_join!(
            self.api.list_containers(Some(ListContainersOptions {
                all: true,
                filters: filters.clone(),
                ..ListContainersOptions::default()
            })),
            self.api.list_networks(Some(ListNetworksOptions {
                filters: filters.clone(),
            })),
            self.api.list_volumes(Some(ListVolumesOptions {
                filters: filters.clone(),
            })),
            self.api.list_images(Some(ListImagesOptions {
                filters,
                ..ListImagesOptions::default()
            })),
        )
        .map_err(failed)?;
        let anonymous = containers
            .iter()
            .flat_map(observe::anonymous_volumes)
            .map(|(volume, _)| volume)
            .collect();
        Ok(Inventory {
            containers: containers
                .into_iter()
                .map(|container| {
                    let name = container
                        .names
                        .and_then(|names| names.into_iter().next())
                        .unwrap_or_default();
                    (
                        container.id.unwrap_or_default(),
                        name.trim_start_matches('/').to_owned(),
                    )
                })
                .collect(),
            networks: networks
                .into_iter()
                .map(|network| {
                    (
                        network.id.unwrap_or_default(),
                        network.name.unwrap_or_default(),
                    )
                })
                .collect(),
            volumes: volumes
                .volumes
                .unwrap_or_default()
                .into_iter()
                .map(|volume| volume.name)
                .collect(),
            images: images
                .into_iter()
                .map(|image| {
                    let name = image
                        .repo_tags
                        .into_iter()
                        .find(|tag| tag != "<none>:<none>")
                        .unwrap_or_else(|| image.id.clone());
                    (image.id, name)
                })
                .collect(),
            anonymous,
        })
    }

    /// Stops a container within its own grace period. One that is not there or
    /// does not run is stopped already.
    pub(super) async fn stop(&self, id: &str, name: &str) -> Result<(), EngineError> {
        match self
            .slow
            .stop_container(id, None::<StopContainerOptions>)
            .await
        {
            Ok(()) => Ok(()),
            Err(error) if failure::is_absent(&error) => Ok(()),
            Err(error) => Err(failure::from_engine(
                &format!("stopping container {name}"),
                error,
            )),
        }
    }

    /// Removes a container and the volumes that the engine made for it alone.
    pub(super) async fn remove_container(&self, id: &str, name: &str) -> Result<(), EngineError> {
        let options = RemoveContainerOptions {
            v: true,
            force: true,
            ..RemoveContainerOptions::default()
        };
        gone(
            &format!("removing container {name}"),
            self.api.remove_container(id, Some(options)).await,
        )
    }

    async fn remove_network(&self, id: &str, name: &str) -> Result<(), EngineError> {
        gone(
            &format!("removing network {name}"),
            self.api.remove_network(id).await,
        )
    }

    async fn remove_volume(&self, name: &str) -> Result<(), EngineError> {
        gone(
            &format!("removing volume {name}"),
            self.api
                .remove_volume(name, None::<RemoveVolumeOptions>)
                .await,
        )
    }

    /// Removes an image with all its names.
    pub(super) async fn remove_image(&self, id: &str) -> Result<(), EngineError> {
        let options = RemoveImageOptions {
            force: true,
            ..RemoveImageOptions::default()
        };
        gone(
            &format!("removing image {id}"),
            self.api
                .remove_image(id, Some(options), None)
                .await
                .map(drop),
        )
    }

    /// Ids of all environments that anything on this engine is labelled with.
    ///
    /// # Errors
    /// As the engine's.
    pub async fn labelled(&self) -> Result<Vec<String>, EngineError> {
        let failed = |error| failure::from_engine("looking for environments", error);
        let filters = Some(labels::of_any());
        let (containers, networks, volumes, images) = tokio::try_join!(
            self.api.list_containers(Some(ListContainersOptions {
                all: true,
                filters: filters.clone(),
                ..ListContainersOptions::default()
            })),
            self.api.list_networks(Some(ListNetworksOptions {
                filters: filters.clone(),
            })),
            self.api.list_volumes(Some(ListVolumesOptions {
                filters: filters.clone(),
            })),
            self.api.list_images(Some(ListImagesOptions {
                filters,
                ..ListImagesOptions::default()
            })),
        )
        .map_err(failed)?;
        let all = containers
            .into_iter()
            .filter_map(|it| it.labels)
            .chain(networks.into_iter().filter_map(|it| it.labels))
            .chain(
                volumes
                    .volumes
                    .unwrap_or_default()
                    .into_iter()
                    .map(|it| it.labels),
            )
            .chain(images.into_iter().map(|it| it.labels));
        let ids: BTreeSet<String> = all
            .filter_map(|mut labels| labels.remove(labels::ENVIRONMENT))
            .collect();
        Ok(ids.into_iter().collect())
    }
}

/// Absent, and about to be, is as good as removed; whether it went is asked at
/// the end.
fn gone(during: &str, answer: Result<(), bollard::errors::Error>) -> Result<(), EngineError> {
    match answer {
        Ok(()) => Ok(()),
        Err(error) if failure::is_absent(&error) || failure::is_going(&error) => Ok(()),
        Err(error) => Err(failure::from_engine(during, error)),
    }
}

impl Inventory {
    fn names(&self) -> impl Iterator<Item = String> {
        let named = |kind: &'static str, all: &[(String, String)]| {
            all.iter()
                .map(move |(_, name)| format!("{kind} {name}"))
                .collect::<Vec<_>>()
        };
        named("container", &self.containers)
            .into_iter()
            .chain(named("network", &self.networks))
            .chain(self.volumes.iter().map(|name| format!("volume {name}")))
            .chain(named("image", &self.images))
    }
}

fn steps(found: &Inventory) -> Vec<crate::Step> {
    let mut steps = Vec::new();
    for (_, name) in &found.containers {
        let kind = StepKind::Remove {
            container: name.clone(),
        };
        steps.push(waiting(format!("remove:{name}"), kind));
    }
    for (_, name) in &found.networks {
        let kind = StepKind::RemoveNetwork { name: name.clone() };
        steps.push(waiting(format!("remove-network:{name}"), kind));
    }
    for name in &found.volumes {
        let kind = StepKind::RemoveVolume { name: name.clone() };
        steps.push(waiting(format!("remove-volume:{name}"), kind));
    }
    for (_, name) in &found.images {
        let kind = StepKind::RemoveImage {
            image: name.clone(),
        };
        steps.push(waiting(format!("remove-image:{name}"), kind));
    }
    steps.push(waiting("verify".to_owned(), StepKind::Verify));
    steps
}
