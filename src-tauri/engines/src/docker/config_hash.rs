use bollard::models::ContainerCreateBody;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::isolate::hex;

/// A digest of what a thing is made from: equal exactly when the engine would be
/// asked for the same.
pub(super) fn of(made_from: &impl Serialize) -> String {
    // Serialising the engine's own request types cannot fail; were it to, the
    // empty value would still be stable.
    let value = serde_json::to_value(made_from).unwrap_or_default();
    let mut text = String::new();
    write_sorted(&value, &mut text);
    hex(&Sha256::digest(text.as_bytes()))
}

/// A digest of a container, its further networks included. Whatever differs
/// between two operations on an unchanged file (labels of the operation, URLs of
/// other services) must not be in `body` yet.
pub(super) fn of_container(
    body: &ContainerCreateBody,
    further_networks: &impl Serialize,
) -> String {
    of(&(body, further_networks))
}

/// JSON with the keys of every object in order: the engine's types hold hash maps.
fn write_sorted(value: &Value, text: &mut String) {
    match value {
        Value::Object(entries) => {
            let mut keys: Vec<&String> = entries.keys().collect();
            keys.sort();
            text.push('{');
            for key in keys {
                text.push_str(&Value::String(key.clone()).to_string());
                text.push(':');
                write_sorted(&entries[key], text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write_sorted(item, text);
                text.push(',');
            }
            text.push(']');
        }
        other => text.push_str(&other.to_string()),
    }
}
