use berth_core::Problem;
use tauri::State;

use crate::opened::Opened;

/// The folder that state lives in, to be shown.
#[tauri::command]
pub(crate) async fn data_folder(opened: State<'_, Opened>) -> Result<String, Problem> {
    let berth = opened.berth().await?;
    Ok(berth.data_folder().display().to_string())
}
