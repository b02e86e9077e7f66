//! Scalars read as the type a key asks for. Texts count too, because a
//! substituted variable is always a text.

use crate::yaml::{Node, Value};

/// `true`, `"false"`, and the old `yes`, `no`, `on`, `off`.
pub(crate) fn boolean(node: &Node) -> Option<bool> {
    match &node.value {
        Value::Bool(value) => Some(*value),
        Value::Text(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "y" | "on" => Some(true),
            "false" | "no" | "n" | "off" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn integer(node: &Node) -> Option<i64> {
    match &node.value {
        Value::Int(value) => Some(*value),
        Value::Float(value) => whole(*value),
        Value::Text(text) => text.parse().ok(),
        _ => None,
    }
}

/// A float without a fraction, within the range in which floats are exact.
fn whole(value: f64) -> Option<i64> {
    // Within range by the check.
    (value.fract() == 0.0 && value.abs() < 9.0e15).then_some(value as i64)
}

pub(crate) fn number(node: &Node) -> Option<f64> {
    match &node.value {
        // No count in a compose file is that large.
        Value::Int(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        Value::Text(text) => text.parse().ok().filter(|value: &f64| value.is_finite()),
        _ => None,
    }
}
