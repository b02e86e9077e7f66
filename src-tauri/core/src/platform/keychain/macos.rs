//! The macOS Keychain. Untested.

use std::sync::Arc;

use apple_native_keyring_store::keychain::Store;
use keyring_core::CredentialStore;

use crate::secrets::{Ask, StoreFailure};

pub(crate) const PRODUCT: &str = "macOS Keychain";

/// It names no limit.
pub(crate) const LARGEST_VALUE: Option<usize> = None;

/// Nothing to connect to.
pub(crate) fn open() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(Store::new()?)
}

/// Left to the calls themselves, which ask by themselves.
pub(crate) fn ready(_ask: Ask) -> Result<(), StoreFailure> {
    Ok(())
}

/// What an answer of the keychain means.
pub(crate) fn failure(error: keyring_core::Error) -> StoreFailure {
    match error {
        keyring_core::Error::NoStorageAccess(_) => StoreFailure::Locked,
        error => StoreFailure::Broken(error.into()),
    }
}
