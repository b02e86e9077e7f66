//! Engines of known products on this machine.

use std::path::{Path, PathBuf};

use super::endpoint::{EndpointSources, resolve};
use crate::platform;

/// What a socket is called that only a rule names, and no product's place tells.
const UNKNOWN: &str = "Docker";
/// The product whose place others put a link to their own socket in.
const USUAL: &str = "Docker Engine";

/// A live socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// `Docker Desktop`, `Colima`, `OrbStack`, `Rancher Desktop`, `Podman`,
    /// `rootless Docker`, `Docker Engine`; `Docker` for what is none of them and
    /// is named by a rule.
    pub product: String,
    /// Its address.
    pub address: String,
    /// The rule of the Docker CLI's order that chooses it, when one does.
    pub rule: Option<String>,
}

impl Found {
    /// Whether an address leads to the same socket.
    pub fn is_at(&self, address: &str) -> bool {
        self.address == address || same_socket(&self.address) == same_socket(address)
    }
}

/// Sockets that exist on this machine and that something listens on: those of known
/// products, and the one that the `docker` command would use. A socket that several
/// paths lead to is listed once. Blocking.
pub fn known(sources: &EndpointSources) -> Vec<Found> {
    let mut found = of_products(sources);
    let Ok(chosen) = resolve(sources) else {
        return found;
    };
    if let Some(known) = found.iter_mut().find(|it| it.is_at(&chosen.address)) {
        known.rule = Some(chosen.rule);
    } else if platform::is_live(platform::path_of(&chosen.address)) {
        found.insert(
            0,
            Found {
                product: UNKNOWN.to_owned(),
                address: chosen.address,
                rule: Some(chosen.rule),
            },
        );
    }
    found
}

fn of_products(sources: &EndpointSources) -> Vec<Found> {
    let live = product_sockets(sources)
        .into_iter()
        .filter(|(_, socket)| platform::is_live(socket));
    let mut found: Vec<Found> = Vec::new();
    for (product, socket) in live {
        let address = platform::address_of(&socket);
        match found.iter_mut().find(|it| it.is_at(&address)) {
            Some(usual) if usual.product == USUAL => usual.product = product,
            Some(_) => {}
            None => found.push(Found {
                product,
                address,
                rule: None,
            }),
        }
    }
    found
}

fn same_socket(address: &str) -> PathBuf {
    let path = platform::path_of(address);
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn product_sockets(sources: &EndpointSources) -> Vec<(String, PathBuf)> {
    let runtime = sources.variable("XDG_RUNTIME_DIR").map(Path::new);
    platform::product_sockets(sources.home.as_deref(), runtime)
}

/// The product that keeps its socket at an address, running or not.
pub(super) fn product_at(sources: &EndpointSources, address: &str) -> Option<String> {
    product_sockets(sources)
        .into_iter()
        .find(|(_, socket)| platform::address_of(socket) == address)
        .map(|(product, _)| product)
}

/// Live sockets of known products other than `not`, as errors name them.
pub(super) fn alternatives(sources: &EndpointSources, not: &str) -> Vec<(String, String)> {
    of_products(sources)
        .into_iter()
        .filter(|found| !found.is_at(not))
        .map(|found| (found.product, found.address))
        .collect()
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeMap;
    use std::os::unix::net::UnixListener;

    use super::*;

    fn listen(path: &Path) -> UnixListener {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        UnixListener::bind(path).unwrap()
    }

    fn sources(home: &Path, host: Option<&Path>) -> EndpointSources {
        EndpointSources {
            environment: host
                .map(|it| ("DOCKER_HOST".to_owned(), platform::address_of(it)))
                .into_iter()
                .collect::<BTreeMap<_, _>>(),
            home: Some(home.to_owned()),
        }
    }

    /// Those of this home; the machine may have others.
    fn found(sources: &EndpointSources) -> Vec<Found> {
        let home = sources.home.as_ref().unwrap().display().to_string();
        let mut found = known(sources);
        found.retain(|it| it.address.contains(&home));
        found
    }

    #[test]
    fn a_socket_that_nobody_listens_on_is_not_found() {
        let home = tempfile::tempdir().unwrap();
        let colima = home.path().join(".colima/default/docker.sock");
        drop(listen(&colima));
        assert_eq!(found(&sources(home.path(), None)), []);
        assert_eq!(found(&sources(home.path(), Some(&colima))), []);
    }

    #[test]
    fn the_rule_is_told_with_the_socket_that_it_chooses() {
        let home = tempfile::tempdir().unwrap();
        let desktop = home.path().join(".docker/desktop/docker.sock");
        let colima = home.path().join(".colima/default/docker.sock");
        let _engines = (listen(&desktop), listen(&colima));
        let found = found(&sources(home.path(), Some(&colima)));
        let told: Vec<(&str, Option<&str>)> = found
            .iter()
            .map(|it| (it.product.as_str(), it.rule.as_deref()))
            .collect();
        assert_eq!(
            told,
            [("Docker Desktop", None), ("Colima", Some("DOCKER_HOST"))]
        );
        assert_eq!(found[1].address, platform::address_of(&colima));
    }

    #[test]
    fn a_link_to_a_socket_is_the_same_socket() {
        let home = tempfile::tempdir().unwrap();
        let colima = home.path().join(".colima/default/docker.sock");
        let _engine = listen(&colima);
        let link = home.path().join("docker.sock");
        std::os::unix::fs::symlink(&colima, &link).unwrap();
        let found = found(&sources(home.path(), Some(&link)));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].product, "Colima");
        assert_eq!(found[0].rule.as_deref(), Some("DOCKER_HOST"));
        assert!(found[0].is_at(&platform::address_of(&link)));
    }

    #[test]
    fn a_socket_of_no_known_product_is_found_by_its_rule() {
        let home = tempfile::tempdir().unwrap();
        let socket = home.path().join("own.sock");
        let _engine = listen(&socket);
        let found = found(&sources(home.path(), Some(&socket)));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].product, "Docker");
    }
}
