use crate::Rule;
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::yaml::{Node, Value};

/// Reads `extra_hosts:` as `host:address` pairs.
pub(crate) fn read(node: &Node, path: &KeyPath<'_>, reading: &mut Reading<'_>) -> Vec<String> {
    let mut hosts = Vec::new();
    match &node.value {
        Value::Map(map) => {
            for (host, entry) in map {
                for address in crate::fields::texts_of(&entry.node) {
                    hosts.push(pair(host, &address));
                }
            }
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                let text = item.as_text().unwrap_or_default();
                match text.split_once('=').or_else(|| text.split_once(':')) {
                    Some((host, address)) if !host.is_empty() && !address.is_empty() => {
                        hosts.push(pair(host, address));
                    }
                    _ => reading.problem(
                        Rule::Invalid,
                        item.place,
                        &path.index(index),
                        format!("{} has no address", item.describe()),
                        Some("Write HOST=ADDRESS, as in \"db.test=10.0.0.5\"."),
                    ),
                }
            }
        }
        _ => {}
    }
    hosts
}

fn pair(host: &str, address: &str) -> String {
    let bare = address
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(address);
    format!("{host}:{bare}")
}
