//! Which names say that what stands behind them is a secret.

/// What a name says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It is a secret.
    Secret,
    /// It is a header whose value begins with a scheme (`Bearer …`).
    Authorization,
    /// It is a list of cookies, up to the end of the line.
    Cookies,
    /// It may be a secret: `key`, `pass`, `auth` alone.
    Perhaps,
    /// It is a folder or a secret: `PWD`.
    FolderOrSecret,
}

/// Endings that speak for themselves (`MYSQL_PASSWORD`, `dbPassword`,
/// `csrfToken`). Written without case, `_`, `-` and `.`.
const SECRETS: [&str; 12] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "apikey",
    "signature",
    "jwt",
    "pwd",
    "sessionid",
    "sessid",
];

/// What a key is to be a secret one: `cache_key` and `public_key` are none.
const KEYS: [&str; 24] = [
    "access",
    "account",
    "app",
    "application",
    "auth",
    "client",
    "consumer",
    "deploy",
    "encryption",
    "host",
    "hmac",
    "license",
    "master",
    "private",
    "rsa",
    "secret",
    "secretaccess",
    "service",
    "session",
    "shared",
    "signing",
    "ssh",
    "storage",
    "webhook",
];

/// `None`: the name says nothing of the kind.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let plain: String = last
        .chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect();
    let is = |words: &[&str]| words.contains(&plain.as_str());
    if is(&["authorization", "proxyauthorization"]) {
        Some(Meaning::Authorization)
    } else if is(&["cookie", "setcookie"]) {
        Some(Meaning::Cookies)
    } else if is(&["pwd", "oldpwd"]) {
        Some(Meaning::FolderOrSecret)
    } else if SECRETS.iter().any(|ending| plain.ends_with(ending)) {
        Some(Meaning::Secret)
    } else if ["pass", "auth", "sig", "otp", "pin"]
        .iter()
        .any(|ending| is_part(last, ending))
    {
        // Neither `compass` nor `oauth`, but `db_pass` and `dbPass`.
        Some(Meaning::Secret)
    } else if is(&[
        "key",
        "auth",
        "sig",
        "pass",
        "pin",
        "otp",
        "sid",
        "credential",
        "credentials",
    ]) {
        Some(Meaning::Perhaps)
    } else {
        let of = plain.strip_suffix("key")?;
        KEYS.iter()
            .any(|kind| of.ends_with(kind))
            .then_some(Meaning::Secret)
    }
}

/// Whether `ending` is the last word of a name in snake, kebab or camel case.
fn is_part(name: &str, ending: &str) -> bool {
    let Some(at) = name.len().checked_sub(ending.len()) else {
        return false;
    };
    let (Some(before), Some(last)) = (name.get(..at), name.get(at..)) else {
        return false;
    };
    let Some(previous) = before.chars().last() else {
        return false;
    };
    last.eq_ignore_ascii_case(ending)
        && (matches!(previous, '_' | '-')
            || (previous.is_ascii_lowercase()
                && last.starts_with(|c: char| c.is_ascii_uppercase())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_in_every_case() {
        for name in [
            "password",
            "PASSWORD",
            "my_password",
            "dbPassword",
            "spring.datasource.password",
            "POSTGRES_PASSWORD",
            "PGPASSWORD",
            "MYSQL_PWD",
            "db_pass",
            "dbPass",
            "secretKey",
            "secret_key",
            "SECRET-KEY",
            "aws_secret_access_key",
            "AccountKey",
            "SharedAccessKey",
            "x-api-key",
            "apiKey",
            "client_secret",
            "_authToken",
            "_auth",
            "X-Auth-Token",
            "session_key",
            "X-Amz-Signature",
        ] {
            assert_eq!(meaning(name), Some(Meaning::Secret), "{name}");
        }
    }

    #[test]
    fn other_names_are_not() {
        for name in [
            "cache_key",
            "primaryKey",
            "public-key",
            "monkey",
            "compass",
            "author",
            "design",
            "oauth",
            "tokens",
            "secrets",
            "tokenUrl",
            "token_type",
            "passwordSecretRef",
            "POSTGRES_PASSWORD_FILE",
            "spin",
            "bypass",
            "keyboard",
            "cwd",
            "",
        ] {
            assert_eq!(meaning(name), None, "{name}");
        }
    }
}
