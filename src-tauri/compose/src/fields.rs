use indexmap::IndexMap;

use crate::place::{KeyPath, Place};
use crate::reading::Reading;
use crate::yaml::{Map, Node, Value};
use crate::{Rule, bytes, durations, scalars};

/// The keys of one mapping while they are read. Every key must be taken: what is
/// left at the end was not understood, and is refused. So no key can be ignored
/// by oversight.
pub(crate) struct Fields<'n> {
    map: &'n Map,
    taken: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    /// `None`: not a mapping.
    pub(crate) fn of(node: &'n Node) -> Option<Self> {
        Some(Self {
            map: node.as_map()?,
            taken: Vec::new(),
        })
    }

    /// The value of a key, even an empty one.
    pub(crate) fn take_any(&mut self, key: &'static str) -> Option<&'n Node> {
        self.taken.push(key);
        self.map.get(key).map(|entry| &entry.node)
    }

    /// The value of a key; an empty one counts as not written.
    pub(crate) fn take(&mut self, key: &'static str) -> Option<&'n Node> {
        self.take_any(key).filter(|node| !node.is_null())
    }

    pub(crate) fn text(&mut self, key: &'static str) -> Option<String> {
        self.take(key)?.scalar_text()
    }

    pub(crate) fn boolean(&mut self, key: &'static str) -> Option<bool> {
        scalars::boolean(self.take(key)?)
    }

    pub(crate) fn flag(&mut self, key: &'static str) -> bool {
        self.boolean(key).unwrap_or(false)
    }

    pub(crate) fn integer(&mut self, key: &'static str) -> Option<i64> {
        scalars::integer(self.take(key)?)
    }

    /// Nanoseconds.
    pub(crate) fn duration(&mut self, key: &'static str) -> Option<i64> {
        durations::parse(self.take(key)?.as_text()?)
    }

    /// Bytes.
    pub(crate) fn bytes(&mut self, key: &'static str) -> Option<i64> {
        bytes_of(self.take(key)?)
    }

    /// A list of scalars, or one scalar, as texts.
    pub(crate) fn texts(&mut self, key: &'static str) -> Vec<String> {
        self.take(key).map(texts_of).unwrap_or_default()
    }

    /// `KEY: value` or `- KEY=value`.
    pub(crate) fn pairs(&mut self, key: &'static str) -> IndexMap<String, Option<String>> {
        self.take(key).map(pairs_of).unwrap_or_default()
    }

    /// Pairs in which nothing stands for an empty text.
    pub(crate) fn labels(&mut self, key: &'static str) -> IndexMap<String, String> {
        let pairs = self.pairs(key).into_iter();
        pairs
            .map(|(key, value)| (key, value.unwrap_or_default()))
            .collect()
    }

    /// Takes keys that change nothing on this engine, and says so (`why`) when one is
    /// written.
    pub(crate) fn without_effect(
        &mut self,
        keys: &[&'static str],
        why: &str,
        path: &KeyPath<'_>,
        reading: &mut Reading<'_>,
    ) {
        for key in keys {
            let Some(node) = self.take(key) else {
                continue;
            };
            reading.warn(Rule::Unsupported, node.place, &path.key(key), why, None);
        }
    }

    /// Refuses every key that was not taken.
    pub(crate) fn finish(self, path: &KeyPath<'_>, reading: &mut Reading<'_>) {
        for (key, entry) in self.map {
            let is_empty = match &entry.node.value {
                Value::Null => true,
                Value::List(items) => items.is_empty(),
                Value::Map(map) => map.is_empty(),
                _ => false,
            };
            if is_empty || key.starts_with("x-") || self.taken.contains(&key.as_str()) {
                continue;
            }
            refuse(entry.place, &path.key(key), reading);
        }
    }
}

/// Why the keys that speak to Swarm change nothing.
pub(crate) const SWARM_ONLY: &str = "has no effect outside a Swarm cluster";

/// Refuses a key that Berth cannot honour.
pub(crate) fn refuse(place: Place, path: &KeyPath<'_>, reading: &mut Reading<'_>) {
    reading.problem(
        Rule::Unsupported,
        place,
        path,
        "Berth cannot honour this key yet, and does not ignore it silently",
        Some("Remove it for the preview, for example in an override file with !reset."),
    );
}

pub(crate) fn bytes_of(node: &Node) -> Option<i64> {
    match node.as_text() {
        Some(text) => bytes::parse(text),
        None => scalars::integer(node).or_else(|| {
            // A fraction of a byte is cut.
            scalars::number(node).map(|value| value as i64)
        }),
    }
}

pub(crate) fn texts_of(node: &Node) -> Vec<String> {
    match &node.value {
        Value::List(items) => items.iter().filter_map(Node::scalar_text).collect(),
        _ => node.scalar_text().into_iter().collect(),
    }
}

pub(crate) fn pairs_of(node: &Node) -> IndexMap<String, Option<String>> {
    match &node.value {
        Value::Map(map) => map
            .iter()
            .map(|(key, entry)| (key.clone(), entry.node.scalar_text()))
            .collect(),
        Value::List(items) => items
            .iter()
            .filter_map(Node::as_text)
            .map(|text| match text.split_once('=') {
                Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
                None => (text.to_owned(), None),
            })
            .collect(),
        _ => IndexMap::new(),
    }
}
