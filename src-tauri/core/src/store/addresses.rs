//! Ways into environments.

use berth_engines::docker::Address;
use rusqlite::{Row, Transaction, params};

use super::{StoreError, events};
use crate::view::Change;

/// Puts `addresses`, in order, in place of what was there.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn replace(
    tx: &Transaction<'_>,
    now: i64,
    environment_id: &str,
    addresses: &[Address],
) -> Result<(), StoreError> {
    tx.prepare_cached("DELETE FROM addresses WHERE environment_id = ?1")?
        .execute([environment_id])?;
    let mut insert = tx.prepare_cached(
        "INSERT INTO addresses (environment_id, ordinal, service, target, host_port, url, is_primary)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (ordinal, address) in (0_i64..).zip(addresses) {
        insert.execute(params![
            environment_id,
            ordinal,
            address.service,
            address.target,
            address.host_port,
            address.url,
            address.primary
        ])?;
    }
    events::append(
        tx,
        now,
        &Change::Environment {
            id: environment_id.to_owned(),
        },
    )
}

pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Address> {
    Ok(Address {
        service: row.get("service")?,
        target: row.get("target")?,
        host_port: row.get("host_port")?,
        url: row.get("url")?,
        primary: row.get("is_primary")?,
    })
}
