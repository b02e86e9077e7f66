//! One file over another: mappings are merged key by key, lists appended, values
//! replaced, with the exceptions that Docker Compose makes.

use crate::Rule;
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::unique;
use crate::yaml::{Entry, Map, Node, Tag, Value};

/// Puts `over` on top of `base`; both are whole files or whole services under
/// `path`. What both say differently in kind is reported.
pub(crate) fn merge(base: Node, over: Node, path: &KeyPath<'_>, reading: &mut Reading<'_>) -> Node {
    let place = over.place;
    let mut merged = over_node(Some(base), over, path, reading)
        .unwrap_or_else(|| Node::new(place, Value::Map(Map::new())));
    unique::collapse(&mut merged, path);
    merged
}

/// How two values of one key become one.
enum Way {
    /// By their kind: mappings key by key, lists appended, the rest replaced.
    Plain,
    Replace,
    /// `KEY: value` and `- KEY=value` are the same thing.
    Pairs,
    /// A text is a list of one.
    Append,
    /// A list of names is a mapping to nothing.
    Names,
    /// A list of names is a mapping to `service_started`.
    Dependencies,
    ExtraHosts,
    Build,
    Logging,
}

const WAYS: &[(&str, Way)] = &[
    ("networks.*.ipam.config", Way::Replace),
    ("networks.*.labels", Way::Pairs),
    ("services.*.annotations", Way::Pairs),
    ("services.*.build", Way::Build),
    ("services.*.build.additional_contexts", Way::Pairs),
    ("services.*.build.args", Way::Pairs),
    ("services.*.build.extra_hosts", Way::ExtraHosts),
    ("services.*.build.labels", Way::Pairs),
    ("services.*.command", Way::Replace),
    ("services.*.depends_on", Way::Dependencies),
    ("services.*.deploy.labels", Way::Pairs),
    ("services.*.dns", Way::Append),
    ("services.*.dns_search", Way::Append),
    ("services.*.entrypoint", Way::Replace),
    ("services.*.env_file", Way::Append),
    ("services.*.environment", Way::Pairs),
    ("services.*.extra_hosts", Way::ExtraHosts),
    ("services.*.healthcheck.test", Way::Replace),
    ("services.*.label_file", Way::Append),
    ("services.*.labels", Way::Pairs),
    ("services.*.logging", Way::Logging),
    ("services.*.models", Way::Names),
    ("services.*.networks", Way::Names),
    ("services.*.sysctls", Way::Pairs),
    ("services.*.tmpfs", Way::Append),
    ("volumes.*.labels", Way::Pairs),
];

