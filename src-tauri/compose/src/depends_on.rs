use indexmap::IndexMap;

use crate::model::{Condition, Dependency};
use crate::scalars;
use crate::yaml::{Node, Value};

/// Reads `depends_on:`.
pub(crate) fn read(node: &Node) -> IndexMap<String, Dependency> {
    match &node.value {
        Value::List(items) => items
            .iter()
            .filter_map(Node::scalar_text)
            .map(|name| (name, started(false)))
            .collect(),
        Value::Map(map) => map
            .iter()
            .map(|(name, entry)| (name.clone(), dependency(&entry.node)))
            .collect(),
        _ => IndexMap::new(),
    }
}

/// A dependency that only has to run.
pub(crate) fn started(restart: bool) -> Dependency {
    Dependency {
        condition: Condition::ServiceStarted,
        required: true,
        restart,
    }
}

fn dependency(node: &Node) -> Dependency {
    let boolean = |key: &str| node.get(key).and_then(scalars::boolean);
    Dependency {
        condition: match node.get("condition").and_then(Node::as_text) {
            Some("service_healthy") => Condition::ServiceHealthy,
            Some("service_completed_successfully") => Condition::ServiceCompletedSuccessfully,
            // The check has refused everything else.
            _ => Condition::ServiceStarted,
        },
        required: boolean("required").unwrap_or(true),
        restart: boolean("restart").unwrap_or(false),
    }
}
