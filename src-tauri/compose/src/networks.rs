use indexmap::IndexMap;

use crate::fields::{Fields, texts_of};
use crate::model::{Network, ServiceNetwork};
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::volumes;
use crate::yaml::{Node, Value};

/// Reads `networks:` of a service.
pub(crate) fn read_of_service(
    node: &Node,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> IndexMap<String, ServiceNetwork> {
    match &node.value {
        Value::Map(map) => map
            .iter()
            .map(|(name, entry)| {
                let place = read_place(&entry.node, &path.key(name), reading);
                (name.clone(), place)
            })
            .collect(),
        _ => texts_of(node)
            .into_iter()
            .map(|name| (name, ServiceNetwork::default()))
            .collect(),
    }
}

fn read_place(node: &Node, path: &KeyPath<'_>, reading: &mut Reading<'_>) -> ServiceNetwork {
    let Some(mut keys) = Fields::of(node) else {
        return ServiceNetwork::default();
    };
    let place = ServiceNetwork {
        aliases: keys.texts("aliases"),
        ipv4_address: keys.text("ipv4_address"),
        ipv6_address: keys.text("ipv6_address"),
        priority: keys.integer("priority").unwrap_or(0),
    };
    keys.finish(path, reading);
    place
}

/// Reads a network of the top level.
pub(crate) fn read(
    key: &str,
    node: &Node,
    project: &str,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Network {
    let Some(mut keys) = Fields::of(node) else {
        return implied(key, project);
    };
    let name = keys.text("name").filter(|name| !name.is_empty());
    let external = volumes::external(&mut keys);
    let (name, name_is_fixed) = volumes::real_name(key, name, &external, project);
    let network = Network {
        name,
        name_is_fixed,
        external: external.is_set(),
        driver: keys.text("driver"),
        driver_opts: keys.labels("driver_opts"),
        internal: keys.flag("internal"),
        attachable: keys.flag("attachable"),
        enable_ipv6: keys.boolean("enable_ipv6"),
        labels: keys.labels("labels"),
    };
    if network.external {
        let why = "has no effect: an external network exists already";
        keys.without_effect(&["ipam", "enable_ipv4"], why, path, reading);
    }
    keys.finish(path, reading);
    network
}

/// A network that has no settings: the project's default, for one.
pub(crate) fn implied(key: &str, project: &str) -> Network {
    Network {
        name: format!("{project}_{key}"),
        ..Network::default()
    }
}
