//! What the address of a repository says about where it is hosted.

use super::location::{host, last_part};

/// A repository at a hosting service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hosted {
    host: String,
    /// The user, organisation or group that it belongs to (`acme`,
    /// `acme/platform`).
    pub(crate) owner: String,
    name: String,
}

impl Hosted {
    /// `None` for a path or an address that names no owner.
    pub(crate) fn of(address: &str) -> Option<Self> {
        let path = match address.split_once("://") {
            Some((_, rest)) => rest.split_once('/')?.1,
            None => address.split_once(':')?.1,
        };
        let (owner, _) = path.trim_matches('/').rsplit_once('/')?;
        Some(Self {
            host: host(address)?,
            owner: owner.to_owned(),
            name: last_part(address).to_owned(),
        })
    }

    /// The page of a pull or merge request; `None` where Berth does not know how
    /// the host writes it.
    pub(crate) fn pull_request(&self, number: u64) -> Option<String> {
        let is = |product: &str| self.host.split('.').any(|part| part == product);
        let path = if is("github") {
            "pull"
        } else if is("gitlab") {
            "-/merge_requests"
        } else if is("bitbucket") {
            "pull-requests"
        } else if is("gitea") || is("forgejo") || is("codeberg") {
            "pulls"
        } else {
            return None;
        };
        let Self { host, owner, name } = self;
        Some(format!("https://{host}/{owner}/{name}/{path}/{number}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_tells_owner_and_pull_request() {
        let known = [
            (
                "https://github.com/acme/web.git",
                "acme",
                Some("https://github.com/acme/web/pull/7"),
            ),
            (
                "git@github.acme.dev:acme/web.git",
                "acme",
                Some("https://github.acme.dev/acme/web/pull/7"),
            ),
            (
                "ssh://git@gitlab.com:2222/acme/platform/web",
                "acme/platform",
                Some("https://gitlab.com/acme/platform/web/-/merge_requests/7"),
            ),
            (
                "https://codeberg.org/acme/web/",
                "acme",
                Some("https://codeberg.org/acme/web/pulls/7"),
            ),
            ("https://git.acme.dev/acme/web.git", "acme", None),
        ];
        for (address, owner, page) in known {
            let hosted = Hosted::of(address).unwrap();
            assert_eq!(hosted.owner, owner, "{address}");
            assert_eq!(hosted.pull_request(7).as_deref(), page, "{address}");
        }
        for address in [
            "/home/me/web",
            "../web",
            "file:///srv/web.git",
            "https://git.acme.dev/web.git",
            "web",
            "",
        ] {
            assert_eq!(Hosted::of(address), None, "{address}");
        }
    }
}
