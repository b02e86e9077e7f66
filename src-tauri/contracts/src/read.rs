use serde_json::Value;
use thiserror::Error;

/// A document of more bytes than this is not read.
pub const MAX_DOCUMENT_BYTES: usize = 16 * 1024 * 1024;

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
    let text = std::str::from_utf8(text).map_err(|error| {
        let before = &text[..error.valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n');
        Unreadable {
            line,
            column: before.len() - start.map_or(0, |at| at + 1) + 1,
            reason: "The text is not UTF-8. Save it as UTF-8.".to_owned(),
        }
    })?;
    if text.trim().is_empty() {
        return Err(whole("The document is empty.".to_owned()));
    }
    serde_json::from_str(text).map_err(|error| Unreadable {
        line: error.line(),
        column: error.column(),
        reason: reason(&error),
    })
}

/// What the parser found, without the position, which is told apart.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let found = text.split(" at line ").next().unwrap_or_default();
    match found {
        "recursion limit exceeded" => {
            "Nested too deeply: 128 levels of objects and arrays or more are not read.".to_owned()
        }
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            "Half of a surrogate pair: such a \\u escape stands for no character.".to_owned()
        }
        "number out of range" => "The number is too large for a double.".to_owned(),
        _ => format!("Not JSON: {found}."),
    }
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
            (2, 1, "Not JSON: trailing comma.".to_owned())
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
