//! `berth secrets`, as it is typed.

use berth_core::view::SecretStoreKind;
use clap::{Args as ClapArgs, Subcommand};

#[derive(Debug, ClapArgs)]
#[command(disable_help_subcommand = true)]
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
