//! What a store of secrets has to be able to do, and what may come of it.

use secrecy::SecretString;

use crate::problem::{Code, Problem};
use crate::view::{SecretStoreKind, SecretStoreState};

type Source = Box<dyn std::error::Error + Send + Sync>;

/// Whether the user may be asked to unlock a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Somebody waits for the result: the system may ask for a password.
    IfLocked,
    /// Nobody does: what is locked stays locked.
    Never,
}

/// A keychain or what takes its place: texts by name.
///
/// Every call may block: for some seconds, and where the user is asked for as long
/// as they look at the question. Every call may be made again with the same effect.
pub trait SecretStore: Send + Sync {
    /// What it calls itself (`Secret Service`).
    fn product(&self) -> &str;

    /// The largest value it takes, in bytes of UTF-16; `None`: any.
    fn largest_value(&self) -> Option<usize>;

    /// Holds when values can be read and written now and stay there.
    ///
    /// # Errors
    /// [`StoreFailure`], saying how it stands.
    fn ready(&self, ask: Ask) -> Result<(), StoreFailure>;

    /// A value; `None`: there is none, as far as the store can say. Some say so of
    /// everything while they are locked.
    ///
    /// # Errors
    /// [`StoreFailure`].
    fn get(&self, name: &str) -> Result<Option<SecretString>, StoreFailure>;

    /// Keeps a value, in place of the one of that name.
    ///
    /// # Errors
    /// [`StoreFailure`]; the value may be there all the same.
    fn set(&self, name: &str, value: &SecretString) -> Result<(), StoreFailure>;

    /// Removes a value, if there is one.
    ///
    /// # Errors
    /// [`StoreFailure`]; the value may be gone all the same.
    fn delete(&self, name: &str) -> Result<(), StoreFailure>;
}

