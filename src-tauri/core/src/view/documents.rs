//! The contract's documents as they are checked, kept and filled in.

use berth_contracts::Segment;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A schema of the contract, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ContractSchema {
    /// What the contract calls it (`environmentManifestSchema`).
    pub name: String,
    /// What it describes, in two or three words.
    pub title: String,
    /// What it is for.
    pub description: String,
    /// Which part of the contract it belongs to.
    pub group: String,
    /// Whether documents of it are kept; those that carry secret values are not.
    pub storable: bool,
}

/// What a document is checked against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum SchemaChoice {
    /// A schema of the contract, by name.
    Contract(String),
    /// A JSON Schema that a plugin brings.
    #[ts(type = "object")]
    Inline(serde_json::Value),
}

/// What came of checking a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is a document of the schema.
    Valid,
    /// It is JSON, but no document of the schema.
    Invalid,
    /// It is no JSON.
    Unreadable,
}

/// A text, checked against a schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DocumentCheck {
    /// What came of it.
    pub verdict: Verdict,
    /// The document as it would be kept, indented JSON; absent unless valid.
    pub output: Option<String>,
    /// Every fault, in the schema's order. An unreadable text has one, of kind
    /// `json`.
    pub issues: Vec<Issue>,
    /// How many further faults were left out.
    pub omitted: usize,
}

/// A fault of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// Where in the document, from its root.
    pub path: Vec<Segment>,
    /// The same as a JSON pointer.
    pub pointer: String,
    /// Which rule is broken.
    pub kind: String,
    /// What is wrong and what would be right, in words. Never quotes a value.
    pub message: String,
    /// The rule's number, pattern or key.
    pub requirement: Option<IssueRequirement>,
    /// Line in the text, from 1; of the object where a key is missing.
    pub line: Option<usize>,
    /// Column in the text, in characters from 1.
    pub column: Option<usize>,
}

/// What a broken rule asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum IssueRequirement {
    /// A length or a bound.
    Number(serde_json::Number),
    /// A pattern, or the key that is missing.
    Text(String),
    /// The words to choose from, or those that are taken.
    Words(Vec<String>),
}

/// A kept document, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DocumentSummary {
    /// Its id.
    pub id: String,
    /// The schema of the contract it is of.
    pub schema: String,
    /// What its owner calls it.
    pub name: String,
    /// When it was first saved.
    #[ts(type = "number")]
    pub created_at: i64,
    /// When it was last saved.
    #[ts(type = "number")]
    pub updated_at: i64,
}

/// A kept document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct StoredDocument {
    /// Everything but its text.
    #[serde(flatten)]
    pub summary: DocumentSummary,
    /// Indented JSON, as the contract writes it.
    pub text: String,
}

/// A document to be kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DocumentDraft {
    /// The document that is saved again, or the id of a new one; absent: a new
    /// one with an id of Berth's choice.
    #[ts(optional = nullable)]
    pub id: Option<String>,
    /// The schema of the contract it is of.
    pub schema: String,
    /// What its owner calls it; 1 to 120 characters.
    pub name: String,
    /// JSON.
    pub text: String,
}

/// A file that was read as a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DocumentFile {
    /// The file's name, without its folder.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// The name of a secret, never its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SecretKey {
    /// What the document calls it.
    pub key: String,
    /// When its value was typed in; absent: the document refers to it, but Berth
    /// holds no value.
    #[ts(type = "number | null")]
    pub set_at: Option<i64>,
}

impl Issue {
    /// The path with dots between its steps; empty at the root.
    #[must_use]
    pub fn path_text(&self) -> String {
        berth_contracts::path_text(&self.path)
    }
}
