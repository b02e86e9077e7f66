//! Secrets: values in the keychain, names and references in the store.
//!
//! A change is: the new bundle's row, its keychain item ([`Berth::keep_bundle`]), a
//! transaction of the caller's that makes something name it, the old item's removal
//! ([`Berth::remove_unreferenced_bundles`]). Cut off anywhere, what is left is found
//! by its row and removed at the next start.
//!
//! [`Berth::keep_bundle`]: crate::Berth::keep_bundle
//! [`Berth::remove_unreferenced_bundles`]: crate::Berth::remove_unreferenced_bundles

mod access;
mod bundle;
mod call;
mod change;
mod choice;
#[cfg(any(test, feature = "testing"))]
mod fake;
mod items;
mod keychain;
mod lock;
mod store;
mod vault;

use std::sync::Arc;

#[cfg(any(test, feature = "testing"))]
pub use fake::{Cut, FakeKeychain};
pub use store::{Ask, SecretStore, StoreFailure};

use call::Calls;
use keychain::Keychain;
use lock::SecretsLocks;
use vault::Vault;

use crate::data_dir::DataDir;
use crate::view::SecretStoreKind;

/// The stores of secrets of one data folder, and who may change them.
pub(crate) struct Secrets {
    keychain: Calls,
    vault: Arc<Vault>,
    vault_calls: Calls,
    locks: SecretsLocks,
}

impl Secrets {
    /// Those of a data folder; `keychain` in place of the system's, when given.
    pub(crate) fn of(
        data: &DataDir,
        store_id: &str,
        keychain: Option<Arc<dyn SecretStore>>,
    ) -> Self {
        let store_id: Arc<str> = store_id.into();
        let keychain = keychain.unwrap_or_else(|| Arc::new(Keychain::default()));
        let vault = Arc::new(Vault::at(data.vault()));
        Self {
            keychain: Calls::of(SecretStoreKind::Keychain, keychain, store_id.clone()),
            vault_calls: Calls::of(SecretStoreKind::Vault, vault.clone(), store_id),
            vault,
            locks: SecretsLocks::at(data.secrets_lock()),
        }
    }

    fn calls(&self, kind: SecretStoreKind) -> &Calls {
        match kind {
            SecretStoreKind::Keychain => &self.keychain,
            SecretStoreKind::Vault => &self.vault_calls,
        }
    }
}
