//! How environments are named: the name a person types, the key that makes an
//! environment the same one the next time, and the name of its compose project.

use sha2::{Digest, Sha256};

use crate::view::Selector;

/// Longest environment name: it becomes a label of a host name
/// (`<name>.localhost`) and the front of container names.
const LONGEST_NAME: usize = 40;

/// Length of the hash that keeps shortened names apart.
const HASH_LENGTH: usize = 6;

/// What names an environment within its service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity<'a> {
    /// What it is a copy of.
    Selector(&'a Selector),
    /// The name it was given (`--name`), whatever it is a copy of.
    Name(&'a str),
}

impl<'a> Identity<'a> {
    /// The identity a request asks for: its name when it gives one.
    pub(crate) fn of(selector: &'a Selector, name: Option<&'a str>) -> Self {
        name.map_or(Self::Selector(selector), Self::Name)
    }

    /// The key under which the same environment is found again (`tree`,
    /// `ref:feature/x`, `pr:42`, `name:foo`).
    pub(crate) fn key(&self) -> String {
        match self {
            Self::Selector(Selector::WorkingTree) => "tree".to_owned(),
            Self::Selector(Selector::Ref { name }) => format!("ref:{name}"),
            Self::Selector(Selector::PullRequest { number }) => format!("pr:{number}"),
            Self::Name(name) => format!("name:{name}"),
        }
    }

    /// The name to propose for the environment: at most 40 characters of
    /// `a-z0-9-`, a legal label of a host name. A hash of the identity stands at
    /// the end when it had to be cut. Others may have it (`feature/a_b` beside
    /// `feature/a-b`): see [`unique_name`].
    pub(crate) fn environment_name(&self, service: &str) -> String {
        let text = match self {
            Self::Selector(Selector::WorkingTree) => service.to_owned(),
            Self::Selector(Selector::Ref { name }) => format!("{service}-{name}"),
            Self::Selector(Selector::PullRequest { number }) => format!("{service}-pr-{number}"),
            Self::Name(name) => format!("{service}-{name}"),
        };
        label(&text, &format!("{service}\n{}", self.key()))
    }
}

/// The compose project of an environment: `<name>-<6 of the hash of its id>`,
/// legal for Compose and at most 47 characters.
pub(crate) fn project_name(environment_name: &str, environment_id: &str) -> String {
    format!("{environment_name}-{}", short_hash(environment_id))
}

/// A service's name made from a folder's or repository's: lower-case `a-z0-9-`,
/// at most 40 characters, never empty.
pub(crate) fn service_name(folder: &str) -> String {
    label(folder, folder)
}

/// `proposed`, or `proposed-2`, `-3` … when it is taken.
pub(crate) fn unique_name(proposed: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(proposed) {
        return proposed.to_owned();
    }
    let mut number = 2_u64;
    loop {
        let suffix = format!("-{number}");
        let room = LONGEST_NAME - suffix.len();
        let candidate = format!("{}{suffix}", cut(proposed, room));
        if !is_taken(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

/// Lower-case letters, digits, and single dashes between them.
fn sanitised(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for character in text.chars() {
        let character = character.to_ascii_lowercase();
        if character.is_ascii_lowercase() || character.is_ascii_digit() {
            clean.push(character);
        } else if !clean.is_empty() && !clean.ends_with('-') {
            clean.push('-');
        }
    }
    while clean.ends_with('-') {
        clean.pop();
    }
    clean
}

/// A label of `text`; with the hash of `whole` when it had to be cut or came out
/// empty.
fn label(text: &str, whole: &str) -> String {
    let clean = sanitised(text);
    if clean.is_empty() {
        format!("service-{}", short_hash(whole))
    } else if clean.len() <= LONGEST_NAME {
        clean
    } else {
        let room = LONGEST_NAME - HASH_LENGTH - 1;
        format!("{}-{}", cut(&clean, room), short_hash(whole))
    }
}

/// At most `length` bytes of ASCII `text`, without a dash at the end.
fn cut(text: &str, length: usize) -> &str {
    text.get(..length).unwrap_or(text).trim_end_matches('-')
}

fn short_hash(text: &str) -> String {
    let mut hash = hex(&Sha256::digest(text.as_bytes()));
    hash.truncate(HASH_LENGTH);
    hash
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(service: &str, selector: &Selector) -> String {
        Identity::of(selector, None).environment_name(service)
    }

    fn reference(name: &str) -> Selector {
        Selector::Ref {
            name: name.to_owned(),
        }
    }

    #[test]
    fn names_say_service_and_copy() {
        let golden = [
            (Selector::WorkingTree, "hello", "tree"),
            (
                reference("feature/checkout"),
                "hello-feature-checkout",
                "ref:feature/checkout",
            ),
            (reference("v1.2.0"), "hello-v1-2-0", "ref:v1.2.0"),
            (reference("Fix/ÄÖ_x"), "hello-fix-x", "ref:Fix/ÄÖ_x"),
            (Selector::PullRequest { number: 42 }, "hello-pr-42", "pr:42"),
        ];
        for (selector, expected, key) in golden {
            assert_eq!(name("hello", &selector), expected);
            assert_eq!(Identity::of(&selector, None).key(), key);
        }
        let named = Identity::of(&Selector::WorkingTree, Some("demo"));
        assert_eq!(named.environment_name("hello"), "hello-demo");
        assert_eq!(named.key(), "name:demo");
    }

    #[test]
    fn a_long_name_is_cut_and_told_apart() {
        let long = "feature/an-extremely-long-branch-name-of-somebody";
        let first = name("hello", &reference(&format!("{long}-1")));
        let second = name("hello", &reference(&format!("{long}-2")));
        assert_eq!(first, "hello-feature-an-extremely-long-b-3baeab");
        assert_ne!(first, second);
        assert!(first.len() <= 40 && second.len() <= 40);
    }

    #[test]
    fn service_names_are_labels() {
        assert_eq!(service_name("Shop API (new)"), "shop-api-new");
        assert_eq!(service_name("hello"), "hello");
        assert!(service_name("日本").starts_with("service-"));
        assert_eq!(unique_name("hello", |_| false), "hello");
        assert_eq!(unique_name("hello", |name| name == "hello"), "hello-2");
        assert_eq!(
            unique_name("hello", |name| name == "hello" || name == "hello-2"),
            "hello-3"
        );
    }

    #[test]
    fn project_names_are_legal_and_differ_by_environment() {
        let first = project_name("hello-pr-42", "0195-a");
        assert_ne!(first, project_name("hello-pr-42", "0195-b"));
        assert!(first.starts_with("hello-pr-42-") && first.len() == "hello-pr-42-".len() + 6);
        let longest = project_name(&"a".repeat(40), "x");
        assert!(longest.len() <= 63);
    }

    /// Whatever a branch is called, its environment's name is a label.
    #[test]
    fn every_name_is_a_label() {
        for text in [
            "",
            "-",
            "///",
            "a//b",
            "--x--",
            "ÄÖÜ",
            "UPPER",
            "x\0y",
            &"-a".repeat(99),
        ] {
            for service in ["hello", "x", &"s".repeat(40)] {
                let name = name(service, &reference(text));
                assert!(!name.is_empty() && name.len() <= 40, "{name}");
                assert!(!name.starts_with('-') && !name.ends_with('-'), "{name}");
                assert!(
                    name.bytes().all(|byte| byte.is_ascii_lowercase()
                        || byte.is_ascii_digit()
                        || byte == b'-'),
                    "{name}"
                );
            }
        }
    }
}
