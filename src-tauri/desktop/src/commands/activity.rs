use berth_core::Problem;
use berth_core::view::{Activity, ActivityPlace};
use tauri::State;

use crate::opened::Opened;

/// Most lines that one answer carries.
const MOST: u32 = 500;

#[tauri::command]
pub(crate) async fn activity(
    opened: State<'_, Opened>,
    before: Option<ActivityPlace>,
    limit: u32,
) -> Result<Vec<Activity>, Problem> {
    opened
        .berth()
        .await?
        .activity(before, limit.min(MOST))
        .await
}
