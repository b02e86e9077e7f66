//! Networks and volumes of an environment.

use std::collections::HashMap;

use berth_compose::MountKind;
use bollard::models::{NetworkCreateRequest, VolumeCreateRequest};

use super::{NetworkWork, PlanInput, VolumeWork};
use crate::docker::{config_hash, isolate, labels};
use crate::{Action, EngineError};

pub(super) fn networks(input: &PlanInput<'_>) -> Result<Vec<NetworkWork>, EngineError> {
    let mut work = Vec::new();
    for (key, network) in &input.project.networks {
        let name = isolate::network_name(input.identity, key);
        let mut request = NetworkCreateRequest {
            name: name.clone(),
            driver: network.driver.clone(),
            internal: network.internal.then_some(true),
            attachable: network.attachable.then_some(true),
            enable_ipv6: network.enable_ipv6,
            options: some_map(&network.driver_opts),
            labels: some_map(&network.labels),
            ..NetworkCreateRequest::default()
        };
        let hash = config_hash::of(&request);
        let mut all = request.labels.take().unwrap_or_default();
        all.extend(labels::common(input.identity));
        all.insert(labels::NETWORK.to_owned(), key.clone());
        all.insert(labels::CONFIG_HASH.to_owned(), hash.clone());
        request.labels = Some(all);
        let action = match input.observation.networks.get(&name) {
            None => Action::Create,
            Some(seen) if seen.environment.as_ref() != Some(&input.identity.environment) => {
                return Err(EngineError::NameTaken {
                    kind: "network",
                    name,
                    owner: seen
                        .project
                        .as_ref()
                        .map(|project| format!("compose project {project}")),
                });
            }
            Some(seen) if seen.config_hash.as_ref() == Some(&hash) => Action::Keep,
            Some(_) => Action::Change,
        };
        work.push(NetworkWork { request, action });
    }
    Ok(work)
}

pub(super) fn volumes(input: &PlanInput<'_>) -> Result<Vec<VolumeWork>, EngineError> {
    let identity = input.identity;
    let mut requests = Vec::new();
    for (key, volume) in &input.project.volumes {
        requests.push((
            key.clone(),
            VolumeCreateRequest {
                name: Some(isolate::volume_name(identity, key)),
                driver: volume.driver.clone(),
                driver_opts: some_map(&volume.driver_opts),
                labels: some_map(&volume.labels),
                ..VolumeCreateRequest::default()
            },
        ));
    }
    for (name, service) in &input.project.services {
        for number in 1..=service.scale {
            for mount in &service.mounts {
                if mount.kind == MountKind::Volume && mount.source.is_none() {
                    let volume =
                        isolate::anonymous_volume_name(identity, name, number, &mount.target);
                    requests.push((
                        volume.clone(),
                        VolumeCreateRequest {
                            name: Some(volume),
                            ..VolumeCreateRequest::default()
                        },
                    ));
                }
            }
        }
    }
    let mut work = Vec::new();
    for (key, mut request) in requests {
        let hash = config_hash::of(&request);
        let mut all = request.labels.take().unwrap_or_default();
        all.extend(labels::common(identity));
        all.insert(labels::VOLUME.to_owned(), key);
        all.insert(labels::CONFIG_HASH.to_owned(), hash.clone());
        request.labels = Some(all);
        let name = request.name.clone().unwrap_or_default();
        let action = match input.observation.volumes.get(&name) {
            None => Action::Create,
            Some(seen) if seen.environment.as_ref() != Some(&identity.environment) => {
                return Err(EngineError::NameTaken {
                    kind: "volume",
                    name,
                    owner: seen
                        .project
                        .as_ref()
                        .map(|project| format!("compose project {project}")),
                });
            }
            // Data is worth more than its settings: kept, and said in the view.
            Some(seen) if seen.config_hash.as_ref() != Some(&hash) => Action::Change,
            Some(_) => Action::Keep,
        };
        work.push(VolumeWork { request, action });
    }
    Ok(work)
}

fn some_map<'a>(
    items: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Option<HashMap<String, String>> {
    let items: HashMap<String, String> = items
        .into_iter()
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    (!items.is_empty()).then_some(items)
}
