//! `berth secrets`

use berth_core::view::{SecretStoreKind, SecretStoreState, SecretStoreStatus};
use berth_core::{Code, Problem};
use serde::Serialize;

use super::open_berth;
use crate::args::SecretStoresVerb;
use crate::failure::{self, Failure};
use crate::handler_words;
use crate::output::Output;
use crate::stopping::until_stopped;
use crate::vault::{self, Purpose};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Stands<'a> {
    secret_store: &'a SecretStoreStatus,
}

pub(super) async fn run(verb: Option<SecretStoresVerb>, output: &Output) -> Result<(), Failure> {
    match verb {
        None => show(output).await,
        Some(SecretStoresVerb::Use { store }) => until_stopped(keep_in(store, output)).await,
    }
}

async fn show(output: &Output) -> Result<(), Failure> {
    let store = open_berth().await?.secret_store().await?;
    if output.is_json() {
        output.object(&Stands {
            secret_store: &store,
        })?;
    } else {
        output.line(&line(&store))?;
    }
    match store.problem.filter(|_| !rests(store.kind, store.state)) {
        None => {
            if !output.is_json() && store.state == SecretStoreState::Locked {
                output.note("Verbs that need it ask for its passphrase.");
            }
            Ok(())
        }
        Some(problem) => {
            if !output.is_json() {
                output.problem(&vault::told_of_vault(problem.clone()));
            }
            Err(Failure::Said(failure::exit_code(problem.code)))
        }
    }
}

/// A vault that no process has opened is as it should be.
fn rests(kind: SecretStoreKind, state: SecretStoreState) -> bool {
    kind == SecretStoreKind::Vault && state == SecretStoreState::Locked
}

/// `keychain  Secret Service  ready`
fn line(store: &SecretStoreStatus) -> String {
    format!(
        "{}  {}  {}",
        handler_words::secret_store(store.kind),
        store.product,
        handler_words::secret_store_state(store.state)
    )
}

async fn keep_in(kind: SecretStoreKind, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    let before = berth.secret_store().await?;
    let passphrase = match kind {
        SecretStoreKind::Keychain => {
            // What is moved has to be read first.
            let locked = rests(before.kind, before.state);
            if !vault::unlock(&berth).await? && locked {
                return Err(
                    Problem::new(Code::SecretStoreLocked, "The encrypted file is locked")
                        .detail("What it holds has to be read before it can be moved.")
                        .hint(vault::how_to_give())
                        .into(),
                );
            }
            None
        }
        SecretStoreKind::Vault => {
            let purpose = if before.kind == SecretStoreKind::Vault
                && before.state != SecretStoreState::Broken
            {
                Purpose::Open
            } else {
                Purpose::Make
            };
            Some(vault::passphrase(purpose).await?.ok_or_else(|| {
                Problem::new(Code::InvalidInput, "The encrypted file needs a passphrase")
                    .hint(vault::how_to_give())
            })?)
        }
    };
    let store = berth.use_secret_store(kind, passphrase).await?;
    if output.is_json() {
        return output.object(&Stands {
            secret_store: &store,
        });
    }
    output.line(&line(&store))?;
    if before.kind != kind {
        output.note("Secrets are kept there from now on.");
    }
    if let Some(problem) = &store.problem {
        output.problem(problem);
    }
    Ok(())
}
