//! Secrets that are known by their form, wherever they stand.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{MARK, pattern};

/// Replaces what one regular expression finds.
type Rule = (LazyLock<Regex>, fn(&Captures<'_>) -> String);

/// One end of a private key.
static KEY_ENDS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"-----(BEGIN|END) (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"));

/// The lines of a private key that is cut off; in one line they are parted by
/// `\n`.
static KEY_LINES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\A(?:(?:[ \t\r\n]|\\[nr])+[A-Za-z0-9+/=]+)+"));

/// In this order: what is longer first, so that it goes whole.
static RULES: [Rule; 5] = [
    // Tokens of products: JWT, GitHub, GitLab, Slack, AWS, Google, npm, Docker, Stripe and
    // OpenAI, SendGrid, Vault, PyPI, DigitalOcean, age.
    (
        LazyLock::new(|| {
            pattern(concat!(
                r"(?-u:\b)(?:",
                r"eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){1,3}",
                r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|gl[a-z]{2,6}-[A-Za-z0-9_-]{20,}",
                r"|xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}",
                r"|A(?:KI|SI)A[0-9A-Z]{16}(?-u:\b)",
                r"|AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}",
                r"|npm_[A-Za-z0-9]{30,}|dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}|pypi-[A-Za-z0-9_-]{30,}",
                r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|hv[sbr]\.[A-Za-z0-9_-]{20,}",
                r"|do[por]_v1_[a-f0-9]{40,}|AGE-SECRET-KEY-1[0-9A-Z]{40,}",
                r")",
            ))
        }),
        |_| MARK.to_owned(),
    ),
    // The same with a prefix that words have, too: only with a digit in it.
    (
        LazyLock::new(|| pattern(r"(?-u:\b)[srp]k[-_][A-Za-z0-9_-]{16,}")),
        |found| if_random(&found[0], |text| has(text, |c| c.is_ascii_digit())),
    ),
    // Incoming web hooks of Slack and Discord.
    (
        LazyLock::new(|| {
            pattern(
                r"(?i-u)((?:hooks\.slack\.com/[a-z]+|discord(?:app)?\.com/api/webhooks)/)[A-Za-z0-9/_-]{8,}",
            )
        }),
        |found| format!("{}{MARK}", &found[1]),
    ),
    // The password of an address, up to the last @ of its host part; a token in place of a user.
    (
        LazyLock::new(|| {
            pattern(
                r#"([A-Za-z][A-Za-z0-9+.-]*://)([^ \t\r\n/?#@:"'<>`]*)(?::([^ \t\r\n/?#"'<>`]+))?@"#,
            )
        }),
        address,
    ),
    // `user:password@tcp(host:3306)/db`
    (
        LazyLock::new(|| pattern(r#"([A-Za-z0-9_.-]+:)[^ \t\r\n/"'()]+(@(?:tcp|unix)\()"#)),
        |found| format!("{}{MARK}{}", &found[1], &found[2]),
    ),
];

/// `text` without them.
pub(super) fn without(text: &str) -> Cow<'_, str> {
    RULES.iter().fold(
        without_private_keys(text),
        |text, (regex, replaced)| match regex.replace_all(&text, replaced) {
            Cow::Borrowed(_) => text,
            Cow::Owned(replaced) => Cow::Owned(replaced),
        },
    )
}

/// Of a private key its ends stay.
fn without_private_keys(text: &str) -> Cow<'_, str> {
    let mut clean = String::new();
    let mut from = 0;
    let mut ends = KEY_ENDS.captures_iter(text).peekable();
    while let Some(end) = ends.next() {
        let whole = end.get_match();
        if &end[1] != "BEGIN" {
            continue;
        }
        let body = whole.end();
        let closed = ends
            .peek()
            .filter(|next| &next[1] == "END")
            .map(|next| next.get_match().start());
        let rest = &text[body..closed.unwrap_or(text.len())];
        let length = match closed {
            Some(_) => rest.len(),
            None => KEY_LINES.find(rest).map_or(0, |lines| lines.len()),
        };
        if rest[..length].trim().is_empty() {
            continue;
        }
        clean.push_str(&text[from..body]);
        clean.push('\n');
        clean.push_str(MARK);
        if closed.is_some() {
            clean.push('\n');
        }
        from = body + length;
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    clean.push_str(&text[from..]);
    Cow::Owned(clean)
}

fn address(found: &Captures<'_>) -> String {
    let (scheme, user) = (&found[1], &found[2]);
    match found.get(3) {
        Some(_) => format!("{scheme}{user}:{MARK}@"),
        None if user.len() >= 20 && looks_random(user) => format!("{scheme}{MARK}@"),
        None => found[0].to_owned(),
    }
}

fn if_random(text: &str, is_random: impl Fn(&str) -> bool) -> String {
    if is_random(text) { MARK } else { text }.to_owned()
}

/// Letters of both cases and digits: no word, no name, no hexadecimal number.
pub(super) fn looks_random(text: &str) -> bool {
    has(text, |c| c.is_ascii_lowercase())
        && has(text, |c| c.is_ascii_uppercase())
        && has(text, |c| c.is_ascii_digit())
}

fn has(text: &str, what: fn(&char) -> bool) -> bool {
    text.chars().any(|c| what(&c))
}
