//! `berth workspace`

use std::path::{Path, PathBuf};

use berth_core::documents;
use berth_core::view::{
    ChangedValue, HandlerKey, ImportAction, ImportChange, ImportPreview, Imported,
};
use berth_core::{Code, NewSecrets, Problem};
use serde::Serialize;
use serde_json::Value;

use super::open_berth;
use crate::args::{self, WorkspaceImport, WorkspaceVerb};
use crate::document_input;
use crate::failure::Failure;
use crate::handler_words;
use crate::log_text::plain;
use crate::output::Output;
use crate::secret_input;
use crate::stopping::until_stopped;
use crate::terminal::Terminal;
use crate::vault;

#[derive(Serialize)]
struct Exported<'a> {
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    warnings: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Taken<'a> {
    imported: bool,
    preview: &'a ImportPreview,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a Problem>,
}

pub(super) async fn run(verb: WorkspaceVerb, output: &Output) -> Result<(), Failure> {
    match verb {
        WorkspaceVerb::Export { file, force } => export(file.as_deref(), force, output).await,
        WorkspaceVerb::Import(args) => Box::pin(until_stopped(import(args, output))).await,
    }
}

async fn export(file: Option<&str>, force: bool, output: &Output) -> Result<(), Failure> {
    let file = file.filter(|file| *file != "-");
    let is_stream = file.is_some_and(|file| documents::is_stream(Path::new(file)));
    let base = match file {
        // Where what is written to a pipe will lie, only its reader knows.
        Some(file) if !is_stream => {
            if !force {
                refuse_another_file(file).await?;
            }
            Some(folder_of(file)?)
        }
        _ => None,
    };
    let exported = open_berth().await?.export_workspace(base).await?;
    if let Some(file) = file {
        documents::write_document_file(Path::new(file), exported.text.clone()).await?;
    }
    if output.is_json() {
        return output.object(&Exported {
            file,
            text: file.is_none().then_some(&exported.text),
            warnings: &exported.warnings,
        });
    }
    match file {
        // It may be where the text itself goes.
        Some(_) if is_stream => {}
        Some(file) => output.line(&format!("{file} is written."))?,
        None => output.line(exported.text.trim_end())?,
    }
    for warning in &exported.warnings {
        output.note(&format!("Note: {}", plain(warning)));
    }
    Ok(())
}

/// Refuses to replace a file that holds something else than a workspace.
async fn refuse_another_file(file: &str) -> Result<(), Problem> {
    let path = Path::new(file);
    if !path.is_file() {
        return Ok(());
    }
    let replaceable = documents::read_document_file(path)
        .await
        .is_ok_and(|there| there.text.trim().is_empty() || is_workspace_file(&there.text));
    if replaceable {
        return Ok(());
    }
    Err(Problem::new(
        Code::InvalidInput,
        format!("{file} is there already and is not a workspace file"),
    )
    .hint("Choose another name, such as berth.workspace.json, or replace it with --force."))
}

/// Whether a text says `"berth": N` at its top, whatever else it says.
fn is_workspace_file(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|text| text["berth"].is_number())
}

async fn import(args: WorkspaceImport, output: &Output) -> Result<(), Failure> {
    let from_stdin = args.file == "-";
    if from_stdin && args.secrets_from_stdin {
        return Err(document_input::both_from_stdin().into());
    }
    let document = document_input::read_aside(Some(&args.file), output).await?;
    let text = String::from_utf8(document.text).map_err(|error| {
        Problem::new(
            Code::InvalidDocument,
            format!("{} is not text in UTF-8", document.shown),
        )
        .caused_by(&error)
    })?;
    let base = if from_stdin {
        None
    } else {
        Some(folder_of(&args.file)?)
    };
    let berth = open_berth().await?;
    let preview = berth
        .preview_import(text.clone(), base.clone())
        .await
        .map_err(|problem| placed_in(&document.shown, problem))?;
    if !output.is_json() {
        for line in preview_lines(&preview) {
            output.line(&line)?;
        }
        for warning in &preview.warnings {
            output.note(&format!("Note: {}", plain(warning)));
        }
    }
    let nothing = preview
        .changes
        .iter()
        .all(|change| change.action == ImportAction::Keep);
    if args.dry_run || nothing {
        if nothing && !output.is_json() {
            output.note("Everything is here already: nothing to import.");
        }
        return said(output, false, &preview);
    }
    if !args.yes && !agreed(output, &preview).await? {
        return Err(Failure::Said(1));
    }
    let secrets = missing_secrets(&args, &preview).await?;
    let done = vault::with_secrets(&berth, async || {
        berth
            .import_workspace(text.clone(), base.clone(), secrets.clone())
            .await
    })
    .await?;
    if !output.is_json() {
        output.note("Imported. It takes effect when environments are started.");
    }
    said(output, true, &done)
}

/// The places of a document's faults, with the name of its file.
fn placed_in(file: &str, mut problem: Problem) -> Problem {
    for place in &mut problem.places {
        place.file.get_or_insert_with(|| file.to_owned());
    }
    problem
}

fn said(output: &Output, imported: bool, preview: &ImportPreview) -> Result<(), Failure> {
    if output.is_json() {
        output.object(&Taken {
            imported,
            preview,
            problem: None,
        })
    } else {
        Ok(())
    }
}

