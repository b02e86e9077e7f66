//! The cases of `tests/data/contract/cases.jsonl`, and what the tests ask of any document.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::panic, clippy::print_stdout, clippy::unwrap_used)]

pub(crate) mod behaviour;
pub(crate) mod properties;
pub(crate) mod typed;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) schema: String,
    pub(crate) input: Value,
    pub(crate) valid: bool,
    #[serde(default)]
    pub(crate) output: Value,
    #[serde(default)]
    pub(crate) issues: Vec<Expected>,
}

#[derive(Deserialize)]
pub(crate) struct Expected {
    pub(crate) path: String,
    pub(crate) kind: String,
}

pub(crate) fn cases() -> Vec<Case> {
    lines("cases.jsonl")
}

/// A file of `tests/data/contract` with a JSON value in each line.
pub(crate) fn lines<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/contract");
    std::fs::read_to_string(format!("{folder}/{name}"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Numbers are doubles: `1` and `1.0` are one number.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}
