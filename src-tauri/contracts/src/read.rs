use serde_json::Value;
use thiserror::Error;

/// A document of more bytes than this is not read.
pub const MAX_DOCUMENT_BYTES: usize = 16 * 1024 * 1024;

const NOT_UTF_8: &str = "The text is not UTF-8. Save it as UTF-8.";

/// Why a text is no JSON document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct Unreadable {
    /// From 1; 0 where the whole text is meant.
    pub line: usize,
    /// In bytes, from 1; 0 where the whole line or text is meant.
    pub column: usize,
    /// The rule that is broken, and the fix where there is one.
    pub reason: String,
}

/// Reads a JSON document (RFC 8259, UTF-8, with or without a byte order mark). Of a key that stands
/// twice in an object the last one counts. Nesting of 128 and more levels is refused.
///
/// # Errors
/// When the text is too large, not UTF-8, or not JSON.
pub fn read(text: &[u8]) -> Result<Value, Unreadable> {
    let whole = |reason: String| Unreadable {
        line: 0,
        column: 0,
        reason,
    };
    if text.len() > MAX_DOCUMENT_BYTES {
        return Err(whole(format!(
            "The document has {} bytes; at most {MAX_DOCUMENT_BYTES} are read.",
            text.len()
        )));
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    // No JSON begins with a NUL, every UTF-16 of one does within four bytes.
    if text.iter().take(4).any(|byte| *byte == 0) {
        return Err(whole(NOT_UTF_8.to_owned()));
    }
    let text = std::str::from_utf8(text).map_err(|error| {
        let before = &text[..error.valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n');
        Unreadable {
            line,
            column: before.len() - start.map_or(0, |at| at + 1) + 1,
            reason: NOT_UTF_8.to_owned(),
        }
    })?;
    if text.trim().is_empty() {
        return Err(whole("The document is empty.".to_owned()));
    }
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = place(text, &error);
        Unreadable {
            line,
            column,
            reason: reason(&error, byte_at(text, line, column)),
        }
    })
}

/// Where the parser stopped. It counts a line break as the column 0 of the next line.
fn place(text: &str, error: &serde_json::Error) -> (usize, usize) {
    let (line, column) = (error.line(), error.column());
    if column > 0 || line < 2 {
        return (line, column);
    }
    let before = text.split('\n').nth(line - 2).unwrap_or_default();
    (line - 1, before.len() + 1)
}

fn byte_at(text: &str, line: usize, column: usize) -> Option<u8> {
    let line = text.split('\n').nth(line.checked_sub(1)?)?;
    line.as_bytes().get(column.checked_sub(1)?).copied()
}

