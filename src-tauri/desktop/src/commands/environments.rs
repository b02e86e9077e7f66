use berth_core::Problem;
use berth_core::view::{Environment, EnvironmentDetail, Lifetime, Snapshot, UpRequest};
use tauri::State;

use crate::opened::Opened;
use crate::operations::Operations;

#[tauri::command]
pub(crate) async fn snapshot(opened: State<'_, Opened>) -> Result<Snapshot, Problem> {
    opened.berth().await?.snapshot().await
}

#[tauri::command]
pub(crate) async fn environment_detail(
    opened: State<'_, Opened>,
    id: String,
) -> Result<EnvironmentDetail, Problem> {
    opened.berth().await?.environment(&id).await
}

/// Returns the environment's id once it is recorded.
#[tauri::command]
pub(crate) async fn up(
    opened: State<'_, Opened>,
    operations: State<'_, Operations>,
    request: UpRequest,
) -> Result<String, Problem> {
    let berth = opened.berth().await?;
    let running = Box::pin(berth.up(request)).await?;
    Ok(operations.keep(running))
}

/// Returns the environment's id once the new operation is recorded.
#[tauri::command]
pub(crate) async fn retry(
    opened: State<'_, Opened>,
    operations: State<'_, Operations>,
    environment_id: String,
) -> Result<String, Problem> {
    let running = opened.berth().await?.retry(&environment_id).await?;
    Ok(operations.keep(running))
}

/// Returns the environment's id once the new operation is recorded.
#[tauri::command]
pub(crate) async fn tear_down(
    opened: State<'_, Opened>,
    operations: State<'_, Operations>,
    environment_id: String,
) -> Result<String, Problem> {
    let running = opened.berth().await?.tear_down(&environment_id).await?;
    Ok(operations.keep(running))
}

#[tauri::command]
pub(crate) async fn cancel(
    opened: State<'_, Opened>,
    environment_id: String,
) -> Result<(), Problem> {
    opened.berth().await?.cancel(&environment_id).await
}

#[tauri::command]
pub(crate) async fn extend(
    opened: State<'_, Opened>,
    environment_id: String,
    lifetime: Lifetime,
) -> Result<Environment, Problem> {
    opened
        .berth()
        .await?
        .extend(&environment_id, lifetime)
        .await
}
