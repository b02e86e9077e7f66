//! What the form calls the fields of a handler's document.

use std::sync::LazyLock;

use berth_contracts::Engine;
use serde_json::Value;

use crate::documents::contract_schema;

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| contract_schema("infraHandlerConfigSchema").unwrap_or_default());
static COMPOSE_SETTINGS: LazyLock<Value> =
    LazyLock::new(|| contract_schema("composeSettingsSchema").unwrap_or_default());

/// The titles of the field at a pointer and of what it lies in, outermost first;
/// the key itself where the contract has no title.
pub(crate) fn of(pointer: &str, engine: Engine) -> String {
    let mut schema = Some(&*SCHEMA);
    let mut root = &*SCHEMA;
    let mut titles = Vec::new();
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        let mut here = schema.and_then(|schema| member(root, schema, &step));
        // The manifest of a local handler only carries its label and its settings.
        if step == "providerConfig" && engine == Engine::LocalDocker {
            root = &COMPOSE_SETTINGS;
            here = Some(root);
        }
        schema = here;
        let title = here
            .and_then(|here| {
                here.get("title")
                    .or_else(|| resolved(root, here)?.get("title"))
            })
            .and_then(Value::as_str)
            .filter(|title| !title.is_empty());
        titles.push(title.map_or(step.clone(), str::to_owned));
    }
    if titles.len() > 1 && titles.first().is_some_and(|first| first == "Manifest") {
        titles.remove(0);
    }
    titles.join(" · ")
}

/// The schema of a key or an index below another schema.
fn member<'a>(root: &'a Value, schema: &'a Value, step: &str) -> Option<&'a Value> {
    let schema = resolved(root, schema)?;
    let below = schema
        .get("properties")
        .and_then(|properties| properties.get(step))
        .or_else(|| {
            schema
                .get("additionalProperties")
                .filter(|it| it.is_object())
        })
        .or_else(|| {
            schema
                .get("items")
                .filter(|_| step.parse::<usize>().is_ok())
        });
    if below.is_some() {
        return below;
    }
    ["oneOf", "anyOf", "allOf"]
        .iter()
        .filter_map(|word| schema.get(word)?.as_array())
        .flatten()
        .find_map(|branch| member(root, branch, step))
}

fn resolved<'a>(root: &'a Value, schema: &'a Value) -> Option<&'a Value> {
    match schema.get("$ref").and_then(Value::as_str) {
        Some(reference) => root.pointer(reference.strip_prefix('#')?),
        None => Some(schema),
    }
}

#[cfg(test)]
mod tests {
    use berth_contracts::Engine;

    use super::of;

    #[test]
    fn fields_are_called_as_in_the_form() {
        let docker = |pointer| of(pointer, Engine::LocalDocker);
        assert_eq!(docker("/manifest/label"), "Label");
        let port = "/manifest/providerConfig/port";
        assert_eq!(docker(port), "Compose settings · Port");
        assert_eq!(docker("/engine"), "engine");
        let cluster = of("/kubernetes/apiServerUrl", Engine::RemoteKubernetes);
        assert_eq!(cluster, "Cluster · API server");
        assert_eq!(of(port, Engine::RemoteCustom), "Provider settings · port");
    }
}
