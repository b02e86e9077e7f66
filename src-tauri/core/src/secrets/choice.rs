//! Which store of secrets is used, and how it stands.

use secrecy::SecretString;

use crate::Berth;
use crate::problem::Problem;
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
    /// there yet, else opened with it, also to leave it.
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
        if kind == SecretStoreKind::Vault {
            self.open_vault(passphrase, true).await?;
        } else if current == SecretStoreKind::Vault && passphrase.is_some() {
            self.open_vault(passphrase, false).await?;
        }
        if current != kind {
            self.remove_unreferenced(&lock).await;
            let ids = self
                .store()
                .read(move |connection| secret_bundles::kept_in(connection, current))
                .await?;
            let mut moved = Vec::new();
            for id in ids {
                let bundle = self.bundle(&id).await.map_err(stays)?;
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
        self.secret_store().await
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
        self.open_vault(Some(passphrase), false).await?;
        self.secret_store().await
    }

    async fn open_vault(
        &self,
        passphrase: Option<SecretString>,
        make: bool,
    ) -> Result<(), Problem> {
        let vault = self.secrets().vault.clone();
        let calls = self.secrets().vault_calls.clone();
        tokio::task::spawn_blocking(move || match passphrase {
            None if vault.is_open() => Ok(()),
            None => Err(no_passphrase()),
            Some(passphrase) => {
                let opened = if make && !vault.exists() {
                    vault.make(&passphrase)
                } else {
                    vault.open(&passphrase)
                };
                opened.map_err(|failure| calls.problem(&failure))
            }
        })
        .await
        .unwrap_or_else(|error| Err(Problem::internal(error.to_string())))
    }
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
    Problem::new(
        crate::Code::InvalidInput,
        "The encrypted file needs a passphrase",
    )
    .hint("Berth does not keep it: you are asked for it whenever Berth starts.")
}

#[cfg(test)]
#[path = "choice_tests.rs"]
mod tests;
