use std::path::{Path, PathBuf};

use berth_core::Problem;
use berth_core::view::{Detection, GitRef, Service};
use tauri::path::BaseDirectory;
use tauri::{AppHandle, Manager, State};

use crate::example;
use crate::opened::Opened;

#[tauri::command]
pub(crate) async fn detect(opened: State<'_, Opened>, path: String) -> Result<Detection, Problem> {
    opened.berth().await?.detect(Path::new(&path)).await
}

/// `location` is a folder or a git URL.
#[tauri::command]
pub(crate) async fn add_service(
    opened: State<'_, Opened>,
    location: String,
    compose_path: Option<String>,
    name: Option<String>,
) -> Result<Service, Problem> {
    opened
        .berth()
        .await?
        .add_service(&location, compose_path.as_deref(), name.as_deref())
        .await
}

/// Adds the example that comes with Berth.
#[tauri::command]
pub(crate) async fn add_example(
    app: AppHandle,
    opened: State<'_, Opened>,
) -> Result<Service, Problem> {
    let berth = opened.berth().await?;
    let bundled = bundled_example(&app)?;
    let data_folder = berth.data_folder().to_owned();
    let place =
        tauri::async_runtime::spawn_blocking(move || example::place(&bundled, &data_folder))
            .await
            .map_err(|error| {
                Problem::internal("copying the example broke off").caused_by(&error)
            })??;
    berth
        .add_service(&place.to_string_lossy(), None, Some("hello"))
        .await
}

#[tauri::command]
pub(crate) async fn remove_service(opened: State<'_, Opened>, id: String) -> Result<(), Problem> {
    opened.berth().await?.remove_service(&id).await
}

#[tauri::command]
pub(crate) async fn git_refs(
    opened: State<'_, Opened>,
    service_id: String,
) -> Result<Vec<GitRef>, Problem> {
    opened.berth().await?.git_refs(&service_id).await
}

/// Where the example is before it is copied: among the program's resources, or,
/// in a build that is not for users, in the checkout that it was built from.
fn bundled_example(app: &AppHandle) -> Result<PathBuf, Problem> {
    if cfg!(debug_assertions) {
        return Ok(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/hello"));
    }
    app.path()
        .resolve("examples/hello", BaseDirectory::Resource)
        .map_err(|error| {
            Problem::internal("the folder of Berth's resources is unknown").caused_by(&error)
        })
}
