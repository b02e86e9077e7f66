//! Secrets that are known by the name in front of them: `password=…`,
//! `"apiKey": "…"`, `Authorization: Bearer …`, `--token …`.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::forms::looks_random;
use super::names::{Meaning, meaning};
use super::{MARK, pattern};

/// A name and what parts it from its value. The name ends in a word that
/// [`meaning`] knows; what it is in full is looked at then.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i-u)(?:",
        r"pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|signature|sig|jwt|otp|pin",
        r"|key|auth|authorization|(?:set-)?cookie|sess(?:ion)?_?id|connect\.sid|sid",
        r#")(?:\\*["'`])?\]?[ \t]*(?::=|=>|==|[:=])[ \t]*"#,
    ))
});

/// `--password VALUE`, and the user with a password that curl takes.
static FLAG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?:^|[ \t\r\n])(?:--(?i-u:[a-z0-9-]*(?:password|passwd|passphrase|secret|token|api-?key))[ \t]+",
        r"|(?:-u|--user)[ \t]+[^ \t\r\n:\x22']+:)",
    ))
});

/// What stands after `Bearer`, `Basic`, `Token`.
static SCHEME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i-u)\b(bearer|basic|token|digest|negotiate|apikey)([ \t\r\n]+)([A-Za-z0-9._~+/=-]{8,})",
    )
});

/// Said of a secret, rather than being one.
const PROSE: [&str; 44] = [
    "a",
    "an",
    "and",
    "basic",
    "bearer",
    "cannot",
    "denied",
    "empty",
    "expected",
    "expired",
    "failed",
    "false",
    "for",
    "has",
    "in",
    "incorrect",
    "invalid",
    "is",
    "it",
    "missing",
    "must",
    "names",
    "needs",
    "nil",
    "no",
    "none",
    "not",
    "null",
    "of",
    "optional",
    "rejected",
    "required",
    "set",
    "should",
    "the",
    "there",
    "true",
    "undefined",
    "unexpected",
    "unknown",
    "unset",
    "was",
    "write",
    "wrong",
];

/// Words that stand after `Bearer` or `Basic` and are no token.
const AFTER_SCHEME: [&str; 7] = [
    "authentication",
    "authorization",
    "credential",
    "credentials",
    "challenge",
    "required",
    "tokens",
];

/// `text` without them.
pub(super) fn without(text: &str) -> Cow<'_, str> {
    let mut found = values(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    found.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut clean = String::with_capacity(text.len());
    let mut from = 0;
    for range in found {
        if range.end <= from {
            continue;
        }
        if range.start >= from {
            clean.push_str(&text[from..range.start]);
            clean.push_str(MARK);
        }
        // What overlaps the one before is part of the same secret.
        from = range.end;
    }
    clean.push_str(&text[from..]);
    Cow::Owned(clean)
}

/// The bytes of every value, in no order; none begins with the mark.
fn values(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(separated) = NAME.find_at(text, from) {
        let end = separated.end();
        from = end;
        let word = separated.as_str();
        let word = &word[..word
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.'))
            .unwrap_or(word.len())];
        let start = start_of_name(text, separated.start());
        let name = &text[start..separated.start() + word.len()];
        let Some(meaning) = meaning(name) else {
            continue;
        };
        let colon = separated.as_str()[word.len()..].contains(':');
        let query = start > 0 && matches!(text.as_bytes()[start - 1], b'?' | b'&');
        let named = Named {
            text,
            meaning,
            name: start,
            assigned: !colon,
            query,
        };
        from = named.value(end, &mut found);
    }
    for flag in FLAG.find_iter(text) {
        let end = unquoted(text, flag.end());
        push(text, flag.end()..end, &mut found);
    }
    for scheme in SCHEME.captures_iter(text) {
        let (Some(kind), Some(value)) = (scheme.get(1), scheme.get(3)) else {
            continue;
        };
        if is_credential(kind.as_str(), value.as_str()) {
            push(text, value.range(), &mut found);
        }
    }
    found
}

/// Of `Basic understanding` and `token validation` nothing is a secret.
fn is_credential(scheme: &str, value: &str) -> bool {
    let word = value.trim_end_matches(['.', '-', '=', '/']);
    if AFTER_SCHEME
        .iter()
        .any(|prose| word.eq_ignore_ascii_case(prose))
    {
        return false;
    }
    scheme.eq_ignore_ascii_case("bearer")
        || !word
            .chars()
            .skip(1)
            .all(|c| c.is_ascii_lowercase() || c == '-')
}

fn start_of_name(text: &str, word: usize) -> usize {
    let bytes = text.as_bytes();
    let mut start = word;
    // No name is longer; text without spaces must not be walked again and again.
    while start > 0
        && word - start < 64
        && (bytes[start - 1].is_ascii_alphanumeric() || b"_-.".contains(&bytes[start - 1]))
    {
        start -= 1;
    }
    start
}

