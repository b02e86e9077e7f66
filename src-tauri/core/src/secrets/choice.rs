//! Which store of secrets is used, and how it stands.

use std::path::Path;

use secrecy::SecretString;

use super::change::Unread;
use super::store::{Ask, SecretStore as _, StoreFailure};
use super::vault::Made;
use crate::Berth;
use crate::problem::{Code, Problem};
use crate::store::{secret_bundles, settings};
use crate::view::{SecretStoreKind, SecretStoreState, SecretStoreStatus};

impl Berth {
    /// Where new secrets are kept, and how it stands with that. Asks the user
    /// nothing; answers within 10 s.
    ///
    /// # Errors
    /// [`crate::Code::Store`].
    pub async fn secret_store(&self) -> Result<SecretStoreStatus, Problem> {
        let kind = self.secret_store_kind().await?;
        let calls = self.secrets().calls(kind);
        let stands = calls.ready().await;
        Ok(SecretStoreStatus {
            kind,
            product: calls.product().to_owned(),
            state: match &stands {
                Ok(()) => SecretStoreState::Ready,
                Err(failure) => failure.state(),
            },
            problem: stands.err().map(|failure| calls.problem(&failure)),
        })
    }

    /// Keeps secrets in the store of that kind from now on, and moves those that
    /// are kept in another one. The vault is made with `passphrase` when it is not
    /// there yet, else opened with it, also to leave it. A damaged vault is set aside
    /// and a new one made. Secrets that are lost stay behind; the status says of
    /// whom, and what has become of the file.
    ///
    /// # Errors
    /// [`crate::Code::InvalidInput`] for a passphrase that is missing, too short or wrong;
    /// the codes of either secret store when a secret cannot be read or written:
    /// then everything stays where it was. [`crate::Code::Busy`], [`crate::Code::Store`].
    pub async fn use_secret_store(
        &self,
        kind: SecretStoreKind,
        passphrase: Option<SecretString>,
    ) -> Result<SecretStoreStatus, Problem> {
        let lock = self.secrets().locks.wait().await?;
        let current = self.secret_store_kind().await?;
        let mut lost = Vec::new();
        let mut aside = None;
        if kind == SecretStoreKind::Vault {
            let made = self.make_vault(passphrase).await?;
            if made != Made::Opened {
                lost = self.kept_in(SecretStoreKind::Vault).await?;
            }
            if let Made::InPlaceOf(path) = made {
                aside = Some(path);
            }
        } else if current == SecretStoreKind::Vault && passphrase.is_some() {
            match self.open_vault(passphrase).await? {
                Err(failure) if !failure.is_loss() => return Err(self.vault_problem(&failure)),
                // What it held is lost, and is named below.
                _ => {}
            }
        }
        // Also where nothing is to be moved: what is chosen has to work.
        let calls = self.secrets().calls(kind);
        calls.prepare().await.map_err(|failure| {
            let problem = calls.problem(&failure);
            if current == kind {
                problem
            } else {
                stays(problem)
            }
        })?;
        if current != kind {
            self.remove_unreferenced(&lock).await;
            let mut moved = Vec::new();
            for id in self.kept_in(current).await? {
                let bundle = match self.read_bundle(&id).await {
                    Ok(bundle) => bundle,
                    Err(Unread::Now(problem)) => return Err(stays(problem)),
                    Err(Unread::Lost(_)) => {
                        lost.push(id);
                        continue;
                    }
                };
                let kept = self.keep_in(kind, &lock, &bundle).await.map_err(stays)?;
                moved.push((id, kept.id().to_owned()));
            }
            self.store()
                .write_durably(move |tx| {
                    for (from, to) in &moved {
                        secret_bundles::repoint(tx, from, to)?;
                    }
                    settings::set(tx, &settings::SECRET_STORE, &kind)
                })
                .await?;
        }
        self.remove_unreferenced(&lock).await;
        let owners = self
            .store()
            .read(move |connection| secret_bundles::owners(connection, &lost))
            .await?;
        let mut status = self.secret_store().await?;
        if status.problem.is_none() {
            status.problem = left_behind(aside.as_deref(), &owners);
        }
        Ok(status)
    }

    async fn kept_in(&self, kind: SecretStoreKind) -> Result<Vec<String>, Problem> {
        Ok(self
            .store()
            .read(move |connection| secret_bundles::kept_in(connection, kind))
            .await?)
    }

    /// Opens the vault until this process ends.
    ///
    /// # Errors
    /// [`crate::Code::InvalidInput`] for a wrong passphrase,
    /// [`crate::Code::SecretStoreBroken`] for a vault that is damaged or gone.
    pub async fn unlock_vault(
        &self,
        passphrase: SecretString,
    ) -> Result<SecretStoreStatus, Problem> {
        self.open_vault(Some(passphrase))
            .await?
            .map_err(|failure| self.vault_problem(&failure))?;
        self.secret_store().await
    }

    async fn open_vault(
        &self,
        passphrase: Option<SecretString>,
    ) -> Result<Result<(), StoreFailure>, Problem> {
        let Some(passphrase) = passphrase else {
            return Err(no_passphrase());
        };
        let vault = self.secrets().vault.clone();
        tokio::task::spawn_blocking(move || vault.open(&passphrase))
            .await
            .map_err(|error| Problem::internal(error.to_string()))
    }

    async fn make_vault(&self, passphrase: Option<SecretString>) -> Result<Made, Problem> {
        let vault = self.secrets().vault.clone();
        let Some(passphrase) = passphrase else {
            return if vault.is_open() && vault.ready(Ask::Never).is_ok() {
                Ok(Made::Opened)
            } else {
                Err(no_passphrase())
            };
        };
        tokio::task::spawn_blocking(move || vault.make(&passphrase))
            .await
            .map_err(|error| Problem::internal(error.to_string()))?
            .map_err(|failure| self.vault_problem(&failure))
    }

    fn vault_problem(&self, failure: &StoreFailure) -> Problem {
        self.secrets().vault_calls.problem(failure)
    }
}

/// What there is to say of secrets that are lost, and of a file that was set aside.
fn left_behind(aside: Option<&Path>, owners: &[String]) -> Option<Problem> {
    let problem = match (aside, owners) {
        (None, []) => return None,
        (Some(path), _) => Problem::new(
            Code::SecretStoreBroken,
            format!(
                "The encrypted file was damaged: it is {} now, and a new one was made",
                path.display()
            ),
        ),
        (None, _) => Problem::new(Code::SecretMissing, "Some secrets are lost"),
    };
    Some(if owners.is_empty() {
        problem.detail("It held no secrets that are in use.")
    } else {
        problem
            .detail(format!("Their secrets are missing: {}.", owners.join(", ")))
            .hint("Set the handlers' secrets again: berth handler secret KIND --set NAME.")
    })
}

/// Why secrets were not moved.
fn stays(problem: Problem) -> Problem {
    let why = match &problem.detail {
        Some(detail) => format!("{}. {detail}", problem.title),
        None => format!("{}.", problem.title),
    };
    Problem {
        title: "The secrets were not moved; everything stays where it was".to_owned(),
        detail: Some(why),
        ..problem
    }
}

fn no_passphrase() -> Problem {
    Problem::new(Code::InvalidInput, "The encrypted file needs a passphrase")
        .hint("Berth does not keep it: you are asked for it whenever Berth starts.")
}

#[cfg(test)]
#[path = "choice_tests.rs"]
mod tests;
