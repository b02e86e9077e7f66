use super::Value;

/// What an unquoted scalar means. The rules are those of YAML 1.2 with the
/// leftovers of 1.1 that Docker Compose's reader keeps: `0755` is octal, `1_000`
/// is a number, yes and no are texts, dates are recognised.
pub(super) fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            return Value::Float(f64::INFINITY);
        }
        "-.inf" | "-.Inf" | "-.INF" => return Value::Float(f64::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Value::Float(f64::NAN),
        _ => {}
    }
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
        return Value::Text(text.to_owned());
    }
    if is_date(text) {
        return Value::Date(text.to_owned());
    }
    number(text).unwrap_or_else(|| Value::Text(text.to_owned()))
}

/// A number, or `None`.
pub(super) fn number(text: &str) -> Option<Value> {
    let plain = text.replace('_', "");
    if let Some(value) = integer(&plain) {
        return Some(Value::Int(value));
    }
    if !is_float(&plain) {
        return None;
    }
    // A number beyond the range of a double stays the text it was.
    plain
        .parse::<f64>()
        .ok()
        .filter(|value| value.is_finite())
        .map(Value::Float)
}

fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'o' | b'O', ..] => (8, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    if !digits.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let value = i128::from_str_radix(digits, radix).ok()?;
    i64::try_from(if negative { -value } else { value }).ok()
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_float(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let mantissa_is_good = match mantissa.split_once('.') {
        Some(("", fraction)) => !fraction.is_empty() && digits(fraction),
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    mantissa_is_good
        && exponent.is_none_or(|exponent| {
            let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            !exponent.is_empty() && digits(exponent)
        })
}

/// `YYYY-M-D`, alone or followed by a time.
fn is_date(text: &str) -> bool {
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], Some(text[at + 1..].trim_start())),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let (Some(year), Some(month), Some(day), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let within = |part: &str, digits: std::ops::RangeInclusive<usize>, most: u32| {
        digits.contains(&part.len())
            && part.bytes().all(|b| b.is_ascii_digit())
            && part
                .parse()
                .is_ok_and(|value: u32| (1..=most).contains(&value))
    };
    year.len() == 4
        && year.bytes().all(|b| b.is_ascii_digit())
        && within(month, 1..=2, 12)
        && within(day, 1..=2, 31)
        && time.is_none_or(|time| {
            let clock = time.split(['.', 'Z', '+', '-', ' ']).next().unwrap_or("");
            clock.split(':').count() == 3
                && clock
                    .split(':')
                    .all(|part| part.parse::<u8>().is_ok_and(|value| value < 61))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(text: &str) -> String {
        match resolve(text) {
            Value::Text(text) => format!("text {text}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn unquoted_scalars_mean_what_docker_compose_reads() {
        let cases = [
            ("0755", "Int(493)"),
            ("0o755", "Int(493)"),
            ("0b101", "Int(5)"),
            ("0x1F", "Int(31)"),
            ("1_000", "Int(1000)"),
            ("+12", "Int(12)"),
            ("-7", "Int(-7)"),
            ("0888", "Float(888.0)"),
            (".5", "Float(0.5)"),
            ("1e3", "Float(1000.0)"),
            ("1e400", "text 1e400"),
            ("12:30:45", "text 12:30:45"),
            ("22:22", "text 22:22"),
            ("yes", "text yes"),
            ("~", "Null"),
            ("2024-01-02", "Date(\"2024-01-02\")"),
            ("2024-01-02T10:00:00Z", "Date(\"2024-01-02T10:00:00Z\")"),
            ("2024-13-02", "text 2024-13-02"),
            ("1.2.3", "text 1.2.3"),
            ("-", "text -"),
            ("0x", "text 0x"),
        ];
        for (text, expected) in cases {
            assert_eq!(text_of(text), expected, "{text}");
        }
    }
}
