//! What there is of an environment, or of all.

use std::collections::{BTreeSet, HashMap};

use bollard::models::{ContainerSummary, ImageSummary, Network, Volume};
use bollard::query_parameters::{
    ListContainersOptions, ListImagesOptions, ListNetworksOptions, ListVolumesOptions,
};

use super::ownership::{self, OwnImage};
use super::{Docker, Scope, failure, labels, observe};
use crate::EngineError;

/// What is there to be removed.
#[derive(Debug, Default)]
pub(super) struct Inventory {
    /// Id and name.
    pub(super) containers: Vec<(String, String)>,
    /// Id and name.
    pub(super) networks: Vec<(String, String)>,
    pub(super) volumes: Vec<String>,
    /// The name that Berth gave it, or the id.
    pub(super) images: Vec<String>,
    /// Volumes that the engine named for these containers.
    pub(super) anonymous: BTreeSet<String>,
}

/// What is Berth's own among what a filter let through.
struct Own {
    containers: Vec<ContainerSummary>,
    networks: Vec<Network>,
    volumes: Vec<Volume>,
    images: Vec<OwnImage>,
}

type Filters = HashMap<String, Vec<String>>;

impl Docker {
    pub(super) async fn inventory(&self, scope: &Scope) -> Result<Inventory, EngineError> {
        let (filters, of_images) = match scope {
            Scope::Environment(environment) => (
                labels::of_environment(environment),
                labels::images_of_environment(environment),
            ),
            Scope::Operation(environment, operation) => (
                labels::of_operation(environment, operation),
                labels::images_of_operation(environment, operation),
            ),
        };
        let own = self
            .own("looking for what is left", filters, of_images)
            .await?;
        let anonymous = own
            .containers
            .iter()
            .flat_map(observe::anonymous_volumes)
            .map(|(volume, _)| volume)
            .collect();
        Ok(Inventory {
            containers: own
                .containers
                .into_iter()
                .map(|it| {
                    let name = ownership::name_of(&it).to_owned();
                    (it.id.unwrap_or_default(), name)
                })
                .collect(),
            networks: own
                .networks
                .into_iter()
                .map(|it| (it.id.unwrap_or_default(), it.name.unwrap_or_default()))
                .collect(),
            volumes: own.volumes.into_iter().map(|it| it.name).collect(),
            images: own.images.into_iter().map(|it| it.handle).collect(),
            anonymous,
        })
    }

    /// Ids of all environments that anything on this engine was made for, images
    /// included.
    ///
    /// # Errors
    /// As the engine's.
    pub async fn labelled(&self) -> Result<Vec<String>, EngineError> {
        let own = self
            .own(
                "looking for environments",
                labels::of_any(),
                labels::images_of_any(),
            )
            .await?;
        let mut ids: BTreeSet<String> = own.images.into_iter().map(|it| it.environment).collect();
        ids.extend(
            own.containers
                .into_iter()
                .filter_map(|it| it.labels)
                .chain(own.networks.into_iter().filter_map(|it| it.labels))
                .chain(own.volumes.into_iter().map(|it| it.labels))
                .filter_map(|mut labels| labels.remove(labels::ENVIRONMENT)),
        );
        Ok(ids.into_iter().collect())
    }

    async fn own(
        &self,
        during: &str,
        filters: Filters,
        of_images: Filters,
    ) -> Result<Own, EngineError> {
        let (mut containers, mut networks, volumes, images) = tokio::try_join!(
            self.api.list_containers(Some(ListContainersOptions {
                all: true,
                filters: Some(filters.clone()),
                ..ListContainersOptions::default()
            })),
            self.api.list_networks(Some(ListNetworksOptions {
                filters: Some(filters.clone()),
            })),
            self.api.list_volumes(Some(ListVolumesOptions {
                filters: Some(filters),
            })),
            self.api.list_images(Some(ListImagesOptions {
                filters: Some(of_images),
                ..ListImagesOptions::default()
            })),
        )
        .map_err(|error| failure::from_engine(during, error))?;
        let mut volumes = volumes.volumes.unwrap_or_default();
        containers.retain(|it| ownership::environment_of(it).is_some());
        networks.retain(|it| {
            let name = it.name.as_deref().unwrap_or_default();
            it.labels
                .as_ref()
                .and_then(|found| ownership::environment_of_network(name, found))
                .is_some()
        });
        volumes.retain(|it| ownership::environment_of_volume(&it.name, &it.labels).is_some());
        let images: Vec<ImageSummary> = images;
        Ok(Own {
            containers,
            networks,
            volumes,
            images: self.own_images(images).await?,
        })
    }
}

impl Inventory {
    /// Kind and name of each.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let named = |kind: &'static str, all: &[(String, String)]| {
            all.iter()
                .map(move |(_, name)| format!("{kind} {name}"))
                .collect::<Vec<_>>()
        };
        named("container", &self.containers)
            .into_iter()
            .chain(named("network", &self.networks))
            .chain(self.volumes.iter().map(|name| format!("volume {name}")))
            .chain(self.images.iter().map(|name| format!("image {name}")))
    }
}
