//! The files of `tests/data/contract`, for every crate that runs their cases.

use serde::de::DeserializeOwned;
use serde_json::Value;

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
