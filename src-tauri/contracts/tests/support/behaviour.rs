//! Runs the cases of `tests/data/contract/behaviour.jsonl`: what a function of the contract gives for
//! some arguments. Each crate's tests run those of the functions that it has.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

use super::same;

/// A function of the contract by its name there. It gives the result, or the message of its error.
pub(crate) type Function = (&'static str, fn(&[Value]) -> Result<Value, String>);

/// A case in which Berth does something else on purpose, and why.
pub(crate) type Difference = (&'static str, &'static str);

/// The functions that core has; its tests run their cases.
pub(crate) const OF_CORE: [&str; 7] = [
    "aggregateCustomManifestTypes",
    "parseComposeEnvConfig",
    "redactSecrets",
    "resolveInfraHandler",
    "resolveProjectName",
    "sanitizeProjectName",
    "shortHash",
];

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(rename = "fn")]
    function: String,
    args: Vec<Value>,
    /// An error, where there is none.
    #[serde(default, deserialize_with = "present")]
    result: Option<Value>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

fn cases() -> Vec<Case> {
    super::lines("behaviour.jsonl")
}

/// The names of all functions.
pub(crate) fn names() -> BTreeSet<String> {
    cases().into_iter().map(|case| case.function).collect()
}

/// Panics unless every case of these functions has its result, or is a difference that is known.
pub(crate) fn agree(functions: &[Function], differences: &[Difference]) {
    let (mut run, mut differ, mut wrong) = (0, BTreeSet::new(), Vec::new());
    for case in cases() {
        let Some((_, function)) = functions.iter().find(|(name, _)| *name == case.function) else {
            continue;
        };
        run += 1;
        let ours = function(&case.args);
        let agrees = match (&ours, &case.result) {
            (Ok(ours), Some(theirs)) => same(ours, theirs),
            (Err(_), None) => true,
            _ => false,
        };
        if agrees {
            continue;
        }
        if differences.iter().any(|(id, _)| *id == case.id) {
            differ.insert(case.id);
        } else {
            wrong.push(format!(
                "{}: {ours:?} instead of {:?}",
                case.id, case.result
            ));
        }
    }
    println!("{run} cases: {} differ on purpose", differ.len());
    assert_eq!(wrong, [""; 0]);
    let listed: BTreeSet<_> = differences.iter().map(|(id, _)| (*id).to_owned()).collect();
    assert_eq!(differ, listed, "a difference that is listed is gone");
}
