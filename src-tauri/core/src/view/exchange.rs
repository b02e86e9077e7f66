//! A workspace as a file, and what importing one would change.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::HandlerKey;

/// A workspace file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceExport {
    /// The file's text: JSON, with the names of secrets only.
    pub text: String,
    /// What could not be said in it, in words (a folder that is only on this
    /// machine).
    pub warnings: Vec<String>,
}

/// What an import is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Imported {
    /// A service.
    Service {
        /// Its name.
        name: String,
    },
    /// A workspace handler.
    Handler {
        /// What it serves.
        key: HandlerKey,
        /// What people see.
        label: String,
    },
    /// A custom manifest type.
    ManifestType {
        /// Its id.
        manifest_id: String,
    },
}

/// What would happen to one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ImportAction {
    /// It is new here.
    Add,
    /// It is here and differs, or secrets that it has in the file are not set here.
    Change,
    /// It is here as it is in the file.
    Keep,
}

/// One value that would change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ChangedValue {
    /// RFC 6901 pointer.
    pub pointer: String,
    /// As it is here; absent: it says nothing.
    #[ts(type = "unknown")]
    pub before: Option<serde_json::Value>,
    /// As it is in the file; absent: it says nothing.
    #[ts(type = "unknown")]
    pub after: Option<serde_json::Value>,
}

/// One line of the diff.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ImportChange {
    /// What it is about.
    pub what: Imported,
    /// What would happen.
    pub action: ImportAction,
    /// Value by value, for what would change.
    pub values: Vec<ChangedValue>,
}

/// Secrets that a handler of the file needs and that are not set here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MissingSecrets {
    /// The handler.
    pub key: HandlerKey,
    /// What people see.
    pub label: String,
    /// Their names.
    pub keys: Vec<String>,
}

/// What importing a file would do. What is here and not in the file stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ImportPreview {
    /// Types, then handlers, then services.
    pub changes: Vec<ImportChange>,
    /// What has to be given beside the file.
    pub missing_secrets: Vec<MissingSecrets>,
    /// What cannot be taken over, in words.
    pub warnings: Vec<String>,
}
