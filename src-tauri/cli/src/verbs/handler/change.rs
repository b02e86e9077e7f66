//! Handlers saved and removed, with their secrets.

use berth_core::view::{Handler, HandlerDraft, HandlerKey, HandlerScope};
use berth_core::{Berth, Code, NewSecrets};

use super::{Removed, find};
use crate::failure::Failure;
use crate::handler_words;
use crate::output::Output;
use crate::vault;

/// Saves a handler.
///
/// # Errors
/// Those of [`Berth::save_handler`], with what to type about missing secrets.
pub(super) async fn save(
    berth: &Berth,
    draft: &HandlerDraft,
    secrets: &NewSecrets,
) -> Result<Handler, Failure> {
    vault::with_secrets(berth, async || {
        berth.save_handler(draft.clone(), secrets.clone()).await
    })
    .await
    .map_err(told_how)
}

/// A secret that has no value can be given one at once.
fn told_how(failure: Failure) -> Failure {
    match failure {
        Failure::Problem(mut problem) if problem.code == Code::SecretMissing => {
            problem.hint = Some(
                "Name each with “--secret”: Berth asks for the value, or reads NAME=VALUE lines with --secrets-from-stdin."
                    .to_owned(),
            );
            Failure::Problem(problem)
        }
        failure => failure,
    }
}

/// Removes a handler and says so.
///
/// # Errors
/// [`Code::NotFound`].
pub(super) async fn remove(
    berth: &Berth,
    scope: &HandlerScope,
    key: &HandlerKey,
    output: &Output,
) -> Result<(), Failure> {
    let before = find(berth, scope, key).await?;
    let has_secrets = before
        .iter()
        .flat_map(|handler| &handler.secrets)
        .any(|secret| secret.set_at.is_some());
    if has_secrets {
        // Only an open vault lets go of what it holds.
        vault::unlock(berth).await?;
    }
    berth.remove_handler(scope, key).await?;
    if output.is_json() {
        return output.object(&Removed { removed: key });
    }
    let kind = handler_words::kind(key);
    output.line(&match scope {
        HandlerScope::Workspace => format!("{kind} has no workspace handler any more."),
        HandlerScope::User { .. } => format!("Your override for {kind} is gone."),
    })
}
