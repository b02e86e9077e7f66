//! An override beside the workspace's handler, field by field. Pure.

use std::collections::BTreeMap;

use berth_contracts::documents::HandlerConfig;
use serde_json::Value;

use super::titles;
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
    let own = fields(Some(own))?;
    let mut others = by_pointer(fields(workspace)?);
    let copied = by_pointer(fields(copied_from)?);
    let mut compared: Vec<ComparedField> = own
        .into_iter()
        .map(|(pointer, own)| {
            let workspace = others.remove(&pointer);
            field(pointer, workspace, Some(own), &copied)
        })
        .collect();
    compared.extend(
        others
            .into_iter()
            .map(|(pointer, workspace)| field(pointer, Some(workspace), None, &copied)),
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
    let compared = compare(own, Some(workspace), None)?;
    Ok(compared
        .iter()
        .filter(|field| field.origin != Origin::Workspace)
        .count())
}

fn field(
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
        title: titles::of(&pointer),
        pointer,
        workspace,
        own,
        origin,
    }
}

fn by_pointer(fields: Vec<(String, Value)>) -> BTreeMap<String, Value> {
    fields.into_iter().collect()
}

/// The values of a document by pointer, first to last; an empty list or object is
/// a value.
fn fields(config: Option<&HandlerConfig>) -> Result<Vec<(String, Value)>, Problem> {
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
pub(super) fn leaves(pointer: String, value: Value, into: &mut Vec<(String, Value)>) {
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
