//! Fields of a document that mean nothing. Pure.

use std::collections::BTreeSet;

use berth_contracts::{NamedSchema, Segment, pointer};
use serde_json::Value;

use crate::problem::{Code, Place, Problem};

/// Fields without a meaning that are named.
const MOST_UNKNOWN: usize = 20;

/// Pointers to what is in `input` and not in what was understood of it.
#[must_use]
pub fn left_out(input: &Value, output: &Value) -> Vec<String> {
    let mut found = Vec::new();
    walk(input, output, &mut Vec::new(), &mut found);
    found
}

/// Why a document with such fields is not taken, each with the likely name.
#[must_use]
pub fn unknown_fields(named: &NamedSchema, shown: &str, unknown: &[String]) -> Problem {
    let mut known = BTreeSet::new();
    if let Ok(schema) = super::contract_schema(named.name) {
        names(&schema, &mut known);
    }
    let mut problem = Problem::new(
        Code::InvalidInput,
        format!("{shown} has fields that do not exist"),
    )
    .hint(format!("berth schema {} shows those that do.", named.name));
    problem.places = unknown
        .iter()
        .map(|pointer| {
            let name = pointer.rsplit('/').next().unwrap_or_default();
            let likely = known
                .iter()
                .map(|known| (strsim::damerau_levenshtein(name, known), known))
                .filter(|(distance, known)| *distance <= 1 + known.len() / 5)
                .min();
            Place {
                file: None,
                line: None,
                column: None,
                key: pointer.clone(),
                message: "There is no such field.".to_owned(),
                hint: likely.map(|(_, likely)| format!("Did you mean {likely}?")),
            }
        })
        .collect();
    problem
}

/// The names of all fields that a JSON Schema describes.
fn names(schema: &Value, into: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                into.extend(properties.keys().cloned());
            }
            members.values().for_each(|member| names(member, into));
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, into)),
        _ => {}
    }
}

/// Documents are at most 128 levels deep.
fn walk(input: &Value, output: &Value, path: &mut Vec<Segment>, into: &mut Vec<String>) {
    match (input, output) {
        (Value::Object(input), Value::Object(output)) => {
            for (key, value) in input {
                if into.len() == MOST_UNKNOWN {
                    return;
                }
                let short: String = key.chars().take(80).collect();
                path.push(Segment::Key(short));
                match output.get(key) {
                    Some(meant) => walk(value, meant, path, into),
                    None => into.push(pointer(path)),
                }
                path.pop();
            }
        }
        (Value::Array(input), Value::Array(output)) => {
            for (index, (value, meant)) in input.iter().zip(output).enumerate() {
                path.push(Segment::Index(index));
                walk(value, meant, path, into);
                path.pop();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::documents::find_schema;

    #[test]
    fn unknown_fields_are_named_with_the_likely_one() {
        let input = json!({"type": "custom", "manifestPaht": "a", "list": [{"x": 1}]});
        let output = json!({"type": "custom", "list": [{}]});
        let mut unknown = left_out(&input, &output);
        unknown.sort();
        assert_eq!(unknown, ["/list/0/x", "/manifestPaht"]);
        let named = find_schema("serviceProvisioningSchema").unwrap();
        let problem = unknown_fields(named, "a.json", &unknown);
        assert_eq!(problem.places[0].hint, None);
        assert_eq!(
            problem.places[1].hint.as_deref(),
            Some("Did you mean manifestPath?")
        );
    }
}
