//! The contract's documents: what they are checked against, where their faults
//! are, how they are kept, and the secrets that are typed in beside them.
//!
//! Everything but keeping is plain computation on a text, and needs no data
//! folder.

mod check;
mod file;
mod inline;
mod keep;
mod positions;
mod schemas;
mod secrets;
mod unknown;

pub use check::{Rules, check, check_document, preview_template};
pub(crate) use check::{placed, places};
pub use file::{MOST_WINDOW_BYTES, is_stream, read_document_file, write_document_file};
pub(crate) use keep::checked_text;
pub use schemas::{contract_schema, contract_schemas, find_schema, schema_title};
pub(crate) use secrets::{TypedSecrets, check_secret};
pub use unknown::{left_out, unknown_fields};

#[cfg(test)]
mod properties;
