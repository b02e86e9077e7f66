//! The whole project out of one merged file.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::model::{MountKind, Network, Project, Service, Volume};
use crate::mounts::Folders;
use crate::place::{KeyPath, Place};
use crate::profiles::Profiles;
use crate::reading::Reading;
use crate::service::{self, Around};
use crate::yaml::{Map, Node};
use crate::{Rule, cycle, networks, volumes};

/// Reads the merged file, which has passed the check. Problems are reported; the
/// result means something only when there are none.
pub(crate) fn read(
    file: &Node,
    name: String,
    profiles: &Profiles,
    around: Around<'_>,
    reading: &mut Reading<'_>,
) -> Project {
    let section = KeyPath::Root.key("services");
    let nothing = Map::new();
    let written = file
        .get("services")
        .and_then(Node::as_map)
        .unwrap_or(&nothing);
    let mut services: IndexMap<String, Service> = IndexMap::new();
    let mut inactive: Vec<&str> = Vec::new();
    for (key, entry) in written {
        let path = section.key(key);
        if profiles.activate(&service::profiles(&entry.node)) {
            let service = service::read(&entry.node, around, &path, reading);
            services.insert(key.clone(), service);
        } else {
            inactive.push(key);
        }
    }
    let places = Places { written };
    check_dependencies(&mut services, &inactive, &places, reading);
    check_container_names(&services, &places, reading);
    let networks = used_networks(&services, file, &name, &places, reading);
    let volumes = used_volumes(&services, file, &name, around.folders, &places, reading);
    Project {
        name,
        services,
        networks,
        volumes,
    }
}

/// Where things about services are reported.
struct Places<'n> {
    written: &'n Map,
}

impl Places<'_> {
    /// The place of a key of a service, of its item or sub-key that names `name`,
    /// or of the service.
    fn of(&self, service: &str, key: &str, name: &str) -> Place {
        let Some(entry) = self.written.get(service) else {
            return Place::default();
        };
        let Some(node) = entry.node.get(key) else {
            return entry.place;
        };
        if let Some(found) = node.as_map().and_then(|map| map.get(name)) {
            return found.place;
        }
        let items = node.as_list().unwrap_or_default();
        items
            .iter()
            .find(|item| {
                item.as_text()
                    .is_some_and(|text| text == name || text.split(':').next() == Some(name))
                    || item.get("source").and_then(Node::as_text) == Some(name)
            })
            .map_or(node.place, |item| item.place)
    }
}

fn check_dependencies(
    services: &mut IndexMap<String, Service>,
    inactive: &[&str],
    places: &Places<'_>,
    reading: &mut Reading<'_>,
) {
    let section = KeyPath::Root.key("services");
    let names: HashSet<String> = services.keys().cloned().collect();
    let inactive: HashSet<&str> = inactive.iter().copied().collect();
    for (key, service) in services.iter_mut() {
        let path = section.key(key);
        service.depends_on.retain(|name, dependency| {
            if names.contains(name) {
                return true;
            }
            let is_inactive = inactive.contains(name.as_str());
            if is_inactive && !dependency.required {
                return false;
            }
            let (message, hint) = if is_inactive {
                (
                    format!("the service \"{name}\" is needed, and its profile is not switched on"),
                    "Switch its profile on, or mark the dependency with required: false.",
                )
            } else {
                (
                    format!("there is no service \"{name}\""),
                    "Correct the name, or define the service.",
                )
            };
            let place = places.of(key, "depends_on", name);
            reading.problem(Rule::Undefined, place, &path, message, Some(hint));
            false
        });
    }
    let graph = services
        .iter()
        .map(|(name, service)| (name.clone(), service.depends_on.keys().cloned().collect()))
        .collect();
    if let Some(circle) = cycle::find(&graph) {
        let place = match circle.as_slice() {
            [first, second, ..] => places.of(first, "depends_on", second),
            _ => Place::default(),
        };
        let first = circle.first().map_or("", String::as_str);
        reading.problem(
            Rule::Cycle,
            place,
            &section.key(first),
            format!(
                "services wait for each other in a circle: {}",
                circle.join(" → ")
            ),
            Some("Remove one of these dependencies."),
        );
    }
}