/// Why a store of secrets did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreFailure {
    /// None is there.
    #[error("no keychain answers on this machine")]
    NoService(#[source] Source),
    /// It is locked, and the user was not asked or nothing could ask them.
    #[error("it is locked")]
    Locked,
    /// The keychain service holds no keychain to write to yet.
    #[error("it has no default keyring")]
    NoKeyring,
    /// The user was asked to unlock it and did not.
    #[error("its question was dismissed")]
    Dismissed,
    /// It did not answer in time, or still works on an earlier call.
    #[error("it does not answer")]
    Silent,
    /// It forgets what it is given when the session ends.
    #[error("it forgets everything when the session ends")]
    NotPersistent,
    /// It does not hold what Berth marks every store with that it writes to: it was
    /// emptied, or is another one.
    #[error("it does not hold what Berth keeps in it")]
    Unmarked,
    /// Something other than Berth has removed what it was asked for.
    #[error("it no longer holds this")]
    Missing,
    /// The passphrase does not open the vault.
    #[error("the passphrase does not open it")]
    WrongPassphrase,
    /// A passphrase that is too easy to guess.
    #[error("the passphrase has fewer than {least} letters")]
    ShortPassphrase {
        /// How many it has to have.
        least: usize,
    },
    /// What is there is not what Berth wrote.
    #[error("{what} is damaged")]
    Damaged {
        /// An item or a file.
        what: String,
    },
    /// The file is not there.
    #[error("{what} is not there")]
    Gone {
        /// The file.
        what: String,
    },
    /// Anything else.
    #[error("it failed")]
    Broken(#[source] Source),
}

impl StoreFailure {
    /// The secrets are not there, and no other try brings them.
    pub(super) fn is_loss(&self) -> bool {
        matches!(
            self,
            Self::Missing | Self::Damaged { .. } | Self::Gone { .. }
        )
    }

    /// How the store stands, after this.
    pub(crate) fn state(&self) -> SecretStoreState {
        match self {
            Self::NoService(_) => SecretStoreState::NoService,
            Self::Locked
            | Self::NoKeyring
            | Self::WrongPassphrase
            | Self::ShortPassphrase { .. } => SecretStoreState::Locked,
            Self::Dismissed => SecretStoreState::Dismissed,
            Self::Silent => SecretStoreState::Silent,
            Self::NotPersistent => SecretStoreState::NotPersistent,
            Self::Unmarked
            | Self::Missing
            | Self::Damaged { .. }
            | Self::Gone { .. }
            | Self::Broken(_) => SecretStoreState::Broken,
        }
    }

    /// What to tell a user, about the store of that kind that is called `product`.
    pub(crate) fn problem(&self, kind: SecretStoreKind, product: &str) -> Problem {
        let store = match kind {
            SecretStoreKind::Keychain => format!("The keychain ({product})"),
            SecretStoreKind::Vault => "The encrypted file".to_owned(),
        };
        let problem = match self {
            Self::NoService(_) => {
                Problem::new(Code::SecretStoreMissing, "No keychain answers on this machine")
                    .detail("Berth keeps the values of secrets in the system's keychain, and found none.")
                    .hint("Start one (on Linux GNOME Keyring or KWallet, in a session with D-Bus), or choose the encrypted file in the settings.")
                    .retryable()
            }
            Self::Locked => {
                let hint = match kind {
                    SecretStoreKind::Keychain => "Unlock it, then try again.",
                    SecretStoreKind::Vault => {
                        "Its passphrase opens it until Berth ends: give it under Settings, or where the command line asks for it."
                    }
                };
                Problem::new(Code::SecretStoreLocked, format!("{store} is locked"))
                    .hint(hint)
                    .retryable()
            }
            Self::NoKeyring => Problem::new(
                Code::SecretStoreLocked,
                format!("{store} has no default keyring yet"),
            )
            .detail("The service runs, but nothing was ever unlocked or made in it.")
            .hint("Log in to the desktop once, or make a default keyring in its password manager, then try again.")
            .retryable(),
            Self::Dismissed => Problem::new(
                Code::SecretStoreDismissed,
                format!("{store} was not unlocked"),
            )
            .detail("Its question was closed without an answer.")
            .hint("Try again, and answer the question that comes up.")
            .retryable(),
            Self::Silent => {
                let hint = match kind {
                    SecretStoreKind::Keychain => "It may be waiting for an answer of yours: look for its question. Otherwise restart it, then try again.",
                    SecretStoreKind::Vault => "Another Berth may be writing it, or its disk is slow. Try again.",
                };
                Problem::new(Code::SecretStoreSilent, format!("{store} does not answer"))
                    .hint(hint)
                    .retryable()
            }
            Self::NotPersistent => Problem::new(
                Code::SecretStoreNotPersistent,
                format!("{store} would forget secrets when you log out"),
            )
            .detail("Its default keyring is the one of this session.")
            .hint("Make another keyring the default one, or choose the encrypted file in the settings."),
            Self::Unmarked => Problem::new(
                Code::SecretMissing,
                format!("{store} holds nothing of this Berth"),
            )
            .detail("It was emptied, or it is another one than the secrets were written to.")
            .hint("Go back to the one that they were written to, or set them again."),
            Self::Missing => Problem::new(
                Code::SecretMissing,
                format!("{store} no longer holds these secrets"),
            )
            .detail("Something other than Berth has removed them.")
            .hint("Set them again."),
            Self::WrongPassphrase => Problem::new(
                Code::InvalidInput,
                "This is not the passphrase of the encrypted file",
            )
            .hint("Try again. Berth does not keep the passphrase and cannot recover it."),
            Self::ShortPassphrase { least } => Problem::new(
                Code::InvalidInput,
                format!("The passphrase needs at least {least} letters"),
            )
            .hint("Several words are easy to remember and hard to guess."),
            Self::Damaged { what } => {
                let hint = match kind {
                    SecretStoreKind::Keychain => "Set the secrets again.",
                    SecretStoreKind::Vault => {
                        "Put it back from a copy. Or choose where secrets are kept again, in the settings or with berth secrets use: a damaged file is set aside, and what it held has to be set again."
                    }
                };
                Problem::new(Code::SecretStoreBroken, format!("{what} is damaged")).hint(hint)
            }
            Self::Gone { what } => {
                Problem::new(Code::SecretStoreBroken, format!("{what} is not there"))
                    .hint("Put it back from a copy, or choose where secrets are kept again: then a new one is made, and the secrets have to be set again.")
            }
            Self::Broken(_) => Problem::new(Code::SecretStoreBroken, format!("{store} failed"))
                .hint("The causes say why. Try again when that is mended.")
                .retryable(),
        };
        match std::error::Error::source(self) {
            Some(source) => problem.caused_by(source),
            None => problem,
        }
    }
}
