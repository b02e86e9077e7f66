//! The ways out: serialised problems, logs, panics.

use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::{Serialize as _, Serializer};

use super::{MARK, pattern, redact, redact_lines};

/// For `#[serde(serialize_with = …)]`: a text leaves clean.
pub(crate) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&redact(text))
}

/// The same for one that may be absent.
pub(crate) fn serialize_option<S: Serializer>(
    text: &Option<String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    text.as_deref().map(redact).serialize(serializer)
}

/// The same for several.
pub(crate) fn serialize_each<S: Serializer>(
    texts: &[String],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(texts.iter().map(|text| redact(text)))
}

/// The same for the lines of one text.
pub(crate) fn serialize_lines<S: Serializer>(
    lines: &[String],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    redact_lines(lines).serialize(serializer)
}

/// Writes what is logged, clean. Each call of [`Write::write`] is one message.
#[derive(Debug)]
pub struct CleanWriter<W>(pub W);

impl<W: Write> Write for CleanWriter<W> {
    fn write(&mut self, message: &[u8]) -> io::Result<usize> {
        self.0
            .write_all(redact(&String::from_utf8_lossy(message)).as_bytes())?;
        Ok(message.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// From now on a panic of this process says where it happened, and why without
/// what it quotes: `unwrap` quotes the error, which may quote anything.
pub fn clean_panics() {
    std::panic::set_hook(Box::new(|panic| {
        // Nobody is left to tell when standard error is gone.
        let _ = io::stderr().write_all(report(panic).as_bytes());
    }));
}

fn report(panic: &PanicHookInfo<'_>) -> String {
    let place = panic
        .location()
        .map(|place| format!(" at {}:{}", place.file(), place.line()))
        .unwrap_or_default();
    let payload = panic.payload();
    let said = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .map_or_else(|| "It does not say why.".to_owned(), without_quotes);
    format!(
        "Berth made a mistake and stops{place}: {said}\n\
         Please report it with this message.\n"
    )
}

/// What stands in quotes is a value of the moment, but for these.
const SPOKEN: [&str; 6] = [
    "Result::unwrap()",
    "Result::expect()",
    "Option::unwrap()",
    "Option::expect()",
    "Err",
    "None",
];

/// A text without what it quotes, and clean.
fn without_quotes(text: &str) -> String {
    static QUOTED: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(?s)"((?:[^"\\]|\\.)*)(?:"|$)|`([^`]*)(?:`|$)"#));
    let unquoted = QUOTED.replace_all(text, |found: &Captures<'_>| {
        let whole = &found[0];
        let inner = found.get(1).or(found.get(2)).map_or("", |it| it.as_str());
        if inner.is_empty() || SPOKEN.contains(&inner) {
            whole.to_owned()
        } else {
            let quote = &whole[..1];
            format!("{quote}{MARK}{quote}")
        }
    });
    redact(&unquoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_keeps_its_words_and_loses_what_it_quotes() {
        let said = [
            (
                r#"called `Result::unwrap()` on an `Err` value: Parse("hunter2 \" hunter3", 4)"#,
                r#"called `Result::unwrap()` on an `Err` value: Parse("[REDACTED]", 4)"#,
            ),
            (
                "byte index 2 is not a char boundary; it is inside 'é' (bytes 1..3) of `hunter2`",
                "byte index 2 is not a char boundary; it is inside 'é' (bytes 1..3) of `[REDACTED]`",
            ),
            (
                "index out of bounds: the len is 3 but the index is 7",
                "index out of bounds: the len is 3 but the index is 7",
            ),
            (
                "bad reply: password=hunter2",
                "bad reply: password=[REDACTED]",
            ),
            ("cut off: \"hunter2", "cut off: \"[REDACTED]\""),
        ];
        for (text, expected) in said {
            assert_eq!(without_quotes(text), expected);
            assert_eq!(without_quotes(expected), expected);
        }
    }

    #[test]
    fn a_log_line_is_written_clean() {
        let mut log = CleanWriter(Vec::new());
        log.write_all(b"WARN refused error=https://me:hunter2@host/ \xff\n")
            .unwrap();
        assert_eq!(
            String::from_utf8(log.0).unwrap(),
            "WARN refused error=https://me:[REDACTED]@host/ \u{fffd}\n"
        );
    }
}
