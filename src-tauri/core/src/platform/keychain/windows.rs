//! The Windows Credential Manager. Untested.

use std::sync::Arc;

use keyring_core::CredentialStore;
use windows_native_keyring_store::Store;

use crate::secrets::{Ask, StoreFailure};

pub(crate) const PRODUCT: &str = "Windows Credential Manager";

/// `CRED_MAX_CREDENTIAL_BLOB_SIZE`.
pub(crate) const LARGEST_VALUE: Option<usize> = Some(2560);

/// Nothing to connect to.
pub(crate) fn open() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(Store::new()?)
}

/// It is unlocked as long as the user is logged in.
pub(crate) fn ready(_ask: Ask) -> Result<(), StoreFailure> {
    Ok(())
}

/// What an answer of the manager means.
pub(crate) fn failure(error: keyring_core::Error) -> StoreFailure {
    match error {
        keyring_core::Error::NoStorageAccess(error) => StoreFailure::NoService(error),
        error => StoreFailure::Broken(error.into()),
    }
}
