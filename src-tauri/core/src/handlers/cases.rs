//! The contract's cases of resolution and of the catalogue.

use berth_contracts::documents::UpsertCustomManifestType;
use berth_contracts::{Engine, ProvisionType, ServiceProvisioning};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::catalogue::{RegisteredType, merged};
use super::resolve::{Row, resolve};
use crate::behaviour::Function;
use crate::store::manifest_types::ManifestType;
use crate::view::{Choice, HandlerKey, HandlerRef, HandlerScope};

pub(crate) const FUNCTIONS: &[Function] = &[
    ("aggregateCustomManifestTypes", aggregate),
    ("resolveInfraHandler", resolve_infra_handler),
];

fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// The rows of a case; each is labelled with its place in the list.
fn rows(list: &Value, scope: &HandlerScope) -> Vec<Row> {
    let rows = list.as_array().into_iter().flatten().enumerate();
    rows.map(|(place, row)| Row {
        handler: HandlerRef {
            scope: scope.clone(),
            key: HandlerKey {
                provision_type: read::<ProvisionType>(&row["provisionType"]),
                manifest_id: text(&row["manifestId"]),
            },
            label: place.to_string(),
            engine: read::<Engine>(&row["engine"]),
            accepts_manifest_id: text(&row["acceptsManifestId"]),
        },
        enabled: true,
    })
    .collect()
}

fn resolve_infra_handler(args: &[Value]) -> Result<Value, String> {
    let provisioning = ServiceProvisioning {
        manifest_id: text(&args[0]["manifestId"]),
        ..ServiceProvisioning::of(read(&args[0]["type"]))
    };
    let own = HandlerScope::User {
        user_id: "me".to_owned(),
    };
    let overrides = rows(&args[2], &own);
    let workspace = rows(&args[1], &HandlerScope::Workspace);
    Ok(
        match resolve(&provisioning, &overrides, &workspace).choice {
            Choice::NothingToRun => {
                json!({ "ok": true, "engine": "none", "handler": null, "fromUserOverride": false })
            }
            Choice::Handled { handler } => {
                let is_own = handler.scope == own;
                let list = &args[if is_own { 2 } else { 1 }];
                let place: usize = handler.label.parse().unwrap();
                json!({
                    "ok": true,
                    "engine": handler.engine,
                    "handler": list[place],
                    "fromUserOverride": is_own,
                })
            }
            Choice::NoHandler => json!({ "ok": false, "reason": "no-handler" }),
            Choice::Ambiguous { .. } => json!({ "ok": false, "reason": "type-mismatch" }),
            Choice::LocalDevOnly { .. } => return Err("for local development only".to_owned()),
        },
    )
}

fn aggregate(args: &[Value]) -> Result<Value, String> {
    let list = |at: usize| args[at].as_array().into_iter().flatten();
    let registered: Vec<RegisteredType> = list(0)
        .map(|one| RegisteredType {
            manifest_id: read(&one["manifestId"]),
            label: read(&one["label"]),
            description: text(&one["description"]),
        })
        .collect();
    let workspace: Vec<ManifestType> = list(1)
        .map(|one| ManifestType {
            manifest_id: read(&one["manifestId"]),
            content: UpsertCustomManifestType {
                label: read(&one["label"]),
                accepts_input_hint: text(&one["acceptsInputHint"]),
                description: text(&one["description"]),
            },
            created_at: 1,
            updated_at: 1,
        })
        .collect();
    Ok(json!(merged(&registered, &workspace)))
}