/// A name that is followed by a value.
struct Named<'t> {
    text: &'t str,
    meaning: Meaning,
    /// Where the name begins.
    name: usize,
    /// With `=`, not with `:`.
    assigned: bool,
    /// In the query of an address.
    query: bool,
}

impl Named<'_> {
    /// Finds what is secret of the value that begins at `at`, and gives back where
    /// to go on: behind what was found, else at the value, which may have names in
    /// it.
    fn value(&self, at: usize, found: &mut Vec<Range<usize>>) -> usize {
        let text = self.text;
        let rest = &text[at..];
        if rest.starts_with(MARK) {
            return at + MARK.len();
        }
        if self.meaning == Meaning::Cookies {
            let start = at + opening(rest);
            // `cookie: expired` is prose.
            if !is_next_named(&text.as_bytes()[start..], b"=") {
                return at;
            }
            let cookies = start..at + end_of_cookies(rest);
            let end = cookies.end;
            push(text, cookies, found);
            return end;
        }
        if let Some(end) = self.block(at, found) {
            return end;
        }
        // `Some("…")`, `["…", "…"]`, and what is quoted itself.
        let opened = opening(rest);
        if opened > 0 {
            return self.quoted(at + opened, found);
        }
        let end = unquoted(self.looked_at(at), at);
        if self.meaning == Meaning::Authorization
            && let Some(credentials) = credentials(text, at, end)
        {
            let end = credentials.end;
            if !is_reference(&text[credentials.clone()]) {
                push(text, credentials, found);
            }
            return end;
        }
        if !self.is_secret(&text[at..end]) {
            return at;
        }
        push(text, at..end, found);
        end
    }

    /// The text, up to where a value is looked at. One that is mostly none is
    /// looked at again for names in it, so it must be short.
    fn looked_at(&self, at: usize) -> &str {
        let bounded = match self.meaning {
            Meaning::Perhaps => !self.query,
            Meaning::FolderOrSecret => true,
            Meaning::Secret | Meaning::Authorization | Meaning::Cookies => false,
        };
        let end = (at + 1024..self.text.len()).find(|end| self.text.is_char_boundary(*end));
        match end {
            Some(end) if bounded => &self.text[..end],
            _ => self.text,
        }
    }

    /// A quoted value; `at` is behind its quote.
    fn quoted(&self, at: usize, found: &mut Vec<Range<usize>>) -> usize {
        let text = self.text;
        let quote = text.as_bytes()[at - 1];
        let end = end_of_quoted(text, at, quote);
        if !self.is_secret(&text[at..end]) {
            return at;
        }
        push(text, at..end, found);
        end
    }

    /// A YAML block: the lines below that are indented more than the name.
    fn block(&self, at: usize, found: &mut Vec<Range<usize>>) -> Option<usize> {
        let rest = &self.text[at..];
        let mark = rest
            .bytes()
            .take(8)
            .take_while(|b| b"|>+-0123456789 \r".contains(b));
        let (first, below) = rest.split_at(mark.count());
        if !first.starts_with(['|', '>']) || self.assigned {
            return None;
        }
        let below = below.strip_prefix('\n')?;
        let line = self.text[..self.name].rfind('\n').map_or(0, |at| at + 1);
        let indent = indent_of(&self.text[line..]);
        let start = self.text.len() - below.len();
        let mut end = start;
        for line in below.split_inclusive('\n') {
            if !line.trim().is_empty() && indent_of(line) <= indent {
                break;
            }
            end += line.len();
        }
        let body = &self.text[start..end];
        let first = start + indent_of(body).min(body.len());
        let last = start + body.trim_end().len();
        push(self.text, first..last.max(first), found);
        Some(last.max(at))
    }

    /// `Unexpected token: }` is what a parser says.
    fn is_of_a_parser(&self) -> bool {
        let before = self.text[..self.name].trim_end_matches(' ');
        let token = self.text[self.name..].get(..5);
        !self.assigned
            && token.is_some_and(|token| token.eq_ignore_ascii_case("token"))
            && ["unexpected", "unrecognized", "illegal", "expected"]
                .iter()
                .any(|word| ends_with(before, word))
    }

    fn is_secret(&self, value: &str) -> bool {
        let word = value.trim_end_matches(['.', '!', '?', ':']);
        let prose = PROSE.iter().any(|prose| word.eq_ignore_ascii_case(prose));
        if value.is_empty() || prose || is_reference(value) {
            return false;
        }
        if self.is_of_a_parser() {
            return false;
        }
        match self.meaning {
            Meaning::Secret | Meaning::Authorization | Meaning::Cookies => true,
            Meaning::FolderOrSecret => {
                !value.starts_with(['/', '\\', '~', '.']) && value.get(1..2) != Some(":")
            }
            Meaning::Perhaps => self.query || (value.len() >= 16 && looks_random(value)),
        }
    }
}

