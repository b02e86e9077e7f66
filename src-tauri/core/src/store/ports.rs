//! Host ports. An environment keeps its numbers from its first start to its
//! teardown, so that its URL survives a restart.

use std::collections::{BTreeMap, HashSet};

use berth_engines::docker::PortKey;
use rusqlite::{Connection, Transaction, params};
use sha2::{Digest, Sha256};

use super::StoreError;

/// First number of Berth's range: below the ephemeral ports of macOS and Windows
/// (from 49152); inside Linux's, which is why a number is probed before it is
/// given.
pub(crate) const FIRST: u16 = 41_000;
/// Last number of Berth's range.
pub(crate) const LAST: u16 = 48_999;

/// Every number of the range once, from a place of the environment's own, so
/// that a freed number is not soon another environment's.
pub(crate) fn candidates(environment_id: &str) -> impl Iterator<Item = u16> + use<> {
    let digest = Sha256::digest(environment_id.as_bytes());
    let span = u32::from(LAST - FIRST) + 1;
    let start = digest
        .iter()
        .take(4)
        .fold(0_u32, |number, byte| number << 8 | u32::from(*byte))
        % span;
    (0..span).filter_map(move |step| u16::try_from(u32::from(FIRST) + (start + step) % span).ok())
}

/// A number for each of `wanted`: the one it has, else the first of `candidates`
/// that no environment has and that `is_free`. Numbers no longer wanted are
/// given back.
///
/// # Errors
/// [`StoreError::NoPortLeft`].
pub(crate) fn allocate(
    tx: &Transaction<'_>,
    environment_id: &str,
    wanted: &[PortKey],
    candidates: impl Iterator<Item = u16>,
    is_free: impl Fn(u16) -> bool,
) -> Result<BTreeMap<PortKey, u16>, StoreError> {
    let mut assigned = assigned(tx, environment_id)?;
    for (key, host_port) in &assigned {
        if !wanted.contains(key) {
            release_one(tx, *host_port)?;
        }
    }
    assigned.retain(|key, _| wanted.contains(key));

    let mut taken: HashSet<u16> = tx
        .prepare_cached("SELECT host_port FROM ports")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut candidates = candidates;
    let mut insert = tx.prepare_cached(
        "INSERT INTO ports (host_port, environment_id, service, target, protocol)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for key in wanted {
        if assigned.contains_key(key) {
            continue;
        }
        let host_port = candidates
            .find(|number| !taken.contains(number) && is_free(*number))
            .ok_or(StoreError::NoPortLeft {
                first: FIRST,
                last: LAST,
            })?;
        insert.execute(params![
            host_port,
            environment_id,
            key.service,
            key.target,
            key.protocol
        ])?;
        taken.insert(host_port);
        assigned.insert(key.clone(), host_port);
    }
    Ok(assigned)
}

/// The numbers an environment has.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn assigned(
    connection: &Connection,
    environment_id: &str,
) -> Result<BTreeMap<PortKey, u16>, StoreError> {
    let assigned = connection
        .prepare_cached(
            "SELECT service, target, protocol, host_port FROM ports WHERE environment_id = ?1",
        )?
        .query_map([environment_id], |row| {
            Ok((
                PortKey {
                    service: row.get(0)?,
                    target: row.get(1)?,
                    protocol: row.get(2)?,
                },
                row.get(3)?,
            ))
        })?
        .collect::<Result<_, _>>()?;
    Ok(assigned)
}

/// Gives one number back: the engine found it taken after all.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn release_one(tx: &Transaction<'_>, host_port: u16) -> Result<(), StoreError> {
    tx.prepare_cached("DELETE FROM ports WHERE host_port = ?1")?
        .execute([host_port])?;
    Ok(())
}

/// Gives all numbers of an environment back.
///
/// # Errors
/// Trouble with the file.
pub(super) fn release(tx: &Transaction<'_>, environment_id: &str) -> Result<(), StoreError> {
    tx.prepare_cached("DELETE FROM ports WHERE environment_id = ?1")?
        .execute([environment_id])?;
    Ok(())
}
