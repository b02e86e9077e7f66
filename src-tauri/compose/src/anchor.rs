//! Paths of a file that lies in another folder than the project: made absolute, so
//! that they mean the same after the file has become part of the project.

use crate::build::is_remote;
use crate::mounts::{Folders, is_host_path};
use crate::yaml::{Map, Node, Value};

/// Anchors everything in a file.
pub(crate) fn file(file: &mut Node, folders: Folders<'_>) {
    let Some(sections) = file.as_map_mut() else {
        return;
    };
    for (section, anchor) in [
        ("services", service as fn(&mut Node, Folders<'_>)),
        ("configs", content),
        ("secrets", content),
        ("volumes", volume),
    ] {
        let entries = sections
            .get_mut(section)
            .and_then(|entry| entry.node.as_map_mut());
        for entry in entries.into_iter().flat_map(Map::values_mut) {
            anchor(&mut entry.node, folders);
        }
    }
}

/// Anchors everything in a service.
pub(crate) fn service(service: &mut Node, folders: Folders<'_>) {
    let Some(keys) = service.as_map_mut() else {
        return;
    };
    for (key, entry) in keys.iter_mut() {
        let node = &mut entry.node;
        match key.as_str() {
            "build" => build(node, folders),
            "env_file" | "label_file" => each(node, |item| {
                match item.as_map_mut().and_then(|map| map.get_mut("path")) {
                    Some(path) => text(&mut path.node, folders),
                    None => text(item, folders),
                }
            }),
            "volumes" => each(node, |item| mount(item, folders)),
            "develop" => watch(node, folders),
            _ => {}
        }
    }
}

fn each(node: &mut Node, mut anchor: impl FnMut(&mut Node)) {
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(anchor),
        _ => anchor(node),
    }
}

fn text(node: &mut Node, folders: Folders<'_>) {
    if let Value::Text(path) = &mut node.value {
        *path = folders.absolute(path).display().to_string();
    }
}

fn build(node: &mut Node, folders: Folders<'_>) {
    let context = match node.as_map_mut() {
        Some(map) => {
            let place = map.values().next().map(|entry| entry.place);
            let Some(place) = place else {
                return;
            };
            let entry = map.entry("context".to_owned());
            &mut entry
                .or_insert_with(|| crate::yaml::Entry {
                    place,
                    node: Node::text(place, "."),
                })
                .node
        }
        None => node,
    };
    if !context.as_text().is_some_and(is_remote) {
        text(context, folders);
    }
}

fn mount(item: &mut Node, folders: Folders<'_>) {
    if let Value::Text(short) = &mut item.value {
        if let Some((source, rest)) = short.split_once(':')
            && source.starts_with(['.', '~'])
            && is_host_path(source)
        {
            *short = format!("{}:{rest}", folders.absolute(source).display());
        }
        return;
    }
    if item.get("type").and_then(Node::as_text) == Some("bind")
        && let Some(source) = item.as_map_mut().and_then(|map| map.get_mut("source"))
    {
        text(&mut source.node, folders);
    }
}

fn watch(node: &mut Node, folders: Folders<'_>) {
    let rules = node.as_map_mut().and_then(|map| map.get_mut("watch"));
    if let Some(rules) = rules {
        each(&mut rules.node, |rule| {
            if let Some(path) = rule.as_map_mut().and_then(|map| map.get_mut("path")) {
                text(&mut path.node, folders);
            }
        });
    }
}

fn content(node: &mut Node, folders: Folders<'_>) {
    if let Some(file) = node.as_map_mut().and_then(|map| map.get_mut("file")) {
        text(&mut file.node, folders);
    }
}

/// The folder behind a volume that is a bind in disguise.
fn volume(node: &mut Node, folders: Folders<'_>) {
    let options = node
        .as_map_mut()
        .and_then(|map| map.get_mut("driver_opts"))
        .and_then(|entry| entry.node.as_map_mut());
    if let Some(options) = options
        && is_bind(|key| options.get(key)?.node.scalar_text())
        && let Some(device) = options.get_mut("device")
    {
        text(&mut device.node, folders);
    }
}

/// Whether driver options make a volume a bind of a folder.
pub(crate) fn is_bind(option: impl Fn(&str) -> Option<String>) -> bool {
    option("o").is_some_and(|o| o.split(',').any(|word| matches!(word, "bind" | "rbind")))
}
