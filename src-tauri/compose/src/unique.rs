//! Lists whose items have an identity: of two with the same one the later stays,
//! in the place of the earlier.

use std::collections::HashMap;

use crate::mounts;
use crate::place::KeyPath;
use crate::yaml::{Node, Value};

/// Collapses such lists in a file (`path` is the root) or in one service.
pub(crate) fn collapse(node: &mut Node, path: &KeyPath<'_>) {
    match path {
        KeyPath::Root => {
            let Some(services) = node
                .as_map_mut()
                .and_then(|file| file.get_mut("services"))
                .and_then(|services| services.node.as_map_mut())
            else {
                return;
            };
            for entry in services.values_mut() {
                collapse_service(&mut entry.node);
            }
        }
        _ => collapse_service(node),
    }
}

type Identity = fn(&Node) -> Option<String>;

const LISTS: &[(&str, Identity)] = &[
    ("annotations", before_equals),
    ("cap_add", before_equals),
    ("cap_drop", before_equals),
    ("configs", config_target),
    ("devices", device_target),
    ("dns", Node::scalar_text),
    ("dns_opt", Node::scalar_text),
    ("dns_search", Node::scalar_text),
    ("env_file", env_file_path),
    ("environment", before_equals),
    ("expose", Node::scalar_text),
    ("labels", before_equals),
    ("links", Node::scalar_text),
    ("ports", port),
    ("profiles", Node::scalar_text),
    ("secrets", secret_target),
    ("security_opt", Node::scalar_text),
    ("sysctls", before_equals),
    ("tmpfs", Node::scalar_text),
    ("volumes", mount_target),
];

fn collapse_service(service: &mut Node) {
    let Some(keys) = service.as_map_mut() else {
        return;
    };
    for (key, identity) in LISTS {
        if let Some(entry) = keys.get_mut(*key) {
            collapse_list(&mut entry.node, *identity);
        }
    }
    if let Some(build) = keys
        .get_mut("build")
        .and_then(|entry| entry.node.as_map_mut())
    {
        for key in ["args", "labels", "additional_contexts"] {
            if let Some(entry) = build.get_mut(key) {
                collapse_list(&mut entry.node, before_equals);
            }
        }
        for key in ["tags", "platforms"] {
            if let Some(entry) = build.get_mut(key) {
                collapse_list(&mut entry.node, Node::scalar_text);
            }
        }
    }
    if let Some(networks) = keys
        .get_mut("networks")
        .and_then(|entry| entry.node.as_map_mut())
    {
        for network in networks.values_mut() {
            for key in ["aliases", "link_local_ips"] {
                let list = network.node.as_map_mut().and_then(|map| map.get_mut(key));
                if let Some(entry) = list {
                    collapse_list(&mut entry.node, Node::scalar_text);
                }
            }
        }
    }
}

fn collapse_list(node: &mut Node, identity: Identity) {
    let Value::List(items) = &mut node.value else {
        return;
    };
    let mut places: HashMap<String, usize> = HashMap::with_capacity(items.len());
    let mut collapsed: Vec<Node> = Vec::with_capacity(items.len());
    for item in items.drain(..) {
        match identity(&item) {
            Some(name) => match places.get(&name) {
                Some(&place) => collapsed[place] = item,
                None => {
                    places.insert(name, collapsed.len());
                    collapsed.push(item);
                }
            },
            None => collapsed.push(item),
        }
    }
    *items = collapsed;
}

fn before_equals(item: &Node) -> Option<String> {
    let text = item.as_text()?;
    Some(text.split_once('=').map_or(text, |(key, _)| key).to_owned())
}

fn env_file_path(item: &Node) -> Option<String> {
    match item.get("path") {
        Some(path) => path.scalar_text(),
        None => item.scalar_text(),
    }
}

fn mount_target(item: &Node) -> Option<String> {
    match item.as_text() {
        Some(text) => Some(mounts::split_short(text).target),
        None => item.get("target")?.as_text().map(mounts::clean_target),
    }
}

fn device_target(item: &Node) -> Option<String> {
    if let Some(text) = item.as_text() {
        let mut parts = text.split(':');
        let source = parts.next()?;
        return Some(parts.next().unwrap_or(source).to_owned());
    }
    match item.get("target") {
        Some(target) => target.scalar_text(),
        None => item.get("source")?.scalar_text(),
    }
}

fn granted(item: &Node, folder: &str) -> Option<String> {
    match item.as_text() {
        Some(name) => Some(format!("{folder}/{name}")),
        None => match item.get("target") {
            Some(target) => target.scalar_text(),
            None => Some(format!("{folder}/{}", item.get("source")?.scalar_text()?)),
        },
    }
}

fn config_target(item: &Node) -> Option<String> {
    granted(item, "")
}

fn secret_target(item: &Node) -> Option<String> {
    granted(item, "/run/secrets")
}

fn port(item: &Node) -> Option<String> {
    if item.as_map().is_none() {
        return item.scalar_text();
    }
    let part = |key: &str| item.get(key).and_then(Node::scalar_text);
    let host = part("host_ip").unwrap_or_else(|| "0.0.0.0".to_owned());
    let protocol = part("protocol").unwrap_or_else(|| "tcp".to_owned());
    let published = part("published").unwrap_or_default();
    Some(format!("{host}:{published}:{}/{protocol}", part("target")?))
}
