//! Who handles what: handlers, overrides, users and the catalogue.

use berth_contracts::ServiceProvisioning;
use berth_contracts::documents::{CustomManifestType, UpsertCustomManifestType};
use berth_core::view::{
    CheckUpdate, ComparedField, Explanation, FoundEngine, Handler, HandlerDraft, HandlerKey,
    HandlerScope, Handlers, Override, Service, User,
};
use berth_core::{Berth, NewSecrets, Problem};
use tauri::State;
use tauri::ipc::Channel;
use tokio_util::sync::CancellationToken;

use crate::opened::Opened;
use crate::streams::Streams;

#[tauri::command]
pub(crate) async fn handlers(
    opened: State<'_, Opened>,
    search: Option<String>,
) -> Result<Handlers, Problem> {
    let search = search.unwrap_or_default();
    opened.berth().await?.handlers(&search).await
}

#[tauri::command]
pub(crate) async fn explain(
    opened: State<'_, Opened>,
    service_id: String,
) -> Result<Explanation, Problem> {
    opened.berth().await?.explain(&service_id).await
}

/// What was typed in beside the form under `secrets_of` is kept with it, and then
/// forgotten here.
#[tauri::command]
pub(crate) async fn save_handler(
    opened: State<'_, Opened>,
    draft: HandlerDraft,
    secrets_of: Option<String>,
    remove_secrets: Vec<String>,
) -> Result<Handler, Problem> {
    let berth = opened.berth().await?;
    let secrets = typed(&berth, secrets_of.as_deref(), remove_secrets);
    let saved = berth.save_handler(draft, secrets).await?;
    if let Some(id) = secrets_of {
        berth.forget_document_secrets(&id);
    }
    Ok(saved)
}

#[tauri::command]
pub(crate) async fn remove_handler(
    opened: State<'_, Opened>,
    scope: HandlerScope,
    key: HandlerKey,
) -> Result<(), Problem> {
    opened.berth().await?.remove_handler(&scope, &key).await
}

#[tauri::command]
pub(crate) async fn copy_to_override(
    opened: State<'_, Opened>,
    key: HandlerKey,
) -> Result<Override, Problem> {
    opened.berth().await?.copy_to_override(&key).await
}

#[tauri::command]
pub(crate) async fn switch_override(
    opened: State<'_, Opened>,
    key: HandlerKey,
    enabled: bool,
) -> Result<Override, Problem> {
    opened.berth().await?.switch_override(&key, enabled).await
}

#[tauri::command]
pub(crate) async fn compare_override(
    opened: State<'_, Opened>,
    key: HandlerKey,
) -> Result<Vec<ComparedField>, Problem> {
    opened.berth().await?.compare_override(&key).await
}

#[tauri::command]
pub(crate) async fn found_engines(opened: State<'_, Opened>) -> Result<Vec<FoundEngine>, Problem> {
    opened.berth().await?.found_engines().await
}

#[tauri::command]
pub(crate) async fn make_handler_of(
    opened: State<'_, Opened>,
    address: String,
) -> Result<Handler, Problem> {
    opened.berth().await?.make_handler_of(&address).await
}

/// Runs the checks of a handler that need not be saved; returns the stream's
/// number. Closing it ends the test.
#[tauri::command]
pub(crate) async fn test_handler(
    opened: State<'_, Opened>,
    streams: State<'_, Streams>,
    draft: HandlerDraft,
    secrets_of: Option<String>,
    remove_secrets: Vec<String>,
    channel: Channel<CheckUpdate>,
) -> Result<u32, Problem> {
    let berth = opened.berth().await?;
    let secrets = typed(&berth, secrets_of.as_deref(), remove_secrets);
    Ok(streams.open(async move {
        let cancel = CancellationToken::new();
        // A page that is gone wants no updates.
        let tested = berth
            .test_handler(draft, secrets, cancel, |update| {
                let _ = channel.send(update);
            })
            .await;
        if let Err(problem) = tested {
            let _ = channel.send(CheckUpdate::Refused { problem });
        }
    }))
}

#[tauri::command]
pub(crate) fn cancel_test(streams: State<'_, Streams>, id: u32) {
    streams.close(id);
}

#[tauri::command]
pub(crate) async fn users(opened: State<'_, Opened>) -> Result<Vec<User>, Problem> {
    opened.berth().await?.users().await
}

#[tauri::command]
pub(crate) async fn add_user(opened: State<'_, Opened>, name: String) -> Result<User, Problem> {
    opened.berth().await?.add_user(&name).await
}

#[tauri::command]
pub(crate) async fn remove_user(opened: State<'_, Opened>, id: String) -> Result<(), Problem> {
    opened.berth().await?.remove_user(&id).await
}

#[tauri::command]
pub(crate) async fn use_user(opened: State<'_, Opened>, id: String) -> Result<User, Problem> {
    opened.berth().await?.use_user(&id).await
}

#[tauri::command]
pub(crate) async fn manifest_types(
    opened: State<'_, Opened>,
) -> Result<Vec<CustomManifestType>, Problem> {
    opened.berth().await?.manifest_types().await
}

#[tauri::command]
pub(crate) async fn set_manifest_type(
    opened: State<'_, Opened>,
    id: String,
    body: UpsertCustomManifestType,
) -> Result<CustomManifestType, Problem> {
    opened.berth().await?.set_manifest_type(&id, body).await
}

#[tauri::command]
pub(crate) async fn remove_manifest_type(
    opened: State<'_, Opened>,
    id: String,
) -> Result<(), Problem> {
    opened.berth().await?.remove_manifest_type(&id).await
}

#[tauri::command]
pub(crate) async fn set_provisioning(
    opened: State<'_, Opened>,
    service_id: String,
    provisioning: ServiceProvisioning,
) -> Result<Service, Problem> {
    opened
        .berth()
        .await?
        .set_provisioning(&service_id, provisioning)
        .await
}

/// What was typed in under `secrets_of`, and what goes.
pub(super) fn typed(berth: &Berth, secrets_of: Option<&str>, remove: Vec<String>) -> NewSecrets {
    NewSecrets {
        set: secrets_of
            .map(|id| berth.typed_document_secrets(id))
            .unwrap_or_default(),
        remove,
    }
}
