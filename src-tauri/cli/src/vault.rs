//! The passphrase of the encrypted file, for those who keep secrets in it. A
//! process that needs secrets opens it for itself.

use std::path::PathBuf;

use berth_core::view::{SecretStoreKind, SecretStoreState};
use berth_core::{Berth, Code, Problem};
use secrecy::{ExposeSecret as _, SecretString};

use crate::document_input::unreadable;
use crate::failure::Failure;
use crate::platform;
use crate::terminal::Terminal;

/// Names the file that holds the passphrase, for scripts. The passphrase itself
/// does not stand in a variable: every process that Berth starts would inherit it.
const FILE: &str = "BERTH_VAULT_PASSPHRASE_FILE";

/// What the passphrase is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A vault is opened that is there.
    Open,
    /// One may be made: a mistyped passphrase would be lost with all it protects.
    Make,
}

/// Does something that needs secrets; where the vault is locked, opens it and does
/// it again.
///
/// # Errors
/// Those of the work; [`Code::InvalidInput`] for a wrong passphrase.
pub(crate) async fn with_secrets<T>(
    berth: &Berth,
    work: impl AsyncFn() -> Result<T, Problem>,
) -> Result<T, Failure> {
    match work().await {
        Err(problem) if problem.code == Code::SecretStoreLocked => {
            if unlock(berth).await? {
                Ok(work().await?)
            } else {
                Err(told_of_file(berth, problem).await.into())
            }
        }
        Err(problem) => Err(told_of_vault(problem).into()),
        Ok(done) => Ok(done),
    }
}

/// Where a passphrase can come from, when it is the encrypted file that is locked.
async fn told_of_file(berth: &Berth, problem: Problem) -> Problem {
    match berth.secret_store().await {
        Ok(store) if store.kind == SecretStoreKind::Vault => problem.hint(how_to_give()),
        _ => problem,
    }
}

/// What can be typed where there is no keychain to keep secrets in.
pub(crate) fn told_of_vault(problem: Problem) -> Problem {
    match problem.code {
        Code::SecretStoreMissing | Code::SecretStoreNotPersistent => {
            let hint = problem.hint.clone().unwrap_or_default();
            problem.hint(format!("{hint}\nHere: berth secrets use vault."))
        }
        _ => problem,
    }
}

/// Opens the vault if it is what holds secrets, is locked, and its passphrase can
/// be had. Gives back whether it was opened.
///
/// # Errors
/// [`Code::InvalidInput`] for a wrong passphrase.
pub(crate) async fn unlock(berth: &Berth) -> Result<bool, Failure> {
    let store = berth.secret_store().await?;
    if store.kind != SecretStoreKind::Vault || store.state != SecretStoreState::Locked {
        return Ok(false);
    }
    match passphrase(Purpose::Open).await? {
        Some(passphrase) => {
            berth.unlock_vault(passphrase).await?;
            Ok(true)
        }
        None => Ok(false),
    }
}

/// The same where nobody is to be asked.
///
/// # Errors
/// [`Code::InvalidInput`] for a wrong passphrase.
pub(crate) async fn unlock_unasked(berth: &Berth) -> Result<(), Failure> {
    if file().is_some() {
        unlock(berth).await?;
    }
    Ok(())
}

fn file() -> Option<PathBuf> {
    std::env::var_os(FILE)
        .filter(|file| !file.is_empty())
        .map(PathBuf::from)
}

/// The passphrase: from the file that the variable names, else from the terminal,
/// else nowhere.
///
/// # Errors
/// [`Code::PathMissing`] and [`Code::InvalidInput`] for a file that is missing,
/// unreadable or readable for others; [`Code::InvalidInput`] when the two entries
/// of a new one differ.
pub(crate) async fn passphrase(purpose: Purpose) -> Result<Option<SecretString>, Failure> {
    if let Some(file) = file() {
        return Ok(Some(from_file(file).await?));
    }
    let Some(terminal) = Terminal::find() else {
        return Ok(None);
    };
    let first = terminal.secret("Passphrase of the encrypted file").await?;
    if purpose == Purpose::Make {
        let second = terminal.secret("The same again").await?;
        if first.expose_secret() != second.expose_secret() {
            return Err(
                Problem::new(Code::InvalidInput, "The two passphrases differ")
                    .hint("Nothing was changed. Run it again.")
                    .into(),
            );
        }
    }
    Ok(Some(first))
}

/// Where a passphrase can come from, for those who have none to give.
pub(crate) fn how_to_give() -> String {
    format!("Run it on a terminal, or name a file that holds the passphrase in {FILE}.")
}

async fn from_file(path: PathBuf) -> Result<SecretString, Failure> {
    let reading = tokio::task::spawn_blocking(move || {
        let shown = path.display().to_string();
        if path.is_dir() {
            return Err(
                Problem::new(Code::InvalidInput, format!("{shown} is a folder"))
                    .detail(format!("{FILE} names it."))
                    .hint("Name the file that holds the passphrase."),
            );
        }
        match platform::read_private(&path) {
            Ok(Some(text)) => {
                let passphrase = first_line(text);
                if passphrase.expose_secret().is_empty() {
                    return Err(Problem::new(
                        Code::InvalidInput,
                        format!("{shown} holds no passphrase: its first line is empty"),
                    )
                    .detail(format!("{FILE} names it."))
                    .hint("Write the passphrase into its first line."));
                }
                Ok(passphrase)
            }
            Ok(None) => Err(Problem::new(
                Code::InvalidInput,
                format!("Others on this machine may read {shown}"),
            )
            .detail(format!("{FILE} names it, and it holds a passphrase."))
            .hint(format!("chmod 600 {shown} keeps it yours."))),
            Err(error) => Err(unreadable(&shown, &error).detail(format!("{FILE} names it."))),
        }
    });
    Ok(reading
        .await
        .map_err(|error| Problem::internal("reading broke off").caused_by(&error))??)
}

/// Editors end a file with a line break, which is no part of a passphrase.
fn first_line(text: String) -> SecretString {
    let text = SecretString::from(text);
    let line = text.expose_secret().lines().next().unwrap_or_default();
    SecretString::from(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_is_the_passphrase() {
        for text in [
            "four words in line",
            "four words in line\n",
            "four words in line\r\nmore",
        ] {
            assert_eq!(
                first_line(text.to_owned()).expose_secret(),
                "four words in line"
            );
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_file_that_others_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("passphrase");
        std::fs::write(&file, "four words in line\n").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        let Err(Failure::Problem(problem)) = from_file(file.clone()).await else {
            panic!("it was read");
        };
        assert!(problem.hint.unwrap().contains("chmod 600"));
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        let read = from_file(file.clone()).await.unwrap();
        assert_eq!(read.expose_secret(), "four words in line");
        std::fs::write(&file, "\n").unwrap();
        for (path, said) in [
            (file, "holds no passphrase"),
            (folder.path().to_owned(), "is a folder"),
        ] {
            let Err(Failure::Problem(problem)) = from_file(path).await else {
                panic!("it was read");
            };
            assert!(problem.title.contains(said), "{problem}");
            assert!(problem.detail.unwrap().contains(FILE));
        }
        let missing = from_file(folder.path().join("none")).await;
        assert_eq!(missing.unwrap_err().exit_code(), 2);
    }
}
