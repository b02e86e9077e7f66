/// Reads a duration as Docker Compose writes it (`1m30s`, `1.5h`, `2d`, `500ms`),
/// in nanoseconds. `None`: not a duration, or out of range.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total = 0i128;
    while !rest.is_empty() {
        let number_end = rest
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .unwrap_or(rest.len());
        let (number, after) = rest.split_at(number_end);
        let unit_end = after
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        total = total.checked_add(scaled(number, nanoseconds(unit)?)?)?;
        rest = after;
    }
    i64::try_from(if negative { -total } else { total }).ok()
}

fn nanoseconds(unit: &str) -> Option<i128> {
    Some(match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        "w" => 604_800_000_000_000,
        _ => return None,
    })
}

/// A decimal number times a unit, exactly, cut to whole nanoseconds.
fn scaled(number: &str, unit: i128) -> Option<i128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return None;
    }
    let whole: i128 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let fraction = &fraction[..fraction.len().min(15)];
    let part = if fraction.is_empty() {
        0
    } else {
        let scale = 10i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        fraction.parse::<i128>().ok()? * unit / scale
    };
    whole.checked_mul(unit)?.checked_add(part)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn durations() {
        let second = 1_000_000_000i64;
        let cases = [
            ("0", Some(0)),
            ("30s", Some(30 * second)),
            ("1m30s", Some(90 * second)),
            ("1.5s", Some(1_500_000_000)),
            (".5s", Some(500_000_000)),
            ("1d2h", Some(26 * 3600 * second)),
            ("10us", Some(10_000)),
            ("-5s", Some(-5 * second)),
            ("30", None),
            ("", None),
            ("s", None),
            ("5 s", None),
            ("1..5s", None),
            ("99999999999999h", None),
            ("999999999999999999999999999999999999999999h", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
