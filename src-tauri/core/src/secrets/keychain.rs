//! The keychain of the operating system.

use std::sync::{Arc, Mutex, PoisonError};

use keyring_core::{CredentialStore, Entry, Error};
use secrecy::{ExposeSecret as _, SecretString};

use super::store::{Ask, SecretStore, StoreFailure};
use crate::platform::keychain as platform;

/// What all of Berth's items are filed under.
const SERVICE: &str = "dev.berth";

/// The keychain; connected to when it is first needed.
#[derive(Default)]
pub(super) struct Keychain {
    connected: Mutex<Option<Arc<CredentialStore>>>,
}

impl Keychain {
    /// Does something with an item. What was connected to earlier may have been
    /// restarted meanwhile: then it is done once more, on a new connection. An
    /// answer that does not come is not asked for twice.
    fn with<R>(
        &self,
        name: &str,
        f: impl Fn(&Entry) -> Result<R, Error>,
    ) -> Result<R, StoreFailure> {
        let earlier = self.connected().clone();
        if let Some(store) = earlier {
            match store.build(SERVICE, name, None).and_then(|entry| f(&entry)) {
                Ok(result) => return Ok(result),
                Err(error) => {
                    *self.connected() = None;
                    if !matches!(error, Error::PlatformFailure(_)) {
                        return Err(platform::failure(error));
                    }
                    tracing::debug!(%error, "connecting to the keychain anew");
                }
            }
        }
        let store = platform::open().map_err(platform::failure)?;
        let result = store
            .build(SERVICE, name, None)
            .and_then(|entry| f(&entry))
            .map_err(platform::failure)?;
        *self.connected() = Some(store);
        Ok(result)
    }

    fn connected(&self) -> std::sync::MutexGuard<'_, Option<Arc<CredentialStore>>> {
        // Nothing is changed in halves.
        self.connected
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl SecretStore for Keychain {
    fn product(&self) -> &str {
        platform::PRODUCT
    }

    fn largest_value(&self) -> Option<usize> {
        platform::LARGEST_VALUE
    }

    fn ready(&self, ask: Ask) -> Result<(), StoreFailure> {
        platform::ready(ask)
    }

    fn get(&self, name: &str) -> Result<Option<SecretString>, StoreFailure> {
        self.with(name, |entry| match entry.get_password() {
            Ok(value) => Ok(Some(SecretString::from(value))),
            Err(Error::NoEntry) => Ok(None),
            // Both carry what was read.
            Err(Error::BadEncoding(_) | Error::BadDataFormat(..)) => {
                Ok(Some(SecretString::from("")))
            }
            Err(error) => Err(error),
        })
    }

    fn set(&self, name: &str, value: &SecretString) -> Result<(), StoreFailure> {
        self.with(name, |entry| entry.set_password(value.expose_secret()))
    }

    fn delete(&self, name: &str) -> Result<(), StoreFailure> {
        self.with(name, |entry| match entry.delete_credential() {
            Err(Error::NoEntry) => Ok(()),
            deleted => deleted,
        })
    }
}
