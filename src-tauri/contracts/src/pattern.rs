//! Regular expressions of the contract, each with what it means in words.
//!
//! Written in what ECMAScript, Rust and JSON Schema understand alike: no `\s`, `\w`, `\d` (their
//! meaning differs), anchored at both ends, never multi-line.

use regex::Regex;

/// The white space of ECMAScript, which is not Rust's: U+FEFF is in it, U+0085 is not.
/// Source: ECMA-262, *WhiteSpace* and *LineTerminator*.
macro_rules! white_space {
    () => {
        r"\t\n\u000b\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
    };
}
pub(crate) use white_space;

#[derive(Clone, Copy)]
pub(crate) struct Pattern {
    /// Anchored with `^` and `$`.
    pub(crate) source: &'static str,
    /// Ends the sentence "Must be …".
    pub(crate) meaning: &'static str,
    pub(crate) regex: fn() -> &'static Regex,
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Pattern").field(&self.source).finish()
    }
}

macro_rules! pattern {
    ($name:ident = $source:expr, $meaning:literal) => {
        pub(crate) const $name: Pattern = Pattern {
            source: $source,
            meaning: $meaning,
            regex: {
                fn compiled() -> &'static Regex {
                    static REGEX: std::sync::LazyLock<Regex> = std::sync::LazyLock::new(|| {
                        // The sources are constants; a test compiles every one of them.
                        #[allow(clippy::expect_used)]
                        Regex::new($source).expect("a constant that a test compiles")
                    });
                    &REGEX
                }
                compiled
            },
        };
    };
}

pattern!(
    SECRET_KEY = "^[A-Za-z0-9_.-]+$",
    "letters, digits, “_”, “.” and “-” only"
);
pattern!(
    PROVIDER_ID = "^[a-z0-9-]+$",
    "lower-case letters, digits and “-” only"
);
pattern!(
    SLUG = "^[a-z0-9][a-z0-9-]*$",
    "lower-case letters, digits and “-” only, not starting with “-”"
);
pattern!(
    REPOSITORY = concat!("^[^/", white_space!(), "]+/[^/", white_space!(), "]+$"),
    "owner/name, without spaces"
);
pattern!(
    KUBERNETES_NAME = "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
    "a Kubernetes name: at most 63 lower-case letters, digits and “-”, with a letter or digit at both ends"
);
pattern!(
    SERVICE_NAME = "^[a-z0-9]+(-[a-z0-9]+)*$",
    "lower-case letters, digits, and single “-” between them"
);
pattern!(DIGITS = "^[0-9]*$", "digits only");
pattern!(
    PORT = "^(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$",
    "a port, 1 to 65535"
);
pattern!(
    SOCKET = "^(?:unix:///|npipe:////).+$",
    "the address of a socket on this machine, such as unix:///var/run/docker.sock"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_is_anchored() {
        for pattern in [
            SECRET_KEY,
            PROVIDER_ID,
            SLUG,
            REPOSITORY,
            KUBERNETES_NAME,
            SERVICE_NAME,
            DIGITS,
            PORT,
        ] {
            assert!(pattern.source.starts_with('^') && pattern.source.ends_with('$'));
            assert!(!(pattern.regex)().is_match("a\n"), "{}", pattern.source);
            assert!(
                !(pattern.regex)().is_match("\u{feff}"),
                "{}",
                pattern.source
            );
        }
        assert!((REPOSITORY.regex)().is_match("a\u{85}/b"));
    }
}
