//! Where the values of secrets are, and how it stands with that.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::problem::Problem;

/// Where values are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SecretStoreKind {
    /// The keychain of the operating system.
    Keychain,
    /// An encrypted file of the data folder, by explicit choice.
    Vault,
}

/// How it stands with the store of secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SecretStoreState {
    /// Values can be read and written.
    Ready,
    /// No keychain answers on this machine.
    NoService,
    /// It is locked.
    Locked,
    /// Its question was dismissed.
    Dismissed,
    /// It did not answer in time.
    Silent,
    /// It forgets what it is given when the session ends.
    NotPersistent,
    /// It answered something else.
    Broken,
}

/// The store of secrets as it was last seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SecretStoreStatus {
    /// Which one is used.
    pub kind: SecretStoreKind,
    /// How it stands.
    pub state: SecretStoreState,
    /// What it calls itself (`Secret Service`, `macOS Keychain`, `encrypted file`).
    pub product: String,
    /// What to do about it; beside a store that is ready: whose secrets were lost.
    pub problem: Option<Problem>,
}
