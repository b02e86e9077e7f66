//! Bundles of secrets: names and where the values are, never the values. A row is
//! there before its keychain item and until after it; one that no handler and no
//! environment names is on its way in, or a leftover.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::columns::{Json, Word};
use super::{StoreError, new_id};
use crate::view::{SecretKey, SecretStoreKind};

/// One bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Its id.
    pub(crate) id: String,
    /// Where its values are.
    pub(crate) store: SecretStoreKind,
}

/// Every place that names a bundle.
const REFERENCES: [(&str, &str); 4] = [
    ("handlers", "bundle"),
    ("user_handlers", "bundle"),
    ("environments", "handler_bundle"),
    ("environments", "access_bundle"),
];

/// Records that a bundle is about to be written.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn insert(
    tx: &Transaction<'_>,
    now: i64,
    store: SecretStoreKind,
    keys: &[SecretKey],
) -> Result<String, StoreError> {
    let id = new_id(tx)?;
    tx.prepare_cached(
        "INSERT INTO secret_bundles (id, store, keys, created_at) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute(params![id, Word(store), Json(keys), now])?;
    Ok(id)
}

/// One bundle.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn get(connection: &Connection, id: &str) -> Result<Record, StoreError> {
    connection
        .prepare_cached("SELECT id, store FROM secret_bundles WHERE id = ?1")?
        .query_row([id], from_row)
        .optional()?
        .ok_or_else(|| StoreError::Missing {
            what: "bundle of secrets",
            id: id.to_owned(),
        })
}

/// Names of what a bundle holds, and when it was set; nothing for one that is not
/// there.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn keys(connection: &Connection, id: &str) -> Result<Vec<SecretKey>, StoreError> {
    let keys = connection
        .prepare_cached("SELECT keys FROM secret_bundles WHERE id = ?1")?
        .query_row([id], |row| Ok(row.get::<_, Json<Vec<SecretKey>>>(0)?.0))
        .optional()?;
    Ok(keys.unwrap_or_default())
}

/// Bundles that nothing names, oldest first.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn unreferenced(connection: &Connection) -> Result<Vec<Record>, StoreError> {
    let records = connection
        .prepare_cached(&format!(
            "SELECT id, store FROM secret_bundles WHERE NOT ({}) ORDER BY created_at, id",
            is_named()
        ))?
        .query_map([], from_row)?
        .collect::<Result<_, _>>()?;
    Ok(records)
}

/// Ids of the bundles of one store that something names, oldest first.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn kept_in(
    connection: &Connection,
    store: SecretStoreKind,
) -> Result<Vec<String>, StoreError> {
    let ids = connection
        .prepare_cached(&format!(
            "SELECT id FROM secret_bundles WHERE store = ?1 AND ({}) ORDER BY created_at, id",
            is_named()
        ))?
        .query_map([Word(store)], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(ids)
}

/// Who names these bundles, as a user knows them, in the order of their names.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn owners(connection: &Connection, ids: &[String]) -> Result<Vec<String>, StoreError> {
    let mut owners = BTreeSet::new();
    let mut named = connection.prepare_cached(
        "SELECT label FROM handlers WHERE bundle = ?1
         UNION SELECT label || ' (override)' FROM user_handlers WHERE bundle = ?1
         UNION SELECT 'the environment ' || name FROM environments
               WHERE handler_bundle = ?1 OR access_bundle = ?1",
    )?;
    for id in ids {
        for owner in named.query_map([id], |row| row.get(0))? {
            owners.insert(owner?);
        }
    }
    Ok(owners.into_iter().collect())
}

/// Lets everything that names one bundle name another.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn repoint(tx: &Transaction<'_>, from: &str, to: &str) -> Result<(), StoreError> {
    for (table, column) in REFERENCES {
        tx.prepare_cached(&format!(
            "UPDATE {table} SET {column} = ?2 WHERE {column} = ?1"
        ))?
        .execute([from, to])?;
    }
    Ok(())
}

/// Forgets a bundle whose item was seen to be gone.
///
/// # Errors
/// Trouble with the file, also when something names it.
pub(crate) fn delete(tx: &Transaction<'_>, id: &str) -> Result<(), StoreError> {
    tx.prepare_cached("DELETE FROM secret_bundles WHERE id = ?1")?
        .execute([id])?;
    Ok(())
}

fn is_named() -> String {
    REFERENCES
        .map(|(table, column)| {
            format!("EXISTS (SELECT 1 FROM {table} WHERE {column} = secret_bundles.id)")
        })
        .join(" OR ")
}

fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Record> {
    Ok(Record {
        id: row.get("id")?,
        store: row.get::<_, Word<_>>("store")?.0,
    })
}