/// What names a value and is none: `${TOKEN}`, `{{input.token}}`, `<token>`,
/// an object.
fn is_reference(value: &str) -> bool {
    let name = |open: &str, close: &str| {
        value
            .strip_prefix(open)
            .and_then(|inner| inner.strip_suffix(close))
            .is_some_and(|name| {
                name.bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"_.- ".contains(&b))
            })
    };
    matches!(value, "{" | "[" | "(" | "|" | ">" | "{}" | "[]" | "\\")
        || name("${", "}")
        || name("{{", "}}")
        || name("<", ">")
}

fn ends_with(text: &str, word: &str) -> bool {
    text.len()
        .checked_sub(word.len())
        .and_then(|at| text.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(word))
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    if !range.is_empty() && !text[range.clone()].starts_with(MARK) {
        found.push(range);
    }
}

/// How many bytes lead into a quoted value: `"`, `\"`, `["`, `Some("`.
fn opening(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let word = bytes
        .iter()
        .take(16)
        .take_while(|b| b.is_ascii_alphabetic())
        .count();
    let mut at = if bytes.get(word) == Some(&b'(') {
        word + 1
    } else {
        0
    };
    while at < 24 && matches!(bytes.get(at), Some(b'[' | b'(' | b' ' | b'\\')) {
        at += 1;
    }
    match bytes.get(at) {
        Some(b'"' | b'\'' | b'`') => at + 1,
        _ => 0,
    }
}

fn end_of_quoted(text: &str, at: usize, quote: u8) -> usize {
    let bytes = text.as_bytes();
    // In a quoted text itself: `\"password\":\"…\"`.
    let nested = at >= 2 && bytes[at - 2] == b'\\';
    let mut end = at;
    while end < bytes.len() && bytes[end] != quote {
        if bytes[end] == b'\\' {
            if nested && bytes.get(end + 1) == Some(&quote) {
                break;
            }
            end += 1;
        }
        end += 1;
    }
    let mut end = end.min(bytes.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    end
}

/// Up to the quote that closes them, else to the end of the line.
fn end_of_cookies(rest: &str) -> usize {
    let opened = opening(rest);
    let line = rest[opened..]
        .find(['\n', '\r'])
        .map_or(rest.len(), |end| opened + end);
    let line = &rest[..line];
    match opened.checked_sub(1).map(|quote| rest.as_bytes()[quote]) {
        Some(quote) => end_of_quoted(line, opened, quote),
        None => line.find(['"', '\'']).unwrap_or(line.len()),
    }
}

/// What follows a scheme: all of the line for those that take parameters, else a
/// word.
fn credentials(text: &str, at: usize, end: usize) -> Option<Range<usize>> {
    let scheme = &text[at..end];
    let is = |schemes: &[&str]| schemes.iter().any(|it| scheme.eq_ignore_ascii_case(it));
    let rest = &text[end..];
    let start = end + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
    if is(&["digest", "oauth", "aws4-hmac-sha256", "negotiate", "ntlm"]) {
        let rest = &text[start..];
        Some(start..start + rest.find(['\n', '\r']).unwrap_or(rest.len()))
    } else if is(&["bearer", "basic", "token", "apikey"]) {
        Some(start..unquoted(text, start))
    } else {
        None
    }
}

/// Where a value without quotes ends. A sign that parts values (`,` `;` `&`)
/// ends it only where another one or nothing follows: it may be part of it.
fn unquoted(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if rest.starts_with(MARK) {
        return at + MARK.len();
    }
    let end = rest
        .char_indices()
        .find(|(index, c)| match c {
            '"' | '\'' | '`' | '<' | '>' => true,
            ',' | ';' | '&' => is_next_named(&rest.as_bytes()[index + 1..], b"=:"),
            c => c.is_whitespace(),
        })
        .map_or(rest.len(), |(index, _)| index);
    at + without_last_signs(&rest[..end]).len()
}

/// What ends a sentence or a bracket that began before is no part of a value.
fn without_last_signs(value: &str) -> &str {
    let opened = ['(', '[', '{'].map(|bracket| value.contains(bracket));
    value.trim_end_matches(|c: char| match c {
        ',' | ';' | '&' | '.' | ':' | '\\' => true,
        ')' => !opened[0],
        ']' => !opened[1],
        '}' => !opened[2],
        _ => false,
    })
}

/// Whether a name and its value follow, parted by one of these.
fn is_next_named(next: &[u8], parted: &[u8]) -> bool {
    let name = next
        .iter()
        .take(64)
        .take_while(|b| b.is_ascii_alphanumeric() || b"_-. ".contains(b))
        .count();
    name > 0 && next.get(name).is_some_and(|b| parted.contains(b))
}

fn indent_of(line: &str) -> usize {
    line.bytes()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count()
}
