//! Where the values of secrets are kept.

use berth_core::Problem;
use berth_core::view::{SecretStoreKind, SecretStoreStatus};
use secrecy::SecretString;
use tauri::State;

use crate::opened::Opened;

#[tauri::command]
pub(crate) async fn secret_store(opened: State<'_, Opened>) -> Result<SecretStoreStatus, Problem> {
    opened.berth().await?.secret_store().await
}

#[tauri::command]
pub(crate) async fn use_secret_store(
    opened: State<'_, Opened>,
    kind: SecretStoreKind,
    passphrase: Option<SecretString>,
) -> Result<SecretStoreStatus, Problem> {
    opened
        .berth()
        .await?
        .use_secret_store(kind, passphrase)
        .await
}

#[tauri::command]
pub(crate) async fn unlock_vault(
    opened: State<'_, Opened>,
    passphrase: SecretString,
) -> Result<SecretStoreStatus, Problem> {
    opened.berth().await?.unlock_vault(passphrase).await
}