fn way(path: &KeyPath<'_>) -> &'static Way {
    WAYS.iter()
        .find(|(pattern, _)| path.matches(pattern))
        .map_or(&Way::Plain, |(_, way)| way)
}

/// `None`: the key goes away.
fn over_node(
    base: Option<Node>,
    over: Node,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Option<Node> {
    match over.tag {
        Tag::Reset => return None,
        Tag::Override => return Some(settled(over)),
        Tag::None => {}
    }
    let Some(base) = base else {
        return Some(settled(over));
    };
    let way = way(path);
    if over.is_null() {
        // Nothing written keeps what was there, except where nothing means
        // "the image's own".
        return Some(if matches!(way, Way::Replace) {
            over
        } else {
            base
        });
    }
    if base.is_null() {
        return Some(settled(over));
    }
    Some(match way {
        Way::Replace => settled(over),
        Way::Plain => plain(base, over, path, reading),
        Way::Pairs => pairs_over(base, over),
        Way::Append => appended(listed(base), listed(settled(over))),
        Way::ExtraHosts => appended(host_list(base), host_list(settled(over))),
        Way::Names => plain(named(base, None), named(over, None), path, reading),
        Way::Dependencies => plain(
            named(base, Some("service_started")),
            named(over, Some("service_started")),
            path,
            reading,
        ),
        Way::Build => plain(build_map(base), build_map(over), path, reading),
        Way::Logging => {
            let driver = |node: &Node| node.get("driver").and_then(Node::scalar_text);
            match (driver(&base), driver(&over)) {
                // The options belong to the driver.
                (Some(earlier), Some(later)) if earlier != later => settled(over),
                _ => plain(base, over, path, reading),
            }
        }
    })
}

fn plain(base: Node, over: Node, path: &KeyPath<'_>, reading: &mut Reading<'_>) -> Node {
    match (base.value, over.value) {
        (Value::Map(base), Value::Map(over_map)) => {
            let merged = map_over(base, over_map, path, reading);
            Node::new(over.place, Value::Map(merged))
        }
        (Value::List(mut items), Value::List(more)) => {
            items.extend(more.into_iter().filter_map(kept));
            Node::new(over.place, Value::List(items))
        }
        (Value::Map(_), value @ Value::List(_)) | (Value::List(_), value @ Value::Map(_)) => {
            let over = Node::new(over.place, value);
            reading.problem(
                Rule::Invalid,
                over.place,
                path,
                format!(
                    "{} cannot be merged with what an earlier file says",
                    over.describe()
                ),
                Some("Use the same form in both files, or !override to replace it."),
            );
            over
        }
        (_, value) => Node {
            substituted: over.substituted,
            ..Node::new(over.place, value)
        },
    }
}

fn map_over(mut base: Map, over: Map, path: &KeyPath<'_>, reading: &mut Reading<'_>) -> Map {
    for (key, entry) in over {
        let here = path.key(&key);
        let earlier = base.get_mut(&key).map(|slot| {
            let nothing = Node::new(slot.node.place, Value::Null);
            std::mem::replace(&mut slot.node, nothing)
        });
        let merged = if key.starts_with("x-") {
            kept(entry.node)
        } else {
            over_node(earlier, entry.node, &here, reading)
        };
        match merged {
            Some(node) => {
                let entry = Entry {
                    place: entry.place,
                    node,
                };
                base.insert(key, entry);
            }
            None => {
                base.shift_remove(&key);
            }
        }
    }
    base
}

/// A value without tags in it: what is reset is gone.
fn settled(node: Node) -> Node {
    let value = match node.value {
        Value::Map(map) => Value::Map(
            map.into_iter()
                .filter_map(|(key, entry)| {
                    let place = entry.place;
                    kept(entry.node).map(|node| (key, Entry { place, node }))
                })
                .collect(),
        ),
        Value::List(items) => Value::List(items.into_iter().filter_map(kept).collect()),
        value => value,
    };
    Node {
        tag: Tag::None,
        value,
        ..node
    }
}

fn kept(node: Node) -> Option<Node> {
    (node.tag != Tag::Reset).then(|| settled(node))
}

/// `- KEY=value` items as a mapping; anything else as it is.
pub(crate) fn pairs(node: Node) -> Node {
    let Value::List(items) = node.value else {
        return node;
    };
    if !items.iter().all(|item| item.as_text().is_some()) {
        return Node {
            value: Value::List(items),
            ..node
        };
    }
    let mut map = Map::new();
    for item in items {
        let text = item.as_text().unwrap_or_default();
        let (key, value) = match text.split_once('=') {
            Some((key, value)) => (key, Value::Text(value.to_owned())),
            None => (text, Value::Null),
        };
        let entry = Entry {
            place: item.place,
            node: Node {
                substituted: item.substituted,
                ..Node::new(item.place, value)
            },
        };
        map.insert(key.to_owned(), entry);
    }
    Node::new(node.place, Value::Map(map))
}

fn pairs_over(base: Node, over: Node) -> Node {
    let (base, over) = (pairs(base), pairs(over));
    match (base.value, over.value) {
        (Value::Map(mut map), Value::Map(more)) => {
            for (key, entry) in more {
                if entry.node.tag == Tag::Reset {
                    map.shift_remove(&key);
                } else {
                    map.insert(key, entry);
                }
            }
            Node::new(over.place, Value::Map(map))
        }
        // Of the wrong kind: the check says so.
        (_, value) => Node::new(over.place, value),
    }
}

fn listed(node: Node) -> Node {
    match node.value {
        Value::List(_) => node,
        _ => Node::new(node.place, Value::List(vec![node])),
    }
}

/// Both lists; what the first has already is not repeated.
fn appended(base: Node, over: Node) -> Node {
    let (Value::List(mut items), Value::List(more)) = (base.value, over.value) else {
        return Node::new(over.place, Value::Null);
    };
    for item in more {
        if !items.iter().any(|known| known.same(&item)) {
            items.push(item);
        }
    }
    Node::new(over.place, Value::List(items))
}

/// `host: address` entries as `host=address` items.
fn host_list(node: Node) -> Node {
    let Value::Map(map) = node.value else {
        return listed(node);
    };
    let mut items = Vec::new();
    for (host, entry) in map {
        match entry.node.value {
            Value::List(addresses) => {
                for address in addresses {
                    let text = address.scalar_text().unwrap_or_default();
                    items.push(Node::text(address.place, format!("{host}={text}")));
                }
            }
            _ => {
                let text = entry.node.scalar_text().unwrap_or_default();
                items.push(Node::text(entry.node.place, format!("{host}={text}")));
            }
        }
    }
    Node::new(node.place, Value::List(items))
}

fn named(node: Node, condition: Option<&str>) -> Node {
    let Value::List(items) = node.value else {
        return node;
    };
    let mut map = Map::new();
    for item in items {
        let Some(name) = item.as_text() else {
            continue;
        };
        let value = match condition {
            None => Value::Null,
            Some(condition) => {
                let entry = Entry {
                    place: item.place,
                    node: Node::text(item.place, condition),
                };
                Value::Map(Map::from([("condition".to_owned(), entry)]))
            }
        };
        let entry = Entry {
            place: item.place,
            node: Node::new(item.place, value),
        };
        map.insert(name.to_owned(), entry);
    }
    Node::new(node.place, Value::Map(map))
}

fn build_map(node: Node) -> Node {
    if node.as_text().is_none() {
        return node;
    }
    let place = node.place;
    let entry = Entry { place, node };
    Node::new(
        place,
        Value::Map(Map::from([("context".to_owned(), entry)])),
    )
}
