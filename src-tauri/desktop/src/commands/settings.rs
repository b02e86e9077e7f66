use berth_core::Problem;
use berth_core::view::Settings;
use tauri::State;

use crate::opened::Opened;

/// The folder that state lives in, to be shown.
#[tauri::command]
pub(crate) async fn data_folder(opened: State<'_, Opened>) -> Result<String, Problem> {
    let berth = opened.berth().await?;
    Ok(berth.data_folder().display().to_string())
}

#[tauri::command]
pub(crate) async fn settings(opened: State<'_, Opened>) -> Result<Settings, Problem> {
    opened.berth().await?.settings().await
}

#[tauri::command]
pub(crate) async fn set_activity_days(
    opened: State<'_, Opened>,
    days: u32,
) -> Result<Settings, Problem> {
    opened.berth().await?.set_activity_days(days).await
}
