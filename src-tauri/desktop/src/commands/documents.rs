//! The contract's documents: checked, kept, and in files of the user.

use std::collections::HashMap;
use std::path::PathBuf;

use berth_core::view::{
    ContractSchema, DocumentCheck, DocumentDraft, DocumentFile, DocumentSummary, SchemaChoice,
    SecretKey, StoredDocument,
};
use berth_core::{Code, Problem, documents};
use secrecy::SecretString;
use tauri::{AppHandle, State, WebviewWindow};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tokio::sync::oneshot;

use crate::leaving::Leaving;
use crate::opened::Opened;

/// Characters of a proposed file name.
const LONGEST_FILE_NAME: usize = 80;

#[tauri::command]
pub(crate) async fn contract_schemas() -> Vec<ContractSchema> {
    documents::contract_schemas()
}

#[tauri::command]
pub(crate) async fn contract_schema(name: String) -> Result<serde_json::Value, Problem> {
    documents::contract_schema(&name)
}

#[tauri::command]
pub(crate) async fn check_document(
    schema: SchemaChoice,
    text: String,
) -> Result<DocumentCheck, Problem> {
    documents::check_document(schema, text).await
}

#[tauri::command]
pub(crate) async fn preview_template(template: String, values: HashMap<String, String>) -> String {
    documents::preview_template(&template, &values)
}

#[tauri::command]
pub(crate) async fn documents(opened: State<'_, Opened>) -> Result<Vec<DocumentSummary>, Problem> {
    opened.berth().await?.documents().await
}

#[tauri::command]
pub(crate) async fn document(
    opened: State<'_, Opened>,
    id: String,
) -> Result<StoredDocument, Problem> {
    opened.berth().await?.document(&id).await
}

#[tauri::command]
pub(crate) async fn save_document(
    opened: State<'_, Opened>,
    document: DocumentDraft,
) -> Result<StoredDocument, Problem> {
    opened.berth().await?.save_document(document).await
}

#[tauri::command]
pub(crate) async fn delete_document(opened: State<'_, Opened>, id: String) -> Result<(), Problem> {
    opened.berth().await?.delete_document(&id).await
}

#[tauri::command]
pub(crate) async fn document_secrets(
    opened: State<'_, Opened>,
    document_id: String,
) -> Result<Vec<SecretKey>, Problem> {
    opened.berth().await?.document_secrets(&document_id).await
}

#[tauri::command]
pub(crate) async fn set_document_secret(
    opened: State<'_, Opened>,
    document_id: String,
    key: String,
    value: SecretString,
) -> Result<Vec<SecretKey>, Problem> {
    opened
        .berth()
        .await?
        .set_document_secret(&document_id, &key, value)
        .await
}

#[tauri::command]
pub(crate) async fn remove_document_secret(
    opened: State<'_, Opened>,
    document_id: String,
    key: String,
) -> Result<Vec<SecretKey>, Problem> {
    opened
        .berth()
        .await?
        .remove_document_secret(&document_id, &key)
        .await
}

/// Reads the file that the user picks; `None` when the dialog is dismissed.
#[tauri::command]
pub(crate) async fn pick_document_file(
    app: AppHandle,
    window: WebviewWindow,
) -> Result<Option<DocumentFile>, Problem> {
    let (answer, picked) = oneshot::channel();
    dialog(&app, &window)
        .set_title("Import a document")
        .pick_file(move |file| {
            // The page may be gone by the time a file is picked.
            let _ = answer.send(file);
        });
    match path_of(picked.await.ok().flatten())? {
        Some(path) => documents::read_document_file(&path).await.map(Some),
        None => Ok(None),
    }
}

/// Writes a text to the file that the user names, and returns where that is;
/// `None` when the dialog is dismissed. Nothing else decides the place.
#[tauri::command]
pub(crate) async fn export_document(
    app: AppHandle,
    window: WebviewWindow,
    text: String,
    suggested_name: String,
) -> Result<Option<String>, Problem> {
    let (answer, named) = oneshot::channel();
    dialog(&app, &window)
        .set_title("Export a document")
        .set_file_name(file_name(&suggested_name))
        .save_file(move |file| {
            let _ = answer.send(file);
        });
    let Some(path) = path_of(named.await.ok().flatten())? else {
        return Ok(None);
    };
    documents::write_document_file(&path, text).await?;
    Ok(Some(path.display().to_string()))
}

/// The page says which document has changes that are not saved, whenever that
/// changes. Not async: such words count in the order they are said in.
#[tauri::command]
pub(crate) fn note_unsaved(leaving: State<'_, Leaving>, name: Option<String>) {
    leaving.note_unsaved(name);
}

pub(super) fn dialog(app: &AppHandle, window: &WebviewWindow) -> FileDialogBuilder<tauri::Wry> {
    app.dialog()
        .file()
        .set_parent(window)
        .add_filter("JSON", &["json"])
        .add_filter("All files", &["*"])
}

pub(super) fn path_of(file: Option<FilePath>) -> Result<Option<PathBuf>, Problem> {
    file.map(FilePath::into_path).transpose().map_err(|error| {
        Problem::new(Code::InvalidInput, "That is not a file of this machine").caused_by(&error)
    })
}

/// A name without folders or what some system refuses in names; the page's word
/// is only a proposal.
fn file_name(suggested: &str) -> String {
    let name: String = suggested
        .trim_end_matches(".json")
        .chars()
        .map(|c| match c {
            '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '-',
            c if c.is_control() => '-',
            c => c,
        })
        .take(LONGEST_FILE_NAME)
        .collect();
    let name = name.trim().trim_matches('.');
    if name.is_empty() {
        "document.json".to_owned()
    } else {
        format!("{name}.json")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposed_names_lead_nowhere() {
        assert_eq!(file_name("Acme previews"), "Acme previews.json");
        assert_eq!(file_name("manifest.json"), "manifest.json");
        assert_eq!(file_name("../../.bashrc"), "-..-.bashrc.json");
        assert_eq!(file_name("C:\\a\0b"), "C--a-b.json");
        assert_eq!(file_name(" .. "), "document.json");
        assert_eq!(file_name(&"é".repeat(500)).chars().count(), 85);
    }
}
