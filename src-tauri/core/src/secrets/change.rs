//! Writing, reading and removing bundles.

use std::sync::Arc;

use super::bundle::SecretBundle;
use super::lock::SecretsLock;
use super::store::StoreFailure;
use crate::Berth;
use crate::handlers::NewSecrets;
use crate::problem::{Code, Problem};
use crate::store::{StoreError, secret_bundles, settings};
use crate::view::SecretStoreKind;

/// A bundle that was written. As long as this lives it is not taken for a leftover,
/// in any process: until a transaction has made something name it.
#[derive(Debug)]
pub(crate) struct KeptBundle {
    id: String,
    _lock: Arc<SecretsLock>,
}

impl KeptBundle {
    /// What names it.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }
}

/// Why the secrets of a bundle were not had.
#[derive(Debug)]
pub(super) enum Unread {
    /// They are gone, or damaged.
    Lost(Problem),
    /// They cannot be read now.
    Now(Problem),
}

impl Unread {
    fn into_problem(self) -> Problem {
        match self {
            Self::Lost(problem) | Self::Now(problem) => problem,
        }
    }
}

impl Berth {
    /// The secrets of a bundle. May ask the user to unlock the store; whoever no
    /// longer wants to wait drops the future.
    ///
    /// # Errors
    /// [`Code::SecretMissing`] when its item is gone, the `SecretStore…` codes when
    /// the store does not give it, [`Code::Store`].
    pub(crate) async fn bundle(&self, id: &str) -> Result<SecretBundle, Problem> {
        self.read_bundle(id).await.map_err(Unread::into_problem)
    }

    /// As [`Berth::bundle`], telling what is lost from what cannot be read now.
    pub(super) async fn read_bundle(&self, id: &str) -> Result<SecretBundle, Unread> {
        let wanted = id.to_owned();
        let record = self
            .store()
            .read(move |connection| secret_bundles::get(connection, &wanted))
            .await
            .map_err(|error| match error {
                StoreError::Missing { .. } => Unread::Now(changed_meanwhile()),
                error => Unread::Now(error.into()),
            })?;
        let calls = self.secrets().calls(record.store);
        let said = |failure: StoreFailure| {
            let problem = calls.problem(&failure);
            if failure.is_loss() {
                Unread::Lost(problem)
            } else {
                Unread::Now(problem)
            }
        };
        match calls.take(id).await.map_err(said)? {
            Some(text) => SecretBundle::from_text(id, &text).map_err(said),
            None => Err(said(StoreFailure::Missing)),
        }
    }

    /// Waits until nobody else changes secrets: what names a bundle is read under
    /// this lock by those who read the bundle to write another one.
    ///
    /// # Errors
    /// [`Code::Busy`] when another process does not end a change of its own in
    /// time; [`Code::Store`].
    pub(crate) async fn lock_secrets(&self) -> Result<Arc<SecretsLock>, Problem> {
        self.secrets().locks.wait().await
    }

    /// Writes a bundle into the store of secrets that is used now. May ask the user
    /// to unlock it; whoever no longer wants to wait drops the future.
    ///
    /// # Errors
    /// The `SecretStore…` codes; [`Code::Busy`] when another process does not end a
    /// change of its own in time; [`Code::Store`]. Then nothing is kept, or what is
    /// kept is a leftover.
    pub(crate) async fn keep_bundle(&self, bundle: SecretBundle) -> Result<KeptBundle, Problem> {
        let lock = self.lock_secrets().await?;
        self.keep_under(&lock, bundle).await
    }

    /// As [`Berth::keep_bundle`], under a lock that is held already.
    pub(crate) async fn keep_under(
        &self,
        lock: &Arc<SecretsLock>,
        bundle: SecretBundle,
    ) -> Result<KeptBundle, Problem> {
        let kind = self.secret_store_kind().await?;
        self.keep_in(kind, lock, &bundle).await
    }

    /// Writes a bundle that holds what `old` holds but for what is `new`; `None`:
    /// nothing is left to hold. Secrets that something else has removed from the
    /// keychain need not be there when they are replaced or removed.
    ///
    /// # Errors
    /// As [`Berth::keep_bundle`]; [`Code::SecretMissing`] when a secret that stays is
    /// gone; [`Code::InvalidInput`] for a name that the contract does not allow, and
    /// values that are too long.
    pub(crate) async fn changed_bundle(
        &self,
        lock: &Arc<SecretsLock>,
        old: Option<&str>,
        new: NewSecrets,
    ) -> Result<Option<KeptBundle>, Problem> {
        let before = match old {
            None => SecretBundle::default(),
            Some(old) => match self.read_bundle(old).await {
                Ok(before) => before,
                Err(Unread::Now(problem)) if problem.code != Code::SecretMissing => {
                    return Err(problem);
                }
                Err(unread) => {
                    self.refuse_lost(old, &new, unread.into_problem()).await?;
                    SecretBundle::default()
                }
            },
        };
        let after = before.with(new, self.now())?;
        if after.is_empty() {
            return Ok(None);
        }
        let kind = self.secret_store_kind().await?;
        self.keep_in(kind, lock, &after).await.map(Some)
    }

