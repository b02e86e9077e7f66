/// Reads a size (`64m`, `1.5gb`, `10 KiB`, `1024`) in bytes; units are powers of
/// 1024 however they are written, as Docker does. `None`: not a size.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    let end = text
        .rfind(|c: char| c.is_ascii_digit() || c == '.')
        .map(|at| at + 1)?;
    let (number, unit) = text.split_at(end);
    let unit = unit.strip_prefix(' ').unwrap_or(unit).to_ascii_lowercase();
    let power = match unit.as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        "p" | "pb" | "pib" => 5,
        _ => return None,
    };
    if let Ok(whole) = number.parse::<i64>() {
        let bytes = whole.checked_mul(1024i64.pow(power))?;
        return Some(if sign < 0.0 { -bytes } else { bytes });
    }
    if !number.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    let value = number.parse::<f64>().ok()? * 1024f64.powi(i32::try_from(power).ok()?);
    // Within i64 by the check: the cast is exact up to the fraction that is cut.
    (value < 9.2e18).then_some((sign * value) as i64)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sizes() {
        let cases = [
            ("64m", Some(64 << 20)),
            ("1gb", Some(1 << 30)),
            ("1GiB", Some(1 << 30)),
            ("1.5k", Some(1536)),
            ("10 kb", Some(10240)),
            ("1024", Some(1024)),
            ("-1", Some(-1)),
            ("", None),
            ("m", None),
            ("5x", None),
            ("1.2.3m", None),
            ("9999999999g", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
