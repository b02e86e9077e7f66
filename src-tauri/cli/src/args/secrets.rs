//! `berth secrets`, as it is typed.

use berth_core::view::SecretStoreKind;
use clap::{Args as ClapArgs, Subcommand};

#[derive(Debug, ClapArgs)]
#[command(
    disable_help_subcommand = true,
    long_about = "\
Show where secrets are kept and how it stands, or keep them elsewhere.

Values are kept in the system's keychain. Machines without one can keep them in a vault, an \
encrypted file in the data folder. Verbs that need it ask for its passphrase; scripts name a file \
that holds it, readable for its owner alone, in BERTH_VAULT_PASSPHRASE_FILE."
)]
pub(crate) struct SecretStores {
    #[command(subcommand)]
    pub(crate) verb: Option<SecretStoresVerb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SecretStoresVerb {
    /// Keep secrets there from now on, and move those that are kept elsewhere
    Use {
        /// keychain or vault
        #[arg(value_name = "keychain|vault", value_parser = store)]
        store: SecretStoreKind,
    },
}

fn store(text: &str) -> Result<SecretStoreKind, String> {
    match text {
        "keychain" => Ok(SecretStoreKind::Keychain),
        "vault" => Ok(SecretStoreKind::Vault),
        _ => Err("accepted are keychain and vault".to_owned()),
    }
}
