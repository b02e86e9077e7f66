//! The secrets of one handler, or of one environment's access.

use std::collections::BTreeMap;

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use super::store::StoreFailure;
use crate::documents::check_secret;
use crate::handlers::NewSecrets;
use crate::problem::{Code, Problem};
use crate::view::SecretKey;

/// Bytes that all values of a bundle may have together.
const LONGEST_BUNDLE: usize = 256 * 1024;

/// Secrets by name. Never changed once it is in the keychain: a change makes a new
/// one.
#[derive(Clone, Debug, Default)]
pub(crate) struct SecretBundle {
    secrets: BTreeMap<String, Held>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Held {
    value: SecretString,
    set_at: i64,
}

impl SecretBundle {
    /// This one with changes that are made at `now`.
    ///
    /// # Errors
    /// [`Code::InvalidInput`] for a name that the contract does not allow, and
    /// values that are too long.
    pub(crate) fn with(mut self, new: NewSecrets, now: i64) -> Result<Self, Problem> {
        for key in &new.remove {
            self.secrets.remove(key);
        }
        for (key, value) in new.set {
            check_secret(&key, &value)?;
            self.secrets.insert(key, Held { value, set_at: now });
        }
        if self.size() > LONGEST_BUNDLE {
            return Err(
                Problem::new(Code::InvalidInput, "The secrets are too long together")
                    .detail("One handler's may have 256 KiB."),
            );
        }
        Ok(self)
    }

    /// A value.
    pub(crate) fn get(&self, key: &str) -> Option<&SecretString> {
        Some(&self.secrets.get(key)?.value)
    }

    /// Names, and when their values were set.
    pub(crate) fn keys(&self) -> Vec<SecretKey> {
        self.secrets
            .iter()
            .map(|(key, held)| SecretKey {
                key: key.clone(),
                set_at: Some(held.set_at),
            })
            .collect()
    }

    /// It holds nothing: it needs no item.
    pub(crate) fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// What goes into the keychain: the one place where values are written out.
    pub(super) fn to_text(&self) -> Result<SecretString, StoreFailure> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Written<'a> {
            value: &'a str,
            set_at: i64,
        }
        let written: BTreeMap<&str, Written<'_>> = self
            .secrets
            .iter()
            .map(|(key, held)| {
                let value = held.value.expose_secret();
                let set_at = held.set_at;
                (key.as_str(), Written { value, set_at })
            })
            .collect();
        serde_json::to_string(&written)
            .map(SecretString::from)
            .map_err(|error| StoreFailure::Broken(error.into()))
    }

    /// What came out of it.
    pub(super) fn from_text(id: &str, text: &SecretString) -> Result<Self, StoreFailure> {
        // The parser's message may quote a value.
        serde_json::from_str(text.expose_secret())
            .map(|secrets| Self { secrets })
            .map_err(|_| StoreFailure::Damaged {
                what: format!("The keychain item {id}"),
            })
    }

    fn size(&self) -> usize {
        self.secrets
            .iter()
            .map(|(key, held)| key.len() + held.value.expose_secret().len())
            .sum()
    }
}

#[cfg(test)]
#[path = "bundle_tests.rs"]
mod tests;
