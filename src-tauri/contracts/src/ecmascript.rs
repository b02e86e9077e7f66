//! Where JSON means what ECMAScript says it means: white space, lengths and numbers.

use serde_json::{Number, Value};

/// The text without white space at its ends, as `String.prototype.trim` has it.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_white_space)
}

/// *WhiteSpace* or *LineTerminator* of ECMA-262.
pub(crate) fn is_white_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{202f}'
                | '\u{205f}'
                | '\u{3000}'
                | '\u{feff}'
    )
}

/// The length of a text in UTF-16 code units.
pub(crate) fn length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The number as an IEEE double, written as a whole number where it is one.
pub(crate) fn number(number: &Number) -> Value {
    /// Every whole double below this is an `i64`.
    const WHOLE: f64 = 9_223_372_036_854_775_808.0;
    let Some(double) = number.as_f64() else {
        return Value::Null;
    };
    if double.fract() == 0.0 && double.abs() < WHOLE {
        // Whole and in range, so nothing is cut off; `-0` becomes `0`.
        #[allow(clippy::cast_possible_truncation)]
        return Value::from(double as i64);
    }
    Value::from(double)
}

/// The value with every number in it as [`number`] has it.
pub(crate) fn value(value: &Value) -> Value {
    match value {
        Value::Number(it) => number(it),
        Value::Array(items) => Value::Array(items.iter().map(self::value).collect()),
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(key, field)| (key.clone(), self::value(field)))
                .collect(),
        ),
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn white_space_is_ecmascripts() {
        assert_eq!(trim("\u{feff}\u{a0}\u{3000}\u{2028} a \t\r\n"), "a");
        for kept in ["\u{85}a\u{85}", "\u{200b}a", "\u{180e}a"] {
            assert_eq!(trim(kept), kept);
        }
    }

    #[test]
    fn lengths_count_utf_16_units() {
        assert_eq!(length("a"), 1);
        assert_eq!(length("é"), 1);
        assert_eq!(length("e\u{301}"), 2);
        assert_eq!(length("👍"), 2);
    }

    #[test]
    fn numbers_are_doubles() {
        let of = |text: &str| value(&serde_json::from_str(text).unwrap()).to_string();
        assert_eq!(of("9007199254740993"), "9007199254740992");
        assert_eq!(of("8080.0"), "8080");
        assert_eq!(of("8e3"), "8000");
        assert_eq!(of("-0.0"), "0");
        assert_eq!(of("1e-7"), "1e-7");
        assert_eq!(of("[1.50, {\"a\": 1e300}]"), "[1.5,{\"a\":1e+300}]");
        assert_eq!(of("18446744073709551615"), "1.8446744073709552e+19");
        assert_eq!(value(&json!(["a", null, true])), json!(["a", null, true]));
    }
}