/// Whether somebody who has seen the changes wants them. Where nobody can be
/// asked, that is said.
async fn agreed(output: &Output, preview: &ImportPreview) -> Result<bool, Failure> {
    if let Some(terminal) = Terminal::find().filter(|_| !output.is_json()) {
        let agreed = terminal.confirm("Import this?").await?;
        if !agreed {
            output.note("Nothing was imported.");
        }
        return Ok(agreed);
    }
    let problem = Problem::new(Code::InvalidInput, "Nothing was imported")
        .detail("Importing changes what is shown above, and there is no terminal to ask on.")
        .hint("With --yes it is done without asking.");
    if output.is_json() {
        output.object(&Taken {
            imported: false,
            preview,
            problem: Some(&problem),
        })?;
    } else {
        output.problem(&problem);
    }
    Ok(false)
}

async fn missing_secrets(
    args: &WorkspaceImport,
    preview: &ImportPreview,
) -> Result<Vec<(HandlerKey, NewSecrets)>, Failure> {
    let wanted: Vec<(&HandlerKey, &str, Vec<String>)> = preview
        .missing_secrets
        .iter()
        .map(|missing| {
            let kind = handler_words::kind(&missing.key);
            let names = missing
                .keys
                .iter()
                .map(|name| format!("{kind}/{name}"))
                .collect();
            (&missing.key, missing.label.as_str(), names)
        })
        .collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut values = secret_input::read(args::Secrets {
        set: wanted
            .iter()
            .flat_map(|(_, _, names)| names.iter().cloned())
            .collect(),
        remove: Vec::new(),
        secrets_from_stdin: args.secrets_from_stdin,
    })
    .await?
    .set;
    Ok(wanted
        .into_iter()
        .map(|(key, _, names)| {
            let set = names
                .iter()
                .filter_map(|name| {
                    let value = values.remove(name)?;
                    Some((name.split_once('/')?.1.to_owned(), value))
                })
                .collect();
            let remove = Vec::new();
            (key.clone(), NewSecrets { set, remove })
        })
        .collect())
}

/// The folder that a file lies in, or is to lie in.
fn folder_of(file: &str) -> Result<PathBuf, Problem> {
    std::path::absolute(file)
        .ok()
        .and_then(|path| path.parent().map(Path::to_owned))
        .ok_or_else(|| Problem::new(Code::InvalidInput, format!("{file} is no file")))
}

fn preview_lines(preview: &ImportPreview) -> Vec<String> {
    let mut out = Vec::new();
    for change in &preview.changes {
        out.push(plain(&change_line(change)));
        if change.action != ImportAction::Keep {
            out.extend(change.values.iter().map(|value| plain(&value_line(value))));
        }
    }
    for missing in &preview.missing_secrets {
        out.push(plain(&format!(
            "needs   secrets of {}: {}",
            missing.label,
            missing.keys.join(", ")
        )));
    }
    out
}

/// `change  handler docker-compose (Colima)`
fn change_line(change: &ImportChange) -> String {
    let action = match change.action {
        ImportAction::Add => "add   ",
        ImportAction::Change => "change",
        ImportAction::Keep => "keep  ",
    };
    let what = match &change.what {
        Imported::Service { name } => format!("service {name}"),
        Imported::Handler { key, label } => {
            format!("handler {} ({label})", handler_words::kind(key))
        }
        Imported::ManifestType { manifest_id } => format!("manifest type {manifest_id}"),
    };
    format!("{action}  {what}")
}

/// `          /manifest/label: "A" → "B"`, and of what is new only the value.
fn value_line(value: &ChangedValue) -> String {
    if let (None, Some(after)) = (&value.before, &value.after) {
        return format!("          {}: {after}", value.pointer);
    }
    let shown = |value: &Option<Value>| {
        value
            .as_ref()
            .map_or_else(|| "-".to_owned(), ToString::to_string)
    };
    format!(
        "          {}: {} → {}",
        value.pointer,
        shown(&value.before),
        shown(&value.after)
    )
}

#[cfg(test)]
mod tests {
    use berth_contracts::ProvisionType;
    use berth_core::view::MissingSecrets;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_diff_names_what_changes_value_by_value() {
        let key = HandlerKey {
            provision_type: ProvisionType::Custom,
            manifest_id: Some("helm".to_owned()),
        };
        let value = |pointer: &str, before, after| ChangedValue {
            pointer: pointer.to_owned(),
            before,
            after,
        };
        let preview = ImportPreview {
            changes: vec![
                ImportChange {
                    what: Imported::ManifestType {
                        manifest_id: "helm".to_owned(),
                    },
                    action: ImportAction::Keep,
                    values: Vec::new(),
                },
                ImportChange {
                    what: Imported::Handler {
                        key: key.clone(),
                        label: "Charts".to_owned(),
                    },
                    action: ImportAction::Change,
                    values: vec![
                        value("/manifest/label", Some(json!("A")), Some(json!("Charts"))),
                        value(
                            "/manifest/baseUrl",
                            None,
                            Some(json!("https://charts.example")),
                        ),
                    ],
                },
                ImportChange {
                    what: Imported::Service {
                        name: "shop".to_owned(),
                    },
                    action: ImportAction::Add,
                    values: vec![value("/source/path", None, Some(json!("/srv/shop")))],
                },
            ],
            missing_secrets: vec![MissingSecrets {
                key,
                label: "Charts".to_owned(),
                keys: vec!["TOKEN".to_owned()],
            }],
            warnings: Vec::new(),
        };
        assert_eq!(
            preview_lines(&preview),
            [
                "keep    manifest type helm",
                "change  handler custom:helm (Charts)",
                "          /manifest/label: \"A\" → \"Charts\"",
                "          /manifest/baseUrl: \"https://charts.example\"",
                "add     service shop",
                "          /source/path: \"/srv/shop\"",
                "needs   secrets of Charts: TOKEN",
            ]
        );
    }
}
