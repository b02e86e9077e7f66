//! The users that were added. The operating system's own needs no row.

use rusqlite::{Connection, Transaction, params};

use super::{StoreError, events};
use crate::view::Change;

/// A user that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AddedUser {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// The users that were added, oldest first.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn list(connection: &Connection) -> Result<Vec<AddedUser>, StoreError> {
    let users = connection
        .prepare_cached("SELECT id, name FROM users ORDER BY created_at, id")?
        .query_map([], |row| {
            Ok(AddedUser {
                id: row.get(0)?,
                name: row.get(1)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(users)
}

/// Adds a user.
///
/// # Errors
/// [`StoreError::Exists`] when there is one of that id.
pub(crate) fn insert(tx: &Transaction<'_>, now: i64, user: &AddedUser) -> Result<(), StoreError> {
    tx.prepare_cached("INSERT INTO users (id, name, created_at) VALUES (?1, ?2, ?3)")?
        .execute(params![user.id, user.name, now])
        .map_err(|error| {
            let taken = error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation);
            if taken {
                StoreError::Exists {
                    what: format!("a user called {}", user.id),
                }
            } else {
                error.into()
            }
        })?;
    events::append(tx, now, &Change::Handlers)
}

/// Forgets a user with its overrides. Gives back whether it was there.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn remove(tx: &Transaction<'_>, now: i64, id: &str) -> Result<bool, StoreError> {
    tx.prepare_cached("DELETE FROM user_handlers WHERE user_id = ?1")?
        .execute([id])?;
    let removed = tx
        .prepare_cached("DELETE FROM users WHERE id = ?1")?
        .execute([id])?;
    events::append(tx, now, &Change::Handlers)?;
    Ok(removed > 0)
}
