//! The handlers that environments were made with, and the secrets they use.

use std::collections::HashMap;

use rusqlite::{Connection, Transaction, params};

use super::update;
use crate::handlers::MadeWith;
use crate::store::StoreError;
use crate::store::columns::Json;

/// A live environment and the handler it was made with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LiveMadeWith {
    /// Its id.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// The handler, as it was then.
    pub(crate) made_with: Option<MadeWith>,
}

/// The live environments of a workspace by service, each list by name.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn live_made_with(
    connection: &Connection,
    workspace_id: &str,
) -> Result<HashMap<String, Vec<LiveMadeWith>>, StoreError> {
    let mut by_service: HashMap<String, Vec<LiveMadeWith>> = HashMap::new();
    let mut statement = connection.prepare_cached(
        "SELECT service_id, id, name, handler FROM environments
         WHERE workspace_id = ?1 AND torn_down_at IS NULL ORDER BY service_id, name",
    )?;
    let mut rows = statement.query([workspace_id])?;
    while let Some(row) = rows.next()? {
        by_service
            .entry(row.get("service_id")?)
            .or_default()
            .push(LiveMadeWith {
                id: row.get("id")?,
                name: row.get("name")?,
                made_with: row
                    .get::<_, Option<Json<MadeWith>>>("handler")?
                    .map(|made_with| made_with.0),
            });
    }
    Ok(by_service)
}

/// Records the handler that it is made with from now on.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_made_with(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    made_with: &MadeWith,
) -> Result<(), StoreError> {
    update(
        tx,
        now,
        id,
        "UPDATE environments SET handler = ?2, handler_bundle = ?3 WHERE id = ?1",
        params![id, Json(made_with), made_with.bundle],
    )
}

/// Records where the credentials of its access are kept; `None`: it has none.
///
/// # Errors
/// [`StoreError::Missing`].
pub(crate) fn set_access_bundle(
    tx: &Transaction<'_>,
    now: i64,
    id: &str,
    bundle: Option<&str>,
) -> Result<(), StoreError> {
    update(
        tx,
        now,
        id,
        "UPDATE environments SET access_bundle = ?2 WHERE id = ?1",
        params![id, bundle],
    )
}

/// Makes live environments that use one bundle of secrets use another.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn repoint_bundle(
    tx: &Transaction<'_>,
    from: &str,
    to: Option<&str>,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "UPDATE environments SET handler_bundle = ?2
         WHERE handler_bundle = ?1 AND torn_down_at IS NULL",
    )?
    .execute(params![from, to])?;
    Ok(())
}
