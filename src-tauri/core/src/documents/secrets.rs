//! Secrets that were typed in beside a document. Their values are in memory
//! only, in a type that can be neither printed nor written, and are wiped when
//! they are replaced, removed, or Berth ends.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use berth_contracts::validate;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};

use super::find_schema;
use super::keep::check_id;
use crate::Berth;
use crate::problem::{Code, Problem};
use crate::view::SecretKey;

/// Bytes that a value may have.
const LONGEST_VALUE: usize = 64 * 1024;
/// Values that are held at a time.
const MOST_VALUES: usize = 2_000;

/// What was typed in since Berth started, by document and key.
#[derive(Default)]
pub(crate) struct TypedSecrets(Mutex<HashMap<String, BTreeMap<String, Typed>>>);

struct Typed {
    value: SecretString,
    set_at: i64,
}

impl TypedSecrets {
    /// Wipes the values of a document.
    pub(super) fn forget(&self, document_id: &str) {
        self.held().remove(document_id);
    }

    fn set(&self, document_id: &str, key: &str, typed: Typed) -> Result<(), Problem> {
        let mut held = self.held();
        let count: usize = held.values().map(BTreeMap::len).sum();
        let known = held
            .get(document_id)
            .is_some_and(|of_document| of_document.contains_key(key));
        if count >= MOST_VALUES && !known {
            return Err(Problem::new(
                Code::InvalidInput,
                format!("No more than {MOST_VALUES} secrets are held at a time"),
            )
            .hint("Remove some that are no longer needed, or start Berth anew."));
        }
        held.entry(document_id.to_owned())
            .or_default()
            .insert(key.to_owned(), typed);
        Ok(())
    }

    fn remove(&self, document_id: &str, key: &str) {
        let mut held = self.held();
        if let Some(of_document) = held.get_mut(document_id) {
            of_document.remove(key);
            if of_document.is_empty() {
                held.remove(document_id);
            }
        }
    }

    fn keys(&self, document_id: &str) -> BTreeMap<String, Option<i64>> {
        self.held()
            .get(document_id)
            .into_iter()
            .flatten()
            .map(|(key, typed)| (key.clone(), Some(typed.set_at)))
            .collect()
    }

    fn values(&self, document_id: &str) -> BTreeMap<String, SecretString> {
        self.held()
            .get(document_id)
            .into_iter()
            .flatten()
            .map(|(key, typed)| (key.clone(), typed.value.clone()))
            .collect()
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, BTreeMap<String, Typed>>> {
        // No change is made in halves.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Berth {
    /// The secrets of a document, by key: those that were typed in, and those
    /// that it refers to although no value is held. The document need not be
    /// kept yet.
    ///
    /// # Errors
    /// [`crate::Code::InvalidInput`] for what cannot be an id.
    pub async fn document_secrets(&self, document_id: &str) -> Result<Vec<SecretKey>, Problem> {
        check_id(document_id)?;
        let mut keys = self.typed_secrets().keys(document_id);
        match self.document(document_id).await {
            Ok(document) => {
                let content = serde_json::from_str(&document.text).unwrap_or_default();
                for key in referred_to(&content) {
                    keys.entry(key).or_insert(None);
                }
            }
            Err(problem) if problem.code == Code::NotFound => {}
            Err(problem) => return Err(problem),
        }
        Ok(keys
            .into_iter()
            .map(|(key, set_at)| SecretKey { key, set_at })
            .collect())
    }

    /// Holds a value until the document is deleted or Berth ends, in place of
    /// the one that was there; returns the secrets of the document.
    ///
    /// # Errors
    /// [`crate::Code::InvalidInput`] for a key that the contract does not allow, a
    /// value of more than 64 KiB, and what cannot be an id.
    pub async fn set_document_secret(
        &self,
        document_id: &str,
        key: &str,
        value: SecretString,
    ) -> Result<Vec<SecretKey>, Problem> {
        check_id(document_id)?;
        check_secret(key, &value)?;
        let set_at = self.now();
        self.typed_secrets()
            .set(document_id, key, Typed { value, set_at })?;
        self.document_secrets(document_id).await
    }

    /// Wipes a value, if there is one; returns the secrets of the document.
    ///
    /// # Errors
    /// [`crate::Code::InvalidInput`] for what cannot be an id.
    pub async fn remove_document_secret(
        &self,
        document_id: &str,
        key: &str,
    ) -> Result<Vec<SecretKey>, Problem> {
        check_id(document_id)?;
        self.typed_secrets().remove(document_id, key);
        self.document_secrets(document_id).await
    }

    /// The values that were typed in, for who saves or connects with them.
    #[must_use]
    pub fn typed_document_secrets(&self, document_id: &str) -> BTreeMap<String, SecretString> {
        self.typed_secrets().values(document_id)
    }

    /// Wipes the values that were typed in: they are kept elsewhere now.
    pub fn forget_document_secrets(&self, document_id: &str) {
        self.typed_secrets().forget(document_id);
    }
}

/// Holds for a name and a value that a secret can have.
///
/// # Errors
/// [`Code::InvalidInput`].
pub(crate) fn check_secret(key: &str, value: &SecretString) -> Result<(), Problem> {
    check_key(key)?;
    if value.expose_secret().len() > LONGEST_VALUE {
        return Err(
            Problem::new(Code::InvalidInput, "The secret's value is too long")
                .detail("At most 64 KiB are held."),
        );
    }
    if value.expose_secret().is_empty() {
        return Err(
            Problem::new(Code::InvalidInput, format!("The value of {key} is empty"))
                .hint("Give it a value, or remove the secret."),
        );
    }
    if let Some(control) = value.expose_secret().chars().find(is_refused) {
        return Err(Problem::new(
            Code::InvalidInput,
            format!(
                "The value of {key} contains the control character U+{:04X}",
                u32::from(control)
            ),
        )
        .detail("Of control characters, a value may have line breaks and tabs.")
        .hint("It may have slipped in with a key of the terminal, or the value is not text: such values are given in Base64."));
    }
    Ok(())
}

fn is_refused(letter: &char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')
}

/// The contract's own rule for keys.
fn check_key(key: &str) -> Result<(), Problem> {
    let named = find_schema("environmentSecretRefSchema")?;
    validate(named.schema, &json!({ "key": key }))
        .map(|_| ())
        .map_err(|issues| {
            let problem = Problem::new(Code::InvalidInput, "That cannot be a secret's name");
            match issues.issues.into_iter().next() {
                Some(issue) => problem.detail(issue.message),
                None => problem,
            }
        })
}

/// The keys that a document refers to. The contract names every reference
/// `…SecretRef` and lets it hold a key alone.
fn referred_to(document: &Value) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = vec![document];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(map) => {
                for (name, value) in map {
                    match value.get("key") {
                        Some(Value::String(key)) if name.ends_with("ecretRef") => {
                            keys.push(key.clone());
                        }
                        _ => rest.push(value),
                    }
                }
            }
            _ => {}
        }
    }
    keys
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
