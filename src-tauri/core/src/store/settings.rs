//! What Berth is told once and goes by: values by name.

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StoreError;
use super::columns::Json;
use crate::view::SecretStoreKind;

/// A setting's name and the type of its value.
pub(crate) struct Setting<T> {
    name: &'static str,
    value: std::marker::PhantomData<T>,
}

impl<T> Setting<T> {
    const fn named(name: &'static str) -> Self {
        Self {
            name,
            value: std::marker::PhantomData,
        }
    }
}

/// Tells the keychain items of this data folder from those of others. Always there.
pub(crate) const STORE_ID: Setting<String> = Setting::named("storeId");
/// The id of the user whose overrides are in effect; absent: the operating system's.
pub(crate) const CURRENT_USER: Setting<String> = Setting::named("currentUser");
/// Where new secrets are kept; absent: in the keychain.
pub(crate) const SECRET_STORE: Setting<SecretStoreKind> = Setting::named("secretStore");
/// How many days the activity is kept; absent: 14.
pub(crate) const ACTIVITY_DAYS: Setting<u32> = Setting::named("activityDays");

/// What was said; `None`: nothing.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn get<T: DeserializeOwned>(
    connection: &Connection,
    setting: &Setting<T>,
) -> Result<Option<T>, StoreError> {
    let value = connection
        .prepare_cached("SELECT value FROM settings WHERE name = ?1")?
        .query_row([setting.name], |row| Ok(row.get::<_, Json<T>>(0)?.0))
        .optional()?;
    Ok(value)
}

/// Says it, in place of what was said before.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn set<T: Serialize>(
    tx: &Transaction<'_>,
    setting: &Setting<T>,
    value: &T,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "INSERT INTO settings (name, value) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET value = ?2",
    )?
    .execute(params![setting.name, Json(value)])?;
    Ok(())
}
