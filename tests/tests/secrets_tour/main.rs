//! Secrets planted in handlers, in `.env`, in an env file, in a build argument and in what an engine answers are
//! found nowhere but in the keychain and the container, after everything that can be done with them.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod quoting_engine;
mod tour;
mod watch;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use berth_tests::{Engine, EngineKind, SecretService};
use quoting_engine::QuotingEngine;
use tour::{Planted, Tour};

/// Where values are kept.
enum Kept {
    Keychain(SecretService),
    Vault,
}

impl Kept {
    fn tour(&self, address: &str) -> Tour {
        let mut tour = Tour::new(address);
        match self {
            Self::Keychain(service) => {
                for (name, value) in service.surroundings() {
                    tour.with(name, &value);
                }
            }
            Self::Vault => {
                let file = tour.folder().join("passphrase");
                fs::write(&file, tour.planted(Planted::Passphrase)).unwrap();
                fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
                tour.with("BERTH_VAULT_PASSPHRASE_FILE", &file);
                tour.with(
                    "DBUS_SESSION_BUS_ADDRESS",
                    Path::new("unix:path=/nonexistent"),
                );
                tour.succeed(&["secrets", "use", "vault", "--json"], "");
            }
        }
        tour
    }
}

fn planted_secrets_are_found_nowhere(kept: &Kept) {
    let engine = Engine::shared(EngineKind::Modern);
    let mut tour = kept.tour(&engine.address());
    tour.register();
    tour.test();
    tour.fail();
    tour.succeed_and_log();
    tour.crash();
    tour.rotate_and_remove();
    tour.export_and_import();
    tour.ask_for_everything();
    tour.leave();
    tour.assert_nothing_leaked();
}

#[test]
fn with_the_encrypted_file() {
    planted_secrets_are_found_nowhere(&Kept::Vault);
}

#[test]
fn with_a_keychain() {
    planted_secrets_are_found_nowhere(&Kept::Keychain(SecretService::start()));
}

#[test]
fn an_engine_that_quotes_what_it_was_given() {
    let engine = Engine::shared(EngineKind::Modern);
    let quoting = QuotingEngine::start(engine.socket());
    let mut tour = Kept::Vault.tour(&quoting.address());
    tour.register();
    tour.fail_on_a_quoting_engine();
    assert!(quoting.has_quoted(), "it was asked for a container");
    tour.ask_for_everything();
    tour.leave();
    tour.assert_nothing_leaked();
}
