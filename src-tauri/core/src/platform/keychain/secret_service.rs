//! The Secret Service of Linux desktops: GNOME Keyring, KWallet, KeePassXC.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dbus_secret_service::{Collection, EncryptionType, Error, SecretService};
use dbus_secret_service_keyring_store::Store;
use keyring_core::CredentialStore;

use crate::secrets::{Ask, StoreFailure};

pub(crate) const PRODUCT: &str = "Secret Service";

/// It names no limit.
pub(crate) const LARGEST_VALUE: Option<usize> = None;

/// How long an unlock question is waited for, seconds: less than a call's deadline,
/// so that the call ends by itself. Left to itself the library waits for a year.
const LONGEST_QUESTION: u64 = 110;

/// What ends sooner was never shown: nothing here can ask.
const SHORTEST_QUESTION: Duration = Duration::from_secs(1);

/// Connects.
pub(crate) fn open() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(Store::new()?)
}

/// Holds when the keyring that new items go to is unlocked and is kept.
pub(crate) fn ready(ask: Ask) -> Result<(), StoreFailure> {
    // Nothing secret goes over this connection.
    let service =
        SecretService::connect_with_max_prompt_timeout(EncryptionType::Plain, LONGEST_QUESTION)
            .map_err(of)?;
    let keyring = match service.get_default_collection() {
        Err(Error::NoResult) => return Err(StoreFailure::NoKeyring),
        keyring => keyring.map_err(of)?,
    };
    if keyring.path.ends_with("/session") {
        return Err(StoreFailure::NotPersistent);
    }
    match (keyring.is_locked().map_err(of)?, ask) {
        (false, _) => Ok(()),
        (true, Ask::Never) => Err(StoreFailure::Locked),
        (true, Ask::IfLocked) => unlock(&keyring),
    }
}

fn unlock(keyring: &Collection<'_>) -> Result<(), StoreFailure> {
    let asked = Instant::now();
    match keyring.unlock() {
        Err(Error::Prompt) => {
            let taken = asked.elapsed();
            Err(if taken < SHORTEST_QUESTION {
                StoreFailure::Locked
            } else if taken < Duration::from_secs(LONGEST_QUESTION) {
                StoreFailure::Dismissed
            } else {
                StoreFailure::Silent
            })
        }
        unlocked => unlocked.map_err(of),
    }
}

/// What an answer of the service means.
pub(crate) fn failure(error: keyring_core::Error) -> StoreFailure {
    use keyring_core::Error as Keyring;
    match error {
        Keyring::PlatformFailure(error) | Keyring::NoStorageAccess(error) => {
            match error.downcast::<Error>() {
                Ok(error) => of(*error),
                Err(error) => StoreFailure::Broken(error),
            }
        }
        error => StoreFailure::Broken(error.into()),
    }
}

fn of(error: Error) -> StoreFailure {
    match error {
        Error::Locked | Error::Prompt => StoreFailure::Locked,
        Error::NoResult => StoreFailure::NoKeyring,
        Error::Unavailable => StoreFailure::NoService(error.into()),
        Error::Dbus(ref answer) => match answer.name().unwrap_or_default() {
            "org.freedesktop.Secret.Error.IsLocked" => StoreFailure::Locked,
            // Within two seconds; also when the service ends in the middle.
            "org.freedesktop.DBus.Error.NoReply"
            | "org.freedesktop.DBus.Error.Timeout"
            | "org.freedesktop.DBus.Error.TimedOut" => StoreFailure::Silent,
            "org.freedesktop.DBus.Error.ServiceUnknown"
            | "org.freedesktop.DBus.Error.NameHasNoOwner"
            | "org.freedesktop.DBus.Error.NoServer"
            | "org.freedesktop.DBus.Error.FileNotFound"
            | "org.freedesktop.DBus.Error.BadAddress"
            | "org.freedesktop.DBus.Error.Disconnected"
            // No session bus, and no display to start one for.
            | "org.freedesktop.DBus.Error.NotSupported" => StoreFailure::NoService(error.into()),
            name if name.starts_with("org.freedesktop.DBus.Error.Spawn.") => {
                StoreFailure::NoService(error.into())
            }
            _ => StoreFailure::Broken(error.into()),
        },
        error => StoreFailure::Broken(error.into()),
    }
}
