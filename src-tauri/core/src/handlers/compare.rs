//! An override beside the workspace's handler, field by field. Pure.

use std::collections::BTreeMap;

use berth_contracts::Engine;
use berth_contracts::documents::HandlerConfig;
use serde_json::Value;

use super::{content, titles};
use crate::problem::Problem;
use crate::view::{ComparedField, Origin};

/// Every field that either says something in, in the order of the override's
/// document, then the workspace's others.
///
/// # Errors
/// [`crate::Code::Internal`] for a document that cannot be written.
pub(crate) fn compare(
    own: &HandlerConfig,
    workspace: Option<&HandlerConfig>,
    copied_from: Option<&HandlerConfig>,
) -> Result<Vec<ComparedField>, Problem> {
    let engine = content::engine(own);
    let (own, mut others) = sides(own, workspace)?;
    let copied = by_pointer(fields(copied_from)?);
    let mut compared: Vec<ComparedField> = own
        .into_iter()
        .map(|(pointer, own)| {
            let workspace = others.remove(&pointer);
            field(engine, pointer, workspace, Some(own), &copied)
        })
        .collect();
    compared.extend(
        others
            .into_iter()
            .map(|(pointer, workspace)| field(engine, pointer, Some(workspace), None, &copied)),
    );
    Ok(compared)
}

/// In how many fields they differ.
///
/// # Errors
/// As [`compare`].
pub(crate) fn differences(
    own: &HandlerConfig,
    workspace: &HandlerConfig,
) -> Result<usize, Problem> {
    if own == workspace {
        return Ok(0);
    }
    let (own, mut others) = sides(own, Some(workspace))?;
    let changed = own
        .into_iter()
        .filter(|(pointer, own)| others.remove(pointer).as_ref() != Some(own))
        .count();
    // Those that are left say something in the workspace's alone.
    Ok(changed + others.len())
}

type Field = (String, Value);

/// What either says, the workspace's by pointer.
fn sides(
    own: &HandlerConfig,
    workspace: Option<&HandlerConfig>,
) -> Result<(Vec<Field>, BTreeMap<String, Value>), Problem> {
    let mut own = fields(Some(own))?;
    let mut workspace = fields(workspace)?;
    // Beside something in it, being empty is not one more difference.
    let filled: Vec<String> = own
        .iter()
        .chain(&workspace)
        .map(|(at, _)| at.clone())
        .collect();
    for side in [&mut own, &mut workspace] {
        side.retain(|(pointer, value)| !(is_empty(value) && any_within(&filled, pointer)));
    }
    Ok((own, by_pointer(workspace)))
}

fn field(
    engine: Engine,
    pointer: String,
    workspace: Option<Value>,
    own: Option<Value>,
    copied: &BTreeMap<String, Value>,
) -> ComparedField {
    let origin = if own == workspace {
        Origin::Workspace
    } else if own.is_some() && own.as_ref() == copied.get(&pointer) {
        Origin::Copied
    } else {
        Origin::Own
    };
    ComparedField {
        title: titles::of(&pointer, engine),
        pointer,
        workspace,
        own,
        origin,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

fn any_within(pointers: &[String], outer: &str) -> bool {
    let inner = |pointer: &String| {
        let rest = pointer.strip_prefix(outer);
        rest.is_some_and(|rest| rest.starts_with('/'))
    };
    pointers.iter().any(inner)
}

fn by_pointer(fields: Vec<Field>) -> BTreeMap<String, Value> {
    fields.into_iter().collect()
}

/// The values of a document by pointer, first to last; an empty list or object is
/// a value.
fn fields(config: Option<&HandlerConfig>) -> Result<Vec<Field>, Problem> {
    let Some(config) = config else {
        return Ok(Vec::new());
    };
    let document = serde_json::to_value(config).map_err(|error| {
        Problem::internal("a handler's document cannot be written").caused_by(&error)
    })?;
    let mut fields = Vec::new();
    leaves(String::new(), document, &mut fields);
    Ok(fields)
}

/// Documents are at most 128 levels deep.
pub(super) fn leaves(pointer: String, value: Value, into: &mut Vec<Field>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                leaves(format!("{pointer}/{key}"), value, into);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, value) in items.into_iter().enumerate() {
                leaves(format!("{pointer}/{index}"), value, into);
            }
        }
        value => into.push((pointer, value)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    fn docker(settings: &Value) -> HandlerConfig {
        let document = json!({
            "engine": "local-docker",
            "manifest": {
                "providerId": "compose",
                "label": "Local Docker",
                "baseUrl": "http://localhost",
                "auth": { "type": "none" },
                "provision": { "method": "POST", "pathTemplate": "" },
                "response": {},
                "providerConfig": settings,
            },
        });
        serde_json::from_value(document).unwrap()
    }

    #[test]
    fn a_setting_beside_none_is_one_difference() {
        let (none, one) = (docker(&json!({})), docker(&json!({ "port": "8080" })));
        assert_eq!(differences(&one, &none).unwrap(), 1);
        assert_eq!(differences(&none, &one).unwrap(), 1);
        let compared = compare(&one, Some(&none), Some(&none)).unwrap();
        let differ: Vec<_> = compared
            .iter()
            .filter(|field| field.origin != Origin::Workspace)
            .map(|field| (&*field.pointer, &field.workspace, field.own.clone()))
            .collect();
        let port = "/manifest/providerConfig/port";
        assert_eq!(differ, [(port, &None, Some(json!("8080")))]);
        assert_eq!(differences(&none, &none).unwrap(), 0);
    }
}
