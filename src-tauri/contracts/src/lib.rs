//! What is said: the documents of the contract, and the vocabulary that the store, the window and
//! the command line share.
//!
//! Each document is declared once, in [`documents`]. From that one declaration come its Rust type,
//! its validation ([`validate`]), its JSON Schema ([`Schema::json_schema`]), its TypeScript type and,
//! through the JSON Schema, its form in the window. Nothing in here does I/O.

mod catalogue;
mod declare;
mod doc_text;
pub mod documents;
mod ecmascript;
mod issue;
mod json_schema;
mod message;
mod pattern;
mod read;
mod schema;
pub mod template;
mod validate;

pub use catalogue::{Group, NamedSchema, schema, schemas};
pub use declare::{Described, Nullable, SecretValues};
pub use documents::{Engine, EnvironmentStatus, ProvisionType, ServiceProvisioning};
pub use issue::{Issue, IssueKind, Issues, MAX_ISSUES, Requirement, Segment, path_text, pointer};
pub use read::{MAX_DOCUMENT_BYTES, Unreadable, read};
pub use schema::Schema;
pub use validate::{check_settings, validate};

/// What stands in place of a secret wherever something is stored or shown.
pub const REDACTED: &str = "[REDACTED]";
