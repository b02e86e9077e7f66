//! How one text lies in a store: in one item, or in several where the platform
//! caps them. And the mark that tells a store that was written to from one that
//! says of everything that it is not there.

use std::fmt::Write as _;

use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

use super::store::{SecretStore, StoreFailure};

/// What the first line of an item begins with.
const FORMAT: &str = "berth-secrets/1";
/// Room for the first line of an item that holds a whole text, in UTF-16.
const FIRST_LINE: usize = 64;

/// The items of one data folder in a store.
pub(super) struct Items<'a> {
    pub(super) store: &'a dyn SecretStore,
    /// Tells them from those of other data folders.
    pub(super) store_id: &'a str,
}

/// What the first item of a text says.
enum Head {
    /// It holds all of it.
    Whole(SecretString),
    /// Items from 1 to `parts` do.
    Parts { parts: usize, digest: String },
}

impl Items<'_> {
    /// Writes a text that has no item yet, into a store that is marked. Until it
    /// returns, [`Items::take`] finds nothing; cut off anywhere, [`Items::remove`]
    /// finds everything.
    pub(super) fn put(&self, id: &str, text: &SecretString) -> Result<(), StoreFailure> {
        let exposed = text.expose_secret();
        let most = self.store.largest_value();
        if most.is_none_or(|most| FIRST_LINE + utf16_bytes(exposed) <= most) {
            let whole = SecretString::from(format!("{FORMAT} whole\n{exposed}"));
            return self.store.set(&self.name(id), &whole);
        }
        let parts = pieces(exposed, most.unwrap_or(usize::MAX));
        // First, so that all parts that are there can be found whenever this is cut off.
        let head = format!("{FORMAT} parts {} {}\n", parts.len(), digest(exposed));
        self.store.set(&self.name(id), &SecretString::from(head))?;
        for (number, part) in (1..).zip(parts) {
            self.store
                .set(&self.part_name(id, number), &SecretString::from(part))?;
        }
        Ok(())
    }

    /// A text; `None`: it is not there, or not all of it.
    pub(super) fn take(&self, id: &str) -> Result<Option<SecretString>, StoreFailure> {
        let (parts, digest_of_all) = match self.head(id)? {
            None => {
                self.check_mark()?;
                return Ok(None);
            }
            Some(Head::Whole(text)) => return Ok(Some(text)),
            Some(Head::Parts { parts, digest }) => (parts, digest),
        };
        let mut text = String::new();
        for number in 1..=parts {
            match self.store.get(&self.part_name(id, number))? {
                Some(part) => text.push_str(part.expose_secret()),
                None => {
                    self.check_mark()?;
                    return Ok(None);
                }
            }
        }
        let text = SecretString::from(text);
        if digest(text.expose_secret()) != digest_of_all {
            return Err(damaged(id));
        }
        Ok(Some(text))
    }

    /// Removes a text, whole or half-written, and sees that it is gone.
    pub(super) fn remove(&self, id: &str) -> Result<(), StoreFailure> {
        match self.head(id) {
            Ok(None) => return self.check_mark(),
            // The head goes last: whenever this is cut off, it names what is left.
            Ok(Some(Head::Parts { parts, .. })) => {
                for number in 1..=parts {
                    self.store.delete(&self.part_name(id, number))?;
                }
            }
            Ok(Some(Head::Whole(_))) | Err(StoreFailure::Damaged { .. }) => {}
            Err(failure) => return Err(failure),
        }
        self.store.delete(&self.name(id))?;
        if self.store.get(&self.name(id))?.is_some() {
            return Err(StoreFailure::Broken(
                format!("{} is still there", self.name(id)).into(),
            ));
        }
        Ok(())
    }

    /// Marks the store as one that is written to.
    pub(super) fn mark(&self) -> Result<(), StoreFailure> {
        match self.check_mark() {
            Err(StoreFailure::Unmarked) => {
                let value = SecretString::from(format!("{FORMAT} mark\n"));
                self.store.set(&self.mark_name(), &value)?;
                self.check_mark()
            }
            checked => checked,
        }
    }

    /// Holds when the store is one that is written to, and lets itself be
    /// read: only then "not there" means gone.
    fn check_mark(&self) -> Result<(), StoreFailure> {
        match self.store.get(&self.mark_name())? {
            Some(_) => Ok(()),
            None => Err(StoreFailure::Unmarked),
        }
    }

    fn head(&self, id: &str) -> Result<Option<Head>, StoreFailure> {
        let Some(value) = self.store.get(&self.name(id))? else {
            return Ok(None);
        };
        let (first, rest) = value
            .expose_secret()
            .split_once('\n')
            .ok_or_else(|| damaged(id))?;
        let said = first
            .strip_prefix(FORMAT)
            .and_then(|said| said.strip_prefix(' '));
        match said
            .map(|said| said.split(' ').collect::<Vec<_>>())
            .as_deref()
        {
            Some(["whole"]) => Ok(Some(Head::Whole(SecretString::from(rest)))),
            Some(["parts", parts, digest]) => Ok(Some(Head::Parts {
                parts: parts.parse().map_err(|_| damaged(id))?,
                digest: (*digest).to_owned(),
            })),
            _ => Err(damaged(id)),
        }
    }

    fn name(&self, id: &str) -> String {
        format!("{}/{id}", self.store_id)
    }

    fn part_name(&self, id: &str, number: usize) -> String {
        format!("{}/{id}/{number}", self.store_id)
    }

    fn mark_name(&self) -> String {
        // Ids of bundles have twelve letters.
        format!("{}/mark", self.store_id)
    }
}

fn damaged(id: &str) -> StoreFailure {
    StoreFailure::Damaged {
        what: format!("The keychain item {id}"),
    }
}

/// A text in pieces of at most `most` bytes of UTF-16.
fn pieces(text: &str, most: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (at, letter) in text.char_indices() {
        let more = 2 * letter.len_utf16();
        if size + more > most && at > start {
            pieces.push(&text[start..at]);
            (start, size) = (at, 0);
        }
        size += more;
    }
    pieces.push(&text[start..]);
    pieces
}

fn utf16_bytes(text: &str) -> usize {
    2 * text.encode_utf16().count()
}

fn digest(text: &str) -> String {
    Sha256::digest(text)
        .iter()
        .fold(String::new(), |mut hex, byte| {
            // Writing to a text cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}

#[cfg(test)]
#[path = "items_tests.rs"]
mod tests;
