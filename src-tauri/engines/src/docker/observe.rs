use std::collections::{BTreeMap, HashMap};

use berth_compose::Project;
use bollard::models::{ContainerSummary, ContainerSummaryStateEnum, ImageInspect};
use bollard::query_parameters::{ListContainersOptions, ListNetworksOptions, ListVolumesOptions};
use futures_util::future::try_join_all;

use super::{Docker, Identity, failure, isolate, labels, ownership};
use crate::EngineError;

/// Everything on the engine that matters for a plan.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// Minor number of the agreed API version.
    pub(super) api_minor: usize,
    /// Containers of this environment.
    pub(super) containers: Vec<SeenContainer>,
    /// Names of all other containers, with who owns each.
    pub(super) foreign: HashMap<String, String>,
    /// Networks by name.
    pub(super) networks: HashMap<String, Seen>,
    /// Volumes by name.
    pub(super) volumes: HashMap<String, Seen>,
    /// Images that the project runs and that are present, by reference.
    pub(super) images: BTreeMap<String, SeenImage>,
}

/// A network or volume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// The environment Berth made it for, when it did.
    pub(super) environment: Option<String>,
    /// The compose project that owns it.
    pub(super) project: Option<String>,
    pub(super) config_hash: Option<String>,
}

/// A container of this environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SeenContainer {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) service: String,
    pub(super) number: u32,
    pub(super) config_hash: String,
    pub(super) image_id: String,
    pub(super) running: bool,
    /// The `BERTH_URL_…` lines it was made with.
    pub(super) urls: String,
    /// Volumes that the engine named: volume and path inside.
    pub(super) anonymous: Vec<(String, String)>,
}

/// An image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SeenImage {
    pub(super) id: String,
    pub(super) has_healthcheck: bool,
    /// The operation that built it, when Berth did.
    pub(super) operation: Option<String>,
}

impl Docker {
    /// Looks at what the engine holds for an environment and its images.
    ///
    /// # Errors
    /// As the engine's.
    pub async fn observe(
        &self,
        project: &Project,
        identity: &Identity,
    ) -> Result<Observation, EngineError> {
        let asking = "looking at what the engine holds";
        let failed = |error| failure::from_engine(asking, error);
        let references = isolate::image_references(project, identity);
        // Unfiltered: a foreign thing that has one of our names matters as much.
        let (containers, networks, volumes, images) = tokio::try_join!(
            async {
                self.api
                    .list_containers(Some(ListContainersOptions {
                        all: true,
                        ..Default::default()
                    }))
                    .await
                    .map_err(failed)
            },
            async {
                self.api
                    .list_networks(None::<ListNetworksOptions>)
                    .await
                    .map_err(failed)
            },
            async {
                self.api
                    .list_volumes(None::<ListVolumesOptions>)
                    .await
                    .map_err(failed)
            },
            try_join_all(references.iter().map(|reference| self.image(reference))),
        )?;

        let mut observed = Observation {
            api_minor: self.api_minor(),
            ..Observation::default()
        };
        for container in containers {
            match ours(&container, &identity.environment) {
                Some(container) => observed.containers.push(container),
                None => {
                    let owner = owner_of(&container);
                    for name in container.names.unwrap_or_default() {
                        observed
                            .foreign
                            .insert(name.trim_start_matches('/').to_owned(), owner.clone());
                    }
                }
            }
        }
        for network in networks {
            let name = network.name.unwrap_or_default();
            let all = network.labels.unwrap_or_default();
            let found = seen(&all, ownership::environment_of_network(&name, &all));
            let ours = found.environment.as_deref() == Some(&*identity.environment);
            // The engine allows several networks of one name; ours is the one.
            if ours || !observed.networks.contains_key(&name) {
                observed.networks.insert(name, found);
            }
        }
        for volume in volumes.volumes.unwrap_or_default() {
            let environment = ownership::environment_of_volume(&volume.name, &volume.labels);
            let found = seen(&volume.labels, environment);
            observed.volumes.insert(volume.name, found);
        }
        for (reference, image) in references.into_iter().zip(images) {
            if let Some(image) = image {
                observed.images.insert(reference, image);
            }
        }
        Ok(observed)
    }

    /// An image by reference; `None` when it is not on the engine.
    pub(super) async fn image(&self, reference: &str) -> Result<Option<SeenImage>, EngineError> {
        match self.api.inspect_image(reference).await {
            Ok(image) => {
                let mut seen = seen_image(image, reference);
                if seen.operation.is_some() && !self.is_last_built_by_berth(&seen.id).await? {
                    seen.operation = None;
                }
                Ok(Some(seen))
            }
            Err(error) if failure::is_absent(&error) => Ok(None),
            Err(error) => Err(failure::from_engine(
                &format!("looking at image {reference}"),
                error,
            )),
        }
    }
}

fn seen_image(image: ImageInspect, reference: &str) -> SeenImage {
    let config = image.config.unwrap_or_default();
    let mut found = config.labels.unwrap_or_default();
    let ours = found
        .get(labels::IMAGE_NAME)
        .is_some_and(|it| it == reference);
    SeenImage {
        id: image.id.unwrap_or_default(),
        has_healthcheck: config
            .healthcheck
            .and_then(|check| check.test)
            .is_some_and(|test| test.first().is_some_and(|kind| kind != "NONE")),
        operation: found.remove(labels::IMAGE_OPERATION).filter(|_| ours),
    }
}

fn seen(found: &HashMap<String, String>, environment: Option<&str>) -> Seen {
    let label = |name: &str| found.get(name).cloned();
    Seen {
        environment: environment.map(str::to_owned),
        project: label(labels::PROJECT),
        config_hash: label(labels::CONFIG_HASH),
    }
}

fn ours(container: &ContainerSummary, environment: &str) -> Option<SeenContainer> {
    if ownership::environment_of(container)? != environment {
        return None;
    }
    let found = container.labels.as_ref()?;
    let label = |name: &str| found.get(name).cloned().unwrap_or_default();
    Some(SeenContainer {
        id: container.id.clone().unwrap_or_default(),
        name: ownership::name_of(container).to_owned(),
        service: label(labels::SERVICE),
        number: label(labels::NUMBER).parse().unwrap_or(0),
        config_hash: label(labels::CONFIG_HASH),
        image_id: container.image_id.clone().unwrap_or_default(),
        running: container.state == Some(ContainerSummaryStateEnum::RUNNING),
        urls: label(labels::URLS),
        anonymous: anonymous_volumes(container),
    })
}

/// Volumes of a container that the engine named, with their paths inside.
pub(super) fn anonymous_volumes(container: &ContainerSummary) -> Vec<(String, String)> {
    container
        .mounts
        .iter()
        .flatten()
        .filter(|mount| mount.typ.as_deref() == Some("volume"))
        .filter_map(|mount| Some((mount.name.clone()?, mount.destination.clone()?)))
        .filter(|(name, _)| is_engine_named(name))
        .collect()
}

/// The engine names anonymous volumes with 64 hexadecimal digits.
fn is_engine_named(volume: &str) -> bool {
    volume.len() == 64 && volume.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Who a container belongs to, in words.
pub(super) fn owner_of(container: &ContainerSummary) -> String {
    let project = container
        .labels
        .as_ref()
        .and_then(|labels| labels.get(labels::PROJECT));
    match project {
        Some(project) => format!("compose project {project}"),
        None => format!(
            "a container of image {}",
            container.image.as_deref().unwrap_or("unknown")
        ),
    }
}
