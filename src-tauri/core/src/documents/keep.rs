//! Documents that are kept. Only valid ones are, in the form that the contract
//! gives them, and never the value of a secret.

use berth_contracts::NamedSchema;

use super::check::places;
use super::schemas::{is_storable, schema_title};
use super::{Rules, check, find_schema};
use crate::Berth;
use crate::problem::{Code, Problem};
use crate::store::{StoreError, documents, new_id};
use crate::view::{DocumentCheck, DocumentDraft, DocumentSummary, StoredDocument, Verdict};

/// Characters that a document's name may have.
const LONGEST_NAME: usize = 120;
/// Characters that an id from outside may have; a UUID has 36.
const LONGEST_ID: usize = 64;

impl Berth {
    /// The documents of the workspace, by name.
    ///
    /// # Errors
    /// [`crate::Code::Store`].
    pub async fn documents(&self) -> Result<Vec<DocumentSummary>, Problem> {
        let workspace_id = self.workspace_id().to_owned();
        Ok(self
            .store()
            .read(move |connection| documents::list(connection, &workspace_id))
            .await?)
    }

    /// One document with its text.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`].
    pub async fn document(&self, id: &str) -> Result<StoredDocument, Problem> {
        let (workspace_id, id) = (self.workspace_id().to_owned(), id.to_owned());
        Ok(self
            .store()
            .read(move |connection| documents::get(connection, &workspace_id, &id))
            .await?)
    }

    /// Keeps a document, in place of the one with its id if there is one.
    ///
    /// # Errors
    /// [`crate::Code::InvalidDocument`] with every fault; [`crate::Code::NotFound`]
    /// for an unknown schema; [`crate::Code::InvalidInput`] for a name or id that
    /// cannot be, a schema whose documents carry the values of secrets, and an id
    /// that is a document's of another schema.
    pub async fn save_document(&self, draft: DocumentDraft) -> Result<StoredDocument, Problem> {
        let named = find_schema(&draft.schema)?;
        if !is_storable(named) {
            return Err(not_kept(named));
        }
        let name = checked_name(&draft.name)?;
        if let Some(id) = &draft.id {
            check_id(id)?;
        }
        let text = checked_text(named, draft.text).await?;
        let (now, workspace_id) = (self.now(), self.workspace_id().to_owned());
        let saved = self
            .store()
            .write_durably(move |tx| {
                let id = match draft.id {
                    Some(id) => id,
                    None => new_id(tx)?,
                };
                let before = match documents::get(tx, &workspace_id, &id) {
                    Ok(before) => Some(before.summary),
                    Err(StoreError::Missing { .. }) => None,
                    Err(error) => return Err(error),
                };
                if let Some(before) = before
                    .as_ref()
                    .filter(|before| before.schema != draft.schema)
                {
                    return Err(of_another_schema(before).into());
                }
                let document = StoredDocument {
                    summary: DocumentSummary {
                        id,
                        schema: draft.schema,
                        name,
                        created_at: before.map_or(now, |before| before.created_at),
                        updated_at: now,
                    },
                    text,
                };
                documents::save(tx, &workspace_id, &document)?;
                Ok(document)
            })
            .await?;
        Ok(saved)
    }

    /// Removes a document, and forgets the secrets that were typed in for it.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`].
    pub async fn delete_document(&self, id: &str) -> Result<(), Problem> {
        let (now, workspace_id, document_id) =
            (self.now(), self.workspace_id().to_owned(), id.to_owned());
        self.store()
            .write_durably(move |tx| documents::delete(tx, now, &workspace_id, &document_id))
            .await?;
        self.typed_secrets().forget(id);
        Ok(())
    }
}

/// The text as it is kept.
pub(crate) async fn checked_text(
    named: &'static NamedSchema,
    text: String,
) -> Result<String, Problem> {
    let checked =
        tokio::task::spawn_blocking(move || check(named, text.as_bytes(), Rules::Settings))
            .await
            .map_err(|_| Problem::internal("checking a document broke off"))?;
    match checked.output {
        Some(output) => Ok(output),
        None => Err(invalid(named, &checked)),
    }
}

fn invalid(named: &NamedSchema, checked: &DocumentCheck) -> Problem {
    let kind = schema_title(named);
    let title = match checked.verdict {
        Verdict::Unreadable => "The document is not JSON".to_owned(),
        Verdict::Invalid | Verdict::Valid => format!("The document is not valid ({kind})"),
    };
    let mut problem = Problem::new(Code::InvalidDocument, title)
        .hint("Correct what is named, then save it again.");
    problem.places = places(checked);
    if checked.omitted > 0 {
        problem.detail = Some(format!("And {} more.", checked.omitted));
    }
    problem
}

fn not_kept(named: &NamedSchema) -> Problem {
    Problem::new(
        Code::InvalidInput,
        format!("{} documents are not kept", schema_title(named)),
    )
    .detail("They carry the values of secrets, which are never written down.")
    .hint("It can be checked, and exported to a file of your own.")
}

fn of_another_schema(before: &DocumentSummary) -> Problem {
    Problem::new(
        Code::InvalidInput,
        format!("{} is a document of another kind", before.name),
    )
    .detail(format!("It is kept as {}.", before.schema))
    .hint("Save this one as a new document.")
}

fn checked_name(name: &str) -> Result<String, Problem> {
    let name = name.trim();
    let characters = name.chars().count();
    let wrong = if characters == 0 {
        "A document needs a name"
    } else if characters > LONGEST_NAME {
        "The document's name is too long"
    } else if name.chars().any(char::is_control) {
        "The document's name holds control characters"
    } else {
        return Ok(name.to_owned());
    };
    Err(Problem::new(Code::InvalidInput, wrong).hint(format!(
        "Give it 1 to {LONGEST_NAME} characters, on one line."
    )))
}

/// An id from outside. It is shown, and a key of what is kept in memory.
pub(super) fn check_id(id: &str) -> Result<(), Problem> {
    let legal = (1..=LONGEST_ID).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if legal {
        return Ok(());
    }
    Err(
        Problem::new(Code::InvalidInput, "That cannot be a document's id")
            .detail("An id has 1 to 64 letters, digits and dashes; a UUID is one."),
    )
}

#[cfg(test)]
#[path = "keep_tests.rs"]
mod tests;
