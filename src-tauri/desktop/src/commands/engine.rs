use berth_core::Problem;
use berth_core::view::EngineStatus;
use tauri::State;

use crate::opened::Opened;

#[tauri::command]
pub(crate) async fn engine_status(opened: State<'_, Opened>) -> Result<EngineStatus, Problem> {
    Ok(opened.berth().await?.engine_status().await)
}