/// What the parser found, without the position, which is told apart; `at` is the byte there.
fn reason(error: &serde_json::Error, at: Option<u8>) -> String {
    let text = error.to_string();
    let found = text.split(" at line ").next().unwrap_or_default();
    let structure = found.starts_with("expected ")
        || matches!(found, "key must be a string" | "trailing characters");
    let known = match (found, at) {
        (_, Some(b'/' | b'#')) if structure => "JSON knows no comments. Remove it.",
        (_, Some(b'\'')) if structure => {
            "Texts and keys stand in double quotes, not in single ones."
        }
        ("key must be a string", _) => "A key in double quotes is meant here.",
        ("expected value" | "expected ident", _) => {
            "A value is meant here: an object, a list, a text in double quotes, a number, true, \
             false or null."
        }
        ("expected `:`", _) => "A colon is meant here, between the key and its value.",
        ("expected `,` or `}`", _) => {
            "A comma is meant here, or the closing brace “}” of the object."
        }
        ("expected `,` or `]`", _) => {
            "A comma is meant here, or the closing bracket “]” of the list."
        }
        ("trailing comma", _) => "Nothing follows the comma before this place. Remove the comma.",
        ("trailing characters", _) => {
            "The document is complete before this place. Remove what follows."
        }
        ("EOF while parsing an object", _) => {
            "The document ends too early: the closing brace “}” of an object is missing."
        }
        ("EOF while parsing a list", _) => {
            "The document ends too early: the closing bracket “]” of a list is missing."
        }
        ("EOF while parsing a string", _) => {
            "The document ends within a text: its closing double quote is missing."
        }
        ("EOF while parsing a value", _) => "The document ends where a value is meant.",
        ("invalid number", _) => {
            "No number of JSON: it begins with no extra 0, and digits follow a sign, a point and an \
             exponent."
        }
        ("invalid escape", _) => "No escape of JSON. Write a backslash as “\\\\”.",
        ("control character (\\u0000-\\u001F) found while parsing a string", _) => {
            "A line break or control character within a text. Write a line break as “\\n”, or close \
             the text with a double quote."
        }
        ("recursion limit exceeded", _) => {
            "Nested too deeply: 128 levels of objects and arrays or more are not read."
        }
        ("lone leading surrogate in hex escape" | "unexpected end of hex escape", _) => {
            "Half of a surrogate pair: such a \\u escape stands for no character."
        }
        ("number out of range", _) => "The number is too large for a double.",
        _ => return format!("Not JSON: {found}."),
    };
    known.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reason_of(text: &[u8]) -> (usize, usize, String) {
        let error = read(text).unwrap_err();
        (error.line, error.column, error.reason)
    }

    #[test]
    fn reads_json_with_or_without_a_byte_order_mark() {
        assert_eq!(read(b"\xef\xbb\xbf{\"a\":1}").unwrap(), json!({"a": 1}));
        assert_eq!(read(b"{\"a\":1,\r\n\"a\":2}").unwrap(), json!({"a": 2}));
    }

    #[test]
    fn says_where_and_why_it_cannot() {
        assert_eq!(reason_of(b" \n").2, "The document is empty.");
        assert_eq!(
            reason_of(b"{\n\"a\": \"\xe9\"}"),
            (2, 7, "The text is not UTF-8. Save it as UTF-8.".to_owned())
        );
        assert_eq!(
            reason_of(b"{\"a\": 1,\n}"),
            (
                2,
                1,
                "Nothing follows the comma before this place. Remove the comma.".to_owned()
            )
        );
        assert!(reason_of(b"1e999").2.contains("too large"));
        assert!(reason_of(br#""\ud800""#).2.contains("surrogate"));
        assert!(reason_of(&b"[".repeat(10_000)).2.contains("128 levels"));
        assert!(
            reason_of(&b"{\"a\":".repeat(10_000))
                .2
                .contains("128 levels")
        );
        assert!(
            reason_of(&vec![b' '; MAX_DOCUMENT_BYTES + 1])
                .2
                .contains("16777216")
        );
    }

    #[test]
    fn names_the_slip_and_the_fix_in_plain_words() {
        for (text, place, part) in [
            ("{\n // why\n \"a\": 1}", (2, 2), "no comments"),
            ("{\"a\": 1 # why\n}", (1, 9), "no comments"),
            ("{\"a\": 1} // why", (1, 10), "no comments"),
            ("{'a': 1}", (1, 2), "double quotes, not in single"),
            ("[\n'a']", (2, 1), "double quotes, not in single"),
            ("{a: 1}", (1, 2), "key in double quotes"),
            ("kind: none", (1, 1), "value is meant"),
            ("[NaN]", (1, 2), "value is meant"),
            ("[True]", (1, 2), "value is meant"),
            ("[tru]", (1, 5), "value is meant"),
            ("{\"a\" 1}", (1, 6), "colon"),
            ("{\"a\": 1\n \"b\": 2}", (2, 2), "comma is meant"),
            ("[1 2]", (1, 4), "comma is meant"),
            ("[1,]", (1, 4), "Remove the comma"),
            ("{}\n{}", (2, 1), "Remove what follows"),
            ("{\"a\": 1", (1, 7), "“}”"),
            ("{\"a\": 1,\n", (1, 9), "value"),
            ("[1", (1, 2), "“]”"),
            ("[\"a", (1, 3), "closing double quote"),
            ("{\"a\":", (1, 5), "ends where a value"),
            ("[01]", (1, 3), "extra 0"),
            ("[1.]", (1, 4), "extra 0"),
            ("[\"C:\\work\"]", (1, 6), "“\\\\”"),
            ("[\"a\nb\"]", (1, 4), "line break"),
        ] {
            let (line, column, reason) = reason_of(text.as_bytes());
            assert!(reason.contains(part), "{text}: {reason}");
            assert!(!reason.starts_with("Not JSON"), "{text}: {reason}");
            assert_eq!((line, column), place, "{text}: {reason}");
        }
    }

    #[test]
    fn other_encodings_are_told_as_such() {
        for text in [
            &b"\xff\xfe{\0}\0"[..],
            b"\xfe\xff\0{\0}",
            b"{\0}\0",
            b"\0{\0}",
            b"{\0\0\0}\0\0\0",
        ] {
            assert_eq!(reason_of(text).2, NOT_UTF_8);
        }
    }

    #[test]
    fn doubles_are_read_as_they_were_written() {
        // Any bits, from a multiplier of a linear congruential generator (Knuth's MMIX).
        let mut bits: u64 = 1;
        for _ in 0..20_000 {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let number = f64::from_bits(bits);
            if number.is_finite() {
                let text = json!(number).to_string();
                assert_eq!(read(text.as_bytes()).unwrap(), json!(number), "{text}");
            }
        }
    }
}
