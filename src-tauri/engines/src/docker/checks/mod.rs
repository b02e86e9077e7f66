//! The connection test of a Docker engine. It asks; it makes and keeps nothing.

mod advice;
mod api;
mod machine;
mod permission;
mod pools;
mod reachable;
mod socket;
mod storage;

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use self::reachable::Answer;
use super::EndpointSources;
use crate::{Check, EngineError, Ladder};

/// How long a check may take, each at most 10 s.
#[derive(Clone, Copy)]
struct Limits {
    /// Looking at files: they may be on a network.
    look: Duration,
    /// Until an engine says that it is there.
    answer: Duration,
    /// Until an engine has counted what it has.
    call: Duration,
}

const LIMITS: Limits = Limits {
    look: Duration::from_secs(5),
    answer: Duration::from_secs(5),
    call: Duration::from_secs(10),
};

const SOCKET: &str = "socket";
const REACHABLE: &str = "reachable";
const PERMISSION: &str = "permission";
const API: &str = "api";
const PLATFORM: &str = "platform";
const STORAGE: &str = "storage";
const ADDRESS_POOLS: &str = "address_pools";

const STAGES: [(&str, &str); 7] = [
    (SOCKET, "Socket"),
    (REACHABLE, "Engine answers"),
    (PERMISSION, "Permission"),
    (API, "API version"),
    (PLATFORM, "Platform"),
    (STORAGE, "Storage"),
    (ADDRESS_POOLS, "Networks"),
];

/// The checks of a Docker engine, in order, before anything was tried.
pub fn connection_checks() -> Vec<Check> {
    STAGES
        .iter()
        .map(|(key, title)| Check::waiting(key, title))
        .collect()
}

/// Tests the engine at an address that a handler names, else the one that the
/// `docker` command would use; `tell` hears of each change to one of
/// [`connection_checks`]. Says whether the engine can be used.
///
/// # Errors
/// [`EngineError::Cancelled`] only: what is wrong with the engine is told by the
/// checks. Each has a deadline of at most 10 s.
pub async fn check_connection(
    sources: &EndpointSources,
    named: Option<&str>,
    cancel: &CancellationToken,
    tell: &mut (dyn FnMut(&Check) + Send),
) -> Result<bool, EngineError> {
    within(LIMITS, sources, named, cancel, tell).await
}

async fn within(
    limits: Limits,
    sources: &EndpointSources,
    named: Option<&str>,
    cancel: &CancellationToken,
    tell: &mut (dyn FnMut(&Check) + Send),
) -> Result<bool, EngineError> {
    let mut ladder = Ladder::new(connection_checks(), cancel, tell);
    if let Some(broken) = climb(&mut ladder, limits, sources, named).await? {
        ladder.skip_rest(broken);
    }
    Ok(ladder.passed())
}

/// Up to the top, or to the check without which there is nothing more to try.
async fn climb(
    ladder: &mut Ladder<'_>,
    limits: Limits,
    sources: &EndpointSources,
    named: Option<&str>,
) -> Result<Option<&'static str>, EngineError> {
    let looking = socket::look(sources, named);
    let late = socket::late();
    let Some(endpoint) = ladder.run(SOCKET, limits.look, late, looking).await? else {
        return Ok(Some(SOCKET));
    };
    let late = advice::silent(&endpoint, sources, limits.answer);
    let asking = reachable::ask(&endpoint, sources);
    let Some(answer) = ladder.run(REACHABLE, limits.answer, late, asking).await? else {
        return Ok(Some(REACHABLE));
    };
    let denied = matches!(answer, Answer::Denied);
    let late = permission::late(denied);
    let judging = permission::judge(&endpoint, answer);
    let Some(()) = ladder.run(PERMISSION, limits.look, late, judging).await? else {
        return Ok(Some(PERMISSION));
    };
    let silent = || advice::silent(&endpoint, sources, limits.call);
    let asking = api::agree(&endpoint, sources);
    let Some(spoken) = ladder.run(API, limits.call, silent(), asking).await? else {
        return Ok(Some(API));
    };
    let asking = machine::ask(&spoken, &endpoint, sources);
    let Some(about) = ladder.run(PLATFORM, limits.call, silent(), asking).await? else {
        return Ok(Some(PLATFORM));
    };
    let looking = storage::look(&about, &endpoint);
    let late = storage::late();
    ladder.run(STORAGE, limits.look, late, looking).await?;
    let counting = pools::count(&spoken.api, &about, &endpoint, sources);
    ladder
        .run(ADDRESS_POOLS, limits.call, silent(), counting)
        .await?;
    Ok(None)
}

#[cfg(all(test, unix))]
mod tests;
