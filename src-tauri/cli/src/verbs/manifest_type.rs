//! `berth type`

use berth_contracts::documents::{
    CustomManifestType, ManifestTypeSource, UpsertCustomManifestType,
};
use serde::Serialize;

use super::open_berth;
use crate::args::ManifestTypeVerb;
use crate::failure::Failure;
use crate::log_text::plain;
use crate::output::Output;
use crate::table;

#[derive(Serialize)]
struct Listed<'a> {
    types: &'a [CustomManifestType],
}

#[derive(Serialize)]
struct One<'a> {
    r#type: &'a CustomManifestType,
}

#[derive(Serialize)]
struct Removed<'a> {
    removed: &'a str,
}

pub(super) async fn run(verb: ManifestTypeVerb, output: &Output) -> Result<(), Failure> {
    match verb {
        ManifestTypeVerb::Ls => list(output).await,
        ManifestTypeVerb::Set {
            id,
            label,
            hint,
            description,
        } => {
            let content = UpsertCustomManifestType {
                label,
                accepts_input_hint: hint,
                description,
            };
            let set = open_berth().await?.set_manifest_type(&id, content).await?;
            if output.is_json() {
                return output.object(&One { r#type: &set });
            }
            output.line(&format!("{}  {}", set.manifest_id, plain(&set.label)))
        }
        ManifestTypeVerb::Rm { id } => {
            open_berth().await?.remove_manifest_type(&id).await?;
            if output.is_json() {
                return output.object(&Removed { removed: &id });
            }
            output.line(&format!(
                "{} is removed. Services and handlers that name it stay as they are.",
                plain(&id)
            ))
        }
    }
}

async fn list(output: &Output) -> Result<(), Failure> {
    let types = open_berth().await?.manifest_types().await?;
    if output.is_json() {
        return output.object(&Listed { types: &types });
    }
    if types.is_empty() {
        output.note("No manifest types yet. Add one with: berth type set ID --label TEXT");
        return Ok(());
    }
    let text = |text: &Option<String>| text.as_deref().map_or_else(|| "-".to_owned(), plain);
    let rows: Vec<Vec<String>> = types
        .iter()
        .map(|one| {
            vec![
                one.manifest_id.clone(),
                plain(&one.label),
                match one.source {
                    ManifestTypeSource::Registered => "comes with Berth",
                    ManifestTypeSource::Workspace => "this workspace",
                }
                .to_owned(),
                text(&one.accepts_input_hint),
                text(&one.description),
            ]
        })
        .collect();
    for line in table::lines(&["ID", "LABEL", "FROM", "HINT", "DESCRIPTION"], &rows) {
        output.line(&line)?;
    }
    Ok(())
}