fn check_container_names(
    services: &IndexMap<String, Service>,
    places: &Places<'_>,
    reading: &mut Reading<'_>,
) {
    let section = KeyPath::Root.key("services");
    let mut taken: IndexMap<&str, &str> = IndexMap::new();
    for (key, service) in services {
        let Some(name) = service.container_name.as_deref() else {
            continue;
        };
        let path = section.key(key);
        let here = path.key("container_name");
        let mut invalid = |message: String, hint: &str| {
            let place = places.of(key, "container_name", "");
            reading.problem(Rule::Invalid, place, &here, message, Some(hint));
        };
        if let Some(other) = taken.insert(name, key) {
            invalid(
                format!("\"{name}\" is already the name of {other}'s container"),
                "Give each service a name of its own, or none.",
            );
        }
        if service.scale > 1 {
            invalid(
                format!(
                    "{} containers cannot all be called \"{name}\"",
                    service.scale
                ),
                "Remove container_name, or run one container.",
            );
        }
    }
}

fn used_networks(
    services: &IndexMap<String, Service>,
    file: &Node,
    project: &str,
    places: &Places<'_>,
    reading: &mut Reading<'_>,
) -> IndexMap<String, Network> {
    let section = KeyPath::Root.key("networks");
    let service_section = KeyPath::Root.key("services");
    let defined = file.get("networks").and_then(Node::as_map);
    let mut networks = IndexMap::new();
    for (service, key) in services
        .iter()
        .flat_map(|(name, service)| service.networks.keys().map(move |key| (name, key)))
    {
        if networks.contains_key(key) {
            continue;
        }
        match defined.and_then(|defined| defined.get(key)) {
            Some(entry) => {
                let path = section.key(key);
                let network = networks::read(key, &entry.node, project, &path, reading);
                networks.insert(key.clone(), network);
            }
            None if key == "default" => {
                networks.insert(key.clone(), networks::implied(key, project));
            }
            None => {
                let path = service_section.key(service);
                reading.problem(
                    Rule::Undefined,
                    places.of(service, "networks", key),
                    &path.key("networks"),
                    format!("the network \"{key}\" is not defined"),
                    Some("Define it under \"networks:\" at the top level."),
                );
            }
        }
    }
    networks
}

fn used_volumes(
    services: &IndexMap<String, Service>,
    file: &Node,
    project: &str,
    folders: Folders<'_>,
    places: &Places<'_>,
    reading: &mut Reading<'_>,
) -> IndexMap<String, Volume> {
    let section = KeyPath::Root.key("volumes");
    let service_section = KeyPath::Root.key("services");
    let defined = file.get("volumes").and_then(Node::as_map);
    let mut volumes = IndexMap::new();
    for (service, mount) in services
        .iter()
        .flat_map(|(name, service)| service.mounts.iter().map(move |mount| (name, mount)))
    {
        let Some(key) = &mount.source else {
            continue;
        };
        if mount.kind != MountKind::Volume || volumes.contains_key(key) {
            continue;
        }
        match defined.and_then(|defined| defined.get(key)) {
            Some(entry) => {
                let path = section.key(key);
                let volume = volumes::read(key, &entry.node, project, folders, &path, reading);
                volumes.insert(key.clone(), volume);
            }
            None => {
                let path = service_section.key(service);
                let hint = if key.contains('/') {
                    format!(
                        "For a folder, write ./{key}. For a volume, define it under \"volumes:\"."
                    )
                } else {
                    "Define it under \"volumes:\" at the top level.".to_owned()
                };
                reading.problem(
                    Rule::Undefined,
                    places.of(service, "volumes", key),
                    &path.key("volumes"),
                    format!("the volume \"{key}\" is not defined"),
                    Some(&hint),
                );
            }
        }
    }
    volumes
}
