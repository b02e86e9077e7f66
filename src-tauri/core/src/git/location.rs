//! What a person types to say where a repository is.

use std::path::Path;

/// Where a service's files are, as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// A path of this machine.
    Path(String),
    /// A repository's address.
    Url {
        /// The address without credentials.
        url: String,
        /// Whether a password or token was in it.
        had_secret: bool,
    },
}

impl Location {
    /// Reads what was typed: `https://`, `ssh://`, `git://`, `file://`,
    /// `user@host:path` are addresses, all else is a path.
    pub(crate) fn parse(text: &str) -> Self {
        let text = text.trim();
        let is_url = text.split_once("://").is_some_and(|(scheme, _)| {
            matches!(
                scheme.to_ascii_lowercase().as_str(),
                "http" | "https" | "ssh" | "git" | "file" | "git+ssh" | "git+https"
            )
        });
        if is_url || is_scp_like(text) {
            let (url, had_secret) = split_secret(text);
            Self::Url { url, had_secret }
        } else {
            Self::Path(text.to_owned())
        }
    }
}

/// `host:path` or `user@host:path`, as git reads it: a colon before the first
/// slash, unless a file of that name could be meant.
fn is_scp_like(text: &str) -> bool {
    let Some((host, path)) = text.split_once(':') else {
        return false;
    };
    // `C:\x` is a path of Windows.
    let drive = host.len() == 1 && host.bytes().all(|byte| byte.is_ascii_alphabetic());
    !host.is_empty()
        && !host.contains('/')
        && !host.starts_with(['.', '-', '~'])
        && !host.contains(char::is_whitespace)
        && !path.is_empty()
        && !path.starts_with(':')
        && !drive
        && (host.contains('@') || !Path::new(text).exists())
}

/// An address without what could be a secret. A user name stays where it only
/// names the account (`ssh://git@…`, `git@host:…`); for http it can be a token.
fn split_secret(url: &str) -> (String, bool) {
    let Some((scheme, rest)) = url.split_once("://") else {
        return (url.to_owned(), false);
    };
    let end = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let Some((user, host)) = authority.rsplit_once('@') else {
        return (url.to_owned(), false);
    };
    if scheme.to_ascii_lowercase().contains("ssh") {
        let name = user.split(':').next().unwrap_or_default();
        return (
            format!("{scheme}://{name}@{host}{path}"),
            user.contains(':'),
        );
    }
    (format!("{scheme}://{host}{path}"), true)
}

/// Text in which user names and passwords of addresses are left out.
pub(crate) fn without_credentials(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("://") {
        let after = start + "://".len();
        clean.push_str(&rest[..after]);
        rest = &rest[after..];
        let end = rest
            .find(|character: char| {
                character == '/' || character.is_whitespace() || "'\"".contains(character)
            })
            .unwrap_or(rest.len());
        if let Some(at) = rest[..end].rfind('@') {
            let ssh = clean.ends_with("ssh://") && !rest[..at].contains(':');
            rest = if ssh { rest } else { &rest[at + 1..] };
        }
    }
    clean.push_str(rest);
    clean
}

/// The last part of an address or path, without `.git`: what a service is named
/// after.
pub(crate) fn last_part(location: &str) -> &str {
    let trimmed = location.trim_end_matches('/');
    let last = trimmed.rsplit(['/', ':']).next().unwrap_or(trimmed);
    last.strip_suffix(".git").unwrap_or(last)
}

/// The host of an address, lower-case.
pub(crate) fn host(url: &str) -> Option<String> {
    let authority = match url.split_once("://") {
        Some((_, rest)) => rest.split('/').next()?,
        None if is_scp_like(url) => url.split(':').next()?,
        None => return None,
    };
    let host = authority.rsplit('@').next()?;
    let host = host.split(':').next()?;
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

/// `url` of a submodule as `.gitmodules` has it, made absolute against the
/// address of the repository around it, as git does.
pub(crate) fn relative_to(base: &str, url: &str) -> String {
    if !url.starts_with("./") && !url.starts_with("../") {
        return url.to_owned();
    }
    let mut base = base.trim_end_matches('/').to_owned();
    let mut rest = url;
    let mut separator = "/";
    loop {
        if let Some(after) = rest.strip_prefix("./") {
            rest = after;
        } else if let Some(after) = rest.strip_prefix("../") {
            rest = after;
            if let Some(slash) = base.rfind('/') {
                base.truncate(slash);
            } else if let Some(colon) = base.rfind(':') {
                base.truncate(colon);
                separator = ":";
            }
        } else {
            return format!("{base}{separator}{rest}")
                .trim_end_matches('/')
                .to_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> (String, bool) {
        match Location::parse(text) {
            Location::Url { url, had_secret } => (url, had_secret),
            Location::Path(path) => panic!("{path} is a path"),
        }
    }

    #[test]
    fn addresses_are_told_from_paths() {
        for path in [
            "/srv/shop",
            "./shop",
            "~/shop",
            "shop",
            "C:\\shop",
            "C:/shop",
            "a b",
            "",
        ] {
            assert_eq!(Location::parse(path), Location::Path(path.to_owned()));
        }
        for address in [
            "https://example.com/x/y.git",
            "ssh://git@example.com:22/x/y",
            "git@example.com:x/y.git",
            "example.com:x/y",
            "file:///srv/git/x.git",
            "git://example.com/x",
        ] {
            assert_eq!(url(address), (address.to_owned(), false));
        }
    }

    #[test]
    fn credentials_are_left_out() {
        assert_eq!(
            url("https://me:secret@example.com/x.git"),
            ("https://example.com/x.git".to_owned(), true)
        );
        assert_eq!(
            url("https://ghp_token@example.com/x.git"),
            ("https://example.com/x.git".to_owned(), true)
        );
        assert_eq!(
            url("ssh://git:secret@example.com/x.git"),
            ("ssh://git@example.com/x.git".to_owned(), true)
        );
        assert_eq!(
            without_credentials("fatal: 'https://a:b@h/x' and http://t@k and ssh://git@h/x"),
            "fatal: 'https://h/x' and http://k and ssh://git@h/x"
        );
        assert_eq!(without_credentials("nothing @ all"), "nothing @ all");
    }

    #[test]
    fn names_and_hosts_come_from_addresses() {
        assert_eq!(last_part("https://example.com/x/shop.git/"), "shop");
        assert_eq!(last_part("git@example.com:shop.git"), "shop");
        assert_eq!(host("git@GitHub.com:x/y").as_deref(), Some("github.com"));
        assert_eq!(
            host("https://u@h.example:8443/x").as_deref(),
            Some("h.example")
        );
        assert_eq!(host("/srv/x.git"), None);
    }

    #[test]
    fn relative_submodules_resolve_as_git_does() {
        let golden = [
            ("https://h/a/b.git", "../c.git", "https://h/a/c.git"),
            ("https://h/a/b.git", "../../c", "https://h/c"),
            ("git@h:a/b", "../c", "git@h:a/c"),
            ("git@h:b", "../c", "git@h:c"),
            ("/srv/a", "./c", "/srv/a/c"),
            ("/srv/a", "https://k/c", "https://k/c"),
        ];
        for (base, relative, expected) in golden {
            assert_eq!(relative_to(base, relative), expected);
        }
    }
}
