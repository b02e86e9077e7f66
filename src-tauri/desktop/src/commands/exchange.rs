//! A workspace as a file of the user's.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use berth_core::view::{DocumentFile, HandlerKey, ImportPreview};
use berth_core::{Problem, documents};
use serde::{Deserialize, Serialize};
use tauri::{AppHandle, State, WebviewWindow};
use tokio::sync::oneshot;

use super::documents::{dialog, path_of};
use super::handlers::typed;
use crate::opened::Opened;

/// What a workspace's file is proposed to be called.
const FILE_NAME: &str = "berth.workspace.json";

/// The folder of the file that was picked last: relative paths in it start there.
/// The page never names a path.
#[derive(Default)]
pub(crate) struct PickedFolder(Mutex<Option<PathBuf>>);

/// A workspace file that was picked.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PickedWorkspace {
    file: DocumentFile,
    preview: ImportPreview,
}

/// A workspace file that was written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WrittenWorkspace {
    path: String,
    warnings: Vec<String>,
}

/// Secrets that a handler of the file needs: typed in under that id.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SecretsOfHandler {
    key: HandlerKey,
    secrets_of: String,
}

/// Writes the workspace to the file that the user names; `None` when the dialog is
/// dismissed.
#[tauri::command]
pub(crate) async fn export_workspace(
    app: AppHandle,
    window: WebviewWindow,
    opened: State<'_, Opened>,
) -> Result<Option<WrittenWorkspace>, Problem> {
    let berth = opened.berth().await?;
    let (answer, named) = oneshot::channel();
    dialog(&app, &window)
        .set_title("Export the workspace")
        .set_file_name(FILE_NAME)
        .save_file(move |file| {
            // The page may be gone by the time a file is named.
            let _ = answer.send(file);
        });
    let Some(path) = path_of(named.await.ok().flatten())? else {
        return Ok(None);
    };
    let base = path.parent().map(Path::to_owned);
    let export = berth.export_workspace(base).await?;
    documents::write_document_file(&path, export.text).await?;
    Ok(Some(WrittenWorkspace {
        path: path.display().to_string(),
        warnings: export.warnings,
    }))
}

/// Reads the workspace file that the user picks, and says what importing it would
/// change; `None` when the dialog is dismissed.
#[tauri::command]
pub(crate) async fn pick_workspace_file(
    app: AppHandle,
    window: WebviewWindow,
    opened: State<'_, Opened>,
    picked_folder: State<'_, PickedFolder>,
) -> Result<Option<PickedWorkspace>, Problem> {
    let berth = opened.berth().await?;
    let (answer, picked) = oneshot::channel();
    dialog(&app, &window)
        .set_title("Import a workspace")
        .pick_file(move |file| {
            let _ = answer.send(file);
        });
    let Some(path) = path_of(picked.await.ok().flatten())? else {
        return Ok(None);
    };
    let base = path.parent().map(Path::to_owned);
    let file = documents::read_document_file(&path).await?;
    let preview = berth
        .preview_import(file.text.clone(), base.clone())
        .await?;
    *picked_folder
        .0
        .lock()
        .unwrap_or_else(PoisonError::into_inner) = base;
    Ok(Some(PickedWorkspace { file, preview }))
}

/// Takes over what the picked file says.
#[tauri::command]
pub(crate) async fn import_workspace(
    opened: State<'_, Opened>,
    picked_folder: State<'_, PickedFolder>,
    text: String,
    secrets: Vec<SecretsOfHandler>,
) -> Result<ImportPreview, Problem> {
    let berth = opened.berth().await?;
    let base = picked_folder
        .0
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let given = secrets
        .iter()
        .map(|of| {
            let secrets = typed(&berth, Some(&of.secrets_of), Vec::new());
            (of.key.clone(), secrets)
        })
        .collect();
    let imported = berth.import_workspace(text, base, given).await?;
    for of in &secrets {
        berth.forget_document_secrets(&of.secrets_of);
    }
    Ok(imported)
}