    /// Holds when a bundle whose item is gone named nothing but what is now set or
    /// removed.
    async fn refuse_lost(
        &self,
        old: &str,
        new: &NewSecrets,
        problem: Problem,
    ) -> Result<(), Problem> {
        let id = old.to_owned();
        let keys = self
            .store()
            .read(move |connection| secret_bundles::keys(connection, &id))
            .await?;
        let lost: Vec<String> = keys
            .into_iter()
            .map(|secret| secret.key)
            .filter(|key| !new.set.contains_key(key) && !new.remove.contains(key))
            .collect();
        if lost.is_empty() {
            Ok(())
        } else {
            Err(problem.hint(format!("Set or remove {} too.", lost.join(", "))))
        }
    }

    /// As [`Berth::keep_bundle`], in the store of that kind, under a lock that is
    /// held already.
    pub(super) async fn keep_in(
        &self,
        kind: SecretStoreKind,
        lock: &Arc<SecretsLock>,
        bundle: &SecretBundle,
    ) -> Result<KeptBundle, Problem> {
        let calls = self.secrets().calls(kind);
        let said = |failure: StoreFailure| calls.problem(&failure);
        let text = bundle.to_text().map_err(said)?;
        // Before anything is on record that could be there.
        calls.prepare().await.map_err(said)?;
        let (now, keys) = (self.now(), bundle.keys());
        let id = self
            .store()
            .write_durably(move |tx| secret_bundles::insert(tx, now, kind, &keys))
            .await?;
        calls.put(lock.clone(), &id, text).await.map_err(said)?;
        Ok(KeptBundle {
            id,
            _lock: lock.clone(),
        })
    }

    /// Removes what no handler and no environment names: leftovers of changes that
    /// were cut off or whose last step failed. Leaves everything as it is while
    /// somebody changes secrets, or while the store cannot be read.
    pub(crate) async fn remove_unreferenced_bundles(&self) {
        // Mostly there is nothing: then nobody is waited for.
        let lock = match self.unreferenced().await {
            Ok(left) if left.is_empty() => return,
            Ok(_) => self.secrets().locks.wait_briefly().await,
            Err(problem) => Err(problem),
        };
        match lock {
            Ok(Some(lock)) => self.remove_unreferenced(&lock).await,
            // Whoever changes secrets removes what is left over afterwards.
            Ok(None) => {}
            Err(problem) => tracing::warn!(%problem, "leftover secrets were not looked for"),
        }
    }

    pub(super) async fn remove_unreferenced(&self, lock: &Arc<SecretsLock>) {
        let mut left = self.unreferenced().await.unwrap_or_else(|problem| {
            tracing::warn!(%problem, "leftover secrets were not looked for");
            Vec::new()
        });
        while let Some(record) = left.pop() {
            if let Err(problem) = self.remove_bundle(lock, &record).await {
                // They stay on record, and the next start tries again.
                tracing::warn!(bundle = record.id, %problem, "leftover secrets could not be removed");
                left.retain(|other| other.store != record.store);
            }
        }
    }

    async fn unreferenced(&self) -> Result<Vec<secret_bundles::Record>, Problem> {
        Ok(self.store().read(secret_bundles::unreferenced).await?)
    }

    async fn remove_bundle(
        &self,
        lock: &Arc<SecretsLock>,
        record: &secret_bundles::Record,
    ) -> Result<(), Problem> {
        let calls = self.secrets().calls(record.store);
        calls
            .remove(lock.clone(), &record.id)
            .await
            .map_err(|failure| calls.problem(&failure))?;
        let id = record.id.clone();
        self.store()
            .write(move |tx| secret_bundles::delete(tx, &id))
            .await?;
        Ok(())
    }

    /// Where new secrets are kept.
    pub(super) async fn secret_store_kind(&self) -> Result<SecretStoreKind, Problem> {
        let kind = self
            .store()
            .read(|connection| settings::get(connection, &settings::SECRET_STORE))
            .await?;
        Ok(kind.unwrap_or(SecretStoreKind::Keychain))
    }
}

/// The bundle is no longer there: a change replaced it after its name was read.
fn changed_meanwhile() -> Problem {
    Problem::new(Code::Busy, "The secrets were changed meanwhile")
        .hint("Try again.")
        .retryable()
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
