//! Verbs that wait for something else (a keychain, a person) and can be given up.

use crate::failure::{Failure, STOPPED};
use crate::platform::Stop;

/// Does something until it ends, or until Ctrl-C: then it is no longer waited for.
/// What the store of secrets was asked meanwhile is taken back at the next start.
///
/// # Errors
/// Those of the work; [`Failure::Said`] with [`STOPPED`].
pub(crate) async fn until_stopped<T>(
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let mut stop = Stop::listen()?;
    tokio::select! {
        biased;
        ended = work => ended,
        () = stop.requested() => Err(Failure::Said(STOPPED)),
    }
}
